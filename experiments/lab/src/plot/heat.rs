//! Heat maps of numbers in colored cells.

use super::axis::number;
use super::color::{EMPTY, INK, SOFT, ink_on, shade};
use super::layout::{Draw, Entry, LABEL, MARGIN, WIDTH, cell, no_data, table};
use super::sheet::{Anchor, Rectangle, Sheet, Text, text_width, widest};
use houseway_exact::answer::HeatMap;

/// The height of a cell.
const CELL: f64 = 34.0;
const COLUMNS: [&str; 3] = ["row", "column", "value"];

impl Draw for HeatMap {
    fn csv(&self) -> String {
        let row = |row: usize| {
            let at = move |column: usize| {
                [self.rows[row].clone(), self.columns[column].clone(), cell(value(self, row, column))]
            };
            (0..self.columns.len()).map(at)
        };
        table(COLUMNS, (0..self.rows.len()).flat_map(row).collect())
    }

    fn legend(&self) -> Vec<Entry<'_>> {
        Vec::new()
    }

    fn draw(&self, sheet: &mut Sheet, top: f64) -> f64 {
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
            draw_row(self, sheet, index, Rectangle { y: frame.y + CELL * index as f64, height: CELL, ..frame });
        }
        frame.bottom()
    }
}

/// Returns the value at the center of the color scale and the distance from it at which colors are fully saturated.
fn colours(map: &HeatMap) -> (f64, f64) {
    let all = || map.values.iter().flatten().copied().filter(|value| value.is_finite());
    let middle = match (map.spread, all().reduce(f64::min), all().reduce(f64::max)) {
        (true, Some(low), Some(high)) => (low + high) / 2.0,
        _ => 0.0,
    };
    (middle, all().fold(0.0, |most: f64, value| most.max((value - middle).abs())))
}

fn value(map: &HeatMap, row: usize, column: usize) -> f64 {
    map.values.get(row).and_then(|row| row.get(column)).copied().unwrap_or(f64::NAN)
}

fn draw_row(map: &HeatMap, sheet: &mut Sheet, row: usize, frame: Rectangle) {
    let (middle, strongest) = colours(map);
    let width = frame.width / map.columns.len() as f64;
    for column in 0..map.columns.len() {
        let value = value(map, row, column);
        let text = map.texts.iter().find(|it| (it.row, it.column) == (row, column));
        if map.hide_empty && !value.is_finite() && text.is_none() {
            continue;
        }
        let color = match value.is_finite() {
            true => shade(if strongest > 0.0 { (value - middle) / strongest } else { 0.0 }),
            false => EMPTY,
        };
        let place = Rectangle { x: frame.x + width * column as f64, width, ..frame };
        let inner = Rectangle { x: place.x + 0.75, y: place.y + 0.75, width: width - 1.5, height: CELL - 1.5 };
        sheet.rectangle(inner, color);
        let (text, ink) = match (value.is_finite(), text) {
            (true, _) => (words(map, value), ink_on(color)),
            (false, Some(text)) => (text.text.clone(), INK),
            (false, None) => ("–".to_owned(), SOFT),
        };
        // Use smaller letters in narrow cells.
        let size = (LABEL * (width - 6.0) / text_width(&text, LABEL, false)).clamp(5.0, LABEL);
        let text = Text::new(text, place.x + width / 2.0, place.y + CELL / 2.0 + size * 0.36, size);
        sheet.text(text.anchor(Anchor::Middle).color(ink));
    }
}

fn words(map: &HeatMap, value: f64) -> String {
    number(value, 10f64.powi(-(map.places as i32)) * if map.percent { 0.01 } else { 1.0 }, map.percent)
}
