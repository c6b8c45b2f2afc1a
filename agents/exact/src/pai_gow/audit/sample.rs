//! Example hands for groups.

use crate::Ratio;
use crate::pai_gow::BANKER_HANDS;
use crate::pai_gow::whole::{ClassCounts, Payoff};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Hand, Setting};
use std::cmp::Reverse;

/// A hand with two settings to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The hand.
    pub hand: Hand,
    /// The setting that is played.
    pub plays: Setting,
    /// The alternative setting.
    pub other: Setting,
    /// The gain from the setting actually played, in millionths of a stake, summed over all opposing hands.
    pub gain: i64,
    /// The gain from the alternative setting, in the same unit.
    pub other_gain: i64,
}

impl Sample {
    pub(super) fn new(class: &ClassCounts, plays: Setting, other: Setting, payoff: Payoff) -> Sample {
        let [gain, other_gain] = [plays, other].map(|setting| class.gain(setting, payoff));
        Sample { hand: class.hand, plays, other, gain, other_gain }
    }

    /// Returns the EV of the setting actually played, per unit staked.
    pub fn ev(&self) -> Ratio {
        ev(self.gain)
    }

    /// Returns the EV of the alternative setting.
    pub fn other_ev(&self) -> Ratio {
        ev(self.other_gain)
    }

    /// Returns the sample with the larger difference. Ties are broken in a way that doesn't depend on the number of
    /// threads.
    pub(super) fn clearer(self, other: Sample) -> Sample {
        let order = |sample: &Sample| {
            ((sample.other_gain - sample.gain).abs(), Reverse(sample.hand.set().bits()), Reverse(sample.other.index()))
        };
        if order(&other) > order(&self) { other } else { self }
    }

    /// Returns the clearer of two samples, either of which may be missing.
    pub(super) fn clearest(one: Option<Sample>, other: Option<Sample>) -> Option<Sample> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one.clearer(other)),
            (one, other) => one.or(other),
        }
    }
}

fn ev(gain: i64) -> Ratio {
    Ratio::new(gain.into(), i128::from(BANKER_HANDS) * i128::from(Rate::WHOLE))
}
