//! The question of a pair of strategies, as data.

use houseway_env::pai_gow::Rules;
use houseway_exact::pai_gow::whole::Payoff;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// All that decides how the deals end, as data. Results of the same question are the same integers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Name of the player's strategy.
    pub player: String,
    /// What the player's strategy does, as the hash of a house way or of a table; nothing for the optimum.
    pub player_hash: Option<String>,
    /// The readings chosen in the player's house way.
    pub player_readings: BTreeMap<String, String>,
    /// Name of the banker's strategy.
    pub banker: String,
    /// What the banker's strategy does.
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
