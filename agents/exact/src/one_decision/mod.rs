//! Exact solver of games with one decision.
//!
//! In such a game an agent sees its hand, chooses one of a fixed list of actions, all of them legal, and receives a reward that depends on
//! hidden cards. A game implements [`OneDecision`]: its hands, and for each the rewards of all actions summed over the
//! hidden cards. [`Enumerated`] is its [`Solver`](crate::solver::Solver).

mod answer;
mod evaluator;
mod solution;

pub use solution::{Enumerated, Total};

use crate::Ratio;
use crate::solver::{SolverError, StakeUnit};

/// A game with one decision under its rules.
pub trait OneDecision: Send + Sync {
    /// Unit of rewards.
    fn unit(&self) -> StakeUnit;

    /// Actions in the order of the environment.
    fn actions(&self) -> &'static [ActionName];

    /// Name of the observation encoding of [`Situation::observation`].
    fn encoding(&self) -> &'static str;

    /// One sentence on the game and its rules.
    fn summary(&self) -> String;

    /// Returns the rules as JSON, and their hash.
    fn rules(&self) -> (serde_json::Value, String);

    /// Returns all hands, those that differ in nothing that matters in one situation.
    fn situations(&self) -> Vec<Situation>;

    /// Returns the situation of a hand, given as text.
    ///
    /// # Errors
    /// If the text is no hand of the game.
    fn situation(&self, hand: &str) -> Result<Situation, SolverError>;
}

/// Name of an action: `raise`, `raises`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionName {
    /// The verb.
    pub name: &'static str,
    /// Its third person.
    pub third_person: &'static str,
}

/// Hands that are equal for the decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// One of the hands.
    pub example: String,
    /// Group in tables, such as the category of the hand. Groups are shown in the order of their first situation.
    pub group: String,
    /// Number of hands.
    pub hands: u64,
    /// Number of combinations of hidden cards for each of the hands, the same for all situations.
    pub hidden: u64,
    /// Observation of the hands.
    pub observation: Vec<f32>,
    /// Rewards of each action, summed over the hidden cards, in units.
    pub rewards: Vec<i64>,
}

impl Situation {
    /// Returns the EV of an action.
    ///
    /// # Panics
    /// If the number of the action is too large.
    pub fn ev(&self, action: usize) -> Ratio {
        Ratio::new(self.rewards[action].into(), self.hidden.into())
    }

    /// Returns the action with the highest EV, the first one of several.
    pub fn best(&self) -> usize {
        (0..self.rewards.len()).rev().max_by_key(|&action| self.rewards[action]).unwrap_or_default()
    }
}
