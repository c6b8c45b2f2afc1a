//! House ways as data: rule sheets of casinos, checked, and compiled to a table.
//!
//! [`Way::named`] and [`Way::load`] read and check a file, [`Way::survey`] counts what each rule does with all 154,143,080
//! hands, and [`HouseWay::compile`] makes the [`Strategy`](super::Strategy).
//!
#![doc = include_str!("../../../house-ways/LANGUAGE.md")]

mod compile;
mod fallback;
mod file;
mod rule;
mod situation;
mod words;

pub use compile::{HouseWay, RuleSurvey, Survey};
pub use file::{BUILT_IN, Reading, Way, WayError};
pub use rule::Rule;
pub use words::{Part, Shape};
