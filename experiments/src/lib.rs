//! The laboratory's command line as a library: train, measure, plot and report.
//!
//! - [`audit`]: house ways audited: what every rule costs, which settings are dominated, what readings are worth.
//! - [`banking`]: when to take the bank of a table: learned bankers and exact rules.
//! - [`mod@bench`]: experiments: agents are trained, measured by exact values, plotted and reported.
//! - [`cli`]: the commands.
//! - [`decide`]: experiments of games with a fixed list of actions: Joker Seven, Asian Stud.
//! - [`run`]: a run's folder: configuration, provenance, files that are whole or absent.
//! - [`compare`]: house ways against each other, and against the best play.
//! - [`metrics`]: where the numbers of a training go: files, TensorBoard, progress bar.
//! - [`plot`]: figures, one look for all.
//! - [`report`]: a run's text with its tables and pictures.
//! - [`solve`]: all deals of a game, counted for a pair of strategies; the claim of the source put to the test.
//! - [`table`]: tables run from a configuration, with histories that can be verified.

pub mod audit;
pub mod banking;
pub mod bench;
pub mod cli;
pub mod compare;
pub mod decide;
pub mod metrics;
pub mod plot;
pub mod report;
pub mod run;
pub mod solve;
pub mod table;
pub mod ultimate_holdem;
