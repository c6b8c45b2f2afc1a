//! Checkpoints of a training.

#![no_main]

#[path = "../../tests/houseway/fuzz_targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|files: (&str, &[u8], &[u8], bool)| targets::checkpoint(files.0, files.1, files.2, files.3));
