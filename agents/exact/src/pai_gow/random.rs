//! Exact evaluation against a banker who sets uniformly at random.
//!
//! A hand's legal settings depend only on its profile. For each number `n` of legal settings and each `i < n`, there is
//! a table that contains the `i`-th legal setting of every hand with `n` of them, and no other hands. The counts
//! against these tables, weighted by `1 / n`, add up to the counts against the mixed strategy.

use super::side::Side;
use super::whole::RANDOM_WEIGHT;
use super::{BankerTable, HandCounts, HandEvaluator, KnownCards, SettingCounts};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::{BankerSet, Game, Hand, ProfileStrategy, SetHand, Setting, Strategy};
use rayon::prelude::*;

/// The name of the strategy that picks a legal setting uniformly at random.
pub const RANDOM: &str = "random";

/// The legal set hands for every profile.
struct LegalSets(Vec<Vec<SetHand>>);

impl LegalSets {
    fn new(game: &Game) -> LegalSets {
        let sets = |i: usize| {
            let hand = Profiles::get().representative(Profile::from_index(i));
            let hand = Hand::new(hand).expect("a profile has seven cards");
            game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set)).collect()
        };
        LegalSets((0..PROFILES).into_par_iter().with_min_len(1024).map(sets).collect())
    }
}

/// A table that contains only the hands with a given number of legal settings, and selects one of those for each hand.
struct Layer<'a> {
    sets: &'a LegalSets,
    legal: usize,
    place: usize,
}

impl Strategy for Layer<'_> {
    fn name(&self) -> &str {
        RANDOM
    }

    /// # Panics
    /// Always panics, because excluded hands have no setting.
    fn set(&self, _: Hand) -> Setting {
        unreachable!("a layer is evaluated by profiles")
    }
}

impl ProfileStrategy for Layer<'_> {
    fn set_profile(&self, profile: Profile) -> SetHand {
        match &self.sets.0[profile.index()][..] {
            // The engines exclude hands with this set hand.
            sets if sets.len() != self.legal => BankerSet::PUSHES.strengths(),
            sets => sets[self.place],
        }
    }
}

/// Evaluates every setting of a hand on `side` against all opposing hands, whose legal settings are all equally likely.
/// All counts are in units of 1 / [`RANDOM_WEIGHT`].
pub fn count_against_random(game: &Game, side: Side, hand: impl Into<KnownCards>) -> HandCounts {
    let (known, sets) = (hand.into(), LegalSets::new(game));
    let layers = (1..=Setting::COUNT).flat_map(|legal| (0..legal).map(move |place| (legal, place)));
    let occurs = |&(legal, _): &(usize, usize)| sets.0.iter().any(|sets| sets.len() == legal);
    let layers: Vec<(usize, usize)> = layers.filter(occurs).collect();
    let counts = layers.into_par_iter().map(|(legal, place)| {
        let table = BankerTable::new(&Layer { sets: &sets, legal, place });
        let counts = *HandEvaluator::new(game, &table).count_for(side, known).settings();
        counts.map(|counts| counts.map(|counts| weighted(counts, u64::from(RANDOM_WEIGHT) / legal as u64)))
    });
    let sum = |a: [Option<SettingCounts>; Setting::COUNT], b: [Option<SettingCounts>; Setting::COUNT]| {
        std::array::from_fn(|i| Some(a[i]?.plus(b[i]?)))
    };
    let sums = counts.reduce(|| [Some(SettingCounts::default()); Setting::COUNT], sum);
    let pushes = |counts: SettingCounts| {
        let all = known.other_hands() * u64::from(RANDOM_WEIGHT);
        SettingCounts { pushes: all - counts.wins - counts.losses, ..counts }
    };
    HandCounts::new(game.rules().commission, sums.map(|counts| counts.map(pushes)))
}

/// Multiplies the counts by a weight and drops the pushes, because they include the hands that a layer excludes.
fn weighted(counts: SettingCounts, weight: u64) -> SettingCounts {
    SettingCounts {
        wins: counts.wins * weight,
        losses: counts.losses * weight,
        pushes: 0,
        copies_front: counts.copies_front * weight,
        copies_back: counts.copies_back * weight,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::slow::ProfileCounts;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{Dealt, Rules};

    #[test]
    fn random_hands_match_plain_enumeration() {
        let mut rng = stream(5.into());
        for rules in [Rules::default(), Rules::default().with("bank-pushes=nine_high_front").unwrap()] {
            let (game, hand) = (Game::new(rules), Dealt::random(&mut rng).hand());
            let enumerated = ProfileCounts::enumerate(hand);
            for side in [Side::Player, Side::Banker] {
                assert_eq!(count_against_random(&game, side, hand), enumerated.count_random(&game, side), "{hand}");
            }
        }
    }

    #[test]
    fn the_legal_settings_depend_on_the_profile() {
        let (game, mut rng) = (Game::new(Rules::default()), stream(6.into()));
        let sorted = |hand: Hand| {
            let sets = game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set));
            let mut sets: Vec<(usize, usize)> = sets.map(|set| (set.back.index(), set.front.index())).collect();
            sets.sort_unstable();
            sets
        };
        for _ in 0..20_000 {
            let hand = Dealt::random(&mut rng).hand();
            let profile = Profiles::get().of(hand.set());
            let representative = Hand::new(Profiles::get().representative(profile)).unwrap();
            assert_eq!(sorted(hand), sorted(representative), "{hand}");
        }
    }
}
