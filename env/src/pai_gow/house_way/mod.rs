//! Casino house ways, written as data, validated, and compiled to tables.
//!
//! [`Way::named`] and [`Way::load`] parse and validate a file. [`Way::survey`] counts how many hands each rule sets,
//! and [`HouseWay::compile`] creates a [`Strategy`](super::Strategy).
//!
#![doc = include_str!("../../../house-ways/LANGUAGE.md")]

/// The documentation page on the house-way language, with its name.
pub const PAGES: &[crate::files::NamedText] = &[("language", include_str!("../../../house-ways/LANGUAGE.md"))];

mod compile;
mod file;
mod gaps;
mod interpreted;
mod parse;
mod rule;
mod words;

pub use compile::{HandParts, HouseWay, RuleSurvey, Survey};
pub(crate) use file::text_in;
pub use file::{BUILT_IN, CASINOS, PUBLISHED, Reading, Way, WayError};
pub use gaps::Gap;
pub use interpreted::InterpretedWay;
pub use rule::Rule;
pub use words::{Part, Position, Shape, StyleWarning};
