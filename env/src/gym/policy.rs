//! Policies that choose actions for batches of observations, and the exact values of decisions that they are compared
//! with and learn from.

use super::EnvError;
use ndarray::ArrayViewMut2;

/// A policy for a game with a fixed set of actions. Trained networks implement this trait, and exact evaluation uses
/// it. They only need to agree on the name of the observation encoding.
pub trait Policy: Sync {
    /// Returns the policy's name for tables and plots.
    fn name(&self) -> &str;

    /// Returns the name of the observation encoding that the policy expects, as used in environment configurations.
    fn encoding(&self) -> &str;

    /// Chooses a legal action for each row of a batch. Also returns the scores of all actions, if the policy has any.
    ///
    /// `observations` and `masks` contain one observation and one action mask per row, stored contiguously.
    fn choose(&self, observations: &[f32], masks: &[bool]) -> Choices;
}

/// A policy given by a function of the observations and masks, such as a rule of thumb to compare with trained
/// networks. The function returns one action per row, or [`Choices`].
///
/// ```
/// use houseway_env::gym::{FnPolicy, Policy};
///
/// let first = FnPolicy::new("first legal", "features", |_, masks| {
///     masks.chunks(3).map(|mask| mask.iter().position(|&legal| legal).unwrap()).collect::<Vec<usize>>()
/// });
/// assert_eq!(first.choose(&[], &[false, true, true, true, false, true]).actions, [1, 0]);
/// ```
pub struct FnPolicy<F> {
    name: &'static str,
    encoding: &'static str,
    choose: F,
}

impl<C: Into<Choices>, F: Fn(&[f32], &[bool]) -> C + Sync> FnPolicy<F> {
    /// Returns a policy for observations with the given encoding.
    pub fn new(name: &'static str, encoding: &'static str, choose: F) -> FnPolicy<F> {
        FnPolicy { name, encoding, choose }
    }
}

impl<C: Into<Choices>, F: Fn(&[f32], &[bool]) -> C + Sync> Policy for FnPolicy<F> {
    fn name(&self) -> &str {
        self.name
    }

    fn encoding(&self) -> &str {
        self.encoding
    }

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Choices {
        (self.choose)(observations, masks).into()
    }
}

/// The actions that a policy chooses and the scores of all actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    /// One legal action per row.
    pub actions: Vec<usize>,
    /// The scores of all actions.
    pub scores: Scores,
}

impl From<Vec<usize>> for Choices {
    fn from(actions: Vec<usize>) -> Choices {
        Choices { actions, scores: Scores::None }
    }
}

/// A policy's scores, stored contiguously with shape (rows, actions).
#[derive(Clone, Debug, PartialEq)]
pub enum Scores {
    /// No scores.
    None,
    /// The values that the policy assigns to actions, in units of the reward. Only differences within a row are
    /// meaningful. The value is NaN for actions that the policy doesn't consider.
    Values(Vec<f32>),
    /// The probabilities with which a stochastic policy takes each action. They are 0 for illegal actions and add up to
    /// 1 in each row, apart from rounding errors.
    Probabilities(Vec<f32>),
}

/// The denominator of the probabilities returned by [`exact_probabilities`].
pub const PROBABILITY_UNIT: u32 = 1 << 20;

/// Rounds a row of probabilities to multiples of 1 / [`PROBABILITY_UNIT`] that add up to 1, so that the EV of a
/// stochastic policy can be computed exactly. The row is first divided by its sum. After that, the error of a
/// probability is less than the number of actions divided by [`PROBABILITY_UNIT`].
///
/// # Errors
/// Returns a message if the lengths differ, if a probability is negative or not finite, if an action outside of the mask
/// has a positive probability, or if the sum differs from 1 by more than 0.001.
pub fn exact_probabilities(row: &[f32], mask: &[bool]) -> Result<Vec<u32>, String> {
    if row.len() != mask.len() {
        return Err(format!("there are {} probabilities for {} actions", row.len(), mask.len()));
    }
    if let Some(action) = (0..row.len()).find(|&action| !(0.0..=1.001).contains(&row[action])) {
        return Err(format!("the probability {} of action {action} isn't between 0 and 1", row[action]));
    }
    if let Some(action) = (0..row.len()).find(|&action| row[action] > 0.0 && !mask[action]) {
        return Err(format!("action {action} has a positive probability, but isn't legal"));
    }
    let sum: f64 = row.iter().copied().map(f64::from).sum();
    if (sum - 1.0).abs() > 1e-3 {
        return Err(format!("the probabilities add up to {sum} instead of 1"));
    }
    let unit = f64::from(PROBABILITY_UNIT);
    let mut rounded: Vec<u32> = row.iter().map(|&p| (f64::from(p) / sum * unit).floor() as u32).collect();
    let missing = PROBABILITY_UNIT - rounded.iter().sum::<u32>();
    // The first of the most probable actions gets what rounding down has left over.
    let most = (0..row.len()).reduce(|best, action| if row[action] > row[best] { action } else { best });
    rounded[most.ok_or("there are no actions")?] += missing;
    Ok(rounded)
}

/// All decisions of a game that a policy can tell apart, with the exact EVs of their actions.
///
/// Solvers implement this trait, and training methods use it. Like a [`Policy`](super::Policy), they only need to agree
/// on the name of the observation encoding.
pub trait ExactValues: Send + Sync {
    /// Returns the name of the encoding of the observations.
    fn encoding(&self) -> &str;

    /// Returns the lengths of an observation and of an action mask.
    fn shape(&self) -> [usize; 2];

    /// Returns the number of decisions. There is at least one.
    fn decisions(&self) -> usize;

    /// Returns the number of hands that lead to a decision.
    ///
    /// # Panics
    /// Panics if there is no such decision.
    fn hands(&self, decision: usize) -> u64;

    /// Writes a decision's observation and action mask, and the EV of each legal action per unit staked. EVs of illegal
    /// actions are set to 0.
    ///
    /// # Errors
    /// Returns [`EnvError::Length`] if a slice has the wrong length.
    ///
    /// # Panics
    /// Panics if there is no such decision.
    fn write(
        &self,
        decision: usize,
        observation: &mut [f32],
        mask: &mut [bool],
        evs: &mut [f32],
    ) -> Result<(), EnvError>;
}

impl dyn ExactValues {
    /// Writes consecutive decisions starting with `first`, one to each row of the arrays. The observations have the shape
    /// `[decisions, observation length]`, and the masks and the EVs per unit staked `[decisions, actions]`.
    ///
    /// # Errors
    /// Returns [`EnvError::Length`] if the arrays have different numbers of rows, if there are fewer decisions, or if a
    /// row has the wrong length or isn't contiguous.
    pub fn write_rows(
        &self,
        first: usize,
        mut observations: ArrayViewMut2<'_, f32>,
        mut masks: ArrayViewMut2<'_, bool>,
        mut evs: ArrayViewMut2<'_, f32>,
    ) -> Result<(), EnvError> {
        let count = observations.nrows();
        EnvError::check_length("the rows of the masks", masks.nrows(), count)?;
        EnvError::check_length("the rows of the EVs", evs.nrows(), count)?;
        let left = self.decisions().saturating_sub(first);
        EnvError::check_length("the rows of the observations", count, count.min(left))?;
        let rows = observations.rows_mut().into_iter().zip(masks.rows_mut()).zip(evs.rows_mut());
        for (decision, ((mut observation, mut mask), mut evs)) in (first..).zip(rows) {
            let observation = observation.as_slice_mut().unwrap_or_default();
            let mask = mask.as_slice_mut().unwrap_or_default();
            self.write(decision, observation, mask, evs.as_slice_mut().unwrap_or_default())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn invalid_probabilities_are_rejected() {
        let error = |row: &[f32], mask: &[bool]| exact_probabilities(row, mask).unwrap_err();
        assert!(error(&[-0.1, 1.1], &[true, true]).contains("-0.1 of action 0"));
        assert!(error(&[f32::NAN, 1.0], &[true, true]).contains("NaN of action 0"));
        assert!(error(&[0.5, 0.5], &[true, false]).contains("action 1 has a positive probability"));
        assert!(error(&[0.5, 0.4], &[true, true]).contains("add up to 0.9"));
        assert!(exact_probabilities(&[], &[]).is_err());
        assert!(error(&[0.5, 0.5], &[true]).contains("2 probabilities for 1 actions"));
    }

    proptest! {
        #[test]
        fn rounded_probabilities_add_up_and_are_close(weights in prop::collection::vec(0.0f32..1.0, 1..22)) {
            let sum: f32 = weights.iter().sum();
            prop_assume!(sum > 0.0);
            let row: Vec<f32> = weights.iter().map(|weight| weight / sum).collect();
            let rounded = exact_probabilities(&row, &vec![true; row.len()]).unwrap();
            prop_assert_eq!(rounded.iter().sum::<u32>(), PROBABILITY_UNIT);
            for (&rounded, p) in rounded.iter().zip(row) {
                let error = f64::from(rounded) / f64::from(PROBABILITY_UNIT) - f64::from(p);
                prop_assert!(error.abs() < 23.0 / f64::from(PROBABILITY_UNIT));
            }
        }
    }
}
