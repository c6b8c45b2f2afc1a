//! The generated chapters about JSON, which have to be those of the program. `HOUSEWAY_WRITE_REFERENCE=1` with the
//! ignored test writes them again after a change.

use crate::common::{copy_folder, counts, files, program, root, solved};
use crate::web::Server;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Commands that take a moment, as the book writes them, with their arguments.
const QUICK: [(&str, &str); 38] = [
    ("houseway ev HAND", "ev As Kd Jk 7c 7d 2h 3s --dead Qh3c --front 7c7d"),
    ("houseway ev HAND --banker random", "ev As Kd Jk 7c 7d 2h 3s --banker random"),
    ("houseway ev HAND --no-push", "ev As Kd Jk 7c 7d 2h 3s --no-push"),
    ("houseway ev HAND --unknown K", "ev As Kd Jk 7c 7d 2h 3s --unknown 3"),
    ("houseway ev -g ultimate-holdem HAND", "ev -g ultimate-holdem Kh 8c"),
    ("houseway ev -g ultimate-holdem HAND --board CARDS", "ev -g ultimate-holdem Kh 8c --board 8d5s2h"),
    (
        "houseway ev -g ultimate-holdem HAND --board CARDS, five of them",
        "ev -g ultimate-holdem Kh 8c --board 8d5s2h3c4d",
    ),
    (
        "houseway ev -g ultimate-holdem HAND --board CARDS --dead CARDS",
        "ev -g ultimate-holdem Kh 8c --board 8d5s2h --dead Qs",
    ),
    ("houseway ev -g asian-stud HAND", "ev -g asian-stud As Kd 9c 2h 3s"),
    ("houseway ev -g asian-stud HAND --dead CARDS", "ev -g asian-stud As Kd 9c 2h 3s --dead Qs"),
    ("houseway ev -g face-up-pai-gow HAND", "ev -g face-up-pai-gow As Kd Jk 7c 7d 2h 3s"),
    ("houseway ev -g face-up-pai-gow HAND --dead CARDS", "ev -g face-up-pai-gow As Kd Jk 7c 7d 2h 3s --dead Qs"),
    (
        "houseway ev -g face-up-pai-gow HAND --dealer-hand CARDS",
        "ev -g face-up-pai-gow As Kd Jk 7c 7d 2h 3s --dealer-hand AcKcQh9h8s5c4d",
    ),
    ("houseway ev -g pai-gow-tiles HAND", "ev -g pai-gow-tiles 6-6 6-6 2-1 2-2"),
    ("houseway set HAND", "set As Kd Jk 7c 7d 2h 3s"),
    ("houseway check WAY", "check mgm-style"),
    ("houseway set -g pai-gow-tiles HAND", "set -g pai-gow-tiles 6-6 6-6 2-1 2-2"),
    ("houseway check -g pai-gow-tiles WAY", "check -g pai-gow-tiles foxwoods"),
    ("houseway audit -g pai-gow-tiles WAY", "audit -g pai-gow-tiles foxwoods --game-readings --out tiles-audit"),
    ("houseway compare -g pai-gow-tiles", "compare -g pai-gow-tiles --out tiles-compare"),
    ("houseway solve -g pai-gow-tiles", "solve -g pai-gow-tiles"),
    ("houseway solve -g asian-stud", "solve -g asian-stud"),
    ("houseway solve -g joker-seven", "solve -g joker-seven"),
    ("houseway monitor LOG", "monitor log.txt"),
    ("houseway bank OPPONENT:BET --hand HAND", "bank foxwoods:100 --hand AsKdJk7c7d2h3s"),
    ("houseway par -g asian-stud", "par -g asian-stud --out par-asian-stud"),
    ("houseway par -g joker-seven", "par -g joker-seven --out par-joker-seven"),
    ("houseway side-bet", "side-bet fortune-2"),
    ("houseway side-bet fortune-envy --seats N", "side-bet fortune-envy --seats 6"),
    ("houseway side-bet queens-dragon", "side-bet queens-dragon"),
    ("houseway side-bet -g asian-stud", "side-bet -g asian-stud"),
    ("houseway side-bet -g joker-seven", "side-bet -g joker-seven"),
    ("houseway side-bet -g pai-gow-tiles", "side-bet -g pai-gow-tiles"),
    ("houseway dataset", "dataset --episodes 20 --exact sample --out logged"),
    ("houseway report RUN", "report quick"),
    ("houseway stats RUN", "stats quick"),
    ("houseway games", "games"),
    ("houseway references --check", "references --check"),
];
/// Commands that take seconds, because they evaluate all deals.
const SLOW: [(&str, &str); 16] = [
    ("houseway equilibrium -g pai-gow-tiles", "equilibrium -g pai-gow-tiles"),
    ("houseway audit WAY", "audit foxwoods --out audit"),
    ("houseway diff A B", "diff trump-plaza foxwoods"),
    ("houseway compare", "compare trump-plaza --out compare"),
    ("houseway solve", "solve"),
    ("houseway bank OPPONENT:BET", "bank foxwoods:100 --own 100 --bankroll 1000"),
    ("houseway bank OPPONENT:BET --stake CHIPS", "bank foxwoods:100 foxwoods:100 --own 100 --stake 50 --share 0.5"),
    ("houseway solve -g face-up-pai-gow", "solve -g face-up-pai-gow"),
    ("houseway solve -g ultimate-holdem", "solve -g ultimate-holdem"),
    ("houseway identify LOG", "identify log.txt"),
    ("houseway par -g pai-gow-tiles", "par -g pai-gow-tiles --out par-tiles"),
    ("houseway par", "par --side-bet fortune-2 --out par"),
    ("houseway side-bet -g ultimate-holdem florida-trips", "side-bet -g ultimate-holdem florida-trips"),
    ("houseway table CONFIG", "table table.toml --history table.jsonl"),
    ("houseway table --verify FILE", "table --verify table.jsonl"),
    ("houseway verify FOLDER", "verify compare"),
];
/// Commands that write one event per line, and one that reads what they wrote, with their arguments and their input.
const STREAMS: [(&str, &[&str], &str); 3] = [
    (
        "houseway play",
        &["play", "--seed", "3", "--session", "session.json", "--history", "history.jsonl"],
        "help\ncoach on\nchip 100\ndeal\nhouse way\nconfirm\nnonsense\nquit\n",
    ),
    ("houseway play --verify FILE", &["play", "--verify", "history.jsonl"], ""),
    ("houseway drill", &["drill", "--seed", "3", "--session", "drill.json"], "house\nnonsense\nquit\n"),
];
/// Commands that take longer. Their keys are those of committed results.
const COMMITTED: [(&str, &str); 11] = [
    ("houseway claim", "claim"),
    ("houseway search", "search/player"),
    ("houseway equilibrium", "equilibrium"),
    ("houseway known-cards", "known-cards"),
    ("houseway bench", "quick"),
    ("houseway bench -g pai-gow-table", "banking"),
    ("houseway bench -g ultimate-holdem", "ultimate-holdem"),
    ("houseway bench experiments/configs/self-play.toml", "self-play"),
    ("houseway search -g pai-gow-tiles", "search/pai-gow-tiles"),
    ("houseway equilibrium --bank player", "equilibrium-variants/bank-player"),
    ("houseway equilibrium --method METHODS", "equilibrium-methods"),
];
/// Objects whose keys are names, such as those of rules.
const BY_NAME: &str = "rules game_rules readings player_readings banker_readings parameters wagers classes hands actions \
    poker_hands dealer_hands covariance options agreement_by_shape spread shapes score_dict";
const LOG: &str = "As Kd Jk 7c 7d 2h 3s | 7c 7d | player | 100\nAs Ad Kh Qc Jd 9s 2c | Jd 9s | banker | 50\n";

/// Collects the keys of all objects in a document by the path of the object. Exact ratios have the same keys everywhere.
fn collect(value: &Value, path: &str, found: &mut BTreeMap<String, BTreeSet<String>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, &format!("{path}[]"), found)),
        Value::Object(object) if object.contains_key("numerator") => {}
        Value::Object(object) => {
            let last = path.rsplit('.').next().unwrap_or_default();
            let is_by_name = BY_NAME.split(' ').any(|name| name == last);
            for (key, value) in object {
                let key = if is_by_name { "NAME" } else { key };
                found.entry(path.to_owned()).or_default().insert(key.to_owned());
                let inside = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
                collect(value, &inside, found);
            }
        }
        _ => {}
    }
}

/// Returns the sections of commands.
fn sections(commands: &[(&str, &str)]) -> Vec<String> {
    // The pass that several commands need is in the store.
    assert!(solved().is_object());
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("log.txt"), LOG).unwrap();
    std::os::unix::fs::symlink(root().join("results"), place.path().join("results")).unwrap();
    fs::copy(root().join("experiments/configs/table.toml"), place.path().join("table.toml")).unwrap();
    // A report is written into the folder of its run.
    copy_folder(&root().join("results/quick"), &place.path().join("quick"));
    let section = |(command, arguments): &(&str, &str)| {
        let mut run = Command::new(program());
        run.current_dir(place.path()).env("HOUSEWAY_COUNTS", counts());
        let output = run.args(arguments.split(' ')).arg("--json").output().unwrap().stdout;
        let document = serde_json::from_slice(&output).unwrap_or_else(|error| panic!("{command}: {error}"));
        section_of(command, keys_of(&document))
    };
    commands.iter().map(section).collect()
}

/// Returns the sections of the commands that write events, whose objects are the events by name.
fn streams() -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let section = |(command, arguments, input): &(&str, &[&str], &str)| {
        let mut run = assert_cmd::Command::new(program());
        run.current_dir(place.path()).args(*arguments).arg("--json").write_stdin(*input);
        let mut found = BTreeMap::new();
        for event in serde_json::Deserializer::from_slice(&run.output().unwrap().stdout).into_iter::<Value>() {
            let event = event.unwrap();
            collect(&event, event["event"].as_str().unwrap_or_default(), &mut found);
        }
        section_of(command, found)
    };
    STREAMS.iter().map(section).collect()
}

/// Returns the sections of committed results.
fn committed() -> Vec<String> {
    let section = |(command, folder): &(&str, &str)| {
        let written = fs::read_to_string(root().join("results").join(folder).join("results.json")).unwrap();
        section_of(command, keys_of(&serde_json::from_str(&written).unwrap()))
    };
    COMMITTED.iter().map(section).collect()
}

pub(super) fn keys_of(document: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    collect(document, "", &mut found);
    found
}

fn section_of(command: &str, found: BTreeMap<String, BTreeSet<String>>) -> String {
    let mut text = format!("\n## {command}\n\n| object | keys |\n|:--|:--|\n");
    for (path, keys) in found {
        let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        let object = if path.is_empty() { "the document".to_owned() } else { format!("`{path}`") };
        let _ = writeln!(text, "| {object} | {} |", keys.join(", "));
    }
    text
}

fn page() -> PathBuf {
    root().join("experiments/book/src/reference/json-keys.md")
}

#[test]
fn json_keys_of_quick_commands_are_in_the_book() {
    let written = fs::read_to_string(page()).unwrap();
    for section in [sections(&QUICK), streams(), committed()].concat() {
        assert!(written.contains(&section), "json-keys.md is out of date; run the ignored test to write it: {section}");
    }
}

#[test]
#[ignore = "takes 5 min; compares the keys of all commands with the book, or writes them"]
fn all_json_keys_are_in_the_book() {
    let mut text = "# JSON keys\n\nThis chapter lists the keys of the JSON documents of the commands in its headings, as \
                    [JSON output](json.md) explains them. It is generated from the program. `[]` stands for the items of a list, and NAME for names such as those of \
                    rules or wagers. The keys of exact ratios aren't repeated. The objects of `play` and `drill` are their \
                    events. The last sections are those of committed results, because their commands take minutes.\n"
        .to_owned();
    text += &[sections(&QUICK), sections(&SLOW), streams(), committed()].concat().concat();
    if std::env::var_os("HOUSEWAY_WRITE_REFERENCE").is_some() {
        fs::write(page(), &text).unwrap();
    }
    assert!(text == fs::read_to_string(page()).unwrap(), "json-keys.md is out of date");
}

/// Every path of the API in the source code is a request in the book, and so are the keys of its own documents.
#[test]
fn all_requests_of_the_api_are_in_the_book() {
    let page = fs::read_to_string(root().join("experiments/book/src/reference/http-api.md")).unwrap();
    let mut paths = BTreeSet::new();
    for (file, bytes) in files(&root().join("experiments/lab/src")) {
        if file.extension().is_some_and(|end| end == "rs") {
            add_paths(std::str::from_utf8(&bytes).unwrap(), &mut paths);
        }
    }
    assert!(paths.len() >= 10, "{paths:?}");
    for path in paths {
        assert!(page.contains(&format!(" {path}")), "{path} is not in the book");
    }
    let server = Server::start(&[]);
    let table = server.post("/api/play?game=pai-gow-table&seed=4", "").json();
    let drill = server.post("/api/drill?game=pai-gow-poker", "").json();
    for key in [&table, &drill].into_iter().flat_map(|document| document.as_object().unwrap().keys()) {
        assert!(page.contains(&format!("`{key}`")), "{key} is not in the book");
    }
}

/// Adds the paths that are string literals in a file of source code.
fn add_paths(text: &str, paths: &mut BTreeSet<String>) {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    for literal in code.split("\"/api/").skip(1) {
        let literal: String = literal.chars().take_while(|c| c.is_ascii_lowercase() || *c == '/').collect();
        paths.insert(format!("/api/{literal}"));
    }
}
