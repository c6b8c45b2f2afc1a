//! Answers that match those of the commands, errors, and jobs.

use super::{HAND, command};
use crate::audit::{audited, compared};
use crate::common::{houseway, program, root, stdout};
use crate::web::{Server, encoded};
use serde_json::Value;
use std::time::{Duration, Instant};

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
    let query = format!("/api/ev?hand={hand}&dead={}", encoded("3c Qh"));
    let beside = get(&query);
    assert_eq!((beside["dead"].as_str(), beside["banker_hands"].as_str()), (Some("Qh 3c"), Some("38320568")));
    assert_eq!(beside, command(&["ev", HAND, "--dead", "3c Qh"]));
    assert_eq!(get(&format!("/api/ev?hand={hand}&dead=")), command(&["ev", HAND]));
    let query = format!("/api/set?hand={hand}&set.way.quads-with-pair=split_rule");
    assert_eq!(get(&query), command(&["set", HAND, "--set", "way.quads-with-pair=split_rule"]));
    let path = root().join("env/house-ways/mgm-style.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let checked = server.post("/api/check?set.joker-in-flush=ace", &text);
    assert_eq!(checked.json(), command(&["check", path.to_str().unwrap(), "--set", "joker-in-flush=ace"]));
    assert_eq!(get("/api/ways").as_array().unwrap().len(), 17);
    assert_eq!(server.get("/api/way?way=mgm-style").text(), text);
}

#[test]
fn settings_are_compared_by_their_halves() {
    let server = Server::start(&[]);
    let hand = encoded("Ac Ks Kd 8h 8d 5s 5c");
    let page = server.get(&format!("/?hand={hand}&way=wong&front={}", encoded("8h 8d"))).text();
    let heads = "<th scope=\"col\">Best, wong</th><th scope=\"col\">Chosen</th>";
    assert!(page.contains(heads) && page.contains("pair of eights") && page.contains("kings and fives, A"), "{page}");
    // A link of every setting compares it with the best one.
    assert!(page.contains(&format!("<a href=\"/?hand={hand}&amp;way=wong&amp;front=5s+5c\"")), "{page}");
    // Three pairs are always set alike, so there is nothing to drill.
    assert!(!page.contains("/drill?topic"), "{page}");
    let page = server.get(&format!("/?hand={}", encoded("Ac Ks Kd 8h 8d 5s 4c"))).text();
    assert!(page.contains("<a href=\"/drill?topic=two+pairs\">"), "{page}");
    let foul = server.get("/?hand=As+Kd+Jk+7c+7d+2h+3s&front=As+Jk").text();
    assert!(foul.contains("<td>foul</td>") && !foul.contains("+0.00000"), "{foul}");
    let json = server.get(&format!("/api/ev?hand={hand}")).json();
    let count = |setting: &serde_json::Value, key: &str| setting[key].as_str().unwrap().parse::<u64>().unwrap();
    for setting in json["settings"].as_array().unwrap().iter().filter(|setting| setting["foul"] == false) {
        let [fronts, backs] = ["lower_fronts", "lower_backs"].map(|key| count(setting, key));
        // The banker wins copies, so both halves must be higher.
        assert!(count(setting, "wins") <= fronts.min(backs) && fronts.max(backs) <= 53_524_680, "{setting}");
        assert!(fronts + backs <= 2 * count(setting, "wins") + count(setting, "pushes"), "{setting}");
    }
}

#[test]
fn hands_of_every_game_have_a_page() {
    let server = Server::start(&[]);
    let page = server.get("/analyze?game=ultimate-holdem&hand=Kh+8c&board=2c+8d+Qs");
    assert!(page.status == 200 && page.text().contains(">Play 2×</td>"), "{}", page.text());
    assert!(page.text().contains("name=\"board\" value=\"2c 8d Qs\""), "{}", page.text());
    assert!(page.text().contains("<title>Kh 8c, Ultimate Texas Hold&#39;em · Houseway</title>"), "{}", page.text());
    assert!(server.get("/").text().contains("<title>Analyze · Houseway</title>"));
    for (query, status, part) in [
        ("game=ultimate-holdem", 200, "Your hand"),
        ("game=ultimate-holdem&hand=Kh", 422, "role=\"alert\""),
        // Requests can't name files.
        ("game=face-up-pai-gow&hand=As+Kd+Jk+7c+7d+2h+3s&dealer-hand=Ah", 422, "invalid dealer hand"),
        ("game=face-up-pai-gow&hand=As+Kd+Jk+7c+7d+2h+3s&dealer=no.toml", 422, "unknown parameter"),
        ("game=asian-stud&hand=As+Kd+Qh+Jc+9s&dealer-hand=Ah", 422, "houseway ev -g asian-stud takes them"),
        ("game=ultimate-holdem&hand=Kh+8c&set.preflop-play=three", 200, "Play 3×"),
        ("game=ultimate-holdem&set.preflop-play=three", 200, "name=\"set.preflop-play\" value=\"three\""),
        ("game=ultimate-holdem&hand=Kh+8c&set.preflop=three", 422, "preflop-play"),
        ("game=ultimate-holdem&set.preflop=three", 422, "preflop-play"),
        ("game=joker-seven", 404, "choose one of pai-gow-poker, ultimate-holdem"),
    ] {
        for path in ["/analyze", "/"] {
            let page = server.get(&format!("{path}?{query}"));
            assert!(page.status == status && page.text().contains(part), "{query}: {} {}", page.status, page.text());
        }
    }
}

#[test]
fn the_page_of_a_hand_needs_no_scripts() {
    let server = Server::start(&[]);
    // A reading of another house way can be left over from a previous choice.
    let page = server.get(&format!("/?hand={}&way=foxwoods&set.way.ace-with-two-pairs=x", encoded(HAND)));
    let text = page.text().replace("&quot;", "\"");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8".to_owned())));
    let shown = stdout(&houseway(&["ev", HAND, "--way", "foxwoods"]).success());
    assert!(text.contains(shown.trim()), "{text}");
    assert!(
        text.contains("<dt>Rule</dt>")
            && text.contains("These cards in front would be a foul")
            && text.contains("class=\"mark best\"")
    );
    assert!(text.contains("<option selected>foxwoods</option>"), "{text}");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    for inline in ["<script>", "style=", "onclick", "<style"] {
        assert!(!text.contains(inline), "{inline}");
    }
    let page = server.get(&format!("/?hand={}&dead={}", encoded(HAND), encoded("3c Qh"))).text();
    let shown = stdout(&houseway(&["ev", HAND, "--dead", "3c Qh"]).success());
    assert!(
        page.replace("&quot;", "\"").contains(shown.trim()) && shown.contains("with the dead cards Qh 3c"),
        "{shown}"
    );
    assert!(page.contains("name=\"dead\" value=\"3c Qh\"") && page.contains("dead=3c"), "{page}");
    let refused = server.get(&format!("/?hand={}&dead=%22%3E%3Cscript%3E", encoded(HAND)));
    assert!(refused.status == 422 && refused.text().contains("invalid dead cards"), "{}", refused.text());
    assert!(!refused.text().contains("<script>"), "{}", refused.text());
    let refused = server.get("/?hand=%3Cscript%3E");
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("role=\"alert\"") && !refused.text().contains("<script>"), "{}", refused.text());
    for (rule, part) in [("set.way.no-such=x", "no-such"), ("set.side-bet-best=best_rank", "has no effect here")] {
        let refused = server.get(&format!("/?hand={}&{rule}", encoded(HAND)));
        assert!(refused.status == 422 && refused.text().contains(part), "{}", refused.text());
    }
    let page = server.get("/");
    assert!(page.status == 200 && !page.text().contains("side-bet-best"));
}

#[test]
fn invalid_input_is_named() {
    let server = Server::start(&[]);
    let hand = encoded(HAND);
    for (path, status, part) in [
        ("/api/ev".to_owned(), 422, "missing hand"),
        ("/api/ev?hand=As".to_owned(), 422, "7"),
        (format!("/api/ev?hand={hand}&dead=Kd"), 422, "Kd is in play"),
        (format!("/api/ev?hand={hand}&way=%2Fetc%2Fpasswd"), 422, "no built-in house way"),
        (format!("/api/ev?hand={hand}&banker=../my-way.toml"), 422, "no built-in house way"),
        (format!("/api/ev?hand={hand}&banker=random"), 422, "no built-in house way"),
        (format!("/api/ev?hand={hand}&set.comission=0"), 422, "comission"),
        (format!("/api/ev?hand={hand}&set.way.no-such=x"), 422, "no-such"),
        (format!("/api/set?hand={hand}&way=nope"), 422, "nope"),
        (format!("/api/set?hand={hand}&set.commission=0"), 422, "has no effect here"),
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
    // A job may finish before the next one is requested, so it can take more than three requests to reach the limit.
    let mut jobs = vec![];
    let refused = loop {
        let answer = server.post("/api/diff?from=foxwoods", &text);
        match answer.json()["job"].as_str() {
            Some(job) => jobs.push(format!("/api/jobs/{job}")),
            None => break answer,
        }
    };
    assert!(refused.status == 429 && refused.text().contains("2 jobs are already running"), "{}", refused.text());
    let last = jobs.last().unwrap();
    assert_eq!(server.get(last).json()["state"], "running");
    jobs.iter().for_each(|job| drop(server.request("DELETE", job, "", "")));
    let begun = Instant::now();
    while server.get(last).json()["state"] == "running" {
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", server.get(last).text());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.get(last).json()["state"], "cancelled");
}

/// Starts a job and returns its result.
fn job(server: &Server, path: &str, body: &str) -> Value {
    let answer = server.post(path, body);
    let path_of_job = format!("/api/jobs/{}", answer.json()["job"].as_str().unwrap());
    loop {
        let job = server.get(&path_of_job).json();
        match job["state"].as_str() {
            Some("running") => std::thread::sleep(Duration::from_millis(200)),
            Some("done") => break job["result"].clone(),
            _ => panic!("{job}"),
        }
    }
}

#[test]
fn differences_and_prices_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    let (difference, text) = compared();
    assert_eq!(job(&server, "/api/diff?from=trump-plaza&as=banker&banker=wong", text), *difference);
    let text = std::fs::read_to_string(root().join("env/house-ways/trump-plaza.toml")).unwrap();
    let prices = job(&server, "/api/prices?from=foxwoods&as=player&banker=trump-plaza", &text);
    let (audit, _) = audited();
    let mut rules = audit["rules"].as_array().unwrap().clone();
    rules.iter_mut().for_each(|rule| drop(rule.as_object_mut().unwrap().remove("text")));
    assert!(rules.len() > 10);
    assert_eq!(prices["rules"], Value::from(rules));
}

#[test]
fn a_drill_is_that_of_the_terminal_and_is_kept_by_the_browser() {
    let server = Server::start(&[]);
    let post = |path: &str, record: &Value| {
        let body = if record.is_null() { String::new() } else { record.to_string() };
        let answer = server.post(path, &body);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    };
    let folder = tempfile::tempdir().unwrap();
    let drill = assert_cmd::Command::new(program())
        .args(["drill", "--json", "--seed", "4", "--hands", "3", "--session"])
        .arg(folder.path().join("drill.json"))
        .write_stdin("house\n1 2\n1 3\n1 4\nskip\n")
        .output()
        .unwrap();
    let printed = String::from_utf8(drill.stdout).unwrap();
    let mut events = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut event = |kind: &str| events.find(|event| event["event"] == kind).unwrap();
    let first = post("/api/drill?seed=4", &Value::Null);
    assert_eq!(
        (&first["hand"], &first["number"], &first["review"]),
        (&event("hand")["hand"], &1.into(), &false.into())
    );
    let hand = encoded(first["hand"].as_str().unwrap());
    let house = post(&format!("/api/drill/answer?hand={hand}&action=house"), &first["record"]);
    let mut expected = event("answer");
    expected.as_object_mut().unwrap().remove("event");
    assert_eq!(house["answer"], expected);
    // The judgment, the reason if the house way is wrong, and the house way.
    let is_wrong = expected["regret"].as_f64() > Some(0.0);
    assert_eq!(house["text"].as_array().unwrap().len(), if is_wrong { 3 } else { 2 }, "{house}");
    assert_eq!(house["text"][1].as_str().unwrap().starts_with("why: your front is higher"), is_wrong, "{house}");
    assert_eq!(house["score"]["hands"], 1);
    assert!(house["score"]["text"].as_str().unwrap().starts_with("1 hand: "), "{house}");
    let second = post("/api/drill?seed=9", &house["record"]);
    assert_eq!(second["hand"], event("hand")["hand"]);
    let hand = encoded(second["hand"].as_str().unwrap());
    let skipped = post(&format!("/api/drill/answer?hand={hand}&action=skip"), &second["record"]);
    assert_eq!((&skipped["answer"], &skipped["score"]["hands"]), (&Value::Null, &1.into()));
    // Every front is judged or refused as a foul.
    let (mut judged, mut fouls) = (0, 0);
    for (a, b) in (1..=7).flat_map(|a| (a + 1..=7).map(move |b| (a, b))) {
        let path = format!("/api/drill/answer?hand={hand}&action={a}+{b}");
        let answer = server.post(&path, &second["record"].to_string());
        match answer.status {
            200 => judged += 1,
            _ => fouls += usize::from(answer.text().contains("is a foul")),
        }
    }
    assert!(judged > 0 && fouls > 0 && judged + fouls == 21, "{judged} {fouls}");
    // The page doesn't offer to confirm those.
    let known = second["fouls"].as_array().unwrap();
    assert_eq!(known.len(), fouls);
    assert!(known[0]["reason"].as_str().unwrap().contains("in front is a foul"), "{second}");
    let record = second["record"].to_string();
    for (path, body, part) in [
        ("/api/drill", "{}", "invalid drill: missing key"),
        ("/api/drill", "\u{0}", "invalid drill"),
        ("/api/drill?banker=foxwoods", &*record, "another banker"),
        ("/api/drill?banker=../x.toml", "", "../x.toml"),
        ("/api/drill?seed=x", "", "invalid seed"),
        ("/api/drill/answer?action=house", &*record, "missing hand"),
        ("/api/drill/answer?hand=As", &*record, "missing action"),
        ("/api/drill/answer?hand=As&action=house", &*record, "invalid hand 'As'"),
        (&*format!("/api/drill/answer?hand={hand}&action=9+9"), &*record, "is not two cards of the hand"),
    ] {
        let refused = server.post(path, body);
        assert!(refused.status == 422 && refused.text().contains(part), "{path}: {}", refused.text());
    }
    assert!(server.get("/drill").text().contains("houseway drill"));
    // Face Up has house ways for its dealer only.
    let asked = post("/api/drill?game=face-up-pai-gow&banker=wong&seed=4", &Value::Null);
    assert!(asked["rest"].as_str().unwrap().starts_with("The dealer sets "), "{asked}");
    let refused = server.post("/api/drill?game=face-up-pai-gow&way=wong", "");
    assert!(refused.status == 422 && refused.text().contains("no house ways to compare with"), "{}", refused.text());
}

#[test]
fn a_slash_at_the_end_of_an_address_makes_no_difference() {
    let server = Server::start(&[]);
    for path in ["/play/", "/ways/", "/drill//", "/rules/pai-gow-poker/", "/help", "/results", "/"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    assert_eq!(server.post("/results/", "").header("allow").as_deref(), Some("GET, HEAD"));
    for path in ["/nothing", "/nothing/", "//"] {
        let (status, page) = (server.get(path).status, server.get(path).text());
        assert!(
            status == 404 && page.contains("<title>Not Found") && page.contains("href=\"/play\""),
            "{path}: {page}"
        );
    }
}

#[test]
fn the_answer_or_the_error_is_at_the_top_of_the_page() {
    let server = Server::start(&[]);
    let page = |path: &str| server.get(path).text();
    let is_first = |page: &str| page.find("id=\"answer\"").unwrap() < page.find("id=\"analyse\"").unwrap();
    let start = page("/");
    assert!(start.contains("This hand is an example") && start.contains("name=\"hand\" value=\"\""), "{start}");
    assert!(start.contains("href=\"/api/ev?hand=As+Kd+Jk+7c+7d+2h+3s\""), "{start}");
    assert!(!page("/?hand=As+Kd+Jk+7c+7d+2h+3s").contains("This hand is an example"));
    for query in ["", "hand=As+Kd+Jk+7c+7d+2h+3s", "hand=As", "hand=As+Kd+Jk+7c+7d+2h+3s&set.commission=7"] {
        assert!(is_first(&page(&format!("/?{query}"))), "{query}");
    }
}

#[test]
fn the_answers_of_a_drill_are_exported_as_in_the_terminal() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let export = folder.path().join("answers.csv");
    let drill = assert_cmd::Command::new(program())
        .args(["drill", "--seed", "4", "--hands", "2", "--way", "wong", "--session"])
        .arg(folder.path().join("drill.json"))
        .arg("--export")
        .arg(&export)
        .write_stdin("house\nhouse\n")
        .output()
        .unwrap();
    assert!(drill.status.success(), "{}", String::from_utf8_lossy(&drill.stderr));
    let post = |path: &str, body: &Value| {
        let answer = server.post(path, &body.to_string());
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer
    };
    let mut asked = server.post("/api/drill?seed=4", "").json();
    for number in 1..=2 {
        let hand = encoded(asked["hand"].as_str().unwrap());
        asked = post(&format!("/api/drill/answer?way=wong&hand={hand}&action=house"), &asked["record"]).json();
        assert_eq!(asked["score"]["hands"], number);
        asked = post("/api/drill?way=wong", &asked["record"]).json();
    }
    let csv = post("/api/drill/csv", &asked["record"]);
    assert_eq!(csv.header("content-type").as_deref(), Some("text/csv; charset=utf-8"));
    assert_eq!(csv.text(), std::fs::read_to_string(&export).unwrap());
    assert_eq!(csv.text().lines().count(), 3);
    // A drill with the maximum number of answers and reviews can be exported, but not continued.
    let mut full = asked["record"].clone();
    let mut answer = full["answers"][0].clone();
    answer["house_rule"] = "a name of a rule that is longer than those of all house ways".into();
    let review = serde_json::json!({ "hand": answer["hand"], "right": 0, "due": 502 });
    full["answers"] = vec![answer; 500].into();
    full["reviews"] = vec![review; 500].into();
    assert_eq!(post("/api/drill/csv", &full).text().lines().count(), 501);
    for (path, body, part) in [
        ("/api/drill", full.to_string(), "download its 500 answers"),
        ("/api/drill/csv", String::new(), "missing drill"),
        ("/api/drill/csv", "[]".to_owned(), "invalid drill"),
    ] {
        let refused = server.post(path, &body);
        assert!(refused.status == 422 && refused.text().contains(part), "{path}: {}", refused.text());
    }
}
