//! Row groups arranged as columns, and a checksum for each column.

use super::spill::{GROUP, Groups, Record};
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Hand, Setting, settings_in};
use houseway_exact::pai_gow::BANKER_HANDS;
use houseway_exact::pai_gow::whole::Payoff;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::io;

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
    /// Reads a group and sorts it.
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
    /// Adds the values of the next rows.
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

    /// Returns the checksums in hexadecimal, by column.
    pub(super) fn json(self) -> Value {
        let hex = |sum: Sha256| sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
        Value::Object(COLUMNS.into_iter().map(str::to_owned).zip(self.0.map(hex)).collect::<Map<_, _>>())
    }
}
