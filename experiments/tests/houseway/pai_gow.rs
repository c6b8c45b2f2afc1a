//! Tests of experiments in Pai Gow Poker.

use super::common::{files, houseway, json};
use houseway_lab::plot::{self, Chart};
use predicates::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const TINY: &str = "name = \"tiny\"\nseeds = [5]\n[sample]\nhands = 300\n\
    [train.regression]\nmethod = \"all-action\"\nsteps = 6\nbatch = 32\nevaluate-every = 3\n\
    network = { width = 8, layers = 1 }\n\
    [train.gradient]\nmethod = \"policy-gradient\"\nsteps = 6\nbatch = 32\nevaluate-every = 3\n\
    network = { width = 8, layers = 1 }\n";

/// Returns the files of a run that are reproducible byte for byte.
fn repeating(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let of_the_clock =
        ["machine.json", "manifest.json", "timing.csv", "tensorboard", "regret-by-processor-time", "checkpoint"];
    let mut files = files(folder);
    files.retain(|path, _| !of_the_clock.iter().any(|part| path.to_str().unwrap().contains(part)));
    files
}

/// Returns the hash of the rules in a run's provenance.
fn results_hash(run: &Path) -> String {
    let provenance: Value = serde_json::from_slice(&fs::read(run.join("provenance.json")).unwrap()).unwrap();
    provenance["rules_hash"].as_str().unwrap().to_owned()
}

#[test]
fn an_experiment_runs_resumes_and_repeats() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("tiny.toml");
    fs::write(&config, TINY).unwrap();
    let [first, sampled, again] = ["first", "sampled", "again"].map(|name| folder.path().join(name));
    let [config, out, sample, repeat] = [&config, &first, &sampled, &again].map(|path| path.to_str().unwrap());
    houseway(&["train", config, "--out", out]).success().stdout(predicate::str::contains("houseway bench"));
    assert!(first.join("train/regression-seed-5/checkpoint/model.bpk").exists());
    let results = json(&["bench", config, "--out", out, "--json"]);
    let agents: Vec<&str> = results["agents"].as_array().unwrap().iter().map(|a| a["name"].as_str().unwrap()).collect();
    let baselines = ["random legal", "random contender", "trump-plaza", "power rating", "no card removal"];
    let expected = [&baselines[..], &["gradient, seed 5", "regression, seed 5", "optimum"]].concat();
    assert_eq!((agents, results["scope"].as_str()), (expected, Some("whole")));
    let regret = |i: usize| results["agents"][i]["regret"].as_f64().unwrap();
    assert!((1..5).all(|i| regret(i) < regret(i - 1)) && regret(0) > 0.3 && regret(4) > 0.0 && regret(7) == 0.0);
    assert!(results["agents"][7]["regret_ci"].is_null());
    // The exact values over the full game, from the house way (first) to the optimum (last).
    let evs: Vec<f64> = results["whole"].as_array().unwrap().iter().map(|it| it["ev"].as_f64().unwrap()).collect();
    let (house_way, optimum) = (evs[0], evs[evs.len() - 1]);
    assert!(house_way < optimum && optimum < 0.0 && evs.iter().all(|&ev| ev <= optimum), "{evs:?}");
    for made in ["report.md", "results.json", "plots/ev-by-agent.png", "plots/regret-by-hands.svg"] {
        assert!(first.join(made).exists(), "{made}");
    }
    let card = fs::read_to_string(first.join("train/regression-seed-5/card.md")).unwrap();
    let counted = results["whole"].as_array().unwrap().iter().find(|row| row["name"] == "regression, seed 5").unwrap();
    let counts = ["wins", "pushes", "losses"].map(|key| counted[key].as_str().unwrap().parse::<u64>().unwrap());
    assert_eq!(counts.iter().sum::<u64>(), 8_250_459_031_214_400);
    let hash = results_hash(&first);
    // The checksum in the header of the weights isn't that of the file.
    assert!(card.contains("| SHA-256 ") && !card.contains("`sha256`"), "{card}");
    for part in counts.map(houseway_exact::format::grouped).iter().chain([&hash]) {
        assert!(card.contains(part.as_str()), "{card}");
    }
    for part in ["`PaiGowPoker-v0`", "`candidates` of `PaiGowPoker-v0`", "deals settled"] {
        assert!(card.contains(part), "{card}");
    }
    houseway(&["report", out]).success().stdout(predicate::str::contains("plots drawn: 8"));
    // Exact results over all hands must be consistent with estimates from a few hands.
    let of_sample = json(&["bench", config, "--out", sample, "--exact", "sample", "--json"]);
    assert_eq!((of_sample["scope"].as_str(), of_sample["hands"].as_u64()), (Some("sample"), Some(300)));
    // Curves and their reference lines are measured on the same hands, so they agree with the scores on this sample.
    let read = |name: &str| plot::read(&first.join(format!("plots/regret-by-{name}.toml"))).unwrap();
    for (name, title) in
        [("deals-settled", "Learning Pai Gow Poker by deals settled"), ("hands", "Learning Pai Gow Poker")]
    {
        let figure = read(name);
        assert!(figure.title.starts_with(title), "{}", figure.title);
        assert!(figure.note.starts_with("exact regret on the same 300 hands for all curves and lines; one seed"));
        let Chart::Lines(chart) = figure.chart else { panic!("curves are lines") };
        let score = |name: &str| {
            let agent = of_sample["agents"].as_array().unwrap().iter().find(|agent| agent["name"] == name).unwrap();
            (agent["regret"].as_f64().unwrap(), [0, 1].map(|end| agent["regret_ci"][end].as_f64().unwrap().max(0.0)))
        };
        let near = |name: &str, y: f64, (low, high): (f64, f64)| {
            let (regret, [from, to]) = score(name);
            let near = [(y, regret), (low, from), (high, to)].iter().all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(near, "{name}: {y} {low} {high} instead of {regret} {from} {to}");
        };
        assert_eq!(chart.references.len(), 3);
        chart.references.iter().for_each(|line| near(&line.name, line.y, line.band.unwrap()));
        for (series, agent) in chart.series.iter().zip(["gradient, seed 5", "regression, seed 5"]) {
            near(agent, series.points.last().unwrap().1, *series.band.last().unwrap());
        }
    }
    let report = fs::read_to_string(first.join("report.md")).unwrap();
    assert!(
        report.contains("## Training") && report.contains("*gradient* learns from *bandit* feedback, the reward of")
    );
    for random in 0..2 {
        let [of_sample, of_all] = [&of_sample, &results].map(|it| it["agents"][random]["regret"].as_f64().unwrap());
        assert!((of_sample - of_all).abs() < 0.2 * of_all, "{of_sample} {of_all}");
    }
    houseway(&["bench", config, "--out", repeat, "--exact", "sample", "--threads", "1"])
        .success()
        .stdout(predicate::str::contains("optimum"));
    // The number of threads makes no difference, nor does training separately. Model cards contain the evaluation.
    for name in ["gradient", "regression"] {
        fs::remove_file(first.join(format!("train/{name}-seed-5/card.md"))).unwrap();
    }
    for (one, other) in [(sampled.clone(), again), (first.join("train"), sampled.join("train"))] {
        let (files, mut others) = (repeating(&one), repeating(&other));
        others.retain(|path, _| files.contains_key(path) || !path.ends_with("card.md"));
        assert_eq!(files.keys().collect::<Vec<_>>(), others.keys().collect::<Vec<_>>());
        for (path, bytes) in &files {
            assert!(*bytes == others[path], "{}", path.display());
        }
    }
}

#[test]
#[ignore = "takes 2 min to compute best responses in both seats"]
fn exploitability_is_that_of_the_best_responses_to_an_agent() {
    let folder = tempfile::tempdir().unwrap();
    let (config, out) = (folder.path().join("tiny.toml"), folder.path().join("run"));
    let (start, _) = TINY.split_once("[train.gradient]").unwrap();
    fs::write(&config, format!("exploitability = true\n{start}")).unwrap();
    let bench = ["bench", config.to_str().unwrap(), "--out", out.to_str().unwrap(), "--exact", "sample", "--json"];
    let results = json(&bench);
    let agents = results["agents"].as_array().unwrap();
    let has: Vec<bool> = agents.iter().map(|agent| agent.get("exploitability").is_some()).collect();
    assert_eq!(has, [false, false, true, false, false, true, true]);
    let agent = out.join("train/regression-seed-5");
    let solve = |arguments: [&str; 4]| json(&[&["solve", "--json"], &arguments[..]].concat())["ev"].clone();
    let found = &agents[5]["exploitability"];
    assert_eq!(found["lower"]["value"], solve(["--player", agent.to_str().unwrap(), "--banker", "optimal"]));
    assert_eq!(found["upper"]["value"], solve(["--player", "optimal", "--banker", agent.to_str().unwrap()]));
    // The banker sets like the house way, so the best response to it is the optimum of the agents.
    assert_eq!(
        agents[2]["exploitability"]["upper"]["value"],
        solve(["--player", "optimal", "--banker", "trump-plaza"])
    );
    let total = |i: usize| agents[i]["exploitability"]["total"]["value"].as_f64().unwrap();
    assert!(0.0 < total(6) && total(6) < total(5) && total(2) < 0.01);
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("## Exploitability") && report.contains("| agrees | exploitability |"), "{report}");
}
