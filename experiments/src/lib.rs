//! The command line as a library: train, evaluate, analyse, plot and report.
//!
//! - [`cli`]: the commands.
//! - [`mod@bench`], [`decide`], [`ultimate_holdem`]: experiments: agents are trained, evaluated exactly, plotted and reported.
//! - [`analysis`]: analyses that belong to one game: house ways, the whole game, banking.
//! - [`console`]: what commands share: answers, errors, options.
//! - [`report`]: a run's text with its tables and pictures.
//! - [`plot`]: figures, one look for all.
//! - [`metrics`]: sinks for the numbers of a training: files, TensorBoard, progress bar.
//! - [`run`]: a run and its folder: configuration, provenance, files that are whole or absent.

pub mod analysis;
pub mod cli;
pub mod console;
pub mod metrics;
pub mod plot;
pub mod report;
pub mod run;
pub mod study;
