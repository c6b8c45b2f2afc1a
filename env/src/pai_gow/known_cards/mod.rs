//! Pai Gow Poker with known cards, in which the player sees some of the cards that neither side holds.
//!
//! The game has the same rules, readings and variants as Pai Gow Poker. Before the player sets the hand, a
//! number of cards are drawn at random from the rest of the pack and shown to the player. They could be the hands of
//! other players, or cards that were exposed by mistake. The banker can't hold any of them, so they change the
//! probabilities of the banker's hands, and sometimes the best setting.
//!
//! `houseway ev HAND --dead "Qh 3c"` computes the exact EV of every setting when these cards are known. The command
//! `known-cards` measures how much a player gains from knowing them.
//!
//! - [`KnownCardsGame`] is the game against a banker. [`KnownCardsPaiGow`] is the environment `PaiGowKnownCards-v0`.
//! - [`Observation`] lists its observation encodings.

mod env;
mod observe;

pub use env::{GAME, ID, KnownCardsGame, KnownCardsOptions, KnownCardsPaiGow, MAX_KNOWN_CARDS, from_config};
pub use observe::Observation;
