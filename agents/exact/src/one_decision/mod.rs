//! Exact solver of games with one decision.
//!
//! In such a game, an agent sees its hand, chooses from a fixed list of actions that are always legal, and receives a
//! reward that depends on hidden cards. A game implements [`OneDecision`] by listing its hands, each with the rewards
//! of all actions summed over the hidden cards. [`Enumerated`] is its [`Solver`](crate::solver::Solver).

mod answer;
mod evaluator;
mod solution;

pub use solution::{Enumerated, Total};

use crate::Ratio;
use crate::solver::{SolverError, StakeUnit};

/// A game with one decision under its rules.
pub trait OneDecision: Send + Sync {
    /// Returns the unit of rewards.
    fn unit(&self) -> StakeUnit;

    /// Returns the actions in the order of the environment.
    fn actions(&self) -> &'static [ActionName];

    /// Returns the name of the encoding of [`Situation::observation`].
    fn encoding(&self) -> &'static str;

    /// Describes the game and its rules in one sentence.
    fn summary(&self) -> String;

    /// Returns the rules as JSON and their hash.
    fn rules(&self) -> (serde_json::Value, String);

    /// Returns all hands, with hands that do not differ in any relevant way grouped into one situation.
    fn situations(&self) -> Vec<Situation>;

    /// Returns the situation of a hand, given as text.
    ///
    /// # Errors
    /// Returns an error if the text is not a hand of the game.
    fn situation(&self, hand: &str) -> Result<Situation, SolverError>;
}

/// The name of an action, such as `raise` and `raises`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionName {
    /// The verb.
    pub name: &'static str,
    /// The third person of the verb.
    pub third_person: &'static str,
}

/// Hands that are equivalent for the decision.
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
    /// Observation of the hand.
    pub observation: Vec<f32>,
    /// Reward of each action, summed over the hidden cards, in units.
    pub rewards: Vec<i64>,
}

impl Situation {
    /// Returns the EV of an action.
    ///
    /// # Panics
    /// Panics if the action is out of range.
    pub fn ev(&self, action: usize) -> Ratio {
        Ratio::new(self.rewards[action].into(), self.hidden.into())
    }

    /// Returns the action with the highest EV. Ties go to the first action.
    pub fn best(&self) -> usize {
        (0..self.rewards.len()).rev().max_by_key(|&action| self.rewards[action]).unwrap_or_default()
    }
}
