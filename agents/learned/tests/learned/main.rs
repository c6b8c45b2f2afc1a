//! Tests of training in a single binary, so that it is linked once.

mod cases;
mod failures;
mod files;
mod labels;
mod learning;
mod metrics;
mod resuming;
mod trees;
