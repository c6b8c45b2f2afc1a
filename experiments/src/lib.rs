//! The `houseway` program as a library: training and studies, and the commands of [`houseway_lab`].
//!
//! The modules are listed from top to bottom, and each one only uses modules below it.
//!
//! - [`cli`] is the command line, which is independent of any particular game.
//! - [`banking`] compares learned bankers at a Pai Gow table with exact rules for when to take the bank.
//! - [`self_play`] trains networks for both sides of Pai Gow Poker by fictitious self-play, and bounds the value of the
//!   game with them.
//! - [`sweep`] trains and evaluates an experiment with many configurations and seeds.
//! - [`study`] trains, evaluates, plots, and reports agents for any game.
//! - [`metrics`] contains the files of training metrics and the displays of progress.

// The program and its tests are the only users, so names that explain themselves have no documentation, and `pub` only
// means that other modules use an item.
#![allow(missing_docs, unreachable_pub, rustdoc::private_intra_doc_links)]

mod agents;
pub mod banking;
pub mod cli;
pub mod metrics;
pub mod self_play;
pub mod study;
pub mod sweep;

/// The kinds of studies that have their own configuration format.
const STUDY_KINDS: &[study::StudyKind] = &[banking::STUDY, self_play::STUDY];
