//! Tests of the configurations and results.

use super::findings::Findings;
use super::history::History;
use super::mixing::Mixing;
use super::{Comparison, Question};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::Ratio;
use houseway_exact::equilibrium::{Algorithm, AverageValues, Method};
use houseway_exact::pai_gow::equilibrium::Certificate;
use houseway_exact::pai_gow::matchup::BankedBy;
use serde_json::Value;
use std::path::Path;

fn committed(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/equilibrium").join(file);
    std::fs::read_to_string(path).unwrap()
}

fn question(bank: BankedBy, algorithm: Algorithm) -> Question {
    let method = Method { algorithm, ..Method::default() };
    Question { game: Game::new(Rules::default()), bank, rounds: 40, method }
}

fn findings(bank: BankedBy) -> Findings {
    let ratio = |numerator| Ratio::new(numerator, 1_000);
    let banker = if bank == BankedBy::House { 27 } else { -32 };
    Findings {
        rules: Rules::default(),
        bank,
        method: Method::default(),
        certificate: Certificate {
            ev: [ratio(-27), ratio(banker)],
            best: [ratio(-25), ratio(banker + 4)],
            profile_best: [ratio(-26), ratio(banker + 1)],
        },
        history: History {
            values: vec![AverageValues { own: [-0.027, -0.032], best: [-0.026, -0.031] }],
            seconds: vec![(1, 2.5)],
        },
        mixing: [(); 2].map(|()| Mixing { profiles: 3, hands: 0.25, minority: 0.125 }),
    }
}

fn keys(json: &Value) -> Vec<&String> {
    json.as_object().unwrap().keys().collect()
}

#[test]
fn defaults_keep_the_configuration_and_keys_of_committed_results() {
    let spec = question(BankedBy::House, Algorithm::LinearCfr).spec().unwrap();
    assert_eq!(spec.config, committed("config.toml"));
    let results: Value = serde_json::from_str(&committed("results.json")).unwrap();
    let json = findings(BankedBy::House).json();
    assert_eq!(keys(&json), keys(&results));
    assert_eq!(keys(&json["by_round"][0]), keys(&results["by_round"][0]));
    assert_eq!(json["method"], results["method"]);
    assert_eq!([&json["lower_exact"]["numerator"], &json["upper_exact"]["numerator"]], ["-31", "-1"]);
    assert_eq!(json["player_exploitability"], 0.004);
    assert_eq!(json["banker_exploitability"], 0.002);
}

#[test]
fn a_banking_player_has_no_value_in_the_results() {
    let found = findings(BankedBy::Player);
    let json = found.json();
    for key in keys(&json) {
        let words: Vec<&str> = key.split('_').collect();
        assert!(!["lower", "upper", "width", "value", "exploitability"].iter().any(|it| words.contains(it)), "{key}");
    }
    assert_eq!(json["bank"], "player");
    assert_eq!([&json["nash_conv_exact"]["numerator"], &json["nash_conv_exact"]["denominator"]], ["3", "500"]);
    assert_eq!([&json["player_gain"], &json["banker_gain"]], [0.002, 0.004]);
    assert_eq!([&json["player_profile_gain"], &json["banker_profile_gain"]], [0.001, 0.001]);
    assert_eq!(keys(&json["by_round"][0]), ["nash_conv"]);
    let texts = [found.text(Path::new("out")), found.report().markdown(), found.bounds_rows().concat().join(" ")];
    for text in texts {
        for word in ["bracket", "Bracket", "value of the game", "lower", "upper", "width", "exploitab"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
        assert!(text.contains("NashConv") || text.contains("nash_conv"), "{text}");
    }
}

#[test]
fn banks_and_methods_have_configurations_of_their_own() {
    let config = |bank, algorithm| question(bank, algorithm).spec().unwrap().config;
    assert!(config(BankedBy::Player, Algorithm::LinearCfr).contains("bank = \"player\""));
    assert!(config(BankedBy::House, Algorithm::CfrPlus).contains("algorithm = \"cfr-plus\""));
    let algorithms = vec![Algorithm::FictitiousPlay, Algorithm::LinearCfr];
    let comparison = Comparison { game: Game::new(Rules::default()), bank: BankedBy::House, rounds: 40, algorithms };
    let config: toml::Table = toml::from_str(&comparison.spec().unwrap().config).unwrap();
    assert_eq!(config["methods"], toml::Value::from(vec!["fictitious-play", "linear-cfr"]));
}
