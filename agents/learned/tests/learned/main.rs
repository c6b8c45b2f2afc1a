//! Tests of training in a single binary, so that it is linked once.

mod cases;
mod failures;
mod files;
mod labels;
mod learning;
mod metrics;
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod processors;
mod resuming;
mod trees;
