//! Who plays whom.

use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Rules, Strategy};
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::whole::{Cancelled, Chooser, DealCounts, Optimum, Payoff, Run, Side, Whole};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of the side that answers the other one as well as can be.
pub const OPTIMAL: &str = "optimal";

/// Who banks, and with that what the banker pays for a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Bank {
    /// The house: it receives what the player loses, and keeps the commission.
    #[default]
    House,
    /// A player, who pays the commission on every bet that the bank wins.
    Player,
}

impl Bank {
    /// What the banker receives for a win and pays for a loss.
    pub fn payoff(self, rules: &Rules) -> Payoff {
        match self {
            Bank::House => Payoff::house_bank(rules.commission),
            Bank::Player => Payoff::player(rules.commission),
        }
    }
}

/// Two strategies, of which one at most is the best answer to the other.
#[derive(Clone, Copy)]
pub enum Pair<'a> {
    /// Two house ways.
    Ways {
        /// How the player sets.
        player: &'a HouseWay,
        /// How the banker sets.
        banker: &'a HouseWay,
    },
    /// The player with the highest EV against this banker.
    OptimalPlayer {
        /// How the banker sets.
        banker: &'a HouseWay,
    },
    /// The banker with the highest EV of his own against this player.
    OptimalBanker {
        /// How the player sets.
        player: &'a HouseWay,
    },
}

impl<'a> Pair<'a> {
    /// How the player sets, if he is not optimal.
    pub fn player(self) -> Option<&'a HouseWay> {
        match self {
            Pair::Ways { player, .. } | Pair::OptimalBanker { player } => Some(player),
            Pair::OptimalPlayer { .. } => None,
        }
    }

    /// How the banker sets, if he is not optimal.
    pub fn banker(self) -> Option<&'a HouseWay> {
        match self {
            Pair::Ways { banker, .. } | Pair::OptimalPlayer { banker } => Some(banker),
            Pair::OptimalBanker { .. } => None,
        }
    }

    /// How all deals of the run end for the player, copies included.
    ///
    /// # Errors
    /// If the run was cancelled.
    pub fn count(self, game: &Game, bank: Bank, run: &Run<'_>) -> Result<DealCounts, Cancelled> {
        match self {
            Pair::Ways { player, banker } => {
                count(game, Side::Player, &BankerTable::new(banker), &BankerTable::new(player), run)
            }
            Pair::OptimalPlayer { banker } => {
                let optimum = Optimum(Payoff::player(game.rules().commission));
                count(game, Side::Player, &BankerTable::new(banker), &optimum, run)
            }
            Pair::OptimalBanker { player } => {
                let optimum = Optimum(bank.payoff(&game.rules()));
                count(game, Side::Banker, &BankerTable::new(player), &optimum, run).map(DealCounts::other_side)
            }
        }
    }
}

fn count(
    game: &Game,
    side: Side,
    other: &BankerTable,
    own: &dyn Chooser,
    run: &Run<'_>,
) -> Result<DealCounts, Cancelled> {
    let totals = Whole::new(game, side, other).with_copies().totals(&[own], run)?;
    Ok(totals[0])
}

/// All that decides how the deals end, as data. Results of the same question are the same integers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Name of the player's strategy.
    pub player: String,
    /// What the player's house way does, as [`HouseWay::hash`]; nothing for the optimum.
    pub player_hash: Option<String>,
    /// The readings chosen in the player's house way.
    pub player_readings: BTreeMap<String, String>,
    /// Name of the banker's strategy.
    pub banker: String,
    /// What the banker's house way does.
    pub banker_hash: Option<String>,
    /// The readings chosen in the banker's house way.
    pub banker_readings: BTreeMap<String, String>,
    /// Who banks.
    pub bank: Bank,
    /// The rules of the game.
    pub rules: Rules,
    /// Their hash.
    pub rules_hash: String,
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

fn of_side(way: Option<&HouseWay>) -> (String, Option<String>, BTreeMap<String, String>) {
    let Some(way) = way else { return (OPTIMAL.to_owned(), None, BTreeMap::new()) };
    let readings = way.way().readings().iter();
    let readings = readings.map(|reading| (reading.name.clone(), reading.options[reading.chosen].clone()));
    (way.name().to_owned(), Some(way.hash()), readings.collect())
}
