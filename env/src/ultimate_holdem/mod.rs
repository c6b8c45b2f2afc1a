//! Ultimate Texas Hold'em, in which the player and the dealer share five community cards.
//!
//! The player puts up an Ante and an equal Blind, and can add a Trips bet and a progressive token. After seeing their
//! two cards, the player either makes a *Play* wager of four antes or checks. After the flop, a player who checked can
//! play two antes or check again. After the last two cards, the choice is between playing one ante and folding, which
//! loses the Ante and the Blind. The player can only make one Play wager. The side whose best five of seven cards are
//! better wins. The Play wager pays even money. The Ante pushes if the dealer has less than a pair. The Blind pays
//! according to its paytable if the player wins with a straight or better, and it is returned if the player wins with
//! less. Trips pays according to the player's hand alone.
//!
//! The rules come from an online casino's "Ultimate Texas Hold'em". Digits that are missing in the source were filled
//! in from the published game. Two of its sentences are not options here. Players only see their own two cards and the
//! board, and if two decisions are exactly equal, the smaller wager is chosen.
//!
//! - [`Rules`] has a field for every reading. It is plain data with a stable hash. [`Paytable`] has the odds of the
//!   Blind, Trips and the progressive, also as data.
//! - [`Game`] is the compiled form of the rules. It determines hand strengths and, in half antes, the payment for every
//!   way of ending a hand.
//! - [`Hole`] holds two cards, [`Stage`] is the stage of a hand, and [`Action`] lists the possible actions.
//! - [`Deal`] contains all cards in a round, and [`BettingState`] is the state of the player's wagers.
//! - [`UltimateHoldem`] is the environment `UltimateHoldem-v0`. [`observe`] contains its observation encodings.

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
