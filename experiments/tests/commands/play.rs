//! `houseway play --plain`: commands in, one line per event out.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

fn play(session: &Path, arguments: &[&str], input: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("houseway").unwrap();
    command.args(["play", "--plain", "--session", session.to_str().unwrap()]).args(arguments);
    command.write_stdin(input).assert()
}

fn lines(session: &Path, arguments: &[&str], input: &str) -> Vec<String> {
    let answer = play(session, arguments, input).success();
    let text = String::from_utf8(answer.get_output().stdout.clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn failure(session: &Path, arguments: &[&str], status: i32) -> String {
    let answer = play(session, arguments, "").code(status);
    String::from_utf8(answer.get_output().stderr.clone()).unwrap()
}

#[test]
fn a_session_is_played_resumed_and_replayed_by_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, history) = (folder.path().join("a.json"), folder.path().join("rounds.jsonl"));
    let history = history.to_str().unwrap();
    let options = ["--seed", "7", "--history", history];
    let first = lines(&file, &options, "chip 25\nchip 5 jokolor\ndeal\nconfirm\nhouse way\n");
    assert!(
        first[0].starts_with("session: Pai Gow Poker") && first[0].ends_with("0 rounds played, seed 7"),
        "{first:?}"
    );
    assert_eq!(
        first[2..4],
        ["bets: BET 25.00, JOKOLOR 0.00; bankroll 1000.00", "bets: BET 25.00, JOKOLOR 5.00; bankroll 1000.00"]
    );
    assert!(first[4].starts_with("round 1: player ") && first[4].contains("; JOKOLOR "), "{}", first[4]);
    assert_eq!(first[5], "refused: choose 2 cards first");
    assert!(first[6].starts_with("choice: front ") && first[6].ends_with("; CONFIRM or UNDO"), "{}", first[6]);
    assert_eq!(first.last().unwrap(), "end: 0 rounds played, bankroll 1000.00; saved");
    // The dealt cards are still on the table, so the player cannot escape them.
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
    Command::cargo_bin("houseway").unwrap().args(["play", "--verify", history]).assert().success();
    let changed = std::fs::read_to_string(history).unwrap().replacen("\"rewards\":[", "\"rewards\":[9.5,", 1);
    std::fs::write(history, changed).unwrap();
    let refused = Command::cargo_bin("houseway").unwrap().args(["play", "--verify", history]).assert().code(1);
    let text = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
    assert!(text.contains("does not match its replay"), "{text}");
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
    assert_eq!((events[12]["net"].as_f64(), events[12]["bankroll"].as_f64()), (Some(-10.0), Some(990.0)));
    assert!(events[4]["text"].as_str().unwrap().contains("check EV"), "{}", events[4]);
}

#[test]
fn options_that_do_not_fit_are_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    lines(&file, &["--seed", "5"], "");
    for (arguments, part) in [
        (vec!["--seed", "6"], "a session with the seed 5"),
        (vec!["-g", "asian-stud"], "a different game"),
        (vec!["--set", "commission=0.04"], "different rules"),
        (vec!["--set", "comission=0.04"], "comission"),
        (vec!["--banker", "nobody"], "nobody"),
        (vec!["--bankroll", "50"], "a bankroll of 1000.00"),
        (vec!["-g", "baccarat"], "no game 'baccarat'"),
        (vec!["--new", "--option", "chips=5"], "chips"),
    ] {
        let text = failure(&file, &arguments, 2);
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
    let text = lines(&file, &["--new", "--seed", "6", "--bankroll", "50"], "chip 100\n");
    assert!(text[0].contains("bankroll 50.00") && text[2].contains("can lose up to 100.00"), "{text:?}");
    std::fs::write(&file, "{").unwrap();
    assert!(failure(&file, &[], 2).contains("is not a saved session"));
}

#[test]
fn when_the_time_is_up_the_house_plays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    // The input stays open while the clock is running.
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("houseway"))
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

/// Runs `houseway drill` on a file and returns its output.
fn drill(file: &Path, arguments: &[&str], input: &str) -> String {
    let mut command = Command::cargo_bin("houseway").unwrap();
    command.args(["drill", "--session", file.to_str().unwrap()]).args(arguments);
    let answer = command.write_stdin(input).assert().success();
    String::from_utf8(answer.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_drill_judges_answers_repeats_its_hands_and_exports_them() {
    let folder = tempfile::tempdir().unwrap();
    let (file, export) = (folder.path().join("drill.json"), folder.path().join("answers.csv"));
    let first = drill(&file, &["--seed", "4", "--hands", "2"], "9 9\nhouse\n1 2\n");
    assert!(first.lines().all(|line| line.chars().count() <= 80), "{first}");
    assert!(first.starts_with("1/2: ") && first.contains("refused: '9 9' is not two cards of the hand"), "{first}");
    let hands =
        |text: &str| text.lines().filter(|line| line.starts_with("1/2: ")).map(str::to_owned).collect::<Vec<_>>();
    let again = drill(&folder.path().join("again.json"), &["--seed", "4", "--hands", "2"], "quit\n");
    assert_eq!(hands(&again), hands(&first));
    let events = drill(&file, &["--hands", "1", "--json", "--export", export.to_str().unwrap()], "house\n");
    let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        events.iter().map(|event| event["event"].as_str().unwrap()).collect::<Vec<_>>(),
        ["hand", "answer", "score"]
    );
    assert_eq!(events[1]["regret"], events[1]["house_regret"]);
    // The answers from both sittings, excluding a rejected foul.
    let answered = std::fs::read_to_string(&export).unwrap().lines().count() - 1;
    assert_eq!(answered, 2 + usize::from(!first.contains("is a foul")));
    let mut other = Command::cargo_bin("houseway").unwrap();
    other.args(["drill", "--session", file.to_str().unwrap(), "--banker", "foxwoods"]).write_stdin("");
    let refused = other.assert().code(2);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("--new"));
}
