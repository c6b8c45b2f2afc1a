//! Batches of decisions and their tensors.
//!
//! Methods process all actions of a decision at once, for example in a softmax or a mean, so tensors have the shape
//! (decisions, places), along with a mask. In an [`ActionBatch`], place *i* is action *i* and each decision is one row
//! of inputs. In a [`CandidateBatch`], every candidate has its own row of inputs. A decision's candidates fill its
//! first places, and the remaining places are padding.

use crate::network::{Inputs, Network, matrix};
use burn::prelude::*;
use burn::tensor::TensorData;

/// A collector of decisions from environment observations.
pub trait Decisions {
    /// Removes all decisions, keeping the allocated memory.
    fn clear(&mut self);

    /// Returns the number of decisions.
    fn len(&self) -> usize;

    /// Returns `true` if there are no decisions.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the decision for an observation and its action mask. If only one action is possible, returns that action
    /// instead.
    fn push(&mut self, observation: &[f32], mask: &[bool]) -> Option<usize>;

    /// Returns the tensors for all decisions starting at index `first`. There must be at least one.
    fn tensors(&self, first: usize, device: &Device) -> DecisionTensors;

    /// Returns the tensors for the decisions with these indices, in this order. There must be at least one.
    fn select(&self, decisions: &[usize], device: &Device) -> DecisionTensors;

    /// Returns the action at the given place of a decision.
    fn action(&self, decision: usize, place: usize) -> usize;
}

/// A batch of decisions on a device.
#[derive(Clone, Debug)]
pub struct DecisionTensors {
    /// The network inputs.
    pub inputs: Inputs,
    /// The mask with shape (decisions, places). It is 1 for legal actions and 0 elsewhere.
    pub mask: Tensor<2>,
    /// The index of each place's row of inputs, with shape (decisions * places). Padding repeats the decision's last
    /// row. `None` if each decision has a single row.
    padding: Option<Tensor<1, Int>>,
}

impl DecisionTensors {
    /// Returns the network's outputs as separate tensors with shape (decisions, places). Places without an action
    /// contain arbitrary values.
    pub fn outputs<const N: usize>(&self, network: &Network) -> [Tensor<2>; N] {
        let outputs = network.forward(&self.inputs);
        let [decisions, places] = self.mask.dims();
        std::array::from_fn(|i| match &self.padding {
            None => outputs.clone().narrow(1, i * places, places),
            Some(index) => outputs.clone().narrow(1, i, 1).select(0, index.clone()).reshape([decisions, places]),
        })
    }
}

/// A batch of decisions over a fixed list of actions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionBatch {
    /// The observations, with shape (decisions, features).
    pub observations: Vec<f32>,
    /// The masks with shape (decisions, actions). They are 1 for legal actions and 0 for others.
    pub masks: Vec<f32>,
    /// The number of decisions.
    pub count: usize,
}

impl Decisions for ActionBatch {
    fn clear(&mut self) {
        self.observations.clear();
        self.masks.clear();
        self.count = 0;
    }

    fn len(&self) -> usize {
        self.count
    }

    fn push(&mut self, observation: &[f32], mask: &[bool]) -> Option<usize> {
        self.observations.extend_from_slice(observation);
        self.masks.extend(mask.iter().map(|&legal| f32::from(u8::from(legal))));
        self.count += 1;
        None
    }

    fn tensors(&self, first: usize, device: &Device) -> DecisionTensors {
        let count = self.count - first;
        let rest = |values: &'_ [f32]| matrix(&values[values.len() / self.count * first..], count, device);
        let inputs = Inputs { rows: rest(&self.observations), context: None };
        DecisionTensors { inputs, mask: rest(&self.masks), padding: None }
    }

    fn select(&self, decisions: &[usize], device: &Device) -> DecisionTensors {
        let mut selected = ActionBatch { count: decisions.len(), ..ActionBatch::default() };
        let [features, actions] = [&self.observations, &self.masks].map(|values| values.len() / self.count);
        for &decision in decisions {
            selected.observations.extend_from_slice(&self.observations[decision * features..][..features]);
            selected.masks.extend_from_slice(&self.masks[decision * actions..][..actions]);
        }
        selected.tensors(0, device)
    }

    fn action(&self, _: usize, place: usize) -> usize {
        place
    }
}

/// A batch of decisions over candidates, each described by a row of features.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidateBatch {
    /// The candidates' features, with shape (rows, features), grouped by decision.
    pub rows: Vec<f32>,
    /// The decisions' features, with shape (decisions, features).
    pub context: Vec<f32>,
    /// The action of each row.
    pub actions: Vec<usize>,
    /// The number of candidates for each decision, at least one.
    pub counts: Vec<usize>,
}

impl CandidateBatch {
    /// Returns the largest number of candidates in any decision.
    pub fn places(&self) -> usize {
        self.counts.iter().copied().max().unwrap_or(0)
    }

    /// Removes all decisions, keeping the allocated memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.context.clear();
        self.actions.clear();
        self.counts.clear();
    }

    /// Returns the tensors for all decisions starting at index `first`.
    ///
    /// # Panics
    /// Panics if `first` is not less than the number of decisions.
    pub fn tensors(&self, first: usize, device: &Device) -> DecisionTensors {
        let (before, counts) = self.counts.split_at(first);
        let (before, all): (usize, usize) = (before.iter().sum(), self.actions.len());
        let (rows, decisions, places) = (all - before, counts.len(), counts.iter().copied().max().unwrap_or(0));
        let (mut decision, mut index, mut mask) = (Vec::with_capacity(rows), vec![], vec![0f32; decisions * places]);
        for (i, &count) in counts.iter().enumerate() {
            let first = decision.len();
            decision.extend(std::iter::repeat_n(i as i64, count));
            index.extend((0..places).map(|place| (first + place.min(count - 1)) as i64));
            mask[i * places..i * places + count].fill(1.0);
        }
        let decision = Tensor::from_data(TensorData::new(decision, [rows]), device);
        let context = &self.context[self.context.len() / self.counts.len() * first..];
        let context = Some((matrix(context, decisions, device), decision));
        let features = &self.rows[self.rows.len() / all * before..];
        DecisionTensors {
            inputs: Inputs { rows: matrix(features, rows, device), context },
            mask: matrix(&mask, decisions, device),
            padding: Some(Tensor::from_data(TensorData::new(index, [decisions * places]), device)),
        }
    }

    /// Returns a batch of the decisions with these indices, in this order.
    #[must_use]
    pub fn select(&self, decisions: &[usize]) -> CandidateBatch {
        let mut first_rows = Vec::with_capacity(self.counts.len());
        let mut rows = 0;
        for &count in &self.counts {
            first_rows.push(rows);
            rows += count;
        }
        let [features, context] = [self.rows.len() / rows, self.context.len() / self.counts.len()];
        let mut selected = CandidateBatch::default();
        for &decision in decisions {
            let (first, count) = (first_rows[decision], self.counts[decision]);
            selected.rows.extend_from_slice(&self.rows[first * features..][..count * features]);
            selected.context.extend_from_slice(&self.context[decision * context..][..context]);
            selected.actions.extend_from_slice(&self.actions[first..][..count]);
            selected.counts.push(count);
        }
        selected
    }

    /// Arranges one value per row in the shape (decisions, places). Places without a candidate contain zeros.
    pub fn pad(&self, values: &[f32]) -> Vec<f32> {
        let places = self.places();
        let mut padded = vec![0f32; self.counts.len() * places];
        let mut first = 0;
        for (row, &count) in padded.chunks_mut(places).zip(&self.counts) {
            row[..count].copy_from_slice(&values[first..first + count]);
            first += count;
        }
        padded
    }

    /// Arranges one value per row in the shape (decisions, actions), where `actions` is the number of all actions.
    /// Actions without a candidate have the value NaN.
    pub fn spread(&self, values: &[f32], actions: usize) -> Vec<f32> {
        let mut spread = vec![f32::NAN; self.counts.len() * actions];
        let mut first = 0;
        for (row, &count) in spread.chunks_mut(actions).zip(&self.counts) {
            let rows = first..first + count;
            rows.clone().for_each(|i| row[self.actions[i]] = values[i]);
            first = rows.end;
        }
        spread
    }

    /// Returns the action with the highest score in each decision. Ties go to the first action.
    pub fn best(&self, scores: &[f32]) -> Vec<usize> {
        let mut first = 0;
        let best = |&count: &usize| {
            let rows = first..first + count;
            first += count;
            let best = rows.reduce(|best, row| if scores[row] > scores[best] { row } else { best });
            self.actions[best.expect("every decision has a candidate")]
        };
        self.counts.iter().map(best).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{NetworkConfig, WeightSource, to_vec};

    fn candidates() -> CandidateBatch {
        CandidateBatch {
            rows: vec![1.0, 2.0, 3.0],
            context: vec![10.0, 20.0],
            actions: vec![3, 5, 20],
            counts: vec![1, 2],
        }
    }

    #[test]
    fn outputs_of_candidates_are_padded_like_their_values() {
        let (batch, device) = (candidates(), Device::flex().autodiff());
        let tensors = batch.tensors(0, &device);
        let size = NetworkConfig { width: 4, layers: 2 };
        let network = Network::with_context(size, 1, 1, 2, &mut WeightSource::new(5, &device));
        let outputs = to_vec(network.forward(&tensors.inputs));
        for (i, padded) in tensors.outputs::<2>(&network).into_iter().enumerate() {
            let one: Vec<f32> = outputs.chunks(2).map(|row| row[i]).collect();
            assert_eq!(to_vec(padded * tensors.mask.clone()), batch.pad(&one));
        }
        assert_eq!(batch.pad(&batch.rows), [1.0, 0.0, 2.0, 3.0]);
        let (_, decision) = tensors.inputs.context.unwrap();
        assert_eq!(decision.into_data().iter::<i64>().collect::<Vec<_>>(), [0, 1, 1]);
        let later = batch.tensors(1, &device);
        assert_eq!((to_vec(later.inputs.rows), to_vec(later.mask)), (vec![2.0, 3.0], vec![1.0, 1.0]));
        assert_eq!(to_vec(later.inputs.context.unwrap().0), [20.0]);
    }

    #[test]
    fn decisions_are_selected_in_the_given_order() {
        let selected = candidates().select(&[1, 0, 1]);
        let expected = CandidateBatch {
            rows: vec![2.0, 3.0, 1.0, 2.0, 3.0],
            context: vec![20.0, 10.0, 20.0],
            actions: vec![5, 20, 3, 5, 20],
            counts: vec![2, 1, 2],
        };
        assert_eq!(selected, expected);
    }

    #[test]
    fn values_are_spread_over_all_actions() {
        let spread = candidates().spread(&[0.5, 1.5, 2.5], 21);
        let found: Vec<(usize, f32)> = spread.into_iter().enumerate().filter(|(_, value)| !value.is_nan()).collect();
        assert_eq!(found, [(3, 0.5), (21 + 5, 1.5), (21 + 20, 2.5)]);
    }

    #[test]
    fn the_first_of_equal_scores_is_best() {
        assert_eq!(candidates().best(&[0.0, 1.0, 1.0]), [3, 5]);
        assert_eq!(candidates().best(&[0.0, 1.0, 2.0]), [3, 20]);
    }

    #[test]
    fn pushed_decisions_are_selected_in_any_order() {
        let mut batch = ActionBatch::default();
        for i in 0..3 {
            assert_eq!(batch.push(&[i as f32, 0.5], &[true, i == 1, false]), None);
        }
        let selected = batch.select(&[2, 1], &Device::flex());
        assert_eq!(to_vec(selected.inputs.rows), [2.0, 0.5, 1.0, 0.5]);
        assert_eq!(to_vec(selected.mask), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
        let tensors = batch.tensors(1, &Device::flex());
        assert_eq!(to_vec(tensors.inputs.rows), [1.0, 0.5, 2.0, 0.5]);
        assert_eq!(to_vec(tensors.mask), [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        assert!(tensors.padding.is_none() && batch.action(2, 1) == 1 && batch.len() == 3);
    }
}
