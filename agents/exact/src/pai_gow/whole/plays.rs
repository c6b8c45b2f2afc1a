//! Strategies on the evaluated side, and totals for mixed strategies on either side.

use super::classes::ClassCounts;
use super::mixed_game::{MixedCounts, MixedGame};
use super::payoff::Payoff;
use super::run::Run;
use super::weights::{OutcomeWeights, RANDOM_WEIGHT};
use super::{FullGame, Side};
use crate::pai_gow::{BANKER_HANDS, BankerTable, ClassTable, MixedTable};
use crate::solver::Cancelled;
use houseway_env::cards::classes::Classes;
use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::{Hand, SetHand, Setting};
use std::cmp::Reverse;

/// A strategy on the evaluated side.
pub enum Play<'a> {
    /// Plays the best response under this payoff. Ties go to the setting with the lowest index.
    Best(Payoff),
    /// Follows a table over profiles.
    Profiles(BankerTable),
    /// Follows a table over classes.
    Classes(&'a ClassTable),
    /// Follows a mixed strategy.
    Mixed(&'a MixedTable),
    /// Picks a legal setting uniformly at random.
    Random,
}

/// The other side's strategy, prepared for an enumeration of this side's hands.
pub enum Opposition<'a> {
    /// A pure strategy.
    Pure(FullGame<'a>),
    /// A mixed strategy.
    Mixed(MixedGame<'a>),
}

/// A class of hands and the results of its settings.
trait EvaluatedClass {
    /// Returns the canonical hand, the number of hands in the class, the legal settings as a bit mask, and the set hand
    /// that each setting makes.
    fn head(&self) -> (Hand, u32, u32, &[SetHand; Setting::COUNT]);

    /// Returns the wins, losses, equal fronts and equal backs for a setting.
    fn results(&self, setting: Setting) -> [i64; 4];

    /// Returns the gain from a setting, in millionths of the stake times the weight of an opposing hand.
    fn gain(&self, setting: Setting, payoff: Payoff) -> i64 {
        let [wins, losses, ..] = self.results(setting);
        payoff.gain(wins, losses)
    }

    /// Iterates over the legal settings in order.
    fn legal(&self) -> impl Iterator<Item = Setting> {
        let (_, _, legal, _) = self.head();
        Setting::all().filter(move |setting| legal >> setting.index() & 1 == 1)
    }

    /// Returns the first legal setting that makes the given set hand.
    ///
    /// # Panics
    /// Panics if there is none. The message contains the strategy's name.
    fn making(&self, set: SetHand, name: &str) -> Setting {
        let (hand, _, _, sets) = self.head();
        let found = self.legal().find(|setting| sets[setting.index()] == set);
        found.unwrap_or_else(|| panic!("{name} fouls with {hand}"))
    }
}

impl EvaluatedClass for ClassCounts {
    fn head(&self) -> (Hand, u32, u32, &[SetHand; Setting::COUNT]) {
        (self.hand, self.orbit, self.legal, &self.sets)
    }

    fn results(&self, setting: Setting) -> [i64; 4] {
        let i = setting.index();
        [self.wins[i], self.losses[i], self.copies_front[i], self.copies_back[i]].map(i64::from)
    }
}

impl EvaluatedClass for MixedCounts {
    fn head(&self) -> (Hand, u32, u32, &[SetHand; Setting::COUNT]) {
        (self.hand, self.orbit, self.legal, &self.sets)
    }

    fn results(&self, setting: Setting) -> [i64; 4] {
        let i = setting.index();
        [self.wins[i], self.losses[i], self.copies_front[i], self.copies_back[i]]
    }
}

impl Play<'_> {
    /// Returns the total weight of a hand's settings.
    pub fn weight(&self) -> u32 {
        match self {
            Play::Best(_) | Play::Profiles(_) | Play::Classes(_) => 1,
            Play::Mixed(_) => MixedTable::WHOLE,
            Play::Random => RANDOM_WEIGHT,
        }
    }

    /// Calls `visit` with the settings that are played, and their weights.
    ///
    /// # Panics
    /// Panics if a setting is a foul.
    fn each(&self, class: &impl EvaluatedClass, mut visit: impl FnMut(Setting, u32)) {
        let (hand, ..) = class.head();
        let cards = hand.set();
        match self {
            Play::Best(payoff) => {
                // Unlike `max_by_key`, `min_by_key` returns the first of several equal elements.
                let best = class.legal().min_by_key(|&setting| Reverse(class.gain(setting, *payoff)));
                visit(best.expect("every hand has a legal setting"), 1);
            }
            Play::Profiles(table) => {
                visit(class.making(table.set(Profiles::get().of(cards)), table.name()), 1);
            }
            Play::Classes(table) => {
                let setting = table.setting(Classes::seven().index(cards));
                assert!(class.legal().any(|it| it == setting), "{} fouls with {hand}", table.name());
                visit(setting, 1);
            }
            Play::Mixed(table) => {
                for &(set, weight) in table.sets(Profiles::get().of(cards)) {
                    visit(class.making(set, table.name()), weight.into());
                }
            }
            Play::Random => {
                let weight = RANDOM_WEIGHT / class.legal().count() as u32;
                class.legal().for_each(|setting| visit(setting, weight));
            }
        }
    }

    /// Adds all deals with a class's hands. The weights of an opposing hand add up to `other`.
    fn add(&self, class: &impl EvaluatedClass, other: u32, total: &mut OutcomeWeights) {
        let mut sums = [0u128; 4];
        self.each(class, |setting, weight| {
            let results = class.results(setting).map(|result| u128::from(result as u64) * u128::from(weight));
            sums.iter_mut().zip(results).for_each(|(sum, result)| *sum += result);
        });
        let (_, orbit, ..) = class.head();
        let orbit = u128::from(orbit);
        let all = orbit * u128::from(BANKER_HANDS) * u128::from(other) * u128::from(self.weight());
        let [wins, losses, copies_front, copies_back] = sums.map(|sum| orbit * sum);
        *total = total.plus(OutcomeWeights { wins, losses, pushes: all - wins - losses, copies_front, copies_back });
    }
}

impl<'a> Opposition<'a> {
    /// Returns the side whose hands are enumerated.
    pub fn side(&self) -> Side {
        match self {
            Opposition::Pure(whole) => whole.side(),
            Opposition::Mixed(whole) => whole.side(),
        }
    }

    /// Returns the total weight of an opposing hand's settings.
    pub fn weight(&self) -> u32 {
        match self {
            Opposition::Pure(_) => 1,
            Opposition::Mixed(_) => MixedTable::WHOLE,
        }
    }

    /// Also counts copies.
    pub fn with_copies(self) -> Opposition<'a> {
        match self {
            Opposition::Pure(whole) => Opposition::Pure(whole.with_copies()),
            Opposition::Mixed(whole) => Opposition::Mixed(whole.with_copies()),
        }
    }

    /// Returns the outcomes for each of the given plays, in a single pass. The weights of each deal add up to the
    /// product of this weight and the play's.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    ///
    /// # Panics
    /// Panics if a play fouls.
    pub fn totals(&self, plays: &[&Play<'_>], run: &Run<'_>) -> Result<Vec<OutcomeWeights>, Cancelled> {
        let init = || vec![OutcomeWeights::default(); plays.len()];
        let merge =
            |a: Vec<OutcomeWeights>, b: Vec<OutcomeWeights>| a.into_iter().zip(b).map(|(a, b)| a.plus(b)).collect();
        match self {
            Opposition::Pure(whole) => {
                whole.fold(run, init, |totals: &mut Vec<_>, some: &[ClassCounts]| self.add(totals, plays, some), merge)
            }
            Opposition::Mixed(whole) => {
                whole.fold(run, init, |totals: &mut Vec<_>, some: &[MixedCounts]| self.add(totals, plays, some), merge)
            }
        }
    }

    fn add(&self, totals: &mut [OutcomeWeights], plays: &[&Play<'_>], classes: &[impl EvaluatedClass]) {
        for (total, play) in totals.iter_mut().zip(plays) {
            classes.iter().for_each(|class| play.add(class, self.weight(), total));
        }
    }
}
