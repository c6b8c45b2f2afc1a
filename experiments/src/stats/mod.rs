//! Statistics of several runs of stochastic methods, as in Agarwal et al., *Deep Reinforcement Learning at the Edge of the
//! Statistical Precipice* (NeurIPS 2021, arXiv:2108.13264).
//!
//! A method has several runs (seeds) on each task. A score is an exact regret, so lower is better, and all uncertainty is that
//! of the seeds.
//!
//! - [`interquartile_mean`]: the mean of the middle half of all scores of a method, all tasks together.
//! - [`Bootstrap`]: 95% intervals by the percentiles of a stratified bootstrap: runs are drawn again within each task.
//! - [`probability_of_improvement`]: the probability that a run of one method has less regret than one of another on the same
//!   task, half of it for ties, averaged over the tasks.
//! - [`profile`]: the fraction of the runs with at most a given regret, averaged over the tasks.
//!
//! [`Comparison`] computes all of these for the runs in some folders.

mod comparison;
mod estimate;
mod scores;

pub use comparison::{Comparison, Improvement, MethodSummary};
pub use estimate::{Bootstrap, Tasks, interquartile_mean, probability_of_improvement, profile};
pub use scores::{RunScores, StatsTask};
