//! The Ultimate Texas Hold'em solver.

use super::answer::{solution, value};
use super::evaluator::{HoldemEvaluator, SAMPLE};
use super::exact_game::ExactGame;
use super::frames::FRAMES;
use super::position::Position;
use super::trips::trips_ev;
use crate::answer::{Answer, Frame};
use crate::solver::{
    Control, DeadCards, Decision, Evaluator, EvaluatorConfig, FrameSpec, Inputs, OptionKind, OptionSpec, Practice,
    Solver, SolverEntry, SolverError, StakeUnit, number_of, text_of,
};
use houseway_env::ultimate_holdem::{Action, Hole, TripsOnFold};
use serde_json::Value;

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "ultimate-holdem",
    about: "all 27,813,810,024,000 deals, for the optimal strategy or a published simple strategy",
    unit: StakeUnit { name: "ante", percent: true },
    options: &[
        OptionSpec {
            name: "player",
            kind: OptionKind::Text("S"),
            help: "the player's strategy, 'optimal' or 'simple' [default: optimal]",
            in_solve: true,
            in_value: false,
        },
        OptionSpec {
            name: "trips",
            kind: OptionKind::Integer("ANTES", 0, 1000),
            help: "the Trips bet in antes, 0 to 1000; it only matters if folding loses it [default: 0]",
            in_solve: true,
            in_value: true,
        },
        OptionSpec {
            name: "board",
            kind: OptionKind::Text("CARDS"),
            help: "the board with three or five cards; omit it before the flop",
            in_solve: false,
            in_value: true,
        },
        DeadCards::OPTION,
    ],
    hands: Some(
        "two cards: playing and checking or folding, before the flop (takes a second, with dead cards up to ten), on the \
         flop or on the river",
    ),
    sample: Some(SAMPLE),
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

impl Solver for ExactGame {
    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        Ok(solution(self, self.solved(control)?))
    }

    fn value(&self, hand: &str, control: &Control<'_>) -> Result<Answer, SolverError> {
        let hole: Hole = hand.parse().map_err(SolverError::invalid)?;
        let position = Position::new(hole, self.board).map_err(SolverError::invalid)?.with_dead_cards(self.dead)?;
        let progress = control.stage("enumerating", "boards");
        let choice = position.choice(&self.game, self.trips, Some(&progress), control.cancel)?;
        Ok(value(self, &position, &choice))
    }

    /// Returns `None` if a fold would lose the Trips bet, which affects the decision.
    fn decision(&self, view: &Value, control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let trips = number_of(view, "trips")?;
        if self.game.rules().trips_on_fold == TripsOnFold::Lost && trips > 0.0 {
            return Ok(None);
        }
        let hole: Hole = text_of(view, "hand")?.parse().map_err(SolverError::invalid)?;
        let board = text_of(view, "board")?.parse().map_err(SolverError::invalid)?;
        let position = Position::new(hole, board).map_err(SolverError::invalid)?;
        let choice = position.choice(&self.game, 0, None, control.cancel)?;
        let ev =
            |action: &Action| choice.actions.iter().find(|(name, _)| *name == action.name()).map(|(_, ev)| ev.value());
        Ok(Some(Decision {
            evs: Action::ALL.iter().map(ev).collect(),
            house: None,
            group: format!("{} {}", choice.stage, hole.kind_name()),
            side_ev: trips * trips_ev(&self.game).value(),
        }))
    }

    fn practice(&self) -> Option<&dyn Practice> {
        Some(self)
    }

    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        Ok(Box::new(HoldemEvaluator::new(self, config, control)?))
    }

    fn frames(&self) -> &'static [FrameSpec] {
        FRAMES
    }

    fn frame(&self, name: &str, inputs: &Inputs, control: &Control<'_>) -> Result<Frame, SolverError> {
        self.compute_frame(name, inputs, control)
    }
}
