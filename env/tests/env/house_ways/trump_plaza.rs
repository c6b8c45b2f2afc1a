//! Tests for Trump Plaza's house way, based on its sheet and on published counts.

use super::{GAME, TRUMP_PLAZA, front};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, Rules, Strategy as _};
use std::collections::BTreeMap;

/// Checks that the sheet's rules about the joker as an ace also apply to a fully wild joker.
#[test]
fn a_wild_joker_counts_as_the_most_frequent_rank() {
    let game = Game::new(Rules::default().with("joker=wild").unwrap());
    let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
    for (hand, in_front, rule) in [
        ("Jk 9s 9d 9h 9c 3s 2d", "Jk 9s", "five aces"),
        ("Jk 4s 4d 4h Kc Qs 2d", "Kc Qs", "four of a kind, 2s to 6s"),
        ("Jk 9s 9d 5h 5c Ks 2d", "5h 5c", "full house"),
        ("Jk 9s 9d Kh Jc 4s 2d", "Kh Jc", "three of a kind"),
        ("Jk As Kd 9h 7c 4s 2d", "Kd 9h", "one pair"),
        ("Jk Ks Qd Jh 9c 4s 2d", "4s 2d", "one pair, complete hand kept"),
    ] {
        let hand: Hand = hand.parse().unwrap();
        assert_eq!((way.set(hand).front(hand).to_string(), way.rule(hand).name.as_str()), (in_front.to_owned(), rule));
    }
}

/// Compares the number of hands for each top card of an unpaired front, from 3 to 8 high, with the published counts for
/// Trump Plaza's house way.
#[test]
fn fronts_match_published_counts() {
    let mut by_top_card = BTreeMap::new();
    for profile in Profile::all() {
        let front = TRUMP_PLAZA.set_profile(profile).front;
        if !front.is_pair() {
            *by_top_card.entry(front.ranks().0.to_string()).or_insert(0) += Profiles::get().hands(profile);
        }
    }
    let expected = [("3", 221_460), ("4", 392_144), ("5", 517_204), ("6", 613_620), ("7", 918_000), ("8", 1_758_344)];
    for (top, hands) in expected {
        assert_eq!(by_top_card[top], hands, "{top}-high fronts");
    }
    // The probability of a nine-high front is published as 0.025007, from a simulation of Trump Plaza's house way for
    // the side bet "Tiger 9" (sonofdave.com, a copy of Wizard of Odds, "Commission Free Pai Gow Poker"). The
    // frequencies published for the main bet are off by up to 0.00003.
    let nine_high = f64::from(by_top_card["9"] as u32) / 154_143_080.0;
    assert!((nine_high - 0.025_007).abs() < 1e-5, "{nine_high}");
}

/// Checks at least one hand for every row of the sheet, in order, with the front that the sheet prescribes.
#[test]
fn every_row_of_the_sheet() {
    let rows = [
        ("As Ad Ah Ac Jk Ks Kd", "Ks Kd", "five aces, pair of kings"),
        ("As Ad Ah Ac Jk Qs Qd", "Jk As", "five aces"),
        ("As Ad Ah Ac Jk 3s 2d", "Jk As", "five aces"),
        ("9s 9d 9h 9c 4s 4d Ah", "4s 4d", "four of a kind, pair beside"),
        ("9s 9d 9h 9c 4s 4d 4h", "4s 4h", "four of a kind, pair beside"),
        ("As Ad Ah Jk Ks Kd Qh", "Ks Kd", "four of a kind, pair beside"),
        ("6s 6d 6h 6c As Kd Qh", "As Kd", "four of a kind, 2s to 6s"),
        ("Ts Td Th Tc Ks 9d 8h", "Ks 9d", "four of a kind, 7s to 10s"),
        ("Ts Td Th Tc Qs 9d 8h", "Ts Th", "four of a kind, 7s to 10s"),
        ("Js Jd Jh Jc As 9d 8h", "As 9d", "four of a kind, jacks to kings"),
        ("Js Jd Jh Jc Ks 9d 8h", "Js Jh", "four of a kind, jacks to kings"),
        ("As Ad Ah Ac Ks 9d 8h", "As Ah", "four aces"),
        ("9s 9d 9h 5s 5d 5h Kc", "9s 9h", "two threes of a kind"),
        ("9s 9d 9h 5s 5d 3h 3c", "5s 5d", "full house and a pair"),
        ("9s 9d 9h 2s 2d Ah Kc", "Ah Kc", "full house, twos with ace-king"),
        ("9s 9d 9h 2s 2d Ah Qc", "2s 2d", "full house"),
        ("9s 9d 9h 3s 3d Ah Kc", "3s 3d", "full house"),
        ("Ks Kd 9h 9s 3d 3h Ac", "Ks Kd", "three pairs"),
        ("6s 6d 3h 3s Kd 9h 8c", "Kd 9h", "two pairs kept, king or ace"),
        ("Ts Td 3h 3s Jk 9h 8c", "Jk 9h", "two pairs kept, king or ace"),
        ("Ts Td 3h 3s Qd 9h 8c", "3s 3h", "two pairs split"),
        ("Ks Kd 3h 3s Ad 9h 8c", "Ad 9h", "two pairs kept, ace"),
        ("Ts Td 9h 9s Ad 8h 3c", "Ad 8h", "two pairs kept, ace"),
        ("Ks Kd 3h 3s Qd 9h 8c", "3s 3h", "two pairs split"),
        ("Ts Td 9h 9s Kd 8h 3c", "9s 9h", "two pairs split"),
        ("Ks Kd 9h 9s Ad 8h 3c", "9s 9h", "two pairs split"),
        ("As Ad 3h 3s Kd 9h 8c", "3s 3h", "two pairs split"),
        ("9s 9d 9h 8c 7d 6s 5h", "9s 9h", "three of a kind, complete hand behind a pair"),
        ("Ts 9d 9h 9c 8d 7s 6h", "9h 9d", "three of a kind, complete hand behind a pair"),
        ("As Ad Jk 5h 4c 3d 9s", "As 9s", "three of a kind, complete hand kept"),
        ("As Ad Ah Kc 9d 8s 3h", "As Kc", "three aces"),
        ("9s 9d 9h Kc 8d 4s 3h", "Kc 8d", "three of a kind"),
        ("9s 9d Kh Qd Js Tc 3h", "9s 3h", "one pair, complete hand kept"),
        ("9s 9d Kh Qd Js Tc Ah", "9s 9d", "one pair, complete hand behind it"),
        ("9s 9d 8h 7d 6s 5c Ah", "Ah 9s", "one pair, complete hand kept"),
        ("Ks 9d 8h 7d 6s 5c 4h", "Ks 9d", "complete hand"),
        ("Ks Qs 9s 8s 7s 6d 5d", "Ks Qs", "complete hand"),
        ("9s 9d Kh Qd 7s 5c 3h", "Kh Qd", "one pair"),
        ("Ks Qd 9s 8d 7h 4c 2d", "Qd 9s", "no pair"),
    ];
    let mut seen = Vec::new();
    for (hand, expected, rule) in rows {
        let parsed: Hand = hand.parse().unwrap();
        assert_eq!(
            (TRUMP_PLAZA.rule(parsed).name.as_str(), front(&TRUMP_PLAZA, hand).as_str()),
            (rule, expected),
            "{hand}"
        );
        seen.push(rule);
    }
    for rule in &TRUMP_PLAZA.survey().rules {
        assert!(seen.contains(&rule.name.as_str()), "no example of the rule \"{}\"", rule.name);
    }
}

#[test]
fn four_aces_of_a_suit_leave_a_royal_flush() {
    // The hand has three aces, the joker, and K-Q-J in the suit of an ace. No matter which pair of aces goes in front,
    // the back ranks as its best hand.
    let hand: Hand = "As Ad Ah Jk Ks Qs Js".parse().unwrap();
    let setting = TRUMP_PLAZA.set(hand);
    assert_eq!(setting.front(hand).to_string(), "Ah Ad");
    assert_eq!(GAME.ranking().describe(GAME.set(hand, setting).back), "royal flush");
}
