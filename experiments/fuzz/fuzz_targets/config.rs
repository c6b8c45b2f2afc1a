//! Configurations of experiments; start from a corpus of `experiments/configs/*.toml`.

#![no_main]

#[path = "../../tests/houseway/fuzz_targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|text: &str| targets::config(text));
