//! Tests for the Joker Seven and Asian Stud commands.

use super::common::{self, houseway};
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;

fn json(arguments: &[&str]) -> Value {
    common::json(&[arguments, &["--json"]].concat())
}

fn text(arguments: &[&str]) -> String {
    let answer = houseway(arguments).success();
    let text = String::from_utf8(answer.get_output().stdout.clone()).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "wider than 80 columns:\n{text}");
    text
}

#[test]
fn joker_seven_is_solved() {
    let answer = json(&["solve", "-g", "joker-seven"]);
    assert_eq!(answer["deals"], "177100560");
    let wagers = answer["wagers"].as_object().unwrap();
    assert_eq!(wagers.len(), 28);
    // C(26, 7) hands are all black.
    assert_eq!(wagers["7-black"]["winners"], "657800");
    assert_eq!(wagers["7-black"]["odds"], 40);
    let ev = 657_800.0 * 41.0 / 177_100_560.0 - 1.0;
    assert!((wagers["7-black"]["ev"].as_f64().unwrap() - ev).abs() < 1e-15);
    assert_eq!(wagers["pair-A"]["winners"], wagers["pair-2"]["winners"]);
    // The answer has a covariance matrix and an increasing frontier.
    let row = |name: &str| answer["covariance"][name].as_array().unwrap().clone();
    assert_eq!((row("one-joker").len(), &row("one-joker")[14]), (28, &row("two-jokers")[13]));
    let evs: Vec<f64> = answer["frontier"].as_array().unwrap().iter().map(|p| p["ev"].as_f64().unwrap()).collect();
    assert!(evs.len() > 20 && evs.is_sorted());
    let shown = text(&["solve", "-g", "joker-seven"]);
    assert!(shown.contains("two-pairs") && shown.contains("-3.9426%"), "{shown}");
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
fn asian_stud_is_solved() {
    let answer = json(&["solve", "-g", "asian-stud"]);
    let ev = |answer: &Value| {
        let integer = |key: &str| answer[key].as_str().unwrap().parse::<i128>().unwrap();
        let value = answer["value"].as_f64().unwrap();
        assert!((integer("numerator") as f64 / integer("denominator") as f64 - value).abs() < 1e-12);
        value
    };
    assert!(ev(&answer["ev"]) > ev(&answer["always_raise"]));
    let classes = answer["classes"].as_object().unwrap();
    let number = |value: &Value| value.as_str().unwrap().parse::<u64>().unwrap();
    assert_eq!(classes.values().map(|class| number(&class["hands"])).sum::<u64>(), 2_869_685);
    assert_eq!(classes.len(), 11);
    let folded: u64 = classes.values().map(|class| number(&class["folded"])).sum();
    let listed = answer["folded"].as_array().unwrap();
    assert_eq!(listed.iter().map(|class| number(&class["hands"])).sum::<u64>(), folded);
    let raised = 1.0 - folded as f64 / 2_869_685.0;
    assert!((answer["raise_probability"].as_f64().unwrap() - raised).abs() < 1e-12);
    // Four aces with a fully wild joker are the only five aces.
    assert_eq!(answer["poker_hands"]["five aces"], "1");
    // The original rules, without commission, favor the player.
    let source = json(&["solve", "-g", "asian-stud", "--set", "commission=none"]);
    assert!(ev(&source["always_raise"]) > 0.0);
    text(&["solve", "-g", "asian-stud"]);
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
    for (arguments, part) in [
        (vec!["ev", "-g", "asian-stud", "As Kd"], "a hand has 5 cards"),
        (vec!["ev", "-g", "asian-stud", "Jk As Kd 2c 3d", "--set", "joker=none"], "has no joker"),
        (vec!["ev", "-g", "joker-seven", "As"], "does not support the game 'joker-seven'"),
        (vec!["solve", "-g", "asian-stud", "--set", "odds-on=all"], "ante_only"),
        (vec!["solve", "-g", "asian-stud", "--enumerate"], "--enumerate does not belong to the game asian-stud"),
        (vec!["solve", "-g", "asian-stud", "--paytable", "rich"], "unknown paytable 'rich'"),
        (vec!["solve", "-g", "joker-seven", "--set", "minimum=0"], "the minimum must be at least 1"),
        (vec!["solve", "-g", "joker-seven", "--player", "optimal"], "--player does not belong"),
    ] {
        houseway(&arguments).code(2).stderr(predicate::str::contains(part));
    }
}

const TINY_STUD: &str = "name = \"tiny\"\nseeds = [5]\n[rules]\ncommission = \"none\"\n\
    [train.regression]\nmethod = \"all-action\"\nsteps = 6\nbatch = 64\nevaluate-every = 3\n\
    [train.gradient]\nmethod = \"policy-gradient\"\nsteps = 6\nbatch = 64\nevaluate-every = 3\n";

/// Trains and evaluates agents, and checks that doing so in two steps gives the same results. Returns the results and
/// their folder.
fn bench(game: &str, config: &str) -> (Value, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.toml");
    std::fs::write(&file, config).unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let file = file.to_str().unwrap();
    let results = json(&["bench", "-g", game, file, "--out", &one]);
    let trained = houseway(&["train", "-g", game, file, "--out", &two]).success();
    let told = String::from_utf8(trained.get_output().stdout.clone()).unwrap();
    assert!(told.contains(&format!("houseway bench -g {game} ")), "{told}");
    assert_eq!(json(&["bench", "-g", game, file, "--out", &two, "--threads", "1"]), results);
    for made in ["report.md", "results.json", "plots/ev-by-agent.png", "plots/regret-by-rounds.svg"] {
        assert!(folder.path().join("one").join(made).exists(), "{made}");
    }
    houseway(&["report", &one]).success().stdout(predicate::str::contains("plots drawn: 6"));
    (results, folder)
}

#[test]
fn asian_stud_is_learned_and_scored() {
    let (results, folder) = bench("asian-stud", TINY_STUD);
    let agents = results["agents"].as_array().unwrap();
    let names: Vec<&str> = agents.iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    let expected = ["random", "raise with a set", "always raise", "gradient, seed 5", "regression, seed 5", "optimum"];
    assert_eq!((names, results["scope"].as_str()), (expected.to_vec(), Some("whole")));
    let of = |i: usize, key: &str| agents[i][key].as_f64().unwrap();
    // The answer of `solve` under the same rules.
    let solved = json(&["solve", "-g", "asian-stud", "--set", "commission=none"]);
    assert_eq!(of(5, "ev"), solved["ev"]["value"].as_f64().unwrap());
    assert_eq!(of(2, "ev"), solved["always_raise"]["value"].as_f64().unwrap());
    assert!((0..6).all(|i| (of(i, "regret") - (of(5, "ev") - of(i, "ev"))).abs() < 1e-12));
    assert!((of(5, "regret"), of(5, "agreement")) == (0.0, 1.0) && of(0, "regret") > 0.3);
    let report = std::fs::read_to_string(folder.path().join("one/report.md")).unwrap();
    assert!(report.contains("Is it right always to raise?") && report.contains("127,529 of 2,869,685"), "{report}");
}

#[test]
fn joker_seven_is_learned_and_scored() {
    let config = TINY_STUD.replace("[rules]\ncommission = \"none\"", "[options]\nchips = 2");
    let (results, folder) = bench("joker-seven", &config);
    let optimum = results["agents"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((optimum["plays"].as_str(), optimum["regret"].as_f64()), (Some("1 on two-pairs"), Some(0.0)));
    let solved = json(&["solve", "-g", "joker-seven"]);
    assert_eq!(optimum["ev"], solved["wagers"]["two-pairs"]["ev"]);
    let report = std::fs::read_to_string(folder.path().join("one/report.md")).unwrap();
    assert!(report.contains("from 3.943% on two-pairs to 84.771% on seven-of-a-colour"), "{report}");
}

#[test]
fn face_up_pai_gow_is_always_scored_on_a_sample() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["tiny.toml", "run"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let config = TINY_STUD.replace("[rules]\ncommission = \"none\"", "[sample]\ndeals = 500\nseed = 3");
    std::fs::write(&file, config).unwrap();
    let bench: [&str; 6] = ["bench", "-g", "face-up-pai-gow", &file, "--out", &out];
    let whole = [&bench[..], &["--exact", "whole"]].concat();
    houseway(&whole).code(2).stdout("").stderr(predicate::str::contains("too many deals"));
    assert!(!Path::new(&out).exists());
    let results = json(&bench);
    assert_eq!((results["scope"].as_str(), results["deals"].as_u64()), (Some("sample"), Some(500)));
    let agents = results["agents"].as_array().unwrap();
    let names: Vec<&str> = agents.iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["random legal", "trump-plaza", "gradient, seed 5", "regression, seed 5", "optimum"]);
    assert!(agents[0]["regret"].as_f64() > agents[1]["regret"].as_f64() && agents[4]["regret"] == 0.0);
}

#[test]
fn experiments_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.toml");
    let path = file.to_str().unwrap();
    for (game, from, to, part) in [
        ("asian-stud", "batch = 64", "batch = 0", "batch = 0"),
        ("asian-stud", "commission = \"none\"", "comission = \"none\"", "comission"),
        ("joker-seven", "[rules]\ncommission = \"none\"", "[options]\nchips = 0", "chips"),
        ("joker-seven", "[rules]\ncommission = \"none\"", "paytable = \"mine\"", "new-jersey"),
    ] {
        std::fs::write(&file, TINY_STUD.replace(from, to)).unwrap();
        houseway(&["train", "-g", game, path]).code(2).stdout("").stderr(predicate::str::contains(part));
    }
    houseway(&["bench", "-g", "asian-stud", "--exact", "sample"]).code(2).stderr(predicate::str::contains("--exact"));
    houseway(&["train", "-g", "baccarat"]).code(2).stderr(predicate::str::contains("baccarat"));
}

/// The configuration of a study with a network and an ensemble of trees.
const TREES: &str = "name = \"trees\"\ngame = \"asian-stud\"\nseeds = [1, 2]\n[train.network]\nsteps = 20\nbatch = 64\n\
                     [trees.wood]\nstages = 2\ntrees = 5\nbatch = 500\n";

#[test]
fn ensembles_of_trees_are_evaluated_beside_networks() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (config, out) = (path("trees.toml"), path("run"));
    std::fs::write(&config, TREES).unwrap();
    let results = common::json(&["bench", &config, "--out", &out, "--json"]);
    let agents: Vec<&Value> = results["agents"].as_array().unwrap().iter().collect();
    let agent = |name: &str| *agents.iter().find(|agent| agent["name"] == name).unwrap();
    for seed in ["wood, seed 1", "wood, seed 2"] {
        assert_eq!(agent(seed)["feedback"], "full information");
        // Raising every hand loses 0.0018 antes. Trees are close to the optimum after a few hundred deals.
        let regret = agent(seed)["regret"].as_f64().unwrap();
        assert!((0.0..0.2).contains(&regret), "{regret}");
    }
    let report = std::fs::read_to_string(path("run/report.md")).unwrap();
    assert!(report.contains("*wood* is an ensemble of 10 boosted trees"), "{report}");
    let metrics = std::fs::read_to_string(path("run/train/wood-seed-1/metrics.csv")).unwrap();
    assert!(metrics.lines().any(|line| line.starts_with("2,1000,1000,2000,10,regret,")), "{metrics}");
    let complete = std::fs::read_to_string(path("run/config.toml")).unwrap();
    assert!(complete.contains("[trees.wood]") && complete.contains("min-leaf = 50"), "{complete}");
    // A network of the same name would have the same folder.
    std::fs::write(&config, TREES.replace("trees.wood", "trees.network")).unwrap();
    houseway(&["bench", &config, "--out", &path("other")]).code(2).stderr(predicate::str::contains("trees.network:"));
}
