//! Data sets of logged decisions.
//!
//! A data set is what a program would have logged that played with a known, partly random policy: the observation, the
//! action, its probability (the *propensity*) and its reward. From such bandit data, off-policy methods estimate the
//! EVs of other policies, and learn new ones. Here, the truth is known as well. Each row has the exact EVs of all
//! actions, and the [card](LoggedDecisions::card) has the exact EVs of several policies.
//!
//! The columns are listed in [`COLUMNS`], and in each card.
//!
//! In Python, for a table read with pyarrow, `table["evs"].combine_chunks().values.to_numpy().reshape(len(table), -1)`
//! is the matrix of a list column. The file's metadata contains the game, its rules and the seed.

mod card;
mod log;

pub use card::{COLUMNS, PolicyEv};
pub use log::{DatasetRequest, LoggedDecisions};
