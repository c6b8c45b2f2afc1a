//! Tests for `houseway audit`, `diff` and `compare` as a user runs them.

use super::common::{houseway, json, narrow, refused, stdout};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::DEALS;
use houseway_exact::pai_gow::matchup::{BankedBy, Pair, PairTotals};
use houseway_exact::pai_gow::whole::Run;
use predicates::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

const TEXT: &str = include_str!("../../../../env/house-ways/trump-plaza.toml");

fn count(json: &Value) -> u64 {
    json.as_str().unwrap().parse().unwrap()
}

fn sum(list: &Value, key: &str) -> f64 {
    list.as_array().unwrap().iter().map(|entry| entry[key].as_f64().unwrap()).sum()
}

/// Writes a modified copy of the built-in way to a file.
fn changed(folder: &Path, from: &str, to: &str) -> String {
    assert!(TEXT.contains(from), "{from}");
    let path = folder.join("changed.toml");
    // A file with the name of a built-in way must have the same content, so the copy needs another name.
    let text = TEXT.replacen(from, to, 1).replacen("name = \"trump-plaza\"", "name = \"changed\"", 1);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Audits the built-in way as the player's way, only once, and returns the result and its folder.
pub(super) fn audited() -> &'static (Value, TempDir) {
    static AUDITED: LazyLock<(Value, TempDir)> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new/audit");
        let found = json(&["audit", "trump-plaza", "--json", "--out", out.to_str().unwrap()]);
        (found, folder)
    });
    &AUDITED
}

#[test]
fn an_audit_adds_up() {
    let (found, _) = audited();
    assert_eq!((found["way"].as_str(), found["banker"].as_str()), (Some("trump-plaza"), Some("trump-plaza")));
    let [ev, best, regret] = ["ev", "optimal_ev", "regret"].map(|key| found[key].as_f64().unwrap());
    assert!((best - ev - regret).abs() < 1e-15 && regret > 0.0);
    assert!((sum(&found["rules"], "ev_lost") - regret).abs() < 1e-12);
    let hands: u64 = found["rules"].as_array().unwrap().iter().map(|rule| count(&rule["hands"])).sum();
    assert_eq!((hands, count(&found["hands"])), (154_143_080, 154_143_080));
    assert_eq!((count(&found["uncovered"]), count(&found["fouls"])), (0, 0));
    assert_eq!(count(&found["wins"]) + count(&found["pushes"]) + count(&found["losses"]), DEALS);
    // These are the deals that `houseway solve` counts. The engine's tests have the same integers.
    assert_eq!([count(&found["wins"]), count(&found["losses"])], [2_360_723_961_772_804, 2_467_480_314_035_240]);
    for class in found["classes"].as_array().unwrap() {
        assert!(class["best_ev"].as_f64().unwrap() > class["plays_ev"].as_f64().unwrap(), "{class}");
        assert!(count(&class["suboptimal_hands"]) <= count(&class["hands"]));
    }
    for halves in ["fronts", "backs"] {
        let halves = found[halves].as_array().unwrap();
        assert_eq!(halves.iter().map(|half| count(&half["hands"])).sum::<u64>(), 154_143_080);
        let deals = |key: &str| halves.iter().map(|half| count(&half[key])).sum::<u64>();
        assert_eq!(deals("beats") + deals("copies") + deals("beaten"), DEALS);
    }
    assert_eq!(found["readings"].as_array().unwrap().len(), 3);
}

#[test]
#[ignore = "takes 10 s to evaluate all deals with another reading"]
fn the_price_of_a_reading_is_the_difference_of_two_counts() {
    let game = Game::new(Rules::default());
    let base = Way::named("trump-plaza").unwrap();
    let mut other = base.clone();
    other.choose("pair-with-complete-hand", "break").unwrap();
    let [base, other] = [base, other].map(|way| HouseWay::shared(way, &game).unwrap());
    let pair = Pair::new([(&other).into(), (&base).into()], &game, BankedBy::House).unwrap();
    let other = PairTotals::new(pair.question.clone(), None, pair.count(&Run::default(), &[]).unwrap()).ev();
    let exact = |key: &str| audited().0["ev_exact"][key].as_str().unwrap().parse::<i128>().unwrap();
    let difference = other - Ratio::new(exact("numerator"), exact("denominator"));
    let priced = audited().0["readings"].as_array().unwrap().iter();
    let mut priced = priced.filter(|it| it["name"] == "pair-with-complete-hand");
    let exact = &priced.next().unwrap()["ev_change_exact"];
    assert_eq!(exact["numerator"].as_str(), Some(difference.numerator().to_string().as_str()));
    assert_eq!(exact["denominator"].as_str(), Some(difference.denominator().to_string().as_str()));
}

#[test]
fn an_audit_leaves_a_report_with_plots_and_tables() {
    let folder = audited().1.path().join("new/audit");
    let report = fs::read_to_string(folder.join("report.md")).unwrap();
    for part in [
        "complete and legal",
        "EV lost by rule",
        "two pairs KK 66, single ace",
        "houseway audit trump-plaza",
        "2h 3s\" --way trump-plaza --banker trump-plaza\n",
        "diff trump-plaza my-changed-way.toml --as player --banker trump-plaza\n",
    ] {
        assert!(report.contains(part), "{part}");
    }
    for figure in report.lines().filter_map(|line| line.split_once("](plots/")) {
        let figure = figure.1.trim_end_matches(')');
        assert!(folder.join("plots").join(figure).exists(), "{figure}");
    }
    let classes = fs::read_to_string(folder.join("tables/classes.csv")).unwrap();
    assert!(classes.lines().count() > 1000 && classes.starts_with("class,rule,hands,"));
    let written: Value = serde_json::from_str(&fs::read_to_string(folder.join("results.json")).unwrap()).unwrap();
    assert_eq!(written, audited().0);
}

#[test]
#[ignore = "takes 30 s to audit a house way as the banker, over all deals"]
fn a_banker_is_audited_too_within_eighty_columns() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("audit");
    let text = stdout(&houseway(&["audit", "trump-plaza", "--as", "banker", "--out", out.to_str().unwrap()]).success());
    let head = text.lines().take_while(|line| !line.starts_with("The report:"));
    head.for_each(|line| assert!(line.chars().count() <= 80, "{line}"));
    assert!(text.contains("as the banker, against trump-plaza as the player"), "{text}");
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(
        report.contains("my-changed-way.toml --as banker --banker trump-plaza\n") && !report.contains("houseway ev")
    );
    let found: Value = serde_json::from_str(&fs::read_to_string(out.join("results.json")).unwrap()).unwrap();
    // The bank receives what the player loses, and the best banker does better.
    assert_eq!(found["ev"].as_f64(), audited().0["ev"].as_f64().map(|ev| -ev));
    assert_eq!(found["wins"], audited().0["losses"]);
    assert!(found["optimal_ev"].as_f64() > found["ev"].as_f64());
    assert!((sum(&found["rules"], "ev_lost") - found["regret"].as_f64().unwrap()).abs() < 1e-12);
}

#[test]
#[ignore = "takes 25 s to audit another house way over all deals"]
fn a_bad_rule_is_found() {
    let rule = "[[rule]]\nname = \"torn\"\ntext = \"A card of the lower pair in front.\"\nplay = { front = \"low-pair single\" }\n\
                when = { shape = \"two pairs\", low-pair = \"2-4\" }\n\n[[rule]]";
    let folder = tempfile::tempdir().unwrap();
    let file = changed(folder.path(), "[[rule]]", rule);
    let out = folder.path().join("audit");
    let found = json(&["audit", &file, "--json", "--against", "trump-plaza", "--out", out.to_str().unwrap()]);
    let rules = found["rules"].as_array().unwrap();
    let costliest = rules.iter().max_by(|a, b| a["ev_lost"].as_f64().partial_cmp(&b["ev_lost"].as_f64()).unwrap());
    assert_eq!(costliest.unwrap()["name"], "torn");
    assert!(count(&found["dominated"]) > 0 && count(&costliest.unwrap()["dominated"]) > 0);
    assert_eq!(found["classes"][0]["rule"], "torn");
    // Without the added rule, its hands fall through to the original rules and its entire cost is regained.
    let without = costliest.unwrap()["without"]["ev_change"].as_f64().unwrap();
    let before = audited().0["ev"].as_f64().unwrap();
    assert!((found["ev"].as_f64().unwrap() + without - before).abs() < 1e-12);
}

/// Compares the built-in way as the bank with a modified copy, only once, and returns the result and the copy's text.
pub(super) fn compared() -> &'static (Value, String) {
    static COMPARED: LazyLock<(Value, String)> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let kept = "low-pair = \"2-6\", single = \"K-A\"";
        let file = changed(folder.path(), kept, "low-pair = \"2-5\", single = \"K-A\"");
        let found = json(&["diff", "trump-plaza", &file, "--as", "banker", "--banker", "wong", "--json"]);
        (found, fs::read_to_string(file).unwrap())
    });
    &COMPARED
}

#[test]
fn a_difference_is_told_with_its_hands() {
    let (found, _) = compared();
    let classes = found["classes"].as_array().unwrap();
    assert_eq!(classes.iter().map(|class| count(&class["hands"])).sum::<u64>(), count(&found["hands_changed"]));
    assert!((sum(&found["classes"], "ev_change") - found["ev_change"].as_f64().unwrap()).abs() < 1e-12);
    assert!(classes.iter().all(|class| class["class"].as_str().unwrap().starts_with("two pairs")));
    assert_eq!(
        (&classes[0]["from_rule"], &classes[0]["to_rule"]),
        (&"two pairs kept, king or ace".into(), &"two pairs split".into())
    );
}

#[test]
#[ignore = "takes 10 s to compare two house ways over all deals"]
fn a_difference_as_the_banker_fits_eighty_columns() {
    let text = narrow(&houseway(&["diff", "trump-plaza", "claridge", "--as", "banker"]).success());
    assert!(text.contains("as the banker"), "{text}");
}

#[test]
#[ignore = "takes 1 min to compare house ways several times, over all deals"]
fn a_comparison_keeps_its_passes() {
    let folder = tempfile::tempdir().unwrap();
    // A copy without comments has the same content as the built-in way.
    let file = folder.path().join("copy.toml");
    fs::write(&file, TEXT.replacen("# 1 -- five aces", "# five aces", 1)).unwrap();
    let file = file.to_str().unwrap().to_owned();
    let out = folder.path().join("compare");
    let out = out.to_str().unwrap();
    let counts = folder.path().join("counts");
    let kept = ["--counts", counts.to_str().unwrap()];
    let first = json(&[&["compare", "trump-plaza", "--json", "--out", out][..], &kept].concat());
    let entries = || fs::read_dir(&counts).unwrap().map(|entry| entry.unwrap().path());
    let times = || entries().map(|path| path.metadata().unwrap().modified().unwrap()).collect::<Vec<_>>();
    assert_eq!(entries().count(), 3);
    let ev = audited().0["ev"].as_f64().unwrap();
    assert_eq!(first["ev"][0][0].as_f64(), Some(ev));
    assert_eq!(first["optimal_player"][0], audited().0["optimal_ev"]);
    assert!(first["optimal_banker"][0].as_f64().unwrap() < ev);
    // With a single way, only its two best responses bound the value of optimal play on both sides.
    assert_eq!(first["value_bounds"]["lower"], first["optimal_banker"][0]);
    assert_eq!(first["value_bounds"]["upper"], first["optimal_player"][0]);
    // The file sets all hands like the built-in way, so the passes are the same as in the first run, except for the
    // names.
    let written = times();
    let again = json(&[&["compare", "trump-plaza", "--json", "--out", out][..], &kept].concat());
    assert_eq!((again, times()), (first, written));
    // A modified entry is recomputed.
    for path in entries() {
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace(",\"pushes\":", "0,\"pushes\":")).unwrap();
    }
    let other = ["compare", "trump-plaza", &file, "--out", out];
    let other = [&other[..], &kept].concat();
    houseway(&other).code(2).stderr(predicate::str::contains("--force"));
    let two = houseway(&[&other[..], &["--force"]].concat()).success();
    let two = two.stderr(predicate::str::contains("its checksum does not match its content").count(3));
    let text = stdout(&two);
    let head = text.lines().take_while(|line| !line.starts_with("The report:"));
    head.for_each(|line| assert!(line.chars().count() <= 80, "{line}"));
    assert!(text.contains("trump-plaza (2)") && text.contains("2.7246"), "{text}");
    assert!(text.contains("the edge is between 2.44"), "{text}");
    assert!(Path::new(out).join("plots/edges.png").exists());
}

#[test]
fn bad_usage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let incomplete =
        changed(folder.path(), "when = { shape = \"no pair\" }", "when = { shape = \"no pair\", single = \"2-K\" }");
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    refused(&[
        (&["audit", "nobody", "--out", out], "unknown house way \"nobody\""),
        (&["audit", "trump-plaza", "--as", "dealer", "--out", out], "dealer"),
        (&["audit", &incomplete, "--out", out], "has no rule for"),
        (&["audit", "trump-plaza", "--set", "way.straights=keep", "--out", out], "straights"),
        (&["audit", "-g", "asian-stud", "trump-plaza", "--out", out], "asian-stud"),
        (&["audit", "trump-plaza", "--set", "bank-pushes=nine_high_front", "--out", out], "houseway solve"),
        (&["audit"], "<WAY>"),
        (&["diff", "trump-plaza"], "<B>"),
        (&["diff", "trump-plaza", "nobody"], "nobody"),
        (&["compare", "nobody", "--out", out], "nobody"),
    ]);
    assert!(!Path::new(out).exists(), "the arguments should be checked before anything is written");
}
