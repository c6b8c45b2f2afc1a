//! Evaluation against any suit-isomorphic strategy of the other side, given as a table over all classes of hands.
//!
//! The hands of the other side that share no card with a given hand are counted by inclusion and exclusion: every
//! subset of the given hand contributes the other side's hands that contain it, with the sign of its size. The set
//! hands to compare with are nearly the same for all suitings of a multiset of ranks. The evaluation therefore proceeds
//! as follows:
//! - For each multiset of 0 to 7 ranks ([`part`]), the other side's hands that contain it are sorted once for all its
//!   suitings ([`shapes`]), and counted below the limits queried by the hands that contain it ([`asked`]).
//! - The results are stored by multiset of full hands, with a row for each suiting of each of its parts.
//! - A class sums the rows of its 128 subsets.
//!
//! The results are computed in several rounds of about 1 GB, each of which repeats the sorting.

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

pub(super) use prepared::PreparedValues;
pub(super) use strategy::TableOpponent;
pub(super) use sums::TableScratch;
