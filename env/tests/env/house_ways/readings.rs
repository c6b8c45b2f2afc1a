//! Tests for the readings of all house ways, including hands for which an option matters and every combination of
//! options.

use super::{GAME, front_ranks, way};
use houseway_env::pai_gow::house_way::{BUILT_IN, Way};
use std::collections::BTreeSet;

/// Each row has the house way, the reading, an option other than the default, a hand, and the hand's fronts under the
/// default and under the option.
const READINGS: &[(&str, &str, &str, &str, &str, &str)] = &[
    ("trump-plaza", "quads-with-pair", "split_rule", "As Ad Ah Jk Ks Kd Qh", "KK", "AA"),
    ("trump-plaza", "trips-complete-without-pair", "three_of_a_kind", "As Ad Jk Kh Qc Js 3d", "A3", "AK"),
    ("trump-plaza", "pair-with-complete-hand", "break", "9s 9d 8h 7d 6s 5c Ah", "A9", "A8"),
    // Low quads stay together under this option as well.
    ("trump-plaza", "quads-with-pair", "split_rule", "9s 9d 9h 9c 4s 4d Ah", "44", "44"),
    ("claridge", "quads-with-pair", "split_rule", "Ks Kd Kh Kc 4s 4d 9h", "44", "KK"),
    ("claridge", "trips-complete-without-pair", "three_of_a_kind", "As Ad Jk Kh Qc Js 3d", "A3", "AK"),
    ("claridge", "pair-with-complete-hand", "break", "9s 9d 8h 7d 6s 5c Ah", "A9", "A8"),
    ("ballys-atlantic-city", "trips-complete-without-pair", "three_of_a_kind", "As Ad Jk Ks Qs 9s 3d", "A3", "AK"),
    ("ballys-atlantic-city", "ace-straight-of-three-aces", "played", "As Ad Jk Kh Qc Js 3d", "AK", "A3"),
    ("ballys-atlantic-city", "pair-with-complete-hand", "break", "9s 9d 8h 7d 6s 5c Ah", "A9", "A8"),
    ("foxwoods", "quads-with-pair", "split_rule", "Ks Kd Kh Kc 4s 4d 9h", "44", "KK"),
    ("foxwoods", "trips-complete-without-pair", "three_of_a_kind", "As Ad Jk Kh Qc Js 3d", "A3", "AK"),
    ("golden-nugget", "trips-complete-without-pair", "three_of_a_kind", "As Ad Jk Kh Qc Js 3d", "A3", "AK"),
    ("golden-nugget", "pair-with-complete-hand", "break", "9s 9d 8h 7d 6s 5c Ah", "A9", "A8"),
    ("golden-nugget", "straight-flush-broken", "reached", "Qh Jh Th 9h 8h 2h Kd", "KQ", "K2"),
    ("flamingo-hilton", "trips-complete-without-pair", "three_of_a_kind", "As Ad Jk Kh Qc Js 3d", "A3", "AK"),
    ("flamingo-hilton", "pair-with-complete-hand", "break", "9s 9d 8h 7d 6s 5c Ah", "A9", "A8"),
    ("flamingo-hilton", "straight-flush-broken", "reached", "Ah Kh Qh Jh Th Ks 9d", "AK", "K9"),
    ("mgm-style", "quads-with-pair", "split_rule", "Ks Kd Kh Kc 4s 4d 9h", "44", "KK"),
    ("mgm-style", "trips-complete-without-pair", "three_of_a_kind", "As Ad Jk Kh Qc Js 3d", "A3", "AK"),
    ("mgm-style", "pair-with-complete-hand", "break", "9s 9d 8h 7d 6s 5c Ah", "A9", "A8"),
    ("mgm-style", "ace-with-two-pairs", "kept_ace", "Ks Kd Qh Qs Ac Jd Th", "QQ", "KQ"),
    ("mgm-style", "ace-with-two-pairs", "any_ace", "Ah Ad Kc Ks Qd Jh Ts", "AK", "KK"),
    ("mgm-style", "ace-with-two-pairs", "low_pairs", "9s 9d 8h 8s 7c 6d 5h", "98", "88"),
    ("wizard-two-pair", "complete-hand-with-two-pairs", "complete", "9s 9d 8h 8s 7c 6d 5h", "88", "98"),
    ("balance-of-power", "complete-hand-with-two-pairs", "complete", "9s 9d 8h 8s 7c 6d 5h", "88", "98"),
    ("wong", "low-pairs-with-straight", "always", "4s 4d 2h 2s As 5d 3c", "A5", "42"),
    ("casino-real-california", "quads-with-pair", "ace_or_pair", "Qs Qd Qh Qc As 7d 3c", "QQ", "A7"),
    ("gold-star-school", "pair-with-ace", "if_higher", "Ts Td 9h 8c 7d 6s Ac", "A9", "AT"),
];

#[test]
fn readings_change_the_hands_they_name() {
    for &(name, reading, option, hand, default, other) in READINGS {
        assert_eq!(front_ranks(&way(name, &[]), hand), default, "{name}: {hand}");
        let read_so = way(name, &[(reading, option)]);
        assert_eq!(front_ranks(&read_so, hand), other, "{name}, {reading}={option}: {hand}");
        assert_eq!(read_so.survey().fouls, 0);
    }
    let shown: BTreeSet<_> = READINGS.iter().map(|row| (row.0, row.1, row.2)).collect();
    for (name, _) in BUILT_IN {
        for reading in Way::named(name).unwrap().readings() {
            for option in &reading.options[1..] {
                assert!(
                    shown.contains(&(name, &reading.name, option)),
                    "{name}: no example of {}={option}",
                    reading.name
                );
            }
        }
    }
}

/// Checks that every combination of options is complete, legal and free of idle rules, and that no two house ways are
/// equal.
#[test]
#[ignore = "takes 30 seconds; single options are covered by the test above"]
fn every_combination_of_readings_sets_every_hand() {
    let mut hashes = BTreeSet::new();
    for (name, _) in BUILT_IN {
        let readings = Way::named(name).unwrap().readings().to_vec();
        let combinations: usize = readings.iter().map(|reading| reading.options.len()).product();
        for mut number in 0..combinations {
            let mut chosen = Way::named(name).unwrap();
            for reading in &readings {
                chosen.choose(&reading.name, &reading.options[number % reading.options.len()]).unwrap();
                number /= reading.options.len();
            }
            let survey = chosen.survey(&GAME).unwrap();
            assert_eq!((survey.hands, survey.uncovered, survey.fouls), (154_143_080, 0, 0), "{name}");
        }
        assert!(hashes.insert(way(name, &[]).hash()), "{name} equals another way");
    }
}

#[test]
fn every_way_names_its_origin() {
    for (name, _) in BUILT_IN {
        let way = Way::named(name).unwrap();
        assert_eq!(way.name(), *name);
        assert!(!way.title().is_empty() && way.source().len() > 20, "{name}");
        assert!(way.rules().iter().all(|rule| rule.text.ends_with('.')), "{name}");
    }
}
