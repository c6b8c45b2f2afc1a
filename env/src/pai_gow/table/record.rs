//! Records of rounds.

use super::{Bank, Books, HOUSE_SEAT, Move, SetBy, Table};
use crate::money::Chips;
use serde::{Deserialize, Serialize};

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
    /// Creates the record of a finished round from a table and the moves made in the round.
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
