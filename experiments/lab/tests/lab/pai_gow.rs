//! Tests for the Pai Gow Poker commands as a user runs them.

use super::common::{HAND, document, houseway, json, narrow, program, refused, refused_in, solved, stderr, stdout};
use assert_cmd::Command;
use houseway_env::cards::Pack;
use houseway_env::gym::stream;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{CARDS, Dealt, Game, Rules, Strategy};
use predicates::prelude::*;
use rayon::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn number(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn ev_counts_every_setting() {
    let answer = json(&["ev", HAND, "--json"]);
    let settings = answer["settings"].as_array().unwrap();
    assert_eq!((settings.len(), answer["hand"].as_str()), (21, Some("Jk As Kd 7d 7c 3s 2h")));
    let mut best = (f64::NEG_INFINITY, 0);
    for (i, setting) in settings.iter().enumerate() {
        if setting["foul"] == true {
            assert!(setting["wins"].is_null() && setting["ev"].is_null());
            continue;
        }
        let [wins, pushes, losses] = ["wins", "pushes", "losses"].map(|key| number(&setting[key]));
        assert_eq!(wins + pushes + losses, 53_524_680);
        let ev = setting["ev"].as_f64().unwrap();
        assert!((ev - (0.95 * wins as f64 - losses as f64) / 53_524_680.0).abs() < 1e-12);
        best = if ev > best.0 { (ev, i) } else { best };
    }
    assert_eq!(settings.iter().filter(|setting| setting["foul"] == true).count(), 1);
    assert_eq!((answer["best"].as_u64(), answer["house_way"].as_u64()), (Some(best.1 as u64), Some(15)));
    assert_eq!((settings[15]["front"].as_str(), answer["rule"].as_str()), (Some("7d 7c"), Some("two pairs split")));
    let other = json(&["ev", HAND, "--json", "--set", "way.pair-with-complete-hand=break"]);
    assert_ne!(other["settings"], answer["settings"]);
}

#[test]
fn cards_need_no_quotes() {
    let cards: Vec<&str> = HAND.split(' ').collect();
    let answer = json(&[&["ev"], &cards[..], &["--json", "--way", "wong"]].concat());
    assert_eq!(answer, json(&["ev", HAND, "--json", "--way", "wong"]));
    let answer = json(&[&["set", "--json"], &cards[..]].concat());
    assert_eq!(answer, json(&["set", "--json", HAND]));
    houseway(&["set"]).code(2).stderr(predicate::str::contains("HAND"));
}

#[test]
fn answers_fit_their_terminal() {
    let run = |variable: &str, value: &str, arguments: &[&str]| {
        let done = Command::new(program()).env(variable, value).args(arguments).output().unwrap();
        (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap())
    };
    for columns in ["60", "100", "200"] {
        for arguments in [&["ev", HAND][..], &["games"], &["check", "foxwoods"]] {
            let (text, _) = run("COLUMNS", columns, arguments);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= columns.parse().unwrap(), "{columns}: {text}");
        }
    }
    assert!(run("LC_ALL", "C.UTF-8", &["ev", HAND]).0.contains('═'));
    for locale in ["C", "en_US.ISO-8859-1"] {
        assert!(run("LC_ALL", locale, &["ev", HAND]).0.is_ascii());
    }
    let (_, error) = run("LC_ALL", "C", &["ev", HAND, "--rules", "absent.toml"]);
    assert_eq!(error, "error: cannot read absent.toml: there is no such file or folder\n");
}

#[test]
fn ev_beside_dead_cards_is_exact_and_names_them() {
    let dead = "Ad Kc 7s 7h 9d Td 2c";
    for banker in ["trump-plaza", "random"] {
        let answer = json(&["ev", HAND, "--dead", dead, "--banker", banker, "--json"]);
        assert_eq!(answer["dead"], "Ad Kc Td 9d 7s 7h 2c");
        assert_eq!(number(&answer["banker_hands"]), 15_380_937); // C(39, 7)
    }
    let text = houseway(&["ev", HAND, "--dead", dead, "--front", "7c 7d"]).success();
    let unquoted =
        [&["ev"], &HAND.split(' ').collect::<Vec<_>>()[..], &["--dead", dead, "--front", "7c", "7d"]].concat();
    houseway(&unquoted).success().stdout(stdout(&text));
    text.stdout(
        predicate::str::contains("with the dead cards Ad Kc Td 9d 7s 7h 2c")
            .and(predicate::str::contains(" of 15,380,937 hands")),
    );
    refused(&[
        (&["ev", HAND, "--dead", "As"], "As is in play"),
        (&["solve", "--dead", "Qh Xx"], "invalid card 'Xx'"),
        (&["solve", "--dead", "Qh", "--player", "random"], "not 'random' against 'trump-plaza'"),
        (&["solve", "--dead", "Qh", "--shard", "1/8"], "cannot be used with"),
        (&["solve", "--no-push", "--dead", "Qh"], "cannot be used with"),
        (&["solve", "--no-push", "--set", "bank-pushes=nine_high_front"], "leave out the rule 'bank-pushes'"),
        (&["ev", HAND, "--unknown", "40"], "must be at most 39"),
        (&["search", "--change", "3", "--length", "1"], "name the sheet with --fix"),
        (&["play", "--verify", "history.jsonl", "--seed", "9"], "cannot be used with"),
        (&["play", "--review", "--coach", "on"], "cannot be used with"),
        (&["table", "--verify", "history.jsonl", "--force"], "cannot be used with"),
    ]);
    let unknown = houseway(&["ev", HAND, "--dead", dead, "--unknown", "4", "--front", "7c 7d"]).success();
    unknown.stdout(
        predicate::str::contains("which changes no value").and(predicate::str::contains(" of 15,380,937 hands")),
    );
    let asian = json(&["ev", "-g", "asian-stud", "As Kd 7c 7d 2h", "--dead", "Qh 3c", "--json"]);
    let dealers: u64 = asian["dealer_hands"].as_object().unwrap().values().map(number).sum();
    assert_eq!((asian["dead"].as_str(), dealers), (Some("Qh 3c"), 1_370_754)); // C(46, 5)
    let holdem = ["ev", "-g", "ultimate-holdem", "Kh 8c", "--board", "8d 5s 2h", "--dead", "8h 8s", "--json"];
    assert_eq!(json(&holdem)["dead"], "8s 8h");
}

#[test]
fn known_cards_are_worth_more_the_more_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("known");
    // The pass of the best response is in the store.
    assert!(solved().is_object());
    let known = ["known-cards", "--hands", "10", "--seed", "3", "--cards", "21", "39", "--json"];
    let answer = json(&[&known[..], &["--out", out.to_str().unwrap()]].concat());
    let values = answer["cards"].as_array().unwrap();
    let gains: Vec<f64> = values.iter().map(|value| value["gain"].as_f64().unwrap()).collect();
    assert!(gains.is_sorted() && gains[1] > 0.02, "{gains:?}");
    assert_eq!((values[0]["seats"].as_u64(), values[1]["seats"].as_u64()), (Some(3), None));
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("gain-by-cards") && out.join("plots/gain-by-cards.svg").exists(), "{report}");
    let known_cards = [
        (&["--cards", "40"][..], "must be between 1 and 39"),
        (&["--cards", "0"], "must be between 1 and 39"),
        (&["--hands", "1"], "must be between 2 and"),
        (&["--banker", "nobody"], "nobody"),
        (&["-g", "asian-stud"], "use -g pai-gow-poker"),
    ];
    refused_in(Path::new("."), &["known-cards", "--out", out.to_str().unwrap()], &known_cards);
}

#[test]
fn ev_against_a_random_banker_is_exact() {
    let answer = json(&["ev", HAND, "--banker", "random", "--json"]);
    let weight = number(&answer["weight"]);
    assert_eq!((answer["banker"].as_str(), weight), (Some("random"), 232_792_560));
    let settings = answer["settings"].as_array().unwrap();
    for setting in settings.iter().filter(|setting| setting["foul"] == false) {
        let [wins, pushes, losses] = ["wins", "pushes", "losses"].map(|key| number(&setting[key]));
        assert_eq!(wins + pushes + losses, 53_524_680 * weight);
        let ev = (0.95 * wins as f64 - losses as f64) / (53_524_680 * weight) as f64;
        assert!((setting["ev"].as_f64().unwrap() - ev).abs() < 1e-12);
    }
    // A house way is a much better banker.
    let ev = |answer: &Value| answer["settings"][15]["ev"].as_f64().unwrap();
    assert!(ev(&answer) > ev(&json(&["ev", HAND, "--json"])) + 0.1);
    let text = houseway(&["ev", HAND, "--banker", "random"]).success();
    text.stdout(predicate::str::contains("a banker who picks a legal setting"));
}

#[test]
fn commands_that_need_a_house_way_say_so_about_random() {
    for arguments in [
        &["ev", HAND, "--way", "random"][..],
        &["set", HAND, "--way", "random"],
        &["check", "random"],
        &["audit", "random"],
        &["audit", "trump-plaza", "--banker", "random"],
        &["diff", "trump-plaza", "random"],
        &["compare", "trump-plaza", "random"],
        &["bank", "random:100"],
    ] {
        let message = predicate::str::contains("'random'").and(predicate::str::contains("a house way here"));
        houseway(arguments).code(2).stderr(message.and(predicate::str::contains("'solve'")));
    }
}

#[test]
fn set_names_the_rule() {
    let answer = json(&["set", HAND, "--json"]);
    assert_eq!((answer["front"].as_str(), answer["back"].as_str()), (Some("7d 7c"), Some("Jk As Kd 3s 2h")));
    assert_eq!(answer["way"], "trump-plaza");
    houseway(&["set", HAND]).success().stdout(predicate::str::contains("two pairs split"));
    let lines = "As Kd Jk 7c 7d 2h 3s\n\n9s 9d 9h 2s 2d Ah Kc\n";
    let answers = Command::new(program()).args(["set", "--stdin"]).write_stdin(lines).assert().success();
    let fronts: Vec<Value> =
        stdout(&answers).lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["front"].clone()).collect();
    assert_eq!(fronts, ["7d 7c", "Ah Kc"]);
}

#[test]
fn check_finds_what_is_wrong_with_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.toml");
    let head = "name = \"odd\"\ntitle = \"Odd\"\nsource = \"here\"\n";
    let rule = |body: &str| format!("{head}[[rule]]\nname = \"pairs\"\ntext = \"pairs\"\n{body}\n");
    fs::write(&file, rule("when = { shape = \"one pair\" }\nplay = {}")).unwrap();
    let path = file.to_str().unwrap();
    let answer = houseway(&["check", path, "--json"]).code(2).stderr(predicate::str::contains("add a rule for them"));
    let answer = document(&answer);
    assert_eq!(number(&answer["uncovered"]) + number(&answer["rules"][0]["hands"]), 154_143_080);
    fs::write(&file, rule("play = {}").replace("\"here\"", "\"\"")).unwrap();
    assert_eq!(json(&["check", path, "--json"])["source"], "unknown");
    houseway(&["check", path]).success().stdout(
        predicate::str::contains("Odd (source: unknown)")
            .and(predicate::str::contains("rules  9adcfb12d8db2a82 (commission=0.05)")),
    );
    fs::write(&file, rule("when = { shape = \"a pair\" }\nplay = {}")).unwrap();
    houseway(&["check", path]).code(2).stdout("").stderr(predicate::str::contains("odd.toml, line 7: unknown shape"));

    // A sheet that is complete with its default option only, and one with a rule that no hand reaches with the other.
    let readings = "[readings.r]\ntext = \"x\"\noptions = [\"all\", \"some\"]\n";
    let open = |option: &str, when: &str| {
        format!("[[rule]]\nname = \"{option}\"\ntext = \"x\"\nreading = {{ r = \"{option}\" }}\n{when}play = {{}}\n")
    };
    let some = open("some", "when = { shape = \"one pair\" }\n");
    fs::write(&file, format!("{head}{readings}{}{some}", open("all", ""))).unwrap();
    let missing = "81557864 hands have no rule with --set way.r=some";
    let answer = houseway(&["check", path, "--json"]).code(1).stderr(predicate::str::contains(missing));
    let answer = document(&answer);
    assert_eq!(answer["gaps"][0]["options"]["r"].as_str(), Some("some"), "{answer}");
    let rest = "[[rule]]\nname = \"rest\"\ntext = \"x\"\nplay = {}\n";
    fs::write(
        &file,
        format!("{head}{readings}{some}{}{rest}", open("some", "").replace("\"some\"\ntext", "\"all\"\ntext")),
    )
    .unwrap();
    let idle = "with r = some: rule ";
    houseway(&["check", path]).code(2).stderr(predicate::str::contains(idle).and(predicate::str::contains("\"rest\"")));
}

#[test]
fn check_warns_about_rules_that_no_dealer_could_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hard.toml");
    let head = "name = \"hard\"\ntitle = \"Hard\"\nsource = \"here\"\n[[rule]]\nname = \"pairs\"\ntext = \"pairs\"\n";
    let when =
        "when = { pair = \"3-9\", except = { single = \"3-9\", except = { second-single = \"8\" } } }\nplay = {}\n";
    let rest = "[[rule]]\nname = \"rest\"\ntext = \"rest\"\nplay = {}\n";
    fs::write(&file, format!("{head}{when}{rest}")).unwrap();
    let path = file.to_str().unwrap();
    let warning = "warning: line 4, rule \"pairs\": an exception within an exception";
    let bounds = "warning: line 4, rule \"pairs\": 6 bounds";
    houseway(&["check", path])
        .success()
        .stdout(predicate::str::contains(warning).and(predicate::str::contains(bounds)));
    let warnings = &json(&["check", path, "--json"])["warnings"];
    assert_eq!(warnings.as_array().unwrap().len(), 2, "{warnings}");
    assert_eq!((warnings[1]["rule"].as_str(), &warnings[1]["line"]), (Some("pairs"), &Value::from(4)));
    assert!(warnings[1]["message"].as_str().unwrap().starts_with("6 bounds"), "{warnings}");
}

#[test]
fn errors_in_options_are_a_line_of_json() {
    for (arguments, message) in [
        (&["ev", HAND, "--json=1"][..], "unexpected value '1' for '--json' found; no more were expected"),
        (
            &["ev", HAND, "--jsn", "--json"],
            "unexpected argument '--jsn' found; tip: a similar argument exists: '--json'",
        ),
        (&["bank", "--json", "foxwoods"], "such as trump-plaza:100"),
        (&["set", "--json"], "the following required arguments were not provided: <HAND>..."),
        (&["set", "--stdin", "--way", "nope"], "nope"),
    ] {
        let answer = houseway(arguments).code(2).stdout("");
        let error: Value = serde_json::from_str(&stderr(&answer)).unwrap();
        assert!(error["error"].as_str().unwrap().ends_with(message) || message == "nope", "{error}");
    }
}

#[test]
fn games_lists_readings_and_defaults() {
    let games = json(&["games", "--json"]);
    assert_eq!((games[0]["name"].as_str(), games[0]["id"].as_str()), (Some("pai-gow-poker"), Some("PaiGowPoker-v0")));
    assert_eq!(games[0]["readings"][1]["default"], "highest_missing");
    for game in games.as_array().unwrap() {
        let lists = ["house_ways", "paytables", "side_bets", "pages"];
        assert!(lists.iter().all(|list| game[*list].is_array()), "{game}");
        let is_face_up = game["name"] == "face-up-pai-gow";
        assert!(!is_face_up || game["side_bets"].as_array().unwrap().contains(&"fortune-2".into()), "{game}");
    }
    let text = narrow(&houseway(&["games"]).success());
    for part in [
        "--set equal-setting=legal|foul",
        "--set copies=banker|player|pushed",
        "bank-pushes",
        "ultimate-holdem (UltimateHoldem-v0)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("\n\n\n"), "{text}");
    let explained = predicate::str::starts_with("pai-gow-tiles (PaiGowTiles-v0)")
        .and(predicate::str::contains("  --set copies=bank|push, the first by default\n    "))
        .and(predicate::str::contains("ultimate-holdem").not());
    houseway(&["games", "-g", "PaiGowTiles-v0"]).success().stdout(explained);
}

#[test]
fn bad_input_has_status_two_and_one_message() {
    refused(&[
        (&["ev", "As Kd Jk 7c 7d 2h"], "a hand has 7 cards"),
        (&["ev", "As Kd Jk 7c 7d 2h 1s"], "'1s' at character 19"),
        (&["ev", HAND, "--way", "ceasars"], "unknown house way \"ceasars\""),
        (&["ev", HAND, "--set", "joker=tame"], "half_wild"),
        (&["ev", HAND, "--set", "commission=0.5"], "0 to 0.1"),
        (&["ev", HAND, "--set", "way.quads=split"], "unknown reading \"quads\""),
        (&["ev", HAND, "--set", "way.quads-with-pair=maybe"], "split_rule"),
        (&["ev", HAND, "-g", "baccarat"], "baccarat"),
        (&["set"], "HAND"),
        (&["set", HAND, "--rules", "absent.toml"], "absent.toml"),
        (&["check", "ceasars"], "trump-plaza"),
        (&["check", "absent.toml"], "error: there is no house way file absent.toml"),
        (&["check", "-g", "pai-gow-tiles", "absent.toml"], "error: there is no house way file absent.toml"),
    ]);
}

#[test]
fn a_log_of_set_hands_identifies_its_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("hands.txt");
    let hands = "9s 9d 5s 5c Kh 7d 3c\nKs Kd Kh Kc 4s 4d 9h\nAs Ad Jk Kh Qc Js 3d\n";
    let set = Command::new(program()).args(["set", "--way", "wong", "--stdin"]).write_stdin(hands).assert().success();
    fs::write(&log, stdout(&set)).unwrap();
    let path = log.to_str().unwrap();
    // In the variant, a built-in sheet has a rule that no hand reaches.
    let found = json(&["identify", path, "--set", "joker=wild", "--json"]);
    assert_eq!(found["hands"], 3);
    let wong = found["ways"].as_array().unwrap().iter().find(|candidate| candidate["name"] == "wong").unwrap();
    assert_eq!(wong["differing"], 0, "{found}");
    // Three hands leave more rivals than are listed.
    assert!(found["expected_hands_to_99"].is_null(), "{found}");
    let text = narrow(&houseway(&["identify", path]).success()).replace('\n', " ");
    assert!(text.contains("a longer log is needed"), "{text}");
    fs::write(&log, "As Kd Jk 7c 7d 2h 3s | 7c 7d\n9s 9d 5s 5c Kh 7d 3c\n").unwrap();
    houseway(&["identify", path]).code(2).stderr(predicate::str::contains("hands.txt, line 2: expected the hand and"));
    fs::write(&log, "As Kd Jk 7c 7d 2h 3s | As Jk\n").unwrap();
    houseway(&["identify", path]).code(2).stderr(predicate::str::contains("line 1: Jk As in front of"));
    fs::write(&log, "As Kd Jk 7c 7d 2h 3s | 7c 7d\n").unwrap();
    for (more, part) in [
        (["--set", "way.quads-with-pair=split_rule"], "every option of every reading is a candidate"),
        (["--way", "trump-plaza"], "which is a candidate already"),
    ] {
        houseway(&[&["identify", path][..], &more].concat()).code(2).stderr(predicate::str::contains(part));
    }
    // Without equal settings, some built-in sheets leave hands without a rule.
    let left = houseway(&["identify", path, "--set", "equal-setting=foul"]).success();
    left.stderr(predicate::str::contains("left out").and(predicate::str::contains("wizard-two-pair")));
}

#[test]
fn a_log_with_results_is_monitored() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("hands.txt");
    let path = log.to_str().unwrap();
    let lines = "As Kd Jk 7c 7d 2h 3s | 7c 7d | banker | 25\n\n9s 9d 5s 5c Kh 7d 3c | 5s 5c | player | 100\n";
    fs::write(&log, lines).unwrap();
    let solved = solved();
    let arguments = ["monitor", path, "--alarm-rate", "0.05"];
    let found = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!((&found["rounds"], &found["actual"], &found["alarm"]), (&2.into(), &(-70.0).into(), &false.into()));
    let number = |value: &Value| value.as_f64().unwrap();
    assert!((number(&found["expected"]) + 125.0 * number(&solved["ev"])).abs() < 1e-9, "{found}");
    assert!((number(&found["standard_deviation"]) - number(&solved["standard_deviation"])).abs() < 1e-9, "{found}");
    let mistakes = found["mistakes"].as_array().unwrap();
    assert_eq!(mistakes.len(), 1);
    let [hand, set, sheet] = ["hand", "set", "sheet"].map(|key| mistakes[0][key].as_str().unwrap());
    assert_eq!((hand, set, sheet), ("Kh 9s 9d 7d 5s 5c 3c", "5s 5c", "Kh 7d"));
    assert!((number(&found["mistakes_cost"]) - 100.0 * number(&mistakes[0]["cost"])).abs() < 1e-9);
    assert_eq!(found["rules_hash"], solved["rules_hash"]);
    let text = narrow(&houseway(&arguments).success());
    assert!(text.contains("No alarm"), "{text}");
    // Forty wins of the player in a row are an alarm after a bet that outweighs them all, too.
    let large = "9s 9d 5s 5c Kh 7d 3c | 5s 5c | banker | 1000000\n";
    fs::write(&log, large.to_owned() + &lines.replace("banker", "player").repeat(20)).unwrap();
    assert_eq!(json(&[&arguments[..], &["--json"]].concat())["alarm"], true);
    refused(&[(&["monitor", path, "--set", "commission-bet=50"], "commission-bet: the bets are those of the log")]);
    fs::write(&log, format!("{lines}9s 9d 5s 5c Kh 7d 3c | 5s 5c | push\n")).unwrap();
    houseway(&["monitor", path])
        .code(2)
        .stderr(predicate::str::contains("hands.txt, line 4: the hand of the line before"));
}

#[test]
fn a_par_sheet_has_the_counts_of_the_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("par");
    let solved = solved();
    let par = json(&["par", "--out", out.to_str().unwrap(), "--json"]);
    let outcomes = par["outcomes"].as_array().unwrap();
    let key = |index: usize, key: &str| assert_eq!(outcomes[index]["deals"], solved[key], "{key}");
    key(0, "wins");
    key(1, "pushes");
    key(2, "losses");
    let near = |a: &Value, b: &Value| assert!((a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-12, "{a} {b}");
    near(&par["ev"], &solved["ev"]);
    for key in ["copies_front", "copies_back"] {
        let copies = solved[key].as_str().unwrap().parse::<f64>().unwrap() / 8_250_459_031_214_400.0;
        near(&par["parts"][key], &copies.into());
        near(&par["parts_exact"][key]["value"], &par["parts"][key]);
    }
    near(&par["standard_deviation"], &solved["standard_deviation"]);
    near(&par["volatility_index"], &(1.96 * solved["standard_deviation"].as_f64().unwrap()).into());
    assert_eq!(par["rules_hash"], solved["rules_hash"]);
    // Independent programs have counted this EV of best play as well.
    near(&par["optimal_ev"], &(-6_456_014_189_071.0 / 264_437_789_462_000.0).into());
    for band in par["bands"].as_array().unwrap() {
        let [low, ev, high] = [&band["low"], &par["ev"], &band["high"]].map(|value| value.as_f64().unwrap());
        assert!(low < ev && ev < high, "{band}");
    }
    assert_eq!(par["readings"], serde_json::json!([]));
    let csv = fs::read_to_string(out.join("tables/outcomes.csv")).unwrap();
    assert!(csv.contains(&format!("win,0.95,{}", solved["wins"].as_str().unwrap())), "{csv}");
    let csv = |name: &str| fs::read_to_string(out.join("tables").join(name)).unwrap();
    assert!(csv("bands.csv").contains(&format!("\n1000,{},", par["bands"][1]["low"])), "{}", csv("bands.csv"));
    assert!(
        csv("parts.csv").contains(&format!("\ncommission,{}\n", par["parts"]["commission"])),
        "{}",
        csv("parts.csv")
    );
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    let words = [
        "The banker wins copies, as in every casino's rules.",
        "`joker-in-flush = highest_missing`: ",
        "Source of trump-plaza: Jokolor Pai Gow Poker",
    ];
    assert!(words.into_iter().all(|part| report.contains(part)), "{report}");
}

#[test]
fn a_bankroll_that_a_round_can_lose_has_no_growth() {
    assert!(solved().is_object());
    let bank = ["bank", "trump-plaza:100", "--bankroll", "100"];
    let told = houseway(&bank).success();
    let text = stdout(&told);
    assert!(text.contains("a round can lose all 100 chips") && !text.contains("inf"), "{text}");
    assert!(text.contains("commissions are rounded to whole chips, except in the column Kelly"), "{text}");
    houseway(&[&bank[..], &["--hand", HAND]].concat()).code(2);
}

#[test]
fn a_share_of_a_bank_grows_as_a_bank_of_that_size() {
    // The pass is in the store. Without a commission, half of a bank on 100 is the bank on 50.
    assert!(solved().is_object());
    let bank = |bet: &str, more: &[&str]| {
        json(&[&["bank", bet, "--bankroll", "1000", "--set", "commission-on-banker=none", "--json"], more].concat())
    };
    let [half, small] = [bank("trump-plaza:100", &["--share", "0.5"]), bank("trump-plaza:50", &[])];
    let growth = |bank: &Value| bank["log_growth"]["mean"].as_f64().unwrap();
    assert!((growth(&half) - growth(&small)).abs() < 1e-12, "{half}");
    let kelly = |bank: &Value| bank["kelly_share"].as_f64().unwrap();
    // Twice the bets are at stake for the same part of the bankroll.
    assert!((kelly(&half) - 2.0 * kelly(&small)).abs() < 1e-9 && kelly(&small) > 0.0, "{half}");
    let sitting_out = bank("trump-plaza:50", &["--own", "0"]);
    assert_eq!(sitting_out["pass"]["ev"]["value"], 0.0);
    assert_eq!(sitting_out["price_of_passing"]["low"], sitting_out["ev"]["low"]);
    // The exact EV of two bets decides their Kelly fraction, whatever the sample.
    let two = |seed: &str| kelly(&bank("trump-plaza:100", &["trump-plaza:60", "--deals", "5000", "--seed", seed]));
    let fractions = ["1", "2", "3"].map(two);
    assert!(fractions.iter().all(|it| (it / fractions[0] - 1.0).abs() < 0.1), "{fractions:?}");
}

#[test]
fn a_par_sheet_has_the_joint_results_of_a_side_bet() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("par");
    // The pass of the main bet is in the store.
    assert!(solved().is_object());
    let par = json(&["par", "--side-bet", "pai-gow-insurance", "--out", out.to_str().unwrap(), "--json"]);
    let alone = json(&["side-bet", "pai-gow-insurance", "--json"]);
    let beside = &par["side_bet"];
    assert_eq!(beside["ev_exact"], alone["ev"]);
    let count = |value: &Value| value.as_str().unwrap().parse::<u64>().unwrap();
    let rows = beside["rows"].as_array().unwrap();
    let deals = |row: &Value| ["wins", "pushes", "losses"].iter().map(|key| count(&row[key])).sum::<u64>();
    // A hand meets 53,524,680 banker hands.
    let expected = alone["rows"].as_array().unwrap().iter().map(|row| &row["hands"]).chain([&alone["losing"]]);
    assert_eq!(
        rows.iter().map(deals).collect::<Vec<_>>(),
        expected.map(|hands| count(hands) * 53_524_680).collect::<Vec<_>>()
    );
    for (key, outcome) in ["wins", "pushes", "losses"].iter().zip(par["outcomes"].as_array().unwrap()) {
        assert_eq!(rows.iter().map(|row| count(&row[key])).sum::<u64>(), count(&outcome["deals"]), "{key}");
    }
    let number = |value: &Value| value.as_f64().unwrap();
    let [main, side, both] = [&par, beside, &beside["both"]].map(|it| number(&it["standard_deviation"]).powi(2));
    assert!((both - main - side - 2.0 * number(&beside["covariance"])).abs() < 1e-9, "{beside}");
    assert!((number(&beside["both"]["ev"]) - number(&par["ev"]) - number(&beside["ev"])).abs() < 1e-12);
    // Hands without a pair are paid by the bet and lose more often than others.
    assert!(number(&beside["correlation"]) < -0.05, "{beside}");
    assert!(fs::read_to_string(out.join("tables/side-bet.csv")).unwrap().contains("no row,,"));
    houseway(&["par", "-g", "asian-stud", "--side-bet", "example-pair"])
        .code(2)
        .stderr(predicate::str::contains("use houseway side-bet -g asian-stud"));
}

#[test]
fn par_sheets_of_other_games_come_from_their_solvers() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("par");
    let out = out.to_str().unwrap();
    let par = json(&["par", "-g", "pai-gow-tiles", "--player", "optimal", "--out", out, "--json"]);
    assert_eq!([&par["player"], &par["banker"], &par["game"]], ["optimal", "traditional", "pai-gow-tiles"]);
    assert_eq!(par["outcomes"][0]["deals"], "216940516");
    assert_eq!(par["ev"], par["optimal_ev"]);
    // Both seats lose to a good hand of the banker.
    let correlation = par["seats"]["correlation"].as_f64().unwrap();
    assert!((0.0..0.5).contains(&correlation) && par["seats"]["covariance"]["numerator"].is_string(), "{par}");
    houseway(&["par", "-g", "pai-gow-tiles", "--set", "bank=player", "--force", "--out", out]).success();
    let report = fs::read_to_string(Path::new(out).join("report.md")).unwrap();
    assert!(report.contains("traditional as the house; rules 7be71b1a9a639316 (bank=player)"), "{report}");
    let par = json(&["par", "-g", "asian-stud", "--readings", "--force", "--out", out, "--json"]);
    let solved = json(&["solve", "-g", "asian-stud", "--json"]);
    assert_eq!((&par["ev_exact"], &par["rules_hash"]), (&solved["ev"], &solved["rules_hash"]));
    assert!(par["seats"].is_null(), "{par}");
    let parts = par["parts"].as_object().unwrap();
    assert_eq!(parts.keys().collect::<Vec<_>>(), ["ante", "commission", "raise"]);
    let sum: f64 = parts.values().map(|part| part.as_f64().unwrap()).sum();
    assert!((sum - par["ev"].as_f64().unwrap()).abs() < 1e-12, "{par}");
    assert!(par["readings"].as_array().unwrap().len() > 5 && par["outcomes"].as_array().unwrap().len() == 7, "{par}");
    // No wager is the main one, so the bet is spread over all of them.
    let par = json(&["par", "-g", "joker-seven", "--force", "--out", out, "--json"]);
    assert_eq!((&par["player"], par["parts"].as_object().unwrap().len()), (&"even spread over all wagers".into(), 11));
    assert!(par["optimal_ev"].as_f64() > par["ev"].as_f64() && par["hit_frequency"].as_f64() > Some(0.1), "{par}");
    let par = [
        (&["-g", "asian-stud", "--player=optimal"][..], "--player does not belong to the game asian-stud"),
        (&["-g", "pai-gow-tiles", "--banker=nobody"], "traditional, foxwoods, canberra"),
        (&["-g", "asian-stud", "--no-push"], "--no-push does not belong to the game asian-stud"),
        (&["-g", "pai-gow-poker", "--trips=1"], "--trips does not belong to the game pai-gow-poker"),
    ];
    refused_in(Path::new("."), &["par", "--out", out], &par);
}

#[test]
#[ignore = "takes 30 s to evaluate all deals under each reading"]
fn a_par_sheet_has_the_effect_of_each_reading() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("par");
    let par = json(&["par", "--readings", "--out", out.to_str().unwrap(), "--json"]);
    let readings = par["readings"].as_array().unwrap();
    assert_eq!(readings.len(), 3, "{readings:?}");
    // If equal halves are fouls, the house way can't split some hands.
    let foul = readings.iter().find(|reading| reading["option"] == "foul").unwrap();
    assert!(foul["ev"].is_null() && foul["reason"].is_string(), "{foul}");
    let lowest = readings.iter().find(|reading| reading["option"] == "lowest").unwrap();
    let solved = json(&["solve", "--set", "wheel-straight-flush=lowest", "--json"]);
    assert_eq!(lowest["ev"], solved["ev"]);
    let csv = fs::read_to_string(out.join("tables/readings.csv")).unwrap();
    assert!(csv.contains(&format!("wheel-straight-flush,lowest,{},", lowest["ev"])), "{csv}");
}

/// 1e8 random deals lie within five standard errors of the par sheet, and within its band of 95% about as often as that.
#[test]
#[ignore = "takes a few minutes to play 100,000,000 hands"]
fn a_par_sheet_predicts_what_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let par = json(&["par", "--out", folder.path().join("par").to_str().unwrap(), "--json"]);
    let game = Game::new(Rules::default());
    let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
    let (rounds, averages) = (1_000, 100_000);
    // Every average has a random stream of its own, so the result doesn't depend on the number of threads.
    let play = |average: u64| -> [u64; 3] {
        let (mut rng, mut outcomes) = (stream(average.into()), [0; 3]);
        for _ in 0..rounds {
            let mut pack = Pack::new(CARDS);
            let [player, banker] = [(); 2].map(|()| Dealt::draw(&mut pack, &mut rng).unwrap());
            let [set, banked] = [player, banker].map(|dealt| game.set(dealt.hand(), way.set(dealt.hand())));
            outcomes[game.settle(set, game.banker_set(banker.hand(), banked)).outcome as usize] += 1;
        }
        outcomes
    };
    let played: Vec<[u64; 3]> = (0..averages).into_par_iter().map(play).collect();
    let all = (rounds * averages) as f64;
    for (i, outcome) in par["outcomes"].as_array().unwrap().iter().enumerate() {
        let expected = outcome["probability"]["value"].as_f64().unwrap();
        let found = played.iter().map(|outcomes| outcomes[i]).sum::<u64>() as f64 / all;
        let error = (expected * (1.0 - expected) / all).sqrt();
        assert!((found - expected).abs() < 5.0 * error, "{outcome}: {found}");
    }
    let band = par["bands"].as_array().unwrap().iter().find(|band| band["rounds"] == rounds).unwrap();
    let [low, high] = ["low", "high"].map(|end| band[end].as_f64().unwrap());
    let average = |[wins, _, losses]: &[u64; 3]| (0.95 * *wins as f64 - *losses as f64) / rounds as f64;
    let within = played.iter().map(average).filter(|average| (low - 1e-9..=high + 1e-9).contains(average)).count();
    // The ends of the band are results themselves, so it has a bit more than 95%.
    let part = within as f64 / averages as f64;
    assert!((0.9475..0.9575).contains(&part), "{part}");
}
