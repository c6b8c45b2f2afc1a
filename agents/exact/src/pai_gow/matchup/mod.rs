//! Evaluates a pair of strategies over all deals.
//!
//! - [`Pair`] is the player's and the banker's strategy, prepared for enumeration. Either side can play any
//!   suit-isomorphic strategy, such as a house way, a table or a mixed strategy. One of them can also play the best
//!   response to the other, or set uniformly at random.
//! - [`Question`] describes the pair and the rules as data. If two questions are equal, their results can be combined.
//! - [`PairTotals`] holds the outcome counts for a question and converts them to and from JSON.

#[cfg(test)]
mod tests;
mod totals;

pub use super::strategies::{OPTIMAL, SideStrategy};
pub use totals::{BankedBy, PairTotals, PairTotalsError, Question};

use super::outcomes::{DealCounts, OutcomeWeights, Payoff, Side};
use super::tabulated::Tabulated;
use super::whole::{Cancelled, ClassCounts, Pass, Play, Run, Shard};
use crate::solver::SolverError;
use houseway_env::pai_gow::{Game, Setting};

/// An observer that receives every class in a pass.
pub trait ClassSink: Sync {
    /// Receives all classes with the same multiset of ranks, and the setting chosen for each. This is called from all
    /// threads.
    fn put(&self, classes: &[ClassCounts], settings: &[Setting]);
}

/// Two strategies, prepared for an enumeration of all hands on one side.
pub struct Pair<'a> {
    question: Question,
    pass: Pass<'a>,
    payoff: Payoff,
    /// The strategy of the enumerated side.
    own: SideStrategy,
    other: Tabulated,
}

impl<'a> Pair<'a> {
    /// Prepares the player's and the banker's strategy. The enumerated side is the player, unless that takes longer.
    ///
    /// # Errors
    /// Returns an error if no side has a given strategy, if a side sets at random and the other one is mixed, or if the
    /// strategy that isn't enumerated is a table that fouls under the game's rules or isn't supported by them.
    pub fn new(sides: [SideStrategy; 2], game: &'a Game, bank: BankedBy) -> Result<Pair<'a>, SolverError> {
        let question = Question::new(&sides, game, bank);
        let (side, own, other) = match sides {
            [SideStrategy::Given(player), SideStrategy::Given(banker)] if player.cost() < banker.cost() => {
                (Side::Banker, SideStrategy::Given(banker), player)
            }
            [own, SideStrategy::Given(banker)] => (Side::Player, own, banker),
            [SideStrategy::Given(player), own] => (Side::Banker, own, player),
            [SideStrategy::Optimal, SideStrategy::Optimal] => {
                return Err(SolverError::invalid(
                    "both sides are optimal, but a best response needs a strategy to respond to; specify one of them \
                     with --player or --banker",
                ));
            }
            _ => {
                return Err(SolverError::invalid(
                    "'random' can only be solved against a given strategy; use another strategy for the other side, or \
                     'houseway ev HAND --banker random' to find the best setting of a hand",
                ));
            }
        };
        if matches!(own, SideStrategy::Random) && other.mixed().is_some() {
            return Err(SolverError::Invalid(format!(
                "'random' cannot be solved against '{}', which is a mixed strategy; use a pure strategy, such as the \
                 strategy table (.safetensors) that 'houseway equilibrium' writes beside it",
                other.name()
            )));
        }
        let pass = other.pass(game, side).map_err(SolverError::invalid)?.with_copies();
        Ok(Pair { question, pass, payoff: bank.payoff_of(side, &game.rules()), own, other })
    }

    /// Returns the pair as data.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Returns the enumerated side.
    pub fn side(&self) -> Side {
        self.pass.side()
    }

    /// Returns the payoff for the enumerated side.
    pub fn payoff(&self) -> Payoff {
        self.payoff
    }

    /// Returns the strategy of the enumerated side if it's given.
    pub fn own(&self) -> Option<&Tabulated> {
        self.own.given()
    }

    /// Returns the strategy of the other side.
    pub fn other(&self) -> &Tabulated {
        &self.other
    }

    /// Returns the weight of each deal, which is 1 unless a side mixes its settings.
    pub fn weight(&self) -> u64 {
        u64::from(self.pass.weight()) * u64::from(self.own.play(self.payoff).weight())
    }

    /// Returns the player's outcomes over all deals in the run, including copies. Every class is passed to the sinks.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    ///
    /// # Panics
    /// Panics if there are sinks and a side mixes its settings.
    pub fn count(&self, run: &Run<'_>, sinks: &[&dyn ClassSink]) -> Result<OutcomeWeights, Cancelled> {
        let play = self.own.play(self.payoff);
        let visit = |total: &mut DealCounts, classes: &[ClassCounts]| {
            let settings = play.choose(classes);
            classes.iter().zip(&settings).for_each(|(class, &setting)| total.add(class, setting));
            sinks.iter().for_each(|sink| sink.put(classes, &settings));
        };
        let counts = match play {
            _ if self.weight() > 1 => {
                assert!(sinks.is_empty(), "sinks need a single setting for every hand");
                self.pass.weights(&[play], run)?[0]
            }
            // Sinks receive all settings.
            Play::Profiles(table) if sinks.is_empty() => self.pass.total_of(table, run)?.into(),
            _ => self.pass.fold(run, DealCounts::default, visit, DealCounts::plus)?.into(),
        };
        Ok(if self.side() == Side::Player { counts } else { counts.other_side() })
    }

    /// Enumerates all deals and returns the player's outcomes with the question.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    ///
    /// # Panics
    /// Panics if the run is restricted to a shard.
    pub fn totals(&self, run: &Run<'_>) -> Result<PairTotals, Cancelled> {
        assert_eq!(run.shard, Shard::WHOLE, "totals require all deals");
        let counts = self.count(run, &[])?;
        Ok(PairTotals { question: self.question.clone(), part: None, weight: self.weight(), counts })
    }
}
