//! Payoffs of a bet.

use houseway_env::money::Rate;

/// The amounts received for a win and paid for a loss, in millionths of the stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payoff {
    pub(super) win: u32,
    pub(super) loss: u32,
}

impl Payoff {
    /// Returns the payoff of a player, whose wins are paid minus the commission. It also applies to a banking player
    /// who pays the commission on each bet won.
    pub const fn player(commission: Rate) -> Payoff {
        Payoff { win: Rate::WHOLE - commission.millionths(), loss: Rate::WHOLE }
    }

    /// Returns the payoff of the house as banker, the opposite of the player's.
    pub const fn house_bank(commission: Rate) -> Payoff {
        Payoff { win: Rate::WHOLE, loss: Rate::WHOLE - commission.millionths() }
    }

    /// Returns the amount received for a win.
    pub const fn win_millionths(self) -> u32 {
        self.win
    }

    /// Returns the amount paid for a loss.
    pub const fn loss_millionths(self) -> u32 {
        self.loss
    }

    /// Returns the total gain of the given numbers of wins and losses, in millionths of the stake.
    #[inline]
    pub const fn gain(self, wins: i64, losses: i64) -> i64 {
        wins * self.win as i64 - losses * self.loss as i64
    }
}
