//! The books of the house, and the limit of bankrolls.

use crate::money::Chips;

/// Maximum bankroll of a player, so that sums stay exact.
pub const MAX_BANKROLL: Chips = 1_000_000_000_000;

/// Money that the house has received since a table was opened; negative where it has paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Books {
    /// Result of its bank and of its hands against players' banks, before commissions.
    pub hands: Chips,
    /// Result of side bets.
    pub side_bets: Chips,
    /// Commissions of players and of players' banks.
    pub commissions: Chips,
}

impl Books {
    /// The total, which the players have lost.
    pub const fn total(&self) -> Chips {
        self.hands + self.side_bets + self.commissions
    }
}
