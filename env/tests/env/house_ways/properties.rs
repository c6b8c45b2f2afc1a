//! Tests that house ways set every hand legally under every variant and every permutation of suits.

use super::{ALL, GAME, TRUMP_PLAZA};
use houseway_env::cards::classes::Classes;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::profile::{Profiles, RANK_PROFILES};
use houseway_env::cards::{Card, CardSet, Suit};
use houseway_env::pai_gow::house_way::{BUILT_IN, HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, Rules, SetHand, Strategy as _};
use houseway_env::rules::RuleSet;
use proptest::prelude::*;
use std::collections::HashSet;

#[test]
fn built_in_ways_set_every_hand_legally_under_every_reading() {
    // Making equal settings fouls leaves some hands without a matching rule, so that reading is skipped.
    let changed = Rules::default().with_each(Rules::READINGS);
    let set = changed.into_iter().filter(|(reading, _, _)| *reading != "equal-setting").map(|(_, _, rules)| rules);
    for rules in set.collect::<HashSet<_>>() {
        let game = Game::new(rules);
        for (name, _) in BUILT_IN {
            let survey = Way::named(name).unwrap().survey(&game).unwrap();
            let found = (survey.hands, survey.uncovered, survey.fouls);
            assert_eq!(found, (154_143_080, 0, 0), "{name}, {:?}", rules.changes());
            assert_eq!(survey.rules.iter().map(|rule| rule.hands).sum::<u64>(), survey.hands);
        }
    }
}

fn hands() -> impl Strategy<Value = Hand> {
    // Half of the hands favor one suit to make flushes frequent.
    let cards = |from: Vec<u8>| proptest::sample::subsequence(from, 7);
    let suited: Vec<u8> = (0..53).filter(|card| card % 4 == 1 || *card >= 40).collect();
    prop_oneof![cards((0..53).collect()), cards(suited)]
        .prop_map(|indices| Hand::new(indices.into_iter().map(|i| Card::from_index(i).unwrap()).collect()).unwrap())
}

fn check_one_hand(way: &HouseWay, hand: Hand) -> SetHand {
    let setting = way.set(hand);
    let made = GAME.set(hand, setting);
    assert_eq!(made, way.set_profile(Profiles::get().of(hand.set())), "{hand}");
    assert!(GAME.is_legal(made), "{hand}");
    made
}

proptest! {
    #[test]
    fn the_tables_hold_for_every_suiting(hand in hands()) {
        for way in ALL.iter() {
            check_one_hand(way, hand);
        }
    }

    #[test]
    fn the_lowest_index_is_chosen_among_equal_settings(hand in hands()) {
        prop_assume!(Profiles::get().of(hand.set()).index() < RANK_PROFILES);
        for way in ALL.iter() {
            let made = check_one_hand(way, hand);
            let first = GAME.settings(hand).find(|(_, other)| *other == made).unwrap().0;
            prop_assert_eq!(way.set(hand), first);
        }
    }

    /// Checks that permuting the suits does not change the set hand.
    #[test]
    fn house_ways_are_suit_isomorphic(hand in hands(), suits in Just([0u8, 1, 2, 3]).prop_shuffle()) {
        let swap = |card: Card| match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) => Card::new(rank, Suit::ALL[usize::from(suits[suit.index()])]),
            _ => card,
        };
        let other = Hand::new(hand.set().iter().map(swap).collect()).unwrap();
        for way in ALL.iter() {
            prop_assert_eq!(GAME.set(hand, way.set(hand)), GAME.set(other, way.set(other)), "{} {}", hand, other);
        }
    }
}

/// The survey only covers profiles, so this test covers the hands themselves: one in seven of those that differ by more
/// than a permutation of suits.
#[test]
fn hands_of_all_kinds_are_set_legally() {
    Classes::seven().iter().step_by(7).for_each(|cards| {
        check_one_hand(&TRUMP_PLAZA, Hand::new(cards).unwrap());
    });
}

#[test]
#[ignore = "takes 4 min; sets every hand with all house ways"]
fn every_hand_is_set_legally() {
    let mut hands = 0u64;
    for_each_subset(CardSet::DECK_53, 7, |cards| {
        for way in ALL.iter() {
            check_one_hand(way, Hand::new(cards).unwrap());
        }
        hands += 1;
    });
    assert_eq!(hands, 154_143_080);
}
