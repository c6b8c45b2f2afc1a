//! Places labels next to points so that they overlap neither each other nor the points.

use super::color::{INK, SOFT};
use super::layout::LABEL;
use super::sheet::{Anchor, Rectangle, Sheet, Text};

/// Half the side length of the square drawn for a point.
const HALF: f64 = 3.0;
/// The distance between a point and its label.
const GAP: f64 = 8.0;
/// The line height of labels.
const LINE: f64 = LABEL * 1.15;
/// The maximum number of lines that a label is moved away from its point.
const MAX_LINES: i32 = 12;

/// Draws points with their labels. If there is no room for a label next to its point, it is moved up or down and
/// connected to the point. Labels that don't fit anywhere are omitted.
pub(super) fn place_labels(sheet: &mut Sheet, frame: Rectangle, points: &[(&str, (f64, f64))]) {
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
