//! Folders of runs as their users see them: nothing finished is lost, and interrupted work is resumed.

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
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

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("houseway").unwrap();
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    fn houseway(&self, arguments: &[&str]) -> assert_cmd::assert::Assert {
        self.command(arguments).assert()
    }

    /// Starts a command that is not awaited.
    fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("houseway"));
        command.current_dir(self.0.path()).args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// Starts a command and kills it once a file exists.
    fn kill_at(&self, arguments: &[&str], file: &str) {
        let mut child = self.spawn(arguments);
        self.wait_for(file);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn wait_for(&self, file: &str) {
        let begun = Instant::now();
        while !self.path(file).exists() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{file} is missing");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn files(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(folder), &mut files);
        files
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.path(file)).unwrap()).unwrap()
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path().is_dir() {
            true => collect(&entry.path(), files),
            false => drop(files.insert(entry.path(), fs::read(entry.path()).unwrap())),
        }
    }
}

/// A training that takes longer than a test waits.
fn endless() -> String {
    TINY.replace("steps = 6", "steps = 1000000")
        .replace("evaluate-every = 3", "evaluate-every = 3\ncheckpoint-every = 1")
}

#[test]
fn a_finished_run_is_done_again_beside_the_old_one() {
    let place = Place::new(TINY);
    place.houseway(&["bench", "tiny.toml", "--out", "run"]).success();
    let finished = place.files("run");
    // The same job again, killed in its training: everything is there as before, timing included.
    place.kill_at(&["bench", "tiny.toml", "--out", "run"], ".run.new/train/gradient-seed-5/metrics.csv");
    assert!(place.files("run") == finished);
    let again = place.houseway(&["bench", "tiny.toml", "--out", "run"]).success();
    again.stderr(predicate::str::contains("resuming the run in .run.new"));
    let results = |files: &BTreeMap<PathBuf, Vec<u8>>| files[&place.path("run/results.json")].clone();
    let after = place.files("run");
    assert!(results(&after) == results(&finished));
    // Event files have the time in their names.
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| -> Vec<PathBuf> {
        files.keys().filter(|path| !path.to_string_lossy().contains("tensorboard")).cloned().collect()
    };
    assert_eq!(names(&after), names(&finished));
    assert!(after[&place.path("run/machine.json")] != finished[&place.path("run/machine.json")], "it was done again");
    assert!(!place.path(".run.new").exists() && !place.path(".run.old").exists() && !place.path(".run.lock").exists());
}

#[test]
fn results_of_another_configuration_are_replaced_only_by_force() {
    let place = Place::new(TINY);
    place.houseway(&["bench", "tiny.toml", "--out", "run"]).success();
    let finished = place.files("run");
    place.configure(&TINY.replace("seeds = [5]", "seeds = [6]"));
    for command in ["bench", "train"] {
        let refused = place.houseway(&[command, "tiny.toml", "--out", "run"]).code(2).stdout("");
        refused
            .stderr(predicate::str::contains("whose configuration differs").and(predicate::str::contains("--force")));
    }
    // Trained agents alone would replace agents with their evaluation.
    place.configure(TINY);
    let refused = place.houseway(&["train", "tiny.toml", "--out", "run"]).code(2);
    refused.stderr(predicate::str::contains("only a part").and(predicate::str::contains("--force")));
    assert!(place.files("run") == finished);
    place.configure(&TINY.replace("seeds = [5]", "seeds = [6]"));
    place.houseway(&["bench", "tiny.toml", "--out", "run", "--force"]).success();
    assert_eq!(place.json("run/provenance.json")["seeds"], serde_json::json!([6]));
    assert!(!place.path("run/train/gradient-seed-5").exists());
}

#[test]
fn a_folder_of_another_kind_is_refused_even_by_force() {
    let place = Place::new(TINY);
    place.houseway(&["train", "tiny.toml", "--out", "run"]).success();
    let trained = place.files("run");
    for command in [&["audit", "trump-plaza"][..], &["compare", "trump-plaza"], &["claim"]] {
        let arguments = [command, &["--out", "run", "--force"]].concat();
        place.houseway(&arguments).code(2).stdout("").stderr(predicate::str::contains("run holds a study"));
        let inside = [command, &["--out", "run/train/gradient-seed-5", "--force"]].concat();
        place.houseway(&inside).code(2).stderr(predicate::str::contains("not the folder of a run"));
    }
    assert!(place.files("run") == trained);
}

#[test]
fn a_run_resumes_without_git_and_with_another_build() {
    let place = Place::new(TINY);
    place.houseway(&["train", "tiny.toml", "--out", "run"]).success();
    let trained = place.files("run")[&place.path("run/train/gradient-seed-5/weights.safetensors")].clone();
    // What another build would have recorded.
    let mut provenance = place.json("run/provenance.json");
    provenance["commit"] = "0123456789".into();
    provenance["version"] = "0.0.1".into();
    fs::write(place.path("run/provenance.json"), provenance.to_string()).unwrap();
    fs::write(place.path("run/train/kept.txt"), "").unwrap();
    let resumed = place.command(&["bench", "tiny.toml", "--out", "run"]).env("PATH", "").assert().success();
    resumed.stderr(predicate::str::contains("resuming the run in run"));
    assert!(place.path("run/train/kept.txt").exists());
    assert!(place.files("run")[&place.path("run/train/gradient-seed-5/weights.safetensors")] == trained);
    assert_eq!(place.json("run/provenance.json")["commit"].as_str(), houseway::run::commit());
}

#[test]
fn a_second_run_in_the_same_folder_is_refused_and_a_killed_one_does_not_block() {
    let place = Place::new(&endless());
    let mut first = place.spawn(&["train", "tiny.toml", "--out", "run"]);
    place.wait_for("run/train/gradient-seed-5/checkpoint");
    for command in [&["train", "tiny.toml", "--out", "run"][..], &["bench", "tiny.toml", "--out", "run", "--force"]] {
        let refused = place.houseway(command).code(1).stdout("");
        refused.stderr(predicate::str::contains(format!("run is in use by another houseway (process {})", first.id())));
    }
    place.houseway(&["report", "run"]).code(2).stderr(predicate::str::contains("in use"));
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(place.path(".run.lock").exists(), "a killed process leaves its file");
    place.configure(TINY);
    place.houseway(&["train", "tiny.toml", "--out", "run"]).code(2).stderr(predicate::str::contains("--force"));
    place.houseway(&["train", "tiny.toml", "--out", "run", "--force"]).success();
    assert!(!place.path(".run.lock").exists());
}
