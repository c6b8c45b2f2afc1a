//! Round histories as JSON Lines, written during play and verified by replay.
//!
//! A history consists of a head, one line per round, and a footer. Each line is written as soon as its round is over.
//! The footer closes the file with the number of rounds and a checksum. A file without a footer, or with an incomplete
//! last line, belongs to an interrupted program; its complete lines are valid.

use super::{Players, RoundRecord, Table};
use crate::gym::{StreamSeed, stream};
use crate::money::Chips;
use rand::Rng;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

/// Format version, increased when the meaning of a line changes.
const FORMAT: u32 = 2;
/// Maximum length of a line in bytes. A round with seven seats takes a few kilobytes.
const MAX_LINE: u64 = 1 << 20;
/// First characters of the footer.
const FOOTER: &[u8] = b"{\"end\"";

/// The first line of a history, which contains everything needed to open the table again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HistoryHead {
    /// Format version, 2.
    pub format: u32,
    /// Id of the environment.
    pub env: String,
    /// [`Setup::hash`](super::Setup::hash) of the table.
    pub setup: String,
    /// Random stream of dice and cards.
    pub seed: StreamSeed,
    /// Bankrolls from seat 1 on; 0 for an empty seat.
    pub bankrolls: Vec<Chips>,
    /// Hashes of the house ways named in `config`, keyed by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ways: BTreeMap<String, String>,
    /// Data provided by the writer, such as the configuration.
    pub config: serde_json::Value,
}

impl HistoryHead {
    /// Creates the head for a table that has not started its first round.
    pub fn new(table: &Table, seed: StreamSeed, config: serde_json::Value) -> HistoryHead {
        let players = table.rules().seats.players();
        HistoryHead {
            format: FORMAT,
            env: super::ID.to_owned(),
            setup: table.setup().hash().to_owned(),
            seed,
            bankrolls: (1..=players).map(|seat| table.seat(seat).bankroll).collect(),
            ways: BTreeMap::new(),
            config,
        }
    }
}

/// The last line of a closed history: `{"end": {"rounds": …, "sha256": "…"}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Footer {
    end: End,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    /// Number of rounds.
    rounds: u64,
    /// SHA-256 of all lines before the footer, in hex.
    sha256: String,
}

fn hex(digest: &Sha256) -> String {
    digest.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Error of a history that cannot be read or does not replay.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The lines cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The history has no complete line.
    #[error("the history is empty: its first line names the table")]
    Empty,
    /// A line is invalid.
    #[error("line {line}: {error}; a history is a head, one JSON object per round, and a footer")]
    Line {
        /// Line number, starting from 1.
        line: usize,
        /// Parse error.
        error: serde_json::Error,
    },
    /// A line is too long for a round, or follows the footer.
    #[error("line {line} {problem}")]
    Misplaced {
        /// Line number, starting from 1.
        line: usize,
        /// Description of the problem.
        problem: &'static str,
    },
    /// The history belongs to another table or format.
    #[error("the history has {what} {found}, expected {expected}")]
    Other {
        /// Property that differs.
        what: &'static str,
        /// Value in the history.
        found: String,
        /// Expected value.
        expected: String,
    },
    /// A round does not replay.
    #[error("round {round}: {problem}")]
    Round {
        /// Round number, starting from 1.
        round: u64,
        /// Description of the problem.
        problem: String,
    },
    /// The footer states another number of rounds.
    #[error("the footer names {recorded} rounds, but there are {found}: rounds were removed or added")]
    Rounds {
        /// Number of rounds in the footer.
        recorded: u64,
        /// Actual number of rounds.
        found: u64,
    },
    /// The checksum in the footer does not match.
    #[error(
        "the checksum in the footer does not match the lines: a name or another part was changed after it was closed"
    )]
    Checksum,
}

/// Writer of a history. It flushes each line, so that an interrupted program does not lose any finished round.
pub struct HistoryWriter<W: Write> {
    to: W,
    written: Sha256,
    rounds: u64,
}

impl<W: Write> HistoryWriter<W> {
    /// Creates the writer and writes the head.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn new(to: W, head: &HistoryHead) -> io::Result<HistoryWriter<W>> {
        let mut writer = HistoryWriter { to, written: Sha256::new(), rounds: 0 };
        writer.line(head)?;
        Ok(writer)
    }

    /// Writes a round.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&mut self, round: &RoundRecord) -> io::Result<()> {
        self.rounds += 1;
        self.line(round)
    }

    /// Closes the history with its footer.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(mut self) -> io::Result<W> {
        let end = End { rounds: self.rounds, sha256: hex(&self.written) };
        self.line(&Footer { end })?;
        Ok(self.to)
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.written.update(&line);
        // A single call, so that an interruption is unlikely to leave an incomplete line.
        self.to.write_all(&line)?;
        self.to.flush()
    }
}

/// Complete lines of a history.
struct Lines<R> {
    from: R,
    /// Current line.
    line: Vec<u8>,
    /// Number of the current line, starting from 1.
    number: usize,
    /// Checksum of the lines before the current one.
    before: Sha256,
}

impl<R: BufRead> Lines<R> {
    /// Reads the next line that is not blank. Returns `false` at the end of the file or after the last complete line.
    fn next(&mut self) -> Result<bool, HistoryError> {
        loop {
            self.before.update(&self.line);
            self.line.clear();
            self.number += 1;
            let length = self.from.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.line)?;
            if self.line.last() != Some(&b'\n') {
                return match length as u64 {
                    MAX_LINE => Err(self.misplaced("is longer than 1 MB")),
                    _ => Ok(false),
                };
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, HistoryError> {
        serde_json::from_slice(&self.line).map_err(|error| HistoryError::Line { line: self.number, error })
    }

    fn misplaced(&self, problem: &'static str) -> HistoryError {
        HistoryError::Misplaced { line: self.number, problem }
    }
}

/// Result of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Number of rounds, all of which replay as recorded.
    pub rounds: u64,
    /// `true` if the history has a footer, and is complete and unchanged. Otherwise, it was interrupted after its last
    /// round, or its end was removed.
    pub closed: bool,
}

/// Reader of a history.
pub struct HistoryReader<R: BufRead> {
    head: HistoryHead,
    lines: Lines<R>,
}

impl<R: BufRead> HistoryReader<R> {
    /// Reads the head.
    ///
    /// # Errors
    /// Returns an error if the head is missing, invalid, or of another format or environment.
    pub fn read(from: R) -> Result<HistoryReader<R>, HistoryError> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let mut lines = Lines { from, line: vec![], number: 0, before: Sha256::new() };
        if !lines.next()? {
            return Err(HistoryError::Empty);
        }
        let same = |what, found: &str, expected: &str| {
            let other = || HistoryError::Other { what, found: found.to_owned(), expected: expected.to_owned() };
            if found == expected { Ok(()) } else { Err(other()) }
        };
        // Heads of other formats have different keys.
        let Version { format } = lines.parse()?;
        same("format", &format.to_string(), &FORMAT.to_string())?;
        let head: HistoryHead = lines.parse()?;
        same("environment", &head.env, super::ID)?;
        Ok(HistoryReader { head, lines })
    }

    /// Returns the head.
    pub fn head(&self) -> &HistoryHead {
        &self.head
    }

    /// Replays all rounds on a table that matches the head, compares all records, and checks the footer. On seats with
    /// a player, the recorded moves must be those that the player chooses. Other seats replay the recorded moves.
    /// Afterwards, the table is in the state after the last round.
    ///
    /// # Errors
    /// Returns the first difference.
    pub fn verify(mut self, table: &mut Table, players: &mut Players) -> Result<Verified, HistoryError> {
        let now = HistoryHead::new(table, self.head.seed, serde_json::Value::Null);
        for (what, found, expected) in [
            ("setup", self.head.setup.clone(), now.setup.clone()),
            ("bankrolls", format!("{:?}", self.head.bankrolls), format!("{:?}", now.bankrolls)),
        ] {
            if found != expected {
                return Err(HistoryError::Other { what, found, expected });
            }
        }
        let (mut rng, mut rounds) = (stream(self.head.seed), 0);
        while self.lines.next()? {
            if self.lines.line.trim_ascii_start().starts_with(FOOTER) {
                let Footer { end } = self.lines.parse()?;
                self.check_end(&end, rounds)?;
                return Ok(Verified { rounds, closed: true });
            }
            verify_round(table, players, &self.lines.parse()?, &mut rng)?;
            rounds += 1;
        }
        Ok(Verified { rounds, closed: false })
    }

    fn check_end(&mut self, end: &End, rounds: u64) -> Result<(), HistoryError> {
        if end.rounds != rounds {
            return Err(HistoryError::Rounds { recorded: end.rounds, found: rounds });
        }
        if end.sha256 != hex(&self.lines.before) {
            return Err(HistoryError::Checksum);
        }
        // After the footer, an incomplete line is as wrong as a complete one.
        if self.lines.next()? || !self.lines.line.is_empty() {
            return Err(self.lines.misplaced("follows the footer, which is the last line"));
        }
        Ok(())
    }
}

/// Replays a recorded round on the same stream and compares the result.
fn verify_round(
    table: &mut Table,
    players: &mut Players,
    record: &RoundRecord,
    rng: &mut impl Rng,
) -> Result<(), HistoryError> {
    let round = record.round;
    let wrong = |problem: String| HistoryError::Round { round, problem };
    if !table.begin() {
        return Err(wrong("no seat can make the minimum bet".to_owned()));
    }
    for &(seat, done) in &record.moves {
        if let Some(Some(player)) = players.get_mut(seat)
            && table.acting().contains(seat)
        {
            let own = player.decide(&table.view(seat));
            if own != done {
                let name = player.name();
                return Err(wrong(format!("seat {seat}: its player '{name}' plays {own:?}, but {done:?} is recorded")));
            }
        }
        table.play(seat, done, rng).map_err(|error| wrong(format!("seat {seat}: {error}")))?;
    }
    if !table.acting().is_empty() {
        return Err(wrong(format!("it stops in the phase {:?}", table.phase())));
    }
    let played = RoundRecord::new(table, &record.moves);
    if played == *record {
        return Ok(());
    }
    let [recorded, played] = [record, &played].map(|record| serde_json::to_value(record).unwrap_or_default());
    Err(wrong(first_difference("", &recorded, &played)))
}

/// Describes the first difference between two JSON values.
fn first_difference(path: &str, recorded: &serde_json::Value, played: &serde_json::Value) -> String {
    use serde_json::Value::{Array, Object};
    match (recorded, played) {
        (Object(left), Object(right)) => {
            let differs = left.iter().find(|(key, value)| right.get(*key) != Some(value));
            differs
                .map_or_else(String::new, |(key, value)| first_difference(&format!("{path}/{key}"), value, &right[key]))
        }
        (Array(left), Array(right)) if left.len() == right.len() => {
            let differs = left.iter().zip(right).enumerate().find(|(_, (left, right))| left != right);
            differs.map_or_else(String::new, |(i, (l, r))| first_difference(&format!("{path}/{i}"), l, r))
        }
        _ => format!("{path} is recorded as {recorded}, but replays as {played}"),
    }
}
