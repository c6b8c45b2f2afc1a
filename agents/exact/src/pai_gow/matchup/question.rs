//! A pair of strategies and the rules, as data.

use crate::pai_gow::whole::Payoff;
use houseway_env::pai_gow::Rules;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The party that banks, which determines the banker's payoff.
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
    /// Returns the name of the option.
    pub const fn name(self) -> &'static str {
        match self {
            BankedBy::House => "house",
            BankedBy::Player => "player",
        }
    }

    /// Returns the option with the given name.
    ///
    /// # Errors
    /// Returns an error with the valid names if there is no such option.
    pub fn parse(name: &str) -> Result<BankedBy, String> {
        let found = [BankedBy::House, BankedBy::Player].into_iter().find(|bank| bank.name() == name);
        found.ok_or_else(|| format!("invalid bank '{name}': choose 'house' or 'player'"))
    }

    /// Returns the banker's payoff.
    pub fn payoff(self, rules: &Rules) -> Payoff {
        match self {
            BankedBy::House => Payoff::house_bank(rules.commission),
            BankedBy::Player => Payoff::player(rules.commission),
        }
    }
}

/// All parameters that determine the outcomes of the deals. Equal questions have equal outcome counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Name of the player's strategy.
    pub player: String,
    /// Hash of the player's house way or table, or `None` for the optimum.
    pub player_hash: Option<String>,
    /// The options chosen for the readings of the player's house way.
    pub player_readings: BTreeMap<String, String>,
    /// Name of the banker's strategy.
    pub banker: String,
    /// Hash of the banker's house way or table, or `None` for the optimum.
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
