//! Sums of results over hands with the same profile.

use super::answers::Answers;
use super::classes::{hands, suited_settings};
use super::counted::PassOptions;
use super::multiset::{Form, Multiset};
use super::payoff::Payoff;
use super::suitings::SuitedProfile;
use crate::pai_gow::{BANKER_HANDS, Side};
use houseway_env::pai_gow::{BankPushes, Hand, SetHand, Setting, settings_in};

/// The results of a profile's settings, summed over its hands. The weights of an opposing hand add up to
/// [`MixedTable::WHOLE`](crate::pai_gow::MixedTable::WHOLE). Dominated settings may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileSums {
    /// A hand with this profile.
    pub hand: Hand,
    /// The number of hands with this profile.
    pub hands: u32,
    /// A bit mask of the evaluated settings. The arrays below are only meaningful for these settings.
    pub legal: u32,
    /// The set hand that each setting makes.
    pub sets: [SetHand; Setting::COUNT],
    /// The weight of the deals in which the opposing hand loses both comparisons.
    pub wins: [i64; Setting::COUNT],
    /// The weight of the deals in which the opposing hand wins both comparisons.
    pub losses: [i64; Setting::COUNT],
}

impl ProfileSums {
    /// Returns the highest gain of any evaluated setting, in millionths of the stake times the weight of the deals.
    pub fn best(&self, payoff: Payoff) -> i128 {
        let [win, loss] = [payoff.win_millionths(), payoff.loss_millionths()].map(i128::from);
        let gain = |i: usize| win * i128::from(self.wins[i]) - loss * i128::from(self.losses[i]);
        let gains = settings_in(self.legal).map(|setting| gain(setting.index()));
        gains.max().expect("every hand has a legal setting")
    }

    /// Returns the first evaluated setting that makes the given set hand.
    pub fn setting_that_makes(&self, set: SetHand) -> Option<Setting> {
        settings_in(self.legal).find(|setting| self.sets[setting.index()] == set)
    }
}

/// A profile whose results are summed. Its hands belong to the same multiset.
pub(super) struct Summed<'m> {
    multiset: &'m Multiset<'m>,
    profile: &'m SuitedProfile,
    /// A bit mask of the settings whose back is a flush.
    suited: u32,
    sums: ProfileSums,
}

impl<'m> Summed<'m> {
    /// Returns all profiles of a multiset, with sums of 0.
    pub(super) fn all(multiset: &'m Multiset<'m>) -> impl Iterator<Item = Summed<'m>> {
        let hands: Vec<_> = hands(multiset).collect();
        multiset.pattern.profiles.iter().map(move |profile| {
            let (suiting, cards) = hands[profile.first];
            let suited = suited_settings(multiset, suiting);
            let form = |i: usize| form(multiset, suited, i);
            let is_legal = |i: &usize| form(*i).legal >> i & 1 == 1;
            let sums = ProfileSums {
                hand: Hand::new(cards).expect("a suiting has seven cards"),
                hands: profile.hands,
                legal: (0..Setting::COUNT).filter(is_legal).fold(0, |legal, i| legal | 1 << i),
                sets: std::array::from_fn(|i| form(i).sets[i]),
                wins: [0; Setting::COUNT],
                losses: [0; Setting::COUNT],
            };
            Summed { multiset, profile, suited, sums }
        })
    }

    /// Adds the results, multiplied by `factor`, against opposing hands with the given total weight. If this weight is
    /// 0, there are also negative ones.
    pub(super) fn add(&mut self, (factor, weight): (i64, i32), answers: &Answers) {
        let SuitedProfile { first, hands, held } = self.profile;
        let first = &self.multiset.pattern.suitings[*first];
        let number = |place: u16| {
            let corrections = answers.corrections.get(place.into());
            let correction = |mask: u8| i64::from(corrections[usize::from(mask)]);
            // The number of opposing hands fits in 32 bits for each class. The number by ranks only might not, because
            // it treats flushes differently.
            let of_first: i64 = first.masks.iter().map(|&mask| correction(mask)).sum();
            let class = answers.base[usize::from(place)].wrapping_add(of_first as i32);
            let class = if weight == 0 { i64::from(class) } else { i64::from(class as u32) };
            let of_suits: i64 = held.iter().map(|&(mask, count)| i64::from(count) * correction(mask)).sum();
            i64::from(*hands) * (class - of_first) + of_suits
        };
        let all = i64::from(*hands) * i64::from(weight) * BANKER_HANDS as i64;
        for i in settings_in(self.sums.legal).map(Setting::index) {
            let [wins, losses, ..] = form(self.multiset, self.suited, i).needs[i].results(all, number);
            self.sums.wins[i] += factor * wins;
            self.sums.losses[i] += factor * losses;
        }
    }

    /// Returns the sums. Settings against which every bet pushes have no wins and losses.
    pub(super) fn finish(mut self, counted: &PassOptions<'_>) -> ProfileSums {
        if counted.side == Side::Banker && counted.game.rules().bank_pushes != BankPushes::None {
            for i in 0..Setting::COUNT {
                if counted.game.banker_set(self.sums.hand, self.sums.sets[i]).pushes() {
                    [self.sums.wins[i], self.sums.losses[i]] = [0; 2];
                }
            }
        }
        self.sums
    }
}

/// Returns the form that a setting has, given the settings whose back is a flush.
fn form<'m>(multiset: &'m Multiset<'_>, suited: u32, setting: usize) -> &'m Form {
    if suited >> setting & 1 == 1 { &multiset.suited } else { &multiset.plain }
}
