//! What a group of hands loses against the best play.

use super::{Group, Sample};
use crate::pai_gow::whole::{ClassCounts, Payoff};
use houseway_env::pai_gow::Setting;
use std::cmp::Reverse;

/// A group of hands that one rule sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupOfRule {
    /// Index of the rule in [`Survey::rules`](houseway_env::pai_gow::house_way::Survey::rules).
    pub rule: usize,
    /// The hands.
    pub group: Group,
}

/// What some hands lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// The hands.
    pub hands: u64,
    /// Those of them for which another setting has a greater EV.
    pub suboptimal: u64,
    /// Those of them for which another legal setting is no lower in both halves and higher in one. It does as well or better
    /// against whatever the other side does, so these are mistakes by the rules of the game alone.
    pub dominated: u64,
    /// What they lose over all deals, in millionths of a stake.
    pub lost: i128,
    /// The hand that loses most, beside the best play.
    pub worst: Option<Sample>,
    /// The hand that loses most by a dominated setting, beside the best setting that dominates it.
    pub worst_dominated: Option<Sample>,
}

impl Loss {
    /// Counts a class of hands.
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

    /// These hands and others together.
    pub(super) fn plus(&self, more: &Loss) -> Loss {
        Loss {
            hands: self.hands + more.hands,
            suboptimal: self.suboptimal + more.suboptimal,
            dominated: self.dominated + more.dominated,
            lost: self.lost + more.lost,
            worst: Sample::clearest(self.worst, more.worst),
            worst_dominated: Sample::clearest(self.worst_dominated, more.worst_dominated),
        }
    }
}

/// The best legal setting that dominates this one, if one does.
fn dominating(class: &ClassCounts, plays: Setting, payoff: Payoff) -> Option<Setting> {
    let set = class.sets[plays.index()];
    let better = class.legal_settings().filter(|other| class.sets[other.index()].dominates(set));
    better.min_by_key(|&setting| Reverse(class.gain(setting, payoff)))
}
