//! Asian Stud: five cards split three and two, played against the dealer's.
//!
//! The pack has 52 cards and a joker. An ace is worth 1 point, two to nine their number, ten, jack, queen and king 10,
//! and the joker 1. Players stake an ante and are dealt five cards. They then fold and lose the ante, or raise by the
//! same amount. A *set* is three of the five cards with a total of 10, 20 or 30. The other two make the hand's *value*,
//! which is the last digit of their total, where 0 is 10, the highest value. A hand without a set has no value and
//! ranks below all others.
//!
//! | dealer | player | result |
//! |---|---|---|
//! | no set | raised | the ante wins 1 to 1, the raise is returned |
//! | set | no set | both lose |
//! | set | lower value | both lose |
//! | set | equal value | both are returned |
//! | set | higher value, by 1 to 3, 4 to 6, 7 to 9 | the ante wins 1 to 1, the raise 1, 2, 3 to 1 |
//!
//! Winnings pay a commission of 5%. A side bet pays on the player's five cards as a poker hand.
//!
//! Sources: a text on Asian Stud, with its lost first paragraph restored from the published rules (M. Shackleford,
//! wizardofodds.com/games/asian-stud, 2002), which also specify the payment of the raise and the commission. Where they
//! are silent or disagree, the reading is a field of [`Rules`].
//!
//! - [`Rules`]: parameters and readings.
//! - [`Game`]: rules compiled for play, with the [`Value`] of a hand and its net result in millionths of the ante.
//! - [`SideBet`]: the poker side bet, whose [`Paytable`]s are data.
//! - [`AsianStud`]: the environment `AsianStud-v0`. [`Observation`]: its observation encodings.

mod env;
mod game;
mod hand;
mod observe;
mod rules;
mod side_bet;

pub use env::{AsianStud, AsianStudOptions, FOLD, GAME, ID, MAX_PLAYERS, RAISE, State};
pub use game::{FOLDED, Game, UNIT, Value};
pub use hand::{Hand, Points};
pub use observe::Observation;
pub use rules::{Commission, JokerPoints, JokerSemiwild, NoSetAgainstSet, OddsOn, Rules, SideBetOnFold};
pub use side_bet::{PAYTABLES, PayRow, Paytable, PokerBet, SideBet};
