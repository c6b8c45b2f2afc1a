//! The sides that a way can set hands for.

use houseway_env::pai_gow::Rules;
use houseway_exact::pai_gow::whole::{Payoff, Side};
use serde::Serialize;

/// The side of the table that a way sets hands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum WaySide {
    /// The player.
    #[default]
    Player,
    /// The banker, who is the house.
    Banker,
}

impl WaySide {
    /// Returns the side's name.
    pub fn name(self) -> &'static str {
        match self {
            WaySide::Player => "player",
            WaySide::Banker => "banker",
        }
    }

    /// Returns the opposite side.
    pub fn other(self) -> WaySide {
        match self {
            WaySide::Player => WaySide::Banker,
            WaySide::Banker => WaySide::Player,
        }
    }

    /// Returns the corresponding side in the exact engine.
    pub fn side(self) -> Side {
        match self {
            WaySide::Player => Side::Player,
            WaySide::Banker => Side::Banker,
        }
    }

    /// Returns this side's payoff, with the house as banker.
    pub fn payoff(self, rules: &Rules) -> Payoff {
        match self {
            WaySide::Player => Payoff::player(rules.commission),
            WaySide::Banker => Payoff::house_bank(rules.commission),
        }
    }
}
