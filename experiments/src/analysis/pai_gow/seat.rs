//! Sides of the table.

use houseway_env::pai_gow::Rules;
use houseway_exact::pai_gow::whole::{Payoff, Side};
use serde::Serialize;

/// The side of the table that a way sets for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The player's.
    #[default]
    Player,
    /// The banker's; the house banks.
    Banker,
}

impl Seat {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Seat::Player => "player",
            Seat::Banker => "banker",
        }
    }

    /// The seat across the table.
    pub fn other(self) -> Seat {
        match self {
            Seat::Player => Seat::Banker,
            Seat::Banker => Seat::Player,
        }
    }

    /// The same as the engine calls it.
    pub fn side(self) -> Side {
        match self {
            Seat::Player => Side::Player,
            Seat::Banker => Side::Banker,
        }
    }

    /// What a win brings and a loss costs in this seat; the house banks.
    pub fn payoff(self, rules: &Rules) -> Payoff {
        match self {
            Seat::Player => Payoff::player(rules.commission),
            Seat::Banker => Payoff::house_bank(rules.commission),
        }
    }
}
