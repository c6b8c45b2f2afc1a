//! Defines the amounts won and lost on a bet.

use houseway_env::money::Rate;

/// The amounts that a bet pays for a win and costs for a loss, in millionths of the stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payoff {
    pub(super) win: u32,
    pub(super) loss: u32,
}

impl Payoff {
    /// Returns the payoff for a player, who pays the commission on wins. A banking player who pays the commission on
    /// each winning bet has the same payoff.
    pub const fn player(commission: Rate) -> Payoff {
        Payoff { win: Rate::WHOLE - commission.millionths(), loss: Rate::WHOLE }
    }

    /// Returns the payoff for the house as the banker. Its wins are the player's losses, and vice versa.
    pub const fn house_bank(commission: Rate) -> Payoff {
        Payoff { win: Rate::WHOLE, loss: Rate::WHOLE - commission.millionths() }
    }

    /// Returns the amount received for a win, in millionths of the stake.
    pub const fn win_millionths(self) -> u32 {
        self.win
    }

    /// Returns the amount paid for a loss, in millionths of the stake.
    pub const fn loss_millionths(self) -> u32 {
        self.loss
    }

    /// Returns the total gain from the given numbers of wins and losses, in millionths of the stake.
    #[inline]
    pub const fn gain(self, wins: i64, losses: i64) -> i64 {
        wins * self.win as i64 - losses * self.loss as i64
    }
}
