//! House-way files; start from a corpus of `env/house-ways/*.toml`.

#![no_main]

#[path = "../../tests/env/fuzz/targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|text: &str| targets::house_way(text));
