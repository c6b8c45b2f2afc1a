//! A pair of strategies and the rules as plain data.

use crate::pai_gow::whole::{Payoff, Side};
use houseway_env::pai_gow::Rules;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
