//! What `houseway solve` writes beside its answer, and reads again: strategy tables, tables of all classes, counts cut off.

use assert_cmd::Command;
use houseway::solve::{Bank, Given, OPTIMAL, Pair, Question, StrategyTable};
use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, Rules, Strategy};
use houseway_exact::pai_gow::whole::{DealCounts, Run, Shard, Side, Whole};
use houseway_exact::pai_gow::{BankerTable, ClassTable};
use predicates::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

fn houseway(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("houseway").unwrap().args(arguments).assert()
}

fn game() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| Game::new(Rules::default()));
    &GAME
}

fn trump_plaza() -> &'static HouseWay {
    static WAY: LazyLock<HouseWay> =
        LazyLock::new(|| HouseWay::compile(Way::named("trump-plaza").unwrap(), game()).unwrap());
    &WAY
}

/// The house way written out.
fn table() -> &'static StrategyTable {
    static TABLE: LazyLock<StrategyTable> =
        LazyLock::new(|| StrategyTable::new(ClassTable::of_strategy(trump_plaza())));
    &TABLE
}

fn question() -> Question {
    Question::new(Pair::ways(trump_plaza(), trump_plaza()), game(), Bank::House)
}

fn a_shard() -> Run<'static> {
    Run { shard: Shard::new(4, 900).unwrap(), ..Run::default() }
}

fn count(pair: Pair<'_>) -> DealCounts {
    pair.pass(game(), Bank::House).unwrap().count(&a_shard(), &[]).unwrap()
}

/// The whole game, counted once by the command.
fn solved() -> &'static Value {
    static SOLVED: LazyLock<Value> = LazyLock::new(|| answer(&houseway(&["solve", "--json"]).success()));
    &SOLVED
}

/// What a count printed, less what depends on the machine.
fn answer(printed: &assert_cmd::assert::Assert) -> Value {
    let mut answer: Value = serde_json::from_slice(&printed.get_output().stdout).unwrap();
    let machine = answer.as_object_mut().unwrap().remove("machine").unwrap();
    assert!(
        machine["peak_memory"].as_u64().is_none_or(|bytes| bytes > 1_000_000 && bytes < 1_000_000_000),
        "{machine}"
    );
    answer
}

#[test]
fn a_table_plays_as_the_strategy_that_it_was_made_of() {
    let (way, table) = (Given::Way(trump_plaza()), Given::Table(table()));
    let mut hands =
        (0..Classes::seven().len()).step_by(1013).map(|class| Hand::new(Classes::seven().hand(class)).unwrap());
    let Given::Table(strategy) = table else { unreachable!() };
    assert!(hands.all(|hand| strategy.table().set(hand) == trump_plaza().set(hand)));
    assert_eq!(count(Pair::Given { player: table, banker: way }), count(Pair::Given { player: way, banker: way }));
    // As the banker its own hands are counted, against the player's house way.
    let other = BankerTable::new(trump_plaza());
    let whole = Whole::new(game(), Side::Banker, &other).with_copies();
    let expected = whole.totals(&[&other], &a_shard()).unwrap()[0].other_side();
    assert_eq!(count(Pair::Given { player: way, banker: table }), expected);
}

#[test]
fn a_table_comes_back_from_its_file_and_is_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    table().save(&one, Side::Player, &question()).unwrap();
    table().save(&two, Side::Player, &question()).unwrap();
    assert!(StrategyTable::is_one(&one) && !StrategyTable::is_one(Path::new("Cargo.toml")));
    assert!(fs::read(&one).unwrap() == fs::read(&two).unwrap());
    let read = StrategyTable::load(&one, game()).unwrap();
    assert_eq!((read.name(), read.hash()), ("trump-plaza", table().hash()));
    assert!(read.table().settings() == table().table().settings());
    // The question says which table it was.
    let pair = Pair::Given { player: (&read).into(), banker: trump_plaza().into() };
    assert_eq!(Question::new(pair, game(), Bank::House).player_hash.as_deref(), Some(table().hash()));
}

/// A file of a table, with its header and its settings changed.
fn changed(path: &Path, change: impl Fn(&mut Value, &mut Vec<u8>)) {
    table().save(path, Side::Player, &question()).unwrap();
    let bytes = fs::read(path).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut header: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let mut settings = bytes[8 + length..].to_vec();
    change(&mut header, &mut settings);
    let header = header.to_string();
    let length = (header.len() as u64).to_le_bytes();
    fs::write(path, [&length, header.as_bytes(), &settings].concat()).unwrap();
}

#[test]
fn tables_that_cannot_be_played_are_refused_with_their_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.safetensors");
    let message = || StrategyTable::load(&path, game()).err().expect("it should be refused").to_string();
    let hash = |header: &mut Value| drop(header["__metadata__"].as_object_mut().unwrap().remove("hash"));
    changed(&path, |_, settings| settings.truncate(1_000_000));
    assert!(message().contains("no whole strategy table") && message().contains("--strategy"), "{}", message());
    changed(&path, |_, settings| settings[7] = 19);
    assert!(message().contains("not those of its hash"), "{}", message());
    // Class 17 is a flush of seven cards: its two highest in front leave five of the suit, its own number says which are foul.
    let hand = Hand::new(Classes::seven().hand(3_000_000)).unwrap();
    let foul = (0..21).find(|setting| game().legal_mask(hand) >> setting & 1 == 0).unwrap();
    changed(&path, |header, settings| {
        hash(header);
        settings[3_000_000] = foul;
    });
    let text = message();
    assert!(
        text.contains(&format!("sets {hand} foul")) && text.contains(&format!("setting {foul} of class 3000000")),
        "{text}"
    );
    changed(&path, |header, settings| {
        hash(header);
        settings[5] = 21;
    });
    assert!(message().contains("setting 21 of class 5"), "{}", message());
    changed(&path, |header, settings| {
        hash(header);
        settings.truncate(10);
        header["settings"]["shape"][0] = 10.into();
        header["settings"]["data_offsets"][1] = 10.into();
    });
    assert!(message().contains("6972147 settings") && message().contains("has 10"), "{}", message());
    for (key, value, part) in [
        ("format", Value::from("houseway-strategy-9"), "not 'houseway-strategy-1'"),
        ("game", "chess".into(), "not 'pai-gow-poker'"),
        ("rules_hash", "0123".into(), "write the table again under the rules in force"),
    ] {
        changed(&path, |header, _| header["__metadata__"][key] = value.clone());
        assert!(message().contains(part), "{}", message());
    }
    changed(&path, |_, _| ());
    let other = Game::new(Rules::default().with("commission=0.04").unwrap());
    let error = StrategyTable::load(&path, &other).err().unwrap().to_string();
    assert!(error.contains("--set commission=0.05"), "{error}");
    fs::write(&path, "name = 3").unwrap();
    let arguments = ["solve", "--player", path.to_str().unwrap()];
    houseway(&arguments).code(2).stdout("").stderr(predicate::str::contains("no whole strategy table"));
}

#[test]
fn a_best_answer_is_written_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("best");
    let file = file.to_str().unwrap();
    let best = answer(&houseway(&["solve", "--player", OPTIMAL, "--strategy", file, "--json"]).success());
    let mut played = answer(&houseway(&["solve", "--player", file, "--json"]).success());
    let object = played.as_object_mut().unwrap();
    assert_eq!(object.remove("player"), Some("optimal player against trump-plaza".into()));
    let hash = object.remove("player_hash");
    assert!(hash.is_some_and(|hash| hash.as_str().is_some_and(|hash| hash.len() == 16)));
    for (key, value) in object {
        assert_eq!(*value, best[key], "{key}");
    }
    assert!(best["ev"].as_f64() > solved()["ev"].as_f64());
    // A table plays as the banker as well: of its own hands it makes the most against another measure, so it gains nothing.
    let banks = answer(&houseway(&["solve", "--banker", file, "--json"]).success());
    assert_eq!(banks["deals"], best["deals"]);
    houseway(&["solve", "--player", file, "--set", "commission=0.04"])
        .code(2)
        .stderr(predicate::str::contains("--set commission=0.05"));
}

#[test]
#[cfg(unix)]
fn a_count_that_is_interrupted_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new/progress.json");
    let path = file.to_str().unwrap();
    let pieces = || {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let progress: Option<Value> = serde_json::from_str(&text).ok();
        progress.map_or(0, |progress| progress["counted"].as_object().unwrap().len())
    };
    // Once by Ctrl-C, once without mercy.
    for (signal, code) in [("-INT", Some(1)), ("-KILL", None)] {
        let before = pieces();
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_houseway"))
            .args(["solve", "--resume", path])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while pieces() < before + 2 {
            assert!(begun.elapsed() < Duration::from_secs(120), "nothing is counted");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.code(), code);
        assert!((before + 2..houseway::solve::PIECES).contains(&pieces()), "{}", pieces());
    }
    let other = houseway(&["solve", "--resume", path, "--player", OPTIMAL]).code(2).stdout("");
    other.stderr(predicate::str::contains("belongs to another count").and(predicate::str::contains("trump-plaza")));
    let shard = houseway(&["solve", "--resume", path, "--shard", "1/2"]).code(2);
    shard.stderr(predicate::str::contains("its shard is the whole game, here it is 1/2"));
    assert_eq!(answer(&houseway(&["solve", "--resume", path, "--json"]).success()), *solved());
    assert!(!file.exists());
    fs::write(&file, "{\"format\": 1").unwrap();
    houseway(&["solve", "--resume", path]).code(2).stderr(predicate::str::contains("remove it to start again"));
}

#[test]
fn a_shard_in_pieces_is_the_shard() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("progress.json");
    let path = file.to_str().unwrap();
    let shard = |more: &[&str]| answer(&houseway(&[&["solve", "--shard", "3/90", "--json"], more].concat()).success());
    assert_eq!(shard(&[]), shard(&["--resume", path]));
}

#[test]
fn bad_usage_is_told() {
    for (arguments, part) in [
        (vec!["--strategy", "x", "--shard", "1/2"], "cannot be used with"),
        (vec!["--resume", "x", "--strategy", "y"], "cannot be used with"),
        (vec!["--resume", "x", "--table", "y"], "cannot be used with"),
        (vec!["--strategy", "/proc/self/x"], "/proc/self"),
        (vec!["--player", "absent.safetensors"], "absent.safetensors"),
    ] {
        let arguments: Vec<&str> = ["solve"].into_iter().chain(arguments).collect();
        let text = predicate::str::contains(part).and(predicate::str::contains("error:").count(1));
        houseway(&arguments).code(2).stdout("").stderr(text);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("way.safetensors");
    table().save(&file, Side::Player, &question()).unwrap();
    let file = file.to_str().unwrap();
    let against = houseway(&["solve", "--player", OPTIMAL, "--banker", file]).code(2);
    against.stderr(predicate::str::contains("nothing can be counted against the table 'trump-plaza' yet"));
    let reading = houseway(&["solve", "--player", file, "--banker", file, "--set", "way.straights=keep"]).code(2);
    reading.stderr(predicate::str::contains("is for a house way, and there is none"));
}
