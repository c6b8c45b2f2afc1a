//! Tests of experiments in Joker Seven, Asian Stud and Face-Up Pai Gow.

use super::common::{self, houseway, refused, refused_in, stdout};
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;

fn json(arguments: &[&str]) -> Value {
    common::json(&[arguments, &["--json"]].concat())
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
    let told = stdout(&trained);
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
    for part in ["Is it right always to raise?", "127,529 of 2,869,685", " Rules: commission=none."] {
        assert!(report.contains(part), "{part}\n{report}");
    }
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
    refused_in(Path::new("."), &bench, &[(&["--exact", "whole"], "too many deals")]);
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
        ("asian-stud", "commission = \"none\"", "comission = \"none\"", "comission"),
        ("joker-seven", "[rules]\ncommission = \"none\"", "[options]\nchips = 0", "chips"),
        ("joker-seven", "[rules]\ncommission = \"none\"", "paytable = \"mine\"", "new-jersey"),
    ] {
        std::fs::write(&file, TINY_STUD.replace(from, to)).unwrap();
        refused(&[(&["train", "-g", game, path], part)]);
    }
    refused(&[
        (&["bench", "-g", "asian-stud", "--exact", "sample"], "--exact"),
        (&["train", "-g", "baccarat"], "baccarat"),
    ]);
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
    refused(&[(&["bench", &config, "--out", &path("other")], "trees.network:")]);
}
