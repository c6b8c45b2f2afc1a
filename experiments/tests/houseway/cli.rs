//! Tests for the command line as a user runs it.

use super::common::houseway;
use houseway_exact::answer::Section;
use houseway_lab::plot::{Axis, Figure, LineChart, Series};
use houseway_lab::report::{Report, TextTable};
use houseway_lab::run::{Destination, RunFolder, RunKind, RunSpec};
use predicates::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Creates a run with a plot and a report.
fn run(path: &Path) -> PathBuf {
    let spec = RunSpec {
        kind: RunKind::Study,
        config: "seed = 1\n".to_owned(),
        seeds: vec![1],
        rules_hash: "9adcfb12d8db2a82".to_owned(),
        environment_hash: None,
        task_hash: None,
    };
    let to = Destination::new(path, &[], false);
    let run = RunFolder::start(&spec, &to).unwrap();
    let curve = Series::new("all-action", vec![(1.0, 0.1), (2.0, 1.0 / 30.0)]);
    let chart = LineChart::new(Axis::new("hands seen"), Axis::new("regret").percent()).with(curve);
    let figure = Figure::new("Regret", chart);
    let table = TextTable::new(["agent", "EV"]).right(1).row(["house way", "-2.72%"]);
    let agents = Section::new("Agents").table(table).figure(figure.named("regret", "Regret"));
    Report::new("A run", [agents]).save(&run).unwrap();
    run.finish().unwrap().path().to_owned()
}

/// Returns the contents of every file in a folder.
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
    let plot = fs::read_to_string(run.join("plots/regret.toml")).unwrap();
    fs::write(run.join("plots/regret.toml"), "title = 3\n").unwrap();
    let path = run.to_str().unwrap();
    houseway(&["report", path]).code(1).stdout("").stderr(predicate::str::contains("plots/regret.toml"));
    fs::write(run.join("plots/regret.toml"), plot).unwrap();
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
#[cfg(unix)]
fn only_regular_files_are_read_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe").to_str().unwrap().to_owned();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let hand = "As Kd Jk 7c 7d 2h 3s";
    for (file, kind) in [(pipe.as_str(), "a named pipe"), ("/dev/zero", "a device"), ("/", "a folder")] {
        for arguments in [
            vec!["set", hand, "--way", file],
            vec!["check", file],
            vec!["solve", "--player", file],
            vec!["solve", "--merge", file],
            vec!["ev", hand, "--rules", file],
            vec!["bench", file],
            vec!["table", file],
            vec!["table", "--verify", file],
            vec!["solve", "-g", "asian-stud", "--out", file],
        ] {
            let text = predicate::str::contains(file).and(predicate::str::contains(kind));
            houseway(&arguments).code(2).stdout("").stderr(text);
        }
    }
    let large = folder.path().join("large.toml");
    fs::write(&large, vec![b'#'; 2_000_000]).unwrap();
    let large = large.to_str().unwrap();
    houseway(&["check", large]).code(2).stderr(predicate::str::contains("larger than the maximum of 1000000 bytes"));
    let absent = folder.path().join("absent/x.json");
    let out = ["solve", "-g", "joker-seven", "--out", absent.to_str().unwrap()];
    houseway(&out).code(2).stderr(predicate::str::contains("create its folder").and(predicate::str::contains("--out")));
}

#[test]
fn a_reader_that_has_gone_ends_a_command_quietly() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    let binary = assert_cmd::cargo::cargo_bin("houseway");
    let piped = |arguments: &[&str]| {
        let mut command = Command::new(&binary);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    // Even if the input is endless, the command stops as soon as its output is closed.
    let mut child = piped(&["set", "--stdin"]);
    let mut hands = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || while hands.write_all(b"As Kd Jk 7c 7d 2h 3s\n").is_ok() {});
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("\"front\""), "{line}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    writer.join().unwrap();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(errors, "");
    // It doesn't matter if nobody reads an error message.
    let mut child = piped(&["report", "absent-folder"]);
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn what_a_file_contains_cannot_control_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("way.toml");
    let rule = "[[rule]]\nname = \"all\"\ntext = \"x\"\nplay = { front = \"\\u001b[2Jgone\" }\n";
    fs::write(&path, format!("name = \"x\"\ntitle = \"x\"\nsource = \"x\"\n{rule}")).unwrap();
    let failure = houseway(&["check", path.to_str().unwrap()]).code(2);
    let text = String::from_utf8(failure.get_output().stderr.clone()).unwrap();
    assert!(text.contains("line 7") && text.contains("\\u001b[2Jgone") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn messages_name_place_and_remedy() {
    let failure = houseway(&["report", "--json"]).code(2);
    let text = String::from_utf8(failure.get_output().stderr.clone()).unwrap();
    assert!(text.contains("<RUN>"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.toml");
    let player = "[[player]]\nseat = 2\nbankroll = 1000\nway = \"nope\"\n";
    fs::write(&table, player).unwrap();
    let path = table.to_str().unwrap();
    let told = ["table.toml", "seat 2: way = \"nope\"", "trump-plaza", "highest-front"];
    let told = told.into_iter().fold(predicate::str::contains("error:").count(1).boxed(), |all, part| {
        all.and(predicate::str::contains(part)).boxed()
    });
    houseway(&["table", path]).code(2).stderr(told);
    // The kernel's pseudo file system rejects new files, even for the superuser.
    houseway(&["bank", "trump-plaza:100", "--counts", "/proc/self/cache"])
        .code(1)
        .stderr(predicate::str::contains("/proc/self/cache").and(predicate::str::contains("--counts")));
}

#[test]
fn texts_fit_eighty_columns_between_words() {
    let games = String::from_utf8(houseway(&["games"]).success().get_output().stdout.clone()).unwrap();
    assert!(games.lines().all(|line| line.chars().count() <= 80), "{games}");
    assert!(games.contains("bank-pushes") && !games.contains("\n\n\n"), "{games}");
}

#[test]
fn the_files_of_the_program_can_be_printed_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("printed.toml");
    let shown = |arguments: &[&str]| {
        let shown = houseway(arguments).success().stderr("");
        String::from_utf8(shown.get_output().stdout.clone()).unwrap()
    };
    fs::write(&path, shown(&["show", "foxwoods"])).unwrap();
    houseway(&["set", "As Kd Jk 7c 7d 2h 3s", "--way", path.to_str().unwrap(), "--json"])
        .success()
        .stdout(predicate::str::contains("\"way\": \"foxwoods\""));
    fs::write(&path, shown(&["show", "fortune-5000"])).unwrap();
    houseway(&["side-bet", path.to_str().unwrap()]).success().stdout(predicate::str::contains("fortune-5000"));
    assert!(shown(&["show", "language"]).contains("front-above"));
    assert!(shown(&["show", "keys", "-g", "asian-stud"]).contains("[train."));
    assert!(shown(&["show", "config", "-g", "pai-gow-table"]).contains("seeds"));
    assert!(shown(&["show", "keys", "-g", "pai-gow-table"]).contains("raw-features"));
    assert!(shown(&["show"]).contains("paytables: fortune-2"));
    houseway(&["show", "nope"]).code(2).stderr(predicate::str::contains("trump-plaza"));
    for (name, known) in [("trump-plazza", "trump-plaza"), ("keyz", "keys")] {
        let hint = format!("has no file '{name}': did you mean {known}?");
        houseway(&["show", name]).code(2).stderr(predicate::str::contains(hint));
    }
}

#[test]
fn the_return_of_the_side_bet_is_exact() {
    let answer = houseway(&["side-bet", "fortune-2", "--json"]).success();
    let answer: serde_json::Value = serde_json::from_slice(&answer.get_output().stdout).unwrap();
    assert_eq!((answer["net"].as_str(), answer["hands"].as_str()), (Some("-11970096"), Some("154143080")));
    houseway(&["side-bet", "nope"]).code(2).stderr(predicate::str::contains("fortune-2"));
}

#[test]
fn one_setting_is_explained() {
    let hand = "As Kd Jk 7c 7d 2h 3s";
    houseway(&["ev", hand, "--front", "7c 7d"]).success().stdout(predicate::str::contains("7d 7c in front: "));
    houseway(&["ev", hand, "--front", "As Jk"]).success().stdout(predicate::str::contains("in front"));
    houseway(&["ev", hand, "--front", "Qc 7d"]).code(2).stderr(predicate::str::contains("expected two cards from"));
    let answer = houseway(&["ev", "As Kd Qc 9c 7d 2h 2s", "--front", "2h 2s", "--json"]).success();
    let answer: serde_json::Value = serde_json::from_slice(&answer.get_output().stdout).unwrap();
    assert!(answer["front"]["why_foul"].as_str().unwrap().contains("does not outrank"), "{answer}");
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

#[test]
fn methods_are_compared_over_seeds_and_games() {
    let results = |name: &str| format!("{}/../results/{name}", env!("CARGO_MANIFEST_DIR"));
    let folders = ["quick", "ultimate-holdem", "asian-stud", "banking", "compare-equilibrium"].map(results);
    let [quick, holdem, stud, banking, compare] = folders.each_ref().map(String::as_str);
    let answer = |runs: &[&str]| -> Value {
        let output = houseway(&[&["stats", "--json", "--samples", "2000"], runs].concat()).success();
        let output = output.stderr(predicate::str::contains("intervals of fewer than 10 runs are too narrow"));
        serde_json::from_slice(&output.get_output().stdout).unwrap()
    };
    let one = answer(&[quick]);
    let best = &one["methods"][0];
    let committed: Value = serde_json::from_str(&fs::read_to_string(format!("{quick}/results.json")).unwrap()).unwrap();
    let agents = committed["agents"].as_array().unwrap().iter();
    let agents = agents.filter(|agent| agent["name"].as_str().unwrap().starts_with("all-action"));
    let regrets: Vec<f64> = agents.map(|agent| agent["regret"].as_f64().unwrap()).collect();
    assert_eq!((best["name"].as_str(), best["runs"].as_u64()), (Some("all-action"), Some(3)));
    // A quarter of three runs rounds down to zero runs.
    assert!((best["iqm"].as_f64().unwrap() - regrets.iter().sum::<f64>() / 3.0).abs() < 1e-15);
    assert_eq!(best["scores"], regrets.iter().map(|&regret| json!([regret])).collect::<Value>());
    assert_eq!(
        (&one["improvements"][0]["probability"], &one["improvements"][0]["ci"]),
        (&json!(1.0), &json!([1.0, 1.0]))
    );
    // Both methods have runs on both games.
    let both = answer(&[holdem, quick]);
    assert_eq!(both["tasks"][1]["game"], "ultimate-holdem");
    assert_eq!(both["methods"][0]["scores"][2].as_array().unwrap().len(), 2);
    let folder = tempfile::tempdir().unwrap();
    let stem = folder.path().join("profile");
    let plot = ["stats", quick, "--plot", stem.to_str().unwrap()];
    houseway(&plot).success().stdout(predicate::str::contains("has less regret than"));
    assert!(fs::read_to_string(stem.with_extension("csv")).unwrap().contains("all-action,"));
    houseway(&plot).code(2).stderr(predicate::str::contains("--force"));
    for (runs, part) in [
        (&[folder.path().to_str().unwrap()][..], "not the folder of an evaluated run (no results.json)"),
        (&[stud, quick], "use the same number of seeds for each task"),
        (&[quick, quick], "all-action, seed 1 also appears in another run"),
        (&[banking], "do not contain trained agents"),
        (&[compare], "do not contain trained agents"),
        (&[quick, "--samples", "5"], "--samples"),
    ] {
        houseway(&[&["stats"], runs].concat()).code(2).stderr(predicate::str::contains(part));
    }
}
