//! Ranking of seven cards.

#![no_main]

#[path = "../../tests/env/fuzz/targets.rs"]
#[allow(dead_code)]
mod targets;

libfuzzer_sys::fuzz_target!(|draws: [u8; 7]| targets::best_of_seven(draws));
