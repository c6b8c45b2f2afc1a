//! Tests for mixed strategies in files, and in all commands that accept them.

use super::common::{HAND, game, houseway, json, program, root, stderr, trump_plaza};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, Rules, SetHand, Setting, Strategy};
use houseway_exact::pai_gow::matchup::{BankedBy, Question, SideStrategy};
use houseway_exact::pai_gow::whole::Side;
use houseway_exact::pai_gow::{BankerTable, HandEvaluator, MixedTable};
use houseway_lab::analysis::pai_gow::solve::mixed_file;
use houseway_lab::columns::{Column, Values, to_parquet};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor;
use parquet::schema::parser::parse_message_type;
use predicates::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

fn foxwoods() -> &'static Arc<HouseWay> {
    static WAY: LazyLock<Arc<HouseWay>> =
        LazyLock::new(|| HouseWay::shared(Way::named("foxwoods").unwrap(), game()).unwrap());
    &WAY
}

/// Returns a strategy that plays like foxwoods with probability 1/4, and like trump-plaza otherwise.
fn quarter() -> &'static MixedTable {
    static TABLE: LazyLock<MixedTable> = LazyLock::new(|| {
        let [one, other] = [foxwoods(), trump_plaza()].map(BankerTable::shared);
        let sets = Profile::all().map(|profile| match (one.set(profile), other.set(profile)) {
            (one, other) if one == other => vec![(one, 4096)],
            (one, other) => vec![(one, 1024), (other, 3072)],
        });
        MixedTable::new("quarter", sets).unwrap()
    });
    &TABLE
}

/// Returns `true` if a strategy is [`quarter`]. The order of a profile's set hands makes no difference.
fn is_quarter(strategy: &MixedTable) -> bool {
    strategy.name() == quarter().name() && strategy.hash() == quarter().hash()
}

fn question() -> Question {
    let quarter = SideStrategy::Given(quarter().clone().into());
    Question::new(&[quarter.clone(), quarter], game(), BankedBy::House)
}

fn save(path: &Path) {
    mixed_file::save(quarter(), game(), path, Side::Player, &question()).unwrap();
}

/// Returns the strategy's file in a folder that exists until the end of the process.
fn file() -> &'static str {
    static PLACE: LazyLock<(TempDir, String)> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quarter.parquet");
        save(&path);
        (folder, path.to_str().unwrap().to_owned())
    });
    &PLACE.1
}

#[test]
fn a_mixed_strategy_comes_back_from_its_file_and_is_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    save(&one);
    save(&two);
    assert!(mixed_file::is_one(&one) && !mixed_file::is_one(Path::new("Cargo.toml")));
    let bytes = fs::read(&one).unwrap();
    assert!(bytes == fs::read(&two).unwrap());
    assert!(bytes.len() < 1_500_000, "{} bytes", bytes.len());
    assert!(is_quarter(&mixed_file::load(&one, game()).unwrap()));
    // The columns can be understood without Houseway.
    let mut sums = BTreeMap::new();
    for row in SerializedFileReader::new(File::open(&one).unwrap()).unwrap().into_iter() {
        let row = row.unwrap();
        let hand: Hand = row.get_string(1).unwrap().parse().unwrap();
        let setting = Setting::with_front(hand, row.get_string(4).unwrap().parse().unwrap()).unwrap();
        assert_eq!(setting.index() as u64, row.get_ulong(3).unwrap());
        let sum: &mut (u64, u64) = sums.entry(row.get_string(1).unwrap().clone()).or_default();
        *sum = (row.get_ulong(2).unwrap(), sum.1 + row.get_ulong(5).unwrap());
    }
    assert_eq!((sums.len(), sums.values().map(|sum| sum.0).sum::<u64>()), (PROFILES, 154_143_080));
    assert!(sums.values().all(|sum| sum.1 == 4096));
}

#[test]
fn a_changed_bit_is_refused_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.parquet");
    let bytes = fs::read(file()).unwrap();
    // Flip bits everywhere in the footer and in a sample of the columns.
    let footer = 8 * (bytes.len() - 9_000.min(bytes.len()));
    let bits = (0..footer).step_by(footer / 6).chain((footer..8 * bytes.len()).step_by(7_207));
    for bit in bits {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, changed).unwrap();
        if let Ok(read) = mixed_file::load(&path, game()) {
            assert!(is_quarter(&read), "bit {bit}");
        }
    }
    for end in [0, 3, 100, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..end]).unwrap();
        let error = mixed_file::load(&path, game()).err().unwrap().to_string();
        assert!(error.contains("not a complete mixed strategy") && error.contains("houseway equilibrium"), "{error}");
    }
}

/// The columns of a file: profile, hand, hands, setting, front and weight.
type Row = (u64, String, u64, u64, String, u64);
type Rows = Vec<Row>;

/// Returns the metadata and the rows of the strategy's file.
fn contents() -> &'static (BTreeMap<String, String>, Rows) {
    static CONTENTS: LazyLock<(BTreeMap<String, String>, Rows)> = LazyLock::new(|| {
        let reader = SerializedFileReader::new(File::open(file()).unwrap()).unwrap();
        let pairs = reader.metadata().file_metadata().key_value_metadata().unwrap().iter();
        let metadata = pairs.map(|pair| (pair.key.clone(), pair.value.clone().unwrap())).collect();
        let row = |row: parquet::record::Row| {
            let number = |i: usize| row.get_ulong(i).unwrap();
            let text = |i: usize| row.get_string(i).unwrap().clone();
            (number(0), text(1), number(2), number(3), text(4), number(5))
        };
        (metadata, reader.into_iter().map(|it| row(it.unwrap())).collect())
    });
    &CONTENTS
}

/// Writes the strategy with changed metadata or rows.
fn changed(path: &Path, change: impl Fn(&mut BTreeMap<String, String>, &mut Rows)) {
    let (mut metadata, mut rows) = contents().clone();
    change(&mut metadata, &mut rows);
    let numbers = |number: fn(&Row) -> u64| Values::Unsigned(rows.iter().map(number).collect());
    let columns = [
        Column::new("profile", numbers(|row| row.0)),
        Column::new("hand", Values::Texts(rows.iter().map(|row| row.1.clone()).collect())),
        Column::new("hands", numbers(|row| row.2)),
        Column::new("setting", numbers(|row| row.3)),
        Column::new("front", Values::Texts(rows.iter().map(|row| row.4.clone()).collect())),
        Column::new("weight", numbers(|row| row.5)),
    ];
    let metadata: Vec<(String, String)> = metadata.into_iter().collect();
    fs::write(path, to_parquet(&columns, &metadata).unwrap()).unwrap();
}

#[test]
fn strategies_that_cannot_be_played_are_refused_with_their_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.parquet");
    let message = || mixed_file::load(&path, game()).expect_err("the strategy should be rejected").to_string();
    changed(&path, |_, _| ());
    assert!(is_quarter(&mixed_file::load(&path, game()).unwrap()), "other encodings are read too");
    let refused = |part: &str, change: &dyn Fn(&mut Rows)| {
        changed(&path, |_, rows| change(rows));
        assert!(message().contains(part), "{}", message());
    };
    // A row of a profile that isn't mixed, like the profile before it.
    let is_pure = |i: usize| quarter().sets(Profile::from_index(i)).len() == 1;
    let profile = (1..PROFILES).find(|&i| is_pure(i - 1) && is_pure(i)).unwrap();
    let row: usize = (0..profile).map(|i| quarter().sets(Profile::from_index(i)).len()).sum();
    let in_row = |reason: &str| format!("row {row}: {reason}");
    refused("must add up to 4096, found 4095", &|rows| rows[row].5 -= 1);
    refused(&in_row("invalid weight 0"), &|rows| rows[row].5 = 0);
    refused(&in_row("invalid weight 65537"), &|rows| rows[row].5 = 65_537);
    refused(&in_row("invalid profile 292253"), &|rows| rows[row].0 = 292_253);
    refused(&in_row("invalid setting 21"), &|rows| rows[row].3 = 21);
    refused(&in_row("the rows are not sorted"), &|rows| rows.swap(row - 1, row));
    refused(&in_row("the rows are not sorted"), &|rows| rows[row] = rows[row - 1].clone());
    refused("'As Ks' contradicts the profile and setting", &|rows| rows[row].4 = "As Ks".to_owned());
    refused(&in_row("'17' contradicts"), &|rows| rows[row].2 = 17);
    refused("must add up to 4096, found 0", &|rows| drop(rows.remove(row)));
    refused("do not match its hash", &|rows| {
        let mixing = (1..rows.len()).find(|&i| rows[i].0 == rows[i - 1].0).unwrap();
        (rows[mixing - 1].5, rows[mixing].5) = (rows[mixing].5, rows[mixing - 1].5);
    });
    // Another profile, whose hands can be set foul.
    let hand_of = |i: usize| Hand::representative(Profile::from_index(i));
    let foul_setting = |hand: Hand| (0u8..21).find(|setting| game().legal_mask(hand) >> setting & 1 == 0);
    let profile = (0..PROFILES).find(|&i| is_pure(i) && foul_setting(hand_of(i)).is_some()).unwrap();
    let row: usize = (0..profile).map(|i| quarter().sets(Profile::from_index(i)).len()).sum();
    let hand = hand_of(profile);
    let foul = foul_setting(hand).unwrap();
    refused(&format!("fouls with {hand}"), &|rows| {
        rows[row].3 = foul.into();
        rows[row].4 = Setting::from_index(foul.into()).unwrap().front(hand).to_string();
    });
    for (key, value, part) in [
        ("format", "houseway-classes-2", "its format is 'houseway-classes-2', not 'houseway-mixed-1'"),
        ("game", "chess", "not 'pai-gow-poker'"),
        ("name", "other", "checksum"),
        ("sum", "64", "checksum"),
        ("seal", "{}", "its content is invalid"),
    ] {
        changed(&path, |metadata, _| drop(metadata.insert(format!("houseway.{key}"), value.to_owned())));
        assert!(message().contains(part), "{}", message());
    }
    changed(&path, |metadata, _| metadata.clear());
    assert!(message().contains("no format"), "{}", message());
    let other = Game::new(Rules::default().with("commission=0.04").unwrap());
    let error = mixed_file::load(Path::new(file()), &other).err().unwrap().to_string();
    assert!(error.contains("different rules") && error.contains("--set commission=0.05"), "{error}");
    fs::write(&path, "name = 3").unwrap();
    let arguments = ["solve", "--player", path.to_str().unwrap()];
    houseway(&arguments).code(2).stdout("").stderr(predicate::str::contains("not a complete mixed strategy"));
}

/// Writes a small file with two columns of texts of 2 GB, and the strategy's metadata.
fn write_bomb(path: &Path) {
    const ROWS: usize = 20_000;
    let schema = "message schema { required int64 profile (UINT_64); required binary hand (UTF8); \
                  required int64 hands (UINT_64); required int64 setting (UINT_64); \
                  required binary front (UTF8); required int64 weight (UINT_64); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), schema, Arc::default()).unwrap();
    for (key, value) in &contents().0 {
        writer.append_key_value_metadata(KeyValue::new(key.clone(), value.clone()));
    }
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        // The clones share their bytes, and the file has them once.
        let texts = vec![ByteArray::from("A".repeat(100_000).into_bytes()); ROWS];
        let is_text = matches!(column.untyped(), ColumnWriter::ByteArrayColumnWriter(_));
        let written = match is_text {
            true => column.typed::<ByteArrayType>().write_batch(&texts, None, None),
            false => column.typed::<Int64Type>().write_batch(&[0; ROWS], None, None),
        };
        assert_eq!(written.unwrap(), ROWS);
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

/// Bounds are checked before memory is allocated, so no input takes more than 512 MB.
#[cfg(target_os = "linux")]
#[test]
fn input_that_asks_for_more_memory_than_there_is_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [bomb, long, table, log] = ["bomb.parquet", "long.toml", "table.safetensors", "hands.log"].map(path);
    write_bomb(Path::new(&bomb));
    assert!(fs::metadata(&bomb).unwrap().len() < 1_000_000);
    File::create(&long).unwrap().set_len(8 << 30).unwrap();
    fs::write(&log, format!("{HAND} | 7c 7d\n").repeat(1_000_001)).unwrap();
    let header = r#"{"settings":{"dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776]}}"#;
    fs::write(&table, [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat()).unwrap();
    let refused = |arguments: &[&str], input: &str, reason: &str| {
        let limited = format!("{input} | (ulimit -v 524288; exec \"$0\" \"$@\")");
        let mut command = assert_cmd::Command::new("sh");
        command.args(["-c", &limited]).arg(program()).args(arguments).env("HOUSEWAY_COUNTS", "");
        let message = predicate::str::contains(reason).and(predicate::str::is_match("^.{0,600}\n?$").unwrap());
        command.assert().code(2).stderr(message);
    };
    let none = "true";
    refused(&["set", HAND, "--way", &bomb], none, "contradicts");
    refused(&["set", HAND, "--way", &long], none, "larger than the maximum");
    refused(&["set", HAND, "--way", &table], none, "not a complete strategy table");
    refused(&["solve", "--player", &table], none, "not a complete strategy table");
    refused(&["side-bet", &long], none, "larger than the maximum");
    refused(&["ev", HAND, "--rules", &long], none, "larger than the maximum");
    refused(&["identify", &long], none, "larger than the maximum");
    refused(&["monitor", &log], none, "more than 1000000 hands");
    refused(&["set", "--stdin"], "head -c 8000000000 /dev/zero", "more than 10000 bytes");
}

#[test]
fn a_hand_is_evaluated_against_a_mixed_strategy_and_set_by_it() {
    let hand: Hand = HAND.parse().unwrap();
    let [one, other] = [foxwoods(), trump_plaza()].map(|way| {
        let table = BankerTable::shared(way);
        HandEvaluator::new(game(), &table).count(hand)
    });
    let answer = json(&["ev", HAND, "--banker", file(), "--way", file(), "--json"]);
    assert_eq!((&answer["weight"], &answer["banker"]), (&"4096".into(), &"quarter".into()));
    for setting in Setting::all() {
        let found = &answer["settings"][setting.index()];
        let (Some(one), Some(other)) = (one.get(setting), other.get(setting)) else {
            assert!(found["foul"] == true);
            continue;
        };
        for (key, one, other) in [
            ("wins", one.wins, other.wins),
            ("pushes", one.pushes, other.pushes),
            ("losses", one.losses, other.losses),
            ("copies_front", one.copies_front, other.copies_front),
            ("copies_back", one.copies_back, other.copies_back),
        ] {
            assert_eq!(found[key], (1024 * one + 3072 * other).to_string(), "{key}");
        }
    }
    // Find a hand that the house ways set differently.
    let mixing = |profile: &Profile| quarter().sets(*profile).len() > 1;
    let mixed = Hand::new(Profiles::get().representative(Profile::all().find(mixing).unwrap())).unwrap();
    let text = mixed.to_string();
    let set = json(&["set", &text, "--way", file(), "--json"]);
    let most = trump_plaza().set(mixed);
    let made = |front: &Value| -> SetHand {
        let front = front.as_str().unwrap().parse().unwrap();
        game().set(mixed, Setting::with_front(mixed, front).unwrap())
    };
    assert_eq!(made(&set["front"]), game().set(mixed, most));
    let weights: Vec<(SetHand, &str)> = set["probabilities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (made(&it["front"]), it["weight"].as_str().unwrap()))
        .collect();
    let of = |way: &HouseWay| game().set(mixed, way.set(mixed));
    assert!(weights.len() == 2 && weights.contains(&(of(foxwoods()), "1024")), "{set}");
    assert!(weights.contains(&(of(trump_plaza()), "3072")), "{set}");
    let evaluated = json(&["ev", &text, "--way", file(), "--json"]);
    assert_eq!(evaluated["probabilities"], set["probabilities"]);
    houseway(&["ev", &text, "--way", file()]).success().stdout(predicate::str::contains("(25.00%)"));
    houseway(&["set", &text, "--way", file()]).success().stdout(predicate::str::contains("(75.00%)"));
}

#[test]
fn what_needs_a_pure_strategy_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let pure = ["mixed strategy", "use a pure"];
    for (arguments, parts) in [
        (vec!["audit", file(), "--out", out], pure),
        (vec!["diff", "foxwoods", file()], pure),
        (vec!["diff", "foxwoods", "claridge", "--banker", file()], pure),
        (vec!["bank", &format!("{}:100", file()), "--counts", out], pure),
        (vec!["audit", "foxwoods", "--banker", file(), "--out", out], ["--banker", "must be a house way"]),
        (vec!["equilibrium", "--way", file(), "--out", out], pure),
        (vec!["search", "--banker", file(), "--out", out], ["mixed strategy", "use a house way"]),
        (vec!["solve", "--player", "random", "--banker", file()], ["'random' cannot be solved against", "pure"]),
        (vec!["solve", "--player", file(), "--shard", "1/3"], ["--shard", "no single setting"]),
        (
            vec!["solve", "--banker", file(), "--player", "optimal", "--strategy", out],
            ["--strategy", "no single setting"],
        ),
        (vec!["solve", "--banker", file(), "--set", "copies=pushed"], ["different rules", "quarter.parquet"]),
    ] {
        let message = stderr(&houseway(&arguments).code(2).stdout(""));
        assert!(parts.iter().all(|part| message.contains(part)), "{arguments:?}: {message}");
        assert!(!Path::new(out).exists());
    }
}

#[test]
#[ignore = "takes 2 min to evaluate the committed equilibrium in five passes"]
fn the_bounds_of_the_committed_equilibrium_are_those_of_its_strategies() {
    let folder = tempfile::tempdir().unwrap();
    let results = root().join("results/equilibrium");
    let files = ["player", "banker"].map(|side| results.join(format!("strategies/{side}.parquet")));
    let [player, banker] = files.each_ref().map(|path| path.to_str().unwrap());
    let solve = |player: &str, banker: &str| json(&["solve", "--player", player, "--banker", banker, "--json"]);
    let results: Value = serde_json::from_str(&fs::read_to_string(results.join("results.json")).unwrap()).unwrap();
    let both = solve(player, banker);
    assert_eq!(both["ev_exact"], results["ev_exact"]);
    assert_eq!(both["weight"], (4096u64 * 4096).to_string());
    assert_eq!(solve("optimal", banker)["ev_exact"], results["upper_exact"]);
    assert_eq!(solve(player, "optimal")["ev_exact"], results["lower_exact"]);
    // A comparison has the same cells.
    let out = folder.path().join("compare");
    let compared = json(&["compare", player, banker, "--json", "--out", out.to_str().unwrap()]);
    assert_eq!(compared["ev"][0][1], both["ev"]);
    assert_eq!(compared["optimal_player"][1], results["upper"]);
    assert_eq!(compared["optimal_banker"][0], results["lower"]);
    let cells = compared["outcomes"].as_array().unwrap();
    let cell = cells.iter().find(|it| it["player"] == "equilibrium-player" && it["banker"] == "equilibrium-banker");
    assert_eq!(cell.unwrap()["ev_exact"], results["ev_exact"]);
}
