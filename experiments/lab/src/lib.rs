//! Exact analyses, interactive play and the web app, without anything that trains.
//!
//! The `houseway` program adds training to it. The modules are listed from top to bottom, and each one only uses
//! modules below it, apart from tests.
//!
//! - [`cli`] has the commands.
//! - [`analysis`] contains analyses of individual games, such as house ways and their equilibria.
//! - [`drill`] practices decisions that common strategies get wrong, in the terminal and in the web app.
//! - [`dataset`] logs decisions with the probability of each action and the exact EVs of all actions.
//! - [`serve`] is a local web app with pages and a JSON API.
//! - [`play`] lets you play any game interactively with an exact coach.
//! - [`stats`] compares methods over several seeds using interquartile means, bootstrap intervals and probabilities of
//!   improvement.
//! - [`console`] contains the output, errors, and options shared by all commands.
//! - [`report`] creates reports with tables and figures, and formats answers for the terminal.
//! - [`mod@plot`] draws figures as PNG and SVG.
//! - [`metrics`] reads the metrics files of training runs.
//! - [`columns`] writes columns of values as CSV and as Parquet.
//! - [`run`] manages runs and their folders, including configuration, provenance, atomic files, progress, and
//!   interruption.

// The program and its tests are the only users, so names that explain themselves have no documentation.
#![allow(missing_docs, unreachable_pub, rustdoc::private_intra_doc_links)]

pub mod analysis;
pub mod cli;
pub mod columns;
pub mod console;
mod dataset;
mod drill;
pub mod metrics;
mod play;
pub mod plot;
pub mod report;
pub mod run;
mod serve;
pub mod stats;
