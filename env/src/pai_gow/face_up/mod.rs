//! Face Up Pai Gow Poker, in which the dealer's hand is shown and set before the player's.
//!
//! The player and the dealer are each dealt seven cards from the same 53-card deck. The dealer's cards are turned face
//! up and set by a house way. If the best five of them are an ace-high hand without a pair, straight or flush, the
//! dealer has an *ace-high pai gow*, and every bet pushes. Otherwise, the player sets a *back* of five cards and a
//! *front* of two cards that may not outrank the back. The two backs are compared, and so are the two fronts. Copies go
//! to the dealer. A player who wins both comparisons is paid even money without a commission, a player who loses both
//! loses the stake, and one win each is a push.
//!
//! The joker is an ace or completes a straight or a flush. A-2-3-4-5 is the second highest straight. Hands and settings
//! work as in [`pai_gow`](crate::pai_gow).
//!
//! Source: M. Shackleford, "Face Up Pai Gow Poker", wizardofodds.com/games/face-up-pai-gow-poker. It doesn't say which
//! house way it analyzes, so the house way is an option. The published edge is about 1.81% of the bet. The exact one is
//! 1.8219% against Trump Plaza's house way and 1.8206% against Claridge's, and no reading changes either to 1.81%.
//!
//! - [`Rules`] contains the readings and variants.
//! - [`FaceUpGame`] is the game under given rules. [`FaceUpPaiGow`] is the environment `FaceUpPaiGow-v0`.
//! - [`Observation`] lists its observation encodings.

mod env;
mod observe;
mod rules;

pub use env::{FaceUpGame, FaceUpOptions, FaceUpPaiGow, GAME, ID};
pub use observe::Observation;
pub use rules::{DealerPushes, Rules};
