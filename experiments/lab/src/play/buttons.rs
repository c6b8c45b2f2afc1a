//! The buttons that the terminal and the browser offer to the player.

use super::command::{CoachMode, Command, Line};
use super::session::{CHIPS, Phase, Session};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// The text on the button.
    pub label: String,
    /// The key that presses the button.
    pub key: Option<char>,
    /// The line that is executed when the button is pressed.
    pub line: Line,
    /// `true` if the button has the focus when this phase of the round begins.
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

/// Returns the buttons for the commands that are currently possible. The chip buttons place chips on the bet with the
/// given index.
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
            if session.deal_refusal().is_none() {
                buttons.push(Button::new('d', "DEAL", Command::Deal).first());
            }
            buttons.extend(sit_out(session));
            buttons
        }
        Phase::Deciding => deciding(session),
        Phase::Over if session.bets().is_empty() => vec![Button::new('d', "DEAL", Command::Deal).first()],
        Phase::Over => {
            let mut buttons = vec![Button::new('n', "NEW GAME", Command::NewGame)];
            if !session.record().last_bets.is_empty() {
                buttons.push(Button::new('r', "REBET", Command::Rebet).first());
                buttons.push(Button::new('x', "REBET X2", Command::RebetDouble));
            }
            buttons.extend(sit_out(session));
            buttons
        }
    }
}

/// Returns the button for sitting out the next round, if that is possible.
fn sit_out(session: &Session) -> Option<Button> {
    session.sit_out_refusal().is_none().then(|| Button::new('s', "SIT OUT", Command::SitOut))
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
    // A foul can't be confirmed.
    if session.pending().is_some() && session.foul().is_none() {
        buttons.push(Button::new('c', "CONFIRM", Command::Confirm).first());
    }
    buttons
}

/// Returns the line that switches the coach to the next mode.
pub(super) fn next_mode(mode: CoachMode) -> Line {
    let at = CoachMode::ALL.iter().position(|&other| other == mode).unwrap_or_default();
    Line::Coach(CoachMode::ALL[(at + 1) % CoachMode::ALL.len()])
}
