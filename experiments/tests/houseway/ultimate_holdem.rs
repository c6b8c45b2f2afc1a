//! Tests of experiments in Ultimate Texas Hold'em.

use super::common::json;
use std::fs;

#[test]
fn agents_are_trained_measured_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (config, out) = (folder.path().join("small.toml"), folder.path().join("run"));
    let text = "name = 'small'\nseeds = [1]\n[sample]\nboards = 100\n[train.small]\nsteps = 60\nbatch = 256\n\
                evaluate-every = 60\nnetwork = { width = 16, layers = 2 }\n[train.told]\nmethod = 'policy-gradient'\nsteps = 2\nbatch = 64\n";
    fs::write(&config, text).unwrap();
    let options = ["bench", "-g", "ultimate-holdem", "--exact", "sample", "--json", config.to_str().unwrap()];
    let options = [&options[..], &["--out", out.to_str().unwrap()]].concat();
    let results = json(&options);
    let names: Vec<&str> = results["agents"].as_array().unwrap().iter().map(|a| a["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["simple strategy", "small, seed 1", "told, seed 1", "optimum"]);
    let regret = |agent: usize| results["agents"][agent]["regret"].as_f64().unwrap();
    assert!(
        regret(0) > 0.001 && regret(0) < regret(1) && regret(1) < 0.5 && regret(2) > 0.0 && regret(3) == 0.0,
        "{results}"
    );
    for file in ["report.md", "results.json", "plots/regret-by-hands.png", "train/small-seed-1/weights.safetensors"] {
        assert!(out.join(file).is_file(), "{file}");
    }
}
