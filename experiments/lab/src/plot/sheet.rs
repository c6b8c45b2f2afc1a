//! The layout of a figure, as marks with exact positions that are ready to be rendered.
//!
//! Layout uses real text widths, so tests can check that no label is cut off or overlapped. The colors
//! are from the Okabe-Ito palette, which is safe for color-blind readers.

use plotters::style::{FontStyle, IntoFont, register_font};
use std::sync::Once;

/// The family name under which the built-in fonts are registered.
pub const FAMILY: &str = "sans-serif";
/// The height of a plotters font from ascent to descent, relative to the font size.
pub const FONT_HEIGHT: f64 = 1.164;
/// The lengths of a dash and the gap after it.
const DASH: (f64, f64) = (6.0, 4.0);

pub type Color = [u8; 3];

pub const INK: Color = [34, 34, 34];
pub const SOFT: Color = [95, 95, 95];
pub const GRID: Color = [225, 225, 225];
pub const EMPTY: Color = [236, 236, 236];
pub const WHITE: Color = [255, 255, 255];

const BLUE: Color = [0, 114, 178];
const VERMILION: Color = [213, 94, 0];

/// The series colors. A gray takes the place of yellow, which is too pale for lines on white.
const PALETTE: [Color; 8] =
    [BLUE, VERMILION, [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [0, 0, 0], [140, 140, 140]];

#[derive(Clone, Debug)]
pub enum Mark {
    Line { points: Vec<(f64, f64)>, color: Color, width: f64 },
    Area { points: Vec<(f64, f64)>, color: Color, opacity: f64 },
    Text(Text),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rectangle {
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub fn overlaps(&self, other: Rectangle) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    pub fn contains(&self, other: Rectangle) -> bool {
        self.x <= other.x && other.right() <= self.right() && self.y <= other.y && other.bottom() <= self.bottom()
    }

    fn corners(&self) -> Vec<(f64, f64)> {
        vec![(self.x, self.y), (self.right(), self.y), (self.right(), self.bottom()), (self.x, self.bottom())]
    }
}

/// A text's anchor, i.e. the part of it placed at the given position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text with its baseline at `y`. Upright text reads from bottom to top and has its baseline at `x`.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: String,
    pub x: f64,
    pub y: f64,
    pub size: f64,
    pub color: Color,
    pub bold: bool,
    pub anchor: Anchor,
    pub upright: bool,
}

impl Text {
    pub fn new(text: impl Into<String>, x: f64, y: f64, size: f64) -> Text {
        let text = text.into();
        Text { text, x, y, size, color: INK, bold: false, anchor: Anchor::Start, upright: false }
    }

    pub fn color(self, color: Color) -> Text {
        Text { color, ..self }
    }

    pub fn anchor(self, anchor: Anchor) -> Text {
        Text { anchor, ..self }
    }

    pub fn upright(self) -> Text {
        Text { upright: true, ..self }
    }

    pub fn extent(&self) -> Rectangle {
        let width = text_width(&self.text, self.size, self.bold);
        let before = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (up, down) = (self.size * 0.76, self.size * 0.24);
        match self.upright {
            false => Rectangle { x: self.x - before, y: self.y - up, width, height: up + down },
            true => Rectangle { x: self.x - up, y: self.y + before - width, width: up + down, height: width },
        }
    }
}

/// A figure as a list of marks, from back to front.
#[derive(Debug)]
pub struct Sheet {
    pub width: f64,
    pub height: f64,
    pub marks: Vec<Mark>,
}

impl Sheet {
    /// Creates an empty sheet. Its height is set once all marks have been placed.
    pub fn new(width: f64) -> Sheet {
        Sheet { width, height: 0.0, marks: Vec::new() }
    }

    pub fn line(&mut self, points: Vec<(f64, f64)>, color: Color, width: f64, dashed: bool) {
        let pieces = if dashed { dashes(&points) } else { vec![points] };
        self.marks.extend(pieces.into_iter().map(|points| Mark::Line { points, color, width }));
    }

    pub fn area(&mut self, points: Vec<(f64, f64)>, color: Color, opacity: f64) {
        self.marks.push(Mark::Area { points, color, opacity });
    }

    pub fn rectangle(&mut self, rectangle: Rectangle, color: Color) {
        self.area(rectangle.corners(), color, 1.0);
    }

    pub fn text(&mut self, text: Text) {
        self.marks.push(Mark::Text(text));
    }
}

fn dashes(points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = Vec::new();
    let (mut piece, mut left, mut on) = (points.first().copied().into_iter().collect::<Vec<_>>(), DASH.0, true);
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = (x1 - x0).hypot(y1 - y0);
        let mut at = 0.0;
        while length - at > left {
            at += left;
            let place = (x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length);
            if on {
                piece.push(place);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![place];
            }
            on = !on;
            left = if on { DASH.0 } else { DASH.1 };
        }
        left -= length - at;
        if on {
            piece.push((x1, y1));
        }
    }
    pieces.extend((piece.len() > 1).then_some(piece));
    pieces
}

/// Returns a font style. The first call registers the built-in fonts.
pub fn font_style(bold: bool) -> FontStyle {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let fonts: [(FontStyle, &'static [u8]); 2] = [
            (FontStyle::Normal, include_bytes!("../../fonts/DejaVuSans.ttf")),
            (FontStyle::Bold, include_bytes!("../../fonts/DejaVuSans-Bold.ttf")),
        ];
        for (style, bytes) in fonts {
            assert!(register_font(FAMILY, style, bytes).is_ok(), "the built-in font is valid");
        }
    });
    if bold { FontStyle::Bold } else { FontStyle::Normal }
}

pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    // Widths are rounded to whole pixels, so measure the text at a large size.
    const LARGE: f64 = 100.0;
    let font = (FAMILY, LARGE * FONT_HEIGHT, font_style(bold)).into_font();
    let (width, _) = font.box_size(text).expect("the built-in font is registered");
    f64::from(width) * size / LARGE
}

pub fn widest<'a>(texts: impl IntoIterator<Item = &'a str>, size: f64) -> f64 {
    texts.into_iter().map(|text| text_width(text, size, false)).fold(0.0, f64::max)
}

/// Wraps a text into lines that are at most `width` wide. A word that is wider gets its own line.
pub fn wrap(text: &str, size: f64, bold: bool, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer.filter(|line| text_width(line, size, bold) <= width) {
            Some(line) => *lines.last_mut().expect("the line exists") = line,
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Moves positions at least `gap` apart with minimal changes, keeping their order and staying within `low` and `high`
/// if there is enough room.
pub fn spread(places: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    let mut moved = places.to_vec();
    let mut least = low;
    for &i in &order {
        moved[i] = moved[i].max(least);
        least = moved[i] + gap;
    }
    let mut most = high;
    for &i in order.iter().rev() {
        moved[i] = moved[i].min(most);
        most = moved[i] - gap;
    }
    moved
}

/// Returns the color of a series, and `true` if its line is dashed because the palette is exhausted.
pub fn series_color(index: usize) -> (Color, bool) {
    (PALETTE[index % PALETTE.len()], index / PALETTE.len() % 2 == 1)
}

/// Returns the color of a series of bars. If the palette is exhausted, it is much paler, because a blue that is only a
/// little paler would look like another color in the palette.
pub fn bar_color(index: usize) -> Color {
    let (color, repeats) = series_color(index);
    if repeats { color.map(|part| ((usize::from(part) + 2 * 255) / 3) as u8) } else { color }
}

/// Interpolates from white at 0 to blue at 1 and to vermilion at -1.
pub fn shade(share: f64) -> Color {
    let full = if share < 0.0 { VERMILION } else { BLUE };
    let part = share.abs().min(1.0);
    std::array::from_fn(|i| (f64::from(WHITE[i]) + part * (f64::from(full[i]) - f64::from(WHITE[i]))).round() as u8)
}

/// Returns the text color that has the better contrast on a background.
pub fn ink_on(color: Color) -> Color {
    let [red, green, blue] = color.map(f64::from);
    if 0.299 * red + 0.587 * green + 0.114 * blue < 150.0 { WHITE } else { INK }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_measured_and_wrapped() {
        let (one, two) = (text_width("regret", 12.0, false), text_width("regretregret", 12.0, false));
        assert!(one > 30.0 && (two - 2.0 * one).abs() < 0.3, "{one} {two}");
        assert!(text_width("regret", 12.0, true) > one);
        let lines = wrap("one two three four", 12.0, false, text_width("one two three", 12.0, false));
        assert_eq!(lines, ["one two three", "four"]);
    }

    #[test]
    fn positions_are_moved_apart() {
        assert_eq!(spread(&[50.0, 10.0, 52.0], 10.0, 0.0, 100.0), [50.0, 10.0, 60.0]);
        assert_eq!(spread(&[98.0, 97.0], 10.0, 0.0, 100.0), [100.0, 90.0]);
    }

    #[test]
    fn dashes_cover_their_fraction_of_a_bent_line() {
        let pieces = dashes(&[(0.0, 0.0), (25.0, 0.0), (25.0, 25.0)]);
        let length = |piece: &Vec<(f64, f64)>| -> f64 {
            piece.windows(2).map(|pair| (pair[1].0 - pair[0].0).abs() + (pair[1].1 - pair[0].1).abs()).sum()
        };
        assert_eq!(pieces.iter().map(length).collect::<Vec<_>>(), [6.0; 5]);
        assert_eq!(pieces[2], [(20.0, 0.0), (25.0, 0.0), (25.0, 1.0)]);
    }
}
