//! Agents for Ultimate Texas Hold'em.
//!
//! A hand has three decisions, each between playing and waiting (before the flop and on it) or folding (on the river). For
//! each of them a [`network`] of its own learns one number: what playing earns more than the other decision, after which the
//! hand goes on as the networks play by then. Beside it stands policy gradient, which is told the result of the hand as it
//! was played and nothing else.
//!
//! The cards that settle one way to play a hand settle all of them, so a deal tells what every decision would have earned
//! ([`deals`]); and as the cards that nobody holds make dealer hands that are all alike likely, it tells the mean over many
//! of them. That is what the regression learns from.
//!
//! - [`TrainConfig`]: what a training is told. [`train`]: the training, in steps that repeat and resume to the byte.
//! - [`LearnedPolicy`]: trained [`Networks`] as a player.

mod config;
pub mod deals;
pub mod network;
mod policy;
mod train;

pub use config::TrainConfig;
pub use network::{Networks, PlayerNetwork};
pub use policy::LearnedPolicy;
pub use train::{Trained, train};
