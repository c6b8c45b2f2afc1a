//! The scores by which agents choose actions.

use houseway_env::gym::Scores;

/// The meaning of the scores that a model computes for actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// Estimates of the actions' values. Only their differences matter.
    Values,
    /// The logarithms of the probabilities with which a stochastic policy takes the actions, up to a constant.
    Preferences,
}

impl ScoreKind {
    /// Converts a model's scores with shape (rows, actions). They are NaN for actions that aren't considered, and every
    /// row considers an action.
    pub(crate) fn scores(self, mut scores: Vec<f32>, actions: usize) -> Scores {
        match self {
            ScoreKind::Values => Scores::Values(scores),
            ScoreKind::Preferences => {
                scores.chunks_exact_mut(actions).for_each(softmax);
                Scores::Probabilities(scores)
            }
        }
    }
}

/// Replaces preferences with probabilities, and NaN with 0.
fn softmax(row: &mut [f32]) {
    // The maximum ignores NaN.
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|score| *score = if score.is_nan() { 0.0 } else { (*score - most).exp() });
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|probability| *probability /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_become_probabilities() {
        let scores = vec![1.0, f32::NAN, 1.0 + 3f32.ln(), f32::NAN, 900.0, f32::NAN];
        let Scores::Probabilities(found) = ScoreKind::Preferences.scores(scores.clone(), 3) else { panic!() };
        for (found, expected) in found.iter().zip([0.25, 0.0, 0.75, 0.0, 1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
        }
        let Scores::Values(values) = ScoreKind::Values.scores(scores.clone(), 3) else { panic!() };
        assert_eq!(values[4], 900.0);
    }
}
