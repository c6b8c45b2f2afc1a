//! The command line as a library: train, evaluate, analyse, plot and report.
//!
//! From top to bottom; each module uses only modules below it:
//!
//! - [`cli`]: the command line, independent of any particular game.
//! - [`analysis`]: analyses of individual games: house ways and banking.
//! - [`study`]: studies of any game: training, exact evaluation, plots and reports of agents.
//! - [`play`]: interactive play of any game, with an exact coach.
//! - [`serve`]: a local web app with pages and a JSON API.
//! - [`stats`]: comparison of methods over several seeds: interquartile means, bootstrap intervals, probabilities of
//!   improvement.
//! - [`report`]: reports with tables and figures, and answers on the terminal.
//! - [`mod@plot`]: figures drawn as PNG and SVG.
//! - [`metrics`]: sinks for training metrics: files, TensorBoard, progress bar.
//! - [`console`]: answers, errors and options shared by all commands.
//! - [`run`]: runs and their folders: configuration, provenance, atomic files, progress, interruption.

pub mod analysis;
pub mod cli;
pub mod console;
pub mod metrics;
pub mod play;
pub mod plot;
pub mod report;
pub mod run;
pub mod serve;
pub mod stats;
pub mod study;
