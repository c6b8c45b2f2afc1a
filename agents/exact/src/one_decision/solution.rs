//! Strategy results, summed over all situations in a game.

use super::{OneDecision, Situation};
use crate::Ratio;
use crate::solver::{DeadCards, SolverConfig, SolverError};
use houseway_env::gym::PROBABILITY_UNIT;
use std::sync::OnceLock;

/// A solver for a game with a single decision. The situations are enumerated on first use.
pub struct Enumerated<G> {
    game: G,
    dead: DeadCards,
    situations: OnceLock<Vec<Situation>>,
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
        Enumerated { game, dead: DeadCards::default(), situations: OnceLock::new() }
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

    /// Returns the EV per round of a stochastic strategy. For each situation, `weights` contains the probabilities of all
    /// actions, in units of 1 / [`PROBABILITY_UNIT`].
    pub fn stochastic_ev(&self, weights: &[Vec<u32>]) -> Ratio {
        let reward = |(situation, weights): (&Situation, &Vec<u32>)| {
            let rewards = situation.rewards.iter().zip(weights);
            let mean: i128 = rewards.map(|(&reward, &weight)| i128::from(reward) * i128::from(weight)).sum();
            i128::from(situation.hands) * mean
        };
        let rewards: i128 = self.situations().iter().zip(weights).map(reward).sum();
        Ratio::new(rewards, i128::from(self.deals()) * i128::from(PROBABILITY_UNIT))
    }

    /// Returns a strategy's results, restricted to some of the situations.
    pub(super) fn total_of<'a>(
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
