//! House ways as data: rule sheets of casinos, checked, and compiled to a table.
//!
//! A house way is a TOML file: rules in the order in which they are tested. A rule names the hands that it is for (`when`)
//! and, in order of preference, what it plays with them (`play`). What it plays only filters the hand's *legal* settings;
//! of those left the one with the highest front is taken (with `prefer = "back"`: the highest back), then the one with the
//! highest other half. So no file can produce a foul, no rule can tell suits apart, and a rule of which no play fits
//! leaves the hand to the rules after it.
//!
//! ```toml
//! name = "example"
//! title = "An example"
//! source = "where the rules are published"
//!
//! [readings.pair-with-complete-hand]          # a named open choice of the sheet; the first option is the default
//! text = "A complete hand that needs a card of the pair."
//! options = ["keep_complete", "break"]
//!
//! [[rule]]
//! name = "one pair, complete hand kept"       # comes back with every setting
//! text = "The rule in the sheet's words."
//! reading = { pair-with-complete-hand = "keep_complete" } # the rule counts only under this option
//! when = { shape = "one pair", possible = { back = "complete" } }
//! play = [{ front = "pair pair", back = "complete" }, { back = "complete" }]
//! ```
//!
//! # Words
//! The joker counts as an ace in everything but `back`, which is read at its best.
//!
//! | place | word | meaning |
//! |---|---|---|
//! | `when` | `shape` | how many cards of each rank the hand has: one of [`Shape`]'s names, or a list of them |
//! | | `aces`, `quads`, `trips`, `second-trips`, `pair`, `high-pair`, `middle-pair`, `low-pair` | ranks allowed for this part of the hand: `"J-K"`, `"2-6, A"`; `pair` is the only pair, the other three are those of two or three pairs |
//! | | `single`, `second-single` | ranks allowed for the highest and the second-highest card that is part of no pair or better |
//! | | `possible` | a play, as below, for which the hand has a legal setting |
//! | `play` | `front` | parts that the two front cards belong to, `"pair pair"`, `"trips single"`; a list means any of them |
//! | | `front-at-least` | the front is at least this: `"K"` (king-high or better), `"A J"`, `"10 10"` |
//! | | `back` | category of the back, or a list: `"straight"`, ..., `"complete"` (straight, flush, straight flush, royal flush) |
//!
//! A list of tables under `when` is met if one of them is; a list of tables under `play` is tried in order.
//!
//! # Use
//! [`Way::named`] and [`Way::load`] read and check a file, [`Way::survey`] counts what each rule does with all 154,143,080
//! hands, and [`HouseWay::compile`] makes the [`Strategy`](super::Strategy).

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
