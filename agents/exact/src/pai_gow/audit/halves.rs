//! Counts results separately for each front and each back that a strategy plays.

use crate::pai_gow::BANKER_HANDS;
use crate::pai_gow::whole::ClassCounts;
use houseway_env::pai_gow::Setting;
use houseway_env::rank::TwoStrength;

/// The frequency of a half with a given strength, and its results against the other side's half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HalfCounts {
    /// The number of hands that are set with this half.
    pub hands: u64,
    /// The number of deals in which the other side's half is lower.
    pub beats: u64,
    /// The number of deals in which the other side's half is equal.
    pub copies: u64,
}

impl HalfCounts {
    /// Returns the number of deals in which a hand is set with this half.
    pub const fn deals(&self) -> u64 {
        self.hands * BANKER_HANDS
    }

    /// Returns the number of deals in which the other side's half is higher.
    pub const fn beaten(&self) -> u64 {
        self.deals() - self.beats - self.copies
    }

    /// Returns the sum of two counts.
    pub const fn plus(&self, more: &HalfCounts) -> HalfCounts {
        HalfCounts { hands: self.hands + more.hands, beats: self.beats + more.beats, copies: self.copies + more.copies }
    }

    fn add(&mut self, hands: u32, lower: u32, copies: u32) {
        self.hands += u64::from(hands);
        self.beats += u64::from(hands) * u64::from(lower);
        self.copies += u64::from(hands) * u64::from(copies);
    }
}

/// The counts for all fronts and backs.
pub(super) struct Halves {
    pub(super) fronts: Vec<HalfCounts>,
    pub(super) backs: Vec<HalfCounts>,
}

impl Halves {
    /// Creates empty counts for the given number of back strengths.
    pub(super) fn new(strengths: usize) -> Halves {
        let none = |len| vec![HalfCounts::default(); len];
        Halves { fronts: none(TwoStrength::COUNT), backs: none(strengths) }
    }

    pub(super) fn add(&mut self, class: &ClassCounts, plays: Setting) {
        let (i, hands) = (plays.index(), class.orbit);
        let set = class.sets[i];
        self.fronts[set.front.index()].add(hands, class.lower_fronts[i], class.copies_front[i]);
        self.backs[set.back.index()].add(hands, class.lower_backs[i], class.copies_back[i]);
    }

    pub(super) fn plus(&self, more: &Halves) -> Halves {
        let sum = |a: &[HalfCounts], b: &[HalfCounts]| a.iter().zip(b).map(|(a, b)| a.plus(b)).collect();
        Halves { fronts: sum(&self.fronts, &more.fronts), backs: sum(&self.backs, &more.backs) }
    }
}
