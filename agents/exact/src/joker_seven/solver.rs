//! Joker Seven behind the interface of all solvers.

use super::JointWins;
use super::evaluator::JokerSevenEvaluator;
use super::exact_game::ExactGame;
use super::frames::FRAMES;
use crate::answer::{Answer, Frame};
use crate::solver::{
    Control, Evaluator, EvaluatorConfig, FrameSpec, Inputs, OptionKind, OptionSpec, Solver, SolverEntry, SolverError,
    StakeUnit,
};

/// Entry of the solver.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "joker-seven",
    about: "every wager over all 177,100,560 hands",
    unit: StakeUnit { name: "chip", percent: false },
    options: &[
        OptionSpec {
            name: "paytable",
            kind: OptionKind::Text("NAME"),
            help: "paytable of the wagers, by name or file",
            in_solve: true,
            in_value: false,
        },
        OptionSpec {
            name: "enumerate",
            kind: OptionKind::Flag,
            help: "apply the rules to every single hand as well, and compare",
            in_solve: true,
            in_value: false,
        },
    ],
    hands: None,
    sample: None,
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

impl Solver for ExactGame {
    fn solve(&self, _: &Control<'_>) -> Result<Answer, SolverError> {
        if self.enumerate && self.outcomes != JointWins::by_enumeration(&self.game) {
            return Err(SolverError::failed(
                "closed form and enumeration differ; one of them is wrong, please report it",
            ));
        }
        Ok(self.answer())
    }

    fn value(&self, _: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        Err(SolverError::invalid("no card is seen before the wagers of Joker Seven are placed: solve the game instead"))
    }

    fn evaluator(&self, config: &EvaluatorConfig, _: &Control<'_>) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        config.check_no_sample()?;
        Ok(Box::new(JokerSevenEvaluator::new(self, config, SOLVER.unit)?))
    }

    fn frames(&self) -> &'static [FrameSpec] {
        FRAMES
    }

    fn frame(&self, name: &str, _: &Inputs, _: &Control<'_>) -> Result<Frame, SolverError> {
        Ok(self.compute_frame(name))
    }
}
