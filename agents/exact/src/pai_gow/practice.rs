//! Pai Gow Poker hands that the casinos' house ways get wrong.

use super::exact_game::ExactGame;
use super::hand::{HandCounts, HandEvaluator};
use super::hand_answer::hand_decision;
use super::known::KnownCards;
use super::random::RANDOM;
use super::tabulated::Tabulated;
use crate::solver::{Control, DeadCards, Decision, Exercise, Practice, SolverError};
use houseway_env::pai_gow::house_way::{CASINOS, HouseWay, Shape, Way};
use houseway_env::pai_gow::{Dealt, Hand, Strategy};
use rand_pcg::Pcg64;

/// The number of random hands to draw at a time.
const BATCH: usize = 96;

impl ExactGame {
    /// Returns the banker's strategy, which must be a house way, because other strategies take seconds for a hand.
    fn practice_banker(&self, control: &Control<'_>) -> Result<Tabulated, SolverError> {
        match self.way_and_banker(control)?.1 {
            Some(banker) if banker.profiles().is_some() => Ok(banker),
            Some(_) => Err(SolverError::invalid(
                "invalid banker: exercises need a house way, not a strategy table or an agent",
            )),
            None => Err(SolverError::Invalid(format!("invalid banker '{RANDOM}': exercises need a house way"))),
        }
    }
}

impl Practice for ExactGame {
    fn exercises(&self, rng: &mut Pcg64, control: &Control<'_>) -> Result<Vec<Exercise>, SolverError> {
        let compile = |(name, _): &(&str, &str)| HouseWay::shared(Way::named(name)?, &self.game);
        let ways = CASINOS.iter().map(compile).collect::<Result<Vec<_>, _>>().map_err(SolverError::invalid)?;
        let banker = self.practice_banker(control)?;
        let Some(table) = banker.profiles() else { return Ok(vec![]) };
        let hands: Vec<Hand> = (0..BATCH).map(|_| Dealt::random(rng).hand()).collect();
        let counts = HandEvaluator::new(&self.game, table).count_many(&hands);
        let exercise = |(&hand, counts): (&Hand, &HandCounts)| {
            let regrets = ways.iter().map(|way| counts.regret(way.set(hand)).map_or(0.0, |regret| regret.value()));
            let regret = regrets.sum::<f64>() / ways.len() as f64;
            Exercise { position: hand.to_string(), group: Shape::from_hand(hand).name().to_owned(), regret }
        };
        Ok(hands.iter().zip(&counts).map(exercise).collect())
    }

    fn decide(&self, position: &str, control: &Control<'_>) -> Result<Decision, SolverError> {
        let hand: Hand = position.parse().map_err(SolverError::invalid)?;
        let (way, _) = self.way_and_banker(control)?;
        let banker = self.practice_banker(control)?;
        Ok(hand_decision(&self.game, KnownCards::new(hand, DeadCards::default())?, &way, Some(&banker)))
    }
}
