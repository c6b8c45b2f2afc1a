//! Sides of the table.

use houseway_env::pai_gow::Rules;
use houseway_exact::pai_gow::whole::{Payoff, Side};
use serde::Serialize;

/// Side of the table for which a way sets hands.
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
    /// Returns the name of the side.
    pub fn name(self) -> &'static str {
        match self {
            WaySide::Player => "player",
            WaySide::Banker => "banker",
        }
    }

    /// Returns the opposite seat.
    pub fn other(self) -> WaySide {
        match self {
            WaySide::Player => WaySide::Banker,
            WaySide::Banker => WaySide::Player,
        }
    }

    /// Returns the corresponding side of the engine.
    pub fn side(self) -> Side {
        match self {
            WaySide::Player => Side::Player,
            WaySide::Banker => Side::Banker,
        }
    }

    /// Returns the payoff on this side, with the house as banker.
    pub fn payoff(self, rules: &Rules) -> Payoff {
        match self {
            WaySide::Player => Payoff::player(rules.commission),
            WaySide::Banker => Payoff::house_bank(rules.commission),
        }
    }
}
