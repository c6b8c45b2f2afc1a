//! The page of figures that were published elsewhere, beside ours.
//!
//! Run `HOUSEWAY_WRITE_REFERENCE=1 cargo test --release -p houseway-lab published -- --ignored` to compute all figures
//! again and write the page.

use super::common::{json, root};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

const PAGE: &str = "experiments/book/src/results/published.md";

#[derive(Deserialize)]
struct File {
    figure: Vec<Figure>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    what: String,
    source: String,
    published: String,
    /// The standard error of a simulation, in the unit of the published figure.
    error: Option<f64>,
    command: String,
    key: String,
    of: Option<String>,
    #[serde(default = "one")]
    scale: f64,
    #[serde(default)]
    slow: bool,
    reason: Option<String>,
}

fn one() -> f64 {
    1.0
}

fn number(answer: &Value, key: &str) -> f64 {
    let value = answer.pointer(key).unwrap_or_else(|| panic!("no {key} in {answer}"));
    value.as_f64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_else(|| panic!("{key} is {value}"))
}

impl Figure {
    /// Returns the row for the front of a hand, of which the ranks are published.
    fn front_row(&self, answer: &Value) -> String {
        let best = &answer["settings"][answer["best"].as_u64().unwrap() as usize];
        let front = best["front"].as_str().unwrap();
        let ours: String = front.split(' ').map(|card| &card[..1]).collect();
        let agreement = match (&self.reason, ours == self.published) {
            (None, true) => "the published front",
            (Some(reason), false) => reason,
            _ => panic!("{}: {ours} is not {}, or needs no reason", self.what, self.published),
        };
        format!("{}{ours} | | {agreement} | `houseway {}` |\n", self.cited(), self.command)
    }

    /// Returns our figure, from the answer of the command.
    fn ours(&self, answer: &Value) -> f64 {
        let of = self.of.as_ref().map_or(1.0, |key| number(answer, key));
        self.scale * number(answer, &self.key) / of
    }

    /// Returns the row of the page. It has two more digits than a published figure with decimal places.
    fn row(&self, ours: f64) -> String {
        let digits = self.published.trim_end_matches('%').split_once('.').map_or(0, |(_, digits)| digits.len());
        let published: f64 = self.published.trim_end_matches('%').parse().unwrap();
        let difference = published - ours;
        let agrees = match self.error {
            Some(error) => difference.abs() < 2.0 * error,
            None => format!("{ours:.digits$}") == format!("{published:.digits$}"),
        };
        let reason = match (&self.reason, agrees, self.error) {
            (Some(reason), false, _) => reason.clone(),
            (None, true, Some(error)) => format!("within two standard errors of the simulation ({error} each)"),
            (None, true, None) => "the published digits".to_owned(),
            (None, false, _) => panic!("{}: {ours} differs from {}, which needs a reason", self.what, self.published),
            (Some(_), true, _) => panic!("{}: {ours} is {}, which needs no reason", self.what, self.published),
        };
        let places = if digits == 0 { 0 } else { digits + 2 };
        let unit = if self.published.ends_with('%') { "%" } else { "" };
        format!(
            "{}{ours:.places$}{unit} | {difference:+.places$} | {reason} | `houseway {}` |\n",
            self.cited(),
            self.command,
        )
    }

    /// Returns the first cells of the row, which need no computation.
    fn cited(&self) -> String {
        format!("| {} | [{key}](../bibliography.md#{key}) | {} | ", self.what, self.published, key = self.source)
    }
}

fn figures() -> Vec<Figure> {
    let text = fs::read_to_string(root().join("experiments/book/published.toml")).unwrap();
    toml::from_str::<File>(&text).unwrap().figure
}

/// Returns the rows of these figures. Each command runs once.
fn rows<'a>(figures: impl Iterator<Item = &'a Figure>) -> String {
    let mut answers: BTreeMap<&str, Value> = BTreeMap::new();
    let mut rows = String::new();
    for figure in figures {
        let answer = answers.entry(&figure.command).or_insert_with(|| {
            let arguments: Vec<&str> = figure.command.split(' ').chain(["--json"]).collect();
            json(&arguments)
        });
        let is_front = figure.key == "/best";
        rows += &if is_front { figure.front_row(answer) } else { figure.row(figure.ours(answer)) };
    }
    rows
}

#[test]
fn published_figures_are_beside_ours() {
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let bibliography = fs::read_to_string(root().join("experiments/book/src/bibliography.md")).unwrap();
    let figures = figures();
    for figure in &figures {
        assert!(bibliography.contains(&format!("\n### {}\n", figure.source)), "{}", figure.source);
        assert!(page.contains(&figure.cited()), "{}", figure.what);
    }
    for row in rows(figures.iter().filter(|figure| !figure.slow)).lines() {
        assert!(page.contains(row), "{PAGE} is stale: it should have the row {row}");
    }
}

#[test]
#[ignore = "takes 5 minutes to compute all figures that were published elsewhere"]
fn all_published_figures_are_beside_ours() {
    let figures = figures();
    let page = format!(
        "# Published elsewhere, and ours\n\n\
         Figures about these games that were published elsewhere, each with its source, our exact figure, the difference in the\n\
         published unit, and the reason if the digits differ. A test computes this page with the commands in its last column.\n\n\
         | figure | source | published | ours | difference | agreement | command |\n\
         |:--|:--|--:|--:|--:|:--|:--|\n{}",
        rows(figures.iter())
    );
    let path = root().join(PAGE);
    if std::env::var_os("HOUSEWAY_WRITE_REFERENCE").is_some() {
        fs::write(path, page).unwrap();
    } else {
        assert_eq!(fs::read_to_string(path).unwrap(), page);
    }
}
