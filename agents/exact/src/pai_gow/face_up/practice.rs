//! Face Up Pai Gow hands that the dealer's house way gets wrong.

use super::exact_game::ExactGame;
use crate::solver::{Control, Decision, Exercise, Practice, Solver, SolverError};
use houseway_env::cards::{CardSet, Pack};
use houseway_env::pai_gow::Dealt;
use rand_pcg::Pcg64;
use serde_json::json;

/// The number of random deals to draw at a time.
const BATCH: usize = 96;
/// The text between the player's and the dealer's cards.
const DEALER: &str = ", dealer ";

impl ExactGame {
    fn shown(&self, hand: &str, dealer: &str, control: &Control<'_>) -> Result<Decision, SolverError> {
        let decision = self.decision(&json!({ "hand": hand, "dealer": { "hand": dealer } }), control)?;
        decision.ok_or_else(|| SolverError::failed("there are no exact values for this position"))
    }
}

impl Practice for ExactGame {
    fn exercises(&self, rng: &mut Pcg64, control: &Control<'_>) -> Result<Vec<Exercise>, SolverError> {
        let exercise = |_| {
            let mut pack = Pack::new(CardSet::DECK_53.len());
            let mut hand = || Dealt::draw(&mut pack, rng).expect("a full pack has two hands").hand().to_string();
            let (hand, dealer) = (hand(), hand());
            let decision = self.shown(&hand, &dealer, control)?;
            let regret = decision.house.as_ref().and_then(|house| decision.regret(house.action));
            let (position, regret) = (format!("{hand}{DEALER}{dealer}"), regret.unwrap_or(0.0));
            Ok(Exercise { position, group: decision.group, regret })
        };
        (0..BATCH).map(exercise).collect()
    }

    fn decide(&self, position: &str, control: &Control<'_>) -> Result<Decision, SolverError> {
        let (hand, dealer) = position.split_once(DEALER).ok_or_else(|| {
            SolverError::Invalid(format!("invalid position '{position}': expected a hand{DEALER}and the dealer's hand"))
        })?;
        let (own, other) = (hand.parse().map_err(SolverError::invalid)?, dealer.parse().map_err(SolverError::invalid)?);
        self.check_dealer(own, other)?;
        self.shown(hand, dealer, control)
    }
}
