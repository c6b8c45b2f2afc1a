//! Heat maps: a matrix of numbers in colored cells.

use super::axis::number;
use super::color::{EMPTY, SOFT, ink_on, shade};
use super::sheet::{Anchor, Rectangle, Sheet, Text, text_width, widest};
use super::{LABEL, MARGIN, WIDTH, cell, no_data};
use serde::{Deserialize, Serialize};

/// Height of a cell.
const CELL: f64 = 34.0;
pub(super) const COLUMNS: [&str; 3] = ["row", "column", "value"];

/// Matrix of numbers with a diverging color scale: blue above the center, vermilion below. The center is zero, or the
/// center of the values with [`HeatMap::spread`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// Label of the rows.
    pub row_label: String,
    /// Label of the columns.
    pub column_label: String,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Values by row; NaN for an empty cell.
    pub values: Vec<Vec<f64>>,
    /// True to format 0.01 as 1%.
    pub percent: bool,
    /// Number of decimal places (of the percentage).
    pub places: usize,
    /// True if colors span the range of the values instead of the distance from zero.
    #[serde(default)]
    pub spread: bool,
    /// True to leave empty cells blank, as for a triangular matrix.
    #[serde(default)]
    pub hide_empty: bool,
}

impl HeatMap {
    /// Creates a matrix with its names; values are shown with two decimal places.
    pub fn new(rows: (&str, Vec<String>), columns: (&str, Vec<String>), values: Vec<Vec<f64>>) -> HeatMap {
        HeatMap {
            row_label: rows.0.to_owned(),
            column_label: columns.0.to_owned(),
            rows: rows.1,
            columns: columns.1,
            values,
            percent: false,
            places: 2,
            spread: false,
            hide_empty: false,
        }
    }

    /// Formats values as percentages.
    pub fn percent(self) -> HeatMap {
        HeatMap { percent: true, ..self }
    }

    /// Sets the number of decimal places.
    pub fn places(self, places: usize) -> HeatMap {
        HeatMap { places, ..self }
    }

    /// Spans the range of the values with the color scale, for values that differ little.
    pub fn spread(self) -> HeatMap {
        HeatMap { spread: true, ..self }
    }

    /// Leaves empty cells blank.
    pub fn hide_empty(self) -> HeatMap {
        HeatMap { hide_empty: true, ..self }
    }

    /// Returns the value at the center of the color scale, and the distance from it at full saturation.
    fn colours(&self) -> (f64, f64) {
        let all = || self.values.iter().flatten().copied().filter(|value| value.is_finite());
        let middle = match (self.spread, all().reduce(f64::min), all().reduce(f64::max)) {
            (true, Some(low), Some(high)) => (low + high) / 2.0,
            _ => 0.0,
        };
        (middle, all().fold(0.0, |most: f64, value| most.max((value - middle).abs())))
    }

    fn value(&self, row: usize, column: usize) -> f64 {
        self.values.get(row).and_then(|row| row.get(column)).copied().unwrap_or(f64::NAN)
    }

    pub(super) fn rows(&self) -> Vec<[String; 3]> {
        let row = |row: usize| {
            let at = move |column: usize| {
                [self.rows[row].clone(), self.columns[column].clone(), cell(self.value(row, column))]
            };
            (0..self.columns.len()).map(at)
        };
        (0..self.rows.len()).flat_map(row).collect()
    }

    /// Draws the matrix below `top` and returns its lower edge.
    pub(super) fn draw(&self, sheet: &mut Sheet, top: f64) -> f64 {
        let left = MARGIN + LABEL * 2.2 + widest(self.rows.iter().map(String::as_str), LABEL) + 10.0;
        let width = (WIDTH - MARGIN - left) / self.columns.len().max(1) as f64;
        let longest = widest(self.columns.iter().map(String::as_str), LABEL);
        let upright = longest > width - 8.0;
        let names = LABEL * 1.7 + if upright { longest } else { LABEL } + 8.0;
        let height = CELL * self.rows.len().max(1) as f64;
        let frame = Rectangle { x: left, y: top + names, width: WIDTH - MARGIN - left, height };
        sheet.text(Text::new(&self.column_label, left + frame.width / 2.0, top + LABEL, LABEL).anchor(Anchor::Middle));
        let rows = Text::new(&self.row_label, MARGIN + LABEL * 0.9, frame.y + height / 2.0, LABEL);
        sheet.text(rows.anchor(Anchor::Middle).upright());
        for (index, name) in self.columns.iter().enumerate() {
            let x = left + width * (index as f64 + 0.5);
            sheet.text(match upright {
                false => Text::new(name, x, frame.y - 6.0, LABEL).anchor(Anchor::Middle),
                true => Text::new(name, x + LABEL * 0.36, frame.y - 6.0, LABEL).upright(),
            });
        }
        if self.rows.is_empty() || self.columns.is_empty() {
            no_data(sheet, frame);
        }
        for (index, name) in self.rows.iter().enumerate() {
            let y = frame.y + CELL * (index as f64 + 0.5) + LABEL * 0.36;
            sheet.text(Text::new(name, left - 10.0, y, LABEL).anchor(Anchor::End));
            self.draw_row(sheet, index, Rectangle { y: frame.y + CELL * index as f64, height: CELL, ..frame });
        }
        frame.bottom()
    }

    fn draw_row(&self, sheet: &mut Sheet, row: usize, frame: Rectangle) {
        let (middle, strongest) = self.colours();
        let width = frame.width / self.columns.len() as f64;
        for column in 0..self.columns.len() {
            let value = self.value(row, column);
            if self.hide_empty && !value.is_finite() {
                continue;
            }
            let color = match value.is_finite() {
                true => shade(if strongest > 0.0 { (value - middle) / strongest } else { 0.0 }),
                false => EMPTY,
            };
            let place = Rectangle { x: frame.x + width * column as f64, width, ..frame };
            let inner = Rectangle { x: place.x + 0.75, y: place.y + 0.75, width: width - 1.5, height: CELL - 1.5 };
            sheet.rectangle(inner, color);
            let (words, ink) = match value.is_finite() {
                true => (self.words(value), ink_on(color)),
                false => ("–".to_owned(), SOFT),
            };
            // Narrow cells use smaller letters.
            let size = (LABEL * (width - 6.0) / text_width(&words, LABEL, false)).clamp(5.0, LABEL);
            let text = Text::new(words, place.x + width / 2.0, place.y + CELL / 2.0 + size * 0.36, size);
            sheet.text(text.anchor(Anchor::Middle).color(ink));
        }
    }

    fn words(&self, value: f64) -> String {
        number(value, 10f64.powi(-(self.places as i32)) * if self.percent { 0.01 } else { 1.0 }, self.percent)
    }
}
