//! Ultimate Texas Hold'em: the player against the dealer, both with the same five community cards.
//!
//! The player stakes an Ante and an equal Blind, and may stake Trips and a progressive token. The player gets two cards
//! and makes a *Play* wager of four antes or checks. After the flop, the choice is to play two antes or check. After
//! the last two cards, it is to play one ante or fold, which loses Ante and Blind. There is at most one Play wager. The
//! better hand of the best five of seven cards wins. Play pays even money, and the Ante pushes if the dealer has less
//! than a pair. The Blind wins according to its paytable for a straight or better, and is returned on a win with less.
//! Trips pays on the player's own hand.
//!
//! The rules are those of an online casino, "Ultimate Texas Hold'em", with lost digits restored from the published
//! game. Two of its sentences are not options here: players see only their own two cards and the board, and in an exact
//! tie of two decisions, the smaller wager is chosen.
//!
//! - [`Rules`]: every reading, as plain data with a stable hash. [`Paytable`]: odds of Blind, Trips and the
//!   progressive, as data.
//! - [`Game`]: rules compiled for play, with hand strengths and the payment for every way to end a hand, in half antes.
//! - [`Hole`], [`Stage`], [`Action`]: two cards, the stage of a hand, and the actions in it.
//! - [`Deal`], [`BettingState`]: all cards, and the state of a player's hand.
//! - [`UltimateHoldem`]: the environment `UltimateHoldem-v0`. [`observe`]: its observation encodings.

mod deal;
mod env;
mod game;
mod hole;
pub mod observe;
mod paytable;
mod rules;
mod seat;

pub use deal::Deal;
pub use env::{GAME, ID, Round, State, UltimateHoldem, UltimateHoldemOptions, from_config};
pub use game::{End, Game, Winner};
pub use hole::Hole;
pub use paytable::{PAYTABLES, PayRow, Paytable, TableBet};
pub use rules::{DealerUnqualified, PreflopPlay, Rounding, Rules, TripsOnFold};
pub use seat::{Action, BettingState, Stage};
