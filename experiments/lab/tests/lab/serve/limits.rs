//! Checks of host and origin, limits, and hostile requests.

use super::{HAND, command};
use crate::web::{Answer, Server, encoded};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

#[test]
fn other_hosts_and_other_sites_are_refused() {
    let server = Server::start(&[]);
    let status = |method: &str, path: &str, host: &str, headers: &str| {
        server.raw(format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").as_bytes()).status
    };
    let own = server.host();
    assert_eq!(status("GET", "/", &own, ""), 200);
    assert_eq!(status("GET", "/", "evil.example", ""), 421);
    assert_eq!(status("POST", "/api/check", &own, "Origin: http://evil.example\r\n"), 403);
    assert_eq!(status("DELETE", "/api/jobs/1", &own, "Sec-Fetch-Site: same-site\r\n"), 403);
    assert_eq!(server.raw(b"GET / HTTP/1.1\r\n\r\n").status, 400);
}

#[test]
fn requests_are_limited() {
    let server = Server::start(&[]);
    let host = server.host();
    let head = format!("POST /api/check HTTP/1.1\r\nHost: {host}\r\n");
    let large = format!("{head}Content-Length: 300000\r\n\r\n{}", "a".repeat(300_000));
    assert_eq!(server.raw(large.as_bytes()).status, 413);
    let sets: String = (0..80).map(|i| format!("&set.r{i}=1")).collect();
    let many = server.get(&format!("/api/ev?hand={}{sets}", encoded(HAND)));
    assert!(many.status == 422 && many.text().contains("more than 64 rules"), "{}", many.text());
    for (query, part) in [
        ("nonsense=1", "unknown parameter 'nonsense'; expected one of hand, dead"),
        ("commission=0", "unknown parameter 'commission'"),
        ("dead=9s&dead=9h", "the parameter 'dead' is given twice"),
        ("game=asian-stud", "these addresses are for pai-gow-poker"),
    ] {
        let refused = server.get(&format!("/api/ev?hand={}&{query}", encoded(HAND)));
        assert!(refused.status == 422 && refused.text().contains(part), "{}", refused.text());
    }
    // A page ignores what it doesn't know, and its link leaves that out.
    for query in ["hand=", "x=1&dead=9s&dead=9h&hand=2c+2d+3h+4s+5c+7d+9c"] {
        let page = server.get(&format!("/?{query}")).text();
        let link = page.split("id=\"json\" href=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert_eq!(server.get(&link.replace("&amp;", "&")).status, 200, "{link}");
    }
}

#[test]
fn addresses_refuse_other_methods_and_parameters() {
    let server = Server::start(&[]);
    for (method, path, status, part) in [
        ("POST", "/api/play?game=pai-gow-poker&bankrol=50", 422, "'bankrol'; did you mean bankroll?"),
        ("POST", "/api/play?optoin.chips=3", 422, "unknown parameter 'optoin.chips'"),
        ("GET", "/api/play/7?coach=on", 422, "unknown parameter 'coach'; this address has none"),
        ("POST", "/api/drill?bannker=wong", 422, "did you mean banker?"),
        ("POST", "/api/drill?action=skip", 422, "unknown parameter 'action'"),
        ("POST", "/api/drill/answer?hands=9", 422, "did you mean hand?"),
        ("GET", "/api/way?way=wong&foo=1", 422, "unknown parameter 'foo'"),
        ("GET", "/api/ways?foo=1", 422, "this address has none"),
        ("GET", "/api/jobs/7?foo=1", 422, "this address has none"),
        ("POST", "/api/check?way=wong", 422, "unknown parameter 'way'"),
        ("POST", "/api/diff?form=wong", 422, "did you mean from?"),
        ("POST", "/api/prices?from=wong&from=wong", 422, "is given twice"),
        ("POST", "/api/ways", 405, "GET, HEAD"),
        ("DELETE", "/api/ways", 405, "GET, HEAD"),
        ("GET", "/api/check", 405, "POST"),
        ("HEAD", "/api/diff", 405, "POST"),
        ("GET", "/api/drill", 405, "POST"),
        ("DELETE", "/api/ev", 405, "GET, HEAD, POST"),
        ("POST", "/api/jobs/7", 405, "GET, HEAD, DELETE"),
        ("POST", "/api/play/7/rounds", 405, "GET, HEAD"),
        ("PUT", "/api/play/7", 405, "GET, HEAD, POST, DELETE"),
        ("PUT", "/play", 405, "GET, HEAD"),
        ("PUT", "/nothing", 404, "no such page"),
        ("GET", "/results/nope/curves/data", 404, "{\n  \"error\": \"there is no such page\"\n}"),
    ] {
        let answer = server.request(method, path, "", "");
        let found = if status == 405 { answer.header("allow").unwrap_or_default() } else { answer.text() };
        let is_found = if status == 405 { found == part } else { found.contains(part) };
        assert!(answer.status == status && is_found, "{method} {path}: {} {found}", answer.status);
    }
    // The same mistake has the same words as on the command line.
    let text = "name = \"my-way\"\nfoo = 1\n";
    let answer = server.post("/api/check", text);
    assert!(answer.status == 422 && answer.text().contains("unknown key `foo`"), "{}", answer.text());
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

/// Returns the request for a test case. It consists of random bytes or is a valid request that was truncated or had
/// parts replaced.
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

/// Returns a process's peak memory in kilobytes, if the system reports it.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[test]
fn malformed_requests_do_no_harm() {
    const CASES: usize = 10_000;
    let server = Server::start(&[]);
    let host = server.host();
    // A request that is never completed times out, and other requests are served in the meantime.
    let mut slow = TcpStream::connect(&host).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\n").unwrap();
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
    let mut answer = String::new();
    slow.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    slow.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    let errors = server.end();
    assert!(!errors.contains("panicked"), "{errors}");
}
