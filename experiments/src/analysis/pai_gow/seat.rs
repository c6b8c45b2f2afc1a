//! Sides of the table.

use houseway_env::pai_gow::Rules;
use houseway_exact::pai_gow::whole::{Payoff, Side};
use serde::Serialize;

/// Side of the table that a way sets for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The player.
    #[default]
    Player,
    /// The banker; the house banks.
    Banker,
}

impl Seat {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Seat::Player => "player",
            Seat::Banker => "banker",
        }
    }

    /// Returns the opposite seat.
    pub fn other(self) -> Seat {
        match self {
            Seat::Player => Seat::Banker,
            Seat::Banker => Seat::Player,
        }
    }

    /// Returns the corresponding side of the engine.
    pub fn side(self) -> Side {
        match self {
            Seat::Player => Side::Player,
            Seat::Banker => Side::Banker,
        }
    }

    /// Returns the payoff in this seat; the house banks.
    pub fn payoff(self, rules: &Rules) -> Payoff {
        match self {
            Seat::Player => Payoff::player(rules.commission),
            Seat::Banker => Payoff::house_bank(rules.commission),
        }
    }
}
