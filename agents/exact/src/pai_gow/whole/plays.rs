//! The strategy of the evaluated side, and totals over all deals.

use super::classes::ClassCounts;
use super::pass::{Pass, Run};
use super::shard::Shard;
use crate::pai_gow::banker::BankerTable;
use crate::pai_gow::mixed::MixedTable;
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts, OutcomeWeights, Payoff, RANDOM_WEIGHT};
use crate::pai_gow::table::ClassTable;
use crate::solver::Cancelled;
use houseway_env::cards::classes::Classes;
use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::{SetHand, Setting};

/// The strategy of the evaluated side.
#[derive(Clone, Copy)]
pub enum Play<'a> {
    /// The best response to the other side under this payoff. Ties go to the setting with the lowest index.
    Best(Payoff),
    /// A legal setting, picked uniformly at random.
    Random,
    /// A table over profiles.
    Profiles(&'a BankerTable),
    /// A table over classes.
    Classes(&'a ClassTable),
    /// A mixed strategy.
    Mixed(&'a MixedTable),
}

impl Play<'_> {
    /// Returns the total weight of a hand's settings, which is 1 if it has a single setting.
    pub fn weight(&self) -> u32 {
        match self {
            Play::Mixed(_) => MixedTable::WHOLE,
            Play::Random => RANDOM_WEIGHT,
            _ => 1,
        }
    }

    /// Returns one setting per class, in the same order.
    ///
    /// # Panics
    /// Panics if a setting is a foul, or if hands don't have a single setting.
    pub fn choose<N: Copy + Default + Into<i64>>(&self, classes: &[ClassCounts<N>]) -> Vec<Setting> {
        classes.iter().map(|class| self.setting(class)).collect()
    }

    fn setting<N: Copy + Default + Into<i64>>(&self, class: &ClassCounts<N>) -> Setting {
        match self {
            Play::Best(payoff) => class.best(*payoff),
            Play::Profiles(table) => making(class, table.set(Profiles::get().of(class.hand.set())), table.name()),
            Play::Classes(table) => {
                let setting = table.setting(Classes::seven().index(class.hand.set()));
                assert!(class.is_legal(setting), "{} fouls with {}", table.name(), class.hand);
                setting
            }
            Play::Mixed(_) | Play::Random => panic!("the strategy has no single setting for a hand"),
        }
    }

    /// Calls `visit` with the settings that are played, and their weights.
    fn each<N: Copy + Default + Into<i64>>(&self, class: &ClassCounts<N>, mut visit: impl FnMut(Setting, u32)) {
        match self {
            Play::Mixed(table) => {
                for &(set, weight) in table.sets(Profiles::get().of(class.hand.set())) {
                    visit(making(class, set, table.name()), weight.into());
                }
            }
            Play::Random => {
                let weight = RANDOM_WEIGHT / class.legal.count_ones();
                class.legal_settings().for_each(|setting| visit(setting, weight));
            }
            _ => visit(self.setting(class), 1),
        }
    }

    /// Adds all deals with the hands in some classes. The weights of an opposing hand add up to `other`.
    fn add<N>(&self, classes: &[ClassCounts<N>], other: u32, total: &mut OutcomeWeights)
    where
        N: Copy + Default + Into<i64>,
    {
        let hands = u128::from(BANKER_HANDS) * u128::from(other) * u128::from(self.weight());
        for class in classes {
            let mut sums = [0u128; 4];
            self.each(class, |setting, weight| {
                let i = setting.index();
                let results = [class.wins[i], class.losses[i], class.copies_front[i], class.copies_back[i]];
                for (sum, result) in sums.iter_mut().zip(results) {
                    *sum += u128::from(result.into() as u64) * u128::from(weight);
                }
            });
            let [wins, losses, copies_front, copies_back] = sums;
            let counts = DealCounts::new(hands, [wins, losses], [copies_front, copies_back]);
            *total = total.plus(counts.times(class.orbit.into()));
        }
    }
}

/// Returns the first legal setting that makes the given set hand.
fn making<N: Copy + Default + Into<i64>>(class: &ClassCounts<N>, set: SetHand, name: &str) -> Setting {
    class.setting_that_makes(set).unwrap_or_else(|| panic!("{name} fouls with {}", class.hand))
}

impl DealCounts {
    /// Adds all deals in which a class is set in the given way.
    pub fn add(&mut self, class: &ClassCounts, setting: Setting) {
        *self = self.plus(class.counts(setting, BANKER_HANDS).times(class.orbit.into()));
    }
}

impl Pass<'_> {
    /// Returns the outcome counts over all deals for each of the given plays, in a single pass.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if a side doesn't have a single setting for a hand, or if a play fouls.
    pub fn totals(&self, plays: &[Play<'_>], run: &Run<'_>) -> Result<Vec<DealCounts>, Cancelled> {
        self.totals_of(plays, &[], run)
    }

    /// Returns the outcome counts of the plays. This is faster if `played` has all of them, which must then be tables over
    /// profiles or best responses, because settings that none of them chooses are left out.
    pub(super) fn totals_of(
        &self,
        plays: &[Play<'_>],
        played: &[Play<'_>],
        run: &Run<'_>,
    ) -> Result<Vec<DealCounts>, Cancelled> {
        let visit = |totals: &mut Vec<DealCounts>, classes: &[ClassCounts]| {
            for (total, play) in totals.iter_mut().zip(plays) {
                classes.iter().zip(play.choose(classes)).for_each(|(class, setting)| total.add(class, setting));
            }
        };
        self.fold_played(played, run, || vec![DealCounts::default(); plays.len()], visit, sums)
    }

    /// Returns the outcome weights for each of the given plays, in a single pass. Both sides can mix their settings. The
    /// weights of each deal add up to the product of [`Pass::weight`] and [`Play::weight`].
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if a play fouls.
    pub fn weights(&self, plays: &[Play<'_>], run: &Run<'_>) -> Result<Vec<OutcomeWeights>, Cancelled> {
        let (other, init) = (self.weight(), || vec![OutcomeWeights::default(); plays.len()]);
        if other == 1 {
            if plays.iter().all(|play| play.weight() == 1) {
                let are_known = plays.iter().all(|play| matches!(play, Play::Profiles(_) | Play::Best(_)));
                let totals = self.totals_of(plays, if are_known { plays } else { &[] }, run)?;
                return Ok(totals.into_iter().map(OutcomeWeights::from).collect());
            }
            let visit = |totals: &mut Vec<_>, classes: &[ClassCounts]| {
                totals.iter_mut().zip(plays).for_each(|(total, play)| play.add(classes, other, total));
            };
            return self.fold(run, init, visit, sums);
        }
        let visit = |totals: &mut Vec<_>, classes: &[ClassCounts<i64>]| {
            totals.iter_mut().zip(plays).for_each(|(total, play)| play.add(classes, other, total));
        };
        self.fold_weights(run, init, visit, sums)
    }

    /// Returns the outcome weights for each of the given plays like [`Pass::weights`], and the number of hands that it sets
    /// as well as the best response under a payoff. A play that mixes its settings sets a part of a hand with each of them,
    /// so this number is a total of weights.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if a play fouls.
    pub fn scores(
        &self,
        plays: &[Play<'_>],
        payoff: Payoff,
        run: &Run<'_>,
    ) -> Result<Vec<(OutcomeWeights, u64)>, Cancelled> {
        let init = || vec![(OutcomeWeights::default(), 0); plays.len()];
        let merge = |a: Vec<(OutcomeWeights, u64)>, b: Vec<(OutcomeWeights, u64)>| {
            a.into_iter().zip(b).map(|(a, b)| (a.0.plus(b.0), a.1 + b.1)).collect()
        };
        if self.weight() == 1 {
            let visit = |scores: &mut Vec<_>, classes: &[ClassCounts]| add_scores(plays, classes, 1, payoff, scores);
            return self.fold(run, init, visit, merge);
        }
        let other = self.weight();
        let visit = |scores: &mut Vec<_>, classes: &[ClassCounts<i64>]| {
            add_scores(plays, classes, other, payoff, scores);
        };
        self.fold_weights(run, init, visit, merge)
    }

    /// Tabulates the settings that are played, in a single pass over all classes.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if the run is restricted to a shard, or under the same conditions as [`Pass::totals`].
    pub fn tabulate(&self, name: &str, play: Play<'_>, run: &Run<'_>) -> Result<ClassTable, Cancelled> {
        assert_eq!(run.shard, Shard::WHOLE, "a class table requires all classes");
        let ((), table) = ClassTable::fill(name, |put| {
            let visit = |(): &mut (), classes: &[ClassCounts]| {
                for (class, setting) in classes.iter().zip(play.choose(classes)) {
                    put(Classes::seven().index(class.hand.set()), setting);
                }
            };
            self.fold(run, || (), visit, |(), ()| ())
        })?;
        Ok(table)
    }
}

/// Adds all deals with the hands in some classes, and the hands that are set as well as the best response. The weights of an
/// opposing hand add up to `other`.
fn add_scores<N: Copy + Default + Into<i64>>(
    plays: &[Play<'_>],
    classes: &[ClassCounts<N>],
    other: u32,
    payoff: Payoff,
    scores: &mut [(OutcomeWeights, u64)],
) {
    for (play, (counts, agreed)) in plays.iter().zip(scores) {
        play.add(classes, other, counts);
        for class in classes {
            let most = class.gain(class.best(payoff), payoff);
            play.each(class, |setting, weight| {
                let agrees = class.gain(setting, payoff) == most;
                *agreed += if agrees { u64::from(class.orbit) * u64::from(weight) } else { 0 };
            });
        }
    }
}

/// Adds two threads' totals.
fn sums<N>(a: Vec<DealCounts<N>>, b: Vec<DealCounts<N>>) -> Vec<DealCounts<N>>
where
    N: Copy + std::ops::Add<Output = N> + std::ops::Sub<Output = N> + std::ops::Mul<Output = N> + Into<u128>,
{
    a.into_iter().zip(b).map(|(a, b)| a.plus(b)).collect()
}
