//! Tables for playing.

use crate::common::program;
use crate::web::{Answer, Server};
use serde_json::Value;
use std::time::{Duration, Instant};

#[test]
fn a_round_at_a_table_is_that_of_the_terminal() {
    let server = Server::start(&[]);
    let opened = server.post("/api/play?game=pai-gow-poker&seed=7", "");
    assert_eq!(opened.status, 201, "{}", opened.text());
    let path = format!("/api/play/{}", opened.json()["table"].as_str().unwrap());
    let line = |text: &str| {
        let answer = server.post(&path, text);
        assert_eq!(answer.status, 200, "{text}: {}", answer.text());
        answer.json()
    };
    assert_eq!(opened.json()["phase"], "betting");
    let lines = ["chip 25", "chip 5 jokolor", "deal", "house way", "confirm"];
    let states: Vec<Value> = lines.iter().map(|text| line(text)).collect();
    assert_eq!((states[2]["cards"].as_array().unwrap().len(), &states[2]["phase"]), (7, &Value::from("deciding")));
    assert_eq!(states[3]["chosen"].as_array().unwrap().len(), 2);
    let result = states[4]["events"].as_array().unwrap().iter().find(|event| event["event"] == "result").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("session.json");
    let mut terminal = assert_cmd::Command::new(program());
    terminal.args(["play", "--plain", "--json", "--seed", "7", "--session", session.to_str().unwrap()]);
    let printed = terminal.write_stdin(lines.join("\n")).output().unwrap().stdout;
    let events = String::from_utf8(printed).unwrap();
    let mut events = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert_eq!(Some(result), events.find(|event| event["event"] == "result").as_ref());
    let begun = Instant::now();
    let judged = loop {
        let state = server.get(&path).json();
        if state["waiting"] == false {
            break state;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{state}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(judged["summary"][1].as_str().unwrap().starts_with("1 judged: "), "{judged}");
    assert_eq!(judged["chart"].as_array().unwrap().len(), 2);
    let refused = line("confirm");
    assert_eq!(refused["events"][0]["event"], "refused");
    assert!(server.post(&path, "nonsense").text().contains("unknown command"));
    assert_eq!(server.post(&path, &"a".repeat(300)).status, 422);
    assert_eq!(server.request("DELETE", &path, "", "").json()["ended"], true);
    assert_eq!(server.get(&path).status, 404);
}

#[test]
fn a_table_with_seats_hides_what_a_person_cannot_see() {
    let server = Server::start(&[]);
    let opened = server.post("/api/play?game=pai-gow-table&seed=4", "").json();
    let path = format!("/api/play/{}", opened["table"].as_str().unwrap());
    let line = |text: &str| server.post(&path, text).json();
    assert_eq!((opened["felt"]["seats"].as_array().unwrap().len(), &opened["clock"]), (7, &Value::Null));
    let few = line("chip 5");
    assert!(few["refusal"].as_str().unwrap().contains("20 to 2000"), "{few}");
    assert!(few["buttons"].as_array().unwrap().iter().all(|button| button["label"] != "DEAL"), "{few}");
    line("chip 25");
    let offered = line("deal");
    assert!(offered["picks"] == false && offered["cards"].as_array().unwrap().is_empty(), "{offered}");
    let labels: Vec<&str> =
        offered["buttons"].as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["PASS", "BANK 60", "BANK 120", "BANK 180", "BANK 240"]);
    let cup = line("bank 240");
    let labels: Vec<&str> = cup["buttons"].as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect();
    assert_eq!((labels, &cup["felt"]["dice"]), (vec!["SHAKE THE DICE"], &Value::Array(vec![])), "{cup}");
    assert!(cup["cards"].as_array().unwrap().is_empty() && !cup["felt"].to_string().contains("Dice"), "{cup}");
    let setting = line("shake");
    let seats = setting["felt"]["seats"].as_array().unwrap();
    let is_shown = |seat: &Value| seat["hand"][0]["cards"].as_str().is_some_and(|cards| !cards.contains('?'));
    let shown = |seats: &[Value]| seats.iter().filter(|seat| is_shown(seat)).count();
    assert!(shown(seats) == 1 && setting["felt"]["dice"].as_array().unwrap().len() == 3, "{setting}");
    assert!(seats.iter().any(|seat| seat["has_button"] == true) && seats[1]["is_banker"] == true, "{setting}");
    line("house way");
    let over = line("confirm");
    assert_eq!((shown(over["felt"]["seats"].as_array().unwrap()), &over["phase"]), (6, &Value::from("over")));
}

#[test]
fn the_server_keeps_the_time() {
    let server = Server::start(&[]);
    for clock in ["0", "3601", "x", "-1"] {
        let refused = server.post(&format!("/api/play?game=pai-gow-table&clock={clock}"), "");
        assert!(refused.status == 422 && refused.text().contains("invalid clock"), "{}", refused.text());
    }
    let open = |seconds: u32| {
        let opened = server.post(&format!("/api/play?game=pai-gow-table&seed=4&clock={seconds}"), "").json();
        let path = format!("/api/play/{}", opened["table"].as_str().unwrap());
        server.post(&path, "chip 25");
        (server.post(&path, "deal").json(), path)
    };
    // Don't send any requests until the time for both the bank and the hand is up. A single request makes at most one
    // late decision, so the server has made the other one. On a busy machine, this can take longer than on an idle one.
    let late = [3, 10, 30].map(Duration::from_secs).into_iter().find_map(|silence| {
        let (dealt, path) = open(1);
        assert!(dealt["clock"]["left"].as_f64().unwrap() <= 1.0 && dealt["clock"]["limit"] == 1.0, "{dealt}");
        std::thread::sleep(silence);
        let late = server.post(&path, "bank 240").json();
        let kinds: Vec<&str> =
            late["events"].as_array().unwrap().iter().map(|event| event["event"].as_str().unwrap()).collect();
        let expected = ["time-up", "played", "dealt", "time-up", "played", "result"];
        assert!(kinds.starts_with(&expected[..3]), "{late}");
        kinds.starts_with(&expected).then_some(late)
    });
    let late = late.expect("the server makes both decisions within half a minute");
    assert_eq!((&late["phase"], &late["clock"]), (&Value::from("over"), &Value::Null));
    let seats = late["felt"]["seats"].as_array().unwrap();
    assert!(seats[1]["is_banker"] == false && late["felt"]["notes"].to_string().contains("Your time was up"), "{late}");
    // Other tables have their own clocks.
    let (_, slow) = open(600);
    let state = server.get(&slow).json();
    assert!(state["phase"] == "deciding" && state["clock"]["left"].as_f64().unwrap() > 500.0, "{state}");
}

#[test]
fn every_game_is_played_by_its_buttons() {
    let server = Server::start(&[]);
    for game in houseway_env::registry::games() {
        let opened = server.post(&format!("/api/play?game={}&seed=3", game.name), "");
        assert_eq!(opened.status, 201, "{}: {}", game.name, opened.text());
        let path = format!("/api/play/{}", opened.json()["table"].as_str().unwrap());
        let mut state = server.post(&path, "coach off").json();
        if let Some(spot) = state["spots"].as_array().unwrap().first() {
            state = server.post(&path, &format!("chip 25 {}", spot["title"].as_str().unwrap())).json();
        }
        for step in 0.. {
            if state["rounds"].as_u64() >= Some(1) {
                break;
            }
            assert!(step < 200, "{}: {state}", game.name);
            let buttons = state["buttons"].as_array().unwrap();
            let button = buttons.iter().find(|button| button["first"] == true).unwrap_or(&buttons[0]);
            let answer = server.post(&path, button["line"].as_str().unwrap());
            assert_eq!(answer.status, 200, "{}: {button}: {}", game.name, answer.text());
            state = answer.json();
            assert!(state["events"].as_array().unwrap().iter().all(|event| event["event"] != "refused"), "{state}");
        }
    }
}

#[test]
fn tables_are_limited() {
    let server = Server::start(&[]);
    let open = || server.post("/api/play?game=joker-seven", "");
    let tables: Vec<Answer> = (0..16).map(|_| open()).collect();
    assert!(tables.iter().all(|answer| answer.status == 201));
    let refused = open();
    assert!(refused.status == 429 && refused.text().contains("16 tables"), "{}", refused.text());
    server.request("DELETE", &format!("/api/play/{}", tables[3].json()["table"].as_str().unwrap()), "", "");
    assert_eq!(open().status, 201);
    for (path, status, part) in [
        ("/api/play?game=joker-seven", 429, "16 tables"),
        ("/api/play?game=baccarat", 422, "baccarat"),
        ("/api/play/nope", 404, "no such table"),
        ("/api/play/../x", 404, "no such table"),
        ("/api/playing", 404, "no such page"),
    ] {
        let answer = server.post(path, "");
        assert!(answer.status == status && answer.text().contains(part), "{path}: {} {}", answer.status, answer.text());
    }
    let other = Server::start(&[]);
    for (path, part) in [
        ("?game=baccarat", "baccarat"),
        ("?seed=x", "seed"),
        ("?bankroll=0", "bankroll"),
        ("?set.no-such=1", "no-such"),
    ] {
        let answer = other.post(&format!("/api/play{path}"), "");
        assert!(answer.status == 422 && answer.text().contains(part), "{path}: {} {}", answer.status, answer.text());
    }
}

#[test]
fn the_other_seats_are_chosen_and_a_round_is_sat_out() {
    let server = Server::start(&[]);
    let query = "game=pai-gow-table&seed=4&option.seat=3&player.2=wong,bet=60,bank=always&player.4=empty";
    let opened = server.post(&format!("/api/play?{query}"), "");
    assert_eq!(opened.status, 201, "{}", opened.text());
    let opened = opened.json();
    let names = |state: &Value| {
        let seats = state["felt"]["seats"].as_array().unwrap().iter();
        seats.map(|seat| seat["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&opened), ["house", "claridge", "wong", "you", "empty", "golden-nugget", "mgm-style"]);
    let path = format!("/api/play/{}", opened["table"].as_str().unwrap());
    let over = server.post(&path, "sit out").json();
    assert_eq!((&over["phase"], &over["bankroll"], &over["rounds"]), (&"over".into(), &1000.0.into(), &1.into()));
    assert_eq!(over["felt"]["seats"][3]["outcome"], "sits out", "{over}");
    assert_eq!(over["chart"].as_array().unwrap().len(), 2);
    let labels: Vec<&str> =
        over["buttons"].as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["NEW GAME", "SIT OUT"]);
    for (query, part) in [
        ("game=pai-gow-table&player.2=../../my-way.toml", "no built-in house way \"../../my-way.toml\"; choose one of"),
        ("game=pai-gow-table&player.2=way%3D/etc/passwd", "no built-in house way"),
        ("game=pai-gow-table&player.2=wong,bet=1", "seat 2: bet = 1"),
        ("game=pai-gow-table&player.2=wong&player.2=wong", "the parameter 'player.2' is given twice"),
        ("game=pai-gow-table&player.8=wong", "invalid seat 8"),
        ("game=pai-gow-table&option.seat=2&player.2=wong", "seat 2 is your own"),
        ("game=pai-gow-poker&player.2=empty", "has no other seats"),
        ("game=pai-gow-poker&player.2=wong", "has no other seats"),
        ("game=pai-gow-poker&option.chair=2", "chair"),
    ] {
        let refused = server.post(&format!("/api/play?{query}"), "");
        let error = refused.json()["error"].as_str().unwrap_or_default().to_owned();
        assert!(refused.status == 422 && error.contains(part), "{query}: {error}");
    }
    let page = server.get("/play").text();
    assert!(page.contains("data-seat=\"6\"") && page.contains("<option value=\"mgm-style\">"), "{page}");
}

#[test]
fn the_coach_of_a_closed_page_stops_and_starts_again() {
    let server = Server::start(&[]);
    let opened = server.post("/api/play?game=ultimate-holdem&seed=3", "").json();
    let path = format!("/api/play/{}", opened["table"].as_str().unwrap());
    // The decision before the flop takes about a second.
    server.post(&path, "chip 5");
    assert_eq!(server.post(&path, "deal").json()["phase"], "deciding");
    let coach = format!("{path}/coach");
    let paused = server.request("DELETE", &coach, "", "").json();
    assert_eq!((&paused["paused"], &paused["table"]), (&true.into(), &opened["table"]));
    assert_eq!((server.get(&coach).status, server.post(&coach, "").status), (405, 405));
    assert_eq!(server.request("DELETE", "/api/play/none/coach", "", "").status, 404);
    let begun = Instant::now();
    let advised = loop {
        let state = server.get(&path).json();
        if state["waiting"] == false {
            break state;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{state}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(advised["advice"][0].as_str().unwrap().contains("EV"), "{advised}");
}

#[test]
fn guests_have_the_chosen_chips() {
    let server = Server::start(&[]);
    let opened = server.post("/api/play?game=pai-gow-table&player.2=wong,bankroll=90", "").json();
    assert_eq!(opened["felt"]["seats"][2]["chips"], 90);
    let refused = server.post("/api/play?game=pai-gow-table&player.2=wong,bankroll=1", "");
    assert!(refused.status == 422 && refused.text().contains("bankroll = 1"), "{}", refused.text());
}

#[test]
fn advice_is_chosen_before_a_table_is_opened() {
    let server = Server::start(&[]);
    for mode in ["on", "after", "off"] {
        assert_eq!(server.post(&format!("/api/play?coach={mode}"), "").json()["coach"], mode);
    }
    let refused = server.post("/api/play?coach=never", "");
    assert!(refused.status == 422 && refused.text().contains("on, off, after"), "{}", refused.text());
}
