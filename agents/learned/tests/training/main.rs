//! Tests for training with every task and method. Runs must be reproducible, resume byte for byte, and report errors.

mod cases;
mod failures;
mod files;
#[path = "../labels/mod.rs"]
mod labels;
mod metrics;
mod resuming;
