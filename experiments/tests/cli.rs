//! The command line as its users see it.

use assert_cmd::Command;
use houseway::plot::{Axis, Figure, LineChart, Series};
use houseway::report::{Report, TextTable};
use houseway::run::{Destination, RunFolder, RunKind, RunSpec};
use predicates::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn houseway(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("houseway").unwrap().args(arguments).assert()
}

/// A run with a plot and a report.
fn run(path: &Path) -> PathBuf {
    let spec = RunSpec {
        kind: RunKind::Study,
        config: "seed = 1\n".to_owned(),
        seeds: vec![1],
        rules_hash: "9adcfb12d8db2a82".to_owned(),
        task_hash: None,
    };
    let to = Destination::new(path, &[], false);
    let (run, _) = RunFolder::start(&spec, &to).unwrap();
    let curve = Series::new("all-action", vec![(1.0, 0.1), (2.0, 1.0 / 30.0)]);
    let chart = LineChart::new(Axis::new("hands seen"), Axis::new("regret").percent()).with(curve);
    let figure = Figure::new("Regret", chart);
    let table = TextTable::new(["agent", "EV"]).right(1).row(["house way", "-2.72%"]);
    Report::new("A run").heading("Agents").table(table).figure("regret", "Regret", figure).save(&run).unwrap();
    run.finish().unwrap().path().to_owned()
}

/// Every file of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true => files
                .extend(self::files(&entry.path()).into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes))),
            false => drop(files.insert(name, fs::read(entry.path()).unwrap())),
        }
    }
    files
}

#[test]
fn a_report_is_built_again_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(&folder.path().join("run"));
    let before = files(&run);
    for made in ["report.md", "plots/regret.png", "plots/regret.svg", "plots/regret.csv"] {
        assert!(before.contains_key(made), "{made}");
        fs::remove_file(run.join(made)).unwrap();
    }
    houseway(&["report", run.to_str().unwrap()]).success().stdout(predicate::str::contains("plots drawn: 1"));
    assert!(files(&run) == before);
}

#[test]
fn a_report_answers_programs() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(&folder.path().join("run"));
    let answer = houseway(&["report", "--json", run.to_str().unwrap()]).success();
    let answer: serde_json::Value = serde_json::from_slice(&answer.get_output().stdout).unwrap();
    assert_eq!(answer["plots"], serde_json::json!(["regret"]));
    assert!(answer["report"].as_str().unwrap().ends_with("report.md"));
}

#[test]
fn a_broken_run_is_a_failure_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(&folder.path().join("run"));
    fs::write(run.join("plots/regret.toml"), "title = 3\n").unwrap();
    let path = run.to_str().unwrap();
    houseway(&["report", path]).code(1).stdout("").stderr(predicate::str::contains("plots/regret.toml"));
    fs::remove_file(run.join("report.toml")).unwrap();
    houseway(&["report", path]).code(1).stderr(predicate::str::contains("report.toml"));
}

#[test]
fn bad_usage_has_status_two_and_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().to_str().unwrap();
    for (arguments, part) in [
        (vec!["report"], "<RUN>"),
        (vec!["report", "absent-folder"], "absent-folder is not the folder of a run"),
        (vec!["report", empty], "not the folder of a run"),
        (vec!["completions", "cobol"], "cobol"),
        (vec!["shuffle"], "shuffle"),
        (vec!["report", "--colour", empty], "--colour"),
    ] {
        let text = predicate::str::contains(part).and(predicate::str::contains("error:").count(1));
        houseway(&arguments).code(2).stdout("").stderr(text);
    }
}

#[test]
fn with_json_the_last_line_of_an_error_is_json() {
    for arguments in [vec!["report", "--json", "absent-folder"], vec!["report", "--json"], vec!["shuffle", "--json"]] {
        let failure = houseway(&arguments).code(2).stdout("");
        let text = String::from_utf8(failure.get_output().stderr.clone()).unwrap();
        let error: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert!(!error["error"].as_str().unwrap().is_empty(), "{text}");
    }
}

#[test]
fn every_shell_is_given_its_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = predicate::str::contains("completions").and(predicate::str::contains("report"));
        houseway(&["completions", shell]).success().stdout(script).stderr("");
    }
}

#[test]
fn help_and_version_are_answers() {
    houseway(&["--help"]).success().stdout(predicate::str::contains("Usage: houseway")).stderr("");
    houseway(&["--version"]).success().stdout(format!("houseway {}\n", env!("CARGO_PKG_VERSION")));
}
