//! Tests for the command line as a user runs it.

use super::common::{document, houseway, json, refused, refused_in, stderr, stdout};
use predicates::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn bad_usage_has_status_two_and_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().to_str().unwrap();
    refused(&[
        (&["report"], "<RUN>"),
        (&["report", "absent-folder"], "absent-folder is not the folder of a run"),
        (&["report", empty], "not the folder of a run"),
        (&["completions", "cobol"], "cobol"),
        (&["shuffle"], "shuffle"),
        (&["report", "--colour", empty], "--colour"),
        (&["train", "absent.toml"], "absent.toml"),
        (&["bench", "absent.toml"], "absent.toml"),
    ]);
    // The kind of a study, and a game that has studies of one kind only.
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    file("kind.toml", "name = \"x\"\nkind = \"banker\"\n");
    file("table.toml", "name = \"x\"\ngame = \"pai-gow-table\"\nseeds = [1]\n[train.a]\nsteps = 3\n");
    let train = [
        (&["kind.toml"][..], "kind.toml: unknown kind of study \"banker\": did you mean banking?"),
        (&["table.toml"], "table.toml: a study of this game has the key kind = \"banking\""),
    ];
    refused_in(folder.path(), &["train"], &train);
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
    let text = stderr(&houseway(&["check", path.to_str().unwrap()]).code(2));
    assert!(text.contains("line 7") && text.contains("\\u001b[2Jgone") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn messages_name_place_and_remedy() {
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
}

#[test]
fn the_files_of_the_program_can_be_printed_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("printed.toml");
    let shown = |arguments: &[&str]| stdout(&houseway(arguments).success().stderr(""));
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
fn one_setting_is_explained() {
    let hand = "As Kd Jk 7c 7d 2h 3s";
    houseway(&["ev", hand, "--front", "7c 7d"]).success().stdout(predicate::str::contains("7d 7c in front: "));
    houseway(&["ev", hand, "--front", "As Jk"]).success().stdout(predicate::str::contains("in front"));
    houseway(&["ev", hand, "--front", "Qc 7d"]).code(2).stderr(predicate::str::contains("expected two cards from"));
    let answer = json(&["ev", "As Kd Qc 9c 7d 2h 2s", "--front", "2h 2s", "--json"]);
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
        document(&output.stderr(predicate::str::contains("intervals of fewer than 10 runs are too narrow")))
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
    let sampled = results("face-up-pai-gow");
    houseway(&["stats", &sampled]).success().stderr(predicate::str::contains("these regrets come from samples"));
    let folder = tempfile::tempdir().unwrap();
    let stem = folder.path().join("profile");
    let plot = ["stats", quick, "--plot", stem.to_str().unwrap()];
    houseway(&plot).success().stdout(predicate::str::contains("has less regret than"));
    assert!(fs::read_to_string(stem.with_extension("csv")).unwrap().contains("all-action,"));
    houseway(&plot).code(2).stderr(predicate::str::contains("--force"));
    // Two runs of a method with different steps are one method, which is noticed. Notes don't matter.
    let run = |seed: u32, config: &str| {
        let run = folder.path().join(format!("run-{seed}"));
        fs::create_dir(&run).unwrap();
        let agents = format!("{{\"name\": \"pg, seed {seed}\", \"regret\": 0.{seed}}}");
        let results = format!("{{\"agents\": [{agents}], \"game\": \"asian-stud\", \"scope\": \"whole\"}}");
        fs::write(run.join("results.json"), results).unwrap();
        fs::write(run.join("provenance.json"), "{\"environment_hash\": \"00\"}").unwrap();
        fs::write(run.join("config.toml"), format!("[train.pg]\n{config}")).unwrap();
        run.to_str().unwrap().to_owned()
    };
    let [first, same, other] =
        [run(1, "steps = 1"), run(2, "steps = 1\nevaluate-every = 5\nnote = \"Slow.\""), run(3, "steps = 2")];
    let different = predicate::str::contains("pg was trained with different configurations");
    houseway(&["stats", &first, &same]).success().stderr(different.clone().not());
    houseway(&["stats", &first, &other]).success().stderr(different);
    let stats = [
        (&[folder.path().to_str().unwrap()][..], "not the folder of an evaluated run (no results.json)"),
        (&[stud, quick], "use the same number of seeds for each task"),
        (&[quick, quick], "all-action, seed 1 also appears in another run"),
        (&[banking], "do not contain trained agents"),
        (&[compare], "do not contain trained agents"),
        (&[quick, "--samples", "5"], "--samples"),
    ];
    refused_in(Path::new("."), &["stats"], &stats);
}
