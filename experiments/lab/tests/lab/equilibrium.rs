//! Tests of `houseway equilibrium`.

use super::common::{houseway, json, refused_in};
use predicates::prelude::*;
use std::path::Path;

#[test]
fn bad_questions_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("found");
    let out = out.to_str().unwrap();
    let equilibrium = [
        (&["--rounds", "0"][..], "1 to 10000"),
        (&["--rounds", "many"], "--rounds"),
        (&["--set", "commission=2"], "commission"),
        (&["--bank", "nobody"], "expected 'house' or 'player'"),
        (&["--method", "cfr"], "predictive-cfr-plus"),
        (&["--method", "cfr-plus,cfr-plus"], "'cfr-plus' is listed twice"),
        (&["--way", "nowhere"], "nowhere"),
        (&["--way", "foxwoods", "--method", "cfr-plus,linear-cfr"], "--way foxwoods"),
        (&["--class-rounds", "3", "--set", "copies=pushed"], "--class-rounds 3"),
        (&["--class-rounds", "2000"], "0 to 1000"),
        (&["-g", "asian-stud"], "asian-stud"),
        (&["-g", "pai-gow-tiles", "--rounds", "5"], "only rules, --threads and --json apply"),
    ];
    refused_in(Path::new("."), &["equilibrium", "--out", out], &equilibrium);
    assert!(!Path::new(out).exists(), "nothing may be written before the options are checked");
}

#[test]
#[ignore = "takes 5 min to play six rounds over all deals and to compare the strategies with a house way"]
fn bounds_are_those_of_the_strategies_and_more_rounds_continue_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, continued) = (path("whole"), path("continued"));
    let found = json(&["equilibrium", "--rounds", "3", "--class-rounds", "0", "--json", "--out", &whole]);
    let value = |key: &str| found[key].as_f64().unwrap();
    assert!(value("lower") < value("profile_lower") && value("profile_lower") < value("ev"));
    assert!(value("ev") < value("profile_upper") && value("profile_upper") < value("upper"));
    assert!((value("player_exploitability") + value("banker_exploitability") - value("width")).abs() < 1e-15);
    assert!(value("width") < 0.05, "{}", value("width"));
    let files =
        ["report.md", "results.json", "plots/bracket-by-passes.svg", "tables/bounds.csv", "tables/mixed-player.csv"];
    for file in files.into_iter().chain(["counts/timing.csv", "strategies/player.safetensors"]) {
        assert!(Path::new(&whole).join(file).exists(), "{file}");
    }
    // The pure tables play almost the same, since they only choose by suits.
    let [player, banker] = ["player", "banker"].map(|side| format!("{whole}/strategies/{side}.safetensors"));
    let solved = json(&["solve", "--player", &player, "--banker", &banker, "--json"]);
    assert!((solved["ev"].as_f64().unwrap() - value("ev")).abs() < 1e-4);
    // Their own bounds are those of separate passes.
    let best = json(&["solve", "--player", "optimal", "--banker", &banker, "--json"]);
    assert_eq!(found["tables"]["value"]["upper"]["value"], best["ev"]);
    assert_eq!(found["differences"]["player"]["house_way"]["ev"], solved["ev"]);
    let conv = value("width");
    assert!((found["tables"]["nash_conv"].as_f64().unwrap() - conv).abs() < 1e-4, "{}", found["tables"]);
    // The differences are those of `houseway diff`.
    let diff = ["diff", &player, "trump-plaza", "--banker", &banker, "--json"];
    let (diff, own) = (json(&diff), &found["differences"]["player"]["house_way"]);
    for key in ["hands_changed", "ev_change_exact"] {
        assert_eq!(own[key], diff[key], "{key}");
    }
    assert_eq!((&own["ev"], &own["other_ev"]), (&diff["ev_from"], &diff["ev_to"]));
    for key in ["class", "hands", "ev_change", "example"] {
        assert_eq!(own["classes"][0][key], diff["classes"][0][key], "{key}");
    }
    // Playing one round and continuing the run to three rounds gives the same results.
    json(&["equilibrium", "--rounds", "1", "--class-rounds", "0", "--json", "--out", &continued]);
    let again = ["equilibrium", "--rounds", "3", "--class-rounds", "0", "--json", "--out", &continued];
    houseway(&again).code(2).stderr(predicate::str::contains("--force"));
    let again: Vec<&str> = again.into_iter().chain(["--force"]).collect();
    houseway(&again).success().stderr(predicate::str::contains("resuming after round 1"));
    let results = |folder: &str| std::fs::read_to_string(Path::new(folder).join("results.json")).unwrap();
    assert_eq!(results(&continued), results(&whole));
}

#[test]
#[ignore = "takes 3 min to play four rounds over all deals, two of which see suits, and to evaluate the tables again"]
fn rounds_that_see_suits_follow_and_are_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, continued) = (path("whole"), path("continued"));
    // A fee changes the values of all rounds.
    let rules = ["--set", "commission=0", "--set", "collection=1/100", "--json"];
    let run = |rounds: &str, out: &str, more: &[&str]| {
        let arguments = ["equilibrium", "--rounds", "2", "--class-rounds", rounds, "--out", out];
        json(&[&arguments[..], more, &rules].concat())
    };
    let found = run("2", &whole, &[]);
    // Two rounds by profile, two passes for their averages, and two rounds that see suits.
    assert_eq!(
        (&found["rounds"], &found["suits_seen"]["rounds"], &found["passes"]),
        (&2.into(), &2.into(), &10.into())
    );
    assert_eq!(found["value"], found["tables"]["value"]);
    // The averages are rounded to multiples of 1/4096, which changes less than the fee.
    for bound in ["lower", "upper"] {
        let [of_round, of_averages] = [&found["by_round"][1][bound], &found[&format!("profile_{bound}")]];
        assert!((of_round.as_f64().unwrap() - of_averages.as_f64().unwrap()).abs() < 1e-4, "{of_round}, {of_averages}");
    }
    let [player, banker] = ["player", "banker"].map(|side| format!("{whole}/strategies/{side}.safetensors"));
    let solve =
        |player: &str, banker: &str| json(&[&["solve", "--player", player, "--banker", banker][..], &rules].concat());
    let best = solve("optimal", &banker);
    assert_eq!(found["value"]["upper"]["value"], best["ev"]);
    let best = solve(&player, "optimal");
    assert_eq!(found["value"]["lower"]["value"], best["ev"]);
    run("1", &continued, &[]);
    run("2", &continued, &["--force"]);
    let results = |folder: &str| std::fs::read_to_string(Path::new(folder).join("results.json")).unwrap();
    assert_eq!(results(&continued), results(&whole));
}

#[test]
#[ignore = "takes 3 min to play three rounds with a banking player, and four rounds with two methods"]
fn a_banking_player_and_several_methods_have_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (banked, compared) = (path("banked"), path("compared"));
    let found =
        json(&["equilibrium", "--bank", "player", "--rounds", "3", "--class-rounds", "0", "--json", "--out", &banked]);
    let value = |key: &str| found[key].as_f64().unwrap();
    assert!((value("player_gain") + value("banker_gain") - value("nash_conv")).abs() < 1e-15);
    assert!(value("nash_conv") < 0.05 && found.get("lower").is_none());
    // The pure tables play almost the same, with the same payoffs.
    let [player, banker] = ["player", "banker"].map(|side| format!("{banked}/strategies/{side}.safetensors"));
    let solved = json(&["solve", "--player", &player, "--banker", &banker, "--bank", "player", "--json"]);
    assert!((solved["ev"].as_f64().unwrap() - value("player_ev")).abs() < 1e-4);
    assert!((solved["banker_ev"].as_f64().unwrap() - value("banker_ev")).abs() < 1e-4);
    let methods = "fictitious-play,linear-cfr";
    let found = json(&["equilibrium", "--method", methods, "--rounds", "2", "--json", "--out", &compared]);
    assert_eq!(found["methods"][0]["by_round"], found["methods"][1]["by_round"], "the first ten rounds are the same");
    assert_eq!(found["methods"][1]["by_round"].as_array().unwrap().len(), 2);
    for file in ["report.md", "plots/methods-by-passes.svg", "plots/methods-by-seconds.svg", "tables/methods.csv"] {
        assert!(Path::new(&compared).join(file).exists(), "{file}");
    }
}
