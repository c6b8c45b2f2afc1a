//! Tests of self-play studies.

use super::common::{houseway, json, kill_at, refused_in};
use predicates::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::Path;

const TINY: &str = "kind = \"self-play\"\nname = \"tiny\"\nrounds = 2\nseeds = [5]\n[train.small]\nsteps = 20\nbatch = 32\n\
    method = { name = \"all-action\", reward-samples = 4 }\nnetwork = { width = 8, layers = 1 }\n";

#[test]
fn bad_questions_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let [config, out] = ["tiny.toml", "run"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let refused = |text: &str, arguments: &[&str], part: &str| {
        fs::write(&config, text).unwrap();
        refused_in(folder.path(), &["bench", &config, "--out", &out], &[(arguments, part)]);
    };
    refused(&TINY.replace("rounds = 2\n", ""), &[], "missing key");
    refused(TINY, &["--exact", "sample"], "always evaluated over all deals");
    refused(TINY, &["-g", "asian-stud"], "is for pai-gow-poker, not asian-stud");
    assert!(!Path::new(&out).exists(), "nothing may be written before the options are checked");
}

#[test]
#[ignore = "takes 4 min to play two rounds twice, and two rounds with exact responses three times"]
fn rounds_resume_and_are_compared_with_exact_responses() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [config, whole, cut, exact] = ["tiny.toml", "whole", "cut", "exact"].map(path);
    fs::write(&config, TINY).unwrap();
    let found = json(&["bench", &config, "--out", &whole, "--json"]);
    let agents = found["agents"].as_array().unwrap();
    let names: Vec<&str> = agents.iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["small, seed 5", "exact responses"]);
    // The rounds with exact responses are those of an equilibrium run.
    let fictitious = ["equilibrium", "--method", "fictitious-play", "--rounds", "2", "--json", "--out", &exact];
    let fictitious = json(&fictitious);
    for key in ["by_round", "lower_exact", "upper_exact", "player_exploitability_exact"] {
        assert_eq!(agents[1][key], fictitious[key], "{key}");
    }
    let number = |agent: &Value, key: &str| agent[key].as_f64().unwrap();
    assert!(number(&agents[0], "width") > number(&agents[1], "width"));
    for round in agents[0]["by_round"].as_array().unwrap() {
        let [player, banker] = ["player_regret", "banker_regret"].map(|key| number(round, key));
        // Hardly trained networks set badly, but not as badly as at random.
        assert!(0.0 < player && player < 0.4 && 0.0 < banker && banker < 0.4, "{round}");
    }
    let sum = number(&agents[0], "player_exploitability") + number(&agents[0], "banker_exploitability");
    assert!((sum - number(&agents[0], "width")).abs() < 1e-15);
    // A run that is killed in its second round ends with the same bytes.
    kill_at(folder.path(), &["bench", &config, "--out", &cut], "cut/counts/small-seed-5/equilibrium.bin");
    let resumed = houseway(&["bench", &config, "--out", &cut]).success();
    resumed.stderr(predicate::str::contains("resuming after round 1"));
    let files = ["results.json", "tables/rounds.csv", "plots/bracket-by-rounds.svg", "plots/regret-by-rounds.csv"];
    let weights = ["player", "banker"].map(|side| format!("train/small-seed-5-{side}/weights.safetensors"));
    for file in files.into_iter().chain(weights.iter().map(String::as_str)) {
        let [one, two] = [&whole, &cut].map(|run| fs::read(Path::new(run).join(file)).unwrap());
        assert!(one == two, "{file}");
    }
    let [player, banker] = weights.map(|file| fs::read(Path::new(&whole).join(file)).unwrap());
    assert!(player != banker);
}
