//! Ultimate Texas Hold'em decisions that the published simple strategy gets wrong.
//!
//! Before the flop, the simple strategy is optimal under the default rules, so only later decisions are drawn.

use super::exact_game::ExactGame;
use super::{Choice, DecisionRule, Position, Simple};
use crate::solver::{Cancelled, Control, Decision, Exercise, HousePlay, Practice, SolverError};
use houseway_env::cards::CardSet;
use houseway_env::ultimate_holdem::{Action, Deal, Hole};
use rand_pcg::Pcg64;
use rayon::prelude::{IntoParallelIterator, ParallelIterator};

/// The number of random deals to draw at a time.
const BATCH: usize = 48;
/// The text between the player's cards and the board.
const BOARD: &str = ", board ";
/// The name of the simple strategy, and its rules for the flop and the river in words.
const STRATEGY: &str = "simple strategy";
const FLOP: &str = "play with two pairs or better, a hidden pair other than pocket deuces, or four to a flush including a \
                    hidden ten or better";
const RIVER: &str = "play with a hidden pair or better, or if fewer than 21 dealer cards beat you";

fn position(hole: Hole, board: CardSet) -> String {
    if board.is_empty() { hole.to_string() } else { format!("{hole}{BOARD}{board}") }
}

impl ExactGame {
    fn choice(&self, hole: Hole, board: CardSet, control: &Control<'_>) -> Result<Choice, SolverError> {
        let position = Position::new(hole, board).map_err(SolverError::invalid)?;
        Ok(position.choice(&self.game, 0, None, control.cancel)?)
    }

    /// Returns the name of the simple strategy's action. Before the flop, it plays the most that the rules allow.
    fn simple(&self, hole: Hole, board: CardSet, choice: &Choice) -> &'static str {
        let simple = Simple::new(&self.game);
        let plays = match board.len() {
            0 => simple.start(hole, &[(1, 0)], 0) > 0,
            3 => simple.flop(hole, &simple.board(board), 0, 0),
            _ => simple.river(hole, &simple.board(board), 0, 0),
        };
        // The actions are ordered by their wager.
        choice.actions[if plays { choice.actions.len() - 1 } else { 0 }].0
    }

    fn practiced(&self, hole: Hole, board: CardSet, choice: &Choice) -> Decision {
        let ev =
            |action: &Action| choice.actions.iter().find(|(name, _)| *name == action.name()).map(|it| it.1.value());
        let simple = self.simple(hole, board, choice);
        let action = Action::ALL.iter().position(|action| action.name() == simple).unwrap_or_default();
        let rule = match board.len() {
            0 => None,
            3 => Some((choice.stage.to_owned(), FLOP.to_owned())),
            _ => Some((choice.stage.to_owned(), RIVER.to_owned())),
        };
        Decision {
            evs: Action::ALL.iter().map(ev).collect(),
            house: Some(HousePlay { action, strategy: STRATEGY.to_owned(), rule }),
            group: format!("{} {}", choice.stage, hole.kind_name()),
            side_ev: 0.0,
        }
    }

    /// Returns the decisions after the flop that the simple strategy comes to in a deal.
    fn decisions_in(&self, deal: &Deal, control: &Control<'_>) -> Result<Vec<Exercise>, SolverError> {
        let (hole, mut exercises) = (deal.hole(), Vec::new());
        if Simple::new(&self.game).start(hole, &[(1, 0)], 0) > 0 {
            return Ok(exercises);
        }
        for board in [deal.board(3), deal.board(5)] {
            let choice = self.choice(hole, board, control)?;
            let simple = self.simple(hole, board, &choice);
            let ev = choice.actions.iter().find(|(name, _)| *name == simple).map_or(choice.best().1, |it| it.1);
            let group = format!("{} {}", choice.stage, hole.kind_name());
            let regret = (choice.best().1 - ev).value();
            exercises.push(Exercise { position: position(hole, board), group, regret });
            if simple != choice.actions[0].0 {
                break;
            }
        }
        Ok(exercises)
    }
}

impl Practice for ExactGame {
    fn exercises(&self, rng: &mut Pcg64, control: &Control<'_>) -> Result<Vec<Exercise>, SolverError> {
        let deals: Vec<Deal> = (0..BATCH).map(|_| Deal::new(rng)).collect();
        let decisions = deals.into_par_iter().map(|deal| match control.is_cancelled() {
            true => Err(Cancelled.into()),
            false => self.decisions_in(&deal, &Control { progress: None, ..*control }),
        });
        Ok(decisions.collect::<Result<Vec<_>, SolverError>>()?.concat())
    }

    fn decide(&self, text: &str, control: &Control<'_>) -> Result<Decision, SolverError> {
        let (hole, board) = text.split_once(BOARD).unwrap_or((text, ""));
        let hole: Hole = hole.parse().map_err(SolverError::invalid)?;
        let board: CardSet = board.parse().map_err(SolverError::invalid)?;
        Ok(self.practiced(hole, board, &self.choice(hole, board, control)?))
    }
}
