//! Pairs of strategies.

use super::class_sink::ClassSink;
use super::question::{BankedBy, Question};
use crate::pai_gow::whole::{
    BestResponse, Cancelled, Chooser, ClassCounts, DealCounts, FullGame, MixedGame, Opposition, Payoff, Play, Run, Side,
};
use crate::pai_gow::{BankerTable, ClassTable, ClassTableError, MixedStrategyError, MixedTable};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Strategy};
use houseway_env::seal::hex;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The name of the best response to the other side.
pub const OPTIMAL: &str = "optimal";

/// A strategy that is given rather than computed.
#[derive(Clone, Copy)]
pub enum Given<'a> {
    /// A house way.
    Way(&'a HouseWay),
    /// A table over all hand classes.
    Table(&'a HashedTable),
    /// A mixed strategy.
    Mixed(&'a MixedTable),
}

/// An error from preparing a given strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GivenError {
    /// The strategy is a table that fouls or isn't supported under the rules.
    #[error(transparent)]
    Table(#[from] ClassTableError),
    /// The strategy is mixed, but has to be pure.
    #[error(transparent)]
    Mixed(#[from] MixedStrategyError),
    /// The strategy is mixed, and the other side sets at random.
    #[error(
        "'random' cannot be solved against '{0}', which is a mixed strategy; use a pure strategy, such as the strategy \
         table (.safetensors) that 'houseway equilibrium' writes beside it"
    )]
    Random(String),
}

/// A table and the hash of its settings.
#[derive(Clone)]
pub struct HashedTable {
    table: ClassTable,
    hash: String,
}

impl HashedTable {
    /// Creates a table and computes its hash.
    pub fn new(table: ClassTable) -> HashedTable {
        let hash = HashedTable::hash_settings(table.settings());
        HashedTable { table, hash }
    }

    /// Returns the first 16 hex digits of the settings' SHA-256 hash.
    pub fn hash_settings(settings: &[u8]) -> String {
        hex(&Sha256::digest(settings)[..8])
    }

    /// Returns the table's name.
    pub fn name(&self) -> &str {
        self.table.name()
    }

    /// Returns the table's hash.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns the class table.
    pub const fn table(&self) -> &ClassTable {
        &self.table
    }
}

impl<'a> From<&'a HouseWay> for Given<'a> {
    fn from(way: &'a HouseWay) -> Given<'a> {
        Given::Way(way)
    }
}

impl<'a> From<&'a HashedTable> for Given<'a> {
    fn from(table: &'a HashedTable) -> Given<'a> {
        Given::Table(table)
    }
}

impl<'a> Given<'a> {
    /// Returns the strategy's name.
    pub fn name(self) -> &'a str {
        match self {
            Given::Way(way) => way.name(),
            Given::Table(table) => table.name(),
            Given::Mixed(table) => table.name(),
        }
    }

    /// Returns a house way's title, or any other strategy's name.
    pub fn title(self) -> &'a str {
        self.way().map_or(self.name(), |way| way.way().title())
    }

    /// Returns the strategy's hash.
    pub fn hash(self) -> String {
        match self {
            Given::Way(way) => way.hash(),
            Given::Table(table) => table.hash().to_owned(),
            Given::Mixed(table) => table.hash(),
        }
    }

    /// Returns the house way, or `None` for any other strategy.
    pub fn way(self) -> Option<&'a HouseWay> {
        match self {
            Given::Way(way) => Some(way),
            Given::Table(_) | Given::Mixed(_) => None,
        }
    }

    /// Returns the options chosen for the house way's readings.
    pub fn readings(self) -> BTreeMap<String, String> {
        self.way().map(|way| way.way().chosen_options()).unwrap_or_default()
    }

    /// Returns `true` for a mixed strategy.
    pub fn is_mixed(self) -> bool {
        matches!(self, Given::Mixed(_))
    }

    /// Returns the strategy as a chooser for the enumerated side.
    ///
    /// # Errors
    /// Returns an error if the strategy is mixed.
    pub fn chooser(self) -> Result<Box<dyn Chooser + 'a>, GivenError> {
        match self {
            Given::Way(way) => Ok(Box::new(BankerTable::new(way))),
            Given::Table(table) => Ok(Box::new(table.table())),
            Given::Mixed(table) => Err(table.not_pure().into()),
        }
    }

    /// Returns the strategy in the form in which the enumerated side plays it.
    pub fn play(self) -> Play<'a> {
        match self {
            Given::Way(way) => Play::Profiles(BankerTable::new(way)),
            Given::Table(table) => Play::Classes(table.table()),
            Given::Mixed(table) => Play::Mixed(table),
        }
    }

    /// Prepares the evaluation of all hands on `side` against this strategy.
    ///
    /// # Errors
    /// Returns an error if the strategy is mixed or a table that fouls under the game's rules, or if these rules don't
    /// support tables.
    pub fn against(self, game: &Game, side: Side) -> Result<FullGame<'_>, GivenError> {
        match self {
            Given::Way(way) => Ok(FullGame::new(game, side, &BankerTable::new(way))),
            Given::Table(table) => Ok(FullGame::against_table(game, side, table.table())?),
            Given::Mixed(table) => Err(table.not_pure().into()),
        }
    }

    /// Prepares the evaluation of all hands on `side` against this strategy, which can be a mixed one.
    ///
    /// # Errors
    /// Returns an error if the strategy is a table that fouls under the game's rules, or if these rules don't support
    /// tables.
    pub fn opposition(self, game: &Game, side: Side) -> Result<Opposition<'_>, GivenError> {
        match self {
            Given::Mixed(table) => Ok(Opposition::Mixed(MixedGame::new(game, side, table))),
            _ => self.against(game, side).map(Opposition::Pure),
        }
    }

    /// Returns a number that is higher if an enumeration against this strategy takes longer.
    fn cost(self) -> u8 {
        match self {
            Given::Way(_) => 0,
            Given::Mixed(_) => 1,
            Given::Table(_) => 2,
        }
    }
}

/// Two strategies, at most one of which is the best response to the other.
#[derive(Clone, Copy)]
pub enum Pair<'a> {
    /// Two given strategies.
    Given {
        /// The player's strategy.
        player: Given<'a>,
        /// The banker's strategy.
        banker: Given<'a>,
    },
    /// The player's best response to the given banker.
    OptimalPlayer {
        /// The banker's strategy.
        banker: Given<'a>,
    },
    /// The banker's best response to the given player.
    OptimalBanker {
        /// The player's strategy.
        player: Given<'a>,
    },
}

impl<'a> Pair<'a> {
    /// Creates a pair from two house ways.
    pub fn ways(player: &'a HouseWay, banker: &'a HouseWay) -> Pair<'a> {
        Pair::Given { player: player.into(), banker: banker.into() }
    }

    /// Returns the player's strategy, unless it's the best response.
    pub fn player(self) -> Option<Given<'a>> {
        match self {
            Pair::Given { player, .. } | Pair::OptimalBanker { player } => Some(player),
            Pair::OptimalPlayer { .. } => None,
        }
    }

    /// Returns the banker's strategy, unless it's the best response.
    pub fn banker(self) -> Option<Given<'a>> {
        match self {
            Pair::Given { banker, .. } | Pair::OptimalPlayer { banker } => Some(banker),
            Pair::OptimalBanker { .. } => None,
        }
    }

    /// Returns `true` if a given strategy is mixed. Such a pair is a [`WeightedPair`](super::WeightedPair).
    pub fn is_mixed(self) -> bool {
        [self.player(), self.banker()].into_iter().flatten().any(Given::is_mixed)
    }

    /// Returns the enumerated side, the other side's strategy, and the enumerated side's own strategy unless it's the
    /// best response.
    pub(super) fn sides(self) -> (Side, Given<'a>, Option<Given<'a>>) {
        match self {
            Pair::Given { player, banker } if player.cost() < banker.cost() => (Side::Banker, player, Some(banker)),
            Pair::Given { player, banker } => (Side::Player, banker, Some(player)),
            Pair::OptimalPlayer { banker } => (Side::Player, banker, None),
            Pair::OptimalBanker { player } => (Side::Banker, player, None),
        }
    }

    /// Prepares the pair for enumeration.
    ///
    /// # Errors
    /// Returns an error if a strategy is mixed, or if a table fouls under the game's rules or isn't supported by them.
    pub fn pass(self, game: &'a Game, bank: BankedBy) -> Result<Pass<'a>, GivenError> {
        let (side, other, own) = self.sides();
        let whole = other.against(game, side)?;
        let payoff = bank.payoff_of(side, &game.rules());
        let own = match own {
            Some(Given::Way(way)) => Own::Profiles(BankerTable::new(way)),
            Some(other) => Own::Other(other.chooser()?),
            None => Own::Other(Box::new(BestResponse(payoff))),
        };
        Ok(Pass { whole: whole.with_copies(), own, payoff, pair: self })
    }
}

/// An enumeration of all hands on one side.
pub struct Pass<'a> {
    whole: FullGame<'a>,
    own: Own<'a>,
    payoff: Payoff,
    pair: Pair<'a>,
}

/// The strategy of the enumerated side.
enum Own<'a> {
    /// A strategy that only depends on profiles.
    Profiles(BankerTable),
    /// Any other strategy.
    Other(Box<dyn Chooser + 'a>),
}

impl<'a> Pass<'a> {
    /// Returns the enumerated side.
    pub fn side(&self) -> Side {
        self.whole.side()
    }

    /// Returns the game.
    pub fn game(&self) -> &'a Game {
        self.whole.game()
    }

    /// Returns the payoff for the enumerated side.
    pub fn payoff(&self) -> Payoff {
        self.payoff
    }

    /// Returns the strategy of the enumerated side, unless it's the best response, and the strategy of the other side.
    pub fn strategies(&self) -> (Option<Given<'a>>, Given<'a>) {
        let (_, other, own) = self.pair.sides();
        (own, other)
    }

    /// Returns the player's outcomes over all deals in the run, including copies. Every class is passed to the sinks.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn count(&self, run: &Run<'_>, sinks: &[&dyn ClassSink]) -> Result<DealCounts, Cancelled> {
        let chooser: &dyn Chooser = match &self.own {
            Own::Profiles(table) => table,
            Own::Other(chooser) => &**chooser,
        };
        let visit = |total: &mut DealCounts, classes: &[ClassCounts]| {
            let settings = chooser.choose(classes);
            classes.iter().zip(&settings).for_each(|(class, &setting)| total.add(class, setting));
            sinks.iter().for_each(|sink| sink.put(classes, &settings));
        };
        let counts = match &self.own {
            // Sinks receive all settings.
            Own::Profiles(table) if sinks.is_empty() => self.whole.total_of(table, run)?,
            _ => self.whole.fold(run, DealCounts::default, visit, DealCounts::plus)?,
        };
        Ok(if self.side() == Side::Player { counts } else { counts.other_side() })
    }
}

impl Question {
    /// Creates the question for a pair.
    pub fn new(pair: Pair<'_>, game: &Game, bank: BankedBy) -> Question {
        Question::between([(OPTIMAL, pair.player()), (OPTIMAL, pair.banker())], game, bank)
    }

    /// Creates the question for a player and a banker. Each is a given strategy, or a name if there is no given
    /// strategy.
    pub(super) fn between([player, banker]: [(&str, Option<Given<'_>>); 2], game: &Game, bank: BankedBy) -> Question {
        let (player, player_hash, player_readings) = describe(player);
        let (banker, banker_hash, banker_readings) = describe(banker);
        let rules = game.rules();
        let rules_hash = rules.hash();
        Question { player, player_hash, player_readings, banker, banker_hash, banker_readings, bank, rules, rules_hash }
    }
}

fn describe((name, given): (&str, Option<Given<'_>>)) -> (String, Option<String>, BTreeMap<String, String>) {
    let Some(strategy) = given else { return (name.to_owned(), None, BTreeMap::new()) };
    (strategy.name().to_owned(), Some(strategy.hash()), strategy.readings())
}
