//! `houseway serve` over real connections: answers, checks of host and origin, limits, hostile requests, and its end.

mod web;

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use web::{Answer, Server, encoded, root};

const HAND: &str = "As Kd Jk 7c 7d 2h 3s";

/// The document that a command prints.
fn command(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_houseway")).args(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn answers_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    let hand = encoded(HAND);
    let get = |path: &str| {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    };
    assert_eq!(get(&format!("/api/ev?hand={hand}")), command(&["ev", HAND]));
    let query = format!("/api/ev?hand={hand}&way=foxwoods&banker=wong&front=7c+7d&set.commission=0.03&set.copies=");
    let arguments =
        ["ev", HAND, "--way", "foxwoods", "--banker", "wong", "--front", "7c 7d", "--set", "commission=0.03"];
    assert_eq!(get(&query), command(&arguments));
    let query = format!("/api/set?hand={hand}&set.way.quads-with-pair=split_rule");
    assert_eq!(get(&query), command(&["set", HAND, "--set", "way.quads-with-pair=split_rule"]));
    let path = root().join("env/house-ways/mgm-style.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let checked = server.post("/api/check?set.joker-in-flush=ace", &text);
    assert_eq!(checked.json(), command(&["check", path.to_str().unwrap(), "--set", "joker-in-flush=ace"]));
    assert_eq!(get("/api/ways").as_array().unwrap().len(), 15);
    assert_eq!(server.get("/api/way?way=mgm-style").text(), text);
}

#[test]
fn the_page_of_a_hand_needs_no_scripts() {
    let server = Server::start(&[]);
    let page = server.get(&format!("/?hand={}&way=foxwoods&set.way.no-such=x", encoded(HAND)));
    let text = page.text().replace("&quot;", "\"");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8".to_owned())));
    let command =
        Command::new(env!("CARGO_BIN_EXE_houseway")).args(["ev", HAND, "--way", "foxwoods"]).output().unwrap();
    let shown = String::from_utf8(command.stdout).unwrap();
    assert!(text.contains(shown.trim()), "{text}");
    assert!(
        text.contains("<dt>Rule</dt>")
            && text.contains("Fouls, with these cards in front")
            && text.contains("class=\"mark best\"")
    );
    assert!(text.contains("<option selected>foxwoods</option>"), "{text}");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    for inline in ["<script>", "style=", "onclick", "<style"] {
        assert!(!text.contains(inline), "{inline}");
    }
    let refused = server.get("/?hand=%3Cscript%3E");
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("role=\"alert\"") && !refused.text().contains("<script>"), "{}", refused.text());
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn invalid_input_is_named() {
    let server = Server::start(&[]);
    let hand = encoded(HAND);
    for (path, status, part) in [
        ("/api/ev".to_owned(), 422, "name the hand"),
        ("/api/ev?hand=As".to_owned(), 422, "7"),
        (format!("/api/ev?hand={hand}&way=%2Fetc%2Fpasswd"), 422, "no built-in house way"),
        (format!("/api/ev?hand={hand}&banker=../my-way.toml"), 422, "no built-in house way"),
        (format!("/api/ev?hand={hand}&banker=random"), 422, "no built-in house way"),
        (format!("/api/ev?hand={hand}&set.comission=0"), 422, "comission"),
        (format!("/api/ev?hand={hand}&set.way.no-such=x"), 422, "no-such"),
        (format!("/api/set?hand={hand}&way=nope"), 422, "nope"),
        ("/api/way?way=nope".to_owned(), 422, "nope"),
        ("/api/nothing".to_owned(), 404, "no such page"),
        ("/api/jobs/7".to_owned(), 404, "no such job"),
        ("/api/jobs/..%2f".to_owned(), 404, "no such job"),
    ] {
        let answer = server.get(&path);
        let error = answer.json()["error"].as_str().unwrap_or_default().to_owned();
        assert!(answer.status == status && error.contains(part), "{path}: {} {error}", answer.status);
    }
    let text = std::fs::read_to_string(root().join("env/house-ways/mgm-style.toml")).unwrap();
    let line = text.lines().position(|line| line.starts_with("when =")).unwrap() + 1;
    let wrong = text.replacen("when = {", "when = { no-such = 1,", 1).replacen("\"mgm-style\"", "\"my-way\"", 1);
    let answer = server.post("/api/check", &wrong);
    assert_eq!((answer.status, answer.json()["line"].as_u64()), (422, Some(line as u64)), "{}", answer.text());
    for (path, part) in [
        ("/api/diff?from=nope", "nope"),
        ("/api/diff?as=dealer", "as=player"),
        ("/api/diff?set.way.a=b", "readings cannot"),
    ] {
        let answer = server.post(path, &text);
        assert!(answer.status == 422 && answer.text().contains(part), "{path}: {}", answer.text());
    }
}

#[test]
fn jobs_are_observed_and_cancelled() {
    let server = Server::start(&[]);
    let text = std::fs::read_to_string(root().join("env/house-ways/mgm-style.toml")).unwrap();
    let (jobs, refused) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    std::thread::scope(|scope| {
        // A page asks for its jobs; those that nobody asks for are cancelled, however long the next request takes.
        scope.spawn(|| {
            while !refused.load(Ordering::Relaxed) {
                let known: Vec<String> = jobs.lock().unwrap().clone();
                known.iter().for_each(|job| drop(server.get(&format!("/api/jobs/{job}"))));
                std::thread::sleep(Duration::from_millis(100));
            }
        });
        // A job may be done before the third one is requested, so the limit shows after a few requests.
        let mut answer = server.post("/api/diff?from=foxwoods", &text);
        while let (202, Some(job)) = (answer.status, answer.json()["job"].as_str()) {
            jobs.lock().unwrap().push(job.to_owned());
            answer = server.post("/api/diff?from=foxwoods", &text);
        }
        refused.store(true, Ordering::Relaxed);
        assert!(answer.status == 429 && answer.text().contains("2 jobs run already"), "{}", answer.text());
    });
    let jobs = jobs.into_inner().unwrap();
    assert!(jobs.len() >= 2, "{jobs:?}");
    for job in &jobs {
        let path = format!("/api/jobs/{job}");
        server.request("DELETE", &path, "", "");
        let begun = Instant::now();
        while server.get(&path).json()["state"] == "running" {
            assert!(begun.elapsed() < Duration::from_secs(60), "{}", server.get(&path).text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let last = server.get(&format!("/api/jobs/{}", jobs[jobs.len() - 1])).json();
    assert_eq!(last["state"], "cancelled", "{last}");
}

#[test]
fn differences_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    let path = root().join("env/house-ways/mgm-style.toml");
    let answer = server.post("/api/diff?from=foxwoods&as=banker&banker=wong", &std::fs::read_to_string(&path).unwrap());
    let path_of_job = format!("/api/jobs/{}", answer.json()["job"].as_str().unwrap());
    let result = loop {
        let job = server.get(&path_of_job).json();
        match job["state"].as_str() {
            Some("running") => std::thread::sleep(Duration::from_millis(200)),
            Some("done") => break job["result"].clone(),
            _ => panic!("{job}"),
        }
    };
    let arguments = ["diff", "foxwoods", path.to_str().unwrap(), "--as", "banker", "--banker", "wong"];
    assert_eq!(result, command(&arguments));
}

#[test]
fn other_hosts_and_other_sites_are_refused() {
    let server = Server::start(&[]);
    let status = |method: &str, path: &str, host: &str, headers: &str| {
        server.raw(format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").as_bytes()).status
    };
    let own = server.host();
    assert_eq!(status("GET", "/", &own, ""), 200);
    assert_eq!(status("GET", "/", &own.replace("127.0.0.1", "localhost"), ""), 200);
    assert_eq!(status("GET", "/", "evil.example", ""), 421);
    assert_eq!(status("GET", "/", &own.replace("127.0.0.1", "evil.example"), ""), 421);
    assert_eq!(status("POST", "/api/check", &own, "Origin: http://evil.example\r\n"), 403);
    assert_eq!(status("POST", "/api/check", &own, "Origin: null\r\n"), 403);
    assert_eq!(status("GET", "/api/ways", &own, "Sec-Fetch-Site: cross-site\r\n"), 403);
    assert_eq!(status("DELETE", "/api/jobs/1", &own, "Sec-Fetch-Site: same-site\r\n"), 403);
    assert_eq!(status("POST", "/api/check", &own, &format!("Origin: http://{own}\r\n")), 422);
    assert_eq!(server.raw(b"GET / HTTP/1.1\r\n\r\n").status, 400);
}

#[test]
fn requests_are_limited() {
    let server = Server::start(&[]);
    let host = server.host();
    let head = format!("POST /api/check HTTP/1.1\r\nHost: {host}\r\n");
    assert_eq!(server.raw(format!("{head}Content-Length: 300000\r\n\r\n").as_bytes()).status, 413);
    let large = format!("{head}Content-Length: 300000\r\n\r\n{}", "a".repeat(300_000));
    assert_eq!(server.raw(large.as_bytes()).status, 413);
    assert_eq!(server.raw(format!("{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").as_bytes()).status, 411);
    assert_eq!(server.raw(format!("{head}X: {}\r\n\r\n", "a".repeat(30_000)).as_bytes()).status, 431);
    let sets: String = (0..80).map(|i| format!("&set.r{i}=1")).collect();
    let many = server.get(&format!("/api/ev?hand={}{sets}", encoded(HAND)));
    assert!(many.status == 422 && many.text().contains("more than 64 rules"), "{}", many.text());
    // A request that never ends is ended, and others are answered in the meantime.
    let mut slow = TcpStream::connect(&host).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    assert_eq!(server.get("/").status, 200);
    let mut answer = String::new();
    slow.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    slow.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[test]
fn two_hundred_requests_at_once_are_answered() {
    let server = Server::start(&[]);
    let path = format!("/api/ev?hand={}", encoded(HAND));
    let expected = command(&["ev", HAND]);
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let requests: Vec<_> = (0..200).map(|_| scope.spawn(|| server.get(&path))).collect();
        requests.into_iter().map(|request| request.join().unwrap()).collect()
    });
    assert_eq!(answers.len(), 200);
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.json() == expected));
}

/// The request of a case: a valid one with spans replaced, cut short, or random bytes.
fn malformed(case: usize, host: &str) -> Vec<u8> {
    const PIECES: [&[u8]; 14] = [
        b"",
        b"\r\n",
        b"\n\n",
        b"\0",
        b"%",
        b"%ff",
        b"?",
        b"&set.=",
        b": ",
        b"Host: x\r\n",
        b"Content-Length: 5\r\n",
        b"\xff\xfe",
        b"../../",
        b"POST ",
    ];
    let mut state = case as u64 * 0x9E37_79B9_7F4A_7C15 + 1;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let paths =
        ["/", "/ways?way=wong", "/results/", "/api/set?hand=As+Kd+Jk+7c+7d+2h+3s", "/assets/style.css", "/api/jobs/1"];
    let valid = format!("GET {} HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\n\r\n", paths[random(paths.len())]);
    let mut bytes = valid.into_bytes();
    match random(8) {
        0 => bytes.truncate(random(bytes.len())),
        1 => bytes = (0..random(400)).map(|_| random(256) as u8).collect(),
        _ => {
            for _ in 0..=random(3) {
                let start = random(bytes.len() + 1);
                let end = (start + random(12)).min(bytes.len());
                bytes.splice(start..end, PIECES[random(PIECES.len())].iter().copied());
            }
        }
    }
    bytes
}

/// Peak memory of a process in kilobytes, as far as the system reports it.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[test]
fn malformed_requests_do_no_harm() {
    const CASES: usize = 10_000;
    let server = Server::start(&[]);
    let host = server.host();
    let send = |case: usize| {
        let mut stream = TcpStream::connect(&host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let _ = stream.write_all(&malformed(case, &host)).and_then(|()| stream.shutdown(Shutdown::Write));
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 "), "case {case}");
        assert!(!answer.starts_with(b"HTTP/1.1 500"), "case {case}");
    };
    let work = |start: usize, cases: usize| {
        std::thread::scope(|scope| {
            for worker in 0..4 {
                scope.spawn(move || (start + worker..start + cases).step_by(4).for_each(send));
            }
        });
    };
    work(0, CASES / 5);
    let before = peak(server.id());
    work(CASES / 5, CASES - CASES / 5);
    if let (Some(before), Some(after)) = (before, peak(server.id())) {
        assert!(after < before + 30_000, "{before} kB, then {after} kB");
    }
    assert_eq!(server.get("/").status, 200);
    let errors = server.end();
    assert!(!errors.contains("panicked"), "{errors}");
}

#[test]
fn reports_are_served_from_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    std::fs::create_dir_all(run.join("plots")).unwrap();
    std::fs::write(
        run.join("report.md"),
        "# A run\n\n<b>x</b> [x](javascript:alert(1))\n\n![regret](plots/regret.svg)\n",
    )
    .unwrap();
    std::fs::write(run.join("plots/regret.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    std::fs::write(run.join("provenance.json"), "{}").unwrap();
    let server = Server::start(&["--results", folder.path().to_str().unwrap()]);
    assert!(server.get("/results/").text().contains("<a href=\"/results/run/report.md\">run</a>"));
    let report = server.get("/results/run/report.md").text();
    assert!(report.contains("<h1>A run</h1>") && report.contains("src=\"plots/regret.svg\""), "{report}");
    assert!(!report.contains("<b>") && !report.contains("javascript:"), "{report}");
    let plot = server.get("/results/run/plots/regret.svg");
    assert_eq!(plot.header("content-type").as_deref(), Some("image/svg+xml"));
    assert!(plot.header("content-security-policy").unwrap().contains("sandbox"));
    std::fs::write(run.join("later.md"), "x").unwrap();
    for path in [
        "/results/run/provenance.json",
        "/results/run/later.md",
        "/results/../secret.md",
        "/results/%2e%2e/secret.md",
        "/results/run/../run/report.md",
        "/results//etc/passwd",
        "/assets/../style.css",
        "/assets/",
    ] {
        let answer = server.get(path);
        assert!(answer.status == 404 && answer.text().contains("no such page"), "{path}: {}", answer.status);
    }
    std::fs::remove_file(run.join("report.md")).unwrap();
    assert!(server.get("/results/run/report.md").text().contains("cannot be read"));
}

#[test]
fn the_server_ends_cleanly_and_names_a_port_in_use() {
    let server = Server::start(&[]);
    let port = server.host().rsplit(':').next().unwrap().to_owned();
    let second = Command::new(env!("CARGO_BIN_EXE_houseway")).args(["serve", "--port", &port]).output().unwrap();
    let errors = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(errors.contains(&format!("--port {port}")) && errors.contains("--port 0"), "{errors}");
    let errors = server.end();
    assert!(errors.contains("stopping the server") && !errors.contains("warning"), "{errors}");
    let open = Server::start(&["--address", "0.0.0.0"]);
    assert_eq!(open.get("/").status, 200);
    let errors = open.end();
    assert!(errors.contains("warning: everyone who can reach 0.0.0.0:"), "{errors}");
}

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
    let mut terminal = assert_cmd::Command::cargo_bin("houseway").unwrap();
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
    assert!(server.post(&path, "nonsense").text().contains("no command"));
    assert_eq!(server.post(&path, &"a".repeat(300)).status, 422);
    assert_eq!(server.request("DELETE", &path, "", "").json()["ended"], true);
    assert_eq!(server.get(&path).status, 404);
}

#[test]
fn every_game_is_played_by_its_buttons() {
    let server = Server::start(&[]);
    for game in houseway_env::registry::games() {
        let opened = server.post(&format!("/api/play?game={}&seed=3", game.name), "");
        assert_eq!(opened.status, 201, "{}: {}", game.name, opened.text());
        let path = format!("/api/play/{}", opened.json()["table"].as_str().unwrap());
        let mut state = server.post(&path, "coach off").json();
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
        ("/api/play?game=baccarat", 429, "16 tables"),
        ("/api/play/nope", 404, "no such table"),
        ("/api/play/../x", 404, "no such table"),
        ("/api/playing", 405, "POST"),
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
