//! Audits of house ways. An audit computes the exact EV that a way loses, and finds the rules and hands responsible for
//! the loss, in one pass over all hand classes.
//!
//! - [`audit`] computes the loss for each rule and each group of hands, finds dominated settings, evaluates
//!   alternatives, and counts the results of the fronts and backs that the way plays. It also takes strategies without
//!   rules.
//! - [`Alternatives`] holds other strategies to evaluate in the same pass.
//! - [`Prices`] lists the alternatives for an audit: the other options of each reading, and the way without each of its
//!   rules.
//! - [`differences`] compares a strategy with others in a single pass, and reports the change in EV along with the hands
//!   that they set differently.
//! - [`Group`] puts hands into groups with readable names, such as "two pairs KK 66, single ace".
//!
//! The way can be on either side of the table ([`Pass::side`]). All results are counts of hands or deals, or sums
//! of gains in millionths of a stake. To convert such a sum to an EV, use [`ev_of`].
//!
//! ```no_run
//! use houseway_env::pai_gow::house_way::{HouseWay, Way};
//! use houseway_env::pai_gow::{Game, Rules};
//! use houseway_exact::pai_gow::BankerTable;
//! use houseway_exact::pai_gow::audit::{Alternatives, audit};
//! use houseway_exact::pai_gow::whole::{Pass, Payoff, Play, Run, Side};
//!
//! let game = Game::new(Rules::default());
//! let way = HouseWay::compile(Way::named("trump-plaza")?, &game)?;
//! let table = BankerTable::new(&way);
//! let whole = Pass::new(&game, Side::Player, &table).with_halves();
//! let payoff = Payoff::player(&game.rules());
//! let found = audit(&whole, Play::Profiles(&table), Some(&Alternatives::new(&way)), payoff, &Run::default())?;
//! let (group, loss) = &found.groups[0];
//! println!("{}: {} of {} hands", group.group, loss.suboptimal, loss.hands);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
#[cfg(test)]
mod tests;

pub use change::{Alternatives, ChangeCounts, Difference, Group, Prices, Sample, differences};

use super::outcomes::{BANKER_HANDS, DealCounts, Payoff};
use super::whole::{ClassCounts, Pass, Play, Run};
use crate::Ratio;
use crate::solver::Cancelled;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::money::Rate;
use houseway_env::pai_gow::Setting;
use houseway_env::rank::TwoStrength;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The results of an audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditCounts {
    /// The number of hands, all of which are set legally. This is 154,143,080 in the full game.
    pub hands: u64,
    /// The way's outcome counts over all deals.
    pub way: DealCounts,
    /// The outcome counts over all deals for the best response to the same opponent.
    pub best: DealCounts,
    /// The loss for each group of hands and the rule that sets it, largest loss first.
    pub groups: Vec<(GroupOfRule, EvLoss)>,
    /// The effect of each alternative, by index.
    pub alternatives: Vec<ChangeCounts>,
    /// The counts for the fronts that the way plays, by [`TwoStrength::index`](houseway_env::rank::TwoStrength::index).
    pub fronts: Vec<HalfCounts>,
    /// The counts for the backs that the way plays, by
    /// [`FiveStrength::index`](houseway_env::rank::FiveStrength::index).
    pub backs: Vec<HalfCounts>,
}

/// Converts a sum of gains to an EV. The gains are in millionths of a stake, summed over all deals of the given number
/// of hands.
///
/// # Panics
/// Panics if there are no hands.
pub fn ev_of(gain: i128, hands: u64) -> Ratio {
    Ratio::new(gain, i128::from(hands) * i128::from(BANKER_HANDS) * i128::from(Rate::WHOLE))
}

impl AuditCounts {
    /// Returns the loss of each rule, in rule order.
    pub fn by_rule(&self, rules: usize) -> Vec<EvLoss> {
        let mut losses = vec![EvLoss::default(); rules];
        for (group, loss) in &self.groups {
            losses[group.rule] = losses[group.rule].plus(loss);
        }
        losses
    }

    /// Returns the way's total loss.
    pub fn total(&self) -> EvLoss {
        self.groups.iter().fold(EvLoss::default(), |sum, (_, loss)| sum.plus(loss))
    }
}

/// Audits a strategy of the evaluated side of `whole`, which must have been created with [`Pass::with_halves`]. If it is a
/// house way, its alternatives name the rule for each hand. Otherwise, all hands count as set by a single rule with index
/// 0.
///
/// # Errors
/// Returns an error if the run was canceled.
///
/// # Panics
/// Panics if the strategy fouls under the game's rules, or if it doesn't have a single setting for every hand.
pub fn audit(
    whole: &Pass<'_>,
    play: Play<'_>,
    alternatives: Option<&Alternatives<'_>>,
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<AuditCounts, Cancelled> {
    let (differences, len) = alternatives.map_or((&[][..], 0), |it| (&it.differences[..], it.len));
    let rule = |profile: Profile| alternatives.map_or(0, |it| it.way.rule_index(profile));
    let visit = |tally: &mut Tally, classes: &[ClassCounts]| {
        let groups = Group::of_classes(whole.game(), classes);
        for ((class, plays), group) in classes.iter().zip(play.choose(classes)).zip(groups) {
            let profile = Profiles::get().of(class.hand.set());
            let best = class.best(payoff);
            tally.counts.hands += u64::from(class.orbit);
            tally.counts.way.add(class, plays);
            tally.counts.best.add(class, best);
            let group = GroupOfRule { rule: rule(profile), group };
            tally.groups.entry(group).or_default().add(class, plays, best, payoff);
            let (i, set) = (plays.index(), class.sets[plays.index()]);
            tally.counts.fronts[set.front.index()].add(class.orbit, class.lower_fronts[i], class.copies_front[i]);
            tally.counts.backs[set.back.index()].add(class.orbit, class.lower_backs[i], class.copies_back[i]);
            for &(number, set) in differences.get(profile.index()).into_iter().flatten() {
                let other = class.setting_that_makes(set).expect("house ways never foul");
                tally.counts.alternatives[usize::from(number)].add(class, plays, other, payoff);
            }
        }
    };
    let init = || Tally::new(len, whole.game().ranking().strengths());
    Ok(whole.fold(run, init, visit, Tally::plus)?.counts())
}

/// The partial results from one thread, whose groups aren't sorted yet.
struct Tally {
    counts: AuditCounts,
    groups: HashMap<GroupOfRule, EvLoss>,
}

impl Tally {
    fn new(alternatives: usize, strengths: usize) -> Tally {
        let counts = AuditCounts {
            hands: 0,
            way: DealCounts::default(),
            best: DealCounts::default(),
            groups: vec![],
            alternatives: vec![ChangeCounts::default(); alternatives],
            fronts: vec![HalfCounts::default(); TwoStrength::COUNT],
            backs: vec![HalfCounts::default(); strengths],
        };
        Tally { counts, groups: HashMap::new() }
    }

    fn plus(mut self, more: Tally) -> Tally {
        for (group, loss) in more.groups {
            let known = self.groups.entry(group).or_default();
            *known = known.plus(&loss);
        }
        let (own, more) = (&mut self.counts, more.counts);
        own.hands += more.hands;
        own.way = own.way.plus(more.way);
        own.best = own.best.plus(more.best);
        own.alternatives.iter_mut().zip(more.alternatives).for_each(|(own, more)| *own = own.plus(more));
        own.fronts.iter_mut().zip(&more.fronts).for_each(|(own, more)| *own = own.plus(more));
        own.backs.iter_mut().zip(&more.backs).for_each(|(own, more)| *own = own.plus(more));
        self
    }

    fn counts(self) -> AuditCounts {
        let mut groups: Vec<(GroupOfRule, EvLoss)> = self.groups.into_iter().collect();
        groups.sort_by_key(|(group, loss)| (Reverse(loss.lost), *group));
        AuditCounts { groups, ..self.counts }
    }
}

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
    fn add(&mut self, class: &ClassCounts, plays: Setting, best: Setting, payoff: Payoff) {
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

    /// Returns the loss of a rule as JSON, given the number of all hands, the EV that the loss amounts to, and the change
    /// if the rule's hands fall through to later rules, or the number of hands that no other rule would set.
    pub fn rule_json(&self, all: u64, lost: Ratio, without: Result<Value, u64>) -> Value {
        json!({
            "hands": self.hands.to_string(),
            "share": self.hands as f64 / all as f64,
            "suboptimal_hands": self.suboptimal.to_string(),
            "dominated": self.dominated.to_string(),
            "ev_lost": lost.value(),
            "ev_lost_exact": lost.to_json(),
            "without": without.unwrap_or_else(|hands| json!({ "uncovered": hands.to_string() })),
        })
    }

    /// Returns the sum of two losses.
    fn plus(&self, more: &EvLoss) -> EvLoss {
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
