//! Tests for sweeps over training configurations.

use super::common::{document, houseway, houseway_in, json, kill_at, narrow, refused_in, stderr, stdout};
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

const BASE: &str = "name = \"tiny\"\ngame = \"joker-seven\"\nseeds = [9]\n[train.regression]\nmethod = \"all-action\"\n\
    steps = 6\nbatch = 64\nevaluate-every = 3\nnetwork = { width = 8, layers = 1 }\n[train.gradient]\n\
    method = \"policy-gradient\"\nsteps = 6\nbatch = 64\n";

const SWEEP: &str = "name = \"tiny-sweep\"\nbase = \"tiny.toml\"\nseeds = [1, 2]\n[keys]\n\
    train.regression.learning-rate = [0.001, 0.01]\ntrain.regression.network.width = [4, 8]\n";

/// The names of the four points of [`SWEEP`].
const POINTS: [&str; 4] = [
    "learning-rate-0.001-width-4",
    "learning-rate-0.001-width-8",
    "learning-rate-0.01-width-4",
    "learning-rate-0.01-width-8",
];

/// A folder with a sweep and its experiment.
struct Place(TempDir);

impl Place {
    fn new(sweep: &str) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        fs::write(place.path("tiny.toml"), BASE).unwrap();
        place.configure(sweep);
        place
    }

    fn configure(&self, sweep: &str) {
        fs::write(self.path("sweep.toml"), sweep).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn sweep(&self, arguments: &[&str]) -> Assert {
        houseway_in(self.0.path(), &[&["sweep", "sweep.toml", "--out", "out"], arguments].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        document(&self.sweep(&[arguments, &["--json"]].concat()).success())
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// Returns the files that don't depend on the machine.
    fn results(&self) -> Vec<Vec<u8>> {
        let files = ["sweep.csv", "sweep.parquet", "results.json", "report.md", "config.toml", "provenance.json"];
        let plot = "out/plots/best-points.svg";
        let run = format!("out/points/{}-seed-1", POINTS[3]);
        let of_run = ["results.json", "config.toml", "provenance.json", "train/regression-seed-1/weights.safetensors"];
        let of_run = of_run.map(|name| self.read(&format!("{run}/{name}")));
        files.map(|name| self.read(&format!("out/{name}"))).into_iter().chain([self.read(plot)]).chain(of_run).collect()
    }

    /// Returns when each run with these seeds was finished.
    fn dates(&self, seeds: &[u64]) -> Vec<String> {
        let runs = POINTS.iter().flat_map(|point| seeds.iter().map(move |seed| format!("{point}-seed-{seed}")));
        runs.map(|run| self.text(&format!("out/points/{run}/machine.json"))).collect()
    }
}

#[test]
fn a_grid_is_trained_once_and_collected_in_long_form() {
    let place = Place::new(SWEEP);
    let answer = place.json(&["--jobs", "2"]);
    assert_eq!(answer["metric"], "regret");
    let runs = answer["runs"].as_array().unwrap();
    let names: BTreeSet<&str> = runs.iter().map(|run| run["point"].as_str().unwrap()).collect();
    assert_eq!((runs.len(), names), (8, BTreeSet::from(POINTS)));
    // A run has the results of `bench` with its configuration.
    let run = &runs[7];
    assert_eq!((run["name"].as_str(), run["seed"].as_u64()), (Some("learning-rate-0.01-width-8-seed-2"), Some(2)));
    let keys = ["train.regression.learning-rate", "train.regression.network.width"];
    assert_eq!(run["set"], json!({ keys[0]: 0.01, keys[1]: 8 }));
    assert_eq!((&run["steps"], &run["deals"], &run["agent"]), (&json!(6), &json!(384), &json!("regression")));
    let config = place.path("out/points/learning-rate-0.01-width-8-seed-2/config.toml");
    let bench = place.path("bench");
    let bench = ["bench", config.to_str().unwrap(), "--out", bench.to_str().unwrap(), "--json"];
    let bench = json(&bench);
    let agents = bench["agents"].as_array().unwrap();
    let agent = agents.iter().find(|agent| agent["name"] == "regression, seed 2").unwrap();
    assert_eq!((&run["regret"], &run["ev"]), (&agent["regret"], &agent["ev"]));
    // The points are in order, and their statistics are those of `stats`.
    let points = answer["points"].as_array().unwrap();
    assert!(points.iter().map(|point| point["iqm"].as_f64().unwrap()).is_sorted());
    let best = points[0]["point"].as_str().unwrap();
    let [one, two] = [1, 2].map(|seed| place.path(&format!("out/points/{best}-seed-{seed}")));
    let stats = json(&["stats", one.to_str().unwrap(), two.to_str().unwrap(), "--json"]);
    assert_eq!((&points[0]["iqm"], &points[0]["ci"]), (&stats["methods"][0]["iqm"], &stats["methods"][0]["ci"]));
    // The long form has the same numbers.
    let csv = place.text("out/sweep.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        (lines.len(), lines[0]),
        (9, &*format!("name,point,agent,seed,status,steps,deals,{},{},ev,regret,agreement", keys[0], keys[1]))
    );
    let cells: Vec<&str> = lines[8].split(',').collect();
    assert_eq!(
        cells[..9],
        ["learning-rate-0.01-width-8-seed-2", POINTS[3], "regression", "2", "finished", "6", "384", "0.01", "8"]
    );
    assert_eq!(cells[10].parse::<f64>().unwrap(), run["regret"].as_f64().unwrap());
    // A second call only collects.
    let (results, dates) = (place.results(), place.dates(&[1, 2]));
    let again = place.sweep(&[]).success();
    let shown = narrow(&again);
    assert!(shown.contains("learning-rate"), "{shown}");
    assert_eq!((stderr(&again), place.results() == results), (String::new(), true));
    assert!(place.dates(&[1, 2]) == dates);
    for made in ["plots/regret-by-learning-rate.png", "report.md", "points"] {
        assert!(place.path("out").join(made).exists(), "{made}");
    }
}

#[test]
fn results_depend_neither_on_threads_nor_on_shards_nor_on_interruptions() {
    let sweep = SWEEP.replace("seeds = [1, 2]", "seeds = [1]");
    let place = Place::new(&sweep);
    place.sweep(&["--threads", "1"]).success();
    let expected = place.results();
    let jobs = Place::new(&sweep);
    jobs.sweep(&["--threads", "3", "--jobs", "2"]).success();
    assert!(jobs.results() == expected);
    let shards = Place::new(&sweep);
    let shard = shards.json(&["--shard", "2/2"]);
    assert_eq!(shard, json!({ "shard": "2/2", "runs": 2, "finished": 2, "diverged": 0, "in_use": 0 }));
    assert!(!shards.path("out/sweep.csv").exists());
    // The other shard is trained elsewhere.
    let other = Place::new(&sweep);
    other.sweep(&["--shard", "1/2"]).success().stdout(predicate::str::contains("2 of 2 runs are finished"));
    for run in fs::read_dir(other.path("out/points")).unwrap().map(Result::unwrap) {
        let to = shards.path("out/points").join(run.file_name());
        if !to.exists() {
            fs::rename(run.path(), to).unwrap();
        }
    }
    let collected = shards.sweep(&[]).success();
    assert_eq!((stderr(&collected), shards.results() == expected), (String::new(), true));
    let killed = Place::new(&sweep);
    let first = format!("out/points/{}-seed-1/machine.json", POINTS[0]);
    kill_at(killed.0.path(), &["sweep", "sweep.toml", "--out", "out", "--jobs", "1"], &first);
    let finished = killed.read(&first);
    killed.sweep(&["--jobs", "2"]).success();
    assert!(killed.results() == expected && killed.read(&first) == finished);
}

#[test]
fn more_values_keep_the_finished_runs() {
    let sweep = SWEEP.replace("seeds = [1, 2]", "seeds = [1]");
    let place = Place::new(&sweep);
    place.sweep(&[]).success();
    let dates = place.dates(&[1]);
    place.configure(&sweep.replace("[4, 8]", "[4, 8, 16]"));
    place
        .sweep(&[])
        .code(2)
        .stderr(predicate::str::contains("configuration differs").and(predicate::str::contains("--force")));
    let answer = place.json(&["--force"]);
    assert_eq!((answer["points"].as_array().unwrap().len(), place.dates(&[1]) == dates), (6, true));
    // With a changed experiment, the runs would be replaced.
    fs::write(place.path("tiny.toml"), BASE.replace("batch = 64", "batch = 32")).unwrap();
    place.sweep(&[]).code(2).stderr(predicate::str::contains("base.train.regression.batch is 64 there, 32 here"));
    place.sweep(&["--force"]).success();
    assert!(place.dates(&[1]) != dates);
}

/// Returns a sweep of a single agent, with the given key instead of its width.
fn of_regression(key: &str) -> String {
    let sweep = SWEEP.replace("train.regression.network.width = [4, 8]", key);
    sweep.replace("[keys]", "train = [\"regression\"]\n[keys]")
}

#[test]
fn points_with_different_rules_are_not_ranked() {
    let place = Place::new(&of_regression("rules.joker-pair = [\"no\", \"yes\"]"));
    let answer = place.json(&[]);
    let points = answer["points"].as_array().unwrap();
    let of = |point: &Value, key: &str| point[key].as_str().unwrap().to_owned();
    let rules: Vec<String> = points.iter().map(|point| of(point, "environment_hash")).collect();
    assert!(rules.len() == 4 && rules[0] == rules[1] && rules[2] == rules[3] && rules[1] != rules[2], "{rules:?}");
    for same in points.chunks(2) {
        assert!(same.iter().map(|point| point["iqm"].as_f64().unwrap()).is_sorted());
        assert_eq!(same[0]["set"]["rules.joker-pair"], same[1]["set"]["rules.joker-pair"]);
    }
    let report = place.text("out/report.md");
    assert!(report.contains("## Points") && report.contains("plots/points.png"), "{report}");
    assert!(report.contains("none of them is the best. Only points with the same ones are ordered"), "{report}");
    assert!(!report.contains("Best points") && !report.contains("lucky"), "{report}");
    // Runs of these points are different tasks.
    let names: Vec<String> = points.iter().map(|point| of(point, "point")).collect();
    let run = |name: &String| place.path(&format!("out/points/{name}-seed-1")).to_str().unwrap().to_owned();
    let runs = [run(&names[0]), run(&names[2])];
    let stats = json(&["stats", &runs[0], &runs[1], "--json"]);
    let mut tasks: Vec<String> =
        stats["tasks"].as_array().unwrap().iter().map(|task| of(task, "environment_hash")).collect();
    tasks.sort();
    let mut expected = vec![rules[0].clone(), rules[2].clone()];
    expected.sort();
    assert_eq!((tasks, stats["methods"][0]["scores"][0].as_array().unwrap().len()), (expected, 2));
    let shown = stdout(&houseway(&["stats", &runs[0], &runs[1]]).success()).replace('\n', " ");
    assert!(rules.iter().all(|hash| shown.contains(&format!("joker-seven with environment {hash}"))), "{shown}");
}

#[test]
fn runs_with_different_options_are_different_tasks() {
    let place = Place::new(&of_regression("options.chips = [2, 3]").replace("seeds = [1, 2]", "seeds = [1]"));
    let answer = place.json(&[]);
    let points = answer["points"].as_array().unwrap();
    let chips: Vec<&Value> = points.iter().map(|point| &point["set"]["options.chips"]).collect();
    assert_eq!(chips, [2, 2, 3, 3]);
    let name = |point: &Value| format!("out/points/{}-seed-1", point["point"].as_str().unwrap());
    let runs = [&points[0], &points[2]].map(|point| place.path(&name(point)).to_str().unwrap().to_owned());
    let stats = json(&["stats", &runs[0], &runs[1], "--json"]);
    let options: Vec<&Value> = stats["tasks"].as_array().unwrap().iter().map(|task| &task["options"]).collect();
    assert_eq!(options, [&json!({ "chips": 2 }), &json!({ "chips": 3 })]);
}

#[test]
fn random_points_are_drawn_from_ranges() {
    let place = Place::new(
        "name = \"random\"\nbase = \"joker-seven\"\ntrain = [\"all-action\"]\nseeds = [3]\n\
         random = { samples = 3, seed = 7 }\n[keys]\n\"options.chips\" = [2, 3]\n\
         train.all-action.learning-rate = { log-uniform = [1e-3, 1e-1] }\ntrain.all-action.steps = { uniform = [2, 5] }\n\
         train.all-action.batch = [32]\n",
    );
    let answer = place.json(&["--jobs", "2"]);
    let runs = answer["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3);
    for run in runs {
        let rate = run["set"]["train.all-action.learning-rate"].as_f64().unwrap();
        let steps = run["set"]["train.all-action.steps"].as_u64().unwrap();
        assert!((1e-3..=1e-1).contains(&rate) && (2..=5).contains(&steps), "{run}");
        assert_eq!((run["deals"].as_u64(), run["agent"].as_str()), (Some(32 * steps), Some("all-action")));
    }
    assert!(place.text("out/report.md").contains("3 points drawn at random (seed 7)"));
    assert!(!answer["points"][0]["iqm"].is_null() && answer["points"][0]["ci"].is_null());
    // The folder's configuration is complete.
    let again = ["sweep", "out/config.toml", "--out", "again", "--json"];
    assert_eq!(document(&houseway_in(place.0.path(), &again).success()), answer);
}

/// An experiment with a network and an ensemble of trees.
const TREES: &str = "name = \"tiny\"\ngame = \"asian-stud\"\nseeds = [9]\n[train.network]\nmethod = \"all-action\"\n\
    steps = 6\nbatch = 64\nevaluate-every = 3\nnetwork = { width = 8, layers = 1 }\n[trees.boosted]\nstages = 2\n\
    trees = 2\nbatch = 256\n";

#[test]
fn rules_are_swept_with_networks_and_trees() {
    let keys = "[keys]\nrules.commission-rate = [0.05, 0.0]\nrules.joker = [\"none\", \"one\"]\n";
    let place = Place::new(&format!("name = \"rules\"\nbase = \"tiny.toml\"\nseeds = [1]\n{keys}"));
    fs::write(place.path("tiny.toml"), TREES).unwrap();
    let answer = place.json(&[]);
    let runs = answer["runs"].as_array().unwrap();
    let shapes: BTreeSet<(&str, u64)> =
        runs.iter().map(|run| (run["agent"].as_str().unwrap(), run["steps"].as_u64().unwrap())).collect();
    assert_eq!((runs.len(), shapes), (8, BTreeSet::from([("network", 6), ("boosted", 2)])));
    assert!(runs.iter().all(|run| run["deals"].as_u64().unwrap() > 0));
    // The points are different games, so they stay in the order of the configuration, each with its own optimum.
    let points = answer["points"].as_array().unwrap();
    let rates: Vec<f64> = points.iter().map(|it| it["set"]["rules.commission-rate"].as_f64().unwrap()).collect();
    assert_eq!(rates, [0.05, 0.05, 0.05, 0.05, 0.0, 0.0, 0.0, 0.0]);
    let optima: Vec<f64> = points.iter().map(|point| point["optimum"].as_f64().unwrap()).collect();
    for (two, point) in optima.chunks(2).zip(points.iter().step_by(2)) {
        assert!((two[0] - two[1]).abs() < 1e-12, "both agents of a point play the same game");
        let [joker, rate] = ["joker", "commission-rate"].map(|key| point["set"][format!("rules.{key}")].to_string());
        let joker = joker.trim_matches('"');
        let (rate, joker) = (format!("commission-rate={rate}"), format!("joker={joker}"));
        let solved = json(&["solve", "-g", "asian-stud", "--set", &rate, "--set", &joker, "--json"]);
        assert!((two[0] - solved["ev"]["value"].as_f64().unwrap()).abs() < 1e-12, "{rate}, {joker}");
    }
    assert!(optima[4] > optima[0] && optima[6] > optima[2], "{optima:?}");
    let report = place.text("out/report.md");
    assert!(report.contains("## Points\n") && report.contains("EV of the optimum"), "{report}");
    assert!(place.path("out/plots/points.png").exists());
    // A sweep over a key of the trees leaves out the network.
    place.configure("name = \"trees\"\nbase = \"tiny.toml\"\n[keys]\ntrees.boosted.depth = [2, 3]\n");
    let answer = document(&houseway_in(place.0.path(), &["sweep", "sweep.toml", "--out", "trees", "--json"]).success());
    let agents: Vec<&str> =
        answer["runs"].as_array().unwrap().iter().map(|run| run["agent"].as_str().unwrap()).collect();
    assert_eq!(agents, ["boosted", "boosted"]);
}

#[test]
fn runs_that_diverge_are_kept_apart() {
    // Forty layers of weights overflow at once if every weight changes by 1 in a step.
    let sweep =
        SWEEP.replace("network.width = [4, 8]", "network = [{ width = 64, layers = 40 }, { width = 8, layers = 1 }]");
    let place = Place::new(&sweep.replace("[0.001, 0.01]", "[0.001, 1.0]"));
    let first = place.sweep(&["--json"]).success();
    assert!(stderr(&first).contains("diverged"), "{}", stderr(&first));
    let answer = document(&first);
    let of = |status: &str| answer["runs"].as_array().unwrap().iter().filter(|run| run["status"] == status).count();
    assert_eq!((of("diverged"), of("finished")), (2, 6));
    let last = answer["points"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["runs"], &last["missing"], &last["iqm"]), (&json!(0), &json!(2), &Value::Null));
    let again = place.sweep(&[]).success().stdout(predicate::str::contains("diverged"));
    assert_eq!(stderr(&again), "");
}

#[test]
fn mistakes_are_found_before_anything_is_trained() {
    for (from, to, part) in [
        (
            "learning-rate",
            "learnin-rate",
            "keys.train.regression.learnin-rate = 0.001: train.regression: unknown key learnin-rate",
        ),
        (
            "[0.001, 0.01]",
            "[0.001, \"fast\"]",
            "keys.train.regression.learning-rate = fast: train.regression: learning-rate",
        ),
        ("[0.001, 0.01]", "[0.001, -1]", "keys.train.regression.learning-rate = -1"),
        ("train.regression.learning-rate", "rules.joker-pear", "keys.rules.joker-pear = 0.001"),
        ("train.regression.learning-rate", "train.regression.steps.more", "steps is 6, so it has no key more"),
        ("[4, 8]", "[4, 1000000]", "keys.train.regression.network.width = 1000000"),
        ("seeds = [1, 2]", "seeds = [1, 1]", "listed twice"),
    ] {
        assert!(SWEEP.contains(from), "{from}");
        let place = Place::new(&SWEEP.replace(from, to));
        let refused = place.sweep(&[]).code(2).stdout("");
        let text = stderr(&refused);
        assert!(text.contains(part) && text.contains("sweep.toml"), "{to}: {text}");
        assert!(!place.path("out").exists(), "{to}");
    }
    let place = Place::new(SWEEP);
    let sweep = [
        (&["--shard", "3/2"][..], "expected i/n"),
        (&["--jobs", "0"], "from 1 to 1024"),
        (&["--exact", "sample"], "always evaluated on all hands"),
    ];
    refused_in(place.0.path(), &["sweep", "sweep.toml", "--out", "out"], &sweep);
    // The folder of a run isn't replaced by a sweep.
    houseway_in(place.0.path(), &["train", "tiny.toml", "--out", "out"]).success();
    place.sweep(&["--force"]).code(2).stderr(predicate::str::contains("out contains a study"));
}

#[test]
fn agents_are_only_listed_at_values_that_they_were_trained_with() {
    let head = "name = \"tiny-sweep\"\nbase = \"tiny.toml\"\nseeds = [1]\ntrain = [\"regression\", \"gradient\"]\n";
    let place = Place::new(&format!("{head}[keys]\ntrain.regression.learning-rate = [0.001, 0.01]\n"));
    let answer = place.json(&[]);
    let key = "train.regression.learning-rate";
    let rates = |agent: &str, list: &str| -> Vec<Value> {
        let rows = answer[list].as_array().unwrap().iter().filter(|row| row["agent"] == agent);
        rows.map(|row| row["set"][key].clone()).collect()
    };
    for list in ["runs", "points"] {
        assert_eq!(rates("gradient", list), [Value::Null], "{list}");
        assert_eq!(rates("regression", list).len(), 2, "{list}");
    }
    let csv = place.text("out/sweep.csv");
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let column = header.iter().position(|name| *name == key).unwrap();
    let gradient = csv.lines().find(|line| line.contains(",gradient,")).unwrap();
    assert_eq!(gradient.split(',').nth(column), Some(""));
    let report = place.text("out/report.md");
    assert!(report.contains("regression.learning-rate") && !report.contains("gradient-by-"), "{report}");
    // Every listed value is that of the run's own configuration.
    for run in answer["runs"].as_array().unwrap() {
        let config = place.text(&format!("out/points/{}/config.toml", run["name"].as_str().unwrap()));
        let config: toml::Table = config.parse().unwrap();
        let trained = config["train"].as_table().unwrap().get(run["agent"].as_str().unwrap());
        let trained = trained.unwrap_or_else(|| panic!("{run} was not trained"));
        if let Some(rate) = run["set"].get(key) {
            assert_eq!(trained["learning-rate"].as_float(), rate.as_f64());
        }
    }
}
