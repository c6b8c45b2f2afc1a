//! A run's folder: configuration, provenance, files that are whole or absent.

mod files;

pub use files::{cannot_read, cannot_write, check_writable, make_folder, write_atomic};
