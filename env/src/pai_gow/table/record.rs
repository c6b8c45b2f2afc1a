//! Histories of rounds as JSON Lines, and their verification by replay.

use super::{Bank, Books, HOUSE_SEAT, Move, SetBy, Table};
use crate::gym::{StreamSeed, stream};
use crate::money::Chips;
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

/// Version of the format, increased when lines change their meaning.
const FORMAT: u32 = 1;

/// The first line of a history, with everything needed to open the table again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HistoryHead {
    /// Version of the format, 1.
    pub format: u32,
    /// Id of the environment.
    pub env: String,
    /// [`Setup::hash`](super::Setup::hash) of the table.
    pub setup: String,
    /// The stream of dice and cards.
    pub seed: StreamSeed,
    /// Bankrolls from seat 1 on; 0 for an empty seat.
    pub bankrolls: Vec<Chips>,
    /// Data of the writer, such as the configuration.
    pub config: serde_json::Value,
}

impl HistoryHead {
    /// Creates the head for a table that has not begun its first round.
    pub fn new(table: &Table, seed: StreamSeed, config: serde_json::Value) -> HistoryHead {
        let players = table.rules().seats.players();
        HistoryHead {
            format: FORMAT,
            env: super::ID.to_owned(),
            setup: table.setup().hash().to_owned(),
            seed,
            bankrolls: (1..=players).map(|seat| table.seat(seat).bankroll).collect(),
            config,
        }
    }
}

/// Record of a seat in a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SeatRecord {
    /// The seat.
    pub seat: usize,
    /// Chips before the round; 0 for the house.
    pub before: Chips,
    /// The bet against the bank.
    pub bet: Chips,
    /// The side bet.
    pub side: Chips,
    /// The set hand; `None` if no hand was dealt.
    pub hand: Option<HandRecord>,
    /// The settlement of the bet; `None` for the banker and for seats without a bet.
    pub result: Option<BetRecord>,
    /// Net result of the side bet.
    pub side_net: Chips,
    /// Chips after the round; 0 for the house.
    pub after: Chips,
}

/// Record of a set hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HandRecord {
    /// The five cards in back.
    pub back: String,
    /// The two cards in front.
    pub front: String,
    /// The setter of the hand.
    pub by: SetBy,
}

/// Record of a settled bet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BetRecord {
    /// Place in the order of settlement, from 0.
    pub order: usize,
    /// Outcome of the hands: `win`, `push` or `loss`.
    pub outcome: String,
    /// The backs tied.
    pub copy_back: bool,
    /// The fronts tied.
    pub copy_front: bool,
    /// The part of the bet that the bank covered.
    pub covered: Chips,
    /// Net result before commission, paid or collected by the bank.
    pub net: Chips,
    /// The commission.
    pub commission: Chips,
}

/// Record of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoundRecord {
    /// Number of the round, from 1.
    pub round: u64,
    /// All moves with their seats, in order.
    pub moves: Vec<(usize, Move)>,
    /// The seat that banked; 0 is the house.
    pub banker: usize,
    /// The stake of a player's bank.
    pub stake: Option<Chips>,
    /// The last throw of the dice; `None` if no cards were dealt.
    pub dice: Option<[u8; 3]>,
    /// Number of throws.
    pub throws: u32,
    /// The seat with the button.
    pub button: Option<usize>,
    /// The seats with a player or a hand, lowest first.
    pub seats: Vec<SeatRecord>,
    /// Net result of the bank before commission.
    pub bank_net: Chips,
    /// The commission of a player's bank.
    pub bank_commission: Chips,
    /// The books of the house after the round.
    pub books: Books,
}

impl RoundRecord {
    /// Creates the record of the finished round of a table with its moves.
    pub fn new(table: &Table, moves: &[(usize, Move)]) -> RoundRecord {
        let (button, settled) = (table.button(), table.settled());
        RoundRecord {
            round: table.rounds(),
            moves: moves.to_vec(),
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

/// Error of a history that cannot be read, or does not replay.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The lines cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The history has no line.
    #[error("the history is empty: its first line names the table")]
    Empty,
    /// A line is invalid.
    #[error("line {line}: {error}; a history is a head and one JSON object a round")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The error of the line.
        error: serde_json::Error,
    },
    /// The history belongs to another table or format.
    #[error("the history has {what} {found}, expected {expected}")]
    Other {
        /// The differing property.
        what: &'static str,
        /// Its value in the history.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// A round does not replay.
    #[error("round {round}: {problem}")]
    Round {
        /// The round, from 1.
        round: u64,
        /// The problem.
        problem: String,
    },
}

/// Writer of a history: a head, then rounds.
pub struct HistoryWriter<W: Write> {
    to: W,
}

impl<W: Write> HistoryWriter<W> {
    /// Creates the writer and writes the head.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn new(mut to: W, head: &HistoryHead) -> io::Result<HistoryWriter<W>> {
        write_line(&mut to, head)?;
        Ok(HistoryWriter { to })
    }

    /// Writes a round.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&mut self, round: &RoundRecord) -> io::Result<()> {
        write_line(&mut self.to, round)
    }

    /// Finishes writing.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.to.flush()?;
        Ok(self.to)
    }
}

fn write_line(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *to, value)?;
    to.write_all(b"\n")
}

/// Reader of a history.
pub struct HistoryReader<R: BufRead> {
    head: HistoryHead,
    lines: std::iter::Enumerate<io::Lines<R>>,
}

impl<R: BufRead> HistoryReader<R> {
    /// Reads the head.
    ///
    /// # Errors
    /// If it is missing, invalid, or of another format or environment.
    pub fn read(from: R) -> Result<HistoryReader<R>, HistoryError> {
        let mut lines = from.lines().enumerate();
        let Some((_, line)) = lines.next() else { return Err(HistoryError::Empty) };
        let head: HistoryHead = serde_json::from_str(&line?).map_err(|error| HistoryError::Line { line: 1, error })?;
        let same = |what, found: &str, expected: &str| {
            let other = || HistoryError::Other { what, found: found.to_owned(), expected: expected.to_owned() };
            if found == expected { Ok(()) } else { Err(other()) }
        };
        same("format", &head.format.to_string(), &FORMAT.to_string())?;
        same("environment", &head.env, super::ID)?;
        Ok(HistoryReader { head, lines })
    }

    /// The head.
    pub fn head(&self) -> &HistoryHead {
        &self.head
    }

    /// Replays all rounds on a table that matches the head and compares all records. Returns the number of rounds; the table
    /// is then in the state after the last one.
    ///
    /// # Errors
    /// The first difference.
    pub fn verify(self, table: &mut Table) -> Result<u64, HistoryError> {
        let now = HistoryHead::new(table, self.head.seed, self.head.config.clone());
        for (what, found, expected) in [
            ("setup", self.head.setup.clone(), now.setup.clone()),
            ("bankrolls", format!("{:?}", self.head.bankrolls), format!("{:?}", now.bankrolls)),
        ] {
            if found != expected {
                return Err(HistoryError::Other { what, found, expected });
            }
        }
        let (mut rng, mut rounds) = (stream(self.head.seed), 0);
        for (i, line) in self.lines {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let record = serde_json::from_str(&line).map_err(|error| HistoryError::Line { line: i + 1, error })?;
            verify_round(table, &record, &mut rng)?;
            rounds += 1;
        }
        Ok(rounds)
    }
}

/// Replays one recorded round on the same stream and compares it.
fn verify_round(table: &mut Table, record: &RoundRecord, rng: &mut impl Rng) -> Result<(), HistoryError> {
    let round = record.round;
    let wrong = |problem: String| HistoryError::Round { round, problem };
    if !table.begin() {
        return Err(wrong("no seat can make the minimum bet".to_owned()));
    }
    for &(seat, done) in &record.moves {
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

/// Describes the first difference of two JSON values.
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
