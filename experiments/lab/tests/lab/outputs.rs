//! Tests of what commands refuse to overwrite.

use super::audit::audited;
use super::common::{houseway_in, program};
use predicates::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TINY: &str = "seeds = [5]\n";

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path().is_dir() {
            true => collect(&entry.path(), files),
            false => drop(files.insert(entry.path(), fs::read(entry.path()).unwrap())),
        }
    }
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    collect(folder, &mut files);
    files
}

#[test]
fn outputs_do_not_overwrite_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::write(place("tiny.toml"), TINY).unwrap();
    let way = include_str!("../../../../env/house-ways/trump-plaza.toml");
    fs::write(place("way.toml"), way).unwrap();
    fs::write(place("rules.toml"), "commission = 0.04\n").unwrap();
    for (arguments, part) in [
        (&["--player", "way.toml", "--out", "way.toml"][..], "--out way.toml would overwrite an input"),
        (&["--banker", "./way.toml", "--out", "way.toml", "--force"], "--out way.toml would overwrite an input"),
        (&["--player", "way.toml", "--strategy", "way.toml"], "--strategy way.toml would overwrite"),
        (&["--rules", "rules.toml", "--table", "rules.toml"], "--table rules.toml would overwrite"),
        (&["--player", "way.toml", "--resume", "way.toml"], "--resume way.toml would overwrite"),
        (&["--merge", "way.toml", "tiny.toml", "--out", "tiny.toml"], "--out tiny.toml would overwrite"),
        (&["--out", "x", "--table", "x"], "name the same file"),
        (&["--out", "tiny.toml"], "--out tiny.toml already exists; choose another file or use --force to replace it"),
        (&["--out", "/dev/null", "--force"], "not a regular file"),
    ] {
        let refused = houseway_in(folder.path(), &[&["solve"], arguments].concat()).code(2).stdout("");
        refused.stderr(predicate::str::contains(part));
    }
    // Auditing an edited house way under its old name would overwrite the original's report.
    let way = way.replacen("name = \"trump-plaza\"", "name = \"my-way\"", 1);
    fs::write(place("way.toml"), &way).unwrap();
    let finished = audited().1.path().join("new/audit");
    for (file, bytes) in files(&finished) {
        let copy = place("runs/audit/my-way").join(file.strip_prefix(&finished).unwrap());
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(copy, bytes).unwrap();
    }
    let report = files(&place("runs/audit/my-way"));
    houseway_in(folder.path(), &["audit", "way.toml"]).code(2).stderr(predicate::str::contains("--force"));
    assert!(files(&place("runs/audit/my-way")) == report);
    // A history must not overwrite the table's own configuration, or a house way used at the table.
    let table = "rounds = 3\n[[player]]\nseat = 1\nbankroll = 2000\nway = \"way.toml\"\n";
    fs::write(place("table.toml"), table).unwrap();
    let kept = fs::read_to_string(place("way.toml")).unwrap();
    for input in ["table.toml", "way.toml"] {
        let refused =
            houseway_in(folder.path(), &["table", "table.toml", "--history", input, "--force"]).code(2).stdout("");
        refused.stderr(predicate::str::contains(format!("--history {input} would overwrite an input")));
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
        (&["par", "-g", "PaiGowTiles-v0"], "par-pai-gow-tiles"),
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
