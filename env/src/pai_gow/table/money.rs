//! Chips, commissions and the books of the house.

use crate::pai_gow::Rate;

/// Money, in whole chips; below zero where something is owed or lost.
pub type Chips = i64;

/// The highest bankroll that a player may bring, so that sums stay exact.
pub const HIGHEST_BANKROLL: Chips = 1_000_000_000_000;

/// The commission on winnings: the rate of them, rounded to the nearest whole chip, half a chip upwards. Winnings that are
/// a multiple of 20 chips pay 5% exactly. Losses pay none.
#[inline]
pub const fn commission(rate: Rate, winnings: Chips) -> Chips {
    let whole = Rate::WHOLE as Chips;
    if winnings <= 0 { 0 } else { (winnings * rate.millionths() as Chips + whole / 2) / whole }
}

/// What the house has received since a table was opened; below zero where it has paid.
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
    /// Everything together: what the players have lost.
    pub const fn total(&self) -> Chips {
        self.hands + self.side_bets + self.commissions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commissions_round_to_the_nearest_chip() {
        let five: Rate = "0.05".parse().unwrap();
        for (winnings, expected) in [(0, 0), (-100, 0), (1, 0), (9, 0), (10, 1), (20, 1), (29, 1), (30, 2), (1_000, 50)]
        {
            assert_eq!(commission(five, winnings), expected, "{winnings}");
        }
        assert_eq!(commission("0".parse().unwrap(), 1_000), 0);
        assert_eq!(commission("1".parse().unwrap(), HIGHEST_BANKROLL), HIGHEST_BANKROLL);
    }
}
