//! A search for short house ways, i.e. rule lists with a high EV for their length.
//!
//! - [`SettingGains`] contains the EVs of all settings for every profile, computed in one pass over all deals.
//! - [`Choices`] contains the setting that every play in the vocabulary chooses for every profile, and the groups of
//!   hands that no rule can tell apart.
//! - [`Space`] contains the loss of every play on every group.
//! - [`Search`] is a beam search. A rule is a play together with ranges of ranks for some shapes. For a play at a given
//!   place in a list, the best ranges are found exactly, by summing over all boxes. Lists grow by insertion, every rule
//!   is refitted after each insertion, and longer lists are then shortened.
//! - [`OpponentSearch`] extends the search to several opponents and minimizes the mean or the greatest loss.
//! - [`PricedRule`] is a rule in the house way language, with the price for removing it and for moving its limits.
//! - [`ChangedSheet`] is a given sheet with the best changes to single rules.
//!
//! A [`Problem`] defines what to search for. Its methods make the [`Passes`] over all deals and write and verify the
//! results, a [`FoundList`] or [`Changes`].
//!
//! A loss is measured relative to the best setting for each profile. Losses are sums over hands in millionths of a
//! stake, rounded per profile, and [`loss`] converts them to fractions of the stake. The search also evaluates the
//! house ways it writes to confirm its predictions.

mod beam;
mod choices;
mod finish;
mod list;
mod problem;
mod results;
mod sentence;
mod space;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use beam::{Found, Search, SearchState};
pub use choices::{Choices, SettingGains, Slots};
pub use finish::{ChangedSheet, Limit, PricedRule};
pub use list::{FoundRule, Limits, Word};
pub use problem::{Evs, Objective, OpponentSearch, OpponentState, Passes, Problem, mean};
pub use results::{Change, ChangeKind, ChangedWay, Changes, FoundList};
pub use space::Space;
pub use vocabulary::Play;

use houseway_env::money::Rate;

/// The number of seven-card hands, C(53,7).
const HANDS: f64 = super::HANDS as f64;

/// Converts a loss to a fraction of the stake.
pub fn loss(units: i64) -> f64 {
    units as f64 / HANDS / f64::from(Rate::WHOLE)
}

/// Converts a fraction of the stake to a loss.
pub fn units(fraction: f64) -> i64 {
    (fraction * HANDS * f64::from(Rate::WHOLE)).round() as i64
}
