//! The house's books and the limit for bankrolls.

use crate::money::Chips;

/// The maximum bankroll of a player in chips. This limit keeps all sums exact.
pub const MAX_BANKROLL: Chips = 1_000_000_000_000;

/// The money that the house has received since the table was opened. Amounts that it has paid count as negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Books {
    /// The result of the house's bank and of its hands against players' banks, before commission.
    pub hands: Chips,
    /// The result of all side bets.
    pub side_bets: Chips,
    /// The commission paid by players and by players' banks.
    pub commissions: Chips,
}

impl Books {
    /// Returns the house's total result. This equals the players' total loss.
    pub const fn total(&self) -> Chips {
        self.hands + self.side_bets + self.commissions
    }
}
