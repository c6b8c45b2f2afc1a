//! Evaluation against any suit-isomorphic strategy for the other side, given as a table of all classes of hands.
//!
//! The other side's hands that don't share any cards with a given hand are counted by inclusion-exclusion. Every subset
//! of the given hand contributes the number of hands that contain it, with a positive sign if the subset has an even
//! number of cards and a negative sign otherwise. All suitings of a multiset of ranks are compared with nearly the same
//! set hands, so most of the work can be shared between them:
//! - For each multiset of up to six ranks ([`part`]), the other side's hands that contain it are sorted once for all
//!   suitings ([`shapes`]), and then counted below the limits queried by this side's hands that contain the same
//!   multiset ([`asked`]).
//! - The results are stored for each full hand's multiset, with one row per suiting of each of its smaller parts.
//! - Each class adds up the rows for its 127 smaller subsets. Most of these sums are shared, because a row first adds up
//!   the rows for those of its own subsets that are only reached through it. The subset that is the class itself only
//!   stands for one opposing hand, which is compared directly.
//!
//! The results are computed in several rounds of about 1.6 GB each, and the sorting is repeated in every round.

mod asked;
mod levels;
mod made;
mod part;
mod prepared;
mod rounds;
mod shapes;
mod strategy;
mod sums;
#[cfg(test)]
mod tests;
mod width;

pub(super) use prepared::PreparedValues;
pub(super) use strategy::TableOpponent;
pub(super) use sums::TableScratch;
