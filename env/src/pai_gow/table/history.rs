//! Round histories in JSON Lines. They are written during play and verified by replaying them.
//!
//! A history has a header, a line per round, and a footer. Each line is written as soon as its round is over. The footer
//! contains the number of rounds and a checksum. If a file has no footer, or if its last line is incomplete, the
//! program was interrupted, but all complete lines are valid.

use super::{Bank, BetResult, Books, HOUSE_SEAT, Move, Players, SetBy, Table};
use crate::gym::episode::{FOOTER, Footer, hex};
use crate::gym::{HistoryError, StreamSeed, Verified, stream};
use crate::money::Chips;
use crate::names::without_place;
use rand::Rng;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
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
    pub config: Value,
}

impl HistoryHeader {
    /// Creates the header for a table that hasn't started its first round.
    pub fn new(table: &Table, seed: StreamSeed, config: Value) -> HistoryHeader {
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
    fn next(&mut self) -> Result<bool, String> {
        loop {
            self.before.update(&self.line);
            self.line.clear();
            self.number += 1;
            let read = self.from.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.line);
            let length = read.map_err(|error| error.to_string())?;
            if self.line.last() != Some(&b'\n') {
                return match length as u64 {
                    MAX_LINE => Err(format!("line {} is longer than 1 MB", self.number)),
                    _ => Ok(false),
                };
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, String> {
        let expected = "expected a header, one JSON object per round, and a footer";
        let wrong = |error| format!("line {}: {}; {expected}", self.number, without_place(&error));
        serde_json::from_slice(&self.line).map_err(wrong)
    }
}

/// A reader for histories.
pub struct HistoryReader<R: BufRead> {
    /// The header.
    pub header: HistoryHeader,
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
        let mut header = || {
            if !lines.next()? {
                return Err("the history is empty: expected a first line that describes the table".to_owned());
            }
            // Heads in other formats have different keys.
            let Version { format } = lines.parse()?;
            if format != FORMAT {
                return Err(format!("the history has format {format}, expected {FORMAT}"));
            }
            let header: HistoryHeader = lines.parse()?;
            match header.env == super::ID {
                true => Ok(header),
                false => Err(format!("the history has environment {}, expected {}", header.env, super::ID)),
            }
        };
        let header = header().map_err(HistoryError::Unreadable)?;
        Ok(HistoryReader { header, lines })
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
        let now = HistoryHeader::new(table, self.header.seed, Value::Null);
        if self.header.setup != now.setup {
            return Err(HistoryError::OtherRules { found: self.header.setup, expected: now.setup });
        }
        HistoryError::check("bankrolls", &self.header.bankrolls, &now.bankrolls)?;
        self.replay(table, players).map_err(HistoryError::Differs)
    }

    fn replay(&mut self, table: &mut Table, players: &mut Players) -> Result<Verified, String> {
        #[derive(Deserialize)]
        struct Played {
            round: u64,
            moves: Vec<(usize, Move)>,
        }
        let (mut rng, mut rounds) = (stream(self.header.seed), 0);
        while self.lines.next()? {
            if self.lines.line.trim_ascii_start().starts_with(FOOTER) {
                self.check_end(self.lines.parse()?, rounds)?;
                return Ok(Verified { rounds, closed: true });
            }
            let Played { round, moves } = self.lines.parse()?;
            let replayed = replay_round(table, players, &moves, &mut rng)
                .and_then(|()| first_difference("", &self.lines.parse()?, &json!(RoundRecord::new(table))));
            replayed.map_err(|problem| format!("round {round}: {problem}"))?;
            rounds += 1;
        }
        Ok(Verified { rounds, closed: false })
    }

    fn check_end(&mut self, footer: Footer, rounds: u64) -> Result<(), String> {
        let Footer::End { rounds: recorded, sha256 } = footer;
        if recorded != rounds {
            return Err(format!(
                "the footer records {recorded} rounds, but the history contains {rounds}; rounds were added or removed"
            ));
        }
        if sha256 != hex(&self.lines.before) {
            let text = "the checksum in the footer does not match; the history was changed after it was closed";
            return Err(text.to_owned());
        }
        // An incomplete line after the footer is as wrong as a complete one.
        if self.lines.next()? || !self.lines.line.is_empty() {
            let number = self.lines.number;
            return Err(format!("line {number} follows the footer, which must be the last line"));
        }
        Ok(())
    }
}

/// Replays the moves of a round on the same stream.
fn replay_round(
    table: &mut Table,
    players: &mut Players,
    moves: &[(usize, Move)],
    rng: &mut impl Rng,
) -> Result<(), String> {
    if !table.begin() {
        return Err("no seat can make the minimum bet".to_owned());
    }
    for &(seat, done) in moves {
        if let Some(Some(player)) = players.get_mut(seat)
            && table.acting().contains(seat)
        {
            let own = player.decide(&table.view(seat));
            if own != done {
                let name = player.name();
                // As in the file.
                let [own, done] = [own, done].map(|done| json!(done));
                return Err(format!("seat {seat}: its player '{name}' plays {own}, but {done} is recorded"));
            }
        }
        table.play(seat, done, rng).map_err(|error| format!("seat {seat}: {error}"))?;
    }
    match table.acting().is_empty() {
        true => Ok(()),
        false => Err(format!("the moves end {}", table.phase().in_words())),
    }
}

/// Checks that two JSON values are equal. If they aren't, describes their first difference.
fn first_difference(path: &str, recorded: &Value, played: &Value) -> Result<(), String> {
    match (recorded, played) {
        (Value::Object(left), Value::Object(right)) => {
            if let Some(key) = left.keys().find(|key| !right.contains_key(*key)) {
                return Err(format!("{path}/{key} is recorded, but unknown"));
            }
            // Optional values may be left out.
            right.keys().try_for_each(|key| first_difference(&format!("{path}/{key}"), &recorded[key], &played[key]))
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let mut pairs = left.iter().zip(right).enumerate();
            pairs.try_for_each(|(i, (left, right))| first_difference(&format!("{path}/{i}"), left, right))
        }
        _ if recorded == played => Ok(()),
        _ => Err(format!("{path} is recorded as {recorded}, but replays as {played}")),
    }
}

/// The record of a round, as a line of a history.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RoundRecord {
    /// The number of the round, starting from 1.
    pub round: u64,
    /// All moves in order, each with its seat.
    moves: Vec<(usize, Move)>,
    /// The seat that banked, where 0 is the house.
    pub banker: usize,
    /// The stake, if a player banked.
    stake: Option<Chips>,
    /// The last throw of the dice, or `None` if no cards were dealt.
    dice: Option<[u8; 3]>,
    throws: u32,
    /// The seat with the button.
    button: Option<usize>,
    /// The seats that have a player or a hand, in ascending order.
    seats: Vec<SeatRecord>,
    bank_net: Chips,
    bank_commission: Chips,
    books: Books,
}

/// A seat's record of one round. The chips of the house are 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
struct SeatRecord {
    seat: usize,
    before: Chips,
    bet: Chips,
    side: Chips,
    hand: Option<HandRecord>,
    /// The settled bet, or `None` for the banker and for seats without a bet.
    result: Option<BetResult>,
    side_net: Chips,
    after: Chips,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct HandRecord {
    back: String,
    front: String,
    by: SetBy,
}

impl RoundRecord {
    /// Creates the record of the round that a table has finished.
    pub fn new(table: &Table) -> RoundRecord {
        let (button, settled) = (table.button(), table.settled());
        RoundRecord {
            round: table.rounds(),
            moves: table.moves.clone(),
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
    let hand = table.set_hand(number).zip(seat.chosen).map(|((hand, setting), chosen)| HandRecord {
        back: setting.back(hand).to_string(),
        front: setting.front(hand).to_string(),
        by: chosen.by,
    });
    let result = table.settled().and_then(|settled| settled.bets[number]);
    let money = |chips: Chips| if number == HOUSE_SEAT { 0 } else { chips };
    let (before, after) = (money(seat.before), money(seat.bankroll));
    let (bet, side, side_net) = (seat.bet, seat.side, seat.side_net);
    Some(SeatRecord { seat: number, before, bet, side, hand, result, side_net, after })
}
