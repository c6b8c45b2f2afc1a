//! Holds the solver's state between rounds, and reads and writes it.

use super::{Algorithm, SIDES, UNITS, actions_of_sets};
use crate::solver::{SolverError, invalid};
use std::ops::Range;

/// A solver's state after a number of complete rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverState {
    /// The number of completed rounds.
    pub(super) round: u32,
    /// The total weight of the rounds in the averages.
    pub(super) weight: u64,
    pub(super) sides: [SideState; 2],
}

/// One side's state, with a number per action in each vector.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SideState {
    /// The cumulative regrets for regret matching.
    pub(super) regrets: Vec<f64>,
    /// The predicted regrets for the next round. Zero for algorithms without predictions.
    pub(super) predictions: Vec<f64>,
    /// The weighted sums of the actions' values, i.e. their values against the other side's average.
    pub(super) sums: Vec<f64>,
    /// The weighted units that are missing from the average due to rounding.
    pub(super) lags: Vec<f32>,
    /// The weighted sums of the played mixtures.
    pub(super) average: Vec<u32>,
    /// The mixture to play next, in units of 1/[`UNITS`].
    pub(super) played: Vec<u8>,
}

/// The stored size of an action's state in bytes.
const ACTION: usize = 3 * 8 + 4 + 4 + 1;
/// The number of bytes that store the round count and the total weight.
const HEAD: usize = 4 + 8;

impl SolverState {
    pub(super) fn new(starts: [&[u32]; 2]) -> SolverState {
        SolverState { round: 0, weight: 0, sides: starts.map(SideState::new) }
    }

    /// Returns the number of completed rounds.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Returns a side's average mixture in units of 1/`whole`. Rounding drops actions that were rarely played.
    /// Information sets without an average use the mixture that they would play next.
    pub fn average(&self, side: usize, starts: &[u32], whole: u16) -> Vec<u16> {
        let state = &self.sides[side];
        let mut average = vec![0; state.average.len()];
        let (mut shares, mut rounded) = (vec![], vec![]);
        for actions in actions_of_sets(starts) {
            shares.clear();
            match state.average[actions.clone()].iter().any(|&weight| weight > 0) {
                true => shares.extend(state.average[actions.clone()].iter().map(|&weight| f64::from(weight))),
                false => shares.extend(state.played[actions.clone()].iter().map(|&units| f64::from(units))),
            }
            let sum: f64 = shares.iter().sum();
            shares.iter_mut().for_each(|share| *share *= f64::from(whole) / sum);
            round(&shares, whole.into(), &mut rounded);
            average[actions].iter_mut().zip(&rounded).for_each(|(weight, &units)| *weight = units as u16);
        }
        average
    }

    /// Returns a state with the same rounds for a game that tells more hands apart. `parents` holds the information set
    /// that each new one was part of. The new ones have the average strategies of their parents, and parts of their
    /// regrets in proportion to `probabilities`.
    pub(super) fn refined(
        &self,
        from: [&[u32]; 2],
        parents: [&[u32]; 2],
        to: [&[u32]; 2],
        probabilities: [&[f64]; 2],
    ) -> SolverState {
        let mut refined = SolverState { round: self.round, weight: self.weight, ..SolverState::new(to) };
        for side in SIDES {
            let (own, state) = (&self.sides[side], &mut refined.sides[side]);
            let mut of_parent = vec![0.0; from[side].len() - 1];
            let sets = || parents[side].iter().zip(probabilities[side]);
            sets().for_each(|(&parent, probability)| of_parent[parent as usize] += probability);
            for (actions, (&parent, probability)) in actions_of_sets(to[side]).zip(sets()) {
                let parent = parent as usize;
                let before = from[side][parent] as usize..from[side][parent + 1] as usize;
                let part = probability / of_parent[parent];
                state.average[actions.clone()].copy_from_slice(&own.average[before.clone()]);
                for (action, before) in actions.zip(before) {
                    state.regrets[action] = part * own.regrets[before];
                    state.predictions[action] = part * own.predictions[before];
                }
            }
        }
        refined
    }

    /// Encodes the state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.round.to_le_bytes());
        bytes.extend(self.weight.to_le_bytes());
        for side in &self.sides {
            side.numbers().for_each(|number| bytes.extend(number.to_le_bytes()));
            side.lags.iter().for_each(|lag| bytes.extend(lag.to_le_bytes()));
            side.average.iter().for_each(|weight| bytes.extend(weight.to_le_bytes()));
            bytes.extend(&side.played);
        }
        bytes
    }

    /// Decodes the state of a game with the given information sets.
    ///
    /// # Errors
    /// Returns an error if the bytes aren't a valid state for such a game.
    pub fn from_bytes(bytes: &[u8], starts: [&[u32]; 2]) -> Result<SolverState, SolverError> {
        let mut state = SolverState::new(starts);
        let actions: usize = state.sides.iter().map(|side| side.played.len()).sum();
        let expected = HEAD + ACTION * actions;
        if bytes.len() != expected {
            let found = bytes.len();
            return Err(invalid!("invalid solver state: expected {expected} bytes, found {found}"));
        }
        let mut rest = bytes;
        state.round = u32::from_le_bytes(take(&mut rest));
        state.weight = u64::from_le_bytes(take(&mut rest));
        for side in &mut state.sides {
            let numbers = side.regrets.iter_mut().chain(&mut side.predictions).chain(&mut side.sums);
            numbers.for_each(|to| *to = f64::from_le_bytes(take(&mut rest)));
            side.lags.iter_mut().for_each(|to| *to = f32::from_le_bytes(take(&mut rest)));
            side.average.iter_mut().for_each(|to| *to = u32::from_le_bytes(take(&mut rest)));
            side.played.iter_mut().for_each(|to| [*to] = take(&mut rest));
        }
        let is_valid = SIDES.into_iter().all(|side| state.sides[side].is_valid(starts[side]));
        match is_valid {
            true => Ok(state),
            false => Err(SolverError::invalid("invalid solver state: inconsistent or non-finite numbers")),
        }
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (first, rest) = bytes.split_first_chunk().expect("the length was checked");
    *bytes = rest;
    *first
}

impl SideState {
    fn new(starts: &[u32]) -> SideState {
        let actions = *starts.last().expect("there is a last index") as usize;
        let mut state = SideState {
            regrets: vec![0.0; actions],
            predictions: vec![0.0; actions],
            sums: vec![0.0; actions],
            lags: vec![0.0; actions],
            average: vec![0; actions],
            played: vec![0; actions],
        };
        // Start with a pure strategy. A pass against it is fast, unlike a pass against a mixture of all actions.
        starts.windows(2).for_each(|set| state.played[(set[0] + set[1]) as usize / 2] = UNITS);
        state
    }

    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.regrets.iter().chain(&self.predictions).chain(&self.sums).copied()
    }

    fn is_valid(&self, starts: &[u32]) -> bool {
        let whole = |actions: Range<usize>| {
            self.played[actions].iter().map(|&units| u32::from(units)).sum::<u32>() == u32::from(UNITS)
        };
        self.numbers().all(f64::is_finite)
            && self.lags.iter().all(|it| it.is_finite())
            && actions_of_sets(starts).all(whole)
    }

    /// Resets the averages. The lags of the mixture to play next are kept, since they are at most one unit.
    pub(super) fn forget_rounds(&mut self) {
        self.sums.fill(0.0);
        self.average.fill(0);
    }

    /// Adds the played mixture to the average.
    pub(super) fn add_played(&mut self, weight: u32) {
        let played = self.average.iter_mut().zip(&self.played);
        played.for_each(|(sum, &units)| *sum += weight * u32::from(units));
    }

    /// Returns the total over all information sets of the highest weighted sum.
    pub(super) fn best_sum(&self, starts: &[u32]) -> f64 {
        let best = |actions: Range<usize>| self.sums[actions].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        actions_of_sets(starts).map(best).sum()
    }

    /// Returns the total of the weighted sums, weighted with the own average.
    pub(super) fn own_sum(&self) -> f64 {
        self.average.iter().zip(&self.sums).map(|(&weight, sum)| f64::from(weight) * sum).sum()
    }

    /// Plays the best response to the other side's average.
    pub(super) fn play_best(&mut self, starts: &[u32]) {
        let best = |actions: Range<usize>| {
            // The search is reversed because `max_by` returns the last of several equal actions.
            let best = actions.rev().max_by(|&a, &b| self.sums[a].total_cmp(&self.sums[b]));
            best.expect("every hand has a legal setting") as u32
        };
        let actions: Vec<u32> = actions_of_sets(starts).map(best).collect();
        self.play(starts, &actions);
    }

    /// Plays the given action in each information set.
    pub(super) fn play(&mut self, starts: &[u32], actions: &[u32]) {
        assert_eq!(actions.len() + 1, starts.len(), "a response has one action for each information set");
        self.played.fill(0);
        for (set, &action) in actions_of_sets(starts).zip(actions) {
            assert!(set.contains(&(action as usize)), "action {action} belongs to another information set");
            self.played[action as usize] = UNITS;
        }
    }

    /// Updates the regrets after a round in which the mixture given by the previous regrets was played.
    pub(super) fn add_regrets(&mut self, starts: &[u32], values: &[f64], algorithm: Algorithm, weight: u32) {
        let mut mixture = vec![];
        for actions in actions_of_sets(starts) {
            self.mix(actions.clone(), &mut mixture);
            let mean: f64 = values[actions.clone()].iter().zip(&mixture).map(|(value, share)| value * share).sum();
            for action in actions {
                let (sum, predicted) = (&mut self.regrets[action], &mut self.predictions[action]);
                algorithm.update(sum, predicted, values[action] - mean, weight);
            }
        }
    }

    /// Adds the regrets that the information sets would have had in the rounds so far, beyond their parts of their
    /// parents' regrets. `values` are the actions' values against the other side's average, whose rounds have the total
    /// weight `weight`.
    pub(super) fn add_refined_regrets(
        &mut self,
        starts: &[u32],
        parents: &[u32],
        probabilities: &[f64],
        values: &[f64],
        weight: f64,
    ) {
        let sets = || actions_of_sets(starts).zip(parents).zip(probabilities);
        let count = parents.iter().map(|&parent| parent as usize + 1).max().unwrap_or_default();
        // The parents' values and probabilities are the sums over their parts.
        let mut of_parent: Vec<(f64, Vec<f64>)> = vec![(0.0, vec![]); count];
        for ((actions, &parent), probability) in sets() {
            let (sum, all) = &mut of_parent[parent as usize];
            let own = &values[actions];
            all.resize(own.len(), 0.0);
            *sum += probability;
            all.iter_mut().zip(own).for_each(|(all, own)| *all += own);
        }
        for ((actions, &parent), probability) in sets() {
            let (sum, all) = &of_parent[parent as usize];
            let played: f64 = self.average[actions.clone()].iter().map(|&weight| f64::from(weight)).sum();
            let differences = values[actions.clone()].iter().zip(all).map(|(own, all)| own - probability / sum * all);
            let own = self.average[actions.clone()].iter().map(|&weight| f64::from(weight) / played.max(1.0));
            let mean: f64 = differences.clone().zip(own).map(|(difference, share)| difference * share).sum();
            let regrets = self.regrets[actions].iter_mut().zip(differences);
            regrets.for_each(|(regret, difference)| *regret += weight * (difference - mean));
        }
    }

    /// Plays each action in proportion to its positive regret, including the predicted one, or all actions equally if
    /// no regret is positive. `weight` is the weight that the mixture will have in the average.
    pub(super) fn play_regrets(&mut self, starts: &[u32], weight: u32) {
        let (mut mixture, mut rounded) = (vec![], vec![]);
        for actions in actions_of_sets(starts) {
            self.mix(actions.clone(), &mut mixture);
            let weight = weight as f32;
            for (share, lag) in mixture.iter_mut().zip(&mut self.lags[actions.clone()]) {
                *lag += weight * (*share * f64::from(UNITS)) as f32;
                // Skip an action that has been played too often.
                *share = f64::from(*lag / weight).max(0.0);
            }
            let sum: f64 = mixture.iter().sum();
            mixture.iter_mut().for_each(|share| *share *= f64::from(UNITS) / sum);
            round(&mixture, UNITS.into(), &mut rounded);
            for (action, &units) in actions.zip(&rounded) {
                self.played[action] = units as u8;
                self.lags[action] -= weight * units as f32;
            }
        }
    }

    /// Writes the regret-matching mixture for the given actions to `mixture`.
    fn mix(&self, actions: Range<usize>, mixture: &mut Vec<f64>) {
        mixture.clear();
        let predicted = self.regrets[actions.clone()].iter().zip(&self.predictions[actions]);
        mixture.extend(predicted.map(|(regret, prediction)| (regret + prediction).max(0.0)));
        let sum: f64 = mixture.iter().sum();
        let even = 1.0 / mixture.len() as f64;
        mixture.iter_mut().for_each(|share| *share = if sum > 0.0 { *share / sum } else { even });
    }
}

/// Rounds shares that add up to `whole` to integers with the same sum, by rounding up the largest remainders.
fn round(shares: &[f64], whole: u32, rounded: &mut Vec<u32>) {
    rounded.clear();
    rounded.extend(shares.iter().map(|&share| share as u32));
    let missing = whole.saturating_sub(rounded.iter().sum());
    for _ in 0..missing {
        let rest = |i: usize| shares[i] - f64::from(rounded[i]);
        let most = (0..shares.len()).rev().max_by(|&a, &b| rest(a).total_cmp(&rest(b))).expect("there is an action");
        rounded[most] += 1;
    }
}
