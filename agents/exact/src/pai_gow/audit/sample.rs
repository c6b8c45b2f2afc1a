//! A hand that shows what a group of hands is about.

use crate::Ratio;
use crate::pai_gow::BANKER_HANDS;
use crate::pai_gow::whole::{ClassCounts, Payoff};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Hand, Setting};
use std::cmp::Reverse;

/// A hand with two of its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The hand.
    pub hand: Hand,
    /// How it is set.
    pub plays: Setting,
    /// How it could be set.
    pub other: Setting,
    /// What the first brings, in millionths of a stake over all hands of the other side.
    pub gain: i64,
    /// What the second brings.
    pub other_gain: i64,
}

impl Sample {
    pub(super) fn new(class: &ClassCounts, plays: Setting, other: Setting, payoff: Payoff) -> Sample {
        let [gain, other_gain] = [plays, other].map(|setting| class.gain(setting, payoff));
        Sample { hand: class.hand, plays, other, gain, other_gain }
    }

    /// The EV of the setting played, per unit staked.
    pub fn ev(&self) -> Ratio {
        ev(self.gain)
    }

    /// The EV of the other setting.
    pub fn other_ev(&self) -> Ratio {
        ev(self.other_gain)
    }

    /// Which of two samples shows more: the greater difference, and of equal ones the same on any number of threads.
    pub(super) fn clearer(self, other: Sample) -> Sample {
        let order = |sample: &Sample| {
            ((sample.other_gain - sample.gain).abs(), Reverse(sample.hand.set().bits()), Reverse(sample.other.index()))
        };
        if order(&other) > order(&self) { other } else { self }
    }

    /// The clearer of two that may not be there.
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
