//! Line charts: curves with bands and reference lines.

use super::axis::{Axis, Scale};
use super::color::{self, Color, GRID, INK, SOFT};
use super::sheet::{Anchor, Rectangle, Sheet, Text, spread, text_width, widest};
use super::{Entry, LABEL, MARGIN, WIDTH, cell, no_data};
use serde::{Deserialize, Serialize};

/// Height of the frame.
const HEIGHT: f64 = 330.0;
pub(super) const COLUMNS: [&str; 5] = ["series", "x", "y", "low", "high"];

/// Curves over two axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineChart {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves.
    pub series: Vec<Series>,
    /// Horizontal reference lines.
    pub references: Vec<Reference>,
}

/// Curve with an optional band of uncertainty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points in the order of x.
    pub points: Vec<(f64, f64)>,
    /// Lower and upper end of the band at each point; empty without a band.
    pub band: Vec<(f64, f64)>,
}

/// Labeled horizontal line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Label.
    pub name: String,
    /// Vertical position.
    pub y: f64,
}

impl Series {
    /// Creates a curve without a band.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series { name: name.into(), points, band: Vec::new() }
    }

    /// Adds a band, given by its lower and upper end at each point.
    pub fn band(self, band: Vec<(f64, f64)>) -> Series {
        Series { band, ..self }
    }

    /// Iterates over the points with the ends of their band, if any.
    fn with_band(&self) -> impl Iterator<Item = ((f64, f64), Option<(f64, f64)>)> {
        let band = self.band.iter().copied().map(Some).chain(std::iter::repeat(None));
        self.points.iter().copied().zip(band)
    }
}

impl LineChart {
    /// Creates a chart without curves.
    pub fn new(x: Axis, y: Axis) -> LineChart {
        LineChart { x, y, series: Vec::new(), references: Vec::new() }
    }

    /// Adds a curve.
    pub fn with(mut self, series: Series) -> LineChart {
        self.series.push(series);
        self
    }

    /// Adds a labeled horizontal line.
    pub fn reference(mut self, name: impl Into<String>, y: f64) -> LineChart {
        self.references.push(Reference { name: name.into(), y });
        self
    }

    pub(super) fn rows(&self) -> Vec<[String; 5]> {
        let points = self.series.iter().flat_map(|series| {
            series.with_band().map(|((x, y), band)| {
                let (low, high) = band.map_or_else(Default::default, |(low, high)| (cell(low), cell(high)));
                [series.name.clone(), cell(x), cell(y), low, high]
            })
        });
        let line = |reference: &Reference| {
            [reference.name.clone(), String::new(), cell(reference.y), String::new(), String::new()]
        };
        points.chain(self.references.iter().map(line)).collect()
    }

    pub(super) fn legend<'a>(&'a self) -> Vec<Entry<'a>> {
        let entry = |(index, series): (usize, &'a Series)| {
            let (color, dashed) = color::series(index);
            (series.name.as_str(), color, dashed)
        };
        self.series.iter().enumerate().map(entry).collect()
    }

    /// Draws the chart below `top` and returns its lower edge.
    pub(super) fn draw(&self, sheet: &mut Sheet, top: f64) -> f64 {
        let all = || self.series.iter().flat_map(Series::with_band);
        let both = || all().filter(|((x, y), _)| self.x.shows(*x) && self.y.shows(*y));
        let x = self.x.scale(both().map(|((x, _), _)| x));
        let heights = both().flat_map(|((_, y), band)| [Some(y), band.map(|b| b.0), band.map(|b| b.1)]);
        let y = self.y.scale(heights.flatten().chain(self.references.iter().map(|line| line.y)));
        let y_ticks = y.map_or_else(Vec::new, |y| y.ticks(6.0));
        let left = MARGIN + LABEL * 1.7 + widest(y_ticks.iter().map(|(_, text)| text.as_str()), LABEL) + 8.0;
        let names = self.references.iter().map(|line| line.name.as_str());
        let right = WIDTH - MARGIN - (widest(names, LABEL) + 16.0).max(20.0);
        let frame = Rectangle { x: left, y: top, width: right - left, height: HEIGHT };
        axis_labels(sheet, frame, &self.x.label, &self.y.label);
        if let (Some(x), Some(y)) = (x, y) {
            let chart = Drawing { frame, x, y };
            chart.grid(sheet, &x_ticks(&x, frame.width), &y_ticks);
            chart.references(sheet, &self.references, &self.y);
            for (index, series) in self.series.iter().enumerate() {
                chart.band(sheet, series, color::series(index).0, &self.x, &self.y);
            }
            for (index, series) in self.series.iter().enumerate() {
                chart.curve(sheet, series, color::series(index), &self.x, &self.y);
            }
        } else {
            no_data(sheet, frame);
        }
        let corner = vec![(frame.x, frame.y), (frame.x, frame.bottom()), (frame.right(), frame.bottom())];
        sheet.line(corner, INK, 1.0, false);
        frame.bottom() + 2.0 * LABEL * 1.7
    }
}

/// Returns as many ticks as fit their labels.
pub(super) fn x_ticks(scale: &Scale, width: f64) -> Vec<(f64, String)> {
    let fits = |ticks: &[(f64, String)]| {
        let places: Vec<(f64, f64)> =
            ticks.iter().map(|(value, text)| (scale.place(*value) * width, text_width(text, LABEL, false))).collect();
        places.windows(2).all(|pair| pair[0].0 + pair[0].1 / 2.0 + 10.0 < pair[1].0 - pair[1].1 / 2.0)
    };
    let tries = (2..=8).rev().map(|count| scale.ticks(f64::from(count)));
    tries.into_iter().find(|ticks| fits(ticks)).unwrap_or_default()
}

/// Draws the labels of both axes outside the frame.
fn axis_labels(sheet: &mut Sheet, frame: Rectangle, x: &str, y: &str) {
    let (middle, below) = (frame.x + frame.width / 2.0, frame.bottom() + 2.0 * LABEL * 1.7 - 6.0);
    sheet.text(Text::new(x, middle, below, LABEL).anchor(Anchor::Middle));
    let upright = Text::new(y, MARGIN + LABEL * 0.9, frame.y + frame.height / 2.0, LABEL);
    sheet.text(upright.anchor(Anchor::Middle).upright());
}

/// Frame with its scales.
struct Drawing {
    frame: Rectangle,
    x: Scale,
    y: Scale,
}

impl Drawing {
    fn across(&self, x: f64) -> f64 {
        self.frame.x + self.frame.width * self.x.place(x)
    }

    fn down(&self, y: f64) -> f64 {
        self.frame.bottom() - self.frame.height * self.y.place(y)
    }

    fn grid(&self, sheet: &mut Sheet, x_ticks: &[(f64, String)], y_ticks: &[(f64, String)]) {
        for (value, text) in x_ticks {
            let (x, bottom) = (self.across(*value), self.frame.bottom());
            sheet.line(vec![(x, self.frame.y), (x, bottom)], GRID, 0.75, false);
            sheet.line(vec![(x, bottom), (x, bottom + 4.0)], INK, 1.0, false);
            sheet.text(Text::new(text, x, bottom + 6.0 + LABEL, LABEL).anchor(Anchor::Middle));
        }
        for (value, text) in y_ticks {
            let (left, y) = (self.frame.x, self.down(*value));
            sheet.line(vec![(left, y), (self.frame.right(), y)], GRID, 0.75, false);
            sheet.line(vec![(left - 4.0, y), (left, y)], INK, 1.0, false);
            sheet.text(Text::new(text, left - 8.0, y + LABEL * 0.36, LABEL).anchor(Anchor::End));
        }
    }

    /// Draws dashed lines with labels at their right ends. Labels that would overlap are moved apart and connected to
    /// their lines.
    fn references(&self, sheet: &mut Sheet, references: &[Reference], axis: &Axis) {
        let shown: Vec<&Reference> = references.iter().filter(|line| axis.shows(line.y)).collect();
        let heights: Vec<f64> = shown.iter().map(|line| self.down(line.y)).collect();
        let names = spread(&heights, LABEL * 1.25, self.frame.y, self.frame.bottom());
        let right = self.frame.right();
        for ((line, y), name_y) in shown.iter().zip(heights).zip(names) {
            sheet.line(vec![(self.frame.x, y), (right, y)], SOFT, 1.25, true);
            sheet.line(vec![(right, y), (right + 12.0, name_y)], SOFT, 0.75, false);
            sheet.text(Text::new(&line.name, right + 16.0, name_y + LABEL * 0.36, LABEL).color(SOFT));
        }
    }

    fn band(&self, sheet: &mut Sheet, series: &Series, color: Color, x_axis: &Axis, y_axis: &Axis) {
        let points = series.with_band().filter_map(|((x, _), band)| band.map(|(low, high)| (x, low, high)));
        let shown = |&(x, low, high): &(f64, f64, f64)| x_axis.shows(x) && y_axis.shows(low) && y_axis.shows(high);
        let points: Vec<_> = points.filter(shown).collect();
        let upper = points.iter().map(|&(x, _, high)| (self.across(x), self.down(high)));
        let lower = points.iter().rev().map(|&(x, low, _)| (self.across(x), self.down(low)));
        if points.len() > 1 {
            sheet.area(upper.chain(lower).collect(), color, 0.18);
        }
    }

    fn curve(&self, sheet: &mut Sheet, series: &Series, (color, dashed): (Color, bool), x_axis: &Axis, y_axis: &Axis) {
        let shown = series.points.iter().filter(|(x, y)| x_axis.shows(*x) && y_axis.shows(*y));
        let points: Vec<_> = shown.map(|&(x, y)| (self.across(x), self.down(y))).collect();
        match points[..] {
            [] => {}
            [(x, y)] => sheet.rectangle(Rectangle { x: x - 3.0, y: y - 3.0, width: 6.0, height: 6.0 }, color),
            _ => sheet.line(points, color, 2.0, dashed),
        }
    }
}
