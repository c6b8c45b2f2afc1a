//! Statistics over several runs of stochastic methods, following Agarwal et al., *Deep Reinforcement Learning at the
//! Edge of the Statistical Precipice* (NeurIPS 2021, arXiv:2108.13264).
//!
//! Each method has several runs (seeds) on each task. A score is an exact regret, so lower is better and the only
//! source of uncertainty is the seeds.
//!
//! - [`interquartile_mean`] is the mean of the middle half of a method's scores, pooled over all tasks.
//! - [`Bootstrap`] computes 95% percentile intervals with a stratified bootstrap, which resamples runs within each
//!   task.
//! - [`probability_of_improvement`] is the probability that a run of one method has a lower regret than a run of
//!   another on the same task, averaged over the tasks. Ties count as one half.
//! - [`profile`] is the fraction of runs that don't exceed a given regret, averaged over the tasks.
//!
//! A [`Comparison`] computes all of these for the runs in several folders.

mod comparison;
mod estimate;
mod scores;

pub use comparison::{Comparison, Improvement, MethodSummary};
pub use estimate::{Bootstrap, Tasks, interquartile_mean, probability_of_improvement, profile};
pub use scores::{RunScores, StatsTask};
