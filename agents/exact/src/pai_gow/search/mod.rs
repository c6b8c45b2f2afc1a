//! A search for short house ways, i.e. rule lists with a high EV for their length.
//!
//! - [`SettingGains`] contains the EVs of all [`Actions`] for every profile, computed in one pass over all deals.
//! - [`Choices`] contains the setting that every play in the vocabulary chooses for every profile, and the groups of
//!   hands that no rule can tell apart.
//! - [`Space`] contains the loss of every play on every group.
//! - [`Search`] is a beam search. A rule is a play together with ranges of ranks for some shapes. For a play at a given
//!   place in a list, the best ranges are found exactly, by summing over all boxes. Lists grow by insertion, every rule
//!   is refitted after each insertion, and longer lists are then shortened.
//! - [`OpponentSearch`] extends the search to several opponents and minimizes the mean or the greatest loss.
//! - [`PricedRule`] is a rule in the house way language, with the price for removing it and for moving its limits.
//! - [`ChangedSheet`] is a given sheet with the best changes to single rules.
//!
//! A [`Problem`] defines what to search for. Its methods make the passes over all deals and write and verify the results,
//! a [`FoundList`] or [`Changes`].
//!
//! A loss is measured relative to the best setting for each profile. Losses are sums over hands in millionths of a
//! stake, rounded per profile, and [`loss`] converts them to fractions of the stake. The search also evaluates the
//! house ways it writes to confirm its predictions.

mod beam;
mod choices;
mod finish;
mod list;
mod results;
mod sentence;
mod space;
#[cfg(test)]
mod tests;
mod vocabulary;

use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::equilibrium::Actions;
use crate::pai_gow::matchup::BankedBy;
use crate::pai_gow::outcomes::{HANDS, Payoff, Side};
use crate::pai_gow::whole::{self, Pass, Run};
use crate::ratio::Ratio;
use crate::solver::{Cancelled, Control};
pub use beam::{Found, Search};
pub use choices::{Choices, SettingGains};
pub use finish::{ChangedSheet, Limit, PricedRule};
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Strategy as _};
pub use list::{FoundRule, Limits, Word};
use rayon::prelude::*;
pub use results::{Change, ChangeKind, ChangedWay, Changes, FoundList};
use serde::{Deserialize, Serialize};
pub use space::Space;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
pub use vocabulary::Play;

/// Converts a loss to a fraction of the stake.
pub fn loss(units: i64) -> f64 {
    units as f64 / HANDS as f64 / f64::from(Rate::WHOLE)
}

/// Converts a fraction of the stake to a loss.
pub fn units(fraction: f64) -> i64 {
    (fraction * HANDS as f64 * f64::from(Rate::WHOLE)).round() as i64
}

/// The price of a bound, as a fraction of the stake. It discourages limits that make almost no difference.
const BOUND_PRICE: f64 = 1e-6;
/// The number of single-shape insertions from which rules are built.
const SEEDS: usize = 60;
/// The number of insertions tried for each list.
const BRANCHES: usize = 10;

/// A search problem.
pub struct Problem {
    /// The game.
    pub game: Game,
    /// The side whose hands the lists set. The house banks.
    pub side: Side,
    /// The other side's house ways.
    pub opponents: Vec<Arc<HouseWay>>,
    /// The objective if there are several opponents.
    pub objective: Objective,
    /// The maximum number of bounds in a list, or `None` for no limit.
    pub bounds: Option<usize>,
    /// The maximum mean number of words per rule.
    pub words_per_rule: usize,
    /// The words of the house way language that the rules may use.
    pub words: Vec<Word>,
    /// The number of lists to keep per number of rules.
    pub width: usize,
}

/// The EVs of several strategies against each opponent.
pub struct Evs {
    /// The EV of the best response to each opponent.
    pub best: Vec<Ratio>,
    /// The EVs, indexed by strategy and opponent.
    pub of: Vec<Vec<Ratio>>,
}

impl Problem {
    /// Returns the payoff for the side.
    pub fn payoff(&self) -> Payoff {
        BankedBy::House.payoff_of(self.side, &self.game.rules())
    }

    /// Returns the names of the opponents, followed by the objective if there are several.
    pub fn against(&self) -> String {
        let names: Vec<&str> = self.opponents.iter().map(|way| way.name()).collect();
        let objective = match self.objective {
            Objective::Mean => "mean",
            Objective::Worst => "greatest",
        };
        match &names[..] {
            [rest @ .., last] if !rest.is_empty() => {
                format!("{} and {last} ({objective} loss)", rest.join(", "))
            }
            _ => names.concat(),
        }
    }

    /// Returns the limits of the search.
    pub fn limits(&self) -> Limits {
        Limits {
            bounds: self.bounds.unwrap_or(usize::MAX),
            bound_price: units(BOUND_PRICE),
            words: self.words_per_rule,
            width: self.width,
            seeds: SEEDS,
            branches: BRANCHES,
        }
    }

    /// Computes the losses of all plays against each opponent, with one pass per opponent. A sheet's rules are treated
    /// as additional plays.
    ///
    /// # Errors
    /// Returns an error if the computation is canceled.
    pub fn spaces(&self, sheet: Option<&Way>, control: &Control<'_>) -> Result<Vec<Space>, Cancelled> {
        let actions = Actions::with_dominated(&self.game);
        control.check()?;
        let choices = Arc::new(Choices::new(&self.game, &actions, &self.words, sheet, control)?);
        control.check()?;
        let space = |opponent: &Arc<HouseWay>| {
            let whole = Pass::new(&self.game, self.side, &BankerTable::new(&**opponent));
            let label = format!("all settings against {}", opponent.name());
            let payoff = self.payoff();
            let gains = Run::with(control, &label, |run| SettingGains::compute(&whole, payoff, &actions, run))?;
            Ok(Space::new(&choices, &actions, &gains))
        };
        self.opponents.iter().map(space).collect()
    }

    /// Evaluates strategies and the best response over all deals, with one pass per opponent.
    ///
    /// # Errors
    /// Returns an error if the evaluation is canceled.
    pub fn evaluate(&self, tables: &[&BankerTable], control: &Control<'_>) -> Result<Evs, Cancelled> {
        let payoff = self.payoff();
        let tables_played = tables.iter().map(|&table| whole::Play::Profiles(table));
        let plays: Vec<whole::Play<'_>> = std::iter::once(whole::Play::Best(payoff)).chain(tables_played).collect();
        let mut evs = Evs { best: Vec::new(), of: vec![Vec::new(); tables.len()] };
        for opponent in &self.opponents {
            let whole = Pass::new(&self.game, self.side, &BankerTable::new(&**opponent));
            let label = format!("evaluating against {}", opponent.name());
            let mut totals = Run::with(control, &label, |run| whole.totals(&plays, run))?.into_iter();
            evs.best.push(totals.next().expect("the best response comes first").ev(payoff));
            evs.of.iter_mut().zip(totals).for_each(|(of, counts)| of.push(counts.ev(payoff)));
        }
        Ok(evs)
    }

    /// Returns the mean or the greatest regret, depending on the objective, in stakes.
    pub fn regret(&self, regrets: &[Ratio]) -> Ratio {
        match self.objective {
            Objective::Mean => mean(regrets),
            Objective::Worst => regrets.iter().copied().max().unwrap_or(Ratio::ZERO),
        }
    }
}

impl Evs {
    /// Returns a strategy's regret against each opponent.
    pub fn regrets(&self, strategy: usize) -> Vec<Ratio> {
        self.best.iter().zip(&self.of[strategy]).map(|(&best, &ev)| best - ev).collect()
    }
}

/// Returns the mean of some ratios, or zero if there are none.
pub fn mean(values: &[Ratio]) -> Ratio {
    values.iter().copied().sum::<Ratio>() * Ratio::new(1, values.len().max(1) as i128)
}

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
    /// The lists kept in this round for each number of rules, starting at one, with the best list first.
    pub levels: Vec<Vec<Found>>,
    /// The number of completed steps in this round.
    pub steps: usize,
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
    /// Returns an error if the search is canceled or if `step` fails.
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
        let steps = Search::steps(max);
        while state.rounds < self.rounds() {
            let space = Space::mean(self.spaces, &state.weights);
            let search = Search::new(&space, self.limits).with_cancel(cancel);
            if state.levels.is_empty() {
                state.levels.push(search.single_rules());
            }
            while state.steps < steps {
                search.step(&mut state.levels, state.steps, max)?;
                state.steps += 1;
                step(state, state.rounds * steps + state.steps, self.rounds() * steps)?;
            }
            let shown = |level: &Vec<Found>| {
                let lists = level.par_iter().map(|found| search.simplified(found));
                lists.filter(|found| search.is_short(&found.rules)).collect()
            };
            let lists: Vec<Vec<Found>> = state.levels.iter().map(shown).collect();
            self.keep_best(state, &lists);
            state.rounds += 1;
            if state.rounds < self.rounds() {
                (state.levels, state.steps) = (vec![], 0);
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
