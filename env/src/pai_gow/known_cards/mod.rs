//! Pai Gow Poker with known cards, in which the player sees some of the cards that neither side holds.
//!
#![doc = include_str!("rules.md")]
//!
//! - [`KnownCardsGame`] is the game against a banker. [`KnownCardsPaiGow`] is the environment `PaiGowKnownCards-v0`.
//! - [`Observation`] lists its observation encodings.

mod env;

pub use env::{
    GAME, ID, KnownCardsGame, KnownCardsOptions, KnownCardsPaiGow, MAX_KNOWN_CARDS, Observation, from_config,
};
