//! Session events, each written as a line of text or JSON.

use super::amount::Amount;
use serde::Serialize;
use std::fmt;

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
