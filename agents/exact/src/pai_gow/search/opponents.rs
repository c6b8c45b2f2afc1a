//! Searches against several opponents, minimizing either the mean or the greatest loss.

use super::beam::{Found, Search, SearchState};
use super::limits::Limits;
use super::list::FoundRule;
use super::space::Space;
use crate::solver::Cancelled;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

houseway_env::named_enum! {
    /// The objective of a search against several opponents.
    #[derive(Default)]
    pub enum Objective: kebab_case {
        /// The mean loss.
        #[default]
        Mean,
        /// The greatest loss.
        Worst,
    }
}

/// A search against several opponents.
///
/// To minimize the greatest loss, the search runs in rounds. Each round minimizes a weighted mean, and then every
/// opponent's weight is multiplied by the loss against it (multiplicative weights, Freund and Schapire 1999). The
/// result is the best list from all rounds.
pub struct OpponentSearch<'a> {
    spaces: &'a [Space],
    objective: Objective,
    limits: Limits,
}

/// An [`OpponentSearch`]'s state, which can be serialized so that the search can be continued later.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpponentState {
    /// The number of completed rounds.
    pub rounds: usize,
    /// The opponents' weights in this round. Empty before the first round.
    pub weights: Vec<i64>,
    /// The best list for each number of rules, starting at one. `None` if no list has few enough words.
    pub best: Vec<Option<Vec<FoundRule>>>,
    /// The state of the search in this round.
    pub search: SearchState,
}

/// The number of rounds when minimizing the greatest loss.
const ROUNDS: usize = 6;
/// The sum of the weights, up to rounding.
const WEIGHT: i64 = 1_000_000;

impl<'a> OpponentSearch<'a> {
    /// Creates a search.
    ///
    /// # Panics
    /// Panics if there are no opponents.
    pub fn new(spaces: &'a [Space], objective: Objective, limits: Limits) -> OpponentSearch<'a> {
        assert!(!spaces.is_empty(), "there must be at least one opponent");
        OpponentSearch { spaces, objective, limits }
    }

    /// Returns the number of rounds.
    pub fn rounds(&self) -> usize {
        if self.objective == Objective::Mean || self.spaces.len() == 1 { 1 } else { ROUNDS }
    }

    /// Returns a list's loss against each opponent relative to the best response, in units of loss.
    pub fn losses(&self, list: &[FoundRule]) -> Vec<i64> {
        let loss = |space: &Space| Search::new(space, self.limits).evaluate(list.to_vec()).loss + space.within_profiles;
        self.spaces.iter().map(loss).collect()
    }

    /// Returns the mean or the greatest loss of a list, depending on the objective.
    pub fn loss(&self, list: &[FoundRule]) -> i64 {
        self.objective_of(&self.losses(list))
    }

    /// Returns a lower bound on the objective of any list. To reach it, a list would have to use the best play for
    /// every group of hands.
    pub fn floor(&self) -> i64 {
        self.objective_of(&self.spaces.iter().map(Space::floor).collect::<Vec<i64>>())
    }

    fn objective_of(&self, losses: &[i64]) -> i64 {
        match self.objective {
            Objective::Mean => losses.iter().sum::<i64>() / losses.len() as i64,
            Objective::Worst => losses.iter().copied().max().expect("there is at least one opponent"),
        }
    }

    fn value(&self, list: &[FoundRule]) -> i64 {
        self.loss(list) + self.limits.price_of(list, &self.spaces[0])
    }

    /// Returns the space for the mean with equal weights.
    pub fn mean(&self) -> Space {
        Space::mean(self.spaces, &vec![1; self.spaces.len()])
    }

    /// Returns lower bounds on the objective of lists with 1 to `max` rules. See [`Space::bounds_by_rules`]. The
    /// greatest loss is at least as high as any weighted mean, so bounds on the mean are also bounds on it.
    pub fn bounds(&self, state: &OpponentState, max: usize) -> Vec<i64> {
        let equal = self.mean().bounds_by_rules(max);
        if self.rounds() == 1 {
            return equal;
        }
        let weighted = Space::mean(self.spaces, &state.weights).bounds_by_rules(max);
        equal.into_iter().zip(weighted).map(|(a, b)| a.max(b)).collect()
    }

    /// Continues a search for lists of up to `max` rules. After each step, `step` is called with the state, the number
    /// of completed steps and the total.
    ///
    /// # Errors
    /// Returns an error if the search is cancelled or if `step` fails.
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

    /// Multiplies each opponent's weight by the loss of the round's best lists against that opponent, relative to the
    /// mean loss.
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
