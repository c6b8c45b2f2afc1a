//! Tests for data sets of logged decisions.

use super::common::{document, houseway_in, refused_in};
use assert_cmd::assert::Assert;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, ListAccessor, Row, RowAccessor};
use std::fs::{self, File};
use std::path::Path;

fn dataset(folder: &Path, arguments: &[&str]) -> Assert {
    houseway_in(folder, &[&["dataset"], arguments].concat())
}

fn rows(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

/// Returns the index of a column.
fn column(row: &Row, name: &str) -> usize {
    row.get_column_iter().position(|(other, _)| other == name).unwrap_or_else(|| panic!("{name}"))
}

fn long(row: &Row, name: &str) -> i64 {
    row.get_long(column(row, name)).unwrap()
}

fn double(row: &Row, name: &str) -> f64 {
    row.get_double(column(row, name)).unwrap()
}

/// Returns the EV of each action, or `None` if it's illegal. The mask must agree.
fn evs(row: &Row) -> Vec<Option<f64>> {
    let [evs, mask] = ["evs", "mask"].map(|name| row.get_list(column(row, name)).unwrap());
    let found = (0..evs.len()).map(|action| Some(evs.get_double(action).unwrap()).filter(|ev| !ev.is_nan()));
    let found: Vec<Option<f64>> = found.collect();
    assert!((0..mask.len()).all(|action| mask.get_bool(action).unwrap() == found[action].is_some()));
    assert_eq!(mask.len(), evs.len());
    found
}

/// Estimates from the rewards alone must agree with the exact EVs.
#[test]
fn estimates_from_logged_rewards_come_near_the_exact_evs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let common = ["--episodes", "1500", "--seed", "7", "--exploration", "0.5", "--exact", "sample", "--json"];
    let answer = document(&dataset(folder.path(), &[&["--out", "one"][..], &common].concat()).success());
    assert_eq!((answer["decisions"].as_u64(), answer["game"].as_str()), (Some(1500), Some("pai-gow-poker")));
    let rows = rows(&path("one.parquet"));
    assert_eq!(rows.len(), 1500);
    let sums = rows.iter().enumerate().fold([[0.0; 2]; 4], |mut sums, (episode, row)| {
        assert_eq!((row.get_ulong(column(row, "episode")).unwrap(), long(row, "step")), (episode as u64, 0));
        let (evs, propensity, reward) = (evs(row), double(row, "propensity"), double(row, "reward"));
        let [action, best, house] = ["action", "best", "house"].map(|name| long(row, name) as usize);
        let legal: Vec<f64> = evs.iter().flatten().copied().collect();
        let uniform = 1.0 / legal.len() as f64;
        let expected = 0.5 * uniform + if action == house { 0.5 } else { 0.0 };
        assert!((propensity - expected).abs() < 1e-12 && evs[action].is_some());
        assert!(legal.iter().all(|ev| *ev <= evs[best].unwrap()));
        // For each policy, add the exact EV and the estimate from the logged reward.
        let target = |probability: f64| probability * reward / propensity;
        let mean = legal.iter().sum::<f64>() * uniform;
        let own = |of: usize| if action == of { 1.0 } else { 0.0 };
        let policies = [
            [mean, target(uniform)],
            [0.5 * mean + 0.5 * evs[house].unwrap(), reward],
            [evs[house].unwrap(), target(own(house))],
            [evs[best].unwrap(), target(own(best))],
        ];
        for (sum, policy) in sums.iter_mut().zip(policies) {
            (sum[0], sum[1]) = (sum[0] + policy[0], sum[1] + policy[1]);
        }
        sums
    });
    let names = ["uniformly random", "logging policy", "trump-plaza", "optimum"];
    for (i, (name, [exact, estimate])) in names.into_iter().zip(sums.map(|sum| sum.map(|it| it / 1500.0))).enumerate() {
        let stated = &answer["policies"][i];
        assert_eq!(stated["policy"], name);
        assert!((stated["ev"].as_f64().unwrap() - exact).abs() < 1e-9, "{name}");
        // Weighted rewards have a standard deviation of up to 1.4.
        assert!((estimate - exact).abs() < 4.5 * 1.4 / 1500f64.sqrt(), "{name}: {estimate} {exact}");
    }
    let card = fs::read_to_string(path("one.md")).unwrap();
    assert!(card.contains("With a probability of 0.5") && card.contains("| power rating"), "{card}");
    for name in ["propensity", "evs", "house"] {
        assert!(card.contains(&format!("| `{name}` ")), "{card}");
    }
}

#[test]
fn threads_do_not_matter_and_the_seed_does() {
    let folder = tempfile::tempdir().unwrap();
    let log = |out: &str, seed: &str, threads: &str| {
        let common = ["-g", "joker-seven", "--episodes", "300"];
        let own = ["--out", out, "--seed", seed, "--threads", threads];
        dataset(folder.path(), &[&common[..], &own].concat()).success();
        rows(&folder.path().join(format!("{out}.parquet")))
    };
    let [one, two, other] = [log("one", "3", "1"), log("two", "3", "2"), log("other", "4", "2")];
    // Compare them as text, because NaN isn't equal to itself.
    let [first, second, third] = [&one, &two, &other].map(|rows| format!("{rows:?}"));
    assert!(first == second && first != third);
    assert!(one.iter().all(|row| row.get_column_iter().any(|field| field == (&"house".to_owned(), &Field::Null))));
}

#[test]
fn a_game_with_too_many_deals_is_evaluated_on_a_sample() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path(), &["-g", "face-up-pai-gow", "--episodes", "9", "--out", "log"]).success();
    let card = fs::read_to_string(folder.path().join("log.md")).unwrap();
    assert!(card.contains("a sample of 100 deals"), "{card}");
}

#[test]
fn bad_requests_are_refused_before_any_file_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let requests = [
        (&["--exploration", "1.5"][..], "a probability from 0 to 1"),
        (&["--episodes", "0"], "--episodes"),
        (&["-g", "asian-stud", "--exploration", "0.5", "--episodes", "10"], "omit --exploration"),
        (&["-g", "asian-stud", "--banker", "foxwoods"], "has no house ways"),
        (&["-g", "pai-gow-table"], "no solver"),
        (&["-g", "joker-seven", "--observation", "raw"], "has the encodings"),
        (&["--set", "comission=0.04"], "comission"),
    ];
    refused_in(folder.path(), &["dataset", "--out", "log"], &requests);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::write(folder.path().join("log.md"), "notes").unwrap();
    let again = (&["-g", "joker-seven", "--episodes", "5"][..], "log.md already exists");
    refused_in(folder.path(), &["dataset", "--out", "log"], &[again]);
}
