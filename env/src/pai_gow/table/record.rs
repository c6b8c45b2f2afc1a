//! Records of rounds.

use super::{Bank, Books, HOUSE_SEAT, Move, SetBy, Table};
use crate::money::Chips;
use serde::{Deserialize, Serialize};

/// Record of a seat in one round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SeatRecord {
    /// Number of the seat.
    pub seat: usize,
    /// Chips before the round; 0 for the house.
    pub before: Chips,
    /// Bet against the bank.
    pub bet: Chips,
    /// Side bet.
    pub side: Chips,
    /// Set hand; `None` if no hand was dealt.
    pub hand: Option<HandRecord>,
    /// Settlement of the bet; `None` for the banker and for seats without a bet.
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
    /// Five cards in back.
    pub back: String,
    /// Two cards in front.
    pub front: String,
    /// The party that set the hand.
    pub by: SetBy,
}

/// Record of a settled bet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BetRecord {
    /// Position in the order of settlement, starting from 0.
    pub order: usize,
    /// Outcome of the hands: `win`, `push` or `loss`.
    pub outcome: String,
    /// `true` if the backs tied.
    pub copy_back: bool,
    /// `true` if the fronts tied.
    pub copy_front: bool,
    /// Part of the bet covered by the bank.
    pub covered: Chips,
    /// Net result before commission, paid or collected by the bank.
    pub net: Chips,
    /// Commission on the bet.
    pub commission: Chips,
}

/// Record of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RoundRecord {
    /// Number of the round, starting from 1.
    pub round: u64,
    /// All moves with their seats, in order.
    pub moves: Vec<(usize, Move)>,
    /// Seat that banked; 0 is the house.
    pub banker: usize,
    /// Stake of a player's bank.
    pub stake: Option<Chips>,
    /// Last throw of the dice; `None` if no cards were dealt.
    pub dice: Option<[u8; 3]>,
    /// Number of throws.
    pub throws: u32,
    /// Seat with the button.
    pub button: Option<usize>,
    /// Seats with a player or a hand, in ascending order.
    pub seats: Vec<SeatRecord>,
    /// Net result of the bank before commission.
    pub bank_net: Chips,
    /// Commission paid by a player's bank.
    pub bank_commission: Chips,
    /// The house's books after the round.
    pub books: Books,
}

impl RoundRecord {
    /// Creates the record of a table's finished round, including its moves.
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
