//! Tests for files that `houseway solve` writes and reads: strategy tables and class tables.

use super::common::{game, houseway, houseway_in, program, refused, solved, trump_plaza, without_machine};
use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::{Game, Hand, RankSplit, Rules, Setting, Strategy};
use houseway_env::rules::short_hash;
use houseway_env::seal::Seal;
use houseway_exact::format::grouped;
use houseway_exact::pai_gow::matchup::{BankedBy, OPTIMAL, Pair, Question, SideStrategy};
use houseway_exact::pai_gow::whole::{ClassCounts, OutcomeWeights, Pass, Payoff, Play, Run, Shard, Side};
use houseway_exact::pai_gow::{BankerTable, ClassTable, Tabulated};
use houseway_lab::analysis::pai_gow::solve::strategy_table;
use parquet::record::{Field, Row, RowAccessor};
use predicates::prelude::*;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// Returns the table of a strategy over classes.
fn classes(strategy: &Tabulated) -> &ClassTable {
    let Play::Classes(table) = strategy.play() else { panic!("{} has no table over classes", strategy.name()) };
    table
}

/// Returns the house way as a strategy table.
fn table() -> &'static Tabulated {
    static TABLE: LazyLock<Tabulated> = LazyLock::new(|| ClassTable::from_strategy(&**trump_plaza()).into());
    &TABLE
}

fn ways() -> [SideStrategy; 2] {
    [trump_plaza().into(), trump_plaza().into()]
}

fn question() -> Question {
    Question::new(&ways(), game(), BankedBy::House)
}

fn a_shard() -> Run<'static> {
    Run { shard: Shard::new(4, 900).unwrap(), ..Run::default() }
}

fn count(player: &SideStrategy, banker: &SideStrategy) -> OutcomeWeights {
    let pair = Pair::new([player.clone(), banker.clone()], game(), BankedBy::House).unwrap();
    pair.count(&a_shard(), &[]).unwrap()
}

/// Returns the printed answer without its machine-dependent parts.
fn answer(printed: &assert_cmd::assert::Assert) -> Value {
    without_machine(printed).0
}

#[test]
fn a_table_plays_as_the_strategy_that_it_was_made_of() {
    let (way, table) = (SideStrategy::from(trump_plaza()), SideStrategy::from(table()));
    let made = |hand: Hand, strategy: &dyn Strategy| game().set(hand, strategy.set(hand));
    for class in (0..Classes::seven().len()).step_by(1013) {
        let hand = Hand::new(Classes::seven().hand(class)).unwrap();
        assert_eq!(made(hand, classes(self::table())), made(hand, &**trump_plaza()), "{hand}");
    }
    assert_eq!(count(&table, &way), count(&way, &way));
    // As the banker, its own hands are enumerated against the player's house way.
    let other = BankerTable::new(&**trump_plaza());
    let whole = Pass::new(game(), Side::Banker, &other).with_copies();
    let expected = whole.totals(&[Play::Profiles(&other)], &a_shard()).unwrap()[0].other_side();
    assert_eq!(count(&way, &table), expected.into());
}

#[test]
fn a_table_that_is_counted_against_is_the_strategy_that_it_was_made_of() {
    let (way, table) = (SideStrategy::from(trump_plaza()), SideStrategy::from(table()));
    let best = SideStrategy::Optimal;
    assert_eq!(count(&table, &best), count(&way, &best));
}

#[test]
#[ignore = "takes 4 min to evaluate the optimal player's table as the banker, from both sides and against best responses"]
fn a_table_is_the_same_banker_from_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [best, way] = ["best", "way"].map(file);
    houseway(&["solve", "--player", OPTIMAL, "--strategy", &best]).success();
    houseway(&["solve", "--strategy", &way]).success();
    let solve = |player: &str, banker: &str| {
        answer(&houseway(&["solve", "--player", player, "--banker", banker, "--json"]).success())
    };
    // The banker's hands against the house way, and the player's hands against the table.
    let (one, other) = (solve("trump-plaza", &best), solve(&way, &best));
    for key in ["wins", "pushes", "losses", "copies_front", "copies_back", "ev", "banker_ev"] {
        assert_eq!(one[key], other[key], "{key}");
    }
    let (player, banker) = (solve(OPTIMAL, &best), solve(&best, OPTIMAL));
    assert!(player["ev"].as_f64() > one["ev"].as_f64());
    assert!(banker["banker_ev"].as_f64() > solve(&best, "trump-plaza")["banker_ev"].as_f64());
}

#[test]
fn a_table_comes_back_from_its_file_and_is_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    strategy_table::save(table(), &one, Side::Player, &question()).unwrap();
    strategy_table::save(table(), &two, Side::Player, &question()).unwrap();
    assert!(strategy_table::is_one(&one) && !strategy_table::is_one(Path::new("Cargo.toml")));
    assert!(fs::read(&one).unwrap() == fs::read(&two).unwrap());
    let read = strategy_table::load(&one, game()).unwrap();
    assert_eq!((read.name(), read.hash()), ("trump-plaza", table().hash()));
    assert!(classes(&read).settings() == classes(table()).settings());
    // The question identifies the table.
    let pair = [(&read).into(), trump_plaza().into()];
    assert_eq!(Question::new(&pair, game(), BankedBy::House).player_hash.as_deref(), Some(table().hash()));
}

/// Writes a table to a file with a modified header or settings.
fn changed(path: &Path, change: impl Fn(&mut Value, &mut Vec<u8>)) {
    strategy_table::save(table(), path, Side::Player, &question()).unwrap();
    let bytes = fs::read(path).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut header: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let mut settings = bytes[8 + length..].to_vec();
    change(&mut header, &mut settings);
    let header = header.to_string();
    let length = (header.len() as u64).to_le_bytes();
    fs::write(path, [&length, header.as_bytes(), &settings].concat()).unwrap();
}

/// Updates the hash and seal of a modified table.
fn reseal(header: &mut Value, settings: &[u8]) {
    let metadata = header["__metadata__"].as_object_mut().unwrap();
    metadata.insert("hash".to_owned(), short_hash([settings]).into());
    metadata.remove("seal");
    let stamp = Seal::new("houseway-strategy", 2).stamp(&serde_json::json!(metadata));
    metadata.insert("seal".to_owned(), stamp.to_string().into());
}

#[test]
fn a_changed_bit_of_a_table_is_refused_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.safetensors");
    strategy_table::save(table(), &path, Side::Player, &question()).unwrap();
    let bytes = fs::read(&path).unwrap();
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    // Flip bits everywhere in the header and in a sample of the settings.
    let bits = (0..8 * header).step_by(23).chain((8 * header..8 * bytes.len()).step_by(700_001));
    for bit in bits {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, changed).unwrap();
        if let Ok(read) = strategy_table::load(&path, game()) {
            assert!(read.name() == "trump-plaza" && read.hash() == table().hash(), "bit {bit}");
        }
    }
}

#[test]
fn tables_that_cannot_be_played_are_refused_with_their_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.safetensors");
    let message = || strategy_table::load(&path, game()).err().expect("the table should be rejected").to_string();
    changed(&path, |_, settings| settings.truncate(1_000_000));
    assert!(message().contains("not a complete strategy table") && message().contains("--strategy"), "{}", message());
    changed(&path, |_, settings| settings[7] = 19);
    assert!(message().contains("do not match its hash"), "{}", message());
    let hand = Hand::new(Classes::seven().hand(3_000_000)).unwrap();
    let foul = (0..21).find(|setting| game().legal_mask(hand) >> setting & 1 == 0).unwrap();
    changed(&path, |header, settings| {
        settings[3_000_000] = foul;
        reseal(header, settings);
    });
    let text = message();
    assert!(text.contains(&format!("fouls with {hand} (class 3000000)")), "{text}");
    changed(&path, |header, settings| {
        settings[5] = 21;
        reseal(header, settings);
    });
    assert!(message().contains("invalid setting 21 for class 5"), "{}", message());
    changed(&path, |header, settings| {
        settings.truncate(10);
        reseal(header, settings);
        header["settings"]["shape"][0] = 10.into();
        header["settings"]["data_offsets"][1] = 10.into();
    });
    assert!(message().contains("6972147 settings") && message().contains("has 10"), "{}", message());
    for (key, value, part) in [
        ("format", Value::from("houseway-strategy-9"), "not 'houseway-strategy-2'"),
        ("game", "chess".into(), "not 'pai-gow-poker'"),
        ("rules_hash", "0123".into(), "write the table again under the rules in force"),
        ("name", "best".into(), "checksum"),
    ] {
        changed(&path, |header, _| header["__metadata__"][key] = value.clone());
        assert!(message().contains(if key == "rules_hash" { "checksum" } else { part }), "{}", message());
        changed(&path, |header, settings| {
            header["__metadata__"][key] = value.clone();
            reseal(header, settings);
        });
        if key != "name" {
            assert!(message().contains(part), "{}", message());
        }
    }
    changed(&path, |header, _| drop(header["__metadata__"].as_object_mut().unwrap().remove("seal")));
    assert!(message().contains("no seal"), "{}", message());
    changed(&path, |_, _| ());
    let other = Game::new(Rules::default().with("commission=0.04").unwrap());
    let error = strategy_table::load(&path, &other).err().unwrap().to_string();
    assert!(error.contains("--set commission=0.05"), "{error}");
    fs::write(&path, "name = 3").unwrap();
    let arguments = ["solve", "--player", path.to_str().unwrap()];
    houseway(&arguments).code(2).stdout("").stderr(predicate::str::contains("not a complete strategy table"));
}

#[test]
fn a_best_answer_is_written_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("best");
    let file = file.to_str().unwrap();
    let whole = answer(&houseway(&["solve", "--player", OPTIMAL, "--strategy", file, "--json"]).success());
    assert!(whole["ev"].as_f64() > solved()["ev"].as_f64());
    let shard = |player: &str| answer(&houseway(&["solve", "--player", player, "--shard", "5/90", "--json"]).success());
    let (best, mut played) = (shard(OPTIMAL), shard(file));
    let object = played.as_object_mut().unwrap();
    assert_eq!(object.remove("player"), Some("optimal player against trump-plaza".into()));
    // The seal covers the player's name and hash.
    assert_ne!(object.remove("seal").as_ref(), Some(&best["seal"]));
    let hash = object.remove("player_hash");
    assert!(hash.is_some_and(|hash| hash.as_str().is_some_and(|hash| hash.len() == 16)));
    for (key, value) in object {
        assert_eq!(*value, best[key], "{key}");
    }
    houseway(&["solve", "--player", file, "--set", "commission=0.04"])
        .code(2)
        .stderr(predicate::str::contains("--set commission=0.05"));
}

#[test]
fn bad_usage_is_told() {
    refused(&[
        (&["solve", "--strategy", "x", "--shard", "1/2"], "cannot be used with"),
        (&["solve", "--strategy", "/proc/self/x"], "/proc/self"),
        (&["solve", "--player", "absent.safetensors"], "absent.safetensors"),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("way.safetensors");
    strategy_table::save(table(), &file, Side::Player, &question()).unwrap();
    let file = file.to_str().unwrap();
    let reading = houseway(&["solve", "--player", file, "--banker", file, "--set", "way.straights=keep"]).code(2);
    reading.stderr(predicate::str::contains("applies to a house way, but none is used"));
}

/// Returns a file's rows, each formatted as a line of text.
fn rows(path: &Path) -> Vec<Row> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    SerializedFileReader::new(fs::File::open(path).unwrap())
        .unwrap()
        .get_row_iter(None)
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

#[test]
fn the_classes_of_a_shard_are_written_in_order_with_their_counts() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [one, two] = ["one.parquet", "two.parquet"].map(file);
    for (file, threads) in [(&one, "1"), (&two, "3")] {
        let arguments = ["solve", "--player", OPTIMAL, "--shard", "5/900", "--threads", threads, "--table", file];
        houseway_in(folder.path(), &arguments).success();
    }
    assert!(fs::read(&one).unwrap() == fs::read(&two).unwrap());
    // Nothing else is left in the folder.
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["one.md", "one.parquet", "two.md", "two.parquet"]);
    let banker = BankerTable::new(&**trump_plaza());
    let whole = Pass::new(game(), Side::Player, &banker);
    let visit = |all: &mut Vec<ClassCounts>, classes: &[ClassCounts]| all.extend_from_slice(classes);
    let join = |a: Vec<ClassCounts>, b: Vec<ClassCounts>| [a, b].concat();
    let mut classes = whole.fold(&a_shard(), Vec::new, visit, join).unwrap();
    classes.sort_by_key(|class| Classes::seven().index(class.hand.set()));
    let sums = checksums(Path::new(&one));
    let rows = rows(Path::new(&one));
    assert_eq!(rows.len(), classes.len());
    let held_out = |class: &&ClassCounts| RankSplit::default().is_held_out(class.hand);
    let size = |classes: &[&ClassCounts]| {
        let hands: u32 = classes.iter().map(|class| class.orbit).sum();
        format!("| {} | {} |", grouped(classes.len() as u64), grouped(hands.into()))
    };
    let all: Vec<&ClassCounts> = classes.iter().collect();
    let card = fs::read_to_string(folder.path().join("one.md")).unwrap();
    let card = card.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let validation: Vec<&ClassCounts> = classes.iter().filter(held_out).collect();
    assert!(!validation.is_empty() && validation.len() < all.len());
    let parts = [format!("| all {}", size(&all)), format!("| validation {}", size(&validation))];
    let words = ["This is shard 5/900.", "`9adcfb12d8db2a82`", "trump-plaza"];
    let hashes = ["class", "wins", "way_ev"].map(|column| sums[column].as_str().unwrap());
    for part in parts.iter().map(String::as_str).chain(words).chain(hashes) {
        assert!(card.contains(part), "{part}: {card}");
    }
    let payoff = Payoff::player(&game().rules());
    let mut hashed = (Sha256::new(), Sha256::new());
    for (row, class) in rows.iter().zip(&classes) {
        let list = |i: usize| row.get_list(i).unwrap().elements().to_vec();
        assert_eq!(row.get_int(0).unwrap() as usize, Classes::seven().index(class.hand.set()));
        assert_eq!(list(1), class.hand.cards().map(|card| Field::UByte(card.index() as u8)));
        assert_eq!(u32::from(row.get_ubyte(2).unwrap()), class.orbit);
        let of = |counts: &[u32; 21]| {
            Setting::all().map(|s| Field::Int(if class.is_legal(s) { counts[s.index()] as i32 } else { -1 })).collect()
        };
        let (wins, losses): (Vec<Field>, Vec<Field>) = (of(&class.wins), of(&class.losses));
        assert!(list(3) == wins && list(4) == losses, "{}", class.hand);
        let ev = |setting: Setting| class.gain(setting, payoff) as f64 / (53_524_680.0 * 1e6);
        let best = class.best(payoff);
        assert_eq!((row.get_ubyte(5).unwrap().into(), row.get_double(6).unwrap()), (best.index(), ev(best)));
        hashed.0.update((Classes::seven().index(class.hand.set()) as i32).to_le_bytes());
        Setting::all().for_each(|s| {
            hashed.1.update(if class.is_legal(s) { class.wins[s.index()] as i32 } else { -1 }.to_le_bytes());
        });
        let way = class.setting_that_makes(game().set(class.hand, trump_plaza().set(class.hand))).unwrap();
        assert_eq!((row.get_ubyte(7).unwrap().into(), row.get_double(8).unwrap()), (way.index(), ev(way)));
    }
    let hex = |sum: Sha256| sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!((sums["class"].as_str(), sums["wins"].as_str()), (Some(&*hex(hashed.0)), Some(&*hex(hashed.1))));
}

/// Returns the checksums in the metadata of a class table, after checking its seal.
fn checksums(path: &Path) -> Value {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let entries = metadata.iter().map(|entry| {
        let key = entry.key.strip_prefix("houseway.").expect("all keys should have the prefix").to_owned();
        (key, Value::from(entry.value.clone().unwrap()))
    });
    let mut entries: serde_json::Map<String, Value> = entries.filter(|(key, _)| !key.starts_with("ARROW")).collect();
    let stamp = serde_json::from_str(entries.remove("seal").unwrap().as_str().unwrap()).unwrap();
    let sums = serde_json::from_str(entries["sha256"].as_str().unwrap()).unwrap();
    let entries = Value::Object(entries);
    Seal::new("houseway-classes", 2).check(stamp, &entries).unwrap();
    sums
}

#[test]
#[cfg(unix)]
fn a_table_of_classes_is_whole_or_absent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.parquet");
    let line = |limit: &str, shard: &str| {
        let program = program().display().to_string();
        format!("ulimit -f {limit}; exec {program} solve --shard {shard} --table {}", file.display())
    };
    // The disk fills up during the enumeration, or while the last classes are being written.
    for (limit, shard) in [("100", "5/90"), ("500", "5/900")] {
        let output = std::process::Command::new("bash").args(["-c", &line(limit, shard)]).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{limit}: {text}");
        assert!(text.contains("all.parquet") && text.contains("free some space") && text.contains("--table"), "{text}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
    let mut child = std::process::Command::new(program())
        .args(["solve", "--table", file.to_str().unwrap()])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(128 + 2));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
