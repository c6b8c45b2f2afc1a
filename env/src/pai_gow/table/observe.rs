//! Observations of the table's agents: [`LEN`] numbers from 0 to 1. Seats are numbered clockwise from the agent's own
//! as 0. Seats beyond the table are all zeros.
//!
//! | index | meaning |
//! |---|---|
//! | 0, 1, 2 | phase: betting, banking, setting (all 0 if the session is over) |
//! | 3 | the agent has a move now |
//! | 4 | fraction of the session's rounds left, including the current one |
//! | 5 | fraction of the steps left to set the hand; 0 outside setting |
//! | 6 | sum of bets against the agent if it took the bank, over six times the maximum bet; 0 during betting |
//! | 7 | the agent could take the bank now |
//! | 8 | stake of a banking player, over six times the maximum bet, at most 1 |
//! | 9 | the house banks, once the dice are thrown |
//! | 10 | total of the dice over 18, once thrown |
//! | 11..64 | the agent's own cards, by [`Card::index`](crate::cards::Card::index) |
//! | 64 + 9 s.. | seat s: exists; is the house's; is taken by a player; its chips, log2(1 + chips / minimum bet) / 48; its bet over the maximum; its side bet over the maximum; banks; has the button; was offered the bank and passed |
//!
//! The bets of others are 0 during betting. The cards of others are never shown, nor whether they have set their hands.

use super::{Bank, HOUSE_SEAT, MAX_SEATS, Phase, SeatView};
use crate::cards::Card;

/// Number of entries before the seats.
const HEAD: usize = 64;
/// Index of the first card entry.
const CARDS: usize = 11;
/// Number of entries per seat.
const SEAT: usize = 9;

/// Number of entries in an observation.
pub const LEN: usize = HEAD + SEAT * MAX_SEATS;

/// Writes the observation of a seat into a slice of [`LEN`] entries; `left` is the fraction of rounds left.
pub(super) fn write(view: &SeatView<'_>, left: f32, out: &mut [f32]) {
    let (rules, own) = (view.rules(), view.seat());
    out.fill(0.0);
    let ratio = |part: i64, whole: i64| if whole == 0 { 0.0 } else { (part as f32 / whole as f32).min(1.0) };
    let flag = |flag: bool| f32::from(u8::from(flag));
    match view.phase() {
        Phase::Betting => out[0] = 1.0,
        Phase::Banking => out[1] = 1.0,
        Phase::Setting => out[2] = 1.0,
        Phase::Over => {}
    }
    let asked = view.is_acting();
    (out[3], out[4]) = (flag(asked), left);
    if asked && view.phase() == Phase::Setting {
        out[5] = ratio(view.time_left().into(), rules.time_steps.into());
    }
    let whole = 6 * rules.bet_maximum;
    out[6] = ratio(view.bets_against(), whole);
    out[7] = flag(asked && view.can_bank());
    if let Bank::Seat { stake, .. } = view.bank() {
        out[8] = ratio(stake, whole);
    }
    if let Some(button) = view.button() {
        out[9] = flag(view.bank() == Bank::House);
        out[10] = button.dice.total() as f32 / 18.0;
    }
    for card in view.dealt().iter().flat_map(|dealt| dealt.hand().cards()).map(Card::index) {
        out[CARDS + card] = 1.0;
    }
    for (place, seat) in out[HEAD..].chunks_mut(SEAT).zip(rules.seats.clockwise(own)) {
        let chips = (1.0 + view.bankroll(seat) as f64 / rules.bet_minimum as f64).log2() / 48.0;
        let banks = view.button().is_some() && view.bank().seat() == seat || view.bank().is_player(seat);
        place.copy_from_slice(&[
            1.0,
            flag(seat == HOUSE_SEAT),
            flag(view.is_taken(seat)),
            chips.min(1.0) as f32,
            ratio(view.bet(seat), rules.bet_maximum),
            ratio(view.side(seat), rules.side_maximum),
            flag(banks),
            flag(view.button().is_some_and(|button| button.seat == seat)),
            flag(view.has_passed(seat)),
        ]);
    }
}
