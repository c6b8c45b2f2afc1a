//! Asian Stud hands that common strategies get wrong.

use super::exact_game::ExactGame;
use super::{Class, Solution};
use crate::solver::{Control, Decision, Exercise, HousePlay, Practice, SolverError};
use houseway_env::asian_stud::{FOLD, Hand, RAISE};
use houseway_env::cards::Pack;
use rand_pcg::Pcg64;

/// The number of random hands to draw at a time.
const BATCH: usize = 96;
/// The strategy to compare with, and its rule. The other common strategy is to raise with every hand.
const STRATEGY: (&str, &str) = ("raise with a set", "raise with a set, and fold everything else");

/// Returns the action of the strategy to compare with.
fn usual(class: &Class) -> usize {
    if class.value.index() > 0 { RAISE } else { FOLD }
}

impl ExactGame {
    fn class_decision(&self, class: &Class, solution: &Solution<'_>) -> Decision {
        let mut evs = vec![None; 2];
        evs[FOLD] = Some(-1.0);
        evs[RAISE] = Some(solution.raise_ev(class).value());
        let (strategy, rule) = (STRATEGY.0.to_owned(), Some((STRATEGY.0.to_owned(), STRATEGY.1.to_owned())));
        let house = Some(HousePlay { action: usual(class), strategy, rule });
        Decision { evs, house, group: class.value.to_string(), side_ev: 0.0 }
    }
}

impl Practice for ExactGame {
    fn exercises(&self, rng: &mut Pcg64, _: &Control<'_>) -> Result<Vec<Exercise>, SolverError> {
        let solution = self.solution();
        let exercise = |_| {
            let cards: [_; Hand::CARDS] =
                Pack::new(self.rules.joker.cards()).draw(rng).expect("a full pack has a hand");
            let hand = Hand::new(cards.into_iter().collect()).map_err(SolverError::invalid)?;
            let class = self.class(hand)?;
            let decision = self.class_decision(class, &solution);
            let regret = |action| decision.regret(action).unwrap_or(0.0);
            let regret = (regret(usual(class)) + regret(RAISE)) / 2.0;
            Ok(Exercise { position: hand.to_string(), group: decision.group, regret })
        };
        (0..BATCH).map(exercise).collect()
    }

    fn decide(&self, position: &str, _: &Control<'_>) -> Result<Decision, SolverError> {
        let hand: Hand = position.parse().map_err(SolverError::invalid)?;
        Ok(self.class_decision(self.class(hand)?, &self.solution()))
    }
}
