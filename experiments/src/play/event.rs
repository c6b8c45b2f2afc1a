//! Session events, each formatted as one line of text or JSON.

use super::amount::Amount;
use serde::Serialize;
use std::fmt;

/// An event of a session.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The session starts or is resumed.
    Session {
        /// Title of the game.
        game: String,
        /// Seed from which the cards are dealt.
        seed: u64,
        /// Number of finished rounds.
        rounds: u64,
        /// The bankroll.
        bankroll: Amount,
    },
    /// The bets on the table, by title.
    Bets {
        /// Titles and stakes.
        bets: Vec<(String, Amount)>,
        /// The bankroll, including the bets.
        bankroll: Amount,
    },
    /// A decision is due.
    Dealt {
        /// Round number, starting at 1.
        round: u64,
        /// The state as text.
        state: String,
        /// A remark about the hand.
        remark: Option<String>,
        /// Names of the legal actions, empty if cards are chosen.
        actions: Vec<String>,
    },
    /// Cards were chosen or put back.
    Choice {
        /// The chosen cards.
        chosen: String,
        /// The other cards.
        others: String,
        /// True if enough cards are chosen.
        complete: bool,
        /// The reason why the choice is illegal.
        foul: Option<String>,
    },
    /// An action was played.
    Played {
        /// Name of the action.
        action: String,
    },
    /// A round is over.
    Result {
        /// Round number, starting at 1.
        round: u64,
        /// The state as text.
        state: String,
        /// The net result.
        net: Amount,
        /// The bankroll.
        bankroll: Amount,
    },
    /// A remark by the coach.
    Coach {
        /// One sentence.
        text: String,
    },
    /// A result of the session.
    Stats {
        /// One sentence.
        text: String,
    },
    /// A command was refused.
    Refused {
        /// The reason and the remedy.
        reason: String,
    },
    /// A line of help.
    Help {
        /// The description of a command.
        text: String,
    },
    /// The time is up.
    TimeUp,
    /// The session has ended and is saved.
    End {
        /// Number of finished rounds.
        rounds: u64,
        /// The bankroll.
        bankroll: Amount,
    },
}

/// Joins a multi-line text into a single line with single spaces.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

impl fmt::Display for Event {
    /// Writes one line, without a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Session { game, seed, rounds, bankroll } => {
                write!(f, "session: {game}; bankroll {bankroll}, {rounds} rounds played, seed {seed}")
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
            Event::End { rounds, bankroll } => write!(f, "end: {rounds} rounds played, bankroll {bankroll}; saved"),
        }
    }
}
