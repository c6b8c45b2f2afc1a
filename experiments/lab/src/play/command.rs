//! The commands that a player can enter as lines of text.

use houseway_env::names::UnknownName;
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
pub(super) const HELP: &[&str] = &[
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
