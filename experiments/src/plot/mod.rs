//! Figures in a uniform style.
//!
//! A [`Figure`] consists of a title, a chart and an optional note, all plain data. [`Figure::save`] writes it as `.png`
//! and `.svg`, its numbers as `.csv`, and the figure itself as `.toml`, from which [`Figure::read`] restores it. Fonts
//! are built in; the colors are safe for color-blind readers.
//!
//! ```
//! use houseway::plot::{Axis, Figure, LineChart, Series};
//!
//! let learned = Series::new("all-action", vec![(1e4, 0.004), (1e5, 0.002), (1e6, 0.0007)]);
//! let chart = LineChart::new(Axis::new("hands seen").log(), Axis::new("regret per unit staked").percent())
//!     .with(learned)
//!     .reference("house way", 0.0028);
//! let figure = Figure::new("Regret against hands seen", chart);
//! assert!(figure.csv().starts_with("series,x,y,low,high\nall-action,10000,0.004,,\n"));
//! ```

mod axis;
mod bars;
mod color;
mod heat;
mod lines;
mod render;
mod sheet;

pub use axis::Axis;
pub use bars::{BarChart, BarSeries, Value};
pub use heat::HeatMap;
pub use lines::{LineChart, Reference, Series};

use crate::run::{RunFolder, cannot_read, make_folder, write_atomic};
use serde::{Deserialize, Serialize};
use sheet::{Anchor, Rectangle, Sheet, Text};
use std::io;
use std::path::{Path, PathBuf};

/// Width of every figure in points; heights vary.
const WIDTH: f64 = 760.0;
/// Margin at the edges.
const MARGIN: f64 = 16.0;
/// Font size of axes and legends.
const LABEL: f64 = 12.0;
/// Font size of the note.
const NOTE: f64 = 10.5;
/// Font size of the title.
const TITLE: f64 = 16.0;

/// Chart with a title, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Title.
    pub title: String,
    /// Note in small letters below the chart, such as the origin of the numbers.
    pub note: Option<String>,
    /// The chart.
    pub chart: Chart,
}

/// Chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chart {
    /// Curves with bands and reference lines.
    Lines(LineChart),
    /// Horizontal bars with intervals, with one or more series.
    Bars(BarChart),
    /// Matrix of numbers.
    Heat(HeatMap),
}

impl From<LineChart> for Chart {
    fn from(chart: LineChart) -> Chart {
        Chart::Lines(chart)
    }
}

impl From<BarChart> for Chart {
    fn from(chart: BarChart) -> Chart {
        Chart::Bars(chart)
    }
}

impl From<HeatMap> for Chart {
    fn from(chart: HeatMap) -> Chart {
        Chart::Heat(chart)
    }
}

/// Entry of a legend: name, color, and whether its line is dashed.
type Entry<'a> = (&'a str, color::Color, bool);

/// Saves a figure in the plots folder of a run.
///
/// # Errors
/// If it cannot be drawn or written.
pub fn save_figure(run: &RunFolder, name: &str, figure: &Figure) -> io::Result<()> {
    let plots = run.plots();
    make_folder(&plots)?;
    figure.save(&plots.join(name))
}

impl Figure {
    /// Creates a figure without a note.
    pub fn new(title: impl Into<String>, chart: impl Into<Chart>) -> Figure {
        Figure { title: title.into(), note: None, chart: chart.into() }
    }

    /// Adds a note, such as the origin of the numbers.
    pub fn note(mut self, note: impl Into<String>) -> Figure {
        self.note = Some(note.into());
        self
    }

    /// Writes `stem.png`, `stem.svg`, `stem.csv` and `stem.toml`, each atomically.
    ///
    /// # Errors
    /// If the figure cannot be drawn, or a file cannot be written.
    pub fn save(&self, stem: &Path) -> io::Result<()> {
        let sheet = self.sheet();
        let failed = |error| io::Error::other(format!("cannot draw the figure {}: {error}", stem.display()));
        let png = render::png(&sheet).map_err(failed)?;
        let svg = render::svg(&sheet).map_err(failed)?;
        // Unlike JSON, TOML keeps all digits of a number, and NaN.
        let data = toml::to_string(self).map_err(io::Error::other)?;
        write_atomic(&with_end(stem, "csv"), self.csv())?;
        write_atomic(&with_end(stem, "toml"), data)?;
        write_atomic(&with_end(stem, "png"), png)?;
        write_atomic(&with_end(stem, "svg"), svg)
    }

    /// Reads a figure from the `.toml` file that [`Figure::save`] wrote.
    ///
    /// # Errors
    /// If the file is missing or invalid.
    pub fn read(path: &Path) -> io::Result<Figure> {
        let text = std::fs::read_to_string(path).map_err(|error| cannot_read(path, error))?;
        let wrong = |error| cannot_read(path, io::Error::new(io::ErrorKind::InvalidData, error));
        toml::from_str(&text).map_err(wrong)
    }

    /// Returns the figure's numbers as CSV with all digits.
    pub fn csv(&self) -> String {
        match &self.chart {
            Chart::Lines(chart) => table(lines::COLUMNS, chart.rows()),
            Chart::Bars(chart) => table(bars::COLUMNS, chart.rows()),
            Chart::Heat(chart) => table(heat::COLUMNS, chart.rows()),
        }
    }

    /// Lays out the figure as marks on a sheet.
    fn sheet(&self) -> Sheet {
        let legend = match &self.chart {
            Chart::Lines(chart) => chart.legend(),
            Chart::Bars(chart) => chart.legend(),
            Chart::Heat(_) => Vec::new(),
        };
        let mut sheet = Sheet::new(WIDTH);
        let mut y = title(&mut sheet, &self.title);
        y = draw_legend(&mut sheet, &legend, y) + 10.0;
        y = match &self.chart {
            Chart::Lines(chart) => chart.draw(&mut sheet, y),
            Chart::Bars(chart) => chart.draw(&mut sheet, y),
            Chart::Heat(chart) => chart.draw(&mut sheet, y),
        };
        if let Some(text) = &self.note {
            y = note(&mut sheet, text, y);
        }
        sheet.height = (y + MARGIN).ceil();
        sheet
    }
}

/// Appends an extension to a stem, which may contain dots.
fn with_end(stem: &Path, end: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(".");
    name.push(end);
    name.into()
}

/// Formats a table as CSV.
fn table<const N: usize>(header: [&str; N], rows: Vec<[String; N]>) -> String {
    let field = |text: &str| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let line = |fields: Vec<String>| fields.join(",") + "\n";
    let header = line(header.map(field).to_vec());
    rows.into_iter().fold(header, |text, row| text + &line(row.iter().map(|text| field(text)).collect()))
}

/// Formats a number with enough digits to restore it exactly; empty for NaN.
fn cell(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

/// Draws the title and returns its lower edge.
fn title(sheet: &mut Sheet, title: &str) -> f64 {
    let mut y = MARGIN;
    for line in sheet::wrap(title, TITLE, true, WIDTH - 2.0 * MARGIN) {
        y += TITLE * 1.25;
        sheet.text(Text::new(line, MARGIN, y - TITLE * 0.3, TITLE).bold());
    }
    y
}

/// Draws the note below a chart and returns its lower edge.
fn note(sheet: &mut Sheet, note: &str, y: f64) -> f64 {
    let mut y = y + 6.0;
    for line in sheet::wrap(note, NOTE, false, WIDTH - 2.0 * MARGIN) {
        y += NOTE * 1.4;
        sheet.text(Text::new(line, MARGIN, y - NOTE * 0.3, NOTE).color(color::SOFT));
    }
    y
}

/// Draws a legend in rows outside the data area and returns its lower edge.
fn draw_legend(sheet: &mut Sheet, entries: &[Entry], top: f64) -> f64 {
    let (key, gap) = (22.0, 18.0);
    let (mut x, mut y) = (MARGIN, top);
    for (index, &(name, color, dashed)) in entries.iter().enumerate() {
        let width = key + 6.0 + sheet::text_width(name, LABEL, false);
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

/// Draws a message in the center of an empty chart.
fn no_data(sheet: &mut Sheet, frame: Rectangle) {
    let (x, y) = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
    sheet.text(Text::new("no data yet", x, y, LABEL).anchor(Anchor::Middle).color(color::SOFT));
}

#[cfg(test)]
mod tests;
