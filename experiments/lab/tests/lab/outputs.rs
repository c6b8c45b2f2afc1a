//! Tests of what commands refuse to overwrite.

use super::audit::audited;
use super::common::{copy_folder, files, houseway_in, program, refused_in};
use predicates::prelude::*;
use std::fs;
use std::process::{Command, Stdio};

const TINY: &str = "seeds = [5]\n";

#[test]
fn outputs_do_not_overwrite_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::write(place("tiny.toml"), TINY).unwrap();
    let way = include_str!("../../../../env/house-ways/trump-plaza.toml");
    fs::write(place("way.toml"), way).unwrap();
    fs::write(place("rules.toml"), "commission = 0.04\n").unwrap();
    let solve = [
        (&["--player", "way.toml", "--out", "way.toml"][..], "--out way.toml would overwrite an input"),
        (&["--banker", "./way.toml", "--out", "way.toml", "--force"], "--out way.toml would overwrite an input"),
        (&["--player", "way.toml", "--strategy", "way.toml"], "--strategy way.toml would overwrite"),
        (&["--rules", "rules.toml", "--table", "rules.toml"], "--table rules.toml would overwrite"),
        (&["--merge", "way.toml", "tiny.toml", "--out", "tiny.toml"], "--out tiny.toml would overwrite"),
        (&["--out", "x", "--table", "x"], "name the same file"),
        (&["--out", "tiny.toml"], "--out tiny.toml already exists; choose another file or use --force to replace it"),
        (&["--out", "/dev/null", "--force"], "not a regular file"),
    ];
    refused_in(folder.path(), &["solve"], &solve);
    // Auditing an edited house way under its old name would overwrite the original's report.
    let way = way.replacen("name = \"trump-plaza\"", "name = \"my-way\"", 1);
    fs::write(place("way.toml"), &way).unwrap();
    copy_folder(&audited().1.path().join("new/audit"), &place("runs/audit/my-way"));
    let report = files(&place("runs/audit/my-way"));
    houseway_in(folder.path(), &["audit", "way.toml"]).code(2).stderr(predicate::str::contains("--force"));
    assert!(files(&place("runs/audit/my-way")) == report);
    // A history must not overwrite the table's own configuration, or a house way used at the table.
    let table = "rounds = 3\n[[player]]\nseat = 1\nbankroll = 2000\nway = \"way.toml\"\n";
    fs::write(place("table.toml"), table).unwrap();
    let kept = fs::read_to_string(place("way.toml")).unwrap();
    for input in ["table.toml", "way.toml"] {
        let part = format!("--history {input} would overwrite an input");
        refused_in(folder.path(), &["table", "table.toml", "--force"], &[(&["--history", input], &part)]);
    }
    assert_eq!(fs::read_to_string(place("table.toml")).unwrap(), table);
    assert_eq!(fs::read_to_string(place("way.toml")).unwrap(), kept);
    // A file in place of the counts folder is reported before the computation starts.
    let refused = houseway_in(folder.path(), &["bank", "trump-plaza:100", "--counts", "tiny.toml"]).code(1).stdout("");
    refused.stderr(predicate::str::contains("tiny.toml").and(predicate::str::contains("--counts")));
    assert_eq!(fs::read_to_string(place("tiny.toml")).unwrap(), TINY);
}

#[test]
fn games_have_default_folders_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, run) in [
        (&["par", "-g", "asian-stud"][..], "par-asian-stud"),
        (&["par", "-g", "JokerSeven-v0"], "par-joker-seven"),
        (&["compare", "-g", "pai-gow-tiles", "foxwoods", "canberra"], "compare-pai-gow-tiles"),
        (&["audit", "-g", "pai-gow-tiles", "foxwoods"], "audit-pai-gow-tiles/foxwoods"),
    ] {
        houseway_in(folder.path(), arguments).success();
        assert!(folder.path().join("runs").join(run).join("report.md").is_file(), "{run}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn answers_that_cannot_be_written_are_failures() {
    for arguments in [&["--help"][..], &["--version"], &["games"], &["games", "--json"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(program()).args(arguments).stdout(Stdio::from(full)).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains("No space left"), "{arguments:?}: {message}");
    }
}
