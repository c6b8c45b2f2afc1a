//! Joker Seven, in which players wager on the contents of a seven-card hand.
//!
//! The game uses 52 cards and two jokers, which are neither red nor black and have no rank. Seven cards are dealt face
//! up and settle all wagers on the layout. Each wager either wins at its odds or loses its stake, and there are no
//! further decisions.
//!
//! | wager | wins if | odds | New Jersey |
//! |---|---|---|---|
//! | 4 or more black, red | at least four cards have the color | 1 to 1 | 1 to 1 |
//! | 4, 5, 6, 7 black, red | exactly this many cards have the color | 2, 5, 20, 40 to 1 | 2, 5, 15, 25 to 1 |
//! | no pair | no two cards share a rank, and there aren't two jokers | 3 to 1 | 3 to 1 |
//! | two pairs | there are two pairs or more, where four of a kind counts as two pairs | 3 to 1 | 3 to 1 |
//! | three of a kind | three or four cards share a rank | 12 to 1 | 12 to 1 |
//! | one joker, two jokers | there are exactly this many jokers | 3, 20 to 1 | 3, 20 to 1 |
//! | specific pair, one of 13 ranks | at least two cards have the rank | 10 to 1 | 9 to 1 |
//!
//! Sources: a casino's rules and paytable, "Rules for playing Joker Seven", which give the odds as minimum odds, and
//! the New Jersey Administrative Code 13:47-20.26, which has a different paytable. Where the sources are silent,
//! [`Rules`] has a field that selects a reading.
//!
//! - [`Rules`] has a field for each parameter and reading. [`Paytable`]s are data and have a row for each
//!   [`WagerKind`].
//! - [`Wager`] is one of the 28 spots on the layout, and [`Wins`] is the set of wagers that win on a hand.
//! - [`Game`] is the compiled form of the rules and a paytable. It returns the result of every wager on a hand.
//! - [`JokerSeven`] is the environment `JokerSeven-v0`, and [`Observation`] lists its observation encodings.

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
