//! Figures in a uniform style.
//!
//! A [`Figure`] consists of a title, a chart and an optional note, all of which are plain data. [`save`] writes it as
//! `.png` and `.svg`, its numbers as `.csv`, and its data as `.toml`, which [`read`] reads back. Fonts are built in, and the colors are safe for color-blind readers.
//!
//! ```
//! use houseway_lab::plot::{Axis, Figure, LineChart, Series, csv};
//!
//! let learned = Series::new("all-action", vec![(1e4, 0.004), (1e5, 0.002), (1e6, 0.0007)]);
//! let chart = LineChart::new(Axis::new("hands seen").log(), Axis::new("regret per unit staked").percent())
//!     .with(learned)
//!     .reference("house way", 0.0028);
//! let figure = Figure::new("Regret against hands seen", chart);
//! assert!(csv(&figure).starts_with("series,x,y,low,high\nall-action,10000,0.004,,\n"));
//! ```

mod axis;
mod bars;
mod lines;
mod render;
mod sheet;
#[cfg(test)]
mod tests;

pub use houseway_exact::answer::{
    Axis, Bar, BarChart, BarSeries, Chart, Figure, HeatMap, LineChart, Reference, Series,
};

use crate::columns::csv_text;
use crate::run::{RunFolder, cannot_read, make_folder, read_own_text, remove, write_atomic_by};
use sheet::{Anchor, Color, Rectangle, SOFT, Sheet, Text, text_width, wrap};
use std::io;
use std::path::Path;

fn drawable(chart: &Chart) -> &dyn Draw {
    match chart {
        Chart::Lines(chart) => chart,
        Chart::Bars(chart) => chart,
        Chart::Heat(chart) => chart,
    }
}

pub fn save_figure(run: &RunFolder, figure: &Figure) -> io::Result<()> {
    let plots = run.plots();
    make_folder(&plots)?;
    save(figure, &plots.join(&figure.name), "--out")
}

/// Writes a figure to `stem.png`, `stem.svg`, `stem.csv` and `stem.toml`, each atomically. If one can't be written, none is
/// left. `option` specifies the place.
pub fn save(figure: &Figure, stem: &Path, option: &str) -> io::Result<()> {
    let sheet = lay_out(figure);
    let failed = |error| io::Error::other(format!("cannot draw the figure {}: {error}", stem.display()));
    let png = render::png(&sheet).map_err(failed)?;
    let svg = render::svg(&sheet).map_err(failed)?;
    // Unlike JSON, TOML preserves NaN and all digits of a number.
    let data = toml::to_string(&figure.clone().named("", "")).map_err(io::Error::other)?;
    let files =
        [("csv", csv(figure).into_bytes()), ("toml", data.into_bytes()), ("png", png), ("svg", svg.into_bytes())];
    for (i, (extension, contents)) in files.iter().enumerate() {
        let path = |extension: &str| stem.with_added_extension(extension);
        if let Err(error) = write_atomic_by(option, &path(extension), contents) {
            files[..i].iter().try_for_each(|(written, _)| remove(&path(written)))?;
            return Err(error);
        }
    }
    Ok(())
}

/// Reads a figure from a `.toml` file written by [`save`].
pub fn read(path: &Path) -> io::Result<Figure> {
    let text = read_own_text(path)?;
    let wrong = |error| cannot_read(path, io::Error::new(io::ErrorKind::InvalidData, error));
    toml::from_str(&text).map_err(wrong)
}

pub fn svg(figure: &Figure) -> io::Result<String> {
    render::svg(&lay_out(figure)).map_err(|error| io::Error::other(format!("cannot draw the figure: {error}")))
}

pub fn csv(figure: &Figure) -> String {
    drawable(&figure.chart).csv()
}

fn lay_out(figure: &Figure) -> Sheet {
    let chart = drawable(&figure.chart);
    let mut sheet = Sheet::new(WIDTH);
    let mut y = title(&mut sheet, &figure.title);
    y = draw_legend(&mut sheet, &chart.legend(), y) + 10.0;
    y = chart.draw(&mut sheet, y);
    if !figure.note.is_empty() {
        y = note(&mut sheet, &figure.note, y);
    }
    sheet.height = (y + MARGIN).ceil();
    sheet
}

fn title(sheet: &mut Sheet, title: &str) -> f64 {
    let mut y = MARGIN;
    for line in wrap(title, TITLE, true, WIDTH - 2.0 * MARGIN) {
        y += TITLE * 1.25;
        sheet.text(Text { bold: true, ..Text::new(line, MARGIN, y - TITLE * 0.3, TITLE) });
    }
    y
}

fn note(sheet: &mut Sheet, note: &str, y: f64) -> f64 {
    let mut y = y + 6.0;
    for line in wrap(note, NOTE, false, WIDTH - 2.0 * MARGIN) {
        y += NOTE * 1.4;
        sheet.text(Text::new(line, MARGIN, y - NOTE * 0.3, NOTE).color(SOFT));
    }
    y
}

/// Draws a legend in rows outside the data area and returns its bottom edge.
fn draw_legend(sheet: &mut Sheet, entries: &[Entry], top: f64) -> f64 {
    let (key, gap) = (22.0, 18.0);
    let (mut x, mut y) = (MARGIN, top);
    for (index, &(name, color, dashed)) in entries.iter().enumerate() {
        let width = key + 6.0 + text_width(name, LABEL, false);
        if index == 0 || x + width > WIDTH - MARGIN {
            (x, y) = (MARGIN, y + LABEL * 1.6);
        }
        let middle = y - LABEL * 0.35;
        if dashed {
            sheet.line(vec![(x, middle), (x + key, middle)], color, 3.0, true);
        } else {
            sheet.rectangle(Rectangle { x, y: middle - 3.0, width: key, height: 6.0 }, color);
        }
        sheet.text(Text::new(name, x + key + 6.0, y, LABEL));
        x += width + gap;
    }
    if entries.is_empty() { top } else { y + 4.0 }
}

/// The width of every figure in points. Heights vary.
pub const WIDTH: f64 = 760.0;
pub const MARGIN: f64 = 16.0;
pub const LABEL: f64 = 12.0;
pub const NOTE: f64 = 10.5;
pub const TITLE: f64 = 16.0;

/// A legend entry: the name, the color, and whether the line is dashed.
pub type Entry<'a> = (&'a str, Color, bool);

pub trait Draw {
    fn csv(&self) -> String;

    fn legend(&self) -> Vec<Entry<'_>> {
        Vec::new()
    }

    /// Draws the chart below `top` and returns its bottom edge.
    fn draw(&self, sheet: &mut Sheet, top: f64) -> f64;
}

pub fn table<const N: usize>(header: [&str; N], rows: Vec<[String; N]>) -> String {
    let rows = [header.map(str::to_owned)].into_iter().chain(rows);
    let text = csv_text(rows).expect("memory is written");
    String::from_utf8(text).expect("all cells are text")
}

/// Formats a number with enough digits to restore it exactly. NaN becomes an empty string.
pub fn cell(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

/// Writes the label below a chart's horizontal axis, and returns its bottom edge.
pub fn label_below(sheet: &mut Sheet, frame: Rectangle, label: &str) -> f64 {
    let below = frame.bottom() + 2.0 * LABEL * 1.7;
    sheet.text(Text::new(label, frame.x + frame.width / 2.0, below - 6.0, LABEL).anchor(Anchor::Middle));
    below
}

/// Writes the label at the left of a chart, from bottom to top.
pub fn label_beside(sheet: &mut Sheet, frame: Rectangle, label: &str) {
    let label = Text::new(label, MARGIN + LABEL * 0.9, frame.y + frame.height / 2.0, LABEL);
    sheet.text(label.anchor(Anchor::Middle).upright());
}

pub fn no_data(sheet: &mut Sheet, frame: Rectangle) {
    let (x, y) = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
    sheet.text(Text::new("no data yet", x, y, LABEL).anchor(Anchor::Middle).color(SOFT));
}
