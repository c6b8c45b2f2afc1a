//! Tests for `houseway play --plain`, which reads commands and writes one line per event, and for `houseway drill`.

use super::common::{counts, houseway, json, narrow, program, root, solved, stderr, stdout};
use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

fn play(session: &Path, arguments: &[&str], input: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::new(program());
    command.args(["play", "--plain", "--session", session.to_str().unwrap()]).args(arguments);
    command.write_stdin(input).assert()
}

fn lines(session: &Path, arguments: &[&str], input: &str) -> Vec<String> {
    let text = stdout(&play(session, arguments, input).success());
    text.lines().map(str::to_owned).collect()
}

fn failure(session: &Path, arguments: &[&str], status: i32) -> String {
    stderr(&play(session, arguments, "").code(status))
}

#[test]
fn a_session_is_played_resumed_and_replayed_by_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, history) = (folder.path().join("a.json"), folder.path().join("rounds.jsonl"));
    let history = history.to_str().unwrap();
    let options = ["--seed", "7", "--history", history];
    let first = lines(&file, &options, "chip 25\nchip 5 jokolor\ndeal\nconfirm\nhouse way\n");
    assert!(
        first[0].starts_with("session: Pai Gow Poker") && first[0].ends_with("finished rounds: 0; seed 7"),
        "{first:?}"
    );
    assert_eq!(
        first[2..4],
        ["bets: BET 25.00, JOKOLOR 0.00; bankroll 1000.00", "bets: BET 25.00, JOKOLOR 5.00; bankroll 1000.00"]
    );
    assert!(first[4].starts_with("round 1: player ") && first[4].contains("; JOKOLOR "), "{}", first[4]);
    assert_eq!(first[5], "refused: choose 2 cards first");
    assert!(first[6].starts_with("choice: front ") && first[6].ends_with("; confirm or undo"), "{}", first[6]);
    assert_eq!(first.last().unwrap(), "end: bankroll 1000.00, finished rounds: 0; saved");
    // The round is still open, so restarting doesn't get the player different cards.
    let second = lines(&file, &["--history", history], "house way\nconfirm\nrebet\ndeal\nhouse way\nconfirm\n");
    assert_eq!(second[1], first[4]);
    assert!(second.iter().any(|line| line.starts_with("coach: you: front ")), "{second:?}");
    let results: Vec<&String> = second.iter().filter(|line| line.starts_with("result of round ")).collect();
    assert_eq!(results.len(), 2);
    assert!(second.iter().any(|line| line.starts_with("stats: 2 judged: ")), "{second:?}");
    // Another session with the same seed has the same results.
    let other = folder.path().join("b.json");
    let input = "chip 25\nchip 5 jokolor\ndeal\nhouse way\nconfirm\nrebet\ndeal\nhouse way\nconfirm\nquit\nnonsense\n";
    let again = lines(&other, &["--seed", "7", "--coach", "off"], input);
    let again_results: Vec<&String> = again.iter().filter(|line| line.starts_with("result of round ")).collect();
    assert_eq!(again_results, results);
    assert!(!again.iter().any(|line| line.starts_with("coach:")), "{again:?}");
    houseway(&["play", "--verify", history]).success();
    // Nothing is appended to other files.
    let way = folder.path().join("mine.toml");
    std::fs::write(&way, "name = \"x\"").unwrap();
    let third = folder.path().join("c.json");
    for (arguments, part) in [
        (vec!["--history", way.to_str().unwrap()], "mine.toml is not a history; choose another file with --history"),
        (vec!["--history", history, "--set", "commission=0.04"], "belongs to another game or to other rules"),
        (vec!["--history", "/dev/null"], "is a device"),
    ] {
        let error = failure(&third, &arguments, 2);
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(std::fs::read_to_string(&way).unwrap(), "name = \"x\"");
    let changed = std::fs::read_to_string(history).unwrap().replacen("\"rewards\":[", "\"rewards\":[9.5,", 1);
    std::fs::write(history, changed).unwrap();
    let text = stderr(&houseway(&["play", "--verify", history]).code(1));
    assert!(text.contains("does not match its replay: round 1: expected number of rewards"), "{text}");
    // A history of another game or other rules is not called wrong.
    let fourth = folder.path().join("d.json");
    let changed = folder.path().join("changed.jsonl");
    let changed = changed.to_str().unwrap();
    let input = "chip 25\ndeal\nhouse way\nconfirm\n";
    lines(&fourth, &["--set", "commission=0.04", "--coach", "off", "--history", changed], input);
    let text = std::fs::read_to_string(changed).unwrap();
    let (head, rest) = text.split_once("\"rewards\":[").unwrap();
    let edited = folder.path().join("edited.jsonl");
    std::fs::write(&edited, format!("{head}\"rewards\":[9.5]{}", rest.split_once(']').unwrap().1)).unwrap();
    let set = ["--set", "commission=0.04"];
    for (arguments, status, part) in [
        (
            vec![changed],
            2,
            "changed.jsonl was played by other rules or against another house way; add the --set KEY=VALUE",
        ),
        (vec![changed, "-g", "asian-stud"], 2, "is a history of pai-gow-poker; use -g pai-gow-poker"),
        ([&[edited.to_str().unwrap()][..], &set].concat(), 1, "round 1, step 1: recorded reward 9.5"),
        ([&[changed][..], &set].concat(), 0, ""),
    ] {
        let text = stderr(&houseway(&[&["play", "--verify"], &arguments[..]].concat()).code(status));
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
}

#[test]
fn a_history_without_rounds_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("rounds.jsonl");
    let history = history.to_str().unwrap();
    for game in ["asian-stud", "pai-gow-table"] {
        // The second run continues the history of the first one.
        let file = folder.path().join(game);
        for input in ["quit\n", "chip 25\nquit\n"] {
            lines(&file, &["-g", game, "--history", history, "--coach", "off"], input);
            let verified = houseway(&["play", "-g", game, "--verify", history]).success();
            verified.stdout(predicates::str::contains(": 0 rounds replayed"));
        }
        std::fs::remove_file(history).unwrap();
    }
}

#[test]
fn the_coach_speaks_before_decisions_and_events_can_be_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let arguments = ["-g", "ultimate-holdem", "--seed", "3", "--coach", "on", "--json"];
    let events = lines(&file, &arguments, "chip 5\ndeal\ncheck\ncheck\nfold\ndeal\n");
    let events: Vec<Value> = events.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    let expected = [
        "session", "bets", "bets", "dealt", "coach", "played", "dealt", "coach", "played", "dealt", "coach", "played",
        "result", "coach", "coach", "coach", "refused", "stats",
    ];
    assert_eq!(kinds[..expected.len()], expected, "{events:#?}");
    assert_eq!(events[0]["game"], "ultimate-holdem");
    assert_eq!(events[0]["title"], "Ultimate Texas Hold'em, one player against the dealer");
    assert_eq!((events[12]["net"].as_f64(), events[12]["bankroll"].as_f64()), (Some(-10.0), Some(990.0)));
    assert!(events[4]["text"].as_str().unwrap().contains("Check, EV +"), "{}", events[4]);
}

#[test]
fn options_that_do_not_fit_are_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    lines(&file, &["--seed", "5"], "");
    for (arguments, part) in [
        (vec!["--seed", "6"], "saved with the seed 5"),
        (vec!["-g", "asian-stud"], "saved with a different game, pai-gow-poker; use -g pai-gow-poker to resume"),
        (vec!["--set", "commission=0.04"], "saved with the default rules; omit other rules to resume that session"),
        (vec!["--banker", "wong"], "saved with the default rules"),
        (vec!["--set", "comission=0.04"], "comission"),
        (vec!["--banker", "nobody"], "nobody"),
        (vec!["--bankroll", "50"], "a bankroll of 1000.00"),
        (vec!["--option", "hand=As Kd Jk 7c 7d 2h 3s"], "saved with no --option; omit the option"),
        (vec!["-g", "baccarat"], "unknown game 'baccarat'"),
        (vec!["--new", "--option", "chips=5"], "chips"),
    ] {
        let text = failure(&file, &arguments, 2);
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
    let text = lines(&file, &["--new", "--seed", "6", "--bankroll", "50"], "chip 100\n");
    assert!(text[0].contains("bankroll 50.00") && text[2].contains("can lose up to 100.00"), "{text:?}");
    let changed = ["--set", "commission=0.04", "--banker", "wong", "--option", "hand=As Kd Jk 7c 7d 2h 3s"];
    lines(&file, &[&["--new", "--seed", "7"], &changed[..]].concat(), "chip 5\ndeal\n");
    // A session is resumed with its rules and its banker.
    let [resumed, same] = [&[][..], &changed].map(|options| lines(&file, options, ""));
    assert!(resumed[0].contains("seed 7") && resumed == same, "{resumed:?}");
    for (arguments, part) in [
        (
            vec!["--set", "commission=0.03"],
            "saved with --set commission=0.04 --banker wong; omit other rules to resume",
        ),
        (vec!["--set", "commission=0.04", "--option", "hand=x"], "saved with --option hand=\"As Kd Jk 7c 7d 2h 3s\";"),
    ] {
        let text = failure(&file, &arguments, 2);
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
    std::fs::write(&file, "{").unwrap();
    assert!(failure(&file, &[], 2).contains("is not a saved session"));
}

#[test]
fn when_the_time_is_up_the_house_plays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    // The input stays open while the clock is running.
    let mut child = std::process::Command::new(program())
        .args(["play", "--plain", "--coach", "off", "--seed", "1", "--clock", "1", "--session", file.to_str().unwrap()])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"chip 5\ndeal\n").unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap())).map(Result::unwrap);
    let mut seen: Vec<String> = Vec::new();
    for line in lines {
        seen.push(line);
        if seen.last().is_some_and(|line| line.starts_with("result of round 1")) {
            break;
        }
    }
    drop(input);
    assert!(seen.contains(&"time is up: the house plays".to_owned()), "{seen:?}");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_table_with_seats_is_played_resumed_and_recorded_as_the_table_does() {
    let folder = tempfile::tempdir().unwrap();
    let (file, history) = (folder.path().join("a.json"), folder.path().join("rounds.jsonl"));
    let history = history.to_str().unwrap();
    let options = ["-g", "pai-gow-table", "--seed", "4", "--history", history];
    let round = "deal\nbank 240\nhouse way\nconfirm\nrebet\n";
    let first = lines(&file, &options, &format!("chip 5\ndeal\nbank 1\nchip 25\n{round}deal\n"));
    assert!(first[3].starts_with("refused: a bet of 5 chips is outside the limits, 20 to 2000"), "{first:?}");
    assert!(first[4].contains("have not been dealt yet"), "{first:?}");
    let result = first.iter().find(|line| line.starts_with("result of round 1: ")).unwrap();
    assert!(result.contains("the action button goes to") && result.contains("seat 1 you"), "{result}");
    assert!(first.iter().any(|line| line.starts_with("coach: you: front ")), "{first:?}");
    assert!(first.iter().any(|line| line.starts_with("coach: EVs are for your ")), "{first:?}");
    let verify = |status: i32| {
        let answer = houseway(&["play", "-g", "pai-gow-table", "--verify", history]).code(status);
        stdout(&answer) + &stderr(&answer)
    };
    assert!(verify(0).contains("1 round replayed"));
    let text = stderr(&houseway(&["table", "--verify", history]).code(2));
    assert!(text.contains("is a history of houseway play; use houseway play -g pai-gow-table --verify"), "{text}");
    // The open round is resumed with the same cards. The history is complete although the second run didn't write it.
    let second = lines(&file, &options[..4], &round.repeat(2));
    assert!(second[1].starts_with("round 2: "), "{second:?}");
    let third = lines(&file, &options, "house way\nconfirm\n");
    assert!(third[0].contains("finished rounds: "), "{third:?}");
    let text = std::fs::read_to_string(history).unwrap();
    let rounds: usize =
        third.last().unwrap().split("finished rounds: ").nth(1).unwrap().split(';').next().unwrap().parse().unwrap();
    assert!(rounds > 2 && text.lines().count() == rounds + 2, "{rounds}: {text}");
    assert!(verify(0).contains(&format!("{rounds} rounds replayed")));
    // Another session doesn't modify the history.
    let other = folder.path().join("b.json");
    assert!(
        failure(&other, &["-g", "pai-gow-table", "--seed", "5", "--history", history], 2)
            .contains("belongs to another session")
    );
    assert_eq!(std::fs::read_to_string(history).unwrap(), text);
    std::fs::write(history, text.replacen("\"dice\":[", "\"dice\":[7,", 1)).unwrap();
    assert!(verify(1).contains("does not match its replay"));
    std::fs::write(history, "nonsense\n").unwrap();
    let text = verify(2);
    assert!(text.contains("line 1: expected ident; expected a header") && !text.contains("column"), "{text}");
    for (arguments, part) in [
        (vec!["--option", "seat=9"], "must be between 1 and 6"),
        (vec!["--option", "chair=1"], "the only option of this table is `seat`"),
        (vec!["--set", "seats=9"], "2 to 7"),
        (vec!["--banker", "nobody"], "unknown house way \"nobody\""),
    ] {
        let text = failure(&other, &[&["-g", "pai-gow-table", "--new"][..], &arguments].concat(), 2);
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
    // At a table, the banker's way is that of the house.
    lines(&other, &["-g", "pai-gow-table", "--new", "--banker", "wong"], "");
    let refused = failure(&other, &["-g", "pai-gow-table", "--banker", "foxwoods"], 2);
    assert!(refused.contains("--banker wong"), "{refused}");
}

#[test]
fn guests_are_chosen_and_stay_when_a_session_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, way) = (folder.path().join("a.json"), folder.path().join("mine.toml"));
    let text = std::fs::read_to_string(root().join("env/house-ways/wong.toml")).unwrap();
    std::fs::write(&way, text.replacen("\"wong\"", "\"mine\"", 1)).unwrap();
    let way = format!("5={},bank=always,bet=100", way.display());
    let game = ["-g", "pai-gow-table", "--seed", "4"];
    let chosen = ["--player", "2=balance-of-power,bet=60", "--player", "3=empty", "--player", &way];
    let played = lines(&file, &[&game[..], &chosen].concat(), "sit out\nchip 25\ndeal\npass\nhouse way\nconfirm\n");
    let first = played.iter().find(|line| line.starts_with("result of round 1: ")).unwrap();
    for part in ["You sit out", "seat 1 you, 1,000 chips, sits out, net 0", "seat 2 balance-of-power", "seat 3 empty"] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(first.contains("seat 4 mgm-style") && first.contains("mine in seat 5 banks"), "{first}");
    // The coach knows the banker's house way, which is a file.
    assert!(played.iter().any(|line| line.starts_with("coach: EVs are for your bet against ")), "{played:#?}");
    let resumed = lines(&file, &game[..2], "sit out\n");
    let third = resumed.iter().find(|line| line.starts_with("result of round 3: ")).unwrap();
    assert!(third.contains("seat 2 balance-of-power") && third.contains("seat 3 empty"), "{third}");
    let other = failure(&file, &[&game[..], &["--player", "2=wong"]].concat(), 2);
    assert!(other.contains("saved with --player 2=") && other.contains("--player 3=empty --player 5="), "{other}");
    std::fs::write(folder.path().join("mine.toml"), text.replacen("\"wong\"", "\"yours\"", 1)).unwrap();
    assert!(failure(&file, &game[..2], 2).contains("different rules"));
    for (player, part) in [
        ("wong", "expected seat=player"),
        ("9=wong", "players: invalid seat 9: must be between 1 and 6"),
        ("1=wong", "seat 1 is your own"),
        ("2=nobody", "players: seat 2: unknown house way \"nobody\""),
        ("2=wong,bet=5", "players: seat 2: bet = 5: must be between 20 and 2000"),
        ("2=wong,chips=5", "unknown key `chips`"),
        ("x=wong", "--player: invalid seat 'x'"),
    ] {
        let text = failure(&folder.path().join("b.json"), &[&game[..], &["--player", player]].concat(), 2);
        assert!(text.contains(part), "{player}: {text}");
    }
    let text = failure(&folder.path().join("b.json"), &["--player", "2=wong"], 2);
    assert!(text.contains("pai-gow-poker has no other seats to choose players for; try pai-gow-table"), "{text}");
    assert!(!folder.path().join("b.json").exists());
}

#[test]
fn the_rounds_of_a_session_are_listed_with_their_cost_and_replayed_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    for (game, input) in [
        ("pai-gow-poker", "chip 25\ndeal\nhouse way\nconfirm\nrebet\ndeal\nhouse way\nconfirm\nrebet\ndeal\n"),
        ("pai-gow-table", "chip 25\ndeal\npass\nhouse way\nconfirm\nsit out\nrebet\ndeal\npass\nhouse way\nconfirm\n"),
    ] {
        let file = folder.path().join(format!("{game}.json"));
        let played = lines(&file, &["-g", game, "--seed", "4"], input);
        let results = |lines: &[String]| -> Vec<String> {
            lines.iter().filter(|line| line.starts_with("result of ")).cloned().collect()
        };
        let start = ["play", "-g", game, "--session", file.to_str().unwrap(), "--review"];
        let review = |arguments: &[&str]| houseway(&[&start, arguments].concat());
        let before = std::fs::read(&file).unwrap();
        let all = stdout(&review(&[]).success());
        assert_eq!(all.matches(", cost ").count(), 2, "{all}");
        assert!(all.starts_with("round 1: net ") && all.contains("\n  you: front "), "{all}");
        // The sums are those of the session.
        let stats: Vec<&str> = played.iter().filter_map(|line| line.strip_prefix("stats: ")).collect();
        let unwrapped = all.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(stats.len() >= 3 && stats.iter().all(|line| unwrapped.contains(line)), "{all}{stats:#?}");
        let events = stdout(&review(&["--json"]).success());
        let json: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let shown = json.iter().filter(|event| event["event"] == "result").count();
        assert_eq!(shown, results(&played).len(), "{events}");
        let last = stdout(&review(&["1"]).success());
        let result = results(&last.split("\n").map(str::to_owned).collect::<Vec<_>>());
        assert!(result.len() == 1 && played.iter().any(|line| line.starts_with(result[0].trim_end())), "{last}");
        assert!(last.starts_with("round 1: ") && last.contains("\nplayed: front "), "{last}");
        let refused = stderr(&review(&["9"]).code(2));
        assert!(refused.contains("there is no round 9; the session has rounds 1 to "), "{refused}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
    let missing = folder.path().join("none.json");
    let refused = houseway(&["play", "--session", missing.to_str().unwrap(), "--review"]).code(2);
    assert!(stderr(&refused).contains("has no finished rounds"));
}

#[test]
fn new_sessions_keep_files_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let kept = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    std::fs::write(&file, "name = \"mine\"\n").unwrap();
    lines(&file, &["--new", "--seed", "5"], "");
    assert_eq!(kept("a.json.kept"), "name = \"mine\"\n");
    let session = kept("a.json");
    let drill = |more: &[&str]| drill(&file, &[&["-g", "pai-gow-tiles", "--hands", "1"], more].concat(), "quit\n");
    assert!(stderr(&drill(&[]).code(2)).contains("its kind is 'houseway-session' instead of 'houseway-drill'"));
    let text = stderr(&drill(&["--new", "--seed", "5"]).success());
    assert!(text.contains("a.json is not a saved drill: its kind is ") && text.contains("a.json.kept-2"), "{text}");
    assert_eq!(kept("a.json.kept-2"), session);
}

#[test]
fn a_damaged_session_of_a_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let options = ["-g", "pai-gow-table", "--seed", "4", "--coach", "off"];
    lines(&file, &options, "chip 25\ndeal\npass\nhouse way\nconfirm\n");
    // Without a seal, like a session of an earlier version, it is only checked when it is resumed.
    let mut saved: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    saved.as_object_mut().unwrap().remove("seal").unwrap();
    let saved = format!("{saved:#}");
    for (from, to) in
        [("\"bet\": 25.0", "\"bet\": 5.0"), ("\"past\": [", "\"past\": [{\"bets\": {}, \"actions\": [99]},")]
    {
        let damaged = saved.replacen(from, to, 9);
        assert_ne!(damaged, saved, "{from}");
        std::fs::write(&file, damaged).unwrap();
        let text = failure(&file, &options[..2], 2);
        assert!(text.contains("cannot be resumed") && text.contains("--new"), "{from}: {text}");
    }
}

#[test]
fn lines_that_are_no_text_are_refused_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let input = [&b"\x1b[A\nb\xe9t\n"[..], &b"a".repeat(20_000), b"\nhelp\nquit\n"].concat();
    for arguments in [vec!["play", "--plain", "--session", "a.json"], vec!["drill", "--session", "b.json"]] {
        let mut command = Command::new(program());
        command.current_dir(folder.path()).args(&arguments);
        let text = stdout(&command.write_stdin(input.clone()).assert().success());
        let refused: Vec<&str> = text.lines().filter(|line| line.starts_with("refused: ")).collect();
        assert_eq!(refused, ["refused: line 2 isn't UTF-8", "refused: line 3 has more than 10000 bytes"], "{text}");
        let is_ended = text.contains("\nend: bankroll 1000.00") || text.contains("\n0 hands: ");
        assert!(text.contains("\nhelp: ") && is_ended, "{text}");
    }
}

/// Runs `houseway drill` on a file.
fn drill(file: &Path, arguments: &[&str], input: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::new(program());
    command.args(["drill", "--session", file.to_str().unwrap()]).args(arguments);
    command.write_stdin(input).assert()
}

#[test]
fn a_drill_judges_answers_skips_hands_and_exports_them() {
    let folder = tempfile::tempdir().unwrap();
    let (file, export) = (folder.path().join("drill.json"), folder.path().join("answers.csv"));
    let first = narrow(&drill(&file, &["--seed", "4", "--hands", "2"], "9 9\nhouse\n1 2\n").success());
    assert!(first.starts_with("1/2: ") && first.contains("refused: '9 9' is not two cards of the hand"), "{first}");
    // A hand that is skipped isn't one of those to play.
    let skipped = drill(&folder.path().join("skip.json"), &["--seed", "4", "--hands", "1"], "skip\nhouse\n");
    let skipped = stdout(&skipped.success());
    assert!(skipped.matches("1/1: ").count() == 2 && skipped.contains("\n1 hand: "), "{skipped}");
    let events = drill(&file, &["--hands", "1", "--json", "--export", export.to_str().unwrap()], "house\n");
    let events: Vec<Value> =
        stdout(&events.success()).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        events.iter().map(|event| event["event"].as_str().unwrap()).collect::<Vec<_>>(),
        ["hand", "answer", "score"]
    );
    assert_eq!(events[1]["regret"], events[1]["house_regret"]);
    // The answers from both sittings, excluding a rejected foul.
    let answered = std::fs::read_to_string(&export).unwrap().lines().count() - 1;
    assert_eq!(answered, 2 + usize::from(!first.contains("is a foul")));
    let refused = drill(&file, &["--banker", "foxwoods"], "").code(2);
    assert!(stderr(&refused).contains("--new"));
}

#[test]
fn drills_are_offered_for_every_game_with_decisions_on_cards() {
    let folder = tempfile::tempdir().unwrap();
    for (game, cards, action) in [
        ("asian-stud", 5, "Raise"),
        ("ultimate-holdem", 2, "house"),
        ("face-up-pai-gow", 7, "1 2"),
        ("pai-gow-tiles", 4, "best with third"),
    ] {
        let file = folder.path().join(format!("{game}.json"));
        let arguments = ["-g", game, "--seed", "4", "--hands", "1", "--json"];
        let events = stdout(&drill(&file, &arguments, &format!("{action}\nhouse\n")).success());
        let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let hand = events[0]["hand"].as_str().unwrap();
        assert_eq!(hand.split(',').next().unwrap().split_whitespace().count(), cards, "{hand}");
        let answer = events.iter().find(|event| event["event"] == "answer").unwrap();
        assert_eq!(answer["hand"], *hand);
        let regret = answer["regret"].as_f64().unwrap();
        assert!((answer["best_ev"].as_f64().unwrap() - answer["ev"].as_f64().unwrap() - regret).abs() < 1e-12);
        // The saved drill belongs to the game.
        drill(&file, &[], "").code(2);
    }
    let new = folder.path().join("new.json");
    let message = stderr(&drill(&new, &["-g", "joker-seven"], "").code(2));
    narrow(&drill(&new, &["-g", "ultimate-holdem", "--seed", "4", "--hands", "1"], "house\n").success());
    assert!(message.contains("nothing to drill") && message.contains("ultimate-holdem"), "{message}");
}

#[test]
fn the_ev_of_side_bets_is_no_luck() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let input = "chip 25\nchip 5 jokolor\ndeal\nhouse way\nconfirm\nrebet\ndeal\nhouse way\nconfirm\n";
    let lines = lines(&file, &["--seed", "7"], input);
    let stats = lines.iter().find(|line| line.contains(" EV of your side bets, ")).unwrap();
    let edge = json(&["side-bet", "--json"])["ev"]["value"].as_f64().unwrap();
    assert!(stats.contains(&format!(", {:+.2} EV of your side bets", 10.0 * edge)), "{stats}");
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert!((saved["ledger"]["side_bets"].as_f64().unwrap() - 10.0 * edge).abs() < 1e-12);
}

#[test]
fn the_advice_on_a_bank_is_that_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("a.json");
    // The pass that both need is in the store.
    assert!(solved().is_object());
    let bank = json(&["bank", "trump-plaza:100", "trump-plaza:50", "--own", "25", "--json"]);
    let others = ["2=trump-plaza,bet=100", "3=trump-plaza,bet=50", "4=empty", "5=empty", "6=empty"];
    let mut command = Command::new(program());
    command
        .env("HOUSEWAY_COUNTS", counts())
        .args(["play", "-g", "pai-gow-table", "--seed", "4", "--plain", "--coach", "on", "--session"])
        .arg(&session);
    command.args(others.iter().flat_map(|player| ["--player", player]));
    let text = stdout(&command.write_stdin("chip 25\ndeal\n").assert().success());
    let told =
        |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}: {text}"));
    let (advice, kelly) = (told("coach: BANK: EV "), told("coach: Kelly fraction: "));
    let ev = match bank["ev"]["exact"] == true {
        true => bank["ev"]["low"]["value"].as_f64().unwrap(),
        false => bank["sampled"]["ev"].as_f64().unwrap(),
    };
    let best = match bank["decision"]["take"].as_bool() {
        Some(true) => "best: BANK",
        Some(false) => "best: PASS",
        None => "too close to decide",
    };
    let pass = bank["pass"]["ev"]["value"].as_f64().unwrap();
    let expected = format!("coach: BANK: EV {ev:+.2}, against bets of 150 in all; PASS: EV {pass:+.2}; {best}");
    assert_eq!(advice, expected);
    let share = 100.0 * bank["kelly_share"].as_f64().unwrap();
    assert!(kelly.starts_with(&format!("coach: Kelly fraction: {share:.1}% of the bankroll")), "{kelly}");
    assert!(kelly.ends_with("they are 15.0% of yours"), "{kelly}");
}
