//! The house's books, and the maximum bankroll.

use crate::money::Chips;

/// Maximum bankroll of a player, so that sums stay exact.
pub const MAX_BANKROLL: Chips = 1_000_000_000_000;

/// Money received by the house since a table was opened; negative for money paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Books {
    /// Result of its bank and of its hands against players' banks, before commission.
    pub hands: Chips,
    /// Result of side bets.
    pub side_bets: Chips,
    /// Commission paid by players and players' banks.
    pub commissions: Chips,
}

impl Books {
    /// Returns the total, which is the players' total loss.
    pub const fn total(&self) -> Chips {
        self.hands + self.side_bets + self.commissions
    }
}
