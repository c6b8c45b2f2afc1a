//! Exact evaluation of a hand against strategies that aren't pure.
//!
//! Such a strategy is split into layers. A layer sets some of the profiles in one way each and excludes all others. The
//! counts against the layers, multiplied by their weights, add up to the counts against the strategy.
//!
//! A random strategy's legal settings depend only on the profile. For each number `n` of legal settings and each `i < n`,
//! there is a layer that contains the `i`-th legal setting of every hand with `n` of them, and no other hands. Its weight
//! is `1 / n`. A mixed strategy's weights are split into binary digits. For each digit and each `i`, there is a layer that
//! contains the `i`-th set hand of every profile among those whose weight has this digit.

use super::banker::BankerTable;
use super::hand::{HandCounts, HandEvaluator};
use super::known::KnownCards;
use super::mixed::MixedTable;
use super::outcomes::{DealCounts, RANDOM_WEIGHT, Side};
use houseway_env::cards::profile::{PROFILES, Profile};
use houseway_env::pai_gow::{BankerSet, Game, Hand, ProfileStrategy, SetHand, Setting, Strategy};
use rayon::prelude::*;

/// A table that sets a profile only if a function returns a set hand for it.
struct Layer<F>(F);

impl<F: Fn(Profile) -> Option<SetHand> + Sync> Strategy for Layer<F> {
    fn name(&self) -> &str {
        "layer"
    }

    /// # Panics
    /// Always panics, because excluded hands have no setting.
    fn set(&self, _: Hand) -> Setting {
        unreachable!("a layer is evaluated by profiles")
    }
}

impl<F: Fn(Profile) -> Option<SetHand> + Sync> ProfileStrategy for Layer<F> {
    fn set_profile(&self, profile: Profile) -> SetHand {
        // The engines exclude hands with this set hand.
        (self.0)(profile).unwrap_or_else(|| BankerSet::PUSHES.strengths())
    }
}

/// Evaluates every setting of a hand on `side` against the layers of a strategy, each with its weight. `set` returns the
/// set hand of a profile in a layer, or `None` if the layer excludes the profile. The weights of a hand add up to `whole`
/// and all counts are in units of its inverse.
pub(super) fn count_in_layers<L: Sync>(
    (game, side): (&Game, Side),
    known: KnownCards,
    whole: u32,
    layers: &[(L, u64)],
    set: impl Fn(&L, Profile) -> Option<SetHand> + Sync,
) -> HandCounts {
    let counts = layers.par_iter().map(|(layer, weight)| {
        let table = BankerTable::new(&Layer(|profile| set(layer, profile)));
        let counts = *HandEvaluator::new(game, &table).count_for(side, known).settings();
        // A layer pushes against the hands that it excludes, so pushes are only known in the end.
        counts.map(|counts| counts.map(|counts| DealCounts { pushes: 0, ..counts.times(*weight) }))
    });
    let sum = |a: [Option<DealCounts>; Setting::COUNT], b: [Option<DealCounts>; Setting::COUNT]| {
        std::array::from_fn(|i| Some(a[i]?.plus(b[i]?)))
    };
    let sums = counts.reduce(|| [Some(DealCounts::default()); Setting::COUNT], sum);
    let pushes = |counts: DealCounts| {
        let all = known.other_hands() * u64::from(whole);
        DealCounts { pushes: all - counts.wins - counts.losses, ..counts }
    };
    HandCounts::new(game, sums.map(|counts| counts.map(pushes)))
}

/// The legal set hands for every profile.
struct LegalSets(Vec<Vec<SetHand>>);

impl LegalSets {
    fn new(game: &Game) -> LegalSets {
        let sets = |i: usize| {
            let hand = Hand::representative(Profile::from_index(i));
            game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set)).collect()
        };
        LegalSets((0..PROFILES).into_par_iter().with_min_len(1024).map(sets).collect())
    }
}

/// Evaluates every setting of a hand on `side` against all opposing hands, whose legal settings are all equally likely.
/// All counts are in units of 1 / [`RANDOM_WEIGHT`].
pub fn count_against_random(game: &Game, side: Side, hand: impl Into<KnownCards>) -> HandCounts {
    let (known, sets) = (hand.into(), LegalSets::new(game));
    let layers = (1..=Setting::COUNT).flat_map(|legal| (0..legal).map(move |place| (legal, place)));
    let occurs = |&(legal, _): &(usize, usize)| sets.0.iter().any(|sets| sets.len() == legal);
    let weighted = |layer: (usize, usize)| (layer, u64::from(RANDOM_WEIGHT) / layer.0 as u64);
    let layers: Vec<((usize, usize), u64)> = layers.filter(occurs).map(weighted).collect();
    count_in_layers((game, side), known, RANDOM_WEIGHT, &layers, |&(legal, place), profile| {
        let sets = &sets.0[profile.index()];
        (sets.len() == legal).then(|| sets[place])
    })
}

/// Evaluates every setting of a hand on `side` against all opposing hands, which are set by a mixed strategy. All counts
/// are in units of 1 / [`MixedTable::WHOLE`].
pub fn count_against_mixed(game: &Game, side: Side, table: &MixedTable, hand: impl Into<KnownCards>) -> HandCounts {
    let with_digit = |digit: u32, profile: Profile| {
        table.sets(profile).iter().filter(move |(_, weight)| weight >> digit & 1 == 1).map(|&(set, _)| set)
    };
    let digits = 0..=MixedTable::WHOLE.ilog2();
    let layers: Vec<((u32, usize), u64)> = digits
        .flat_map(|digit| {
            let most = Profile::all().map(|profile| with_digit(digit, profile).count()).max().unwrap_or_default();
            (0..most).map(move |place| ((digit, place), 1 << digit))
        })
        .collect();
    count_in_layers((game, side), hand.into(), MixedTable::WHOLE, &layers, |&(digit, place), profile| {
        with_digit(digit, profile).nth(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::slow::ProfileCounts;
    use houseway_env::cards::profile::Profiles;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{Dealt, Rules};

    #[test]
    fn random_hands_match_plain_enumeration() {
        let mut rng = stream(5.into());
        let other = Rules::default().with("bank-pushes=nine_high_front").unwrap();
        for (side, rules) in [(Side::Player, Rules::default()), (Side::Banker, other)] {
            let (game, hand) = (Game::new(rules), Dealt::random(&mut rng).hand());
            let enumerated = ProfileCounts::enumerate(hand);
            assert_eq!(count_against_random(&game, side, hand), enumerated.count_random(&game, side), "{hand}");
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
            let representative = Hand::representative(profile);
            assert_eq!(sorted(hand), sorted(representative), "{hand}");
        }
    }
}
