//! Tests for the other house ways, based on their sheets, and for published strategies, based on their texts. Each test
//! lists hands that the house way sets differently from `trump-plaza`, along with the applicable row.

use super::{GAME, front_ranks, way};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Hand, Strategy as _};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Checks the front and the rule for each hand.
fn sets(name: &str, rows: &[(&str, &str, &str)]) {
    let way = way(name, &[]);
    for &(hand, expected, rule) in rows {
        let found = (front_ranks(&way, hand), way.rule(hand.parse().unwrap()).name.as_str());
        assert_eq!((found.0.as_str(), found.1), (expected, rule), "{name}: {hand}");
    }
}

/// Checks the front and the rule for each of at least 15 hands, and that `trump-plaza` puts a different front.
fn check(name: &str, rows: &[(&str, &str, &str)]) {
    static BASE: LazyLock<HouseWay> = LazyLock::new(|| way("trump-plaza", &[]));
    assert!(rows.len() >= 15, "{name}: {} hands", rows.len());
    let hands: BTreeSet<&str> = rows.iter().map(|row| row.0).collect();
    assert_eq!(hands.len(), rows.len(), "a hand occurs twice for {name}");
    sets(name, rows);
    for &(hand, expected, _) in rows {
        assert_ne!(front_ranks(&BASE, hand), expected, "{name} sets {hand} like trump-plaza");
    }
}

#[test]
fn claridge() {
    check(
        "claridge",
        &[
            // The pair of a full house goes in front, even twos with ace-king.
            ("9s 9d 9h 2s 2d Ah Kc", "22", "full house"),
            ("5s 5d 5h 2c 2h Jk Ks", "22", "full house"),
            ("Qs Qd Qh 2s 2c Ad Kh", "22", "full house"),
            // Four sevens to tens are split unless an ace goes in front. A king is not enough.
            ("Ts Td Th Tc Ks 9d 8h", "TT", "four of a kind, 7s to 10s"),
            ("7s 7d 7h 7c Ks Qd 3h", "77", "four of a kind, 7s to 10s"),
            ("8s 8d 8h 8c Kd 4s 2h", "88", "four of a kind, 7s to 10s"),
            ("9s 9d 9h 9c Kd Qh Js", "99", "four of a kind, 7s to 10s"),
            ("Ts Td Th Tc Kd 3h 2c", "TT", "four of a kind, 7s to 10s"),
            ("7s 7d 7h 7c Kd 9h 8c", "77", "four of a kind, 7s to 10s"),
            // Four jacks to kings are always split, even with an ace.
            ("Js Jd Jh Jc As 9d 8h", "JJ", "four of a kind, jacks to aces"),
            ("Qs Qd Qh Qc Jk Kd 2h", "QQ", "four of a kind, jacks to aces"),
            ("Ks Kd Kh Kc As Qd 2h", "KK", "four of a kind, jacks to aces"),
            ("Js Jd Jh Jc Ad Ks Qh", "JJ", "four of a kind, jacks to aces"),
            ("Qs Qd Qh Qc Ad 5h 3s", "QQ", "four of a kind, jacks to aces"),
            ("Ks Kd Kh Kc Jk Jd Th", "KK", "four of a kind, jacks to aces"),
        ],
    );
}

#[test]
fn ballys_atlantic_city() {
    check(
        "ballys-atlantic-city",
        &[
            // Four twos to nines are never split.
            ("7s 7d 7h 7c Qs Jd 3h", "QJ", "four of a kind, 2s to 9s"),
            ("8s 8d 8h 8c Ts 9d 2h", "T9", "four of a kind, 2s to 9s"),
            ("9s 9d 9h 9c 4s 3d 2h", "43", "four of a kind, 2s to 9s"),
            ("9s 9d 9h 9c Qs 8d 7h", "Q8", "four of a kind, 2s to 9s"),
            // Four tens are split even with a king.
            ("Ts Td Th Tc Ks 9d 8h", "TT", "four of a kind, 10s to kings"),
            ("Ts Td Th Tc Ks Qd 2h", "TT", "four of a kind, 10s to kings"),
            // Four aces are split, except with kings.
            ("As Ad Ah Ac Qs Qd 5h", "AA", "four aces"),
            ("As Ad Ah Jk 2s 2d 5h", "AA", "four aces"),
            ("As Ad Ah Ac Ts Td Th", "AA", "four aces"),
            // An ace-high straight or straight flush with the ace and the joker is not played.
            ("As Jk Kd Qh Jc 3d 2s", "KQ", "ace and joker, straight not played"),
            ("As Jk Kd Qh Tc 7d 4s", "KQ", "ace and joker, straight not played"),
            ("As Jk Qd Jh Tc 5d 3s", "QJ", "ace and joker, straight not played"),
            ("As Jk Kd Jh Tc 8d 3s", "KJ", "ace and joker, straight not played"),
            ("Ah Jk Kh Qh Jh 3d 2s", "KQ", "ace and joker, straight not played"),
            // With a second ace, the row for three aces applies.
            ("As Ad Jk Kh Qc Js 3d", "AK", "three aces"),
            ("As Ad Jk Kh Qc Ts 4d", "AK", "three aces"),
            ("As Ah Jk Kd Jh Tc 2s", "AK", "three aces"),
        ],
    );
}

/// Checks hands that the exception for an ace with the joker doesn't affect.
#[test]
fn straights_that_ballys_plays() {
    let way = way("ballys-atlantic-city", &[]);
    for (hand, expected, back) in [
        ("As Jk 5d 4h 3c Kd Qs", "KQ", "straight 5 high"), // ace and joker make A-2-3-4-5
        ("As Jk Kd Qh Jc 9d 3s", "A3", "straight K high"), // a lower straight is available
        ("As Jk Kd Qh Jc Td 3s", "A3", "straight A high"), // the joker isn't used with the ace
        ("As Jk Kd Qh Jc Td 9s", "AA", "straight K high"), // the pair in front
        ("Ah Jk Kh Qh Jd 8h 2s", "J2", "flush A K Q J 8"), // flush
        ("Jk Kd Kh Qs Jc Td 3s", "K3", "straight A high"), // no ace with the joker
        ("As Ad Ah Ac Ks Kd 5h", "KK", "four of a kind A 5"), // four aces with a pair of kings
        ("As Ad Ah Jk Ks Kd Kh", "KK", "four of a kind A K"), // four aces with three kings
    ] {
        let parsed: Hand = hand.parse().unwrap();
        let made = GAME.set(parsed, way.set(parsed));
        let found = (made.front.to_string(), GAME.ranking().describe(made.back));
        assert_eq!((found.0.as_str(), found.1.as_str()), (expected, back), "{hand}");
    }
}

#[test]
fn foxwoods() {
    check(
        "foxwoods",
        &[
            // Jacks to aces are split, with or without a single ace.
            ("Ks Kd 3h 3s Ad 9h 8c", "33", "two pairs split"),
            ("Js Jd 6h 6s Jk 9h 8c", "66", "two pairs split"),
            ("Qs Qd 2h 2s Ad 9h 8c", "22", "two pairs split"),
            // Sevens to tens are kept only with an ace.
            ("Ts Td 3h 3s Kd 9h 8c", "33", "two pairs split"),
            ("7s 7d 6h 6s Kd 9h 2c", "66", "two pairs split"),
            ("9s 9d 2h 2s Kd Qh 3c", "22", "two pairs split"),
            // With a pair of tens to kings and an ace, the ace goes in front if that makes the front higher.
            ("Ks Kd Ah Qc Jd Ts 3h", "AQ", "one pair of 10s to kings, ace in front"),
            ("Jh Jd Ah Kh 9h 4h 2s", "AK", "one pair of 10s to kings, ace in front"),
            ("Qs Qd Ks Jh Tc Ad 4h", "AK", "one pair of 10s to kings, ace in front"),
            ("Td Tc Kh Qs Js As 2h", "AK", "one pair of 10s to kings, ace in front"),
            ("Ks Kd Jk Qc Jd Ts 3h", "AQ", "one pair of 10s to kings, ace in front"),
            ("Qh Qd Ah 8h 6h 3h 2s", "A8", "one pair of 10s to kings, ace in front"),
            ("Jh Jd Ah Ks Qs Tc 5d", "AK", "one pair of 10s to kings, ace in front"),
            ("Kh Kd Ah 9h 7h 4h 2c", "A9", "one pair of 10s to kings, ace in front"),
            // Four jacks to aces are always split.
            ("Js Jd Jh Jc As 9d 8h", "JJ", "four of a kind, jacks to aces"),
            ("Ks Kd Kh Kc As Qd 2h", "KK", "four of a kind, jacks to aces"),
            // The pair of a full house always goes in front.
            ("9s 9d 9h 2s 2d Ah Kc", "22", "full house"),
        ],
    );
    // The ace stays in back if the complete hand leaves a front that is at least as high, or if the pair has a
    // different rank.
    sets(
        "foxwoods",
        &[
            ("Ts Td 9h 8c 7d 6s Ah", "AT", "one pair, complete hand"),
            ("Js Jd Ah Kh 9h 4h 2h", "JJ", "one pair, complete hand"),
            ("9h 9d Ah Kh Qh Jh 3s", "93", "one pair, complete hand"),
        ],
    );
}

#[test]
fn golden_nugget() {
    check(
        "golden-nugget",
        &[
            // Two pairs are kept ...
            ("6s 6d 3h 3s Qd 9h 8c", "Q9", "two pairs kept"),
            ("4s 4d 2h 2s Td 9h 7c", "T9", "two pairs kept"),
            ("5s 5d 2h 2s 9d 8h 7c", "98", "two pairs kept"),
            // ... but split if one is sevens or better and there is no single ace,
            ("Ts Td 3h 3s Kd 9h 8c", "33", "two pairs split, no ace"),
            ("7s 7d 6h 6s Kd 9h 2c", "66", "two pairs split, no ace"),
            // or if they are jacks or better and sixes or better, with an ace.
            ("Ks Kd 6h 6s Ad 9h 3c", "66", "two pairs split, jacks with sixes"),
            ("Js Jd 6h 6s Jk Qh 3c", "66", "two pairs split, jacks with sixes"),
            // If two pairs come with a complete hand, the complete hand is played.
            ("9s 9d 8h 8s 7c 6d 5h", "98", "two pairs, complete hand"),
            ("5s 5d 4h 4s 3c 2d 6h", "54", "two pairs, complete hand"),
            ("Kh Kd 5h 5s 9h 7h 2h", "K5", "two pairs, complete hand"),
            // A straight flush is kept unless breaking it puts a jack or better in front.
            ("8h 7h 6h 5h 4h 9s 2h", "92", "straight flush"),
            ("Th 9h 8h 7h 6h 4h 2c", "42", "straight flush"),
            ("9h 8h 7h 6h 5h 3h 2h", "32", "straight flush"),
            // Four of a kind.
            ("Ts Td Th Tc Ks 9d 8h", "TT", "four of a kind, 7s to 10s"),
            ("Js Jd Jh Jc As 9d 8h", "JJ", "four of a kind, jacks to kings"),
            ("Ks Kd Kh Kc 4s 4d 9h", "KK", "four of a kind, jacks to kings"),
            ("Qs Qd Qh Qc 9s 9d 9h", "QQ", "four of a kind, jacks to kings"),
            ("As Ad Ah Ac 6s 6d 9h", "AA", "four aces"),
        ],
    );
    sets(
        "golden-nugget",
        &[
            ("Qh Jh Th 9h 8h 3h 2c", "Q2", "straight flush broken"),
            ("As Ks Qs Js Ts 4s 2d", "A2", "royal flush broken"),
            ("Ah Kh Qh Jh Th Qs 2c", "Q2", "royal flush"),
            ("9s 9d 8h 8s 7c 6d Ah", "A7", "two pairs kept"),
            ("Ks Kd 9h 9s Qc Jd Th", "99", "two pairs split, no ace"),
            ("As Ad Kc Ks Qd Jh Ts", "KK", "two pairs split, aces"),
            ("As Ad Ah Ac 7s 7d 9h", "77", "four aces"),
            ("Ks Kd Kh Kc Ts Td 9h", "TT", "four of a kind, jacks to kings"),
        ],
    );
}

#[test]
fn flamingo_hilton() {
    check(
        "flamingo-hilton",
        &[
            // Two pairs are kept if both are sixes or lower; higher ones need an ace.
            ("6s 6d 3h 3s Qd 9h 8c", "Q9", "two pairs kept, sixes or lower"),
            ("4s 4d 2h 2s Td 9h 7c", "T9", "two pairs kept, sixes or lower"),
            ("Ts Td 3h 3s Kd 9h 8c", "33", "two pairs split"),
            ("7s 7d 6h 6s Kd 9h 2c", "66", "two pairs split"),
            ("Ks Kd 6h 6s Ad 9h 3c", "66", "two pairs split"),
            // If two pairs come with a complete hand, the complete hand is played.
            ("9s 9d 8h 8s 7c 6d 5h", "98", "straight or flush"),
            ("Kh Kd 5h 5s 9h 7h 2h", "K5", "straight or flush"),
            ("Jh Jd 4h 4s Ah 9h 7h", "J4", "straight or flush"),
            // The front behind the straight is higher but not a king, so the flush is played.
            ("Qh 9h 8h 6h 5h 7s 2d", "72", "straight or flush"),
            ("Jh 8h 7h 5h 4h 6s 2d", "62", "straight or flush"),
            // A straight flush is kept unless breaking it puts an ace with a face card, or a pair, in front.
            ("8h 7h 6h 5h 4h 9s 2h", "92", "straight flush"),
            ("Th 9h 8h 7h 6h 4h 2c", "42", "straight flush"),
            ("Qh Jh Th 9h 8h 3h 2c", "32", "straight flush"),
            ("Kh Qh Jh Th 9h 3h 2c", "32", "straight flush"),
            // Four of a kind.
            ("Ts Td Th Tc Ks 9d 8h", "TT", "four of a kind, 7s to 10s"),
            ("Ts Td Th Tc As 9d 8h", "TT", "four of a kind, 7s to 10s"),
            ("Js Jd Jh Jc As 9d 8h", "JJ", "four of a kind, jacks to kings"),
            ("Ks Kd Kh Kc 4s 4d 9h", "KK", "four of a kind, jacks to kings"),
            ("As Ad Ah Ac 6s 6d 9h", "AA", "four aces"),
        ],
    );
    sets(
        "flamingo-hilton",
        &[
            ("Kh 9h 8h 6h 5h 7s 2d", "K2", "straight or flush"),
            ("As Ks Qs Js Ts 4s 2d", "A2", "royal flush broken"),
            ("Ts Td Th Tc As Jd 8h", "AJ", "four of a kind, 7s to 10s"),
            ("Ks Kd 5h 5s Ad 9h 3c", "A9", "two pairs kept, ace"),
            ("Ks Kd Th Ts Qc Jd 9h", "TT", "two pairs split"),
            ("9s 9d 8h 8s 7c 6d Ah", "A7", "two pairs kept, ace"),
        ],
    );
}

#[test]
fn mgm_style() {
    check(
        "mgm-style",
        &[
            // Twos to sixes are kept; others need an ace.
            ("6s 6d 3h 3s Qd 9h 8c", "Q9", "two pairs, 2s to 6s"),
            ("4s 4d 2h 2s Td 9h 7c", "T9", "two pairs, 2s to 6s"),
            ("5s 5d 2h 2s 9d 8h 7c", "98", "two pairs, 2s to 6s"),
            ("3s 3d 2h 2s Qd Jh 9c", "QJ", "two pairs, 2s to 6s"),
            ("Ts Td 3h 3s Kd 9h 8c", "33", "two pairs split"),
            ("7s 7d 6h 6s Kd 9h 2c", "66", "two pairs split"),
            ("9s 9d 4h 4s Kd Qh 2c", "44", "two pairs split"),
            ("8s 8d 5h 5s Kd Jh 2c", "55", "two pairs split"),
            // Two pairs with a complete hand and no single ace.
            ("9s 9d 8h 8s 7c 6d 5h", "98", "two pairs, complete hand, no single ace"),
            ("Kh Kd 5h 5s 9h 7h 2h", "K5", "two pairs, complete hand, no single ace"),
            ("Ks Kd Qh Qs Jc Td 9h", "KQ", "two pairs, complete hand, no single ace"),
            ("Ah Ad Kc Ks Qd Jh Ts", "AK", "two pairs, complete hand, no single ace"),
            // Four of a kind.
            ("Ts Td Th Tc Ks 9d 8h", "TT", "four of a kind, 7s to 10s"),
            ("7s 7d 7h 7c Ks Qd 3h", "77", "four of a kind, 7s to 10s"),
            ("Js Jd Jh Jc As 9d 8h", "JJ", "four of a kind, jacks to aces"),
            ("Ks Kd Kh Kc As Qd 2h", "KK", "four of a kind, jacks to aces"),
            ("As Ad Ah Ac Qs Qd 5h", "AA", "four of a kind, jacks to aces"),
            ("As Ad Ah Jk 2s 2d 5h", "AA", "four of a kind, jacks to aces"),
        ],
    );
    sets(
        "mgm-style",
        &[
            ("As Ad Ah Ac Ks Kd 5h", "KK", "four aces, kings"),
            ("Ks Kd 3h 3s Ad 9h 8c", "A9", "two pairs kept, ace"),
            ("Ks Kd 7h 7s Ad 9h 8c", "77", "two pairs, jacks to kings with sevens"),
            ("9s 9d 8h 7d 6s 5c 4h", "99", "one pair, complete hand behind it"),
            // A complete hand that leaves no pair in front is kept.
            ("9s 9d 8h 7d 6s 5c Ah", "A9", "one pair, complete hand kept"),
            ("Kh Kd Ah 9h 7h 4h 2c", "K2", "one pair, complete hand kept"),
            ("As Ad Jk Kh Qc Js 3d", "A3", "three of a kind, complete hand kept"),
        ],
    );
}

#[test]
fn wizard_two_pair() {
    check(
        "wizard-two-pair",
        &[
            // A king keeps pairs whose ranks add up to 9 or less.
            ("6s 6d 4h 4s Kd 9h 8c", "44", "two pairs split"),
            ("6s 6d 5h 5s Kd 9h 2c", "55", "two pairs split"),
            ("7s 7d 3h 3s Kd 9h 2c", "33", "two pairs split"),
            ("8s 8d 2h 2s Kd Th 4c", "22", "two pairs split"),
            ("9s 9d 4h 4s Kd Qh 2c", "44", "two pairs split"),
            ("Ts Td 2h 2s Kd 9h 5c", "22", "two pairs split"),
            // An ace keeps pairs whose ranks add up to 15 or less.
            ("Ts Td 6h 6s Ad 9h 3c", "66", "two pairs split"),
            ("Js Jd 5h 5s Ad 9h 3c", "55", "two pairs split"),
            ("Js Jd 6h 6s Jk Qh 3c", "66", "two pairs split"),
            ("Qs Qd 4h 4s Ad 9h 3c", "44", "two pairs split"),
            ("Ks Kd 3h 3s Ad 9h 8c", "33", "two pairs split"),
            ("Ks Kd 6h 6s Ad 9h 3c", "66", "two pairs split"),
            ("9s 9d 7h 7s Ad Qh 2c", "77", "two pairs split"),
            ("Ts Td 9h 9s Ad 8h 3c", "99", "two pairs split"),
            ("Ts Td 8h 8s Ad Kh 3c", "88", "two pairs split"),
        ],
    );
    sets(
        "wizard-two-pair",
        &[
            ("5s 5d 4h 4s Kd 9h 8c", "K9", "two pairs kept, king or ace"),
            ("6s 6d 3h 3s Jk 9h 8c", "A9", "two pairs kept, king or ace"),
            ("8s 8d 7h 7s Ad Qh 2c", "AQ", "two pairs kept, ace"),
            ("Ks Kd 2h 2s Ad 9h 8c", "A9", "two pairs kept, ace"),
            ("9s 9d 8h 7d 6s 5c Ah", "A9", "one pair, complete hand kept"),
        ],
    );
}

#[test]
fn balance_of_power() {
    check(
        "balance-of-power",
        &[
            // A queen keeps the lowest pairs.
            ("3s 3d 2h 2s Qd 9h 8c", "Q9", "two pairs kept, queen or better"),
            ("4s 4d 2h 2s Qd 9h 7c", "Q9", "two pairs kept, queen or better"),
            // A king keeps pairs whose ranks add up to 11 or less.
            ("7s 7d 5h 5s Kd 9h 2c", "55", "two pairs split"),
            ("8s 8d 4h 4s Kd Th 2c", "44", "two pairs split"),
            ("9s 9d 6h 6s Kd Qh 3c", "66", "two pairs split"),
            ("Ts Td 2h 2s Kd 9h 5c", "22", "two pairs split"),
            ("Ts Td 6h 6s Kd 9h 3c", "66", "two pairs split"),
            ("9s 9d 3h 3s Kd Jh 5c", "33", "two pairs split"),
            ("8s 8d 6h 6s Kd Qh 3c", "66", "two pairs split"),
            ("9s 9d 5h 5s Kd Jh 2c", "55", "two pairs split"),
            ("Ts Td 4h 4s Kd 9h 3c", "44", "two pairs split"),
            // An ace keeps pairs whose ranks add up to 16 or less.
            ("Js Jd 6h 6s Jk Qh 3c", "66", "two pairs split"),
            ("Qs Qd 5h 5s Ad 9h 3c", "55", "two pairs split"),
            ("Ks Kd 4h 4s Ad 9h 3c", "44", "two pairs split"),
            ("Ks Kd 6h 6s Ad 9h 3c", "66", "two pairs split"),
            ("9s 9d 8h 8s Ad Qh 2c", "88", "two pairs split"),
            ("Ts Td 7h 7s Ad Kh 3c", "77", "two pairs split"),
        ],
    );
    sets(
        "balance-of-power",
        &[
            ("6s 6d 5h 5s Kd 9h 2c", "K9", "two pairs kept, king or ace"),
            ("4s 4d 3h 3s Qd 9h 8c", "33", "two pairs split"),
            ("Ks Kd 3h 3s Ad 9h 8c", "A9", "two pairs kept, ace"),
        ],
    );
}

#[test]
fn wong() {
    check(
        "wong",
        &[
            // Two pairs are kept with a front that depends on both.
            ("3s 3d 2h 2s Jd Th 8c", "JT", "two pairs kept, jack-ten"),
            ("4s 4d 3h 3s Qd 9h 8c", "Q9", "two pairs kept, queen"),
            ("5s 5d 2h 2s Qd 9h 7c", "Q9", "two pairs kept, queen-nine"),
            ("5s 5d 3h 3s Qd Th 7c", "QT", "two pairs kept, queen-ten"),
            ("8s 8d 3h 3s Kd 4h 2c", "33", "two pairs split"),
            ("7s 7d 5h 5s Kd 9h 2c", "55", "two pairs split"),
            ("9s 9d 2h 2s Kd 8h 4c", "22", "two pairs split"),
            ("7s 7d 6h 6s Kd Th 2c", "66", "two pairs split"),
            ("Ts Td 2h 2s Kd Jh 5c", "22", "two pairs split"),
            ("Ts Td 3h 3s Kd Qh 5c", "33", "two pairs split"),
            ("Ts Td 8h 8s Ad 9h 3c", "88", "two pairs split"),
            ("Js Jd 6h 6s Ad 9h 3c", "66", "two pairs split"),
            ("Qs Qd 3h 3s Ad 9h 8c", "33", "two pairs split"),
            ("Ks Kd 2h 2s Ad 9h 8c", "22", "two pairs split"),
            // Two pairs with a complete hand.
            ("4s 4d 2h 2s 3c 5d 6h", "42", "lowest two pairs, straight, no ace"),
            ("4s 3s 9s 8s 2s 4h 3h", "43", "low two pairs, flush"),
            ("As 9s 7s 4s 2s Ad 2h", "A2", "aces and twos, flush"),
            // Four kings far above a pair, and three kings with a low front.
            ("Ks Kd Kh Kc 4s 4d 9h", "KK", "four of a kind, split above a low pair"),
            ("Ks Kd Kh Tc 8d 4s 3h", "KT", "three kings"),
            // Straights and flushes.
            ("Th 9h 7h 6h 5h 4c 3d", "43", "straight and flush, otherwise"),
            ("Qs Qd As Kh Jc Td 4h", "AK", "straight broken"),
            ("Ts Td As Ks 8s 5s 4h", "AK", "flush broken, jack-ten or less"),
            ("As Jk Ks 7s 4s Qd 9h", "KQ", "aces, flush broken for a king"),
            ("As Jk Qs Ts 4s 9d 3h", "QT", "aces, flush broken for a queen"),
        ],
    );
    sets(
        "wong",
        &[
            ("Kh 9h 7h 6h 5h 4c 3d", "K9", "straight and flush, a king in front"),
            ("Td 9h 8c 7h 6h 5h 4h", "T9", "straight and flush, ten-nine in front"),
            ("8s 8d 3h 3s Kd 5h 2c", "K5", "two pairs kept, king-five"),
            ("Qs Qd 6h 6s Ad Kh 3c", "AK", "two pairs kept, ace-king"),
            ("Js Jd Th Ts Ad Kh 3c", "TT", "two pairs split"),
            ("Ks Kd Kh Jc Td 4s 3h", "JT", "three kings"),
            ("Js Jd As Ks 8s 5s Qh", "QJ", "complete hand"),
            ("Ts Td As Ks 8s 5s Jh", "AK", "flush broken, jack-ten or less"),
            ("As Jk 9s 7s 4s Kd Qh", "KQ", "complete hand"),
        ],
    );
}
