//! Tests for trained agents and strategy tables in all commands that accept a strategy.

use super::common::{document, houseway_in as houseway, stderr};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::pai_gow::NamedStrategy;
use houseway_exact::pai_gow::matchup::{BankedBy, Question, SideStrategy};
use houseway_exact::pai_gow::whole::{Run, Side};
use houseway_lab::analysis::pai_gow::solve::strategy_table;
use houseway_learned::tasks::pai_gow::LearnedStrategy;
use predicates::prelude::*;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

const HAND: &str = "As Kd Jk 7c 7d 2h 3s";
const TINY: &str = "name = \"tiny\"\ngame = \"pai-gow-poker\"\nseeds = [5]\n[sample]\nhands = 100\n[train.first]\n\
    steps = 4\nbatch = 64\nevaluate-every = 4\nnetwork = { width = 16, layers = 2 }\n";
/// The agent trained by that configuration, and its files relative to the test's folder.
const AGENT: &str = "run/train/first-seed-5";
const WEIGHTS: &str = "run/train/first-seed-5/weights.safetensors";
const TABLE: &str = "agent.safetensors";

/// A folder with a trained agent and its strategy table.
struct Place {
    folder: TempDir,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn houseway(&self, arguments: &[&str]) -> assert_cmd::assert::Assert {
        houseway(self.folder.path(), arguments)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        json(self.folder.path(), arguments)
    }

    /// Asserts that a command line is rejected as invalid usage.
    fn refused(&self, arguments: &[&str], parts: &[&str]) {
        let refused = self.houseway(arguments).code(2).stdout("");
        let message = stderr(&refused);
        assert!(parts.iter().all(|part| message.contains(part)), "{arguments:?}: {message}");
    }
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
    document(&houseway(folder, &arguments).success())
}

/// Returns the cards' ranks.
fn ranks(cards: &Value) -> String {
    cards.as_str().unwrap().split(' ').map(|card| &card[..1]).collect()
}

fn place() -> &'static Place {
    static PLACE: LazyLock<Place> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("tiny.toml"), TINY).unwrap();
        houseway(folder.path(), &["train", "tiny.toml", "--out", "run"]).success();
        let game = Arc::new(Game::new(Rules::default()));
        let weights = fs::read(folder.path().join(WEIGHTS)).unwrap();
        let agent = LearnedStrategy::from_weights("first-seed-5", &game, &weights).unwrap();
        let agent = [NamedStrategy::Policy(Arc::new(agent))];
        let table = &NamedStrategy::prepare_all(&agent, &game, &Run::default()).unwrap()[0];
        let question = Question::new(&[table.into(), SideStrategy::Optimal], &game, BankedBy::House);
        strategy_table::save(table, &folder.path().join(TABLE), Side::Player, &question).unwrap();
        Place { folder }
    });
    &PLACE
}

/// Returns what `solve` prints about the agent over all deals. It also writes the agent's table.
fn solved() -> &'static Value {
    static SOLVED: LazyLock<Value> = LazyLock::new(|| {
        let solved = place().json(&["solve", "--player", WEIGHTS, "--strategy", "written.safetensors"]);
        let [written, table] = ["written.safetensors", TABLE].map(|way| place().json(&["set", HAND, "--way", way]));
        assert_eq!(written, table);
        solved
    });
    &SOLVED
}

#[test]
fn an_agent_sets_hands_like_its_table() {
    let place = place();
    let hands = [HAND, "Ks Kd Kc 9h 9s 4d 4c", "Qs Qd 8s 7s 5s 3s 2c", "As Ad Ks Kd Qs Qd Jk"];
    for hand in hands {
        let [run, folder, file, table] =
            ["run", AGENT, WEIGHTS, TABLE].map(|way| place.json(&["set", hand, "--way", way]));
        assert_eq!(folder, file);
        // A run with a single agent stands for it.
        assert_eq!((&run["front"], run["way"].as_str()), (&folder["front"], Some("run")));
        // A table distinguishes settings with equal ranks by the suits of the canonical hand.
        let [front, same] = [&folder, &table].map(|set| ranks(&set["front"]));
        assert_eq!(front, same);
        assert_eq!((folder["way"].as_str(), &folder["rule"]), (Some("first-seed-5"), &Value::Null));
    }
    let text = place.houseway(&["set", HAND, "--way", AGENT]).success();
    text.stdout(
        predicate::str::contains("first-seed-5, which has no rules").and(predicate::str::contains("rules  9adc")),
    );
}

#[test]
fn the_evs_of_a_hand_against_an_agent_are_those_of_settings() {
    let place = place();
    let found = place.json(&["ev", HAND, "--way", AGENT, "--banker", TABLE]);
    assert_eq!((found["way"].as_str(), found["banker"].as_str()), (Some("first-seed-5"), Some("first-seed-5")));
    let set = place.json(&["set", HAND, "--way", AGENT]);
    let index = found["house_way"].as_u64().unwrap() as usize;
    assert_eq!((&found["settings"][index]["front"], &found["rule"]), (&set["front"], &Value::Null));
}

#[test]
#[ignore = "takes 1 min to evaluate a trained agent with several commands, over all deals"]
fn all_commands_count_the_same_deals_of_an_agent() {
    let place = place();
    let solved = solved();
    let ev = solved["ev"].as_f64().unwrap();
    let difference = place.json(&["diff", "trump-plaza", TABLE]);
    assert_eq!((difference["ev_to"].as_f64(), &difference["to"]["hash"]), (Some(ev), &solved["player_hash"]));
    assert_eq!(difference["to"]["name"], "first-seed-5");
    assert!(difference["classes"][0]["from_rule"].is_string() && difference["classes"][0]["to_rule"].is_null());
    let audit = place.json(&["audit", AGENT, "--out", "audit"]);
    for key in ["wins", "pushes", "losses", "copies_front", "copies_back", "ev_exact", "player_hash", "banker_hash"] {
        assert_eq!(audit[key], solved[key], "{key}");
    }
    assert_eq!((audit["banker"].as_str(), audit["rules"].as_array().map(Vec::len)), (Some("trump-plaza"), Some(0)));
    let lost: f64 = audit["regret"].as_f64().unwrap();
    assert!(lost > 0.0 && audit["classes"][0]["rule"].is_null() && audit["readings"].as_array().unwrap().is_empty());
    let report = fs::read_to_string(place.path("audit/report.md")).unwrap();
    assert!(report.contains("Audit of a strategy: first-seed-5") && !report.contains("by rule"), "{report}");
}

#[test]
#[ignore = "takes 30 s to evaluate three pairs over all deals"]
fn a_bank_counts_the_same_deals_of_an_agent() {
    let place = place();
    let agent = format!("{TABLE}:100");
    let one = place.json(&["bank", &agent, "--counts", "cache"]);
    let counts = |bank: &Value| [bank["bets"][0]["wins"].clone(), bank["bets"][0]["losses"].clone()];
    assert_eq!(counts(&one), [solved()["losses"].clone(), solved()["wins"].clone()]);
    // Several bets against arbitrary strategies are sampled.
    let two = place.json(&["bank", &agent, "trump-plaza:20", "--counts", "cache", "--deals", "5000"]);
    assert_eq!(counts(&two), counts(&one));
    let (low, high) = (two["ev"]["low"]["value"].as_f64().unwrap(), two["ev"]["high"]["value"].as_f64().unwrap());
    let (ev, error) = (two["sampled"]["ev"].as_f64().unwrap(), two["sampled"]["standard_error"].as_f64().unwrap());
    assert!((low - 4.0 * error..=high + 4.0 * error).contains(&ev), "{two}");
}

/// The evaluation in a study and `solve` set the same hands in the same batches.
#[test]
#[ignore = "takes 30 s to evaluate an agent on all deals"]
fn an_agent_is_evaluated_as_in_its_study() {
    let place = place();
    place.houseway(&["bench", "tiny.toml", "--out", "bench"]).success();
    let results: Value = serde_json::from_slice(&fs::read(place.path("bench/results.json")).unwrap()).unwrap();
    let whole = results["whole"].as_array().unwrap();
    let agent = whole.iter().find(|agent| agent["name"] == "first, seed 5").unwrap();
    for key in ["wins", "losses", "ev"] {
        assert_eq!(agent[key], solved()[key], "{key}");
    }
}

#[test]
#[ignore = "takes 2 min to make four passes over all deals, two of them against a table"]
fn agents_are_compared() {
    let place = place();
    let found = place.json(&["compare", TABLE, "trump-plaza", "--out", "compare"]);
    assert_eq!(found["ev"][0][1], solved()["ev"]);
    assert_eq!(found["ways"][0], "first-seed-5");
    let against = place.json(&["solve", "--player", "trump-plaza", "--banker", TABLE]);
    assert_eq!(found["ev"][1][0], against["ev"]);
}

#[test]
fn an_agent_plays_at_a_table() {
    let place = place();
    let table = format!("rounds = 4\n[[player]]\nseat = 1\nbankroll = 1000\nway = \"{AGENT}\"\n");
    fs::write(place.path("table.toml"), &table).unwrap();
    let played = place.json(&["table", "table.toml", "--history", "history.jsonl"]);
    assert_eq!((played["seats"][0]["way"].as_str(), played["house_way"].as_str()), (Some(AGENT), Some("trump-plaza")));
    assert_eq!(played["game_rules_hash"], Rules::default().hash());
    place.houseway(&["table", "--verify", "history.jsonl"]).success();
    fs::write(place.path("house.toml"), format!("house-way = \"{TABLE}\"\n{table}")).unwrap();
    place.refused(&["table", "house.toml"], &["house.toml: house-way", TABLE, "use a house way here"]);
}

#[test]
fn what_takes_a_house_way_only_says_so() {
    let place = place();
    let bet = format!("{TABLE}:100");
    for (arguments, parts) in [
        (vec!["claim", "--way", AGENT, "--out", "claim"], [AGENT, "use a house way here"]),
        (vec!["audit", "foxwoods", "--banker", TABLE, "--out", "other"], ["--banker", "must be a house way"]),
        (vec!["bank", &bet, "foxwoods:20", "--banker", "optimal", "--counts", "cache"], [TABLE, "with several bets"]),
        (vec!["bank", &bet, "--hand", HAND, "--counts", "cache"], [TABLE, "--hand"]),
        (vec!["set", HAND, "--way", AGENT, "--set", "way.straights=keep"], ["way.straights=keep", "none is used"]),
        (vec!["diff", "foxwoods", "claridge", "--banker", TABLE, "--set", "copies=pushed"], ["different rules", TABLE]),
    ] {
        place.refused(&arguments, &parts);
    }
    let study = TINY.replace("seeds", &format!("banker = \"{TABLE}\"\nseeds"));
    fs::write(place.path("banker.toml"), study).unwrap();
    place.refused(&["train", "banker.toml", "--out", "never"], &["banker.toml", "house way", TABLE]);
}

#[test]
fn an_agent_is_part_of_the_program() {
    let place = place();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let committed = repository.join("results/distillation/train/distillation-seed-1");
    let weights = fs::read(committed.join("weights.safetensors")).unwrap();
    assert!(fs::read(repository.join("experiments/agents/distillation.safetensors")).unwrap() == weights);
    for hand in [HAND, "Ks Kd Kc 9h 9s 4d 4c", "As Ad Ks Kd Qs Qd Jk"] {
        let [built_in, file] =
            ["agent:distillation", committed.to_str().unwrap()].map(|way| place.json(&["ev", hand, "--way", way]));
        assert_eq!((&built_in["way"], &built_in["house_way"]), (&Value::from("distillation"), &file["house_way"]));
    }
    place.refused(&["equilibrium", "--way", "agent:distillation", "--set", "copies=pushed"], &["copies=pushed"]);
    place.refused(&["set", HAND, "--way", "agent:none"], &["no built-in agent none", "agent:distillation"]);
}

#[test]
fn what_is_no_strategy_is_named_with_the_remedy() {
    let place = place();
    let set = |way: &str, parts: &[&str]| place.refused(&["set", HAND, "--way", way], parts);
    set("nope", &["\"nope\"", "trump-plaza", "trained agent", "strategy table"]);
    for agent in ["a", "b"] {
        fs::create_dir_all(place.path("two/train").join(agent)).unwrap();
        fs::copy(place.path(WEIGHTS), place.path("two/train").join(agent).join("weights.safetensors")).unwrap();
    }
    set("two", &["two is a folder without weights.safetensors", "one of its 2 agents, such as two/train/a"]);
    set(".", &["it is a folder, not a regular file"]);
    fs::create_dir_all(place.path("empty/train/c")).unwrap();
    fs::write(place.path("empty/train/c/metrics.csv"), "").unwrap();
    for folder in ["empty", "empty/train/c"] {
        set(folder, &[&format!("{folder} is a folder without weights.safetensors"), "RUN/train/AGENT"]);
    }
    let weights = fs::read(place.path(WEIGHTS)).unwrap();
    let change = |name: &str, bytes: &[u8]| fs::write(place.path(name), bytes).unwrap();
    for end in [9, 100, weights.len() / 2, weights.len() - 1] {
        change("cut.safetensors", &weights[..end]);
        set("cut.safetensors", &["cut.safetensors"]);
    }
    // Change one byte of a weight. The checksum finds it.
    let mut flipped = weights.clone();
    let last = flipped.len() - 1;
    flipped[last] ^= 0x80;
    change("flipped.safetensors", &flipped);
    set("flipped.safetensors", &["flipped.safetensors", "its checksum does not match its content"]);
    // Files of earlier versions have none, and everything else is checked as well.
    let start = weights.windows(8).position(|part| part == b"\"sha256\"").unwrap();
    let weights = [&weights[..start], &b"\"sha25x\""[..], &weights[start + 8..]].concat();
    // Set one weight to NaN.
    let mut nan = weights.clone();
    let end = nan.len();
    nan[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    change("nan.safetensors", &nan);
    set("nan.safetensors", &["nan.safetensors", "not a finite number", "houseway train"]);
    // The file records which settings the agent chooses from.
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(text(&weights).contains("\"among\":\"contenders\""));
    let replace = |from: &str, to: &str| {
        let start = weights.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        [&weights[..start], to.as_bytes(), &weights[start + from.len()..]].concat()
    };
    change("among.safetensors", &replace("contenders", "contenderz"));
    set("among.safetensors", &["among.safetensors", "its among is unknown"]);
    // The agent was trained on a different game.
    let other = "name = \"other\"\ngame = \"asian-stud\"\nseeds = [5]\n[train.first]\nsteps = 2\nbatch = 32\n";
    fs::write(place.path("other.toml"), other).unwrap();
    place.houseway(&["train", "other.toml", "--out", "other"]).success();
    set("other/train/first-seed-5", &["does not contain an agent for Pai Gow Poker", "another task"]);
}

#[test]
fn the_weights_in_the_repository_are_those_of_their_model_cards() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let ignored = fs::read_to_string(repository.join(".gitignore")).unwrap();
    let kept = ignored.lines().filter_map(|line| line.strip_prefix("!/")).filter(|path| path.ends_with(".safetensors"));
    let kept: Vec<&str> = kept.collect();
    assert!(kept.iter().all(|path| path.starts_with("results/") && !path.contains('*')), "{kept:?}");
    // The weights of studies that haven't been run again since they are listed are missing.
    let found: Vec<PathBuf> = kept.iter().map(|path| repository.join(path)).filter(|path| path.exists()).collect();
    assert!(found.len() >= 2, "{kept:?}");
    for weights in found {
        let folder = weights.parent().unwrap();
        let digest = Sha256::digest(fs::read(&weights).unwrap());
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let card = fs::read_to_string(folder.join("card.md")).unwrap();
        assert!(card.contains(&digest), "{card}");
        if card.contains("(`pai-gow-poker`)") {
            let found = json(Path::new("."), &["ev", HAND, "--way", folder.to_str().unwrap()]);
            assert_eq!(found["house_way"], found["best"], "{}", folder.display());
        }
    }
}
