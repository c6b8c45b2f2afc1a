//! Search for short house ways: lists of rules with a high EV for their length.
//!
//! - [`SettingGains`]: EVs of all settings of every profile, from one pass over all deals.
//! - [`Choices`]: the setting of every play of the vocabulary on every profile, and the groups of hands that no rule can tell
//!   apart.
//! - [`Space`]: what every play loses on every group.
//! - [`Search`]: a beam search. A rule is a play and, for some shapes, ranges of ranks; the best ranges for a play at a place
//!   of a list are found exactly, by sums over all boxes. Lists grow by insertion, every rule is fitted again after each
//!   insertion, and longer lists are shortened.
//! - [`OpponentSearch`]: the same against several opponents, for the mean or the greatest loss.
//! - [`PricedRule`]: a rule in the language of house ways, with the price of leaving it out and of moving its limits.
//! - [`ChangedSheet`]: the best changes of single rules of a given sheet.
//!
//! [`Problem`] states what is searched for; its methods make the passes over all deals ([`Passes`]), and write and verify what
//! was found: [`FoundList`], [`Changes`].
//!
//! Losses are sums over hands, compared with the best setting of each profile, in millionths of a stake rounded for each
//! profile. [`loss`] converts them. What the search predicts is confirmed by evaluating the written house way.

mod beam;
mod boxes;
mod changed;
mod choices;
mod condition;
mod finish;
mod fits;
mod fix;
mod found_list;
mod gains;
mod limits;
mod list;
mod opponents;
mod problem;
mod sentence;
mod space;
#[cfg(test)]
mod tests;
mod vocabulary;
mod way;
mod words;

pub use beam::{Found, Search, SearchState};
pub use changed::{Change, ChangeKind, ChangedWay, Changes};
pub use choices::Choices;
pub use finish::{Limit, PricedRule};
pub use fix::ChangedSheet;
pub use found_list::FoundList;
pub use gains::{SettingGains, Slots};
pub use limits::Limits;
pub use list::FoundRule;
pub use opponents::{Objective, OpponentSearch, OpponentState};
pub use problem::{Evs, Passes, Problem, mean};
pub use space::Space;
pub use vocabulary::Play;
pub use words::Word;

use houseway_env::money::Rate;

/// Number of hands.
const HANDS: f64 = 154_143_080.0;

/// Converts a loss to a fraction of the stake.
pub fn loss(units: i64) -> f64 {
    units as f64 / HANDS / f64::from(Rate::WHOLE)
}

/// Converts a fraction of the stake to a loss.
pub fn units(fraction: f64) -> i64 {
    (fraction * HANDS * f64::from(Rate::WHOLE)).round() as i64
}
