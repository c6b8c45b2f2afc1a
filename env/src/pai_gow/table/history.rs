//! Round histories in JSON Lines. They are written during play and verified by replaying them.
//!
//! A history has a header, a line per round, and a footer. Each line is written as soon as its round is over. The footer
//! contains the number of rounds and a checksum. If a file has no footer, or if its last line is incomplete, the
//! program was interrupted, but all complete lines are valid.

use super::{Bank, Books, HOUSE_SEAT, Move, Players, SetBy, Table};
use crate::gym::episode::{End, FOOTER, Footer, hex};
use crate::gym::{StreamSeed, stream};
use crate::money::Chips;
use rand::Rng;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

/// The format version. It is incremented whenever the meaning of a line changes.
const FORMAT: u32 = 2;
/// The maximum length of a line in bytes. Even a round with seven seats only takes up a few kilobytes.
const MAX_LINE: u64 = 1 << 20;

/// The first line of a history. It contains everything that is needed to open the same table again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HistoryHeader {
    /// The format version. Always 2.
    pub format: u32,
    /// The environment's id.
    pub env: String,
    /// The table's [`Setup::hash`](super::Setup::hash).
    pub setup: String,
    /// The random stream for dice and cards.
    pub seed: StreamSeed,
    /// The bankrolls of all seats, starting with seat 1. A bankroll of 0 means that the seat is empty.
    pub bankrolls: Vec<Chips>,
    /// The hashes of the house ways that are named in `config`, keyed by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ways: BTreeMap<String, String>,
    /// Arbitrary data from the writer, such as its configuration.
    pub config: serde_json::Value,
}

impl HistoryHeader {
    /// Creates the header for a table that hasn't started its first round.
    pub fn new(table: &Table, seed: StreamSeed, config: serde_json::Value) -> HistoryHeader {
        let players = table.rules().seats.players();
        HistoryHeader {
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

/// The error returned when a history can't be read or doesn't replay.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The lines cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The history has no complete line.
    #[error("the history is empty: expected a first line that describes the table")]
    Empty,
    /// A line is invalid.
    #[error("line {line}: {error}; expected a header, one JSON object per round, and a footer")]
    Line {
        /// The line number, starting from 1.
        line: usize,
        /// The parse error.
        error: serde_json::Error,
    },
    /// A line is too long for a round or comes after the footer.
    #[error("line {line} {problem}")]
    Misplaced {
        /// The line number, starting from 1.
        line: usize,
        /// A description of the problem.
        problem: &'static str,
    },
    /// The history belongs to a different table or has a different format.
    #[error("the history has {what} {found}, expected {expected}")]
    Other {
        /// The property that differs.
        what: &'static str,
        /// The value in the history.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// A round does not replay as recorded.
    #[error("round {round}: {problem}")]
    Round {
        /// The round number, starting from 1.
        round: u64,
        /// A description of the problem.
        problem: String,
    },
    /// The footer has a different number of rounds.
    #[error("the footer records {recorded} rounds, but the history contains {found}; rounds were added or removed")]
    Rounds {
        /// The number of rounds in the footer.
        recorded: u64,
        /// The actual number of rounds.
        found: u64,
    },
    /// The checksum in the footer does not match.
    #[error("the checksum in the footer does not match; the history was changed after it was closed")]
    Checksum,
}

/// A writer for histories. It flushes each line so that no finished round is lost if the program is interrupted.
#[derive(Clone)]
pub struct HistoryWriter<W: Write> {
    to: W,
    written: Sha256,
    rounds: u64,
}

impl<W: Write> HistoryWriter<W> {
    /// Creates a writer and writes the header.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn new(to: W, header: &HistoryHeader) -> io::Result<HistoryWriter<W>> {
        let mut writer = HistoryWriter { to, written: Sha256::new(), rounds: 0 };
        writer.line(header)?;
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

    /// Returns the underlying writer. The checksum covers all lines, including those that the caller has removed from
    /// the writer.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.to
    }

    /// Writes the footer and returns the underlying writer.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.line(&Footer::new(self.rounds, &self.written))?;
        Ok(self.to)
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.written.update(&line);
        // Write each line with a single call, so that an interruption is unlikely to leave an incomplete line.
        self.to.write_all(&line)?;
        self.to.flush()
    }
}

/// An iterator over the complete lines of a history.
struct Lines<R> {
    from: R,
    /// The current line.
    line: Vec<u8>,
    /// The number of the current line, starting from 1.
    number: usize,
    /// The checksum of all lines before the current one.
    before: Sha256,
}

impl<R: BufRead> Lines<R> {
    /// Reads the next line that isn't blank. Returns `false` at the end of the file or after the last complete line.
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

/// The result of verifying a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The number of rounds. All of them replay as recorded.
    pub rounds: u64,
    /// True if the history has a footer and is therefore complete and unchanged. Otherwise, either the program was
    /// interrupted after the last round, or the end was removed.
    pub closed: bool,
}

/// A reader for histories.
pub struct HistoryReader<R: BufRead> {
    header: HistoryHeader,
    lines: Lines<R>,
}

impl<R: BufRead> HistoryReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// Returns an error if the header is missing or invalid, or if it has a different format or environment.
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
        // Heads in other formats have different keys.
        let Version { format } = lines.parse()?;
        same("format", &format.to_string(), &FORMAT.to_string())?;
        let header: HistoryHeader = lines.parse()?;
        same("environment", &header.env, super::ID)?;
        Ok(HistoryReader { header, lines })
    }

    /// Returns the header.
    pub fn header(&self) -> &HistoryHeader {
        &self.header
    }

    /// Verifies the history. This replays all rounds on `table`, which must match the header, compares the records, and
    /// checks the footer.
    ///
    /// If a seat has a player in `players`, that player must choose the recorded moves. All other seats replay the
    /// recorded moves. The table is left in its state after the last round.
    ///
    /// # Errors
    /// Returns an error if a line can't be read, or if the table, a round or the footer differs from the history. The
    /// error describes the first problem found.
    pub fn verify(mut self, table: &mut Table, players: &mut Players) -> Result<Verified, HistoryError> {
        let now = HistoryHeader::new(table, self.header.seed, serde_json::Value::Null);
        for (what, found, expected) in [
            ("setup", self.header.setup.clone(), now.setup.clone()),
            ("bankrolls", format!("{:?}", self.header.bankrolls), format!("{:?}", now.bankrolls)),
        ] {
            if found != expected {
                return Err(HistoryError::Other { what, found, expected });
            }
        }
        let (mut rng, mut rounds) = (stream(self.header.seed), 0);
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
        // An incomplete line after the footer is as wrong as a complete one.
        if self.lines.next()? || !self.lines.line.is_empty() {
            return Err(self.lines.misplaced("follows the footer, which must be the last line"));
        }
        Ok(())
    }
}

/// Replays a recorded round on the same stream and compares the results.
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
        return Err(wrong(format!("the moves end in the phase {:?}", table.phase())));
    }
    let played = RoundRecord::new(table);
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

/// A seat's record of one round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SeatRecord {
    /// The number of the seat.
    pub seat: usize,
    /// The chips before the round. Always 0 for the house.
    pub before: Chips,
    /// The bet against the bank.
    pub bet: Chips,
    /// The side bet.
    pub side: Chips,
    /// The set hand, or `None` if the seat wasn't dealt a hand.
    pub hand: Option<HandRecord>,
    /// The settled bet, or `None` for the banker and for seats without a bet.
    pub result: Option<BetRecord>,
    /// The net result of the side bet.
    pub side_net: Chips,
    /// The chips after the round. Always 0 for the house.
    pub after: Chips,
}

/// The record of a set hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HandRecord {
    /// The five cards in back.
    pub back: String,
    /// The two cards in front.
    pub front: String,
    /// The party that set the hand.
    pub by: SetBy,
}

/// The record of a settled bet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BetRecord {
    /// The position in the order of settlement, starting from 0.
    pub order: usize,
    /// The outcome: `win`, `push` or `loss`.
    pub outcome: String,
    /// True if the backs tied.
    pub copy_back: bool,
    /// True if the fronts tied.
    pub copy_front: bool,
    /// The part of the bet that the bank covered.
    pub covered: Chips,
    /// The net result before commission, as paid or collected by the bank.
    pub net: Chips,
    /// The commission on the bet.
    pub commission: Chips,
}

/// The record of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoundRecord {
    /// The number of the round, starting from 1.
    pub round: u64,
    /// All moves in order, each with its seat.
    pub moves: Vec<(usize, Move)>,
    /// The seat that banked, where 0 is the house.
    pub banker: usize,
    /// The stake, if a player banked.
    pub stake: Option<Chips>,
    /// The last throw of the dice, or `None` if no cards were dealt.
    pub dice: Option<[u8; 3]>,
    /// The number of throws.
    pub throws: u32,
    /// The seat with the button.
    pub button: Option<usize>,
    /// The seats that have a player or a hand, in ascending order.
    pub seats: Vec<SeatRecord>,
    /// The bank's net result before commission.
    pub bank_net: Chips,
    /// The commission that a player's bank paid.
    pub bank_commission: Chips,
    /// The house's books after the round.
    pub books: Books,
}

impl RoundRecord {
    /// Creates the record of the round that a table has finished.
    pub fn new(table: &Table) -> RoundRecord {
        let (button, settled) = (table.button(), table.settled());
        RoundRecord {
            round: table.rounds(),
            moves: table.moves().to_vec(),
            banker: table.bank().seat(),
            stake: if let Bank::Seat { stake, .. } = table.bank() { Some(stake) } else { None },
            dice: button.map(|button| button.dice.0),
            throws: button.map_or(0, |button| button.throws),
            button: button.map(|button| button.seat),
            seats: (0..table.rules().seats.seats()).filter_map(|seat| seat_record(table, seat)).collect(),
            bank_net: settled.map_or(0, |settled| settled.bank_net),
            bank_commission: settled.map_or(0, |settled| settled.bank_commission),
            books: table.books(),
        }
    }
}

fn seat_record(table: &Table, number: usize) -> Option<SeatRecord> {
    let seat = table.seat(number);
    if !seat.taken && seat.hand.is_none() {
        return None;
    }
    let hand = seat.hand.zip(seat.chosen).map(|(dealt, chosen)| {
        let hand = dealt.hand();
        let setting = chosen.setting.unwrap_or_else(|| table.setup().way().set(hand));
        HandRecord { back: setting.back(hand).to_string(), front: setting.front(hand).to_string(), by: chosen.by }
    });
    let result = table.settled().and_then(|settled| settled.bets[number]).map(|result| BetRecord {
        order: result.order,
        outcome: result.settlement.outcome.to_string(),
        copy_back: result.settlement.copy_back,
        copy_front: result.settlement.copy_front,
        covered: result.covered,
        net: result.net,
        commission: result.commission,
    });
    let money = |chips: Chips| if number == HOUSE_SEAT { 0 } else { chips };
    let (before, after) = (money(seat.before), money(seat.bankroll));
    let (bet, side, side_net) = (seat.bet, seat.side, seat.side_net);
    Some(SeatRecord { seat: number, before, bet, side, hand, result, side_net, after })
}
