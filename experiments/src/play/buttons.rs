//! The buttons that are offered, on the screen and in the browser.

use super::command::{CoachMode, Command, Line};
use super::session::{CHIPS, Phase, Session};

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// Its text.
    pub label: String,
    /// The key that presses it.
    pub key: Option<char>,
    /// The line that it stands for.
    pub line: Line,
    /// It has the focus when the stage of the round begins.
    pub is_first: bool,
}

impl Button {
    fn new(key: char, label: impl Into<String>, command: Command) -> Button {
        Button { label: label.into(), key: Some(key), line: Line::Table(command), is_first: false }
    }

    fn first(self) -> Button {
        Button { is_first: true, ..self }
    }
}

/// Returns the buttons of a session, those of chips for the bet with an index; a command that is refused now has none.
pub fn buttons(session: &Session, bet: usize) -> Vec<Button> {
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
    // Not offered for a foul.
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
