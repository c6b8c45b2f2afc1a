//! The candidate settings of a batch of hands, as rows of features, and as tensors.
//!
//! Hands have different numbers of candidates, so the rows of all hands stand one after the other. What has to look at all
//! candidates of a hand at once (a softmax, a mean) goes through the padded form: (hands, most candidates), with a mask.

use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::pai_gow::Setting;

/// Candidate settings of a batch of B hands, R in all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidateBatch {
    /// Features of the candidates, (R, [`ROW`](houseway_env::pai_gow::observe::candidates::ROW)).
    pub rows: Vec<f32>,
    /// Features of the hands, (B, [`CONTEXT`](houseway_env::pai_gow::observe::candidates::CONTEXT)).
    pub context: Vec<f32>,
    /// The setting of each row, R of them.
    pub settings: Vec<Setting>,
    /// How many candidates each hand has, at least one; B of them.
    pub counts: Vec<usize>,
}

/// A [`CandidateBatch`] on a device.
#[derive(Clone, Debug)]
pub struct CandidateTensors {
    /// (R, features)
    pub rows: Tensor<2>,
    /// (B, features)
    pub context: Tensor<2>,
    /// The hand that each row belongs to, (R).
    pub hand_of_row: Tensor<1, Int>,
    padding: Padding,
}

/// The way from rows to the padded form.
#[derive(Clone, Debug)]
struct Padding {
    hands: usize,
    most: usize,
    /// Row for each place of the padded form, (B * most); places without a candidate repeat a row.
    index: Tensor<1, Int>,
    /// 1 where there is a candidate, 0 where not, (B, most).
    mask: Tensor<2>,
}

impl CandidateBatch {
    /// Number of hands.
    pub fn hands(&self) -> usize {
        self.counts.len()
    }

    /// The most candidates that a hand of the batch has.
    pub fn most(&self) -> usize {
        self.counts.iter().copied().max().unwrap_or(0)
    }

    /// Empties the batch and keeps its memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.context.clear();
        self.settings.clear();
        self.counts.clear();
    }

    /// Puts another batch's hands behind the ones of this batch.
    pub fn append(&mut self, other: &CandidateBatch) {
        self.rows.extend_from_slice(&other.rows);
        self.context.extend_from_slice(&other.context);
        self.settings.extend_from_slice(&other.settings);
        self.counts.extend_from_slice(&other.counts);
    }

    /// Copies the batch to a device.
    ///
    /// # Panics
    /// If the batch holds no hand.
    pub fn tensors(&self, device: &Device) -> CandidateTensors {
        CandidateTensors::new(&self.rows, &self.context, &self.counts, device)
    }

    /// One value for each candidate, padded with zeros to (B, most).
    pub fn pad(&self, values: &[f32]) -> Vec<f32> {
        let most = self.most();
        let mut padded = vec![0f32; self.hands() * most];
        let mut first = 0;
        for (row, &count) in padded.chunks_mut(most).zip(&self.counts) {
            row[..count].copy_from_slice(&values[first..first + count]);
            first += count;
        }
        padded
    }

    /// For each hand the candidate with the highest score, the first of equal ones.
    pub fn best(&self, scores: &[f32]) -> Vec<Setting> {
        let mut first = 0;
        let best_of = |&count: &usize| {
            let rows = first..first + count;
            first += count;
            let best = rows.reduce(|best, row| if scores[row] > scores[best] { row } else { best });
            self.settings[best.expect("every hand has a candidate")]
        };
        self.counts.iter().map(best_of).collect()
    }
}

impl CandidateTensors {
    /// Rows and contexts on a device: the rows of one hand after those of another, `counts` of them each.
    ///
    /// # Panics
    /// If there is no hand.
    pub fn new(rows: &[f32], context: &[f32], counts: &[usize], device: &Device) -> CandidateTensors {
        let (count, hands, most) =
            (counts.iter().sum::<usize>(), counts.len(), counts.iter().copied().max().unwrap_or(0));
        assert!(count > 0, "a batch has hands");
        let (mut hand_of_row, mut index, mut mask) = (Vec::with_capacity(count), vec![], vec![0f32; hands * most]);
        for (hand, &count) in counts.iter().enumerate() {
            let first = hand_of_row.len();
            hand_of_row.extend(std::iter::repeat_n(hand as i64, count));
            index.extend((0..most).map(|place| (first + place.min(count - 1)) as i64));
            mask[hand * most..hand * most + count].fill(1.0);
        }
        let matrix = |values: &[f32], rows: usize| {
            Tensor::<2>::from_data(TensorData::new(values.to_vec(), [rows, values.len() / rows]), device)
        };
        CandidateTensors {
            rows: matrix(rows, count),
            context: matrix(context, hands),
            hand_of_row: Tensor::from_data(TensorData::new(hand_of_row, [count]), device),
            padding: Padding {
                hands,
                most,
                index: Tensor::from_data(TensorData::new(index, [hands * most]), device),
                mask: matrix(&mask, hands),
            },
        }
    }

    /// One value a row, (R, 1), in the padded form, (B, most); places without a candidate hold some other row's value.
    pub fn pad(&self, values: Tensor<2>) -> Tensor<2> {
        values.select(0, self.padding.index.clone()).reshape([self.padding.hands, self.padding.most])
    }

    /// 1 where there is a candidate, 0 where not, (B, most).
    pub fn mask(&self) -> Tensor<2> {
        self.padding.mask.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch() -> CandidateBatch {
        CandidateBatch {
            rows: vec![1.0, 2.0, 3.0],
            context: vec![10.0, 20.0],
            settings: [3, 5, 20].map(|i| Setting::from_index(i).unwrap()).to_vec(),
            counts: vec![1, 2],
        }
    }

    #[test]
    fn rows_and_padded_places_agree() {
        let batch = batch();
        let tensors = batch.tensors(&Device::flex());
        let padded = tensors.pad(tensors.rows.clone()) * tensors.mask();
        assert_eq!(padded.into_data().try_to_vec::<f32>().unwrap(), batch.pad(&batch.rows));
        assert_eq!(batch.pad(&batch.rows), [1.0, 0.0, 2.0, 3.0]);
        assert_eq!(tensors.hand_of_row.into_data().iter::<i64>().collect::<Vec<_>>(), [0, 1, 1]);
    }

    #[test]
    fn the_first_of_equal_scores_is_best() {
        assert_eq!(batch().best(&[0.0, 1.0, 1.0]).iter().map(|s| s.index()).collect::<Vec<_>>(), [3, 5]);
        assert_eq!(batch().best(&[0.0, 1.0, 2.0])[1].index(), 20);
    }
}
