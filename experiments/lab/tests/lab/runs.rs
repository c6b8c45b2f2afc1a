//! Tests of the files in runs' folders.

use super::common::{files, houseway, json};
use houseway_exact::answer::Section;
use houseway_lab::plot::{Axis, Figure, LineChart, Series};
use houseway_lab::report::{Report, TextTable};
use houseway_lab::run::{Destination, RESULTS, RunFolder, RunKind, RunSpec};
use predicates::str::contains;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Creates a finished run with a plot and a report.
fn run(path: &Path) {
    let config = "seed = 1\n".to_owned();
    let (rules_hash, task_hash) = ("9adcfb12d8db2a82".to_owned(), None);
    let spec = RunSpec { kind: RunKind::Study, config, seeds: vec![1], rules_hash, environment_hash: None, task_hash };
    let run = RunFolder::start(&spec, &Destination::new(path, &[], true)).unwrap();
    let table = TextTable::new(["agent", "EV"]).row(["house way", "-2.72%"]);
    let curve = Series::new("all-action", vec![(1.0, 0.1), (2.0, 1.0 / 30.0)]);
    let chart = LineChart::new(Axis::new("hands seen"), Axis::new("regret").percent()).with(curve);
    let figure = Figure::new("Regret", chart).named("regret", "Regret");
    Report::new("A run", [Section::default().table(table).figure(figure)]).save(&run).unwrap();
    run.write_json(RESULTS, &json!({ "game": "pai-gow-poker" })).unwrap();
    fs::create_dir_all(run.training("a-seed-1").join("checkpoint")).unwrap();
    fs::write(run.training("a-seed-1").join("checkpoint/state.json"), "{}").unwrap();
    run.finish().unwrap();
}

#[test]
fn a_report_is_built_again_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    run(&path);
    let before = files(&path);
    for made in ["report.md", "plots/regret.png", "plots/regret.svg", "plots/regret.csv"] {
        fs::remove_file(path.join(made)).unwrap();
    }
    let answer = json(&["report", path.to_str().unwrap(), "--json"]);
    assert_eq!(answer["plots"], json!(["regret"]));
    assert!(answer["report"].as_str().unwrap().ends_with("report.md"));
    assert!(files(&path) == before);
}

#[test]
fn a_broken_run_is_a_failure_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    run(&path);
    let figure = path.join("plots/regret.toml");
    let plot = fs::read_to_string(&figure).unwrap();
    fs::write(&figure, "title = 3\n").unwrap();
    houseway(&["report", path.to_str().unwrap()]).code(1).stdout("").stderr(contains("plots/regret.toml"));
    fs::write(&figure, plot).unwrap();
    fs::remove_file(path.join("report.toml")).unwrap();
    houseway(&["report", path.to_str().unwrap()]).code(1).stderr(contains("report.toml"));
}

#[test]
fn every_changed_or_missing_file_of_a_run_shows() {
    let folder = tempfile::tempdir().unwrap();
    let (one, results) = (folder.path().join("one"), folder.path().to_str().unwrap());
    run(&one);
    run(&folder.path().join("more/two"));
    let verified = json(&["verify", results, "--json"]);
    assert_eq!((&verified["verified"], verified["runs"].as_array().unwrap().len()), (&json!(true), 2));
    assert_eq!(verified["runs"][0]["verified"], 11, "{verified}");
    // A report that is drawn again, notes, and a missing checkpoint aren't faults.
    houseway(&["report", one.to_str().unwrap()]).success();
    fs::write(one.join("notes.txt"), "mine").unwrap();
    fs::remove_dir_all(one.join("train/a-seed-1/checkpoint")).unwrap();
    houseway(&["verify", results])
        .success()
        .stdout(contains("one: 10 files are as recorded, 1 omitted, 1 not part of the run"))
        .stdout(contains("  not part of the run: notes.txt\n"));
    let files = ["config.toml", "provenance.json", "machine.json", "results.json", "report.md", "report.toml"];
    for file in files {
        let path = one.join(file);
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        fs::write(&path, flipped).unwrap();
        let fault = format!("  changed: {file}\n");
        houseway(&["verify", results]).code(1).stdout(contains(fault)).stderr(contains("1 of 2 runs differ"));
        if file == "provenance.json" {
            fs::write(&path, whole).unwrap();
            continue;
        }
        fs::remove_file(&path).unwrap();
        houseway(&["verify", one.to_str().unwrap()]).code(1).stdout(contains(format!("  missing: {file}\n")));
        #[cfg(unix)]
        {
            fs::write(folder.path().join("same"), &whole).unwrap();
            std::os::unix::fs::symlink("../same", &path).unwrap();
            houseway(&["verify", results]).code(1).stdout(contains(format!("  changed: {file}\n")));
            fs::remove_file(&path).unwrap();
        }
        fs::write(&path, whole).unwrap();
    }
    // Results that differ aren't used.
    let results = one.join(RESULTS);
    fs::write(&results, fs::read_to_string(&results).unwrap().replace("poker", "joker")).unwrap();
    houseway(&["stats", one.to_str().unwrap()]).code(2).stderr(contains("it differs from manifest.json"));
    fs::write(one.join("manifest.json"), "{}").unwrap();
    houseway(&["verify", one.to_str().unwrap()]).code(1).stdout(contains("it has no seal"));
    fs::remove_file(one.join("manifest.json")).unwrap();
    houseway(&["verify", one.to_str().unwrap()])
        .code(1)
        .stdout(contains("no manifest; it was written by an earlier version"));
    houseway(&["verify", one.join("train").to_str().unwrap()]).code(2).stderr(contains("contains no runs"));
}
