//! Exact evaluation against a banker who sets uniformly at random.
//!
//! A hand's legal settings depend only on its profile. For each number `n` of legal settings and each `i < n`, there is
//! a layer that contains the `i`-th legal setting of every hand with `n` of them, and no other hands. Its weight is
//! `1 / n`.

use super::hand::HandCounts;
use super::known::KnownCards;
use super::layers::count_in_layers;
use super::outcomes::{RANDOM_WEIGHT, Side};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::slow::ProfileCounts;
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
