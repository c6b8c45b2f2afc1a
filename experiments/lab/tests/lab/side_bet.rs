//! Tests for `houseway side-bet`.

use crate::common::{houseway, json, stdout};
use predicates::str::contains;
use std::fs;

#[test]
fn every_game_answers_with_the_same_keys() {
    let keys =
        ["game", "paytable", "table", "rows", "losing", "hands", "net", "ev", "variance", "break_even_meter", "rules"];
    for game in ["pai-gow-poker", "ultimate-holdem", "asian-stud", "joker-seven", "face-up-pai-gow", "pai-gow-tiles"] {
        let answer = json(&["side-bet", "-g", game, "--json"]);
        assert!(keys.iter().all(|key| answer.get(key).is_some()) && answer["rules_hash"].is_string(), "{answer}");
        for row in answer["rows"].as_array().unwrap() {
            assert!(row["hand"].is_string() && row["name"].is_string() && row["return"].is_f64(), "{row}");
            assert!(row["odds"]["numerator"].is_u64() && row["hands"].is_string(), "{row}");
        }
    }
    let answer = json(&["side-bet", "fortune-2", "--json"]);
    assert_eq!((answer["net"].as_str(), answer["losing"].as_str()), (Some("-11970096"), Some("124556196")));
    assert_eq!(
        (answer["ev"]["value"].as_f64(), &answer["break_even_meter"]),
        (Some(-11_970_096.0 / 154_143_080.0), &serde_json::Value::Null)
    );
    houseway(&["side-bet", "-g", "pai-gow-known-cards"])
        .code(2)
        .stderr(contains("these games have one: pai-gow-poker, ultimate-holdem"));
    houseway(&["side-bet", "-g", "pai-gow-table"]).code(2).stderr(contains("use pai-gow-poker"));
    houseway(&["side-bet", "-g", "joker-seven", "--player", "foxwoods"]).code(2).stderr(contains("'player'"));
}

#[test]
fn meanings_meters_and_envy_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bet.toml");
    let table = "name = 'bet'\nfor-one = true\nrow = [{ hand = 'three-pairs', odds = 10 }, \
                 { hand = 'five-aces', meter = '1/10', envy = 2 }]";
    fs::write(&file, table).unwrap();
    let path = file.to_str().unwrap();
    let shown = stdout(&houseway(&["side-bet", path, "--meter", "1000", "--seats", "6"]).success());
    for text in [
        "three pairs: two cards in each of three ranks",
        "10 for 1",
        "10% of the meter",
        "at 1000; the bet, without envy bonuses, breaks even at",
        "for each other player",
        "with 6 players",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    // 10 * 2,898,720 + 1,128 M / 10 = 154,143,080.
    let answer = json(&["side-bet", path, "--json"]);
    assert_eq!(answer["break_even_meter_exact"]["numerator"], "156444850");
    houseway(&["side-bet", path, "--meter", "-1"]).code(2);
    for (unused, refused) in [
        (["--player", "nobody"], "doesn't depend on the option player; remove it"),
        (["--meter", "100"], "has no row that pays a share of a meter; remove the meter"),
        (["--seats", "6"], "has no row with an envy bonus; remove the seats"),
    ] {
        houseway(&[&["side-bet", "mania-7"][..], &unused].concat()).code(2).stderr(contains(refused));
    }
    houseway(&["side-bet", path, "--meter=many"]).code(2).stderr(contains("invalid amount 'many'"));
    // The game itself doesn't settle such a bet.
    let config = format!("{{\"paytable\": \"{path}\"}}");
    houseway(&["play", "--plain", "--option", &config]).code(2);
}
