//! The available buttons and their positions.

use crate::play::command::{CoachMode, Command, Line};
use crate::play::session::{CHIPS, Phase, Session};
use ratatui::layout::Rect;
use std::ops::Range;

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Button {
    pub(super) label: String,
    /// Key that presses the button.
    pub(super) key: Option<char>,
    pub(super) line: Line,
    /// True if the button has the focus when the stage of the round begins.
    pub(super) is_first: bool,
}

impl Button {
    fn new(key: char, label: impl Into<String>, command: Command) -> Button {
        Button { label: label.into(), key: Some(key), line: Line::Table(command), is_first: false }
    }

    fn first(self) -> Button {
        Button { is_first: true, ..self }
    }

    /// Returns the text of the button. The focused button can be recognized without colour.
    pub(super) fn text(&self, has_focus: bool) -> String {
        let key = self.key.map_or(String::new(), |key| format!("{key} "));
        if has_focus { format!("[>{key}{}<]", self.label) } else { format!("[ {key}{} ]", self.label) }
    }
}

/// Returns the buttons of a session. Commands that would be refused now have no button.
pub(super) fn buttons(session: &Session, bet: usize) -> Vec<Button> {
    match session.phase() {
        Phase::Betting if session.bets().is_empty() => vec![Button::new('d', "DEAL", Command::Deal).first()],
        Phase::Betting => {
            let title = session.bets().get(bet).map(|bet| bet.title.clone());
            let chip = |(chip, key): (i64, char)| {
                Button::new(key, chip.to_string(), Command::Chip { chip, bet: title.clone() })
            };
            let mut buttons: Vec<Button> = CHIPS.into_iter().zip('1'..).map(chip).collect();
            buttons.push(Button::new('c', "CLEAR", Command::Clear));
            if !session.record().last_bets.is_empty() {
                buttons.push(Button::new('r', "REBET", Command::Rebet));
                buttons.push(Button::new('x', "REBET X2", Command::RebetDouble));
            }
            if session.bets().iter().all(|bet| !bet.is_main || session.stake(bet).value() > 0.0) {
                buttons.push(Button::new('d', "DEAL", Command::Deal).first());
            }
            buttons
        }
        Phase::Deciding => deciding(session),
        Phase::Over if session.bets().is_empty() => vec![Button::new('d', "DEAL", Command::Deal).first()],
        Phase::Over => vec![
            Button::new('n', "NEW GAME", Command::NewGame),
            Button::new('r', "REBET", Command::Rebet).first(),
            Button::new('x', "REBET X2", Command::RebetDouble),
        ],
    }
}

fn deciding(session: &Session) -> Vec<Button> {
    let Some(pick) = session.pick() else {
        let keys = ('1'..='9').map(Some).chain(std::iter::repeat(None));
        let action = |(action, key): (usize, Option<char>)| {
            let line = Line::Table(Command::Act(action.to_string()));
            Button { label: session.action_name(action), key, line, is_first: false }
        };
        let mut buttons: Vec<Button> = session.legal().into_iter().zip(keys).map(action).collect();
        if session.house_action().is_some() {
            buttons.push(Button::new('h', "HOUSE WAY", Command::House));
        }
        return buttons;
    };
    let mut buttons = Vec::new();
    if session.house_action().is_some() {
        buttons.push(Button::new('h', pick.house, Command::House));
    }
    if !session.chosen().is_empty() {
        buttons.push(Button::new('u', "UNDO", Command::Undo));
    }
    // Not offered if the choice is a foul.
    if session.pending().is_some() && session.foul().is_none() {
        buttons.push(Button::new('c', "CONFIRM", Command::Confirm).first());
    }
    buttons
}

/// Returns the button that switches the coach to its next mode.
pub(super) fn next_mode(mode: CoachMode) -> Line {
    let at = CoachMode::ALL.iter().position(|&other| other == mode).unwrap_or_default();
    Line::Coach(CoachMode::ALL[(at + 1) % CoachMode::ALL.len()])
}

/// Returns the positions of texts that flow in rows, separated by a space. Only the rows around the focused text are
/// shown, and texts outside of them have no position.
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
