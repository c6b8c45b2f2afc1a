//! The equilibrium between a player and a banker who can both set freely, over all deals.
//!
//! The strategies mix over the settings for each [profile](houseway_env::cards::profile). The best responses that bound
//! the value of the game choose a setting for each class of hands instead, so they see every suit. In later rounds, the
//! strategies also see the suits of profiles for which they matter.
//!
//! - [`Actions`] holds the undominated settings for each profile.
//! - [`ProfileGame`] makes the game available to the [`Solver`](crate::equilibrium::Solver), with passes over all
//!   deals.
//! - [`InformationSets`] tell the classes of some profiles apart, and [`ClassGame`] is the game of sides that see them.
//! - [`Certificate`] contains exact EVs for a pair of mixed strategies and for the best responses to them, which bound
//!   the value of the game if the house banks. If a player banks, both sides pay the commission and the game isn't
//!   zero-sum. It then has no value, but the best responses' gains still show how close the pair is to an equilibrium.
//! - [`response_values`] are the exact EVs of a side's settings in a round, for agents that learn to respond.
//! - [`purify`] turns a mixed strategy into a pure strategy over classes that plays each setting equally often.

mod actions;
mod games;
#[cfg(test)]
mod tests;

pub use actions::{Actions, InformationSets, ProfileClasses, purify};
pub(super) use games::ActionSums;
pub use games::{Certificate, ClassGame, ProfileGame, response_values};
