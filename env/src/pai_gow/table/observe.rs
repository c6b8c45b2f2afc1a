//! Observations for agents at the table.
//!
#![doc = include_str!("observations.md")]

use super::{Bank, HOUSE_SEAT, MAX_SEATS, Phase, SeatView};
use crate::cards::Card;

/// The number of entries before those for the seats.
const HEAD: usize = 64;
/// The index of the first card entry.
const CARDS: usize = 11;
/// The number of entries per seat.
const SEAT: usize = 9;

/// The number of entries in an observation.
pub const LEN: usize = HEAD + SEAT * MAX_SEATS;

/// Writes the observation for a seat. `left` is the fraction of rounds left, and the slice must have [`LEN`] entries.
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
