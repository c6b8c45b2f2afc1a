//! Computes a checksum for each column.

use super::rows::Rows;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

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
