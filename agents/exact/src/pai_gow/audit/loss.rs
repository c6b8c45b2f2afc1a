//! The EV that a group of hands loses compared with optimal play.

use super::{Group, Sample};
use crate::pai_gow::whole::{ClassCounts, Payoff};
use houseway_env::pai_gow::Setting;
use std::cmp::Reverse;

/// A group of hands that are all set by the same rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupOfRule {
    /// The index of the rule in [`Survey::rules`](houseway_env::pai_gow::house_way::Survey::rules).
    pub rule: usize,
    /// The group.
    pub group: Group,
}

/// The EV that some hands lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvLoss {
    /// The number of hands.
    pub hands: u64,
    /// The number of these hands for which another setting has a higher EV.
    pub suboptimal: u64,
    /// The number of these hands for which another legal setting is at least as high in both halves and higher in one.
    /// Such a setting is never worse, whatever the opposing strategy, so these are mistakes against any opponent.
    pub dominated: u64,
    /// The total loss over all deals, in millionths of a stake.
    pub lost: i128,
    /// The costliest hand, and the optimal setting for it.
    pub worst: Option<Sample>,
    /// The hand with the largest loss from a dominated setting, with the best setting that dominates it.
    pub worst_dominated: Option<Sample>,
}

impl EvLoss {
    /// Adds a class of hands.
    pub(super) fn add(&mut self, class: &ClassCounts, plays: Setting, best: Setting, payoff: Payoff) {
        let hands = u64::from(class.orbit);
        self.hands += hands;
        if let Some(better) = dominating(class, plays, payoff) {
            self.dominated += hands;
            let sample = Sample::new(class, plays, better, payoff);
            self.worst_dominated = Sample::clearest(self.worst_dominated, Some(sample));
        }
        let lost = class.gain(best, payoff) - class.gain(plays, payoff);
        if lost > 0 {
            self.suboptimal += hands;
            self.lost += i128::from(lost) * i128::from(hands);
            self.worst = Sample::clearest(self.worst, Some(Sample::new(class, plays, best, payoff)));
        }
    }

    /// Returns the sum of two losses.
    pub(super) fn plus(&self, more: &EvLoss) -> EvLoss {
        EvLoss {
            hands: self.hands + more.hands,
            suboptimal: self.suboptimal + more.suboptimal,
            dominated: self.dominated + more.dominated,
            lost: self.lost + more.lost,
            worst: Sample::clearest(self.worst, more.worst),
            worst_dominated: Sample::clearest(self.worst_dominated, more.worst_dominated),
        }
    }
}

/// Returns the best legal setting that dominates the given one, if any.
fn dominating(class: &ClassCounts, plays: Setting, payoff: Payoff) -> Option<Setting> {
    let set = class.sets[plays.index()];
    let better = class.legal_settings().filter(|other| class.sets[other.index()].dominates(set));
    better.min_by_key(|&setting| Reverse(class.gain(setting, payoff)))
}
