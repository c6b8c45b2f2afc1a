//! Exact evaluation of the full game. Every class of hands for one side is evaluated, in all its settings, against
//! every hand for the other side. This covers all 8,250,459,031,214,400 deals.
//!
//! The evaluation loops over sets of ranks, then over the multisets of these ranks, then over classes:
//! - The opponent's results by ranks only are summed once per multiset and shared by all its suitings.
//! - The opponent's flushes are corrected suit by suit. A correction only depends on which of the held ranks occur in
//!   the suit, so all multisets of the same ranks share it.
//! - A class adds up its base and four corrections for each setting.
//!
//! Sets of ranks don't depend on each other, so they can be evaluated in parallel and split into shards. Each set only
//! needs memory for its own classes.
//!
//! [`Pass::new`] evaluates against a [`BankerTable`](super::BankerTable), i.e. a strategy that only depends on profiles.
//! [`Pass::against_table`] evaluates against any other suit-isomorphic strategy, given as a
//! [`ClassTable`](super::ClassTable). This takes longer and needs up to 2 GB of memory. Both produce results in the same
//! form. [`Pass::against_mixed`] evaluates against mixed strategies over profiles.
//!
//! The evaluated side can [play](Play) any strategy, because [`Pass::fold`] visits all settings of all classes.
//! [`Pass::known_card_values`] evaluates a player who knows one card that neither side holds.

mod classes;
mod dead;
mod flush;
mod kernels;
mod known_card;
mod multiset;
mod open;
mod opponent;
mod pass;
mod plays;
mod shard;
mod sweep;
mod table_opponent;
#[cfg(test)]
mod tests;

pub use super::outcomes::{DealCounts, OutcomeWeights, Payoff, RANDOM_WEIGHT, Side, Ties};
pub use crate::solver::Cancelled;
pub use classes::{ClassCounts, ProfileSums};
pub use kernels::Instructions;
pub use known_card::{KnownCardCounts, KnownCardTotals, KnownCardValues};
pub(super) use multiset::Limits;
pub(super) use open::{Terms, staircase, wins_and_losses};
pub use pass::{Pass, Run};
pub(super) use pass::{dominance_holds, visit_classes};
pub use plays::Play;
pub use shard::Shard;
