//! Bar charts with horizontal bars and intervals in one or more series, and heat maps of numbers in colored cells.

use super::axis::{Scale, number, scale};
use super::lines::x_ticks;
use super::sheet::{
    Anchor, EMPTY, GRID, INK, Rectangle, SOFT, Sheet, Text, bar_color, ink_on, shade, text_width, widest,
};
use super::{Draw, Entry, LABEL, MARGIN, WIDTH, cell, label_below, label_beside, no_data, table};
use houseway_exact::answer::{Bar, BarChart, HeatMap};

/// The bar height with a single series and with several series.
const BAR: (f64, f64) = (20.0, 13.0);
const GAP: f64 = 12.0;
/// The height of a cell of a heat map.
const CELL: f64 = 34.0;

impl Draw for BarChart {
    fn csv(&self) -> String {
        let mut rows = Vec::new();
        for (index, category) in self.categories.iter().enumerate() {
            for series in &self.series {
                let value = series.values.get(index).copied().unwrap_or(Bar::NONE);
                let [value, low, high] = [value.value, value.low, value.high].map(cell);
                rows.push([category.clone(), series.name.clone(), value, low, high]);
            }
        }
        table(["category", "series", "value", "low", "high"], rows)
    }

    /// Returns the legend. It is empty for a single series, because the title already describes it.
    fn legend(&self) -> Vec<Entry<'_>> {
        let entries =
            self.series.iter().enumerate().map(|(index, series)| (series.name.as_str(), bar_color(index), false));
        if self.series.len() > 1 { entries.collect() } else { Vec::new() }
    }

    fn draw(&self, sheet: &mut Sheet, top: f64) -> f64 {
        let bar = if self.series.len() > 1 { BAR.1 } else { BAR.0 };
        let row = bar * self.series.len().max(1) as f64 + GAP;
        let values =
            || self.series.iter().flat_map(|series| series.values.iter()).filter(|value| value.value.is_finite());
        let labels: Vec<String> = values().map(|value| words(self, value)).collect();
        let left = MARGIN + widest(self.categories.iter().map(String::as_str), LABEL) + 10.0;
        let right = WIDTH - MARGIN - (widest(labels.iter().map(String::as_str), LABEL) + 10.0).max(20.0);
        let height = row * self.categories.len().max(1) as f64;
        let frame = Rectangle { x: left, y: top, width: right - left, height };
        match scale(&self.axis, values().flat_map(|value| [value.value, value.low, value.high])) {
            Some(scale) => draw_bars(self, sheet, frame, &scale, bar),
            None => no_data(sheet, frame),
        }
        for (index, category) in self.categories.iter().enumerate() {
            let y = top + row * (index as f64 + 0.5) + LABEL * 0.36;
            sheet.text(Text::new(category, left - 10.0, y, LABEL).anchor(Anchor::End));
        }
        label_below(sheet, frame, &self.axis.label)
    }
}

/// Formats a value and its interval, which is written as half its width if the value is in its middle.
fn words(chart: &BarChart, value: &Bar) -> String {
    let Some(places) = chart.places else { return String::new() };
    let factor = if chart.axis.percent { 0.01 } else { 1.0 };
    let step = factor * 10f64.powi(-(places as i32));
    let text = number(value.value, step, chart.axis.percent);
    match value.interval() {
        Some((low, high)) if ((low + high) / 2.0 - value.value).abs() < step / 2.0 => {
            let half = number((high - low) / 2.0, step, chart.axis.percent);
            format!("{text} ±{}", half.trim_end_matches('%'))
        }
        Some(ends) => {
            let [low, high] = <[f64; 2]>::from(ends).map(|end| number(end, step, chart.axis.percent));
            format!("{text} ({} to {})", low.trim_end_matches('%'), high.trim_end_matches('%'))
        }
        None => text,
    }
}

fn draw_bars(chart: &BarChart, sheet: &mut Sheet, frame: Rectangle, scale: &Scale, bar: f64) {
    let across = |value: f64| frame.x + frame.width * scale.place(value);
    for (value, text) in x_ticks(scale, frame.width) {
        let (x, bottom) = (across(value), frame.bottom());
        sheet.line(vec![(x, frame.y), (x, bottom)], GRID, 0.75, false);
        sheet.text(Text::new(text, x, bottom + 6.0 + LABEL, LABEL).anchor(Anchor::Middle));
    }
    let row = frame.height / chart.categories.len().max(1) as f64;
    for (place, series) in chart.series.iter().enumerate() {
        for (index, value) in series.values.iter().take(chart.categories.len()).enumerate() {
            if !value.value.is_finite() {
                continue;
            }
            let y = frame.y + row * index as f64 + GAP / 2.0 + bar * place as f64;
            let (from, to) = (across(value.value.min(0.0)), across(value.value.max(0.0)));
            let body = Rectangle { x: from, y: y + 0.5, width: to - from, height: bar - 1.0 };
            sheet.rectangle(body, bar_color(place));
            let middle = y + bar / 2.0;
            if let Some((low, high)) = value.interval() {
                whisker(sheet, across(low), across(high), middle);
            }
            let label = Text::new(words(chart, value), WIDTH - MARGIN, middle + LABEL * 0.36, LABEL);
            sheet.text(label.anchor(Anchor::End));
        }
    }
    sheet.line(vec![(across(0.0), frame.y), (across(0.0), frame.bottom())], INK, 1.0, false);
}

fn whisker(sheet: &mut Sheet, low: f64, high: f64, y: f64) {
    sheet.line(vec![(low, y), (high, y)], INK, 1.25, false);
    for x in [low, high] {
        sheet.line(vec![(x, y - 4.0), (x, y + 4.0)], INK, 1.25, false);
    }
}

impl Draw for HeatMap {
    fn csv(&self) -> String {
        let row = |row: usize| {
            let at = move |column: usize| {
                [self.rows[row].clone(), self.columns[column].clone(), cell(value(self, row, column))]
            };
            (0..self.columns.len()).map(at)
        };
        table(["row", "column", "value"], (0..self.rows.len()).flat_map(row).collect())
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
        label_beside(sheet, frame, &self.row_label);
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
            (true, _) => (cell_text(map, value), ink_on(color)),
            (false, Some(text)) => (text.text.clone(), INK),
            (false, None) => ("–".to_owned(), SOFT),
        };
        // Use smaller letters in narrow cells.
        let size = (LABEL * (width - 6.0) / text_width(&text, LABEL, false)).clamp(5.0, LABEL);
        let text = Text::new(text, place.x + width / 2.0, place.y + CELL / 2.0 + size * 0.36, size);
        sheet.text(text.anchor(Anchor::Middle).color(ink));
    }
}

fn cell_text(map: &HeatMap, value: f64) -> String {
    number(value, 10f64.powi(-(map.places as i32)) * if map.percent { 0.01 } else { 1.0 }, map.percent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_exact::answer::Axis;

    #[test]
    fn intervals_are_labelled_by_their_width_or_their_ends() {
        let label = |axis: Axis, bar: Bar| words(&BarChart::new(axis, Vec::new()).places(2), &bar);
        let percent = || Axis::new("EV").percent();
        assert_eq!(label(percent(), Bar::from(-0.025)), "\u{2212}2.50%");
        assert_eq!(label(percent(), Bar::between(-0.025, -0.027, -0.023)), "\u{2212}2.50% ±0.20");
        assert_eq!(
            label(percent(), Bar::between(-0.025, -0.026, -0.022)),
            "\u{2212}2.50% (\u{2212}2.60 to \u{2212}2.20)"
        );
        assert_eq!(label(Axis::new("chips"), Bar::between(1.0, 0.5, 1.25)), "1.00 (0.50 to 1.25)");
    }
}
