//! Enumerates all 154,143,080 hands and checks the best five cards in each, along with everything else the hand
//! contains.

use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::key::Key;
use houseway_env::cards::profile::Profiles;
use houseway_env::cards::{Card, CardSet};
use houseway_env::rank::{FiveRules, Holdings, HoldingsTable, JokerUse, Ranking, SevenCategory};
use rayon::prelude::*;

const CARDS: usize = 53;

/// The number of hands for each best category, starting with high card.
///
/// The remaining entries count natural seven-card straight flushes, seven-card straight flushes with the joker, royal
/// flushes with a suited king and queen, and hands that contain both three of a kind and a straight, one of which is
/// their best category.
type Counts = [u64; 16];

const EXPECTED: Counts = [
    24_780_420, 64_221_960, 32_691_816, 2_862_000, 7_470_676, 11_236_028, 6_172_088, 4_188_528, 307_472, 184_832,
    26_132, 1_128, 32, 196, 72, 201_824,
];

fn count(counts: &mut Counts, holdings: Holdings) {
    use SevenCategory::*;
    counts[holdings.best() as usize] += 1;
    counts[12] += u64::from(holdings.contains(SevenCardStraightFlush));
    counts[13] += u64::from(holdings.contains(SevenCardStraightFlushWithJoker));
    counts[14] += u64::from(holdings.contains(RoyalFlushWithSuitedKingQueen));
    counts[15] += u64::from(holdings.best() == Straight && holdings.contains(ThreeOfAKind));
}

fn add(a: Counts, b: Counts) -> Counts {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Calls `visit` with every hand and its key. Cards are added in descending order, so each step takes only one
/// addition.
fn for_each_hand(first: usize, visit: &mut impl FnMut(u64, Key)) {
    fn extend(below: usize, missing: usize, bits: u64, key: Key, visit: &mut impl FnMut(u64, Key)) {
        for card in missing - 1..below {
            let (bits, key) = (bits | 1 << card, key + Key::from_card(Card::from_index(card as u8).unwrap()));
            if missing == 1 { visit(bits, key) } else { extend(card, missing - 1, bits, key, visit) }
        }
    }
    extend(first, 6, 1 << first, Key::from_card(Card::from_index(first as u8).unwrap()), visit);
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "takes minutes without optimizations and seconds with them; counts the best hands of all deals"
)]
fn best_hands_of_all_deals_match_published_counts() {
    let (profiles, table) = (Profiles::get(), HoldingsTable::get(JokerUse::HalfWild));
    let counts = (6..CARDS).into_par_iter().rev().with_max_len(1).map(|first| {
        let mut counts = [0; 16];
        for_each_hand(first, &mut |bits, key| {
            let hand = CardSet::from_bits(bits);
            count(&mut counts, table.of(hand, profiles.of_key(key, || hand)));
        });
        counts
    });
    let counts = counts.reduce(|| [0; 16], add);
    assert_eq!(counts, EXPECTED);
    assert_eq!(counts[..12].iter().sum::<u64>(), 154_143_080);
}

#[test]
fn weighted_profiles_give_the_same_counts() {
    let mut counts = [0; 16];
    for profile in houseway_env::cards::profile::Profile::all() {
        for (holdings, hands) in HoldingsTable::get(JokerUse::HalfWild).counted(profile) {
            let mut one = [0; 16];
            count(&mut one, holdings);
            counts = add(counts, one.map(|n| n * hands));
        }
    }
    assert_eq!(counts, EXPECTED);
}

#[test]
#[ignore = "takes 1 minute on two cores; counts the same hands from their 21 subsets, without profiles or tables"]
fn best_hands_of_all_deals_match_the_reference_implementation() {
    let ranking = Ranking::new(FiveRules::default());
    let counts = (6..CARDS).into_par_iter().rev().with_max_len(1).map(|first| {
        let mut counts = [0; 16];
        let top = Card::from_index(first as u8).unwrap();
        for_each_subset(CardSet::from_bits((1 << first) - 1), 6, |six| {
            count(&mut counts, Holdings::compute(&ranking, six.with(top)));
        });
        counts
    });
    assert_eq!(counts.reduce(|| [0; 16], add), EXPECTED);
}
