//! Tests for the commands and snippets in the documentation. Every command line must be accepted, and the quick ones
//! are run.
//!
//! Commands that take only seconds are run unchanged. Pai Gow Poker is solved for one of 900 shards, which loads the
//! same rules and strategies. For all other commands (`audit`, `compare`, `claim`, `bank`, `train`, `bench`, and
//! solving other games), only the options are parsed.

use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files whose commands are tested.
const PAGES: [&str; 12] = [
    "README.md",
    "CONTRIBUTING.md",
    "results/README.md",
    "env/house-ways/LANGUAGE.md",
    "env/docs/pai-gow-poker.md",
    "env/docs/pai-gow-known-cards.md",
    "env/docs/pai-gow-table.md",
    "env/docs/ultimate-holdem.md",
    "env/docs/asian-stud.md",
    "env/docs/face-up-pai-gow.md",
    "env/docs/joker-seven.md",
    "experiments/examples/three_card_poker/README.md",
];
/// The placeholders for names and files in the documentation, with values to replace them by.
const STAND_INS: [(&str, &str); 7] = [
    ("HAND", "\"As Kd Jk 7c 7d 2h 3s\""),
    ("FILE", "my-way.toml"),
    ("NAME", "mgm-style"),
    ("WAY", "mgm-style"),
    ("experiments/configs/", ""),
    ("configs/", ""),
    ("results/equilibrium/", concat!(env!("CARGO_MANIFEST_DIR"), "/../results/equilibrium/")),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// Returns a page's command lines, which are lines of code blocks and inline code that start with `houseway`.
fn commands(page: &str) -> Vec<String> {
    let (mut found, mut in_block) = (Vec::new(), false);
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            found.extend(line.trim().strip_prefix("$ ").or(Some(line.trim())).map(str::to_owned));
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    // Lines with an ellipsis or a bracketed placeholder can't be run.
    found.retain(|line| line.starts_with("houseway ") && !line.contains(['…', '[', '<']) && !line.contains("my-game"));
    found.iter().map(|line| line.split(" # ").next().unwrap_or(line).trim().to_owned()).collect()
}

/// Splits a command line into words.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' | '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("there is a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns additional arguments that make a command finish within seconds.
fn made_quick(words: &[String]) -> &'static [&'static str] {
    let of_game = words.iter().position(|word| word == "-g").map(|at| words[at + 1].as_str());
    match (words[1].as_str(), of_game) {
        ("ev", Some("ultimate-holdem")) if !words.iter().any(|word| word == "--board") => &["--help"],
        ("ev" | "set" | "check" | "games" | "completions" | "show", _) => &[],
        ("solve", None) if !words.iter().any(|word| word == "--merge") => &["--shard", "5/900"],
        ("solve", Some("joker-seven" | "asian-stud")) => &[],
        _ => &["--help"],
    }
}

#[test]
fn every_command_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let way = page("env/house-ways/mgm-style.toml").replacen("\"mgm-style\"", "\"my-way\"", 1);
    fs::write(folder.path().join("my-way.toml"), way).unwrap();
    for config in fs::read_dir(root().join("experiments/configs")).unwrap().map(Result::unwrap) {
        fs::copy(config.path(), folder.path().join(config.file_name())).unwrap();
    }
    let mut lines: BTreeSet<String> = PAGES.iter().flat_map(|name| commands(&page(name))).collect();
    lines.retain(|line| words(line).len() > 1);
    let (mut ran, mut refused) = (0, Vec::new());
    for line in &lines {
        let written = STAND_INS.iter().fold(line.clone(), |line, (word, text)| line.replace(word, text));
        let words = words(&written);
        let added = made_quick(&words);
        let output = Command::new(env!("CARGO_BIN_EXE_houseway"))
            .args(&words[1..])
            .args(added)
            .current_dir(folder.path())
            .output()
            .unwrap();
        ran += usize::from(!added.contains(&"--help"));
        if !output.status.success() {
            refused.push(format!("{written} {added:?}: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(lines.len() >= 15 && ran >= 6, "{ran} of {lines:?}");
}

/// The rule shown on the first page is part of a valid house way.
#[test]
fn the_rule_of_the_first_page_is_a_rule() {
    let readme = page("README.md");
    let (_, after) = readme.split_once("```toml\n").unwrap();
    let (rule, _) = after.split_once("```").unwrap();
    let head = "name = \"shown\"\ntitle = \"x\"\nsource = \"x\"\n";
    let rest = "[[rule]]\nname = \"rest\"\ntext = \"x\"\nplay = {}\n";
    let way = Way::parse(&format!("{head}{rule}{rest}"), "README.md").unwrap();
    let way = HouseWay::compile(way, &Game::new(Rules::default())).unwrap();
    assert!(way.survey().rules[0].hands > 100_000);
}
