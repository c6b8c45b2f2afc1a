//! Sums over all deals: strategies against strategies, and the best answer to one.

use super::{Cancelled, ClassCounts, Run, Whole};
use crate::Ratio;
use crate::pai_gow::{BANKER_HANDS, BankerTable};
use houseway_env::cards::profile::Profiles;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Hand, Setting, Strategy};

/// What a side receives for a win and pays for a loss, in millionths of the stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payoff {
    win: u32,
    loss: u32,
}

impl Payoff {
    /// The player's: a win less the commission. Also that of a player who banks and pays the commission on each won bet.
    pub const fn player(commission: Rate) -> Payoff {
        Payoff { win: Rate::WHOLE - commission.millionths(), loss: Rate::WHOLE }
    }

    /// The house's that banks: what the player loses or receives.
    pub const fn house_bank(commission: Rate) -> Payoff {
        Payoff { win: Rate::WHOLE, loss: Rate::WHOLE - commission.millionths() }
    }

    /// What a win brings.
    pub const fn win_millionths(self) -> u32 {
        self.win
    }

    /// What a loss costs.
    pub const fn loss_millionths(self) -> u32 {
        self.loss
    }

    /// What so many wins and losses bring, in millionths of the stake.
    #[inline]
    pub const fn gain(self, wins: i64, losses: i64) -> i64 {
        wins * self.win as i64 - losses * self.loss as i64
    }
}

/// How all deals end for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DealCounts {
    /// Deals in which this side wins both comparisons.
    pub wins: u64,
    /// Deals in which each side wins one.
    pub pushes: u64,
    /// Deals in which this side loses both comparisons.
    pub losses: u64,
    /// Deals in which the fronts tie exactly; 0 unless copies are counted.
    pub copies_front: u64,
    /// Deals in which the backs tie exactly; 0 unless copies are counted.
    pub copies_back: u64,
}

impl DealCounts {
    /// All deals counted: 8,250,459,031,214,400 in the whole game.
    pub const fn deals(&self) -> u64 {
        self.wins + self.pushes + self.losses
    }

    /// The same deals for the other side.
    pub const fn other_side(self) -> DealCounts {
        DealCounts { wins: self.losses, losses: self.wins, ..self }
    }

    /// This and further deals together.
    pub const fn plus(self, more: DealCounts) -> DealCounts {
        DealCounts {
            wins: self.wins + more.wins,
            pushes: self.pushes + more.pushes,
            losses: self.losses + more.losses,
            copies_front: self.copies_front + more.copies_front,
            copies_back: self.copies_back + more.copies_back,
        }
    }

    /// The EV per unit staked.
    ///
    /// # Panics
    /// If no deal is counted.
    pub fn ev(&self, payoff: Payoff) -> Ratio {
        let gain = i128::from(self.wins) * i128::from(payoff.win) - i128::from(self.losses) * i128::from(payoff.loss);
        Ratio::new(gain, i128::from(self.deals()) * i128::from(Rate::WHOLE))
    }

    /// The mean of the square of what a unit staked brings.
    ///
    /// # Panics
    /// If no deal is counted.
    pub fn mean_square(&self, payoff: Payoff) -> Ratio {
        let square = |part: u32| i128::from(part) * i128::from(part);
        let sum = i128::from(self.wins) * square(payoff.win) + i128::from(self.losses) * square(payoff.loss);
        Ratio::new(sum, i128::from(self.deals()) * square(Rate::WHOLE))
    }

    /// The variance of what a unit staked brings; the square root of it is the standard deviation.
    ///
    /// # Panics
    /// If no deal is counted.
    pub fn variance(&self, payoff: Payoff) -> f64 {
        self.mean_square(payoff).value() - self.ev(payoff).value().powi(2)
    }

    /// Adds the deals of a class that is set so.
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

/// Anything that chooses settings for classes of hands.
pub trait Chooser: Sync {
    /// The settings for these classes, in their order.
    ///
    /// # Panics
    /// May panic on a choice that is a foul.
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
            class.setting_that_makes(set).unwrap_or_else(|| panic!("{} sets {} foul", self.name(), class.hand))
        };
        classes.iter().map(choice).collect()
    }
}

/// Any strategy, asked in batches of the classes of one multiset of ranks. It must not depend on which suits are which.
pub struct OfStrategy<'a>(pub &'a dyn Strategy);

impl Chooser for OfStrategy<'_> {
    fn choose(&self, classes: &[ClassCounts]) -> Vec<Setting> {
        let hands: Vec<Hand> = classes.iter().map(|class| class.hand).collect();
        let settings = self.0.set_batch(&hands);
        assert_eq!(settings.len(), hands.len(), "{} answers every hand", self.0.name());
        for (class, &setting) in classes.iter().zip(&settings) {
            assert!(class.is_legal(setting), "{} sets {} foul", self.0.name(), class.hand);
        }
        settings
    }
}

/// The best answer of a side to the other side's strategy.
pub struct Optimum(pub Payoff);

impl Chooser for Optimum {
    fn choose(&self, classes: &[ClassCounts]) -> Vec<Setting> {
        classes.iter().map(|class| class.best(self.0)).collect()
    }
}

impl Whole<'_> {
    /// How all deals end for each of these ways to set the counted side's hands, in one pass.
    ///
    /// # Errors
    /// If the run was cancelled.
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
