//! An exact solver for games with a single decision.
//!
//! In such a game, the agent sees its hand, picks one action from a fixed list in which every action is always legal,
//! and receives a reward that depends on hidden cards. To use the solver, implement [`OneDecision`] by listing the
//! game's hands and the reward of each action, summed over the hidden cards. [`Enumerated`] then implements
//! [`Solver`](crate::solver::Solver).

mod answer;
mod evaluator;
mod solution;

pub use solution::{Enumerated, Total};

use crate::Ratio;
use crate::solver::{DeadCards, SolverError, StakeUnit};

/// A game with a single decision and its rules.
pub trait OneDecision: Send + Sync {
    /// Returns the unit used for rewards.
    fn unit(&self) -> StakeUnit;

    /// Returns the actions, in the same order as in the environment.
    fn actions(&self) -> &'static [ActionName];

    /// Returns the name of the encoding that [`Situation::observation`] uses.
    fn encoding(&self) -> &'static str;

    /// Describes the game and its rules in one sentence.
    fn summary(&self) -> String;

    /// Returns the rules as JSON and their hash.
    fn rules(&self) -> (serde_json::Value, String);

    /// Returns all hands. Hands that don't differ in any relevant way are grouped into one situation.
    fn situations(&self) -> Vec<Situation>;

    /// Parses a hand and returns its situation. Combinations of hidden cards that include a dead card are left out.
    ///
    /// # Errors
    /// Returns an error if the text isn't a hand in this game, or if a dead card is invalid.
    fn situation(&self, hand: &str, dead: DeadCards) -> Result<Situation, SolverError>;
}

/// The name of an action, such as `raise` and `raises`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionName {
    /// The verb.
    pub name: &'static str,
    /// The third person of the verb.
    pub third_person: &'static str,
}

/// A group of hands that are equivalent for the decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// One of the hands, as an example.
    pub example: String,
    /// The group shown in tables, such as the hand's category. Groups are ordered by their first situation.
    pub group: String,
    /// The number of hands.
    pub hands: u64,
    /// The number of combinations of hidden cards for each hand, which is the same for all situations
    /// without dead cards.
    pub hidden: u64,
    /// The observation of the hand.
    pub observation: Vec<f32>,
    /// The reward of each action, in units, summed over the hidden cards.
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

    /// Returns the action with the highest EV. The first action wins ties.
    pub fn best(&self) -> usize {
        (0..self.rewards.len()).rev().max_by_key(|&action| self.rewards[action]).unwrap_or_default()
    }
}
