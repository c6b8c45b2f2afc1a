//! Adds up results over all deals for given strategies and for best responses.

use super::FullGame;
use super::classes::ClassCounts;
use super::payoff::Payoff;
use super::run::Run;
use super::shard::Shard;
use super::weights::OutcomeWeights;
use crate::Ratio;
use crate::pai_gow::{BANKER_HANDS, BankerTable, ClassTable};
use crate::solver::Cancelled;
use houseway_env::cards::classes::Classes;
use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::{Hand, Setting, Strategy};
use std::sync::atomic::{AtomicU8, Ordering};

/// The outcome counts for one side over all deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DealCounts {
    /// The number of deals in which this side wins both comparisons.
    pub wins: u64,
    /// The number of deals in which each side wins one comparison.
    pub pushes: u64,
    /// The number of deals in which this side loses both comparisons.
    pub losses: u64,
    /// The number of deals with equal fronts. Always 0 unless copies are counted.
    pub copies_front: u64,
    /// The number of deals with equal backs. Always 0 unless copies are counted.
    pub copies_back: u64,
}

impl DealCounts {
    /// Returns the number of deals, which is 8,250,459,031,214,400 for the full game.
    pub const fn deals(&self) -> u64 {
        self.wins + self.pushes + self.losses
    }

    /// Returns the counts from the other side's perspective.
    pub const fn other_side(self) -> DealCounts {
        DealCounts { wins: self.losses, losses: self.wins, ..self }
    }

    /// Adds two sets of counts.
    pub const fn plus(self, more: DealCounts) -> DealCounts {
        DealCounts {
            wins: self.wins + more.wins,
            pushes: self.pushes + more.pushes,
            losses: self.losses + more.losses,
            copies_front: self.copies_front + more.copies_front,
            copies_back: self.copies_back + more.copies_back,
        }
    }

    /// Returns the EV per unit staked.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn ev(self, payoff: Payoff) -> Ratio {
        OutcomeWeights::from(self).ev(payoff)
    }

    /// Returns the mean of the squared result per unit staked.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn mean_square(self, payoff: Payoff) -> Ratio {
        OutcomeWeights::from(self).mean_square(payoff)
    }

    /// Returns the variance of the result per unit staked.
    ///
    /// # Panics
    /// Panics if there are no deals.
    pub fn variance(self, payoff: Payoff) -> f64 {
        OutcomeWeights::from(self).variance(payoff)
    }

    /// Adds all deals in which a class is set in the given way.
    pub fn add(&mut self, class: &ClassCounts, setting: Setting) {
        let (i, orbit) = (setting.index(), u64::from(class.orbit));
        let [wins, losses] = [class.wins[i], class.losses[i]].map(u64::from);
        self.wins += orbit * wins;
        self.losses += orbit * losses;
        self.pushes += orbit * (BANKER_HANDS - wins - losses);
        self.copies_front += orbit * u64::from(class.copies_front[i]);
        self.copies_back += orbit * u64::from(class.copies_back[i]);
    }
}

impl From<DealCounts> for OutcomeWeights {
    fn from(counts: DealCounts) -> OutcomeWeights {
        let DealCounts { wins, pushes, losses, copies_front, copies_back } = counts;
        let [wins, pushes, losses] = [wins, pushes, losses].map(u128::from);
        let [copies_front, copies_back] = [copies_front, copies_back].map(u128::from);
        OutcomeWeights { wins, pushes, losses, copies_front, copies_back }
    }
}

/// Selects a setting for each class of hands.
pub trait Chooser: Sync {
    /// Returns one setting per class, in the same order.
    ///
    /// # Panics
    /// May panic if a selected setting is a foul.
    fn choose(&self, classes: &[ClassCounts]) -> Vec<Setting>;
}

impl<C: Chooser + ?Sized> Chooser for &C {
    fn choose(&self, classes: &[ClassCounts]) -> Vec<Setting> {
        (**self).choose(classes)
    }
}

impl Chooser for BankerTable {
    fn choose(&self, classes: &[ClassCounts]) -> Vec<Setting> {
        let profiles = Profiles::get();
        let choice = |class: &ClassCounts| {
            let set = self.set(profiles.of(class.hand.set()));
            class.setting_that_makes(set).unwrap_or_else(|| panic!("{} fouls with {}", self.name(), class.hand))
        };
        classes.iter().map(choice).collect()
    }
}

/// Looks up each class in the table.
impl Chooser for ClassTable {
    fn choose(&self, classes: &[ClassCounts]) -> Vec<Setting> {
        let index = Classes::seven();
        let choice = |class: &ClassCounts| {
            let setting = self.setting(index.index(class.hand.set()));
            assert!(class.is_legal(setting), "{} fouls with {}", self.name(), class.hand);
            setting
        };
        classes.iter().map(choice).collect()
    }
}

/// A chooser that queries a suit-isomorphic strategy in batches, with one batch per multiset of ranks.
pub struct StrategyChooser<'a>(pub &'a dyn Strategy);

impl Chooser for StrategyChooser<'_> {
    fn choose(&self, classes: &[ClassCounts]) -> Vec<Setting> {
        let hands: Vec<Hand> = classes.iter().map(|class| class.hand).collect();
        let settings = self.0.set_batch(&hands);
        assert_eq!(settings.len(), hands.len(), "{} must return one setting per hand", self.0.name());
        for (class, &setting) in classes.iter().zip(&settings) {
            assert!(class.is_legal(setting), "{} fouls with {}", self.0.name(), class.hand);
        }
        settings
    }
}

/// A chooser that plays the best response to the other side's strategy, given this side's payoff.
pub struct BestResponse(pub Payoff);

impl Chooser for BestResponse {
    fn choose(&self, classes: &[ClassCounts]) -> Vec<Setting> {
        classes.iter().map(|class| class.best(self.0)).collect()
    }
}

impl FullGame<'_> {
    /// Tabulates the settings that `chooser` selects, in a single pass over all classes.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    ///
    /// # Panics
    /// Panics if the run is restricted to a shard.
    pub fn tabulate(&self, name: &str, chooser: &dyn Chooser, run: &Run<'_>) -> Result<ClassTable, Cancelled> {
        assert_eq!(run.shard, Shard::WHOLE, "a class table requires all classes");
        let classes = Classes::seven();
        let settings: Vec<AtomicU8> = (0..classes.len()).map(|_| AtomicU8::new(u8::MAX)).collect();
        let visit = |(): &mut (), some: &[ClassCounts]| {
            for (class, setting) in some.iter().zip(chooser.choose(some)) {
                settings[classes.index(class.hand.set())].store(setting.index() as u8, Ordering::Relaxed);
            }
        };
        self.fold(run, || (), visit, |(), ()| ())?;
        let settings = settings.into_iter().map(AtomicU8::into_inner).collect();
        Ok(ClassTable::new(name, settings).expect("every class was visited"))
    }

    /// Returns the outcome counts of a strategy over all deals. Against a strategy that only depends on profiles, this
    /// is faster than [`FullGame::totals`], because settings that aren't played are left out.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    ///
    /// # Panics
    /// Panics if the strategy fouls.
    pub fn total_of(&self, strategy: &BankerTable, run: &Run<'_>) -> Result<DealCounts, Cancelled> {
        let visit = |total: &mut DealCounts, classes: &[ClassCounts]| {
            classes.iter().zip(strategy.choose(classes)).for_each(|(class, setting)| total.add(class, setting));
        };
        self.fold_played(Some(strategy), run, DealCounts::default, visit, DealCounts::plus)
    }

    /// Returns the outcome counts over all deals for each of the given choosers, in a single pass.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn totals(&self, choosers: &[&dyn Chooser], run: &Run<'_>) -> Result<Vec<DealCounts>, Cancelled> {
        let visit = |totals: &mut Vec<DealCounts>, classes: &[ClassCounts]| {
            for (total, chooser) in totals.iter_mut().zip(choosers) {
                for (class, setting) in classes.iter().zip(chooser.choose(classes)) {
                    total.add(class, setting);
                }
            }
        };
        let merge = |a: Vec<DealCounts>, b: Vec<DealCounts>| a.into_iter().zip(b).map(|(a, b)| a.plus(b)).collect();
        self.fold(run, || vec![DealCounts::default(); choosers.len()], visit, merge)
    }
}
