//! The texts and positions of buttons.

use crate::play::buttons::Button;
use ratatui::layout::Rect;
use std::ops::Range;

impl Button {
    /// Returns the button's text. The focused button is recognizable even without colors.
    pub(super) fn text(&self, has_focus: bool) -> String {
        let key = self.key.map_or(String::new(), |key| format!("{key} "));
        if has_focus { format!("[>{key}{}<]", self.label) } else { format!("[ {key}{} ]", self.label) }
    }
}

/// Arranges texts in rows, separated by spaces, and returns their positions.
///
/// If the rows don't fit into the area, they are scrolled to the focused text. Texts in hidden rows have no position.
pub(super) fn flow(widths: &[u16], focus: usize, area: Rect) -> Vec<Option<Rect>> {
    let (mut row, mut column) = (0u16, 0u16);
    let mut places = Vec::with_capacity(widths.len());
    for &width in widths {
        if column > 0 && column + width > area.width {
            (row, column) = (row + 1, 0);
        }
        places.push((row, column));
        column += width + 1;
    }
    let focus_row = places.get(focus).map_or(0, |place| place.0);
    let first = (focus_row + 1).saturating_sub(area.height);
    let shown: Range<u16> = first..first + area.height;
    let place = |(&(row, column), &width): (&(u16, u16), &u16)| {
        let width = width.min(area.width.saturating_sub(column));
        shown.contains(&row).then(|| Rect::new(area.x + column, area.y + row - first, width, 1))
    };
    places.iter().zip(widths).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_flow_in_rows_and_scroll_to_the_focus() {
        let area = Rect::new(2, 5, 10, 2);
        let widths = [4, 4, 4, 4, 4, 20];
        let rows = |focus| {
            let places = flow(&widths, focus, area).into_iter();
            places.map(|place| place.map(|place| (place.x, place.y, place.width))).collect::<Vec<_>>()
        };
        let top = [Some((2, 5, 4)), Some((7, 5, 4)), Some((2, 6, 4)), Some((7, 6, 4)), None, None];
        assert_eq!(rows(0), top);
        assert_eq!(rows(3), top);
        assert_eq!(rows(4), [None, None, Some((2, 5, 4)), Some((7, 5, 4)), Some((2, 6, 4)), None]);
        assert_eq!(rows(5), [None, None, None, None, Some((2, 5, 4)), Some((2, 6, 10))]);
    }
}
