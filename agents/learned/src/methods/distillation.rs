//! Distillation. The networks learn the exact value of each action from labels that a solver has computed.
//!
//! Decisions are drawn with the probabilities with which they come up in play. The labels have no noise, so the
//! accuracy is limited only by the network and the number of steps. This bounds what a network of some size could learn
//! from rewards.
//!
//! The labels are a table of all decisions ([`ExactValues`]), so they are limited to games whose hands have a single
//! decision. In Ultimate Texas Hold'em, the river alone has 145 million decisions (134,459 classes of boards with 1,081
//! hands each), and the value of waiting is only known after a pass over all of them. On its own, a decision before the
//! flop takes a second to evaluate and one on the flop a thirtieth, which is too slow to label batches as they are drawn.
//! All-action regression on 22 dealer hands per deal takes the place of exact labels there.

use super::regression::RegressionLoss;
use crate::decisions::Decisions;
use crate::limits::{MAX_FOCUS, MIN_FOCUS, check};
use crate::methods::{Loss, Method, MethodParameters, Training};
use crate::metrics::DealTotals;
use crate::model::ScoreKind;
use crate::network::{Networks, matrix, to_vec};
use crate::task::{Feedback, Regression, TaskError, step_stream};
use burn::prelude::*;
use houseway_env::gym::{EnvError, ExactValues};
use rand::RngExt;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The parameters of distillation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Distillation {
    /// The loss to minimize.
    pub loss: RegressionLoss,
    /// Leaves out most of the actions that are far from the best one. By default, agents learn from all actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinning: Option<Thinning>,
}

/// Leaves out actions whose exact value is far below the best one. Networks spend most of their time on such actions,
/// although they hardly affect any choice. Decisions in which only the best action is left are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Thinning {
    /// The distance from the best value up to which all actions are kept, in the same unit as the values.
    pub margin: f64,
    /// The fraction of the other actions that are kept, from 0 to 1, drawn again each time a decision comes up. This prevents their
    /// scores from drifting upwards.
    pub keep: f64,
}

impl Default for Distillation {
    fn default() -> Distillation {
        Distillation { loss: RegressionLoss::SquaredError, thinning: None }
    }
}

impl MethodParameters for Distillation {
    fn feedback(&self) -> Feedback {
        Feedback::ExactLabels
    }

    fn score_kind(&self) -> ScoreKind {
        self.loss.score_kind()
    }

    fn unwritten(&self) -> Vec<(&'static str, Value)> {
        if self.thinning.is_none() { vec![("thinning", Value::Null)] } else { vec![] }
    }

    fn check(&self) -> Result<(), String> {
        if let Some(Thinning { margin, keep }) = self.thinning {
            check("thinning.margin", margin, [MIN_FOCUS, MAX_FOCUS])?;
            check("thinning.keep", keep, [0.0, 1.0])?;
        }
        self.loss.check().map_err(|error| format!("loss.{error}"))
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        let values = training.task.exact_values().ok_or(TaskError::NoExactValues)?;
        let [observation, actions] = values.shape();
        let hands = (0..values.decisions()).scan(0, |sum, decision| {
            *sum += values.hands(decision);
            Some(*sum)
        });
        Ok(Box::new(Running {
            ends: hands.collect(),
            values,
            decisions: training.task.decisions()?,
            observation: vec![0.0; observation],
            mask: vec![false; actions],
            evs: vec![0.0; actions],
            parameters: self.clone(),
            batch: training.batch,
            seed: training.seed,
            device: training.device.clone(),
        }))
    }
}

struct Running {
    values: Arc<dyn ExactValues>,
    /// For each decision, the number of hands that lead to this decision or an earlier one.
    ends: Vec<u64>,
    decisions: Box<dyn Decisions>,
    /// The decision that was drawn last.
    observation: Vec<f32>,
    mask: Vec<bool>,
    evs: Vec<f32>,
    parameters: Distillation,
    batch: usize,
    seed: u64,
    device: Device,
}

impl Running {
    /// Draws hands until a batch of them have at least two actions to compare. Returns the EVs of all actions of each
    /// decision in the batch, and the number of hands.
    fn draw(&mut self, rng: &mut Pcg64) -> Result<(Vec<f32>, u64), EnvError> {
        let (observation, mask, evs) = (&mut self.observation[..], &mut self.mask[..], &mut self.evs[..]);
        let (hands, mut targets, mut dealt) = (*self.ends.last().expect("there is a decision"), vec![], 0);
        self.decisions.clear();
        while self.decisions.len() < self.batch {
            let hand = rng.random_range(0..hands);
            let decision = self.ends.partition_point(|&end| end <= hand);
            self.values.write(decision, observation, mask, evs)?;
            dealt += 1;
            if let Some(thinning) = self.parameters.thinning {
                thinning.thin(mask, evs, rng);
            }
            if mask.iter().filter(|&&kept| kept).count() > 1 && self.decisions.push(observation, mask).is_none() {
                targets.extend_from_slice(evs);
            }
        }
        Ok((targets, dealt))
    }
}

impl Thinning {
    /// Removes actions from a mask.
    fn thin(self, mask: &mut [bool], evs: &[f32], rng: &mut Pcg64) {
        let legal = evs.iter().zip(&*mask).filter(|(_, legal)| **legal);
        let best = legal.map(|(&ev, _)| ev).fold(f32::NEG_INFINITY, f32::max);
        for (kept, &ev) in mask.iter_mut().zip(evs) {
            *kept = *kept && (f64::from(best - ev) <= self.margin || rng.random_bool(self.keep));
        }
    }
}

impl Method for Running {
    fn loss(&mut self, networks: &Networks, step: u64, progress: f64, _: u64) -> Result<Loss, EnvError> {
        let (evs, seen) = self.draw(&mut step_stream(self.seed, step))?;
        let tensors = self.decisions.tensors(0, &self.device);
        let ([decisions, places], actions) = (tensors.mask.dims(), self.evs.len());
        // Padding has no action.
        let mask = to_vec(tensors.mask.clone());
        // The solver has settled the deals.
        let deals = DealTotals { seen, settled: 0, rewards: mask.iter().filter(|&&used| used == 1.0).count() as u64 };
        let target = |(at, used): (usize, f32)| match (used == 1.0, at / places, at % places) {
            (true, decision, place) => evs[decision * actions + self.decisions.action(decision, place)],
            (false, ..) => 0.0,
        };
        let targets: Vec<f32> = mask.into_iter().enumerate().map(target).collect();
        let [predictions] = tensors.outputs(&networks.parts[0]);
        let targets = matrix(&targets, decisions, &self.device);
        let regression =
            Regression { predictions, targets, mask: Some(tensors.mask), rewards: deals.rewards, clipped: None };
        let loss = self.parameters.loss.compute(regression, step, progress);
        Ok(Loss { loss, deals, values: vec![] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_far_from_the_best_are_thinned_out() {
        let thinned = |thinning: Thinning, seed| {
            let mut mask = [true, false, true, true, true];
            thinning.thin(&mut mask, &[0.5, 9.0, 0.25, 0.0, -0.5], &mut step_stream(seed, 0));
            mask
        };
        assert_eq!(thinned(Thinning { margin: 0.25, keep: 0.0 }, 1), [true, false, true, false, false]);
        assert_eq!(thinned(Thinning { margin: 0.1, keep: 1.0 }, 1), [true, false, true, true, true]);
        let kept: usize = (0..3000)
            .map(|seed| thinned(Thinning { margin: 0.25, keep: 0.3 }, seed)[3..].iter().filter(|&&kept| kept).count())
            .sum();
        assert!((1650..1950).contains(&kept), "{kept}");
    }
}
