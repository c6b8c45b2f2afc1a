//! The books of the house, and the limit of money at a table.

use crate::money::Chips;

/// Maximum bankroll of a player, so that sums stay exact.
pub const MAX_BANKROLL: Chips = 1_000_000_000_000;

/// Money that the house has received since a table was opened; negative where it has paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Books {
    /// From its bank, and from the hands that it played against players' banks; before commissions.
    pub hands: Chips,
    /// From side bets.
    pub side_bets: Chips,
    /// Commissions of players and of players' banks.
    pub commissions: Chips,
}

impl Books {
    /// The sum of all: the loss of the players.
    pub const fn total(&self) -> Chips {
        self.hands + self.side_bets + self.commissions
    }
}
