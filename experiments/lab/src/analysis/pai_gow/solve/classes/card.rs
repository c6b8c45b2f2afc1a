//! The card of a class table.

use super::rows::Rows;
use crate::report::Report;
use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::{Hand, RankSplit};
use houseway_exact::answer::TextTable;
use houseway_exact::format::grouped;
use houseway_exact::pai_gow::matchup::Question;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// The split whose size is stated.
const SPLIT: RankSplit = RankSplit { held_out: 0.1, seed: 0 };

/// The numbers of classes and hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    classes: u64,
    hands: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TableSize {
    all: Count,
    /// The part that the split holds out.
    held_out: Count,
}

impl TableSize {
    pub(super) fn add(&mut self, rows: &Rows) {
        for (&class, &orbit) in rows.class.iter().zip(&rows.orbit) {
            let hand = Hand::new(Classes::seven().hand(class as usize)).expect("a class has seven cards");
            let held_out = SPLIT.is_held_out(hand).then_some(&mut self.held_out);
            for count in [Some(&mut self.all), held_out].into_iter().flatten() {
                (count.classes, count.hands) = (count.classes + 1, count.hands + orbit as u64);
            }
        }
    }
}

/// Returns the card of the table in the file `path`. `about` is the file's metadata.
pub(super) fn card(
    path: &Path,
    about: &BTreeMap<&'static str, String>,
    question: &Question,
    size: TableSize,
) -> String {
    let text = |key: &str| about.get(key).map_or("", String::as_str);
    let json = |key: &str| -> Map<String, Value> { serde_json::from_str(text(key)).unwrap_or_default() };
    let (columns, checksums) = (json("columns"), json("sha256"));
    let word = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let part = match text("shard") {
        "" => String::new(),
        shard => format!(" This is shard {shard}."),
    };
    let of = |count: Count| [grouped(count.classes), grouped(count.hands)];
    let training =
        Count { classes: size.all.classes - size.held_out.classes, hands: size.all.hands - size.held_out.hands };
    let sizes = [("all", size.all), ("training", training), ("validation", size.held_out)];
    let code = |key: &str| format!("`{}`", text(key));
    Report::new(format!("Class table {}", path.file_name().unwrap_or_default().to_string_lossy()))
        .text(format!(
            "The exact wins and losses of all 21 settings of the {}'s hands in Pai Gow Poker, with one row per class. A class \
             contains the hands that are equal up to a permutation of suits.{part}",
            text("side")
        ))
        .heading("Columns")
        .table(["class", "cards", "orbit", "wins", "losses", "best", "best_ev", "way", "way_ev"].into_iter().fold(
            TextTable::new(["column", "meaning", "SHA-256 of its values"]),
            |table, name| {
                table.row([
                    format!("`{name}`"),
                    word(columns.get(name)),
                    format!("`{}`", word(checksums.get(name))),
                ])
            },
        ))
        .text(format!(
            "The checksums are those of the values row by row, in little-endian order. Settings are numbered by the {}.",
            text("settings")
        ))
        .heading("Size")
        .table(sizes.into_iter().fold(TextTable::new(["part", "rows", "hands"]).right_from(1), |table, (name, count)| {
            let [classes, hands] = of(count);
            table.row([name.to_owned(), classes, hands])
        }))
        .text(format!(
            "The split puts hands with the same ranks into the same part, because they often have nearly the same EVs. In Python, \
             `houseway.tables.is_held_out(cards, {0}, {1})` returns `True` for the validation part, and so does \
             `RankSplit {{ held_out: {0:?}, seed: {1} }}` in the crate houseway-env.",
            SPLIT.held_out, SPLIT.seed
        ))
        .heading("Game")
        .table(
            TextTable::new(["", ""])
                .row(["player", &strategy(&question.player, question.player_hash.as_ref())])
                .row(["banker", &strategy(&question.banker, question.banker_hash.as_ref())])
                .row(["strategy in the column `way`", &format!("{}, hash {}", text("way"), code("way_hash"))])
                .row(["rules", &code("rules")])
                .row(["hash of the rules", &code("rules_hash")]),
        )
        .heading("Provenance")
        .table(
            TextTable::new(["", ""])
                .row(["command", &code("command")])
                .row(["format", &code("format")])
                .row(["version", &format!("houseway {}, commit {}", text("version"), text("commit"))]),
        )
        .markdown()
}

/// Describes the strategy of a side. A best response has no hash.
fn strategy(name: &str, hash: Option<&String>) -> String {
    hash.map_or_else(|| name.to_owned(), |hash| format!("{name}, hash `{hash}`"))
}
