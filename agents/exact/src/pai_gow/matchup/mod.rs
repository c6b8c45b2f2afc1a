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

pub use totals::{PairTotals, PairTotalsError};

use super::outcomes::{DealCounts, OutcomeWeights, Payoff, Side};
use super::random::RANDOM;
use super::strategies::{NamedStrategy, load_strategies};
use super::tabulated::Tabulated;
use super::whole::{Cancelled, ClassCounts, Pass, Play, Run, Shard};
use crate::solver::SolverError;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Rules, Setting};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of the best response to the other side.
pub const OPTIMAL: &str = "optimal";

/// The party that banks. This determines the banker's payoff.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BankedBy {
    /// The house, which receives the player's losses and the commission.
    #[default]
    House,
    /// A player, who pays the commission on every bet that the bank wins.
    Player,
}

impl BankedBy {
    /// Returns the option's name.
    pub const fn name(self) -> &'static str {
        match self {
            BankedBy::House => "house",
            BankedBy::Player => "player",
        }
    }

    /// Parses an option by name.
    ///
    /// # Errors
    /// Returns an error that lists the valid names if there is no such option.
    pub fn parse(name: &str) -> Result<BankedBy, String> {
        let found = [BankedBy::House, BankedBy::Player].into_iter().find(|bank| bank.name() == name);
        found.ok_or_else(|| format!("invalid bank '{name}': expected 'house' or 'player'"))
    }

    /// Returns the banker's payoff.
    pub fn payoff(self, rules: &Rules) -> Payoff {
        match self {
            BankedBy::House => Payoff::house_bank(rules.commission),
            BankedBy::Player => Payoff::player(rules.commission),
        }
    }

    /// Returns the payoff for a side. A player always pays the commission.
    pub fn payoff_of(self, side: Side, rules: &Rules) -> Payoff {
        match side {
            Side::Player => Payoff::player(rules.commission),
            Side::Banker => self.payoff(rules),
        }
    }
}

/// The strategy of one side of a pair.
#[derive(Clone)]
pub enum SideStrategy {
    /// A given strategy.
    Given(Tabulated),
    /// The best response to the other side.
    Optimal,
    /// A legal setting, picked uniformly at random.
    Random,
}

impl From<&Tabulated> for SideStrategy {
    fn from(strategy: &Tabulated) -> SideStrategy {
        SideStrategy::Given(strategy.clone())
    }
}

impl From<&Arc<HouseWay>> for SideStrategy {
    fn from(way: &Arc<HouseWay>) -> SideStrategy {
        SideStrategy::Given(Arc::clone(way).into())
    }
}

impl SideStrategy {
    /// Loads both sides' strategies like [`load_strategies`], except for the names [`OPTIMAL`] and [`RANDOM`], and
    /// prepares them.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`load_strategies`], or if the run was cancelled.
    pub fn load(
        names: [&str; 2],
        assignments: &[String],
        game: &Game,
        run: &Run<'_>,
    ) -> Result<[SideStrategy; 2], SolverError> {
        let given: Vec<&str> = names.into_iter().filter(|&name| name != OPTIMAL && name != RANDOM).collect();
        let loaded = load_strategies(&given, assignments, game)?;
        let mut prepared = NamedStrategy::prepare_all(&loaded, game, run)?.into_iter();
        Ok(names.map(|name| match name {
            OPTIMAL => SideStrategy::Optimal,
            RANDOM => SideStrategy::Random,
            _ => SideStrategy::Given(prepared.next().expect("there is a strategy for each other name")),
        }))
    }

    /// Returns the strategy if it's given.
    pub fn given(&self) -> Option<&Tabulated> {
        if let SideStrategy::Given(strategy) = self { Some(strategy) } else { None }
    }

    /// Returns the strategy's name.
    pub fn name(&self) -> &str {
        match self {
            SideStrategy::Given(strategy) => strategy.name(),
            SideStrategy::Optimal => OPTIMAL,
            SideStrategy::Random => RANDOM,
        }
    }

    /// Returns the strategy as the evaluated side plays it, with the payoff for a best response.
    pub(super) fn play(&self, payoff: Payoff) -> Play<'_> {
        match self {
            SideStrategy::Given(strategy) => strategy.play(),
            SideStrategy::Optimal => Play::Best(payoff),
            SideStrategy::Random => Play::Random,
        }
    }

    /// Returns `true` if the strategy has no single setting for a hand.
    pub fn is_mixed(&self) -> bool {
        match self {
            SideStrategy::Given(strategy) => strategy.mixed().is_some(),
            SideStrategy::Optimal => false,
            SideStrategy::Random => true,
        }
    }
}

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

/// The parameters that determine the outcome of every deal. Equal questions have equal outcome counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The name of the player's strategy.
    pub player: String,
    /// The hash of the player's house way or table. `None` for the best response.
    pub player_hash: Option<String>,
    /// The options chosen for the readings of the player's house way.
    pub player_readings: BTreeMap<String, String>,
    /// The name of the banker's strategy.
    pub banker: String,
    /// The hash of the banker's house way or table. `None` for the best response.
    pub banker_hash: Option<String>,
    /// The options chosen for the readings of the banker's house way.
    pub banker_readings: BTreeMap<String, String>,
    /// The party that banks.
    pub bank: BankedBy,
    /// The rules of the game.
    pub rules: Rules,
    /// The hash of the rules.
    pub rules_hash: String,
}

impl Question {
    /// Creates the question for a player's and a banker's strategy.
    pub fn new([player, banker]: &[SideStrategy; 2], game: &Game, bank: BankedBy) -> Question {
        let hash = |side: &SideStrategy| side.given().map(|strategy| strategy.hash().to_owned());
        let readings = |side: &SideStrategy| side.given().map(Tabulated::readings).unwrap_or_default();
        Question {
            player: player.name().to_owned(),
            player_hash: hash(player),
            player_readings: readings(player),
            banker: banker.name().to_owned(),
            banker_hash: hash(banker),
            banker_readings: readings(banker),
            bank,
            rules: game.rules(),
            rules_hash: game.rules().hash(),
        }
    }

    /// Returns the player's payoff for each outcome.
    pub fn payoff(&self) -> Payoff {
        Payoff::player(self.rules.commission)
    }

    /// Returns the banker's payoff for each outcome.
    pub fn banker_payoff(&self) -> Payoff {
        self.bank.payoff(&self.rules)
    }
}
