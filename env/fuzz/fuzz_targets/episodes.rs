//! Recorded episodes as JSON Lines.

#![no_main]

#[path = "../../tests/env/fuzz/targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|text: &str| targets::episodes(text));
