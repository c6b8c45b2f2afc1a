//! Audits of house ways: exactly where a way costs money, and how much, in one pass over all classes of hands.
//!
//! - [`audit`]: what every rule and every group of hands loses against the best play, which settings are dominated, what
//!   other readings and missing rules would change, and what becomes of the fronts and backs that the way forms.
//! - [`Alternatives`]: the other ways to set that are priced in the same pass.
//! - [`Prices`]: of all of them those that an audit prices, the options of readings and missing rules.
//! - [`difference`]: two ways side by side: the change in EV, and the hands that they set differently.
//! - [`Group`]: hands as people name them, "two pairs KK 66, single ace".
//!
//! The way may be either side of the table: [`Whole::side`]. Everything is a count of hands or deals, or a sum of them times
//! millionths of the stake; [`ev_of`] makes an EV of such a sum.
//!
//! ```no_run
//! use houseway_env::pai_gow::house_way::{HouseWay, Way};
//! use houseway_env::pai_gow::{Game, Rules};
//! use houseway_exact::pai_gow::BankerTable;
//! use houseway_exact::pai_gow::audit::{Alternatives, audit};
//! use houseway_exact::pai_gow::whole::{Payoff, Run, Side, Whole};
//!
//! let game = Game::new(Rules::default());
//! let way = HouseWay::compile(Way::named("trump-plaza")?, &game)?;
//! let whole = Whole::new(&game, Side::Player, &BankerTable::new(&way)).with_halves();
//! let payoff = Payoff::player(game.rules().commission);
//! let found = audit(&whole, &Alternatives::to(&way), payoff, &Run::default())?;
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
pub use difference::{Difference, difference};
pub use group::{Complete, Group};
pub use halves::HalfCounts;
pub use loss::{GroupOfRule, Loss};
pub use prices::Prices;
pub use sample::Sample;

use super::BANKER_HANDS;
use super::whole::{Cancelled, ClassCounts, DealCounts, Payoff, Run, Whole};
use crate::Ratio;
use alternatives::Index;
use halves::Halves;
use houseway_env::cards::profile::Profiles;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{ProfileStrategy, Setting};
use std::cmp::Reverse;
use std::collections::HashMap;

/// What an audit counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditCounts {
    /// Hands that the way sets, all of them legally: 154,143,080 in the whole game.
    pub hands: u64,
    /// How all deals end for the way.
    pub way: DealCounts,
    /// How all deals end for the best play against the same other side.
    pub best: DealCounts,
    /// What each group of hands loses, by the rule that sets it; what loses most comes first.
    pub groups: Vec<(GroupOfRule, Loss)>,
    /// What each alternative changes, by its number.
    pub alternatives: Vec<ChangeCounts>,
    /// The fronts that the way forms, by [`TwoStrength::index`](houseway_env::rank::TwoStrength::index).
    pub fronts: Vec<HalfCounts>,
    /// The backs that the way forms, by [`FiveStrength::index`](houseway_env::rank::FiveStrength::index).
    pub backs: Vec<HalfCounts>,
}

/// The EV of a sum of gains in millionths of a stake, over all deals of so many hands.
///
/// # Panics
/// If there are no hands.
pub fn ev_of(gain: i128, hands: u64) -> Ratio {
    Ratio::new(gain, i128::from(hands) * i128::from(BANKER_HANDS) * i128::from(Rate::WHOLE))
}

impl AuditCounts {
    /// What each rule loses, in the order of the rules.
    pub fn by_rule(&self, rules: usize) -> Vec<Loss> {
        let mut losses = vec![Loss::default(); rules];
        for (group, loss) in &self.groups {
            losses[group.rule] = losses[group.rule].plus(loss);
        }
        losses
    }

    /// What the way loses in all.
    pub fn total(&self) -> Loss {
        self.groups.iter().fold(Loss::default(), |sum, (_, loss)| sum.plus(loss))
    }
}

/// Counts all that an audit asks of a house way, the counted side of `whole`, which must count halves.
///
/// # Errors
/// If the run was cancelled.
///
/// # Panics
/// If the way was made for other rules, by which it fouls under these.
pub fn audit(
    whole: &Whole<'_>,
    alternatives: &Alternatives<'_>,
    payoff: Payoff,
    run: &Run<'_>,
) -> Result<AuditCounts, Cancelled> {
    let auditor = Auditor { whole, way: alternatives.way(), payoff, index: alternatives.index() };
    let init = || Tally::new(alternatives.len(), whole.game().ranking().strengths());
    let tally = whole.fold(run, init, |tally, classes| auditor.visit(tally, classes), Tally::plus)?;
    Ok(tally.counts())
}

/// The setting of a class that a house way plays.
fn set_by(way: &HouseWay, class: &ClassCounts) -> Setting {
    let set = way.set_profile(Profiles::get().of(class.hand.set()));
    class.setting_that_makes(set).unwrap_or_else(|| panic!("{} sets {} foul", way.way().name(), class.hand))
}

/// What all threads look at.
struct Auditor<'a> {
    whole: &'a Whole<'a>,
    way: &'a HouseWay,
    payoff: Payoff,
    index: Index,
}

/// What a thread has counted so far.
struct Tally {
    hands: u64,
    way: DealCounts,
    best: DealCounts,
    groups: HashMap<GroupOfRule, Loss>,
    alternatives: Vec<ChangeCounts>,
    halves: Halves,
}

impl Auditor<'_> {
    fn visit(&self, tally: &mut Tally, classes: &[ClassCounts]) {
        for (class, group) in classes.iter().zip(Group::of_classes(self.whole.game(), classes)) {
            let profile = Profiles::get().of(class.hand.set());
            let (plays, best) = (set_by(self.way, class), class.best(self.payoff));
            tally.hands += u64::from(class.orbit);
            tally.way.add(class, plays);
            tally.best.add(class, best);
            let group = GroupOfRule { rule: self.way.rule_index(profile), group };
            tally.groups.entry(group).or_default().add(class, plays, best, self.payoff);
            tally.halves.add(class, plays);
            for &(number, set) in self.index.of(profile) {
                let other = class.setting_that_makes(set).expect("house ways are legal");
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
        let mut groups: Vec<(GroupOfRule, Loss)> = self.groups.into_iter().collect();
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
