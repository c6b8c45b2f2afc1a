//! Tests for the Joker Seven and Asian Stud commands.

use super::common::{self, houseway, narrow, refused, stdout};
use serde_json::Value;

fn json(arguments: &[&str]) -> Value {
    common::json(&[arguments, &["--json"]].concat())
}

fn text(arguments: &[&str]) -> String {
    narrow(&houseway(arguments).success())
}

#[test]
fn small_games_are_solved() {
    // The rules of Asian Stud without commission, which are the last figure's, favor the player.
    for (game, figures) in
        [("joker-seven", ["-84.7715%", "-3.9426%"]), ("asian-stud", ["-12796180519/438729741450", "+0.011742"])]
    {
        let shown = text(&["solve", "-g", game]);
        assert!(figures.into_iter().all(|figure| shown.contains(figure)), "{shown}");
    }
}

#[test]
fn joker_seven_takes_readings_and_paytables() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "name='mine'\ntitle='x'\nsource='x'\n[[row]]\nhand='one-joker'\nodds=4\n").unwrap();
    let answer = json(&["solve", "-g", "joker-seven", "--paytable", file.to_str().unwrap(), "--enumerate"]);
    assert_eq!((answer["wagers"].as_object().unwrap().len(), &answer["enumerated"]), (1, &Value::Bool(true)));
    assert_eq!(answer["wagers"]["one-joker"]["odds"], 4);
    let either = ["solve", "-g", "joker-seven", "--paytable", "new-jersey", "--set", "colour=either_colour"];
    let answer = json(&either);
    assert_eq!(answer["wagers"]["7-either"]["winners"], (2 * 657_800).to_string());
    assert_eq!(answer["wagers"]["7-either"]["odds"], 25);
    text(&either);
}

#[test]
fn an_asian_stud_hand_is_valued() {
    let answer = json(&["ev", "-g", "asian-stud", "As Kd Jk 7c 2h"]);
    assert_eq!((&answer["hand"], &answer["board"]), (&"Jk As Kd 7c 2h".into(), &Value::Null));
    assert_eq!((&answer["best"], &answer["value"]), (&"raise".into(), &"1".into()));
    assert_eq!(answer["actions"]["fold"], -1.0);
    let dealers = answer["dealer_hands"].as_object().unwrap();
    assert_eq!(dealers.values().map(|n| n.as_str().unwrap().parse::<u64>().unwrap()).sum::<u64>(), 1_712_304);
    assert_eq!(json(&["ev", "-g", "asian-stud", "As 5s 5h 5d 5c"])["best"], "fold");
    assert!(text(&["ev", "-g", "asian-stud", "As 5s 5h 5d 5c"]).contains("best   fold"));
}

#[test]
fn bad_input_is_told() {
    refused(&[
        (&["ev", "-g", "asian-stud", "As Kd"], "a hand has 5 cards"),
        (&["ev", "-g", "asian-stud", "Jk As Kd 2c 3d", "--set", "joker=none"], "has no joker"),
        (&["ev", "-g", "joker-seven", "As"], "does not support the game 'joker-seven'"),
        (&["solve", "-g", "asian-stud", "--set", "odds-on=all"], "ante_only"),
        (&["solve", "-g", "asian-stud", "--enumerate"], "--enumerate does not belong to the game asian-stud"),
        (&["solve", "-g", "asian-stud", "--paytable", "rich"], "unknown paytable 'rich'"),
        (&["solve", "-g", "joker-seven", "--set", "minimum=2"], "the rule minimum=2 has no effect here"),
        (&["play", "-g", "joker-seven", "--plain", "--set", "minimum=0"], "the minimum must be at least 1"),
        (&["solve", "-g", "joker-seven", "--player", "optimal"], "--player does not belong"),
    ]);
}

/// A found list is a house way of the value that the search reports.
#[test]
fn short_house_ways_for_tiles_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("found");
    let out = out.to_str().unwrap();
    let found = json(&["search", "-g", "pai-gow-tiles", "--length", "3", "--width", "1", "--out", out]);
    for way in [&found["ways"][0], &found["rating"]] {
        let file = format!("{out}/{}", way["file"].as_str().unwrap());
        assert_eq!(json(&["solve", "-g", "pai-gow-tiles", "--player", &file])["ev_exact"], way["ev_exact"]);
    }
    assert!(found["rating"]["gap_closed"].as_f64().unwrap() > 0.94 && found["ways"][0]["rules"] == 3);
    houseway(&["verify", out]).success();
    // Rules from a file are the rules of the search.
    let (rules, ruled) = (folder.path().join("rules.toml"), folder.path().join("ruled"));
    std::fs::write(&rules, "copies = \"push\"\n").unwrap();
    let (rules, ruled) = (rules.to_str().unwrap(), ruled.to_str().unwrap());
    let found = json(&["search", "-g", "pai-gow-tiles", "--length=1", "--width=1", "--rules", rules, "--out", ruled]);
    assert_eq!(found["rules"], json(&["solve", "-g", "pai-gow-tiles", "--set", "copies=push"])["rules"]);
    refused(&[
        (&["search", "-g", "pai-gow-tiles", "--length", "8", "--out", out], "--force"),
        (&["search", "-g", "pai-gow-tiles", "--fix", "traditional"], "only --length"),
        (&["search", "-g", "pai-gow-tiles", "--as", "banker"], "only --length"),
        (&["search", "-g", "pai-gow-tiles", "--banker", "nobody"], "traditional, foxwoods, canberra"),
        (&["search", "-g", "asian-stud"], "does not support the game 'asian-stud'"),
    ]);
}

#[test]
fn tiles_are_solved_and_valued() {
    let answer = json(&["solve", "-g", "pai-gow-tiles"]);
    assert_eq!((&answer["hands"], &answer["deals"]), (&"35960".into(), &"736281000".into()));
    let equilibrium = json(&["equilibrium", "-g", "pai-gow-tiles"]);
    let [lower, upper] = ["lower", "upper"].map(|bound| &equilibrium["value"][bound]["numerator"]);
    assert_eq!([lower, upper], ["-16612395979"; 2]);
    let shown = text(&["solve", "-g", "pai-gow-tiles", "--player", "foxwoods", "--set", "bank=player"]);
    assert!(shown.contains("What the house way costs") && shown.contains("copies=push"), "{shown}");
    let hand = text(&["ev", "-g", "pai-gow-tiles", "6-6 6-3 5-2 2-2"]);
    assert!(
        hand.contains("against 20,475 combinations") && hand.contains("2-2 6-3 / 6-6 5-2 (3 / high nine)"),
        "{hand}"
    );
    let marked: Vec<&str> = hand.lines().filter(|line| line.ends_with("best")).collect();
    assert!(marked.len() == 1 && marked[0].contains("(1 / Wong)"), "{hand}");
}

/// The commands for house ways ask the solver of the game.
#[test]
fn house_ways_for_tiles_are_set_checked_audited_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let hand = "6-6 6-3 5-2 2-2";
    let shown = text(&["set", "-g", "pai-gow-tiles", hand, "--way", "foxwoods"]);
    assert!(shown.contains("rule   high nine (foxwoods)") && shown.contains("which gains 6.1055%"), "{shown}");
    assert_eq!(stdout(&houseway(&["set", "-g", "pai-gow-tiles", "--stdin"])), "");
    let shown = text(&["check", "-g", "pai-gow-tiles", "traditional", "--set", "only-way=off"]);
    assert!(shown.contains("rule \"only way\": has no effect"), "{shown}");
    let audit = out("audit");
    let found = json(&["audit", "-g", "pai-gow-tiles", "jb-player", "--as", "banker", "--out", &audit]);
    assert_eq!([&found["player"], &found["banker"], &found["as"]], ["jb-player", "jb-player", "banker"]);
    let compared = out("compare");
    let found = json(&["compare", "-g", "pai-gow-tiles", "canberra", "--out", &compared]);
    let solved = json(&["solve", "-g", "pai-gow-tiles", "--player", "canberra", "--banker", "canberra"]);
    assert_eq!(found["ev"][0][0], solved["ev"]);
    let report = std::fs::read_to_string(format!("{compared}/report.md")).unwrap();
    assert!(report.contains("736,281,000 deals") && report.contains("four tiles"), "{report}");
    for run in [&audit, &compared] {
        houseway(&["verify", run]).success();
    }
    // A report names the rules, and the command for a cell has them.
    let banked = out("banked");
    json(&["compare", "-g", "pai-gow-tiles", "canberra", "--set", "bank=player", "--out", &banked]);
    let report = std::fs::read_to_string(format!("{banked}/report.md")).unwrap();
    assert!(
        report.contains("(bank=player, commission=five_percent). The player banks, so *banker* stands for the house"),
        "{report}"
    );
    assert!(report.contains("houseway solve -g pai-gow-tiles --player WAY --banker WAY --set bank=player"), "{report}");
    refused(&[
        (&["set", "-g", "pai-gow-tiles", "6-6 6-3 5-2"], "a hand has 4 tiles, found 3"),
        (&["set", "-g", "pai-gow-tiles", hand, "--way", "nobody"], "traditional, foxwoods, canberra"),
        (&["check", "-g", "pai-gow-tiles", "nobody"], "traditional, foxwoods, canberra"),
        (&["check", "-g", "pai-gow-tiles", "foxwoods", "--set", "joker=wild"], "joker"),
        (&["audit", "-g", "pai-gow-tiles", "foxwoods", "--banker", "nobody"], "traditional, foxwoods, canberra"),
        (&["audit", "-g", "pai-gow-tiles", "foxwoods", "--out", &audit], "--force"),
        (&["compare", "-g", "asian-stud"], "does not support the game 'asian-stud'"),
        (&["set", "-g", "face-up-pai-gow", hand], "does not support the game 'face-up-pai-gow'"),
    ]);
}
