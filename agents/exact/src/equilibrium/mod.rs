//! Equilibria for two-player games in which each side acts once and only knows its own hand.
//!
//! - [`HandGame`] describes a game by its information sets, and evaluates all of one side's actions against a mixed
//!   strategy for the other side in a single pass.
//! - [`Solver`] starts with fictitious play and continues from its average with another [`Algorithm`], such as linear
//!   counterfactual regret minimization.
//! - A [`Position`] is what a side responds to in a round of fictitious play, for responses that aren't exact.
//! - [`AverageValues`] holds the EVs after a round and the gains of best responses. In a zero-sum game, [`Bounds`]
//!   bracket the value of the game. Other games may not have a single value.
//! - [`maximize`] solves linear programs exactly, for games that are small enough to have their value as a fraction.
//!
//! In each round, every side is evaluated once against what the other side plays, which is a mixture in units of
//! 1/[`UNITS`]. Rounding errors carry over to the next rounds, so that the averages match the exact strategies.

mod linear;
mod solver;
mod state;
#[cfg(test)]
mod tests;

pub use linear::{Optimum, maximize};
pub use solver::{Position, Solver};
pub use state::SolverState;

use houseway_env::names::expected;
use serde::{Deserialize, Serialize};
use std::ops::Sub;

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

/// The parameters of the solution method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// The number of rounds of fictitious play, in which each side plays the best response to the other side's average.
    pub fictitious_rounds: u32,
    /// The total regret, expressed as EV, that is spread over the actions when the remaining rounds start from the
    /// average of fictitious play (Brown and Sandholm, 2016).
    pub warm_regret: f64,
    /// The algorithm for the remaining rounds.
    #[serde(default, skip_serializing_if = "Algorithm::is_default")]
    pub algorithm: Algorithm,
}

impl Default for Method {
    fn default() -> Method {
        Method { fictitious_rounds: 10, warm_regret: 0.004, algorithm: Algorithm::default() }
    }
}

houseway_env::named_enum! {
    /// An algorithm for the rounds that follow the first rounds of fictitious play. All of them weight rounds linearly in
    /// the averages.
    #[derive(Default)]
    pub enum Algorithm: kebab_case {
        /// Fictitious play in all rounds.
        FictitiousPlay,
        /// Counterfactual regret minimization with linear weights for the regrets (Brown and Sandholm, 2019).
        #[default]
        LinearCfr,
        /// Regrets that never become negative (Tammelin, 2014).
        CfrPlus,
        /// Like [`Algorithm::CfrPlus`], but counts each round's regrets twice for the next round, as a prediction (Farina,
        /// Kroer and Sandholm, 2021).
        PredictiveCfrPlus,
    }
}

impl Algorithm {
    /// Returns the algorithm's name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Algorithm::FictitiousPlay => "fictitious play",
            Algorithm::LinearCfr => "linear CFR",
            Algorithm::CfrPlus => "CFR+",
            Algorithm::PredictiveCfrPlus => "predictive CFR+",
        }
    }

    /// Parses an algorithm by name.
    ///
    /// # Errors
    /// Returns an error that lists the valid names if there is no such algorithm.
    pub fn parse(name: &str) -> Result<Algorithm, String> {
        name.parse().map_err(|_| format!("invalid method '{name}': {}", expected(name, Algorithm::NAMES)))
    }

    fn is_default(&self) -> bool {
        *self == Algorithm::default()
    }

    /// Adds a round's regret to an action's cumulative regret, and sets the regret that is predicted for the next round.
    fn update(self, sum: &mut f64, predicted: &mut f64, regret: f64, weight: u32) {
        match self {
            Algorithm::FictitiousPlay => {}
            Algorithm::LinearCfr => *sum += f64::from(weight) * regret,
            Algorithm::CfrPlus => *sum = (*sum + regret).max(0.0),
            Algorithm::PredictiveCfrPlus => {
                *sum = (*sum + regret).max(0.0);
                *predicted = regret;
            }
        }
    }
}

/// The number of rounds after which the averages are reset. This removes the arbitrary initial strategies from them.
const FORGOTTEN_ROUNDS: u32 = 2;

impl Method {
    /// Returns `true` if the round after this number of rounds is one of fictitious play.
    fn is_fictitious(self, rounds: u32) -> bool {
        rounds < self.fictitious_rounds || self.algorithm == Algorithm::FictitiousPlay
    }

    /// Returns the name of the algorithm that plays the round after this number of rounds.
    pub fn label(self, rounds: u32) -> &'static str {
        match self.is_fictitious(rounds) {
            true => Algorithm::FictitiousPlay.label(),
            false => self.algorithm.label(),
        }
    }

    /// Returns `true` if regrets are needed for the first time after this number of rounds.
    fn starts_regrets(self, rounds: u32) -> bool {
        rounds == self.fictitious_rounds && !self.is_fictitious(rounds)
    }

    /// Returns `true` if the averages are reset after this number of rounds.
    fn is_first_of_phase(self, rounds: u32) -> bool {
        [0, FORGOTTEN_ROUNDS].contains(&rounds) || self.starts_regrets(rounds)
    }

    /// Returns the next round's weight after this number of rounds. Within a phase, weights grow by one each round.
    fn weight(self, rounds: u32) -> u32 {
        let first = (0..=rounds).rev().find(|&before| self.is_first_of_phase(before)).expect("zero is one");
        rounds - first + 1
    }
}

/// Both sides' EVs for the average strategies after a round. Best responses are limited to the same information sets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AverageValues {
    /// The EVs if both sides play their averages.
    pub own: [f64; 2],
    /// The EV of each side's best response to the other side's average.
    pub best: [f64; 2],
}

impl AverageValues {
    /// Returns the sum of both best responses' gains.
    pub fn nash_conv(self) -> f64 {
        (self.best[0] - self.own[0]) + (self.best[1] - self.own[1])
    }

    /// Returns the bounds for the value of a zero-sum game, in which best responses are limited to the same information
    /// sets.
    pub fn bounds(self) -> Bounds {
        Bounds { lower: -self.best[1], upper: self.best[0] }
    }
}

/// Lower and upper bounds for a zero-sum game's value. They follow from the best responses to a pair of strategies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds<N = f64> {
    /// The value that the first side's strategy guarantees.
    pub lower: N,
    /// The maximum value that the second side's strategy concedes.
    pub upper: N,
}

impl<N: Sub<Output = N>> Bounds<N> {
    /// Returns the distance between the bounds.
    pub fn width(self) -> N {
        self.upper - self.lower
    }
}
