//! Line charts with bands, reference lines and labeled points.

use super::axis::{Scale, scale, shows};
use super::sheet::{Anchor, Color, GRID, INK, Rectangle, SOFT, Sheet, Text, series_color, spread, text_width, widest};
use super::{Draw, Entry, LABEL, MARGIN, WIDTH, cell, label_below, label_beside, no_data, table};
use houseway_exact::answer::{Axis, LineChart, Marker, Reference, Series};

const HEIGHT: f64 = 330.0;
/// Half the side length of the square drawn for a point.
const HALF: f64 = 3.0;
/// The distance between a point and its label.
const GAP: f64 = 8.0;
const LINE: f64 = LABEL * 1.15;
/// The maximum number of lines that a label is moved away from its point.
const MAX_LINES: i32 = 12;

/// Iterates over the points of a series, each with the ends of its band if there is one.
fn with_band(series: &Series) -> impl Iterator<Item = ((f64, f64), Option<(f64, f64)>)> {
    let band = series.band.iter().copied().map(Some).chain(std::iter::repeat(None));
    series.points.iter().copied().zip(band)
}

impl Draw for LineChart {
    fn csv(&self) -> String {
        let points = self.series.iter().flat_map(|series| {
            with_band(series).map(|((x, y), band)| {
                let (low, high) = band.map_or_else(Default::default, |(low, high)| (cell(low), cell(high)));
                [series.name.clone(), cell(x), cell(y), low, high]
            })
        });
        let line = |reference: &Reference| {
            let (low, high) = reference.band.map_or_else(Default::default, |(low, high)| (cell(low), cell(high)));
            [reference.name.clone(), String::new(), cell(reference.y), low, high]
        };
        let point = |point: &Marker| [point.name.clone(), cell(point.x), cell(point.y), String::new(), String::new()];
        let others = self.references.iter().map(line).chain(self.markers.iter().map(point));
        table(["series", "x", "y", "low", "high"], points.chain(others).collect())
    }

    fn legend(&self) -> Vec<Entry<'_>> {
        let names = self.series.iter().map(|series| series.name.as_str());
        let entry = |(index, name)| {
            let (color, dashed) = series_color(index);
            (name, color, dashed)
        };
        names.enumerate().map(entry).collect()
    }

    fn draw(&self, sheet: &mut Sheet, top: f64) -> f64 {
        let all = || self.series.iter().flat_map(with_band);
        let both = || all().filter(|((x, y), _)| shows(&self.x, *x) && shows(&self.y, *y));
        let points: Vec<&Marker> =
            self.markers.iter().filter(|point| shows(&self.x, point.x) && shows(&self.y, point.y)).collect();
        let x = scale(&self.x, both().map(|((x, _), _)| x).chain(points.iter().map(|point| point.x)));
        let heights =
            both().flat_map(|((_, y), band)| [Some(y), band.map(|b| low_end(b.0, &self.y)), band.map(|b| b.1)]);
        let lines = self.references.iter().flat_map(|line| {
            let (low, high) = line.band.unwrap_or((line.y, line.y));
            [line.y, low_end(low, &self.y), high]
        });
        let others = lines.chain(points.iter().map(|point| point.y));
        let y = scale(&self.y, heights.flatten().chain(others));
        let y_ticks = y.map_or_else(Vec::new, |y| y.ticks(6.0));
        let left = MARGIN + LABEL * 1.7 + widest(y_ticks.iter().map(|(_, text)| text.as_str()), LABEL) + 8.0;
        let names = self.references.iter().map(|line| line.name.as_str());
        let right = WIDTH - MARGIN - (widest(names, LABEL) + 16.0).max(20.0);
        let frame = Rectangle { x: left, y: top, width: right - left, height: HEIGHT };
        let below = label_below(sheet, frame, &self.x.label);
        label_beside(sheet, frame, &self.y.label);
        if let (Some(x), Some(y)) = (x, y) {
            let chart = Drawing { frame, x, y };
            chart.grid(sheet, &x_ticks(&x, frame.width), &y_ticks);
            chart.references(sheet, &self.references, &self.y);
            for (index, series) in self.series.iter().enumerate() {
                chart.band(sheet, series, series_color(index).0, &self.x, &self.y);
            }
            for (index, series) in self.series.iter().enumerate() {
                chart.curve(sheet, series, series_color(index), &self.x, &self.y);
            }
            let places: Vec<(&str, (f64, f64))> = points
                .iter()
                .map(|point| (point.name.as_str(), (chart.across(point.x), chart.down(point.y))))
                .collect();
            place_labels(sheet, frame, &places);
        } else {
            no_data(sheet, frame);
        }
        let corner = vec![(frame.x, frame.y), (frame.x, frame.bottom()), (frame.right(), frame.bottom())];
        sheet.line(corner, INK, 1.0, false);
        below
    }
}

/// Returns as many ticks as fit without overlapping labels.
pub fn x_ticks(scale: &Scale, width: f64) -> Vec<(f64, String)> {
    let fits = |ticks: &[(f64, String)]| {
        let places: Vec<(f64, f64)> =
            ticks.iter().map(|(value, text)| (scale.place(*value) * width, text_width(text, LABEL, false))).collect();
        places.windows(2).all(|pair| pair[0].0 + pair[0].1 / 2.0 + 10.0 < pair[1].0 - pair[1].1 / 2.0)
    };
    let tries = (2..=8).rev().map(|count| scale.ticks(f64::from(count)));
    tries.into_iter().find(|ticks| fits(ticks)).unwrap_or_default()
}

/// Returns the end of a band, or 0 if it reaches below zero on a logarithmic axis.
fn low_end(low: f64, axis: &Axis) -> f64 {
    if axis.log && low < 0.0 { 0.0 } else { low }
}

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
        let shown: Vec<&Reference> = references.iter().filter(|line| shows(axis, line.y)).collect();
        let heights: Vec<f64> = shown.iter().map(|line| self.down(line.y)).collect();
        let names = spread(&heights, LABEL * 1.25, self.frame.y, self.frame.bottom());
        let right = self.frame.right();
        for (low, high) in shown.iter().filter_map(|line| line.band) {
            let (top, bottom) = (self.down(high), self.down(low_end(low, axis)));
            let corners = vec![(self.frame.x, top), (right, top), (right, bottom), (self.frame.x, bottom)];
            sheet.area(corners, SOFT, 0.15);
        }
        for ((line, y), name_y) in shown.iter().zip(heights).zip(names) {
            sheet.line(vec![(self.frame.x, y), (right, y)], SOFT, 1.25, true);
            sheet.line(vec![(right, y), (right + 12.0, name_y)], SOFT, 0.75, false);
            sheet.text(Text::new(&line.name, right + 16.0, name_y + LABEL * 0.36, LABEL).color(SOFT));
        }
    }

    fn band(&self, sheet: &mut Sheet, series: &Series, color: Color, x_axis: &Axis, y_axis: &Axis) {
        let points = with_band(series).filter_map(|((x, _), band)| band.map(|(low, high)| (x, low, high)));
        // On a logarithmic axis, a band that reaches below zero ends at the lower end of the axis.
        let points = points.map(|(x, low, high)| (x, low_end(low, y_axis), high));
        let shown = |&(x, low, high): &(f64, f64, f64)| shows(x_axis, x) && shows(y_axis, low) && shows(y_axis, high);
        let points: Vec<_> = points.filter(shown).collect();
        let upper = points.iter().map(|&(x, _, high)| (self.across(x), self.down(high)));
        let lower = points.iter().rev().map(|&(x, low, _)| (self.across(x), self.down(low)));
        if points.len() > 1 {
            sheet.area(upper.chain(lower).collect(), color, 0.18);
        }
    }

    fn curve(&self, sheet: &mut Sheet, series: &Series, (color, dashed): (Color, bool), x_axis: &Axis, y_axis: &Axis) {
        let shown = series.points.iter().filter(|(x, y)| shows(x_axis, *x) && shows(y_axis, *y));
        let points: Vec<_> = shown.map(|&(x, y)| (self.across(x), self.down(y))).collect();
        match points[..] {
            [] => {}
            [(x, y)] => sheet.rectangle(Rectangle { x: x - 3.0, y: y - 3.0, width: 6.0, height: 6.0 }, color),
            _ => sheet.line(points, color, 2.0, dashed),
        }
    }
}

/// Draws points with their labels. If there is no room for a label next to its point, it is moved up or down and
/// connected to the point. Labels that don't fit anywhere are omitted.
pub fn place_labels(sheet: &mut Sheet, frame: Rectangle, points: &[(&str, (f64, f64))]) {
    let mut taken: Vec<Rectangle> = points.iter().map(|&(_, place)| square(place)).collect();
    for (name, place) in points {
        sheet.rectangle(square(*place), INK);
        let free = |(text, _): &(Text, bool)| {
            let extent = text.extent();
            frame.contains(extent) && taken.iter().all(|other| !other.overlaps(extent))
        };
        let Some((text, is_moved)) = candidates(name, *place).into_iter().find(free) else { continue };
        if is_moved {
            let from = if text.anchor == Anchor::Start { text.x - 2.0 } else { text.x + 2.0 };
            sheet.line(vec![*place, (from, text.y - LABEL * 0.36)], SOFT, 0.75, false);
        }
        taken.push(text.extent());
        sheet.text(text);
    }
}

fn square((x, y): (f64, f64)) -> Rectangle {
    Rectangle { x: x - HALF, y: y - HALF, width: 2.0 * HALF, height: 2.0 * HALF }
}

/// Returns candidate positions for a label, best first. The flag is `true` for positions that aren't next to the point.
fn candidates(name: &str, (x, y): (f64, f64)) -> Vec<(Text, bool)> {
    let at = |lines: i32, anchor: Anchor| {
        let far = if lines == 0 { GAP } else { 2.0 * GAP };
        let x = if anchor == Anchor::Start { x + far } else { x - far };
        let text = Text::new(name, x, y + LABEL * 0.36 + LINE * f64::from(lines), LABEL).anchor(anchor);
        (text, lines != 0)
    };
    let lines = (0..=MAX_LINES).flat_map(|lines| if lines == 0 { vec![0] } else { vec![-lines, lines] });
    lines.flat_map(|lines| [at(lines, Anchor::Start), at(lines, Anchor::End)]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sheet::Mark;
    use super::*;

    #[test]
    fn labels_overlap_neither_each_other_nor_points() {
        let frame = Rectangle { x: 0.0, y: 0.0, width: 600.0, height: 300.0 };
        let points: Vec<(String, (f64, f64))> =
            (0..10).map(|i| (format!("house way {i}"), (300.0 + f64::from(i % 4), 150.0 + f64::from(i)))).collect();
        let places: Vec<(&str, (f64, f64))> = points.iter().map(|(name, place)| (name.as_str(), *place)).collect();
        let mut sheet = Sheet::new(600.0);
        place_labels(&mut sheet, frame, &places);
        let extents: Vec<Rectangle> = sheet
            .marks
            .iter()
            .filter_map(|mark| if let Mark::Text(text) = mark { Some(text.extent()) } else { None })
            .collect();
        assert_eq!(extents.len(), points.len());
        for (i, extent) in extents.iter().enumerate() {
            assert!(frame.contains(*extent));
            assert!(
                extents[..i]
                    .iter()
                    .chain(&places.iter().map(|it| square(it.1)).collect::<Vec<_>>())
                    .all(|other| !other.overlaps(*extent))
            );
        }
    }
}
