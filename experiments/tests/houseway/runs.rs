//! Tests for run folders as a user sees them. Finished work is never lost, and interrupted work is resumed.

use super::common::{copy_folder, files, houseway_in, kill_at, refused_in, spawn_in, stderr, wait_for};
use assert_cmd::Command;
use assert_cmd::assert::Assert;
use houseway::study::{Experiment, JobStudy, Study};
use houseway_lab::run::{Destination, RunFolder, config_hash};
use predicates::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const TINY: &str = "name = \"tiny\"\ngame = \"asian-stud\"\nseeds = [5]\n[train.gradient]\nmethod = \"policy-gradient\"\n\
    steps = 6\nbatch = 64\nevaluate-every = 3\nnetwork = { width = 8, layers = 1 }\n";

/// A folder with a configuration.
struct Place(TempDir);

impl Place {
    fn new(config: &str) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.configure(config);
        place
    }

    fn configure(&self, config: &str) {
        fs::write(self.path("tiny.toml"), config).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn houseway(&self, arguments: &[&str]) -> Assert {
        houseway_in(self.0.path(), arguments)
    }

    fn refused(&self, arguments: &[&str], part: &str) {
        refused_in(self.0.path(), &[], &[(arguments, part)]);
    }

    fn files(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        files(&self.path(folder))
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.path(file)).unwrap()).unwrap()
    }
}

/// Returns a configuration whose training takes longer than a test waits.
fn endless() -> String {
    TINY.replace("steps = 6", "steps = 1000000")
        .replace("evaluate-every = 3", "evaluate-every = 3\ncheckpoint-every = 1")
}

/// Changes of the weights and files of a finished run are noticed, and pipes in a run's folder do no harm.
#[test]
#[cfg(unix)]
fn damaged_files_of_a_run_are_refused() {
    let place = Place::new(TINY);
    place.houseway(&["bench", "tiny.toml", "--out", "run"]).success();
    // The program knows all files that a run writes.
    let verified = place.houseway(&["verify", "run"]).success().stdout(predicate::str::contains("not part of").not());
    verified.stdout(predicate::str::contains(", ").not());
    let weights = place.path("run/train/gradient-seed-5/weights.safetensors");
    let whole = fs::read(&weights).unwrap();
    let other = TINY.to_owned() + "[agents.old]\nweights = \"run\"\n";
    fs::write(place.path("other.toml"), other.replace("tiny", "other")).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1 << 7;
    fs::write(&weights, flipped).unwrap();
    let changed = predicate::str::contains("  changed: train/gradient-seed-5/weights.safetensors\n");
    place.houseway(&["verify", "."]).code(1).stdout(changed);
    let refused = place.houseway(&["bench", "other.toml"]).failure();
    refused.stderr(predicate::str::contains("it differs from manifest.json"));
    fs::write(&weights, &whole).unwrap();
    place.houseway(&["verify", "."]).success();
    // Plots and the report may be drawn again, but not from other data.
    fs::write(place.path("run/report.md"), "").unwrap();
    place.houseway(&["report", "run"]).success();
    place.houseway(&["verify", "."]).success();
    let plots = fs::read_dir(place.path("run/plots")).unwrap().map(|entry| entry.unwrap().path());
    let figure = plots.into_iter().find(|path| path.extension().is_some_and(|end| end == "toml")).unwrap();
    for file in [place.path("run/report.toml"), figure] {
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{text}# changed\n")).unwrap();
        let refused = place.houseway(&["report", "run"]).failure();
        refused.stderr(predicate::str::contains("it differs from manifest.json"));
        fs::write(&file, text).unwrap();
    }
    // The weights of another agent, which are whole.
    let second = TINY.replace("seeds = [5]", "seeds = [5, 6]");
    fs::write(place.path("second.toml"), second).unwrap();
    place.houseway(&["bench", "second.toml", "--out", "second"]).success();
    let [five, six] = [5, 6].map(|seed| place.path(&format!("second/train/gradient-seed-{seed}")));
    fs::copy(five.join("weights.safetensors"), six.join("weights.safetensors")).unwrap();
    fs::write(
        place.path("other.toml"),
        other.replace("tiny", "other").replace("\"run\"", "\"second/train/gradient-seed-6\""),
    )
    .unwrap();
    place
        .houseway(&["bench", "other.toml"])
        .failure()
        .stderr(predicate::str::contains("it differs from manifest.json"));
    // A pipe has no end, and reading it would wait for a writer.
    for file in ["provenance.json", "results.json", "train/gradient-seed-5/checkpoint/state.json"] {
        let copy = file.replace('/', "-");
        copy_folder(&place.path("run"), &place.path(&copy));
        let path = place.path(&copy).join(file);
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        if file != "provenance.json" {
            let changed = predicate::str::contains(format!("  changed: {file}\n"));
            place.houseway(&["verify", &copy]).code(1).stdout(changed);
        }
        let mut child = spawn_in(place.0.path(), &["bench", "tiny.toml", "--out", &copy]);
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{file} blocks the program");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn results_of_another_configuration_are_replaced_only_by_force() {
    let place = Place::new(TINY);
    place.houseway(&["bench", "tiny.toml", "--out", "run"]).success();
    let finished = place.files("run");
    place.configure(&TINY.replace("seeds = [5]", "seeds = [6]"));
    place.refused(&["bench", "tiny.toml", "--out", "run"], "whose configuration differs");
    // Only training would replace agents that have already been evaluated.
    place.configure(TINY);
    place.refused(&["train", "tiny.toml", "--out", "run"], "only a part");
    assert!(place.files("run") == finished);
    place.configure(&TINY.replace("seeds = [5]", "seeds = [6]"));
    place.houseway(&["bench", "tiny.toml", "--out", "run", "--force"]).success();
    assert_eq!(place.json("run/provenance.json")["seeds"], serde_json::json!([6]));
    assert!(!place.path("run/train/gradient-seed-5").exists());
}

#[test]
fn a_run_resumes_without_git_and_with_another_build() {
    let place = Place::new(TINY);
    place.houseway(&["train", "tiny.toml", "--out", "run"]).success();
    let trained = fs::read(place.path("run/train/gradient-seed-5/weights.safetensors")).unwrap();
    // Record a different build's provenance.
    let mut provenance = place.json("run/provenance.json");
    let built = provenance["commit"].clone();
    provenance["commit"] = "0123456789".into();
    provenance["version"] = "0.0.1".into();
    fs::write(place.path("run/provenance.json"), provenance.to_string()).unwrap();
    fs::write(place.path("run/train/kept.txt"), "").unwrap();
    let mut bench = Command::cargo_bin("houseway").unwrap();
    bench.current_dir(place.0.path()).env("HOUSEWAY_COUNTS", "").env("PATH", "");
    let resumed = bench.args(["bench", "tiny.toml", "--out", "run"]).assert().success();
    resumed.stderr(predicate::str::contains("resuming the run in run"));
    assert!(place.path("run/train/kept.txt").exists());
    assert!(fs::read(place.path("run/train/gradient-seed-5/weights.safetensors")).unwrap() == trained);
    assert_eq!(place.json("run/provenance.json")["commit"], built);
}

#[test]
fn a_second_run_in_the_same_folder_is_refused_and_a_killed_one_does_not_block() {
    let place = Place::new(&endless());
    let mut first = spawn_in(place.0.path(), &["train", "tiny.toml", "--out", "run"]);
    wait_for(&place.path("run/train/gradient-seed-5/checkpoint"));
    let refused = place.houseway(&["bench", "tiny.toml", "--out", "run", "--force"]).code(1).stdout("");
    refused.stderr(predicate::str::contains("run is in use by another houseway"));
    first.kill().unwrap();
    first.wait().unwrap();
    place.configure(TINY);
    place.refused(&["train", "tiny.toml", "--out", "run"], "--force");
    // A process can also be killed after moving its last checkpoint away, before the new one is in place. The first
    // process may itself have been killed during a save.
    let checkpoint = place.path("run/train/gradient-seed-5/checkpoint");
    let old = place.path("run/train/gradient-seed-5/checkpoint.old");
    if checkpoint.exists() {
        if old.exists() {
            fs::remove_dir_all(&old).unwrap();
        }
        fs::rename(&checkpoint, &old).unwrap();
    }
    assert!(old.exists());
    place.refused(&["train", "tiny.toml", "--out", "run"], "--force");
    place.houseway(&["train", "tiny.toml", "--out", "run", "--force"]).success();
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 2);
}

/// In a clean clone, the main job replaces the committed results without `--force`, as they have the same
/// configuration.
#[test]
fn the_committed_results_of_the_main_job_are_of_its_configuration() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/quick");
    let folder = tempfile::tempdir().unwrap();
    let quick = folder.path().join("quick");
    fs::create_dir(&quick).unwrap();
    for file in ["config.toml", "provenance.json", "results.json", "machine.json"] {
        fs::copy(committed.join(file), quick.join(file)).unwrap();
    }
    let study = Study::open(Experiment::for_game("pai-gow-poker").unwrap()).unwrap();
    let spec = study.spec().unwrap();
    assert_eq!(config_hash(&fs::read_to_string(committed.join("config.toml")).unwrap()), config_hash(&spec.config));
    let run = RunFolder::start(&spec, &Destination::new(&quick, &[], false)).unwrap();
    assert!(!run.is_resumed);
    assert_ne!(run.working(), run.path());
}

#[test]
fn a_training_that_diverges_is_named_and_the_others_are_kept() {
    // Forty layers of weights overflow at once if every weight changes by 1 in a step.
    let wild = "[train.wild]\nmethod = \"all-action\"\nsteps = 6\nbatch = 64\nlearning-rate = 1.0\n\
        network = { width = 64, layers = 40 }\n";
    let place = Place::new(&format!("{TINY}{wild}"));
    let text = stderr(&place.houseway(&["bench", "tiny.toml", "--out", "run"]).code(1).stdout(""));
    for part in ["wild, seed 5", "diverged at step", "not a finite number", "learning-rate (now 1)", "are complete"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!place.path("run/results.json").exists() && !place.path("run/report.md").exists());
    for (path, bytes) in place.files("run") {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!path.ends_with("metrics.csv") || !text.contains("NaN"), "{}", path.display());
    }
    let weights = place.path("run/train/gradient-seed-5/weights.safetensors");
    let checkpoint = place.path("run/train/gradient-seed-5/checkpoint/state.json");
    let (trained, kept) = (fs::read(&weights).unwrap(), fs::read_to_string(&checkpoint).unwrap());
    // It diverges the same way again.
    place
        .houseway(&["bench", "tiny.toml", "--out", "run"])
        .code(1)
        .stderr(predicate::str::contains("diverged at step"));
    // With a different learning rate for only that training, the run continues without `--force`.
    place.configure(&format!("{TINY}{}", wild.replace("1.0", "0.00001").replace("layers = 40", "layers = 2")));
    let resumed = place.houseway(&["bench", "tiny.toml", "--out", "run"]).success();
    resumed.stderr(predicate::str::contains("resuming the run in run"));
    assert!(fs::read(&weights).unwrap() == trained && fs::read_to_string(&checkpoint).unwrap() == kept);
    assert!(!place.path("run/train/wild-seed-5/diverged.txt").exists());
}

#[test]
fn agents_learn_from_exact_labels_and_linear_models_are_scored_like_networks() {
    let distilled = "method = \"distillation\"\nfeedback = \"exact labels\"";
    let config =
        TINY.replace("[train.gradient]", "[train.distilled]").replace("method = \"policy-gradient\"", distilled);
    let linear =
        "[train.linear]\nmethod = \"all-action\"\nsteps = 200\nnetwork = \"linear\"\nnote = \"It is a line.\"\n";
    let place = Place::new(&(config.replace("steps = 6\n", "steps = 200\n") + linear));
    place.houseway(&["bench", "tiny.toml", "--out", "run"]).success();
    let results = place.json("run/results.json");
    let agent = |name: &str| {
        let agents = results["agents"].as_array().unwrap();
        agents.iter().find(|agent| agent["name"] == name).unwrap_or_else(|| panic!("{name}: {agents:?}")).clone()
    };
    let regret = |name: &str| agent(name)["regret"].as_f64().unwrap();
    assert_eq!(agent("distilled, seed 5")["feedback"], "exact labels");
    assert_eq!(agent("linear, seed 5")["feedback"], "full information");
    assert!(regret("distilled, seed 5") < regret("random") && regret("linear, seed 5") < regret("random"));
    assert_eq!(
        [&agent("distilled, seed 5")["note"], &agent("linear, seed 5")["note"]],
        [&Value::Null, &"It is a line.".into()]
    );
    let report = fs::read_to_string(place.path("run/report.md")).unwrap();
    for part in [
        "*exact labels* feedback, the exact EVs of all actions, computed by the solver.",
        "\n*linear*: It is a line.\n",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let config = fs::read_to_string(place.path("run/config.toml")).unwrap();
    assert!(config.contains("network = \"linear\""), "{config}");
    // The solver of this game has no labels.
    place.configure(&TINY.replace("asian-stud", "joker-seven").replace("policy-gradient", "distillation"));
    place.refused(
        &["bench", "tiny.toml", "--out", "other"],
        "train.gradient: there are no exact labels for joker-seven",
    );
    place.configure(&TINY.replace("asian-stud", "ultimate-holdem").replace("policy-gradient", "paired"));
    place.refused(
        &["bench", "tiny.toml", "--out", "other"],
        "train.gradient: the river cannot be learned from pairs of plays",
    );
    assert!(!place.path("other").exists());
    // A linear model has no layers to configure.
    place.configure(&TINY.replace("layers = 1", "layers = 0"));
    place.refused(&["bench", "tiny.toml", "--out", "other"], "or use network = \"linear\"");
}

/// The side bet is compiled by the first lane that needs it, while others are stepped by the same threads.
#[test]
fn a_training_with_a_side_bet_starts_on_several_threads() {
    let config = TINY.replace("asian-stud", "pai-gow-known-cards").replace("policy-gradient", "all-action");
    let place = Place::new(&config.replace("[train", "options = { side-stake = 1.0 }\n[train"));
    for threads in ["2", "3", "4"] {
        let arguments = ["train", "tiny.toml", "--out", threads, "--threads", threads];
        let mut command = Command::cargo_bin("houseway").unwrap();
        command.current_dir(place.0.path()).args(arguments).timeout(Duration::from_secs(120)).assert().success();
    }
}

#[test]
fn more_steps_continue_a_training_and_a_kill_loses_nothing() {
    let weights = "run/train/gradient-seed-5/weights.safetensors";
    let place = Place::new(TINY);
    place.houseway(&["train", "tiny.toml", "--out", "run"]).success();
    place.configure(&TINY.replace("steps = 6", "steps = 14"));
    place.refused(&["train", "tiny.toml", "--out", "run"], "add restarts = [6] next to its steps");
    let longer = TINY.replace("steps = 6", "steps = 14\nrestarts = [6]");
    place.configure(&longer);
    let resumed = place.houseway(&["bench", "tiny.toml", "--out", "run"]).success();
    resumed.stderr(predicate::str::contains("resuming the run in run"));
    let straight = Place::new(&longer);
    straight.houseway(&["bench", "tiny.toml", "--out", "run"]).success();
    let read = |place: &Place, name: &str| fs::read(place.path(name)).unwrap();
    for file in [weights, "run/train/gradient-seed-5/metrics.csv", "run/results.json", "run/config.toml"] {
        assert!(read(&place, file) == read(&straight, file), "{file}");
    }
    // A finished run is continued in a separate folder, which requires `--force`.
    let longest = TINY.replace("steps = 6", "steps = 20\nrestarts = [6, 14]");
    for place in [&place, &straight] {
        place.configure(&longest);
    }
    place.refused(&["bench", "tiny.toml", "--out", "run"], "--force, which keeps unchanged training runs");
    let finished = place.files("run");
    let again = ["bench", "tiny.toml", "--out", "run", "--force"];
    kill_at(place.0.path(), &again, ".run.new/train/gradient-seed-5/checkpoint");
    assert!(place.files("run") == finished);
    let state = place.json(".run.new/train/gradient-seed-5/checkpoint/state.json");
    assert!(state["step"].as_u64() >= Some(14) || state["content"]["step"].as_u64() >= Some(14), "{state}");
    place.houseway(&again).success().stderr(predicate::str::contains("resuming the run in .run.new"));
    for gone in [".run.new", ".run.old", ".run.lock"] {
        assert!(!place.path(gone).exists(), "{gone}");
    }
    straight.houseway(&["bench", "tiny.toml", "--out", "other"]).success();
    assert!(read(&place, weights) == read(&straight, &weights.replace("run/", "other/")));
}

#[test]
fn sizes_beyond_the_limits_are_refused_before_anything_is_allocated() {
    let begun = Instant::now();
    let train = ["train", "tiny.toml", "--out", "run"];
    let place = Place::new(&TINY.replace("batch = 64", "batch = 9000000000000000000"));
    place.refused(&train, "tiny.toml: train.gradient: batch = 9000000000000000000: must be between 1 and 1048576");
    assert!(!place.path("run").exists());
    let seeds: Vec<String> = (0..1001).map(|seed: u32| seed.to_string()).collect();
    let place = Place::new(&TINY.replace("[5]", &format!("[{}]", seeds.join(","))));
    place.refused(&train, "1001 seeds; must be at most 1000");
    let pai_gow = TINY.replace("asian-stud", "pai-gow-poker") + "[sample]\nhands = 90000000000\n";
    let place = Place::new(&pai_gow);
    place.refused(&["bench", "tiny.toml"], "sample.hands = 90000000000: must be between 100 and");
    let reward_samples = "method = { name = \"all-action\", reward-samples = 4000000000 }";
    let place =
        Place::new(&pai_gow.replace("90000000000", "100").replace("method = \"policy-gradient\"", reward_samples));
    place.refused(&["bench", "tiny.toml"], "method.reward-samples = 4000000000");
    // The first study is within the limits, but needs more memory than any machine has. The second one takes weeks,
    // which is announced.
    let wide =
        TINY.replace("batch = 64", "batch = 1048576").replace("width = 8, layers = 1", "width = 8192, layers = 64");
    let place = Place::new(&wide);
    place.refused(&train, "of memory, but this machine has");
    let place =
        Place::new(&endless().replace("steps = 1000000", "steps = 1000000000").replace("width = 8", "width = 64"));
    let mut child = Command::cargo_bin("houseway").unwrap();
    child.current_dir(place.0.path()).env("HOUSEWAY_COUNTS", "").args(train);
    let stopped = child.timeout(Duration::from_secs(3)).assert().interrupted();
    stopped.stderr(predicate::str::contains("on one processor core"));
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[cfg(not(feature = "gpu"))]
#[test]
fn an_unavailable_device_is_refused_before_anything_is_written() {
    let place = Place::new(TINY);
    for (device, message) in [("tpu", "expected cpu or gpu"), ("gpu", "build it with --features gpu")] {
        let refused = place.houseway(&["train", "tiny.toml", "--out", "run", "--device", device]).code(2).stdout("");
        refused.stderr(predicate::str::contains(message).and(predicate::str::contains("--device")));
    }
    assert!(!place.path("run").exists());
    place.houseway(&["train", "tiny.toml", "--out", "run", "--device", "cpu"]).success();
}
