//! Agents for Ultimate Texas Hold'em.
//!
//! A hand has three decisions, each between playing and waiting (before the flop and on it) or folding (on the river). For
//! each of them a [`network`] of its own learns one number: what playing earns more than the other decision, after which the
//! hand goes on as the networks play by then.
//!
//! The cards that settle one way to play a hand settle all of them, so a deal tells what every decision would have earned
//! ([`deals`]); and as the cards that nobody holds make dealer hands that are all alike likely, it tells the mean over many
//! of them. That is what [`train`] learns from, by regression.
//!
//! - [`TrainConfig`]: what a training is told. [`train`]: the training, in steps that repeat and resume to the byte.
//! - [`LearnedPolicy`]: trained networks as a player.

mod config;
pub mod deals;
pub mod network;
mod policy;
mod train;

pub use config::TrainConfig;
pub use network::PlayerNetwork;
pub use policy::LearnedPolicy;
pub use train::{Trained, train};
