//! Colors from the Okabe-Ito palette, which is safe for color-blind readers.

/// The red, green, and blue components of a color.
pub(super) type Color = [u8; 3];

/// The color of text and axes.
pub(super) const INK: Color = [34, 34, 34];
/// The color of secondary text.
pub(super) const SOFT: Color = [95, 95, 95];
/// The color of grid lines.
pub(super) const GRID: Color = [225, 225, 225];
/// The color of empty cells.
pub(super) const EMPTY: Color = [236, 236, 236];
/// The background color.
pub(super) const WHITE: Color = [255, 255, 255];

const BLUE: Color = [0, 114, 178];
const VERMILION: Color = [213, 94, 0];

/// The series colors. A gray takes the place of yellow, which is too pale for lines on white.
const PALETTE: [Color; 8] =
    [BLUE, VERMILION, [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [0, 0, 0], [140, 140, 140]];

/// Returns the color of a series, and `true` if its line is dashed because the palette is exhausted.
pub(super) fn series(index: usize) -> (Color, bool) {
    (PALETTE[index % PALETTE.len()], index / PALETTE.len() % 2 == 1)
}

/// Returns the color of a series of bars. If the palette is exhausted, it is much paler, because a blue that is only a
/// little paler would look like another color in the palette.
pub(super) fn bars(index: usize) -> Color {
    let (color, repeats) = series(index);
    if repeats { color.map(|part| ((usize::from(part) + 2 * 255) / 3) as u8) } else { color }
}

/// Interpolates from white at 0 to blue at 1 and to vermilion at -1.
pub(super) fn shade(share: f64) -> Color {
    let full = if share < 0.0 { VERMILION } else { BLUE };
    let part = share.abs().min(1.0);
    std::array::from_fn(|i| (f64::from(WHITE[i]) + part * (f64::from(full[i]) - f64::from(WHITE[i]))).round() as u8)
}

/// Returns the text color that has the better contrast on a background.
pub(super) fn ink_on(color: Color) -> Color {
    let [red, green, blue] = color.map(f64::from);
    if 0.299 * red + 0.587 * green + 0.114 * blue < 150.0 { WHITE } else { INK }
}
