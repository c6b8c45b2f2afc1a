//! Tests for experiments that evaluate agents trained earlier.

use super::common::{document, houseway_in, refused_in, stderr};
use serde_json::Value;
use std::fs;
use std::path::Path;

const TINY: &str = "game = \"joker-seven\"\nseeds = [9]\n[train.regression]\nmethod = \"all-action\"\nsteps = 6\n\
    batch = 64\nnetwork = { width = 8, layers = 1 }\n[train.gradient]\nmethod = \"policy-gradient\"\nsteps = 6\n\
    batch = 64\nnetwork = { width = 8, layers = 2 }\n";

fn bench(folder: &Path, config: &str, out: &str) -> Value {
    document(&houseway_in(folder, &["bench", config, "--out", out, "--json"]).success())
}

fn agent<'a>(results: &'a Value, name: &str) -> &'a Value {
    results["agents"].as_array().unwrap().iter().find(|agent| agent["name"] == name).unwrap()
}

#[test]
fn saved_agents_are_evaluated_like_trained_ones() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    fs::write(folder.join("tiny.toml"), TINY).unwrap();
    let trained = bench(folder, "tiny.toml", "run");
    let weights = |name: &str| folder.join(format!("run/train/{name}-seed-9/weights.safetensors"));
    fs::copy(weights("gradient"), folder.join("alone.safetensors")).unwrap();
    let saved = "game = \"joker-seven\"\n[agents.old-regression]\nweights = \"run/train/regression-seed-9\"\n\
        [agents.old-gradient]\nweights = \"run/train/gradient-seed-9/weights.safetensors\"\n\
        [agents.alone]\nweights = \"alone.safetensors\"\n";
    fs::write(folder.join("saved.toml"), saved).unwrap();
    let again = bench(folder, "saved.toml", "again");
    for (name, other) in
        [("old-regression", "regression, seed 9"), ("old-gradient", "gradient, seed 9"), ("alone", "gradient, seed 9")]
    {
        let (found, expected) = (agent(&again, name), agent(&trained, other));
        for key in ["ev", "regret", "agreement", "exact_ev", "plays"] {
            assert_eq!(found[key], expected[key], "{name}: {key}");
        }
        assert!(found["weights"].is_string() && found["weights_sha256"].as_str().unwrap().len() == 64, "{found}");
    }
    // The run's configuration tells that the scores are the logarithms of probabilities.
    assert!(agent(&trained, "gradient, seed 9")["stochastic"].is_object());
    assert_eq!(agent(&again, "old-gradient")["stochastic"], agent(&trained, "gradient, seed 9")["stochastic"]);
    assert!(agent(&again, "alone").get("stochastic").is_none());
    let report = fs::read_to_string(folder.join("again/report.md")).unwrap();
    assert!(report.contains("## Saved agents") && report.contains("`alone.safetensors`"), "{report}");
    // An agent may also be evaluated beside new ones.
    fs::write(folder.join("both.toml"), format!("{TINY}[agents.alone]\nweights = \"alone.safetensors\"\n")).unwrap();
    let both = bench(folder, "both.toml", "both");
    assert_eq!(agent(&both, "gradient, seed 9")["regret"], agent(&both, "alone")["regret"]);
    // Other weights in the same file make another run.
    fs::copy(weights("regression"), folder.join("alone.safetensors")).unwrap();
    refused_in(folder, &[], &[(&["bench", "both.toml", "--out", "both"], "--force")]);
}

#[test]
fn weights_of_another_game_are_named() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    fs::write(folder.join("tiny.toml"), TINY).unwrap();
    houseway_in(folder, &["train", "tiny.toml", "--out", "run"]).success();
    let refused = |weights: &str, parts: &[&str]| {
        let text = format!("game = \"asian-stud\"\n[agents.old]\nweights = \"{weights}\"\n");
        fs::write(folder.join("other.toml"), text).unwrap();
        let out = format!("out-{}", weights.replace('/', "-"));
        let message = stderr(&houseway_in(folder, &["bench", "other.toml", "--out", &out]).failure().stdout(""));
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    };
    refused("run/train/regression-seed-9", &["agents.old", "does not contain an agent for this experiment"]);
    refused("run", &["agents.old", "use the folder of one of its 2 agents"]);
    refused("none", &["agents.old", "cannot read none"]);
    refused("tiny.toml", &["agents.old", "tiny.toml", "damaged"]);
}
