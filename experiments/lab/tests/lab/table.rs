//! Tests for the commands about tables, histories and banks.

use super::common::{HAND, document as json, houseway_in as houseway, program, refused_in, stdout};
use predicates::prelude::*;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

const TABLE: &str = r#"
rounds = 30
[rules]
commission-on-banker = "per_bet"
[[player]]
seat = 1
bankroll = 2000
bet = 100
bank = "always"
[[player]]
seat = 3
name = "Cleo"
bankroll = 900
policy = "random"
[[player]]
seat = 6
bankroll = 4000
bet-share = 0.02
way = "lowest-front"
"#;

fn folder(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("table.toml"), config).unwrap();
    folder
}

#[test]
fn a_table_is_played_and_its_history_verified() {
    let folder = folder(TABLE);
    let played = houseway(folder.path(), &["table", "table.toml", "--history", "a.jsonl", "--json"]).success();
    let played = json(&played);
    let seats = played["seats"].as_array().unwrap();
    let books: i64 =
        ["hands", "side_bets", "commissions"].iter().map(|key| played["books"][key].as_i64().unwrap()).sum();
    let won: i64 = seats.iter().map(|seat| seat["after"].as_i64().unwrap() - seat["before"].as_i64().unwrap()).sum();
    assert_eq!(won + books, 0, "chips should neither appear nor disappear");
    assert!(seats[0]["banked"].as_u64().unwrap() > 0);
    // The same seed gives the same bytes, and another seed gives different ones.
    houseway(folder.path(), &["table", "table.toml", "--history", "b.jsonl", "--quiet"]).success();
    houseway(folder.path(), &["table", "table.toml", "--history", "c.jsonl", "--quiet", "--seed", "5"]).success();
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("a.jsonl"), text("b.jsonl"));
    assert_ne!(text("a.jsonl"), text("c.jsonl"));
    let verified = json(&houseway(folder.path(), &["table", "--verify", "a.jsonl", "--json"]).success());
    assert_eq!((&verified["rounds"], &verified["setup"]), (&played["rounds"], &played["setup"]));
    houseway(folder.path(), &["play", "--verify", "a.jsonl"])
        .code(2)
        .stderr(predicate::str::contains("a.jsonl is a history of houseway table; use houseway table --verify"));
    // An existing history isn't replaced silently.
    let again = houseway(folder.path(), &["table", "table.toml", "--history", "a.jsonl", "--quiet"]);
    again.code(2).stderr(predicate::str::contains("a.jsonl already exists").and(predicate::str::contains("--force")));
    assert_eq!(text("a.jsonl"), text("b.jsonl"));
    houseway(folder.path(), &["table", "table.toml", "--history", "c.jsonl", "--quiet", "--force"]).success();
    assert_eq!(text("a.jsonl"), text("c.jsonl"));
}

/// Replaces the footer with one that matches the modified lines, as a forger would.
fn closed_again(history: &str) -> String {
    let lines: Vec<&str> = history.lines().filter(|line| !line.starts_with("{\"end\"")).collect();
    let text = lines.join("\n") + "\n";
    let sha256: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{text}{}\n", serde_json::json!({ "end": { "rounds": lines.len() - 1, "sha256": sha256 } }))
}

#[test]
fn every_change_of_a_history_is_found() {
    let folder = folder(TABLE);
    houseway(folder.path(), &["table", "table.toml", "--history", "a.jsonl", "--quiet"]).success();
    let history = fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    assert_eq!(closed_again(&history), history);
    let verify = |text: &str| {
        fs::write(folder.path().join("forged.jsonl"), text).unwrap();
        houseway(folder.path(), &["table", "--verify", "forged.jsonl"]).stdout("")
    };
    let changed = |from: &str, to: &str| {
        assert!(history.contains(from), "{from}");
        history.replacen(from, to, 1)
    };
    // Even with a matching footer, the recorded moves must match the replay.
    for (from, to, part) in [
        ("\"way\":\"lowest-front\"", "\"way\":\"highest-front\"", "ways"),
        ("\"bank\":\"always\"", "\"bank\":\"never\"", "seat 1: its player 'seat 1' plays \"pass\", but {\"take\""),
        ("\"bet-share\":0.02", "\"bet-share\":0.03", "seat 6: its player"),
        ("\"rounds\":30", "\"rounds\":29", "rounds 30, expected 29"),
        ("{\"seed\":0,\"lane\":0}", "{\"seed\":5,\"lane\":0}", "seed"),
        ("{\"seed\":0,\"lane\":0}", "{\"seed\":0,\"lane\":1}", "seed"),
    ] {
        let text = predicate::str::contains("does not match its replay").and(predicate::str::contains(part));
        verify(&closed_again(&changed(from, to))).code(1).stderr(text);
    }
    // A name isn't part of the replay, but the checksum covers it.
    verify(&changed("Cleo", "Chloe")).code(1).stderr(predicate::str::contains("checksum"));
    let open = history.replace(&format!("{}\n", history.lines().last().unwrap()), "");
    verify(&open)
        .code(1)
        .stderr(predicate::str::contains("unfinished").and(predicate::str::contains("30 complete rounds")));
    verify(&history.replace("\"format\":2", "\"format\":1")).code(2).stderr(predicate::str::contains("format 1"));
}

/// After an interruption by Ctrl-C, the file has a footer. After a kill, it is readable up to the last complete round.
#[test]
#[cfg(unix)]
fn an_interrupted_history_keeps_its_rounds() {
    use std::time::{Duration, Instant};
    let folder =
        folder(&TABLE.replace("rounds = 30", "rounds = 100000000").replace("bankroll = ", "bankroll = 100000"));
    for (name, signal, code) in [("int.jsonl", "-INT", Some(128 + 2)), ("kill.jsonl", "-KILL", None)] {
        let file = folder.path().join(name);
        let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
        let mut child = std::process::Command::new(program())
            .current_dir(folder.path())
            .args(["table", "table.toml", "--quiet", "--history", name])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while lines() < 20 {
            assert!(begun.elapsed() < Duration::from_secs(60), "no round was written in time");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), code);
        let whole = fs::read_to_string(&file).unwrap().matches('\n').count();
        assert!(whole >= 20);
        let verified = houseway(folder.path(), &["table", "--verify", name]);
        match code {
            Some(_) => verified.success().stdout(predicate::str::contains(format!("{} rounds replayed", whole - 2))),
            None => verified.code(1).stderr(predicate::str::contains(format!("{} complete rounds match", whole - 1))),
        };
    }
    // The killed command leaves its lock file behind.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn every_round_is_shown() {
    let folder = folder(TABLE);
    let shown = houseway(folder.path(), &["table", "table.toml", "--rounds", "3"]).success();
    let shown = shown.stdout(predicate::str::contains("round 3: over").and(predicate::str::contains("Cleo")));
    shown.stdout(predicate::str::contains("round 4").not());
}

#[test]
fn bad_tables_and_histories_are_bad_usage() {
    for (from, to, part) in [
        ("policy = \"random\"", "policy = \"agent\"", "seat 3: policy"),
        ("bet = 100", "bet = 9", "seat 1: bet = 9"),
        ("seat = 6", "seat = 1", "two players"),
    ] {
        let folder = folder(&TABLE.replace(from, to));
        refused_in(folder.path(), &["table"], &[(&["table.toml"], part)]);
    }
    let folder = folder(TABLE);
    let table = [(&["absent.toml"][..], "absent.toml"), (&[], "<CONFIG>"), (&["--verify", "table.toml"], "line 2: ")];
    refused_in(folder.path(), &["table"], &table);
}

/// A banker whose bankroll is to grow most pays no fee that costs more than the bank wins, and stakes the minimum if the
/// whole bet can be won with it.
#[test]
fn the_growth_of_a_banker_includes_the_fee() {
    let players = "[[player]]\nseat = 1\nbankroll = 2000\nbet = 20\nbank = \"kelly\"\n\
                   [[player]]\nseat = 2\nbankroll = 50000\nbet = 1000\n";
    for (rule, stake) in [
        ("bank-collection = \"none\"", Some(44)),
        ("bank-collection = \"50/2000\"", None),
        ("uncovered-bets = \"lose\"", Some(20)),
    ] {
        let rules = format!("rounds = 5\n[rules]\nseats = 3\ncommission-on-banker = \"none\"\n{rule}\n");
        let folder = folder(&format!("{rules}{players}"));
        houseway(folder.path(), &["table", "table.toml", "--history", "a.jsonl", "--quiet"]).success();
        let history = fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
        let taken = history.lines().find_map(|line| line.split("{\"take\":{\"stake\":").nth(1)?.split('}').next());
        assert_eq!(taken.map(str::to_owned), stake.map(|stake| stake.to_string()), "{rule}: {history}");
    }
}

#[test]
fn bad_banks_are_bad_usage() {
    let bank = [
        (&["trump-plaza"][..], "WAY:CHIPS"),
        (&["trump-plaza:0"], "WAY:CHIPS"),
        (&["nobody:100"], "nobody"),
        (&["foxwoods:5"], "foxwoods:5 is below the table's limits of 20 to 2000 chips"),
        (&["foxwoods:100", "--own", "5000"], "--own 5000 is above"),
        (&["trump-plaza:10", "--set", "chairs=3"], "chairs"),
        (&["a:1", "a:1", "a:1", "a:1", "a:1", "a:1", "a:1"], "at most 6"),
        (&["trump-plaza:10", "--deals", "0"], "at least 1"),
        (&["trump-plaza:10", "--hand", "As Kd"], "--hand"),
        (&["trump-plaza:2000000", "--set", "bet-maximum=2000000", "--hand", HAND], "at most 1000000"),
        (&["trump-plaza:10", "--stake", "11"], "1 to 10"),
        (&["trump-plaza:25", "--share", "0.5"], "--share 0.5 of the bet trump-plaza:25 is not a whole number"),
        (&["trump-plaza:20", "--share", "2"], "invalid rate '2'"),
        (&["trump-plaza:20", "--set", "bank-collection=2"], "such as 1/100,2/200"),
        (&["trump-plaza:20", "--set", "seats=2"], "seats: the value of a bank doesn't depend on it"),
        (&["trump-plaza:20", "--set", "house-hand-when-player-banks=dealt"], "the house's bet as one more"),
        (&["trump-plaza:20", "--hand", HAND, "--own", "20"], "--own"),
        (&["trump-plaza:20", "--hand", HAND, "--way", "wong"], "--way"),
        (&["trump-plaza:20", "--hand", HAND, "--house", "wong"], "--house"),
    ];
    refused_in(Path::new("."), &["bank"], &bank);
}

#[test]
#[ignore = "takes a minute: counts all deals for three pairs"]
fn the_price_of_passing_is_that_of_the_counts() {
    let folder = tempfile::tempdir().unwrap();
    let bank = |more: &[&str]| {
        let mut arguments = vec!["bank", "trump-plaza:100", "--own", "40", "--bankroll", "5000", "--json"];
        arguments.extend(more);
        json(&houseway(folder.path(), &arguments).success())
    };
    let number = |value: &Value| value["value"].as_f64().unwrap();
    let one = bank(&[]);
    // `houseway solve` has the counts for the house way against itself.
    let solved = json(&houseway(folder.path(), &["solve", "--bank", "player", "--json"]).success());
    let ev = solved["banker_ev"].as_f64().unwrap();
    assert!((number(&one["ev"]["low"]) - 100.0 * ev).abs() < 1e-9 && one["ev"]["exact"] == true);
    let player = json(&houseway(folder.path(), &["solve", "--json"]).success())["ev"].as_f64().unwrap();
    assert!((number(&one["pass"]["ev"]) - 40.0 * player).abs() < 1e-9);
    let price = 100.0 * ev - 40.0 * player;
    assert!((number(&one["price_of_passing"]["low"]) - price).abs() < 1e-9);
    assert_eq!(one["take"].as_bool(), Some(price > 0.0));
    // Several bets are exact if the commission is per bet. With a commission on the net win, there are only bounds.
    let more = ["trump-plaza:60", "lowest-front:20"];
    let exact = bank(&[&more[..], &["--set", "commission-on-banker=per_bet"]].concat());
    assert_eq!(exact["ev"]["exact"], true);
    let enclosed = bank(&more);
    let [low, high] = ["low", "high"].map(|end| number(&enclosed["ev"][end]));
    let sampled = enclosed["sampled"]["ev"].as_f64().unwrap();
    assert!(low < sampled && sampled < high && low < number(&exact["ev"]["low"]), "{low} {sampled} {high}");
}

/// California's rules: a bank wins or loses at most its stake, and fees replace the commission. The EV of half a bet of
/// 100 is that of case D12, computed by an independent script: .299072 (50 - 3) - .286132 50.
#[test]
#[ignore = "takes a minute: counts all deals for a pair"]
fn a_turn_as_banker_is_one_answer() {
    let folder = tempfile::tempdir().unwrap();
    let bank = |more: &[&str]| {
        json(&houseway(folder.path(), &[&["bank", "trump-plaza:100", "--json"], more].concat()).success())
    };
    let solved = json(&houseway(folder.path(), &["solve", "--json"]).success());
    let share = |key: &str| {
        solved[key].as_str().unwrap().parse::<f64>().unwrap()
            / solved["deals"].as_str().unwrap().parse::<f64>().unwrap()
    };
    let (wins, losses) = (share("losses"), share("wins"));
    let staked = bank(&["--stake", "50"]);
    let uncovered = staked["uncovered_bets"].as_array().unwrap();
    for (row, option, won) in [(&uncovered[0], "push", 47.0), (&uncovered[1], "lose", 95.0)] {
        let (ev, square) = (wins * won - losses * 50.0, wins * won * won + losses * 2_500.0);
        assert_eq!(row["option"], option);
        assert!((row["ev"].as_f64().unwrap() - ev).abs() < 1e-9, "{row} {ev}");
        assert!((row["standard_deviation"].as_f64().unwrap() - (square - ev * ev).sqrt()).abs() < 1e-9);
    }
    assert!((uncovered[0]["ev"].as_f64().unwrap() + 0.2502).abs() < 5e-5 && staked["funds"] == 50);
    // The decision is about the stake and the share that are asked for.
    let price = |json: &Value| {
        let value = |json: &Value| json["value"].as_f64().unwrap();
        (value(&json["price_of_passing"]["low"]), value(&json["pass"]["ev"]))
    };
    let (priced, pass) = price(&staked);
    assert!((priced - (staked["stake"]["ev"].as_f64().unwrap() - pass)).abs() < 1e-9 && staked["take"] == true);
    let fees = ["--set", "commission-on-banker=none", "--set", "bank-collection=2/300", "--stake", "50"];
    let fees = bank(&fees);
    assert!((fees["uncovered_bets"][0]["ev"].as_f64().unwrap() - (50.0 * (wins - losses) - 2.0)).abs() < 1e-9);
    assert_eq!(fees["funds"], 52);
    // Half of the bank pays half of the commission of 5, or 3 on its own win of 50, which is 2.5 rounded.
    let half = bank(&["--share", "0.5"]);
    let ev = |key: &str| half["share"][key]["low"]["value"].as_f64().unwrap();
    assert!((ev("ev_of_whole_bank") - (wins * 47.5 - losses * 50.0)).abs() < 1e-9);
    assert!((ev("ev_of_own_wins") - (wins * 47.0 - losses * 50.0)).abs() < 1e-9);
    let (priced, pass) = price(&half);
    assert!((priced - (ev("ev_of_whole_bank") - pass)).abs() < 1e-9);
    let staked = &bank(&["--share", "0.5", "--stake", "50"])["share"];
    let ev = staked["ev_of_whole_bank"]["low"]["value"].as_f64().unwrap();
    assert!((ev - (wins * 47.0 - losses * 50.0) / 2.0).abs() < 1e-9, "{staked}");
    assert!(staked["ev_of_whole_bank"]["exact"] == true && staked["ev_of_own_wins"].is_null(), "{staked}");
    // Against two bets, a stake is sampled, and so is the decision.
    let sampled = bank(&["trump-plaza:100", "--stake", "50"]);
    assert!(sampled["take"].is_null() && sampled["price_of_passing"]["exact"] == false, "{sampled}");
    let (priced, pass) = price(&sampled);
    assert!((priced - (sampled["stake"]["ev"].as_f64().unwrap() - pass)).abs() < 1e-9);
    assert_eq!(
        (sampled["decision"]["by"].as_str(), sampled["decision"]["price"].as_f64()),
        (Some("sample"), Some(priced))
    );
}

#[test]
fn what_a_hand_of_the_bank_brings_is_that_of_ev() {
    let folder = tempfile::tempdir().unwrap();
    let bank = |more: &[&str]| {
        let arguments = [&["bank", "trump-plaza:100", "--hand", HAND, "--json"], more].concat();
        json(&houseway(folder.path(), &arguments).success())
    };
    let one = bank(&[]);
    assert_eq!((&one["net"]["exact"], &one["net"]["sampled"]), (&Value::Bool(true), &Value::Null));
    assert_eq!((&one["setting"], &one["joint"]), (&one["best"], &Value::Null));
    let counts = |key: &str| one["bets"][0][key].as_str().unwrap().parse::<i64>().unwrap();
    let [wins, pushes, losses] = ["wins", "pushes", "losses"].map(counts);
    assert_eq!(wins + pushes + losses, 53_524_680);
    let ev = (95 * wins - 100 * losses) as f64 / 53_524_680.0;
    assert!((one["net"]["ev"].as_f64().unwrap() - ev).abs() < 1e-9);
    assert!((one["best_ev"]["value"].as_f64().unwrap() - ev).abs() < 1e-9);
    let chance = |i: usize| one["net"]["results"][i]["chance"].as_f64().unwrap();
    assert!((chance(0) + chance(1) + chance(2) - 1.0).abs() < 1e-12);
    // A bank that loses all bets also pays its fee.
    let fee = ["bank", "trump-plaza:100", "--hand", HAND, "--set", "bank-collection=2/200"];
    let text = stdout(&houseway(folder.path(), &fee).success());
    let all = text.lines().find(|line| line.contains("loses all bets")).unwrap();
    assert!(all.contains(&format!("{:.4}%", 100.0 * chance(0))), "{all}");
}

#[test]
#[ignore = "takes a minute: evaluates two opponents exactly, and samples three"]
fn several_opponents_of_a_hand_are_exact_or_sampled_as_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let bank = |bets: &[&str]| {
        let arguments =
            [&["bank"], bets, &["--hand", HAND, "--banker", "optimal", "--json", "--deals", "50000"]].concat();
        json(&houseway(folder.path(), &arguments).success())
    };
    let two = bank(&["trump-plaza:100", "lowest-front:60"]);
    assert_eq!((&two["net"]["exact"], two["joint"].as_array().map(Vec::len)), (&Value::Bool(true), Some(3)));
    let three = bank(&["trump-plaza:100", "lowest-front:60", "lowest-front:20"]);
    assert_eq!(three["net"]["exact"], false);
    assert_eq!(three["net"]["sampled"]["deals"], "50000");
    let results = three["net"]["results"].as_array().unwrap();
    assert!(results.iter().all(|result| result["standard_error"].as_f64().unwrap() > 0.0));
    let text = houseway(folder.path(), &["bank", "trump-plaza:9", "trump-plaza:9", "trump-plaza:9", "--hand", HAND]);
    text.success().stdout(
        predicate::str::contains("sampled, 200,000 deals")
            .and(predicate::str::contains("exact, over 53,524,680 hands")),
    );
}

#[test]
#[ignore = "takes 2 minutes: computes the bank's best settings against two ways, and samples a partial stake"]
fn the_optimal_bank_is_shown_beside_the_house_way() {
    let folder = tempfile::tempdir().unwrap();
    let bank = |arguments: &[&str]| {
        let arguments = [&["bank"], arguments, &["--set", "commission-on-banker=per_bet", "--json"]].concat();
        json(&houseway(folder.path(), &arguments).success())
    };
    let low = |value: &Value| value["low"]["value"].as_f64().unwrap();
    let optimal = bank(&["trump-plaza:100", "lowest-front:60", "--banker", "optimal"]);
    let plain = bank(&["trump-plaza:100", "lowest-front:60"]);
    assert_eq!((low(&optimal["beside"]["ev"]), &plain["beside"]), (low(&plain["ev"]), &Value::Null));
    assert!(low(&optimal["ev"]) > low(&plain["ev"]) && optimal["ev"]["exact"] == true);
    // The best bank against all bets wins at most as much as the best banks against each bet separately.
    let alone = low(&bank(&["trump-plaza:100", "--banker", "optimal"])["ev"])
        + low(&bank(&["lowest-front:60", "--banker", "optimal"])["ev"]);
    assert!(low(&optimal["ev"]) <= alone);
    let part = bank(&["trump-plaza:100", "--stake", "40"]);
    let whole = bank(&["trump-plaza:100"]);
    assert!((part["stake"]["ev"].as_f64().unwrap() - 0.4 * low(&whole["ev"])).abs() < 1e-9);
    assert_eq!((&part["stake"]["exact"], &whole["stake"]), (&Value::Bool(true), &Value::Null));
}
