//! Totals for mixed strategies, which can count fractions of a deal.

use super::classes::ClassCounts;
use super::payoff::Payoff;
use crate::Ratio;
use crate::pai_gow::BANKER_HANDS;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Setting;

/// The weight of a deal if one side picks its setting uniformly at random.
///
/// A hand has between 1 and 21 legal settings. The weight is the least common multiple of these numbers, so the share
/// for each setting is an integer.
pub const RANDOM_WEIGHT: u32 = 232_792_560;

/// The total weight of each outcome for one side, over all deals. A deal between pure strategies has weight 1. The weight
/// is larger if a side mixes its settings, so that the share for each setting is an integer: it is
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

/// The totals for a side that picks one of its legal settings uniformly at random.
#[derive(Clone, Default)]
pub struct RandomTotals {
    /// The wins, losses, equal fronts and equal backs, summed over the legal settings of each hand. The index is the
    /// number of legal settings that the hand has.
    sums: [[u64; 4]; Setting::COUNT + 1],
    hands: u64,
}

impl RandomTotals {
    /// Adds a class of hands.
    pub fn add(&mut self, class: &ClassCounts) {
        let orbit = u64::from(class.orbit);
        let sums = &mut self.sums[class.legal.count_ones() as usize];
        for i in class.legal_settings().map(Setting::index) {
            let counts = [class.wins[i], class.losses[i], class.copies_front[i], class.copies_back[i]];
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += orbit * u64::from(count));
        }
        self.hands += orbit;
    }

    /// Adds two totals.
    pub fn plus(mut self, more: RandomTotals) -> RandomTotals {
        self.sums.as_flattened_mut().iter_mut().zip(more.sums.as_flattened()).for_each(|(sum, more)| *sum += more);
        self.hands += more.hands;
        self
    }

    /// Returns the outcome weights. Each deal has weight [`RANDOM_WEIGHT`].
    pub fn weights(&self) -> OutcomeWeights {
        let [wins, losses, copies_front, copies_back] = std::array::from_fn(|part| -> u128 {
            let sums = self.sums.iter().enumerate().skip(1);
            sums.map(|(legal, sums)| u128::from(sums[part]) * u128::from(RANDOM_WEIGHT / legal as u32)).sum()
        });
        let all = u128::from(self.hands) * u128::from(BANKER_HANDS) * u128::from(RANDOM_WEIGHT);
        OutcomeWeights { wins, losses, pushes: all - wins - losses, copies_front, copies_back }
    }
}
