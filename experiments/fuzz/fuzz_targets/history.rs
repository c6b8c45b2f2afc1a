//! Metrics and timing of a training.

#![no_main]

#[path = "../../tests/houseway/fuzz_targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|files: (&[u8], &[u8])| targets::history(files.0, files.1));
