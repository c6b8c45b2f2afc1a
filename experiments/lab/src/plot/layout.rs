//! The layout shared by all charts, including sizes, legend entries and CSV output.

use super::color::{self, Color};
use super::sheet::{Anchor, Rectangle, Sheet, Text};

/// The width of every figure in points. Heights vary.
pub(super) const WIDTH: f64 = 760.0;
/// The margin at the edges.
pub(super) const MARGIN: f64 = 16.0;
/// The font size of axes and legends.
pub(super) const LABEL: f64 = 12.0;
/// The font size of notes.
pub(super) const NOTE: f64 = 10.5;
/// The font size of titles.
pub(super) const TITLE: f64 = 16.0;

/// A legend entry: the name, the color, and whether the line is dashed.
pub(super) type Entry<'a> = (&'a str, Color, bool);

/// A chart that can be drawn.
pub(super) trait Draw {
    /// Returns the numbers as CSV.
    fn csv(&self) -> String;

    /// Returns the legend entries.
    fn legend(&self) -> Vec<Entry<'_>>;

    /// Draws the chart below `top` and returns its bottom edge.
    fn draw(&self, sheet: &mut Sheet, top: f64) -> f64;
}

/// Formats a table as CSV.
pub(super) fn table<const N: usize>(header: [&str; N], rows: Vec<[String; N]>) -> String {
    let field = |text: &str| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let line = |fields: Vec<String>| fields.join(",") + "\n";
    let header = line(header.map(field).to_vec());
    rows.into_iter().fold(header, |text, row| text + &line(row.iter().map(|text| field(text)).collect()))
}

/// Formats a number with enough digits to restore it exactly. NaN becomes an empty string.
pub(super) fn cell(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

/// Draws a message in the center of an empty chart.
pub(super) fn no_data(sheet: &mut Sheet, frame: Rectangle) {
    let (x, y) = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
    sheet.text(Text::new("no data yet", x, y, LABEL).anchor(Anchor::Middle).color(color::SOFT));
}
