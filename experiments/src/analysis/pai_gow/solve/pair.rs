//! Who plays whom.

use super::class_sink::ClassSink;
use super::question::{Bank, Question};
use super::strategy_table::StrategyTable;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Strategy};
use houseway_exact::pai_gow::whole::{Cancelled, Chooser, ClassCounts, DealCounts, Optimum, Payoff, Run, Side, Whole};
use houseway_exact::pai_gow::{BankerTable, ClassTableError};
use std::collections::BTreeMap;

/// Name of the side that answers the other one as well as can be.
pub const OPTIMAL: &str = "optimal";

/// A strategy that is given, not looked for.
#[derive(Clone, Copy)]
pub enum Given<'a> {
    /// A house way.
    Way(&'a HouseWay),
    /// A table over all classes of hands.
    Table(&'a StrategyTable),
}

impl<'a> From<&'a HouseWay> for Given<'a> {
    fn from(way: &'a HouseWay) -> Given<'a> {
        Given::Way(way)
    }
}

impl<'a> From<&'a StrategyTable> for Given<'a> {
    fn from(table: &'a StrategyTable) -> Given<'a> {
        Given::Table(table)
    }
}

impl<'a> Given<'a> {
    /// Its name.
    pub fn name(self) -> &'a str {
        match self {
            Given::Way(way) => way.name(),
            Given::Table(table) => table.name(),
        }
    }

    /// What it does, as a hash.
    pub fn hash(self) -> String {
        match self {
            Given::Way(way) => way.hash(),
            Given::Table(table) => table.hash().to_owned(),
        }
    }

    /// The readings chosen in it.
    fn readings(self) -> BTreeMap<String, String> {
        let Given::Way(way) = self else { return BTreeMap::new() };
        way.way().chosen_options()
    }

    /// How it sets the classes of a side that is counted.
    pub fn chooser(self) -> Box<dyn Chooser + 'a> {
        match self {
            Given::Way(way) => Box::new(BankerTable::new(way)),
            Given::Table(table) => Box::new(table.table()),
        }
    }
}

/// Two strategies, of which one at most is the best answer to the other.
#[derive(Clone, Copy)]
pub enum Pair<'a> {
    /// Two strategies that are given.
    Given {
        /// How the player sets.
        player: Given<'a>,
        /// How the banker sets.
        banker: Given<'a>,
    },
    /// The player with the highest EV against this banker.
    OptimalPlayer {
        /// How the banker sets.
        banker: Given<'a>,
    },
    /// The banker with the highest EV of his own against this player.
    OptimalBanker {
        /// How the player sets.
        player: Given<'a>,
    },
}

impl<'a> Pair<'a> {
    /// Two house ways.
    pub fn ways(player: &'a HouseWay, banker: &'a HouseWay) -> Pair<'a> {
        Pair::Given { player: player.into(), banker: banker.into() }
    }

    /// How the player sets, if he is not optimal.
    pub fn player(self) -> Option<Given<'a>> {
        match self {
            Pair::Given { player, .. } | Pair::OptimalBanker { player } => Some(player),
            Pair::OptimalPlayer { .. } => None,
        }
    }

    /// How the banker sets, if he is not optimal.
    pub fn banker(self) -> Option<Given<'a>> {
        match self {
            Pair::Given { banker, .. } | Pair::OptimalPlayer { banker } => Some(banker),
            Pair::OptimalBanker { .. } => None,
        }
    }

    /// The side whose hands are gone through, the strategy that they are counted against, and their own if it is given.
    fn sides(self) -> (Side, Given<'a>, Option<Given<'a>>) {
        match self {
            // To count against a house way takes less than to count against a table.
            Pair::Given { player: player @ Given::Way(_), banker: banker @ Given::Table(_) } => {
                (Side::Banker, player, Some(banker))
            }
            Pair::Given { player, banker } => (Side::Player, banker, Some(player)),
            Pair::OptimalPlayer { banker } => (Side::Player, banker, None),
            Pair::OptimalBanker { player } => (Side::Banker, player, None),
        }
    }

    /// The pair made ready to be counted.
    ///
    /// # Errors
    /// If a table sets a hand foul under the rules of the game.
    pub fn pass(self, game: &'a Game, bank: Bank) -> Result<Pass<'a>, ClassTableError> {
        let (side, other, own) = self.sides();
        let whole = match other {
            Given::Way(way) => Whole::new(game, side, &BankerTable::new(way)),
            Given::Table(table) => Whole::against_table(game, side, table.table())?,
        };
        let payoff = match side {
            Side::Player => Payoff::player(game.rules().commission),
            Side::Banker => bank.payoff(&game.rules()),
        };
        let chooser = own.map_or_else(|| Box::new(Optimum(payoff)) as Box<dyn Chooser>, Given::chooser);
        Ok(Pass { whole: whole.with_copies(), chooser, payoff, pair: self })
    }
}

/// One way through all hands of one side.
pub struct Pass<'a> {
    whole: Whole<'a>,
    chooser: Box<dyn Chooser + 'a>,
    payoff: Payoff,
    pair: Pair<'a>,
}

impl<'a> Pass<'a> {
    /// The side whose hands are gone through.
    pub fn side(&self) -> Side {
        self.whole.side()
    }

    /// The game.
    pub fn game(&self) -> &'a Game {
        self.whole.game()
    }

    /// What a win and a loss bring the side whose hands are gone through.
    pub fn payoff(&self) -> Payoff {
        self.payoff
    }

    /// The strategy of that side if it is given, and that of the other side.
    pub fn strategies(&self) -> (Option<Given<'a>>, Given<'a>) {
        let (_, other, own) = self.pair.sides();
        (own, other)
    }

    /// How all deals of the run end for the player, copies included. The sinks see every class on the way.
    ///
    /// # Errors
    /// If the run was cancelled.
    pub fn count(&self, run: &Run<'_>, sinks: &[&dyn ClassSink]) -> Result<DealCounts, Cancelled> {
        let visit = |total: &mut DealCounts, classes: &[ClassCounts]| {
            let settings = self.chooser.choose(classes);
            classes.iter().zip(&settings).for_each(|(class, &setting)| total.add(class, setting));
            sinks.iter().for_each(|sink| sink.put(classes, &settings));
        };
        let counts = self.whole.fold(run, DealCounts::default, visit, DealCounts::plus)?;
        Ok(if self.side() == Side::Player { counts } else { counts.other_side() })
    }
}

impl Question {
    /// The question that a pair asks.
    pub fn new(pair: Pair<'_>, game: &Game, bank: Bank) -> Question {
        let (player, player_hash, player_readings) = of_side(pair.player());
        let (banker, banker_hash, banker_readings) = of_side(pair.banker());
        let rules = game.rules();
        let rules_hash = rules.hash();
        Question { player, player_hash, player_readings, banker, banker_hash, banker_readings, bank, rules, rules_hash }
    }
}

fn of_side(strategy: Option<Given<'_>>) -> (String, Option<String>, BTreeMap<String, String>) {
    let Some(strategy) = strategy else { return (OPTIMAL.to_owned(), None, BTreeMap::new()) };
    (strategy.name().to_owned(), Some(strategy.hash()), strategy.readings())
}
