//! Tests for the Ultimate Texas Hold'em commands as a user runs them.

use super::common::{HAND, houseway, json, narrow, refused, refused_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn ev(arguments: &[&str]) -> Value {
    json(&[&["ev", "-g", "ultimate-holdem", "--json"], arguments].concat())
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
    assert!(narrow(&text).contains("play2"));
}

#[test]
fn solve_gives_the_published_edge() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("holdem.json");
    let text = narrow(&houseway(&["solve", "-g", "ultimate-holdem", "--out", out.to_str().unwrap()]).success());
    assert!(text.contains("2.1850%") && text.contains("3.4979%"), "{text}");
    let answer: Value = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!((answer["hands"].as_object().unwrap().len(), &answer["hands"]["AKs"]["chosen"]), (169, &"play4".into()));
    let shares = answer["frequencies"].as_object().unwrap().values().map(|share| share.as_f64().unwrap());
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-12 && answer["frequencies"].get("play3").is_none());
}

#[test]
fn bad_input_has_status_two_and_one_message() {
    let ev = [
        (&["Kh 8c Ad"][..], "a hand has 2 cards"),
        (&["Kh Jk"], "not in the deck"),
        (&["Kh 8c", "--board", "Kh 3c 4d"], "Kh is in the hand"),
        (&["Kh 8c", "--board", "2c 3c 4x"], "'4x' at character 7"),
        (&["Kh 8c", "--way", "trump-plaza"], "--way does not belong to the game ultimate-holdem"),
        (&["Kh 8c", "--set", "preflop-play=five"], "three_or_four"),
        (&["Kh 8c", "--set", "blind-table=absent.toml"], "absent.toml"),
        (&["Kh 8c", "--trips=-1"], "--trips"),
    ];
    refused_in(Path::new("."), &["ev", "-g", "ultimate-holdem"], &ev);
    refused(&[
        (&["solve", "-g", "ultimate-holdem", "--player", "trump-plaza"], "expected 'optimal' or 'simple'"),
        (&["set", "-g", "ultimate-holdem", "Kh 8c"], "ultimate-holdem"),
        (&["ev", HAND, "--board", "2c 3c 4c"], "--board does not belong to the game pai-gow-poker"),
    ]);
}
