//! What an agent of the table sees: [`LEN`] numbers from 0 to 1, laid out as follows. Seats are counted clockwise from the
//! agent's own, which is 0; seats that the table does not have are zeros.
//!
//! | places | meaning |
//! |---|---|
//! | 0, 1, 2 | the table waits for bets; for the bank; for settings (all 0: the session is over) |
//! | 3 | it waits for this agent |
//! | 4 | rounds left, the current one among them, as a share of the session |
//! | 5 | steps left to set the hand, as a share; 0 outside setting |
//! | 6 | bets that the agent would have against it as the banker, over six times the highest bet; 0 while bets are made |
//! | 7 | the agent could take the bank now |
//! | 8 | the stake of the player who banks, over six times the highest bet, at most 1 |
//! | 9 | the house banks, once that is settled |
//! | 10 | total of the dice over 18, once thrown |
//! | 11..64 | the agent's own cards, by [`Card::index`](crate::cards::Card::index) |
//! | 64 + 9 s.. | seat s: it is at the table; the house's; a player sits there; its chips, log2(1 + chips / lowest bet) / 48; its bet over the highest; its side bet over the highest; it banks; it has the button; it was offered the bank and passed |
//!
//! Bets of others are 0 while bets are made. Cards of others never show, nor whether others have set theirs.

use super::{Bank, HOUSE_SEAT, MAX_SEATS, Phase, SeatView};
use crate::cards::Card;

/// Numbers before those of the seats.
const HEAD: usize = 64;
/// Where the cards begin.
const CARDS: usize = 11;
/// Numbers of each seat.
const SEAT: usize = 9;

/// How many numbers an observation has.
pub const LEN: usize = HEAD + SEAT * MAX_SEATS;

/// Writes what a seat sees into a slice of [`LEN`] numbers; `left` is the share of rounds left.
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
