//! The commands that a player can enter as lines of text.

use super::{Amount, CHIPS, Phase, Session};
use houseway_env::names::UnknownName;
use serde::Serialize;
use std::fmt;

/// A command at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Place a chip on a bet.
    Chip {
        /// The value of the chip.
        chip: i64,
        /// The title of the bet. Defaults to the first bet.
        bet: Option<String>,
    },
    /// Take back all chips.
    Clear,
    /// Deal the cards.
    Deal,
    /// Choose the card at this position, or put it back if it has already been chosen.
    Card(usize),
    /// Choose the cards with these names.
    Choose(Vec<String>),
    /// Choose the action of the house's strategy.
    House,
    /// Put back all chosen cards.
    Undo,
    /// Play the action of the chosen cards.
    Confirm,
    /// Start a round without bets.
    NewGame,
    /// Start a round with the last bets.
    Rebet,
    /// Start a round with twice the last bets.
    RebetDouble,
    /// Sit out a round.
    SitOut,
    /// Play the action with this name or number.
    Act(String),
}

houseway_env::named_enum! {
    /// The times at which the coach gives advice.
    #[derive(Default)]
    pub enum CoachMode: kebab_case {
        /// Before every decision and after the round.
        On,
        /// Never. Decisions aren't judged either.
        Off,
        /// Only after the round.
        #[default]
        After,
    }
}

/// A line of player input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Table(Command),
    /// Change the coach mode.
    Coach(CoachMode),
    /// Show the results of the session.
    Stats,
    /// List the commands.
    Help,
    /// End the session.
    Quit,
}

/// The descriptions of the commands, for the help in line mode.
pub const HELP: &[&str] = &[
    "chip 5 [BET]: places a chip (1, 5, 25, 100 or 500) on a bet",
    "clear: takes back all chips",
    "deal: deals the cards",
    "card 3: chooses the third card, or puts it back",
    "cards 7c 7d: chooses cards by name",
    "house way: chooses the house's play",
    "undo: puts back the chosen cards",
    "confirm: plays the chosen cards",
    "new game: starts a round without bets; rebet, rebet x2: repeats the last bets or doubles them",
    "raise: plays an action by name, in games where you don't choose cards",
    "pass, bank 120: passes the bank or takes it with one of the offered stakes, at a table with seats",
    "sit out: lets the other seats play a round without you, at a table with seats",
    "coach on, coach off, coach after; stats; help; quit",
];

impl Line {
    /// Parses a line. Any text that isn't a command is parsed as an action if `is_action` returns `true` for it.
    pub fn parse(text: &str, is_action: impl Fn(&str) -> bool) -> Result<Line, String> {
        let lower = text.trim().to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        Ok(Line::Table(match words[..] {
            ["quit" | "exit" | "q"] => return Ok(Line::Quit),
            ["help" | "?"] => return Ok(Line::Help),
            ["stats"] => return Ok(Line::Stats),
            ["coach", mode] => return mode.parse().map(Line::Coach).map_err(|error: UnknownName| error.to_string()),
            ["chip" | "bet", chip] => Command::Chip { chip: number(chip)?, bet: None },
            ["chip" | "bet", chip, ref bet @ ..] => Command::Chip { chip: number(chip)?, bet: Some(bet.join(" ")) },
            ["clear"] => Command::Clear,
            ["deal"] => Command::Deal,
            ["card", place] => match number(place)? {
                place @ 1.. => Command::Card(place as usize - 1),
                _ => return Err("cards are numbered from 1".to_owned()),
            },
            ["cards" | "front", ref cards @ ..] => Command::Choose(cards.iter().map(|&card| card.to_owned()).collect()),
            ["house" | "house-way"] | ["house", "way"] => Command::House,
            ["undo"] => Command::Undo,
            ["confirm" | "done"] => Command::Confirm,
            ["new"] | ["new", "game"] => Command::NewGame,
            ["rebet"] => Command::Rebet,
            ["rebet", "x2" | "x"] | ["rebet", "x", "2"] => Command::RebetDouble,
            ["sit", "out"] | ["sit-out"] => Command::SitOut,
            ["act", ref name @ ..] if !name.is_empty() => Command::Act(name.join(" ")),
            _ if is_action(&lower) => Command::Act(lower),
            _ => return Err(format!("unknown command '{}'; enter help to list the commands", text.trim())),
        }))
    }
}

impl fmt::Display for Line {
    /// Writes the line in the form that [`Line::parse`] accepts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Table(command) => command.fmt(f),
            Line::Coach(mode) => write!(f, "coach {mode}"),
            Line::Stats => f.write_str("stats"),
            Line::Help => f.write_str("help"),
            Line::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Chip { chip, bet: None } => write!(f, "chip {chip}"),
            Command::Chip { chip, bet: Some(bet) } => write!(f, "chip {chip} {}", bet.to_lowercase()),
            Command::Clear => f.write_str("clear"),
            Command::Deal => f.write_str("deal"),
            Command::Card(place) => write!(f, "card {}", place + 1),
            Command::Choose(cards) => write!(f, "cards {}", cards.join(" ")),
            Command::House => f.write_str("house way"),
            Command::Undo => f.write_str("undo"),
            Command::Confirm => f.write_str("confirm"),
            Command::NewGame => f.write_str("new game"),
            Command::Rebet => f.write_str("rebet"),
            Command::RebetDouble => f.write_str("rebet x2"),
            Command::SitOut => f.write_str("sit out"),
            Command::Act(name) => write!(f, "act {name}"),
        }
    }
}

fn number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("invalid number '{text}'"))
}

/// An event in a session.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The session was started or resumed.
    Session {
        /// The game's title.
        game: String,
        /// The seed that the cards are dealt from.
        seed: u64,
        /// The number of finished rounds.
        rounds: u64,
        bankroll: Amount,
    },
    /// The bets changed.
    Bets {
        /// The title and stake of each bet.
        bets: Vec<(String, Amount)>,
        /// The bankroll, including the bets.
        bankroll: Amount,
    },
    /// The player has to make a decision.
    Dealt {
        /// The round number, starting at 1.
        round: u64,
        /// The game state as text.
        state: String,
        /// The game's note on the hand, if any.
        remark: Option<String>,
        /// The names of the legal actions. Empty if the player chooses cards instead.
        actions: Vec<String>,
    },
    /// Cards were chosen or put back.
    Choice {
        /// The chosen cards.
        chosen: String,
        /// The other cards.
        others: String,
        /// `true` if enough cards have been chosen.
        complete: bool,
        /// The reason if the choice is illegal.
        foul: Option<String>,
    },
    /// An action was played.
    Played {
        /// The name of the action.
        action: String,
    },
    /// A round was finished.
    Result {
        /// The round number, starting at 1.
        round: u64,
        /// The game state as text.
        state: String,
        /// The round's net result.
        net: Amount,
        bankroll: Amount,
    },
    /// The coach made a remark.
    Coach {
        /// The remark in one sentence.
        text: String,
    },
    /// A line of session statistics.
    Stats {
        /// The statistics in one sentence.
        text: String,
    },
    /// A command was refused.
    Refused {
        /// The reason, usually with a suggestion of what to do instead.
        reason: String,
    },
    /// A line of the help text.
    Help {
        /// The description of a command.
        text: String,
    },
    /// The player ran out of time.
    TimeUp,
    /// The session was ended and saved.
    End {
        /// The number of finished rounds.
        rounds: u64,
        bankroll: Amount,
    },
}

/// Joins the lines of a text with semicolons and collapses all other whitespace into single spaces.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

impl fmt::Display for Event {
    /// Writes the event as a single line, without a line break at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Session { game, seed, rounds, bankroll } => {
                write!(f, "session: {game}; bankroll {bankroll}, rounds played: {rounds}; seed {seed}")
            }
            Event::Bets { bets, bankroll } => {
                let bets: Vec<String> = bets.iter().map(|(title, stake)| format!("{title} {stake}")).collect();
                let bets = if bets.is_empty() { "none before the deal".to_owned() } else { bets.join(", ") };
                write!(f, "bets: {bets}; bankroll {bankroll}")
            }
            Event::Dealt { round, state, remark, actions } => {
                write!(f, "round {round}: {}", one_line(state))?;
                remark.iter().try_for_each(|remark| write!(f, "; {remark}"))?;
                if actions.is_empty() { Ok(()) } else { write!(f, "; actions: {}", actions.join(", ")) }
            }
            Event::Choice { chosen, others, complete, foul } => {
                write!(f, "choice: {}; {}", one_line(chosen), one_line(others))?;
                match (complete, foul) {
                    (_, Some(reason)) => write!(f, "; CONFIRM is not offered: {reason}"),
                    (true, None) => write!(f, "; CONFIRM or UNDO"),
                    (false, None) => Ok(()),
                }
            }
            Event::Played { action } => write!(f, "played: {action}"),
            Event::Result { round, state, net, bankroll } => {
                write!(f, "result of round {round}: {}; net {}; bankroll {bankroll}", one_line(state), net.signed())
            }
            Event::Coach { text } => write!(f, "coach: {}", one_line(text)),
            Event::Stats { text } => write!(f, "stats: {}", one_line(text)),
            Event::Refused { reason } => write!(f, "refused: {}", one_line(reason)),
            Event::Help { text } => write!(f, "help: {text}"),
            Event::TimeUp => write!(f, "time is up: the house plays"),
            Event::End { rounds, bankroll } => write!(f, "end: bankroll {bankroll}, rounds played: {rounds}; saved"),
        }
    }
}

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
    match session.phase {
        Phase::Betting if session.bets.is_empty() => vec![Button::new('d', "DEAL", Command::Deal).first()],
        Phase::Betting => {
            let title = session.bets.get(bet).map(|bet| bet.title.clone());
            let chip = |(chip, key): (i64, char)| {
                Button::new(key, chip.to_string(), Command::Chip { chip, bet: title.clone() })
            };
            let mut buttons: Vec<Button> = CHIPS.into_iter().zip('1'..).map(chip).collect();
            buttons.push(Button::new('c', "CLEAR", Command::Clear));
            if !session.record.last_bets.is_empty() {
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
        Phase::Over if session.bets.is_empty() => vec![Button::new('d', "DEAL", Command::Deal).first()],
        Phase::Over => {
            let mut buttons = vec![Button::new('n', "NEW GAME", Command::NewGame)];
            if !session.record.last_bets.is_empty() {
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
    if !session.chosen.is_empty() {
        buttons.push(Button::new('u', "UNDO", Command::Undo));
    }
    // A foul can't be confirmed.
    if session.pending().is_some() && session.foul().is_none() {
        buttons.push(Button::new('c', "CONFIRM", Command::Confirm).first());
    }
    buttons
}

/// Returns the line that switches the coach to the next mode.
pub fn next_mode(mode: CoachMode) -> Line {
    let at = CoachMode::ALL.iter().position(|&other| other == mode).unwrap_or_default();
    Line::Coach(CoachMode::ALL[(at + 1) % CoachMode::ALL.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let cards = ["7c", "7d"].map(str::to_owned).to_vec();
        let commands = [
            Command::Chip { chip: 25, bet: None },
            Command::Chip { chip: 5, bet: Some("side stake".to_owned()) },
            Command::Clear,
            Command::Deal,
            Command::Card(0),
            Command::Choose(cards),
            Command::House,
            Command::Undo,
            Command::Confirm,
            Command::NewGame,
            Command::Rebet,
            Command::RebetDouble,
            Command::SitOut,
            Command::Act("raise".to_owned()),
        ];
        let others = [Line::Coach(CoachMode::On), Line::Stats, Line::Help, Line::Quit];
        for line in commands.into_iter().map(Line::Table).chain(others) {
            assert_eq!(Line::parse(&line.to_string(), |_| false), Ok(line));
        }
    }
}
