//! Agents that learn to set hands, to stake and to play on, trained with `burn`.
//!
//! - [`TrainConfig`]: what a training is told; [`train`]: the loop, with checkpoints that resume to the same bytes.
//! - Two methods, each readable in one sitting: [`all_action`] (regression on the rewards of all candidate settings of a
//!   deal) and [`policy_gradient`] (from the reward of the setting played alone).
//! - [`banking`]: when to take the bank of a table, learned from what the table pays.
//! - [`network`]: one small perceptron that scores every candidate with the same weights.
//! - [`LearnedStrategy`]: a trained network as a [`Strategy`](houseway_env::pai_gow::Strategy), to be played, audited and
//!   scored like any other.
//! - [`decisions`]: the same two methods for games with a fixed list of actions (Joker Seven, Asian Stud).
//! - [`ultimate_holdem`]: Ultimate Texas Hold'em, whose hands take up to three decisions.
//! - [`MetricSink`] and [`Evaluator`]: how the loop reports and is measured; it knows no file format and counts nothing.
//!
//! All random numbers come from the streams of [`houseway_env::gym`], none from the tensor library, whose generator is one
//! global state. The same configuration and seed give the same weights on one type of machine, whatever the threads.

pub mod all_action;
pub mod banking;
mod candidates;
pub mod checkpoint;
mod config;
pub mod decisions;
mod encode;
mod method;
mod metrics;
pub mod network;
mod policy;
pub mod policy_gradient;
mod train;
pub mod ultimate_holdem;

pub use candidates::{CandidateBatch, CandidateTensors};
pub use config::{Among, MethodKind, TrainConfig};
pub use encode::{encode, from_observation};
pub use method::{Loss, Method, Named};
pub use metrics::{MetricSink, Progress};
pub use policy::LearnedStrategy;
pub use train::{Evaluator, Table, TrainError, Trained, train, train_on};
