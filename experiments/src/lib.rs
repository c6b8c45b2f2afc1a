//! The command line as a library: train, evaluate, analyse, plot and report.
//!
//! From the top down; a module uses those below it:
//!
//! - [`cli`]: the command line, without any game in it.
//! - [`analysis`]: analyses of a single game: house ways, banking.
//! - [`study`]: studies of any game: agents are trained, evaluated exactly, plotted and reported.
//! - [`play`]: any game at a table, by a person, with an exact coach.
//! - [`serve`]: a local web app: pages and a JSON API.
//! - [`stats`]: methods over several seeds: interquartile means, bootstrap intervals, probabilities of improvement.
//! - [`report`]: reports with their tables and figures; answers on the terminal.
//! - [`mod@plot`]: figures, drawn as PNG and SVG.
//! - [`metrics`]: sinks for the metrics of a training: files, TensorBoard, progress bar.
//! - [`console`]: shared by all commands: answers, errors, options.
//! - [`run`]: a run and its folder: configuration, provenance, atomic files, progress, interruption.

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
