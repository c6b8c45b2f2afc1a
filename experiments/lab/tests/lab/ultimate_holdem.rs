//! Tests for the Ultimate Texas Hold'em commands as a user runs them.

use super::common::houseway;
use predicates::prelude::*;
use serde_json::Value;
use std::fs;

fn ev(arguments: &[&str]) -> Value {
    let arguments = [&["ev", "-g", "ultimate-holdem", "--json"], arguments].concat();
    serde_json::from_slice(&houseway(&arguments).success().get_output().stdout).unwrap()
}

fn narrow(text: &[u8]) -> String {
    let text = String::from_utf8(text.to_vec()).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    text
}

#[test]
fn ev_decides_flops_and_rivers() {
    let flop = ev(&["Kh 8c", "--board", "8d 5s 2h"]);
    assert_eq!((flop["stage"].as_str(), flop["best"].as_str()), (Some("flop"), Some("play2")));
    assert!(flop["actions"]["play2"].as_f64().unwrap() > flop["actions"]["check"].as_f64().unwrap());
    assert_eq!((flop["hand"].as_str(), flop["board"].as_str()), (Some("Kh 8c"), Some("8d 5s 2h")));
    // A royal flush on the board ties with every dealer.
    let river = ev(&["Kh 8c", "--board", "As Ks Qs Js Ts"]);
    assert_eq!((river["stage"].as_str(), river["best"].as_str()), (Some("river"), Some("play1")));
    assert_eq!((river["actions"]["play1"].as_f64(), river["actions"]["fold"].as_f64()), (Some(0.0), Some(-2.0)));
    // A royal flush wins 1 on the Ante, 1 on Play and 500 on the Blind. Every dealer qualifies with the board's pair.
    let royal = ev(&["Ks As", "--board", "Qs Js Ts 2d 2c"]);
    assert_eq!(royal["actions"]["play1"].as_f64(), Some(502.0));
    let text = houseway(&["ev", "-g", "ultimate-holdem", "Kh 8c", "--board", "8d 5s 2h"]).success();
    assert!(narrow(&text.get_output().stdout).contains("play2"));
}

#[test]
fn solve_gives_the_published_edge() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("holdem.json");
    let text = houseway(&["solve", "-g", "ultimate-holdem", "--out", out.to_str().unwrap()]).success();
    let text = narrow(&text.get_output().stdout);
    assert!(text.contains("2.1850%") && text.contains("3.4979%"), "{text}");
    let answer: Value = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!((answer["hands"].as_object().unwrap().len(), &answer["hands"]["AKs"]["chosen"]), (169, &"play4".into()));
    let shares = answer["frequencies"].as_object().unwrap().values().map(|share| share.as_f64().unwrap());
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-12 && answer["frequencies"].get("play3").is_none());
}

#[test]
fn bad_input_has_status_two_and_one_message() {
    for (arguments, part) in [
        (vec!["ev", "Kh 8c Ad"], "a hand has 2 cards"),
        (vec!["ev", "Kh"], "a hand has 2 cards"),
        (vec!["ev", "Kh Jk"], "not in the deck"),
        (vec!["ev", "Kh 8c", "--board", "2c 3c"], "2 cards"),
        (vec!["ev", "Kh 8c", "--board", "Kh 3c 4d"], "Kh is in the hand"),
        (vec!["ev", "Kh 8c", "--board", "2c 3c 4x"], "'4x' at character 7"),
        (vec!["ev", "Kh 8c", "--way", "trump-plaza"], "--way does not belong to the game ultimate-holdem"),
        (vec!["ev", "Kh 8c", "--set", "preflop-play=five"], "three_or_four"),
        (vec!["ev", "Kh 8c", "--set", "commission=0.05"], "commission"),
        (vec!["ev", "Kh 8c", "--set", "blind-table=absent.toml"], "absent.toml"),
        (vec!["ev", "Kh 8c", "--trips=-1"], "--trips"),
        (vec!["solve", "--bank", "house"], "--bank does not belong"),
        (vec!["solve", "--player", "trump-plaza"], "expected 'optimal' or 'simple'"),
        (vec!["set", "Kh 8c"], "ultimate-holdem"),
    ] {
        let arguments = [&arguments[..1], &["-g", "ultimate-holdem"], &arguments[1..]].concat();
        let text = predicate::str::contains(part).and(predicate::str::contains("error:").count(1));
        houseway(&arguments).code(2).stdout("").stderr(text);
    }
    let foreign = predicate::str::contains("--board does not belong to the game pai-gow-poker");
    houseway(&["ev", "As Kd Jk 7c 7d 2h 3s", "--board", "2c 3c 4c"]).code(2).stderr(foreign);
}
