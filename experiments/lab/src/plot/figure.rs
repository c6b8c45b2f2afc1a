//! Draws figures and saves them to files.

use super::color;
use super::layout::{Draw, Entry, LABEL, MARGIN, NOTE, TITLE, WIDTH};
use super::render;
use super::sheet::{self, Rectangle, Sheet, Text};
use crate::run::{RunFolder, cannot_read, make_folder, read_own_text, write_atomic};
use houseway_exact::answer::{Chart, Figure};
use std::io;
use std::path::{Path, PathBuf};

fn drawable(chart: &Chart) -> &dyn Draw {
    match chart {
        Chart::Lines(chart) => chart,
        Chart::Bars(chart) => chart,
        Chart::Heat(chart) => chart,
    }
}

/// Saves a figure to the run's plots folder under its name.
pub fn save_figure(run: &RunFolder, figure: &Figure) -> io::Result<()> {
    let plots = run.plots();
    make_folder(&plots)?;
    save(figure, &plots.join(&figure.name))
}

/// Writes a figure to `stem.png`, `stem.svg`, `stem.csv` and `stem.toml`, each atomically.
pub fn save(figure: &Figure, stem: &Path) -> io::Result<()> {
    let sheet = lay_out(figure);
    let failed = |error| io::Error::other(format!("cannot draw the figure {}: {error}", stem.display()));
    let png = render::png(&sheet).map_err(failed)?;
    let svg = render::svg(&sheet).map_err(failed)?;
    // Unlike JSON, TOML preserves NaN and all digits of a number.
    let data = toml::to_string(&figure.clone().named("", "")).map_err(io::Error::other)?;
    write_atomic(&with_end(stem, "csv"), csv(figure))?;
    write_atomic(&with_end(stem, "toml"), data)?;
    write_atomic(&with_end(stem, "png"), png)?;
    write_atomic(&with_end(stem, "svg"), svg)
}

/// Reads a figure from a `.toml` file written by [`save`].
pub fn read(path: &Path) -> io::Result<Figure> {
    let text = read_own_text(path)?;
    let wrong = |error| cannot_read(path, io::Error::new(io::ErrorKind::InvalidData, error));
    toml::from_str(&text).map_err(wrong)
}

/// Returns a figure as SVG.
pub fn svg(figure: &Figure) -> io::Result<String> {
    render::svg(&lay_out(figure)).map_err(|error| io::Error::other(format!("cannot draw the figure: {error}")))
}

/// Returns a figure's numbers as CSV with all digits.
pub fn csv(figure: &Figure) -> String {
    drawable(&figure.chart).csv()
}

/// Lays out a figure as a sheet of marks.
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

/// Appends an extension to a stem, which may contain dots.
fn with_end(stem: &Path, end: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(".");
    name.push(end);
    name.into()
}

/// Draws the title and returns its bottom edge.
fn title(sheet: &mut Sheet, title: &str) -> f64 {
    let mut y = MARGIN;
    for line in sheet::wrap(title, TITLE, true, WIDTH - 2.0 * MARGIN) {
        y += TITLE * 1.25;
        sheet.text(Text::new(line, MARGIN, y - TITLE * 0.3, TITLE).bold());
    }
    y
}

/// Draws the note below a chart and returns its bottom edge.
fn note(sheet: &mut Sheet, note: &str, y: f64) -> f64 {
    let mut y = y + 6.0;
    for line in sheet::wrap(note, NOTE, false, WIDTH - 2.0 * MARGIN) {
        y += NOTE * 1.4;
        sheet.text(Text::new(line, MARGIN, y - NOTE * 0.3, NOTE).color(color::SOFT));
    }
    y
}

/// Draws a legend in rows outside the data area and returns its bottom edge.
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

#[cfg(test)]
mod tests;
