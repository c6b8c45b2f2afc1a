//! Lists against several opponents: the least mean or the least greatest loss.

use super::beam::{Found, Search, SearchState};
use super::limits::Limits;
use super::list::FoundRule;
use super::space::Space;
use crate::solver::Cancelled;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

houseway_env::named_enum! {
    /// Objective against several opponents.
    #[derive(Default)]
    pub enum Objective: kebab_case {
        /// Mean of the losses.
        #[default]
        Mean,
        /// Greatest of the losses.
        Worst,
    }
}

/// A search against several opponents.
///
/// The greatest loss is minimized by rounds of searches for a weighted mean, in which the weight of each
/// opponent is multiplied by the loss against it (multiplicative weights; Freund and Schapire 1999). The best list of every
/// round counts.
pub struct OpponentSearch<'a> {
    spaces: &'a [Space],
    objective: Objective,
    limits: Limits,
}

/// State of such a search, from which it can be continued.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpponentState {
    /// Number of rounds that are done.
    pub rounds: usize,
    /// Weights of the opponents in this round; empty before the first one.
    pub weights: Vec<i64>,
    /// The best lists, by number of rules from one; `None` without a list of few enough words.
    pub best: Vec<Option<Vec<FoundRule>>>,
    /// The search of this round.
    pub search: SearchState,
}

/// Number of rounds for the greatest loss.
const ROUNDS: usize = 6;
/// Sum of the weights, up to rounding.
const WEIGHT: i64 = 1_000_000;

impl<'a> OpponentSearch<'a> {
    /// Prepares the search.
    ///
    /// # Panics
    /// If there are no opponents.
    pub fn new(spaces: &'a [Space], objective: Objective, limits: Limits) -> OpponentSearch<'a> {
        assert!(!spaces.is_empty(), "at least one opponent");
        OpponentSearch { spaces, objective, limits }
    }

    /// Number of searches.
    pub fn rounds(&self) -> usize {
        if self.objective == Objective::Mean || self.spaces.len() == 1 { 1 } else { ROUNDS }
    }

    /// Returns the losses of a list by opponent, in units of loss, compared with the best response.
    pub fn losses(&self, list: &[FoundRule]) -> Vec<i64> {
        let loss = |space: &Space| Search::new(space, self.limits).evaluate(list.to_vec()).loss + space.within_profiles;
        self.spaces.iter().map(loss).collect()
    }

    /// Returns the mean or the greatest loss of a list.
    pub fn loss(&self, list: &[FoundRule]) -> i64 {
        self.objective_of(&self.losses(list))
    }

    /// Returns a bound on the objective of all lists: the loss of the best play for each group of hands.
    pub fn floor(&self) -> i64 {
        self.objective_of(&self.spaces.iter().map(Space::floor).collect::<Vec<i64>>())
    }

    fn objective_of(&self, losses: &[i64]) -> i64 {
        match self.objective {
            Objective::Mean => losses.iter().sum::<i64>() / losses.len() as i64,
            Objective::Worst => losses.iter().copied().max().expect("an opponent"),
        }
    }

    fn value(&self, list: &[FoundRule]) -> i64 {
        self.loss(list) + self.limits.price_of(list, &self.spaces[0])
    }

    /// Returns the space of the mean with equal weights.
    pub fn mean(&self) -> Space {
        Space::mean(self.spaces, &vec![1; self.spaces.len()])
    }

    /// Returns bounds for lists of 1 to `max` rules, see [`Space::bounds_by_rules`]: the greatest loss is no less than any
    /// mean.
    pub fn bounds(&self, state: &OpponentState, max: usize) -> Vec<i64> {
        let equal = self.mean().bounds_by_rules(max);
        if self.rounds() == 1 {
            return equal;
        }
        let weighted = Space::mean(self.spaces, &state.weights).bounds_by_rules(max);
        equal.into_iter().zip(weighted).map(|(a, b)| a.max(b)).collect()
    }

    /// Continues a search for lists of up to `max` rules. `step` is called after each of its steps with the state, the number
    /// of steps done and their total.
    ///
    /// # Errors
    /// If it was cancelled, or if the state could not be kept.
    pub fn run<E: From<Cancelled>>(
        &self,
        state: &mut OpponentState,
        max: usize,
        cancel: Option<&AtomicBool>,
        mut step: impl FnMut(&OpponentState, usize, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        if state.weights.is_empty() {
            state.weights = vec![WEIGHT / self.spaces.len() as i64; self.spaces.len()];
        }
        while state.rounds < self.rounds() {
            let space = Space::mean(self.spaces, &state.weights);
            let search = Search::new(&space, self.limits);
            let search = match cancel {
                Some(cancel) => search.with_cancel(cancel),
                None => search,
            };
            let mut own = state.search.clone();
            search.run(&mut own, max, |search, _, steps| {
                state.search = search.clone();
                step(state, state.rounds * steps + search.steps, self.rounds() * steps)
            })?;
            let shown = |level: &Vec<Found>| {
                let lists = level.par_iter().map(|found| search.simplified(found));
                lists.filter(|found| search.is_short(&found.rules)).collect()
            };
            let lists: Vec<Vec<Found>> = own.levels.iter().map(shown).collect();
            self.keep_best(state, &lists);
            state.rounds += 1;
            if state.rounds < self.rounds() {
                state.search = SearchState::default();
                state.weights = self.next_weights(&state.weights, &lists);
            }
        }
        Ok(())
    }

    fn keep_best(&self, state: &mut OpponentState, lists: &[Vec<Found>]) {
        state.best.resize(state.best.len().max(lists.len()), None);
        for (best, level) in state.best.iter_mut().zip(lists) {
            let all = best.take().into_iter().chain(level.iter().map(|found| found.rules.clone()));
            *best = all.min_by_key(|rules| self.value(rules));
        }
    }

    /// Multiplies each weight by the loss against its opponent, relative to the mean loss, of the best lists of a round.
    fn next_weights(&self, weights: &[i64], lists: &[Vec<Found>]) -> Vec<i64> {
        let mut relative = vec![0i128; weights.len()];
        for found in lists.iter().filter_map(|level| level.first()) {
            let losses = self.losses(&found.rules);
            let sum = losses.iter().sum::<i64>().max(1);
            for (relative, loss) in relative.iter_mut().zip(losses) {
                *relative += i128::from(loss) * i128::from(WEIGHT) / i128::from(sum);
            }
        }
        let grown: Vec<i128> = weights.iter().zip(&relative).map(|(&weight, loss)| i128::from(weight) * loss).collect();
        let sum = grown.iter().sum::<i128>().max(1);
        grown.into_iter().map(|weight| (weight * i128::from(WEIGHT) / sum).max(1) as i64).collect()
    }
}
