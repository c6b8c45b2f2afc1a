//! Equilibria for two-player games in which each side acts once and only knows its own hand.
//!
//! - [`HandGame`] describes a game by its information sets, and evaluates all of one side's actions against a mixed
//!   strategy for the other side in a single pass.
//! - [`Solver`] starts with fictitious play and continues from its average with another [`Algorithm`], such as linear
//!   counterfactual regret minimization.
//! - A [`Position`] is what a side responds to in a round of fictitious play, for responses that aren't exact.
//! - [`AverageValues`] holds the EVs after a round and the gains of best responses. In a zero-sum game, [`Bounds`]
//!   bracket the value of the game. Other games may not have a single value.
//!
//! In each round, every side is evaluated once against what the other side plays, which is a mixture in units of
//! 1/[`UNITS`]. Rounding errors carry over to the next rounds, so that the averages match the exact strategies.

mod method;
mod solver;
mod state;
#[cfg(test)]
mod tests;

pub use method::{Algorithm, AverageValues, Bounds, Method};
pub use solver::{Position, Solver};
pub use state::{Shape, SolverState, StateError};

/// The number of probability units in a played mixture.
pub const UNITS: u8 = 64;

/// The two sides. The value of a zero-sum game is given from the first side's perspective.
pub const SIDES: [usize; 2] = [0, 1];

/// A game in which each of the two sides acts once.
pub trait HandGame {
    /// The error type for a failed pass, such as a cancellation.
    type Error;

    /// Returns the index of the first action in each of the side's information sets, followed by the number of actions.
    fn starts(&self, side: usize) -> &[u32];

    /// Returns a probability for each of the side's information sets.
    fn probabilities(&self, side: usize) -> &[f64];

    /// Evaluates a side's actions against a mixture that the other side plays. The mixture is given in units of
    /// 1/[`UNITS`]. Returns the EV of each of the side's actions times the probability of its information set.
    ///
    /// # Errors
    /// Returns an error if the pass fails.
    fn values(&mut self, side: usize, other: &[u8]) -> Result<Vec<f64>, Self::Error>;
}
