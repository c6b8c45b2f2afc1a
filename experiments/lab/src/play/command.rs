//! The commands that a player can enter as lines of text or with buttons, and the events that they cause.

use super::{Amount, Phase, Session};
use houseway_env::names::InvalidText;
use serde::Serialize;
use std::fmt;

/// A command. `Chip` places a chip on the bet with this title or on the first one, `Card` chooses the card at a position or
/// puts it back, `NewGame` starts a round without bets, and `Act` plays the action with this name or number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Chip { chip: i64, bet: Option<String> },
    Clear,
    Deal,
    Card(usize),
    Choose(Vec<String>),
    House,
    Undo,
    Confirm,
    Shake,
    NewGame,
    Rebet,
    RebetDouble,
    SitOut,
    Act(String),
    Coach(CoachMode),
    Stats,
    Help,
    Quit,
}

/// The commands without arguments, each with the texts that are parsed as it. It is written like the first one.
const WORDS: &[(Command, &[&str])] = &[
    (Command::Clear, &["clear"]),
    (Command::Deal, &["deal"]),
    (Command::House, &["house way", "house", "house-way"]),
    (Command::Undo, &["undo"]),
    (Command::Confirm, &["confirm", "done"]),
    (Command::Shake, &["shake", "shake the dice"]),
    (Command::NewGame, &["new game", "new"]),
    (Command::Rebet, &["rebet"]),
    (Command::RebetDouble, &["rebet x2", "rebet x", "rebet x 2"]),
    (Command::SitOut, &["sit out", "sit-out"]),
    (Command::Stats, &["stats"]),
    (Command::Help, &["help", "?"]),
    (Command::Quit, &["quit", "exit", "q"]),
];

houseway_env::named_enum! {
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

pub const HELP: &[&str] = &[
    "chip 5 [BET]: places a chip (1, 5, 25, 100 or 500) on a bet",
    "clear: takes back all chips",
    "deal: deals the cards",
    "card 3: chooses the third card, or puts it back",
    "cards 7c 7d, cards 4 5: chooses cards by their names or places",
    "house way: chooses the house's play",
    "undo: puts back the chosen cards",
    "confirm: plays the chosen cards",
    "new game: starts a round without bets; rebet, rebet x2: repeats the last bets or doubles them",
    "raise: plays an action by name, in games where you don't choose cards",
    "pass, bank 120: passes the bank or takes it with one of the offered stakes, at a table with seats",
    "shake: shakes the dice, if you have the bank",
    "sit out: lets the other seats play a round without you, at a table with seats",
    "coach on, coach off, coach after; stats; help; quit",
];

impl Command {
    /// Parses a line. Any text that isn't a command is parsed as an action if `is_action` returns `true` for it.
    pub fn parse(line: &str, is_action: impl Fn(&str) -> bool) -> Result<Command, String> {
        let lower = line.trim().to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let text = words.join(" ");
        if let Some((command, _)) = WORDS.iter().find(|(_, texts)| texts.contains(&text.as_str())) {
            return Ok(command.clone());
        }
        Ok(match words[..] {
            ["coach", mode] => Command::Coach(mode.parse().map_err(|error: InvalidText| error.to_string())?),
            ["chip" | "bet", chip] => Command::Chip { chip: number(chip)?, bet: None },
            ["chip" | "bet", chip, ref bet @ ..] => Command::Chip { chip: number(chip)?, bet: Some(bet.join(" ")) },
            ["card", place] => match number(place)? {
                place @ 1.. => Command::Card(place as usize - 1),
                _ => return Err("cards are numbered from 1".to_owned()),
            },
            ["cards" | "front", ref cards @ ..] => Command::Choose(cards.iter().map(|&card| card.to_owned()).collect()),
            ["act", ref name @ ..] if !name.is_empty() => Command::Act(name.join(" ")),
            // The reason for a refusal lists the stakes of a bank.
            ["pass" | "bank", ..] => Command::Act(text),
            _ if is_action(&lower) => Command::Act(lower),
            _ => return Err(format!("unknown command '{}'; enter help to list the commands", line.trim())),
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Chip { chip, bet: None } => write!(f, "chip {chip}"),
            Command::Chip { chip, bet: Some(bet) } => write!(f, "chip {chip} {}", bet.to_lowercase()),
            Command::Card(place) => write!(f, "card {}", place + 1),
            Command::Choose(cards) => write!(f, "cards {}", cards.join(" ")),
            Command::Act(name) => write!(f, "act {name}"),
            Command::Coach(mode) => write!(f, "coach {mode}"),
            other => {
                let words = WORDS.iter().find(|(command, _)| command == other);
                f.write_str(words.map_or("", |(_, texts)| texts[0]))
            }
        }
    }
}

fn number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("invalid number '{text}'"))
}

/// An event in a session, in the form that `houseway play --json` writes. A bankroll includes the stakes of open
/// bets. There are no `actions` if the player chooses cards instead. `foul` is the reason if the chosen cards are illegal.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    Session { game: &'static str, title: &'static str, seed: u64, rounds: u64, bankroll: Amount },
    Bets { bets: Vec<(String, Amount)>, bankroll: Amount },
    Dealt { round: u64, state: String, remark: Option<String>, actions: Vec<String> },
    Choice { chosen: String, others: String, complete: bool, foul: Option<String> },
    Played { action: String },
    Result { round: u64, state: String, net: Amount, bankroll: Amount },
    Coach { text: String },
    Stats { text: String },
    Refused { reason: String },
    Help { text: String },
    TimeUp,
    End { rounds: u64, bankroll: Amount },
}

/// Joins the lines of a text with semicolons and collapses all other whitespace into single spaces.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Session { title, seed, rounds, bankroll, .. } => {
                write!(f, "session: {title}; bankroll {bankroll}, finished rounds: {rounds}; seed {seed}")
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
                    (_, Some(reason)) => write!(f, "; confirm is not possible: {reason}"),
                    (true, None) => write!(f, "; confirm or undo"),
                    (false, None) => Ok(()),
                }
            }
            Event::Played { action } => write!(f, "played: {action}"),
            Event::Result { round, state, net, bankroll } => {
                let state = one_line(state);
                // The net result is only printed once.
                let is_net = |text: &str| text.parse().is_ok_and(|chips: f64| Amount::from(chips) == *net);
                let rest = state.rsplit_once("; net ").filter(|(_, text)| is_net(text));
                let state = rest.map_or(&*state, |(rest, _)| rest);
                write!(f, "result of round {round}: {state}; net {}; bankroll {bankroll}", net.signed())
            }
            Event::Coach { text } => write!(f, "coach: {}", one_line(text)),
            Event::Stats { text } => write!(f, "stats: {}", one_line(text)),
            Event::Refused { reason } => write!(f, "refused: {}", one_line(reason)),
            Event::Help { text } => write!(f, "help: {text}"),
            Event::TimeUp => write!(f, "time is up: the house plays"),
            Event::End { rounds, bankroll } => write!(f, "end: bankroll {bankroll}, finished rounds: {rounds}; saved"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    pub label: String,
    pub key: Option<char>,
    /// The part of the layout that the button belongs to, or empty.
    pub group: &'static str,
    pub command: Command,
    /// `true` if the button has the focus when this phase of the round begins.
    pub is_first: bool,
}

impl Button {
    fn new(key: char, label: impl Into<String>, command: Command) -> Button {
        Button { label: label.into(), key: Some(key), group: "", command, is_first: false }
    }

    fn first(self) -> Button {
        Button { is_first: true, ..self }
    }
}

/// Returns the buttons for the commands that are currently possible, except for chips, which are laid on [`spots`].
pub fn buttons(session: &Session) -> Vec<Button> {
    if session.phase == Phase::Deciding {
        return deciding(session);
    }
    let deal = Button::new('d', "DEAL", Command::Deal).first();
    if session.bets.is_empty() {
        return vec![deal];
    }
    let is_over = session.phase == Phase::Over;
    let mut buttons = vec![];
    if is_over {
        buttons.push(Button::new('n', "NEW GAME", Command::NewGame));
    } else {
        buttons.push(Button::new('c', "CLEAR", Command::Clear));
    }
    if !session.record.last_bets.is_empty() {
        buttons.push(Button { is_first: is_over, ..Button::new('r', "REBET", Command::Rebet) });
        buttons.push(Button::new('x', "REBET X2", Command::RebetDouble));
    }
    if !is_over && session.deal_refusal().is_none() {
        buttons.push(deal);
    }
    if session.sit_out_refusal().is_none() {
        buttons.push(Button::new('s', "SIT OUT", Command::SitOut));
    }
    buttons
}

/// Returns the spots on which a chip can be laid, as buttons that do so. Each has a letter that no other button uses.
pub fn spots(session: &Session, chip: i64) -> Vec<Button> {
    const TAKEN: &str = "cdghnoqrstuvx";
    let mut used = TAKEN.to_owned();
    let mut spots = Vec::new();
    for bet in &session.bets {
        let letters = bet.title.to_lowercase();
        let key =
            letters.chars().chain('a'..='z').find(|letter| letter.is_ascii_lowercase() && !used.contains(*letter));
        used.extend(key);
        let command = Command::Chip { chip, bet: Some(bet.title.clone()) };
        spots.push(Button { label: bet.title.clone(), key, group: "", command, is_first: false });
    }
    spots
}

/// Returns an amount without decimal places that are zero.
pub fn short(amount: f64) -> String {
    let text = Amount::from(amount).to_string();
    text.strip_suffix(".00").unwrap_or(&text).to_owned()
}

fn deciding(session: &Session) -> Vec<Button> {
    if session.has_cup() {
        return vec![Button::new('s', "SHAKE THE DICE", Command::Shake).first()];
    }
    let Some(pick) = session.pick() else {
        let keys = ('1'..='9').map(Some).chain(std::iter::repeat(None));
        let table = session.table();
        let action = |(action, key): (usize, Option<char>)| {
            let spot = table.bets.iter().find(|bet| bet.action == Some(action));
            let words = table.actions.iter().find(|words| words.action == action);
            let label = match (spot, words) {
                (Some(spot), _) => {
                    let odds = spot.pays.first().map_or(String::new(), |payout| payout.odds.replace(" to ", ":"));
                    format!("{} {odds}", spot.name)
                }
                (None, Some(words)) if words.price > 0.0 => format!("{}: {}", words.words, short(words.price)),
                (None, Some(words)) => words.words.clone(),
                (None, None) => session.action_name(action),
            };
            let group = spot.map_or("", |spot| spot.group);
            Button { label, key, group, command: Command::Act(action.to_string()), is_first: false }
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

pub fn next_mode(mode: CoachMode) -> Command {
    let at = CoachMode::ALL.iter().position(|&other| other == mode).unwrap_or_default();
    Command::Coach(CoachMode::ALL[(at + 1) % CoachMode::ALL.len()])
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
            Command::Shake,
            Command::NewGame,
            Command::Rebet,
            Command::RebetDouble,
            Command::SitOut,
            Command::Act("raise".to_owned()),
            Command::Coach(CoachMode::On),
            Command::Stats,
            Command::Help,
            Command::Quit,
        ];
        for command in commands {
            assert_eq!(Command::parse(&command.to_string(), |_| false), Ok(command));
        }
    }
}
