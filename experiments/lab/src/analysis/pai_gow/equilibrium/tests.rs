//! Tests of the configurations and results.

use super::answer::{Findings, SuitsSeen};
use super::differences::{Comparison, Differences, MixedGroup, MixedHands, Mixing, rows};
use super::rounds::{History, chart_by_passes};
use super::*;
use crate::report::{Report, answer_text};
use crate::run::{config_hash, config_text};
use houseway_env::cards::classes::Classes;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, ProfileTable, Rules, Setting};
use houseway_exact::Ratio;
use houseway_exact::answer::Chart;
use houseway_exact::equilibrium::{Algorithm, Method, PairEvs};
use houseway_exact::pai_gow::audit::{ChangeCounts, Difference, Group, Sample};
use houseway_exact::pai_gow::equilibrium::{Certificate, ProfileClasses};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::{DealCounts, Payoff};
use houseway_exact::pai_gow::{BankerTable, MixedTable};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

fn committed(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/equilibrium").join(file);
    std::fs::read_to_string(path).unwrap()
}

fn question(bank: BankedBy, algorithm: Algorithm) -> Question {
    let method = Method { algorithm, ..Method::default() };
    Question { game: Game::new(Rules::default()), bank, rounds: 40, class_rounds: 0, method }
}

fn findings(bank: BankedBy) -> Findings {
    let ratio = |numerator| Ratio::new(numerator, 1_000);
    let banker = if bank == BankedBy::House { 27 } else { -32 };
    Findings {
        rules: Rules::default(),
        bank,
        method: Method::default(),
        certificate: Certificate {
            evs: PairEvs { own: [ratio(-27), ratio(banker)], best: [ratio(-25), ratio(banker + 4)] },
            profile_best: [ratio(-26), ratio(banker + 1)],
        },
        history: History {
            values: vec![PairEvs { own: [-0.027, -0.032], best: [-0.026, -0.031] }],
            seconds: vec![(1, 2.5)],
            rounds_before: 0,
        },
        seen: None,
        mixing: [mixing(), Mixing::default()],
        differences: differences(bank),
    }
}

const MIXED: &str = "Ah Kd Tc 9s 7h 6d 5c";

fn mixing() -> Mixing {
    let example: Hand = MIXED.parse().unwrap();
    let fronts = [("Kd 9s", 2_376), ("Kd Tc", 1_720)].map(|(front, weight)| (front.to_owned(), weight)).to_vec();
    let group = Group::new(&Game::new(Rules::default()), example);
    let mixed = MixedHands { profiles: 3, classes: 400, hands: 1_541_431 };
    Mixing {
        mixed,
        any: MixedHands { profiles: 7, classes: 900, hands: 3_082_862 },
        minority: 0.125,
        groups: vec![MixedGroup { group, mixed, example, fronts }],
    }
}

/// Returns differences on one hand with two pairs. The banker's strategies don't differ.
fn differences(bank: BankedBy) -> Differences {
    let game = Game::new(Rules::default());
    let hand: Hand = "As Kd Kc 6d 6c 3s 2h".parse().unwrap();
    let setting = |front: &str| {
        let found = Setting::all().find(|setting| setting.front(hand).to_string() == front);
        found.unwrap()
    };
    let comparison = |opponent: &str, losses: [u64; 2], is_changed: bool| {
        let [from, to] = losses.map(|losses| DealCounts { losses, pushes: 100 - losses, ..DealCounts::default() });
        let sample = Sample {
            hand,
            plays: setting("6d 6c"),
            other: setting("As 3s"),
            gain: 0,
            other_gain: -1,
            fee: Ratio::ZERO,
        };
        let change = match is_changed {
            // A tenth of the stake over all deals, in millionths.
            true => ChangeCounts { hands: 1_541_431, better: 0, worse: 1_541_431, gain: -825_045_903_121_440_000_000 },
            false => ChangeCounts::default(),
        };
        let groups = if is_changed { vec![(Group::new(&game, hand), change, sample)] } else { vec![] };
        let difference = Difference { from, to, change, groups };
        Comparison { opponent: opponent.to_owned(), payoff: Payoff::player(&game.rules()), difference }
    };
    let ratio = |numerator| Ratio::new(numerator, 10_000);
    let banker = if bank == BankedBy::House { 271 } else { -319 };
    Differences {
        way: "trump-plaza".to_owned(),
        hash: "00ff".to_owned(),
        with_way: [comparison("equilibrium-banker", [3, 13], true), comparison("equilibrium-player", [3, 3], false)],
        with_best: [comparison("trump-plaza", [4, 4], false), comparison("trump-plaza", [4, 4], false)],
        tables: Some(PairEvs { own: [ratio(-271), ratio(banker)], best: [ratio(-269), ratio(banker + 4)] }),
    }
}

fn markdown(found: &Findings) -> String {
    Report::from(found.answer()).markdown()
}

fn keys(json: &Value) -> Vec<&String> {
    json.as_object().unwrap().keys().collect()
}

#[test]
fn defaults_keep_the_configuration_and_keys_of_committed_results() {
    let question = Question { class_rounds: 10, ..question(BankedBy::House, Algorithm::LinearCfr) };
    assert_eq!(config_hash(&question.spec(None).unwrap().config), config_hash(&committed("config.toml")));
    let results: Value = serde_json::from_str(&committed("results.json")).unwrap();
    let seen = SuitsSeen { profiles: [425, 316], history: History::default() };
    let json = Findings { seen: Some(seen), ..findings(BankedBy::House) }.json();
    for key in keys(&results) {
        assert!(json.get(key).is_some(), "{key}");
    }
    for key in keys(&results["strategies"][0]) {
        assert!(json["strategies"][0].get(key).is_some(), "{key}");
    }
    assert_eq!(keys(&json["by_round"][0]), keys(&results["by_round"][0]));
    assert_eq!(json["method"], results["method"]);
    assert_eq!([&json["lower_exact"]["numerator"], &json["upper_exact"]["numerator"]], ["-31", "-1"]);
    assert_eq!(json["player_exploitability"], 0.004);
    assert_eq!(json["banker_exploitability"], 0.002);
}

#[test]
fn results_have_the_documented_keys() {
    let json = findings(BankedBy::House).json();
    assert_eq!((&json["value"]["lower"], &json["value"]["upper"]), (&json["lower_exact"], &json["upper_exact"]));
    assert_eq!((&json["nash_conv"], &json["nash_conv_exact"]), (&json["width"], &json["width_exact"]));
    assert_eq!(json["exploitability"], serde_json::json!({ "player": 0.004, "banker": 0.002 }));
    assert_eq!((&json["rounds"], &json["passes"]), (&1.into(), &2.into()));
    let mixed = &json["mixed"]["player"];
    assert_eq!(
        (&mixed["classes"], &mixed["hands"], &mixed["profiles"]),
        (&"400".into(), &"1541431".into(), &"3".into())
    );
    assert_eq!((&mixed["min_percent"], &mixed["any_weight"]["hands"]), (&1.into(), &"3082862".into()));
    assert_eq!(mixed["groups"][0]["settings"][0], serde_json::json!({ "front": "Kd 9s", "weight": 2_376 }));
    assert_eq!(json["mixed"]["banker"]["classes"], "0");
    let files = json["files"].as_object().unwrap();
    assert_eq!(files["player"], "strategies/player.safetensors");
    assert_eq!(files["mixed_banker"], "tables/mixed-banker.csv");
    assert_eq!(json["tables"]["value"]["upper"]["numerator"], "-269");
    assert_eq!(json["tables"]["exploitability"]["player"], 0.0004);
    let way = &json["differences"]["player"]["house_way"];
    assert_eq!((&way["opponent"], &way["hands_changed"]), (&"equilibrium-banker".into(), &"1541431".into()));
    assert_eq!((&way["ev"], &way["other_ev"], &way["ev_change"]), (&(-0.03).into(), &(-0.13).into(), &(-0.1).into()));
    let class = &way["classes"][0];
    assert_eq!((&class["equilibrium"], &class["house_way"]), (&"6d 6c".into(), &"As 3s".into()));
    assert_eq!(json["differences"]["banker"]["best_response"]["hands_changed"], "0");
}

#[test]
fn the_report_says_where_equilibrium_play_differs() {
    let report = markdown(&findings(BankedBy::House));
    // Without the padding of tables.
    let report = report.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    for part in [
        "**As the player, equilibrium play sets 1.00% of all hands differently from trump-plaza.** Against \
         equilibrium-banker, the EV is -3.0000% of the stake with equilibrium play and -13.0000% with trump-plaza.",
        "The whole change of -10.0000% is due to two pairs.",
        "The largest group is two pairs KK 66, single ace: with `As Kd Kc 6d 6c 3s 2h`, equilibrium play sets `6d 6c` in \
         front and trump-plaza sets `As 3s`.",
        "**As the banker, equilibrium play sets every hand like trump-plaza.**",
        "**As the banker, equilibrium play sets every hand like the best response to trump-plaza.**",
        "**The player mixes 1.00% of all hands.** By shape, they are no pair (100.0%).",
        "`Ah Kd Tc 9s 7h 6d 5c` is set with the fronts `Kd 9s` 58%, `Kd Tc` 42%.",
        "The banker doesn't mix any hand.",
        // The exact fractions.
        "| bracket (NashConv) | 0.6000000% | 3/500 |",
        "| player's exploitability | 0.4000000% | 1/250 |",
        "| against the player's strategy | 0.3000000% | 3/1000 |",
        // The tables' own bounds.
        "bounds of their own, -2.75000% and -2.69000%, which is a bracket of 6.00e-4 stakes (exactly 3/5000)",
    ] {
        assert!(report.contains(part), "{part}\n{report}");
    }
    let text = answer_text(&findings(BankedBy::House).answer());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["bracket (NashConv) 0.6000000% 3/500", "banker's exploitability 0.2000000% 1/500"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn the_chart_has_the_certified_gap_as_a_line() {
    let found = findings(BankedBy::House);
    let Chart::Lines(chart) = chart_by_passes(found.bank, &[("bracket", &found.history)], Some(6e-7)).chart else {
        panic!("the chart has lines")
    };
    assert_eq!((chart.references[0].name.as_str(), chart.references[0].y), ("certified: 6.00e-7", 6e-7));
}

#[test]
fn mixed_hands_have_a_second_setting_above_the_threshold() {
    let game = Game::new(Rules::default());
    let pure = BankerTable::new(&ProfileTable::max_back(&game));
    let of = |hand: &str| Profiles::get().of(hand.parse::<Hand>().unwrap().set());
    // The second one is below the threshold, and the third one sets the most hands in a less probable way.
    let mixed = [(of("Qh 9d 7c 6s 5h 3d 2c"), 41), (of("Qh 9d 7c 6s 4h 3d 2c"), 40), (of(MIXED), 1_720)];
    let table = MixedTable::new(
        "mixed",
        Profile::all().map(|profile| {
            let main = pure.set(profile);
            let weight = mixed.iter().find(|(it, _)| *it == profile).map_or(0, |(_, weight)| *weight);
            let hand = Hand::representative(profile);
            let other = game.settings(hand).map(|(_, set)| set).find(|&set| set != main && game.is_legal(set));
            [(main, 4_096 - weight), (other.unwrap_or(main), weight)]
        }),
    );
    let (table, classes) = (table.unwrap(), ProfileClasses::new());
    assert_eq!(Profile::all().map(|profile| classes.classes(profile)).sum::<usize>(), 6_972_147);
    let found = Mixing::new(&game, &table, &classes);
    let hands = |profiles: &[usize]| profiles.iter().map(|&i| Profiles::get().hands(mixed[i].0)).sum::<u64>();
    assert_eq!((found.any.profiles, found.any.hands), (3, hands(&[0, 1, 2])));
    assert_eq!((found.mixed.profiles, found.mixed.hands), (2, hands(&[0, 2])));
    let slow = |profile: Profile| {
        let same = |&class: &usize| Profiles::get().of(Classes::seven().hand(class)) == profile;
        (0..Classes::seven().len()).filter(same).count() as u64
    };
    assert_eq!(found.mixed.classes, slow(mixed[0].0) + slow(mixed[2].0));
    assert_eq!(found.groups.iter().map(|group| group.mixed.profiles).collect::<Vec<_>>(), [1, 1]);
    let weights = |group: &MixedGroup| group.fronts.iter().map(|(_, weight)| *weight).collect::<Vec<_>>();
    let shown = found.groups.iter().find(|group| group.group.to_string() == "no pair, ace king").unwrap();
    assert_eq!((shown.example.to_string().as_str(), weights(shown)), (MIXED, vec![2_376, 1_720]));
    // All of the profiles are listed, beginning with those that set the most hands in a less probable way.
    let rows = rows(&game, &table);
    let weights: Vec<&str> = rows[1..].iter().map(|row| row[3].as_str()).collect();
    assert_eq!(weights, ["2376", "1720", "4055", "41", "4056", "40"]);
}

#[test]
fn the_bounds_are_those_of_the_tables_after_rounds_that_see_suits() {
    let values = PairEvs { own: [-0.0271, 0.0271], best: [-0.0269, 0.0275] };
    let history = History { values: vec![values; 3], seconds: vec![(1, 2.5), (2, 9.0)], rounds_before: 1 };
    let found = Findings { seen: Some(SuitsSeen { profiles: [425, 316], history }), ..findings(BankedBy::House) };
    let json = found.json();
    // The tables have bounds of their own, and the other keys are still those of the mixed strategies.
    assert_eq!(json["value"], json["tables"]["value"]);
    assert_eq!([&json["value"]["lower"]["numerator"], &json["value"]["upper"]["numerator"]], ["-11", "-269"]);
    assert_eq!((&json["nash_conv"], &json["exploitability"]["player"]), (&0.0006.into(), &0.0004.into()));
    assert_eq!([&json["lower_exact"]["numerator"], &json["upper_exact"]["numerator"]], ["-31", "-1"]);
    assert_eq!((&json["rounds"], &json["passes"]), (&1.into(), &10.into()));
    let seen = &json["suits_seen"];
    assert_eq!((&seen["rounds"], &seen["profiles"]["banker"]), (&3.into(), &316.into()));
    assert_eq!(seen["by_round"][2], serde_json::json!({ "lower": -0.0275, "upper": -0.0269 }));
    let rows = found.bounds_rows();
    assert_eq!(rows[1][..3], ["1", "2", "fictitious play"]);
    assert_eq!(rows[4][..3], ["4", "10", "fictitious play, suits seen"]);
    let found_history = &found.seen.as_ref().unwrap().history;
    let passes: Vec<f64> = found_history.by_passes(BankedBy::House).into_iter().map(|(passes, _)| passes).collect();
    assert_eq!(passes, [6.0, 8.0, 10.0]);
    assert_eq!(found_history.by_seconds(BankedBy::House).len(), 1);
    let report = markdown(&found);
    for part in [
        "-2.750000%",
        "-2.690000%",
        "6.00e-4 stakes",
        "from 3 further rounds",
        "425 profiles and the banker those of 316",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
}

#[test]
fn a_banking_player_has_no_value_in_the_results() {
    let found = findings(BankedBy::Player);
    let json = found.json();
    for key in keys(&json) {
        let words: Vec<&str> = key.split('_').collect();
        // What a best response gains is defined without a value, but it isn't the other side's loss.
        let is_gain = key == "exploitability";
        let banned = ["lower", "upper", "width", "value", "exploitability"];
        assert!(is_gain || !banned.iter().any(|it| words.contains(it)), "{key}");
    }
    assert_eq!(json["exploitability"], serde_json::json!({ "player": 0.004, "banker": 0.002 }));
    assert_eq!(json["bank"], "player");
    assert_eq!([&json["nash_conv_exact"]["numerator"], &json["nash_conv_exact"]["denominator"]], ["3", "500"]);
    assert_eq!([&json["player_gain"], &json["banker_gain"]], [0.002, 0.004]);
    assert_eq!([&json["player_profile_gain"], &json["banker_profile_gain"]], [0.001, 0.001]);
    assert_eq!(keys(&json["by_round"][0]), ["nash_conv"]);
    let texts = [answer_text(&found.answer()), markdown(&found), found.bounds_rows().concat().join(" ")];
    for text in texts {
        for word in ["bracket", "Bracket", "value of the game", "lower", "upper", "width", "exploitab"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
        assert!(text.contains("NashConv") || text.contains("nash_conv"), "{text}");
    }
}

#[test]
fn banks_and_methods_have_configurations_of_their_own() {
    let config = |bank, algorithm| question(bank, algorithm).spec(None).unwrap().config;
    assert!(config(BankedBy::Player, Algorithm::LinearCfr).contains("bank = \"player\""));
    assert!(config(BankedBy::House, Algorithm::CfrPlus).contains("algorithm = \"cfr-plus\""));
    let game = Game::new(Rules::default());
    let way = HouseWay::shared(Way::named("foxwoods").unwrap(), &game).unwrap();
    let spec = question(BankedBy::House, Algorithm::LinearCfr).spec(Some(&Arc::clone(&way).into())).unwrap();
    let text: toml::Table = toml::from_str(&spec.config).unwrap();
    assert_eq!(text["way"]["name"], "foxwoods".into());
    assert_eq!(text["way"]["hash"], way.hash().into());
    let algorithms = vec![Algorithm::FictitiousPlay, Algorithm::LinearCfr];
    let comparison = MethodComparison {
        rounds: 40,
        bank: BankedBy::House,
        algorithms,
        method: Method::default(),
        game: Game::new(Rules::default()),
    };
    let config: toml::Table = toml::from_str(&config_text(&comparison).unwrap()).unwrap();
    assert_eq!(config["methods"], toml::Value::from(vec!["fictitious-play", "linear-cfr"]));
}

#[test]
fn a_setback_is_the_largest_increase_of_the_gap() {
    assert_eq!(setback(&[8.0, 4.0, 2.0, 3.0, 1.0]), None);
    assert_eq!(setback(&[8.0, 4.0, 9.0, 1.0, 2.0, 3.0, 0.5, 0.9]), Some([(4, 1.0), (6, 3.0)]));
    assert_eq!(setback(&[]), None);
}
