//! Totals for mixed strategies, which can count fractions of a deal.

use super::payoff::Payoff;
use crate::Ratio;
use houseway_env::money::Rate;

/// The weight of a deal if one side picks its setting uniformly at random.
///
/// A hand has between 1 and 21 legal settings. The weight is the least common multiple of these numbers, so the part
/// of each setting is an integer.
pub const RANDOM_WEIGHT: u32 = 232_792_560;

/// The total weight of each outcome for one side, over all deals. A deal between pure strategies has weight 1. The weight
/// is larger if a side mixes its settings, so that the part of each setting is an integer: it is
/// [`MixedTable::WHOLE`](crate::pai_gow::MixedTable::WHOLE) for each mixed strategy, and [`RANDOM_WEIGHT`] if one side picks
/// its settings uniformly at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeWeights {
    /// The weight of the deals in which this side wins both comparisons.
    pub wins: u128,
    /// The weight of the deals in which each side wins one comparison.
    pub pushes: u128,
    /// The weight of the deals in which this side loses both comparisons.
    pub losses: u128,
    /// The weight of the deals with equal fronts. Always 0 unless copies are counted.
    pub copies_front: u128,
    /// The weight of the deals with equal backs. Always 0 unless copies are counted.
    pub copies_back: u128,
}

impl OutcomeWeights {
    /// Returns the total weight of all deals.
    pub const fn all(&self) -> u128 {
        self.wins + self.pushes + self.losses
    }

    /// Adds two sets of weights.
    pub const fn plus(self, more: OutcomeWeights) -> OutcomeWeights {
        OutcomeWeights {
            wins: self.wins + more.wins,
            pushes: self.pushes + more.pushes,
            losses: self.losses + more.losses,
            copies_front: self.copies_front + more.copies_front,
            copies_back: self.copies_back + more.copies_back,
        }
    }

    /// Returns the weights from the other side's perspective.
    pub const fn other_side(self) -> OutcomeWeights {
        OutcomeWeights { wins: self.losses, losses: self.wins, ..self }
    }

    /// Returns the EV per unit staked.
    ///
    /// # Panics
    /// Panics if all weights are 0.
    pub fn ev(&self, payoff: Payoff) -> Ratio {
        let amount = |weight: u128, millionths: u32| weight as i128 * i128::from(millionths);
        let gain = amount(self.wins, payoff.win) - amount(self.losses, payoff.loss);
        Ratio::new(gain, self.all() as i128 * i128::from(Rate::WHOLE))
    }

    /// Returns the mean of the squared result per unit staked.
    ///
    /// # Panics
    /// Panics if all weights are 0.
    pub fn mean_square(&self, payoff: Payoff) -> Ratio {
        let square = |part: u32| i128::from(part) * i128::from(part);
        let sum = self.wins as i128 * square(payoff.win) + self.losses as i128 * square(payoff.loss);
        Ratio::new(sum, self.all() as i128 * square(Rate::WHOLE))
    }

    /// Returns the variance of the result per unit staked.
    ///
    /// # Panics
    /// Panics if all weights are 0.
    pub fn variance(&self, payoff: Payoff) -> f64 {
        self.mean_square(payoff).value() - self.ev(payoff).value().powi(2)
    }
}
