//! Row groups arranged as columns, with a checksum for each column, and the card of a class table.

use super::spill::{GROUP, Groups, Record};
use crate::report::Report;
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Hand, RankSplit, Setting, settings_in};
use houseway_env::seal::hex;
use houseway_exact::answer::{Section, TextTable};
use houseway_exact::format::grouped;
use houseway_exact::pai_gow::BANKER_HANDS;
use houseway_exact::pai_gow::matchup::Question;
use houseway_exact::pai_gow::whole::Payoff;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The placeholder for the wins and losses of a foul.
pub(super) const FOUL: i32 = -1;

/// A group's columns in class order, leaving out classes that weren't enumerated.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) class: Vec<i32>,
    /// The cards, with seven per row.
    pub(super) cards: Vec<i32>,
    pub(super) orbit: Vec<i32>,
    /// The wins, with 21 per row.
    pub(super) wins: Vec<i32>,
    /// The losses, with 21 per row.
    pub(super) losses: Vec<i32>,
    pub(super) best: Vec<i32>,
    pub(super) best_ev: Vec<f64>,
    pub(super) way: Vec<i32>,
    pub(super) way_ev: Vec<f64>,
}

impl Rows {
    pub(super) fn read(groups: &mut Groups, group: usize, payoff: Payoff) -> io::Result<Rows> {
        let mut records: Vec<Record> = Vec::with_capacity(GROUP);
        groups.read(group, |record| records.push(record))?;
        records.sort_unstable_by_key(|record| record.place);
        let mut rows = Rows::default();
        rows.wins.reserve(records.len() * Setting::COUNT);
        rows.losses.reserve(records.len() * Setting::COUNT);
        for record in &records {
            rows.push(group * GROUP + record.place, record, payoff);
        }
        Ok(rows)
    }

    fn push(&mut self, class: usize, record: &Record, payoff: Payoff) {
        let hand = Hand::new(Classes::seven().hand(class)).expect("a class has seven cards");
        self.class.push(class as i32);
        self.cards.extend(hand.cards().map(|card| card.index() as i32));
        self.orbit.push(orbit(hand.set()) as i32);
        let start = self.wins.len();
        self.wins.resize(start + Setting::COUNT, FOUL);
        self.losses.resize(start + Setting::COUNT, FOUL);
        let mut best: Option<(i64, usize)> = None;
        let mut way_gain = 0;
        for (setting, &(wins, losses)) in settings_in(record.legal).zip(&record.counts) {
            let i = setting.index();
            (self.wins[start + i], self.losses[start + i]) = (wins as i32, losses as i32);
            let gain = payoff.gain(wins.into(), losses.into());
            // If several settings are equally good, keep the first one.
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, i));
            }
            if i == usize::from(record.way) {
                way_gain = gain;
            }
        }
        let (best_gain, best) = best.expect("every hand has a legal setting");
        let stakes = BANKER_HANDS as f64 * f64::from(Rate::WHOLE);
        let ev = |gain: i64| gain as f64 / stakes - payoff.fee().value();
        self.best.push(best as i32);
        self.best_ev.push(ev(best_gain));
        self.way.push(record.way.into());
        self.way_ev.push(ev(way_gain));
    }
}

/// The SHA-256 of each column's values, in row order.
#[derive(Default)]
pub(super) struct Checksums([Sha256; COLUMNS.len()]);

const COLUMNS: [&str; 9] = ["class", "cards", "orbit", "wins", "losses", "best", "best_ev", "way", "way_ev"];

impl Checksums {
    pub(super) fn add(&mut self, rows: &Rows) {
        let Rows { class, cards, orbit, wins, losses, best, best_ev, way, way_ev } = rows;
        let wide = |numbers: &[i32]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
        // Encodes a column of type uint8.
        let narrow = |numbers: &[i32]| -> Vec<u8> { numbers.iter().map(|&number| number as u8).collect() };
        let real = |numbers: &[f64]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
        let columns = [
            wide(class),
            narrow(cards),
            narrow(orbit),
            wide(wins),
            wide(losses),
            narrow(best),
            real(best_ev),
            narrow(way),
            real(way_ev),
        ];
        self.0.iter_mut().zip(columns).for_each(|(sum, column)| sum.update(column));
    }

    pub(super) fn json(self) -> Value {
        COLUMNS.into_iter().zip(self.0.map(|sum| hex(&sum.finalize()))).collect()
    }
}

/// The split whose size is stated.
const SPLIT: RankSplit = RankSplit { held_out: 0.1, seed: 0 };

/// The numbers of classes and of hands in the training part, and in the validation part, which the split holds out.
pub(super) type Sizes = [[u64; 2]; 2];

pub(super) fn add_sizes(sizes: &mut Sizes, rows: &Rows) {
    for (&class, &orbit) in rows.class.iter().zip(&rows.orbit) {
        let hand = Hand::new(Classes::seven().hand(class as usize)).expect("a class has seven cards");
        let [classes, hands] = &mut sizes[usize::from(SPLIT.is_held_out(hand))];
        *classes += 1;
        *hands += orbit as u64;
    }
}

/// Returns the card of the table in the file `path`. `about` is the file's metadata.
pub(super) fn describe(
    path: &Path,
    about: &BTreeMap<&'static str, String>,
    question: &Question,
    [training, validation]: Sizes,
) -> String {
    let text = |key: &str| about.get(key).map_or("", String::as_str);
    let json = |key: &str| -> Map<String, Value> { serde_json::from_str(text(key)).unwrap_or_default() };
    let (columns, checksums) = (json("columns"), json("sha256"));
    let word = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let part = match text("shard") {
        "" => String::new(),
        shard => format!(" This is shard {shard}."),
    };
    let all = [training[0] + validation[0], training[1] + validation[1]];
    let code = |key: &str| format!("`{}`", text(key));
    let about = Section::default().text(format!(
        "The exact wins and losses of all 21 settings of the {}'s hands in Pai Gow Poker, with one row per class. A class \
         contains the hands that are equal up to a permutation of suits.{part}",
        text("side")
    ));
    let meaning =
        |name: &str| [format!("`{name}`"), word(columns.get(name)), format!("`{}`", word(checksums.get(name)))];
    let meanings = TextTable::new(["column", "meaning", "SHA-256 of its values"]).rows(COLUMNS.map(meaning));
    let columns = Section::new("Columns").table(meanings).text(format!(
        "The checksums are those of the values row by row, in little-endian order. Settings are numbered by the {}.",
        text("settings")
    ));
    let parts = [("all", all), ("training", training), ("validation", validation)];
    let row = |(name, [classes, hands]): (&str, [u64; 2])| [name.to_owned(), grouped(classes), grouped(hands)];
    let parts = TextTable::new(["part", "rows", "hands"]).right_from(1).rows(parts.map(row));
    let size = Section::new("Size").table(parts).text(format!(
        "The split puts hands with the same ranks into the same part, because they often have nearly the same EVs. In Python, \
         `houseway.tables.is_held_out(cards, {0}, {1})` returns `True` for the validation part, and so does \
         `RankSplit {{ held_out: {0:?}, seed: {1} }}` in the crate houseway-env.",
        SPLIT.held_out, SPLIT.seed
    ));
    let game = TextTable::new(["", ""])
        .row(["player", &strategy(&question.player, question.player_hash.as_ref())])
        .row(["banker", &strategy(&question.banker, question.banker_hash.as_ref())])
        .row(["strategy in the column `way`", &format!("{}, hash {}", text("way"), code("way_hash"))])
        .row(["rules", &code("rules")])
        .row(["hash of the rules", &code("rules_hash")]);
    let provenance = TextTable::new(["", ""])
        .row(["command", &code("command")])
        .row(["format", &code("format")])
        .row(["version", &format!("houseway {}, commit {}", text("version"), text("commit"))]);
    let origin = [Section::new("Game").table(game), Section::new("Provenance").table(provenance)];
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Report::new(format!("Class table {name}"), [about, columns, size].into_iter().chain(origin)).markdown()
}

/// Describes the strategy of a side. A best response has no hash.
fn strategy(name: &str, hash: Option<&String>) -> String {
    hash.map_or_else(|| name.to_owned(), |hash| format!("{name}, hash `{hash}`"))
}
