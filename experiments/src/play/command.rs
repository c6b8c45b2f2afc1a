//! Player commands as lines of text.

use houseway_env::names::UnknownName;
use std::fmt;

/// A command at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Place a chip of this value on the bet with this title, or on the first bet if there is no title.
    Chip {
        /// Value of the chip.
        chip: i64,
        /// Title of the bet.
        bet: Option<String>,
    },
    /// Take back all chips.
    Clear,
    /// Deal the cards.
    Deal,
    /// Choose the card at this position, or put it back.
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
    /// Play the action with this name or number.
    Act(String),
}

houseway_env::named_enum! {
    /// When the coach gives advice.
    #[derive(Default)]
    pub enum CoachMode: kebab_case {
        /// Before every decision and after the round.
        On,
        /// Never, and decisions are not judged.
        Off,
        /// After the round.
        #[default]
        After,
    }
}

/// A line of player input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A command at the table.
    Table(Command),
    /// Switch the coach mode.
    Coach(CoachMode),
    /// Show the results of the session.
    Stats,
    /// List the commands.
    Help,
    /// End the session.
    Quit,
}

/// Commands of the line mode, for its help.
pub(super) const HELP: &[&str] = &[
    "chip 5 [BET]: places a chip of 1, 5, 25, 100 or 500 on a bet",
    "clear: takes back all chips",
    "deal: deals the cards",
    "card 3: chooses the third card, or puts it back",
    "cards 7c 7d: chooses cards by name",
    "house way: chooses as the house does",
    "undo: puts the chosen cards back",
    "confirm: plays the chosen cards",
    "new game: starts a round without bets; rebet and rebet x2: with the last bets, once or twice",
    "in games without a choice of cards: the name of an action, such as raise",
    "coach on, coach off, coach after; stats; help; quit",
];

impl Line {
    /// Parses a line. Texts that are not commands are parsed as actions if they name a legal one.
    ///
    /// # Errors
    /// Returns an error if the text is not a command. The message lists the valid commands.
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
            ["act", ref name @ ..] if !name.is_empty() => Command::Act(name.join(" ")),
            _ if is_action(&lower) => Command::Act(lower),
            _ => return Err(format!("there is no command '{}' now; help lists them", text.trim())),
        }))
    }
}

impl fmt::Display for Line {
    /// The text that [`Line::parse`] reads.
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
            Command::Act("raise".to_owned()),
        ];
        let others = [Line::Coach(CoachMode::On), Line::Stats, Line::Help, Line::Quit];
        for line in commands.into_iter().map(Line::Table).chain(others) {
            assert_eq!(Line::parse(&line.to_string(), |_| false), Ok(line));
        }
    }
}
