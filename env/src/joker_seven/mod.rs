//! Joker Seven: wagers on seven cards.
//!
//! The pack has 52 cards and two jokers, which are neither red nor black and have no rank. Seven cards are dealt face
//! up and settle all wagers on the layout. Each wager wins its odds or loses its stake, and there are no further
//! decisions.
//!
//! | wager | wins if | odds | New Jersey |
//! |---|---|---|---|
//! | 4 or more black, red | at least four of the colour | 1 to 1 | 1 to 1 |
//! | 4, 5, 6, 7 black, red | exactly this number of the colour | 2, 5, 20, 40 to 1 | 2, 5, 15, 25 to 1 |
//! | no pair | no two cards of a rank, nor two jokers | 3 to 1 | 3 to 1 |
//! | two pairs | two pairs or more; four of a kind is two | 3 to 1 | 3 to 1 |
//! | three of a kind | three or more of a rank | 12 to 1 | 12 to 1 |
//! | one joker, two jokers | exactly this number | 3, 20 to 1 | 3, 20 to 1 |
//! | specific pair, one of 13 ranks | two or more of the rank | 10 to 1 | 9 to 1 |
//!
//! Sources: a casino's rules and paytable, "Rules for playing Joker Seven", which call the odds minima, and the New
//! Jersey Administrative Code 13:47-20.26, which has another paytable. Where they are silent, the reading is a field of
//! [`Rules`].
//!
//! - [`Rules`]: parameters and readings. [`Paytable`]s are data, with a row for each [`WagerKind`].
//! - [`Wager`]: one of the 28 spots on the layout. [`Wins`]: the wagers that win on a hand.
//! - [`Game`]: rules and paytable compiled for play, with the results of every wager on a hand.
//! - [`JokerSeven`]: the environment `JokerSeven-v0`. [`Observation`]: its observation encodings.

mod env;
mod game;
mod observe;
mod rules;
mod wager;

pub use env::{DEAL, GAME, ID, JokerSeven, JokerSevenOptions, MAX_PLAYERS, State};
pub use game::{CARDS, Game, Wins};
pub use observe::Observation;
pub use rules::{
    Colour, CommonHand, JokerPair, MAX_CHIPS, NoPair, OneJoker, Rules, SpecificPair, ThreeOfAKind, TripsHoldAPair,
    TwoPairs,
};
pub use wager::{LayoutBet, PAYTABLES, PayRow, Paytable, Wager, WagerKind};
