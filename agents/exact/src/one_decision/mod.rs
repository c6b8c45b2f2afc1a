//! An exact solver for games with a single decision.
//!
//! In such a game, the agent sees its hand, picks one action from a fixed list in which every action is always legal,
//! and receives a reward that depends on hidden cards. To use the solver, implement [`OneDecision`] by listing the
//! game's hands and the reward of each action, summed over the hidden cards. [`Enumerated`] then implements
//! [`Solver`](crate::solver::Solver).
//!
//! Games that answer in more detail implement `Solver` themselves, and evaluate policies with
//! [`Enumerated::evaluator`](crate::solver::Solver::evaluator).

mod answer;

use crate::Ratio;
use crate::answer::Section;
use crate::solver::{DeadCards, Decision, Decisions, SolverConfig, SolverError, StakeUnit};
use std::sync::{Arc, OnceLock};

/// A game with a single decision and its rules.
pub trait OneDecision: Send + Sync + Sized {
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

    /// Returns the strategies that policies are compared with, each with a name and an action for every situation. These
    /// are the constant strategies by default.
    fn baselines(&self, situations: &[Situation]) -> Vec<(String, Vec<usize>)> {
        let actions = self.actions().iter().enumerate();
        actions.map(|(i, action)| (format!("always {}", action.name), vec![i; situations.len()])).collect()
    }

    /// Returns the summary that precedes an evaluation.
    fn preface(&self, solver: &Enumerated<Self>) -> String {
        solver.summary()
    }

    /// Returns the report sections about the solved game.
    fn sections(&self, solver: &Enumerated<Self>) -> Vec<Section> {
        solver.sections()
    }
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
    /// The number of combinations of hidden cards for each hand, which is the same for all situations without dead
    /// cards. If rewards are in parts of a unit, it is multiplied by the number of parts.
    pub hidden: u64,
    /// The observation of the hand.
    pub observation: Vec<f32>,
    /// The reward of each action, in units or parts of them, summed over the hidden cards.
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

    /// Returns the decision in a round without side bets.
    pub fn decision(&self) -> Decision {
        let evs = (0..self.rewards.len()).map(|action| Some(self.ev(action).value())).collect();
        Decision { evs, house: None, group: self.group.clone(), side_ev: 0.0 }
    }
}

/// A solver for a game with a single decision. The situations are enumerated on first use.
pub struct Enumerated<G> {
    game: G,
    dead: DeadCards,
    situations: OnceLock<Vec<Situation>>,
    decisions: OnceLock<Arc<Decisions>>,
}

/// The results of a strategy over all hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    rewards: i128,
    deals: i128,
    /// The number of hands for which each action is chosen.
    pub hands: Vec<u64>,
}

impl Total {
    /// Returns the EV per round.
    pub fn ev(&self) -> Ratio {
        Ratio::new(self.rewards, self.deals)
    }

    /// Returns the fraction of hands for which an action is chosen.
    pub fn probability(&self, action: usize) -> Ratio {
        Ratio::new(self.hands[action].into(), self.hands.iter().map(|&hands| i128::from(hands)).sum())
    }
}

impl<G: OneDecision> Enumerated<G> {
    /// Creates a solver for a game.
    pub fn new(game: G) -> Enumerated<G> {
        Enumerated { game, dead: DeadCards::default(), situations: OnceLock::new(), decisions: OnceLock::new() }
    }

    /// Returns the solver with the dead cards of a configuration, for games with [`DeadCards::OPTION`].
    ///
    /// # Errors
    /// Returns an error if the option contains an invalid card or a duplicate.
    pub fn with_dead_cards(self, config: &SolverConfig) -> Result<Enumerated<G>, SolverError> {
        Ok(Enumerated { dead: DeadCards::from_config(config)?, ..self })
    }

    /// Returns the dead cards, which only affect the evaluation of single hands.
    pub fn dead_cards(&self) -> DeadCards {
        self.dead
    }

    /// Returns the game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Returns all situations.
    pub fn situations(&self) -> &[Situation] {
        self.situations.get_or_init(|| self.game.situations())
    }

    /// Returns the number of hands.
    pub fn hands(&self) -> u64 {
        self.situations().iter().map(|situation| situation.hands).sum()
    }

    /// Returns the number of deals, where each hand counts once per combination of hidden cards.
    pub fn deals(&self) -> u64 {
        self.situations().iter().map(|situation| situation.hands * situation.hidden).sum()
    }

    /// Returns the results of the optimal strategy.
    pub fn optimal(&self) -> Total {
        self.total(|_, situation| situation.best())
    }

    /// Returns the results of a strategy that chooses an action from a situation and its index.
    pub fn total(&self, action: impl Fn(usize, &Situation) -> usize) -> Total {
        self.total_of(self.situations().iter().enumerate(), action)
    }

    /// Returns the decisions in all situations, which score policies.
    fn decisions(&self) -> &Arc<Decisions> {
        self.decisions.get_or_init(|| {
            let hidden = self.situations().first().map_or(1, |situation| situation.hidden);
            let mut decisions = Decisions::new(self.game.encoding(), self.game.actions().len(), hidden.into());
            for Situation { hands, observation, rewards, .. } in self.situations() {
                decisions.push(*hands, observation, rewards.iter().copied().map(Some));
            }
            Arc::new(decisions)
        })
    }

    /// Returns a strategy's results, restricted to some of the situations.
    fn total_of<'a>(
        &self,
        situations: impl Iterator<Item = (usize, &'a Situation)>,
        action: impl Fn(usize, &Situation) -> usize,
    ) -> Total {
        let mut total = Total { rewards: 0, deals: 0, hands: vec![0; self.game.actions().len()] };
        for (index, situation) in situations {
            let action = action(index, situation);
            total.rewards += i128::from(situation.hands) * i128::from(situation.rewards[action]);
            total.deals += i128::from(situation.hands) * i128::from(situation.hidden);
            total.hands[action] += situation.hands;
        }
        total
    }
}
