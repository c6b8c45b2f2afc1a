//! Fits ensembles of regression trees, as a baseline for networks.
//!
//! [`fit_trees`] learns the values of actions from the same rewards as all-action regression. It works in stages: each
//! stage draws a new batch of deals and adds trees that predict what the earlier stages get wrong on it. Only
//! differences between the actions of a decision count. The trees are grown by the crate `forust-ml`, which implements
//! gradient boosting as in Chen and Guestrin, *XGBoost: A Scalable Tree Boosting System* (2016).

mod config;
mod fit;

pub use config::TreesConfig;
pub use fit::{FittedTrees, fit_trees, has_checkpoint};
