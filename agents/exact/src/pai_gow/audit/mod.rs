//! Audits of house ways. An audit computes the exact EV that a way loses, and finds the rules and hands responsible for
//! the loss, in one pass over all hand classes.
//!
//! - [`audit`] computes the loss for each rule and each group of hands, finds dominated settings, evaluates
//!   alternatives, and counts the results of the fronts and backs that the way plays. [`audit_table`] does the same for
//!   a strategy without rules.
//! - [`Alternatives`] holds other strategies to evaluate in the same pass.
//! - [`Prices`] lists the alternatives for an audit: the other options of each reading, and the way without each of its
//!   rules.
//! - [`difference`] compares two strategies, and reports the change in EV along with the hands that they set
//!   differently. [`differences`] compares one strategy with several others in a single pass.
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
//! use houseway_exact::pai_gow::whole::{Pass, Payoff, Run, Side};
//!
//! let game = Game::new(Rules::default());
//! let way = HouseWay::compile(Way::named("trump-plaza")?, &game)?;
//! let whole = Pass::new(&game, Side::Player, &BankerTable::new(&way)).with_halves();
//! let payoff = Payoff::player(game.rules().commission);
//! let found = audit(&whole, &Alternatives::new(&way), payoff, &Run::default())?;
//! let (group, loss) = &found.groups[0];
//! println!("{}: {} of {} hands", group.group, loss.suboptimal, loss.hands);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alternatives;
mod difference;
mod group;
mod halves;
mod loss;
mod prices;
mod sample;
#[cfg(test)]
mod tests;

pub use alternatives::{Alternatives, ChangeCounts};
pub use difference::{Difference, difference, differences};
pub use group::{Complete, Group};
pub use halves::HalfCounts;
pub use loss::{EvLoss, GroupOfRule};
pub use prices::Prices;
pub use sample::Sample;

use super::BANKER_HANDS;
use super::whole::{Cancelled, ClassCounts, DealCounts, Pass, Payoff, Play, Run};
use super::{BankerTable, ClassTable};
use crate::Ratio;
use alternatives::Index;
use halves::Halves;
use houseway_env::cards::profile::Profiles;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::HouseWay;
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

/// Audits a house way on the evaluated side of `whole`, which must have been created with [`Pass::with_halves`].
///
/// # Errors
/// Returns an error if the run was cancelled.
///
/// # Panics
/// Panics if the way was compiled for other rules and fouls under the current ones.
pub fn audit(
    whole: &Pass<'_>,
    alternatives: &Alternatives<'_>,
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<AuditCounts, Cancelled> {
    let index = alternatives.index();
    let (way, table) = (alternatives.way(), BankerTable::new(alternatives.way()));
    let auditor = Auditor { whole, way: Some(way), play: Play::Profiles(&table), payoff, index };
    auditor.count(alternatives.len(), run)
}

/// Audits a table like [`audit`], treating all hands as set by a single rule with index 0.
///
/// # Errors
/// Returns an error if the run was cancelled.
///
/// # Panics
/// Panics if the table fouls under the game's rules.
pub fn audit_table(
    whole: &Pass<'_>,
    table: &ClassTable,
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<AuditCounts, Cancelled> {
    Auditor { whole, way: None, play: Play::Classes(table), payoff, index: Index::default() }.count(0, run)
}

/// The parameters shared by all threads.
struct Auditor<'a> {
    whole: &'a Pass<'a>,
    /// The house way, if the strategy is one.
    way: Option<&'a HouseWay>,
    play: Play<'a>,
    payoff: Payoff,
    index: Index,
}

/// The partial results from one thread.
struct Tally {
    hands: u64,
    way: DealCounts,
    best: DealCounts,
    groups: HashMap<GroupOfRule, EvLoss>,
    alternatives: Vec<ChangeCounts>,
    halves: Halves,
}

impl Auditor<'_> {
    fn count(&self, alternatives: usize, run: &Run<'_>) -> Result<AuditCounts, Cancelled> {
        let init = || Tally::new(alternatives, self.whole.game().ranking().strengths());
        Ok(self.whole.fold(run, init, |tally, classes| self.visit(tally, classes), Tally::plus)?.counts())
    }

    fn visit(&self, tally: &mut Tally, classes: &[ClassCounts]) {
        let groups = Group::of_classes(self.whole.game(), classes);
        for ((class, plays), group) in classes.iter().zip(self.play.choose(classes)).zip(groups) {
            let profile = Profiles::get().of(class.hand.set());
            let best = class.best(self.payoff);
            tally.hands += u64::from(class.orbit);
            tally.way.add(class, plays);
            tally.best.add(class, best);
            let rule = self.way.map_or(0, |way| way.rule_index(profile));
            let group = GroupOfRule { rule, group };
            tally.groups.entry(group).or_default().add(class, plays, best, self.payoff);
            tally.halves.add(class, plays);
            for &(number, set) in self.index.get(profile) {
                let other = class.setting_that_makes(set).expect("house ways never foul");
                tally.alternatives[usize::from(number)].add(class, plays, other, self.payoff);
            }
        }
    }
}

impl Tally {
    fn new(alternatives: usize, strengths: usize) -> Tally {
        Tally {
            hands: 0,
            way: DealCounts::default(),
            best: DealCounts::default(),
            groups: HashMap::new(),
            alternatives: vec![ChangeCounts::default(); alternatives],
            halves: Halves::new(strengths),
        }
    }

    fn plus(mut self, more: Tally) -> Tally {
        for (group, loss) in more.groups {
            let known = self.groups.entry(group).or_default();
            *known = known.plus(&loss);
        }
        let alternatives = self.alternatives.iter().zip(&more.alternatives).map(|(a, b)| a.plus(*b)).collect();
        Tally {
            hands: self.hands + more.hands,
            way: self.way.plus(more.way),
            best: self.best.plus(more.best),
            groups: self.groups,
            alternatives,
            halves: self.halves.plus(&more.halves),
        }
    }

    fn counts(self) -> AuditCounts {
        let mut groups: Vec<(GroupOfRule, EvLoss)> = self.groups.into_iter().collect();
        groups.sort_by_key(|(group, loss)| (Reverse(loss.lost), *group));
        let Halves { fronts, backs } = self.halves;
        AuditCounts {
            hands: self.hands,
            way: self.way,
            best: self.best,
            groups,
            alternatives: self.alternatives,
            fronts,
            backs,
        }
    }
}
