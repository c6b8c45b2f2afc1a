//! Bar charts: horizontal bars with intervals, with one or more series.

use super::axis::{Axis, Scale, number};
use super::color::{self, GRID, INK};
use super::lines::x_ticks;
use super::sheet::{Anchor, Rectangle, Sheet, Text, widest};
use super::{Entry, LABEL, MARGIN, WIDTH, cell, no_data};
use serde::{Deserialize, Serialize};

/// Height of a bar with one series, and with several.
const BAR: (f64, f64) = (20.0, 13.0);
/// Space between categories.
const GAP: f64 = 12.0;
pub(super) const COLUMNS: [&str; 5] = ["category", "series", "value", "low", "high"];

/// Horizontal bars from zero, with the first category on top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarChart {
    /// Horizontal axis.
    pub axis: Axis,
    /// Category labels.
    pub categories: Vec<String>,
    /// Series of bars.
    pub series: Vec<BarSeries>,
    /// Number of decimal places of the value labels (of the percentage, if the axis shows percentages); `None` to omit
    /// the labels.
    pub places: Option<usize>,
}

/// Bars of one color.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarSeries {
    /// Name in the legend.
    pub name: String,
    /// One value per category.
    pub values: Vec<Value>,
}

/// Value with its interval; NaN if missing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// The value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value { value, low: f64::NAN, high: f64::NAN }
    }
}

impl Value {
    /// Missing value.
    pub const NONE: Value = Value { value: f64::NAN, low: f64::NAN, high: f64::NAN };

    /// Creates a value with an interval.
    pub fn between(value: f64, low: f64, high: f64) -> Value {
        Value { value, low, high }
    }

    /// Returns the ends of the interval, or `None` for an exact value.
    fn interval(&self) -> Option<(f64, f64)> {
        (self.low < self.high).then_some((self.low, self.high))
    }
}

impl BarChart {
    /// Creates a chart without bars.
    pub fn new(axis: Axis, categories: Vec<String>) -> BarChart {
        BarChart { axis: Axis { log: false, ..axis.from_zero() }, categories, series: Vec::new(), places: None }
    }

    /// Adds a series with one value per category.
    pub fn with(mut self, name: impl Into<String>, values: Vec<Value>) -> BarChart {
        self.series.push(BarSeries { name: name.into(), values });
        self
    }

    /// Labels the bars with their values.
    pub fn places(mut self, places: usize) -> BarChart {
        self.places = Some(places);
        self
    }

    pub(super) fn rows(&self) -> Vec<[String; 5]> {
        let mut rows = Vec::new();
        for (index, category) in self.categories.iter().enumerate() {
            for series in &self.series {
                let value = series.values.get(index).copied().unwrap_or(Value::NONE);
                let [value, low, high] = [value.value, value.low, value.high].map(cell);
                rows.push([category.clone(), series.name.clone(), value, low, high]);
            }
        }
        rows
    }

    /// A single series needs no legend; the title describes it.
    pub(super) fn legend(&self) -> Vec<Entry<'_>> {
        let entries = self.series.iter().enumerate().map(|(index, series)| {
            let (color, _) = color::series(index);
            (series.name.as_str(), color, false)
        });
        if self.series.len() > 1 { entries.collect() } else { Vec::new() }
    }

    /// Formats a value with half the width of its interval.
    fn words(&self, value: &Value) -> String {
        let Some(places) = self.places else { return String::new() };
        let factor = if self.axis.percent { 0.01 } else { 1.0 };
        let step = factor * 10f64.powi(-(places as i32));
        let text = number(value.value, step, self.axis.percent);
        match value.interval() {
            Some((low, high)) => {
                let half = number((high - low) / 2.0, step, self.axis.percent);
                format!("{text} ±{}", half.trim_end_matches('%'))
            }
            None => text,
        }
    }

    /// Draws the chart below `top` and returns its lower edge.
    pub(super) fn draw(&self, sheet: &mut Sheet, top: f64) -> f64 {
        let bar = if self.series.len() > 1 { BAR.1 } else { BAR.0 };
        let row = bar * self.series.len().max(1) as f64 + GAP;
        let values =
            || self.series.iter().flat_map(|series| series.values.iter()).filter(|value| value.value.is_finite());
        let words: Vec<String> = values().map(|value| self.words(value)).collect();
        let left = MARGIN + widest(self.categories.iter().map(String::as_str), LABEL) + 10.0;
        let right = WIDTH - MARGIN - (widest(words.iter().map(String::as_str), LABEL) + 10.0).max(20.0);
        let height = row * self.categories.len().max(1) as f64;
        let frame = Rectangle { x: left, y: top, width: right - left, height };
        match self.axis.scale(values().flat_map(|value| [value.value, value.low, value.high])) {
            Some(scale) => self.draw_bars(sheet, frame, &scale, bar),
            None => no_data(sheet, frame),
        }
        for (index, category) in self.categories.iter().enumerate() {
            let y = top + row * (index as f64 + 0.5) + LABEL * 0.36;
            sheet.text(Text::new(category, left - 10.0, y, LABEL).anchor(Anchor::End));
        }
        let below = frame.bottom() + 2.0 * LABEL * 1.7;
        let label = Text::new(&self.axis.label, left + frame.width / 2.0, below - 6.0, LABEL);
        sheet.text(label.anchor(Anchor::Middle));
        below
    }

    fn draw_bars(&self, sheet: &mut Sheet, frame: Rectangle, scale: &Scale, bar: f64) {
        let across = |value: f64| frame.x + frame.width * scale.place(value);
        for (value, text) in x_ticks(scale, frame.width) {
            let (x, bottom) = (across(value), frame.bottom());
            sheet.line(vec![(x, frame.y), (x, bottom)], GRID, 0.75, false);
            sheet.text(Text::new(text, x, bottom + 6.0 + LABEL, LABEL).anchor(Anchor::Middle));
        }
        let row = frame.height / self.categories.len().max(1) as f64;
        for (place, series) in self.series.iter().enumerate() {
            for (index, value) in series.values.iter().take(self.categories.len()).enumerate() {
                if !value.value.is_finite() {
                    continue;
                }
                let y = frame.y + row * index as f64 + GAP / 2.0 + bar * place as f64;
                let (from, to) = (across(value.value.min(0.0)), across(value.value.max(0.0)));
                let body = Rectangle { x: from, y: y + 0.5, width: to - from, height: bar - 1.0 };
                sheet.rectangle(body, color::series(place).0);
                let middle = y + bar / 2.0;
                if let Some((low, high)) = value.interval() {
                    whisker(sheet, across(low), across(high), middle);
                }
                let words = Text::new(self.words(value), WIDTH - MARGIN, middle + LABEL * 0.36, LABEL);
                sheet.text(words.anchor(Anchor::End));
            }
        }
        sheet.line(vec![(across(0.0), frame.y), (across(0.0), frame.bottom())], INK, 1.0, false);
    }
}

/// Draws an interval with caps.
fn whisker(sheet: &mut Sheet, low: f64, high: f64, y: f64) {
    sheet.line(vec![(low, y), (high, y)], INK, 1.25, false);
    for x in [low, high] {
        sheet.line(vec![(x, y - 4.0), (x, y + 4.0)], INK, 1.25, false);
    }
}
