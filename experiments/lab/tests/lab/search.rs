//! Tests for `houseway search` as a user runs it.

use super::common::{json, refused_in, root};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules};
use serde_json::Value;
use std::path::Path;

#[test]
fn bad_questions_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("found");
    let out = out.to_str().unwrap();
    let search = [
        (&["--length", "0"][..], "from 1 to 40"),
        (&["--length", "9..3"], "like 4..12"),
        (&["--length", "many"], "like 4..12"),
        (&["--words", "sums"], "pair-sum"),
        (&["--width", "1000"], "from 1 to 64"),
        (&["--objective", "median"], "mean, worst"),
        (&["--max-words", "5"], "10"),
        (&["--as", "dealer"], "dealer"),
        (&["--banker", "trump-plaza,nobody"], "nobody"),
        (&["--change", "2"], "--fix"),
        (&["--fix", "nobody"], "nobody"),
        (&["--fix", "foxwoods", "--change", "9"], "1 to 8"),
        (&["--fix", "foxwoods", "--length", "4"], "--length"),
        (&["--length", "4", "--rules", "absent.toml"], "absent.toml"),
        (&["-g", "asian-stud"], "asian-stud"),
    ];
    refused_in(Path::new("."), &["search", "--out", out], &search);
    assert!(!Path::new(out).exists(), "the arguments should be checked before anything is written");
}

#[test]
#[ignore = "takes 2 min to search for lists with two and three rules and for a change to a sheet, over all deals"]
fn found_lists_and_changes_are_house_ways_with_the_stated_ev() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let out = path("found");
    let found = json(&["search", "--length", "2..3", "--width", "1", "--json", "--out", &out]);
    assert_eq!(found["as"], "player");
    let ways = found["ways"].as_array().unwrap();
    assert_eq!(ways.iter().map(|way| way["rules"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 3]);
    for way in ways {
        let file = way["file"].as_str().unwrap();
        let solved = json(&["solve", "--player", file, "--banker", "trump-plaza", "--json"]);
        assert_eq!(solved["ev_exact"], way["ev_exact"], "{file}");
        let checked = json(&["check", file, "--json"]);
        assert_eq!((checked["uncovered"].as_str(), checked["warnings"].as_array().unwrap().len()), (Some("0"), 0));
        assert!(way["proven_gap"].as_f64().unwrap() >= 0.0);
        assert!(way["per_rule"].as_array().unwrap().iter().all(|rule| rule["hands"] != "0"));
    }
    assert!(ways[1]["regret"].as_f64() < ways[0]["regret"].as_f64());
    for file in ["report.md", "plots/front-by-rules.png", "results.json"] {
        assert!(folder.path().join("found").join(file).exists(), "{file}");
    }
    let single = json(&["search", "--length", "1", "--json", "--out", &path("single")]);
    assert_eq!(single["ways"][0]["sheet"].as_array().unwrap().len(), 1);
    let changed = path("changed.toml");
    let fixed = json(&["search", "--fix", "trump-plaza", "--width", "1", "--json", "--out", &changed]);
    let text = std::fs::read_to_string(&changed).unwrap();
    assert!(
        text.starts_with("# Changed by houseway search --fix; the following comments are those of trump-plaza.\n# ")
    );
    let text = std::fs::read_to_string(ways[0]["file"].as_str().unwrap()).unwrap();
    assert!(text.starts_with("# A complete hand is a straight, a flush, a straight flush or a royal flush."), "{text}");
    let difference = json(&["diff", "trump-plaza", &changed, "--json"]);
    assert_eq!(difference["ev_change_exact"], fixed["by_number"][0]["ev_change_exact"]);
    assert!(difference["ev_change"].as_f64().unwrap() > 0.0005);
    // Removing rules that the change makes redundant doesn't change anything else.
    let changes = fixed["changes"].as_array().unwrap();
    assert_eq!(changes.iter().filter(|change| change["ev_change"].as_f64() != Some(0.0)).count(), 1);
    let question = "search --length 2 --width 1 --banker trump-plaza,wong --objective worst --json --out";
    let worst = path("worst");
    let worst = json(&question.split(' ').chain([worst.as_str()]).collect::<Vec<_>>());
    let report = std::fs::read_to_string(folder.path().join("worst/report.md")).unwrap();
    assert!(report.contains("means over the opponents") && report.contains("the best responses have a mean EV"));
    // The limits of rules are changes of the EV in the report, too.
    let rules = worst["ways"][0]["per_rule"].as_array().unwrap().iter();
    let limits = rules.flat_map(|rule| rule["limits"].as_array().unwrap());
    let moved = limits.filter_map(|limit| Some((limit["limit"].as_str()?, limit["lower"].as_f64()?)));
    let moved: Vec<(&str, f64)> = moved.filter(|(_, change)| change.abs() > 1e-6).collect();
    assert!(moved.iter().any(|&(_, change)| change < 0.0), "{moved:?}");
    for (name, change) in moved {
        let text = format!("{name}: {:+.4}% /", 100.0 * change);
        assert!(report.contains(&text), "{text}");
    }
    let report = std::fs::read_to_string(folder.path().join("found/report.md")).unwrap();
    assert!(!report.contains("mean"), "there is nothing to average with one opponent");
    let regrets = worst["ways"][0]["regret_by_opponent"].as_array().unwrap();
    let value = |regret: &Value| regret["value"].as_f64().unwrap();
    let greatest = regrets.iter().map(value).fold(0.0, f64::max);
    assert_eq!((regrets.len(), worst["ways"][0]["regret"].as_f64()), (2, Some(greatest)));
}

/// All keys in the committed results are explained in the book, and no number is a negative zero.
#[cfg(unix)]
#[test]
fn keys_of_the_results_are_documented() {
    let root = root();
    let page = std::fs::read_to_string(root.join("experiments/book/src/reference/json.md")).unwrap();
    let docs = page.split_once("\n## Searches\n").unwrap().1.split("\n## ").next().unwrap();
    let words: std::collections::BTreeSet<&str> =
        docs.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    // These keys occur inside opponents, situations and limits, or stand for names of rules and readings.
    let known = ["readings", "situation", "regrets", "list", "limit", "NAME"];
    for run in ["player", "banker", "casinos"] {
        let text = std::fs::read_to_string(root.join("results/search").join(run).join("results.json")).unwrap();
        assert!(!text.contains("-0.0,") && !text.contains("-0.0\n"), "{run}");
        let keys = super::reference::keys_of(&serde_json::from_str(&text).unwrap());
        let keys: std::collections::BTreeSet<&str> = keys.values().flatten().map(String::as_str).collect();
        assert!(keys.len() > 30, "{run}");
        let missing: Vec<&&str> = keys.iter().filter(|key| !words.contains(*key) && !known.contains(*key)).collect();
        assert!(missing.is_empty(), "{run}: {missing:?}");
    }
}

/// The built-in lists are the same as in the committed results, and short enough for a dealer.
#[test]
fn built_in_lists_are_the_committed_ones() {
    let results = root().join("results/search/player/results.json");
    let results: Value = serde_json::from_slice(&std::fs::read(results).unwrap()).unwrap();
    let ways = results["ways"].as_array().unwrap();
    // The maximum regret allowed for each list, in percent of the stake.
    for (rules, most) in [(4, 0.23), (6, 0.12), (8, 0.060), (12, 0.029), (20, 0.018)] {
        let found = ways.iter().find(|way| way["rules"] == rules).unwrap();
        let way = Way::named(&format!("houseway-{rules}")).unwrap();
        let compiled = HouseWay::compile(way.clone(), &Game::new(Rules::default())).unwrap();
        assert_eq!((way.rules().len(), compiled.hash().as_str()), (rules, found["hash"].as_str().unwrap()));
        assert!(100.0 * found["regret"].as_f64().unwrap() <= most, "{rules} rules");
        assert!(way.style_warnings().is_empty(), "{rules} rules");
        assert!(way.rules().iter().all(|rule| rule.bounds() <= 4), "{rules} rules");
        assert!(way.rules().iter().map(|rule| rule.words()).sum::<usize>() <= 35 * rules, "{rules} rules");
    }
}
