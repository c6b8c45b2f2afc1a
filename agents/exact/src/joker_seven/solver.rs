//! Joker Seven behind the interface of all solvers.

use super::Outcomes;
use super::evaluator::JokerSevenEvaluator;
use crate::answer::Answer;
use crate::solver::{
    Control, Evaluator, EvaluatorConfig, OptionSpec, Solver, SolverConfig, SolverEntry, SolverError, StakeUnit,
};
use houseway_env::joker_seven::{Game, Rules};

/// Entry of the solver.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "joker-seven",
    unit: StakeUnit { name: "chip", percent: false },
    options: &[
        OptionSpec {
            name: "paytable",
            value_name: Some("NAME"),
            help: "paytable of the wagers, by name or file",
            in_solve: true,
            in_value: false,
        },
        OptionSpec {
            name: "enumerate",
            value_name: None,
            help: "apply the rules to every single hand as well, and compare",
            in_solve: true,
            in_value: false,
        },
    ],
    hands: None,
    sample: None,
    make: |config| Ok(Box::new(JokerSevenSolver::new(config)?)),
};

/// The solver of the game under its rules.
pub(super) struct JokerSevenSolver {
    pub(super) game: Game,
    pub(super) outcomes: Outcomes,
    /// Whether solving enumerates all hands as well.
    pub(super) enumerate: bool,
}

impl JokerSevenSolver {
    fn new(config: &SolverConfig) -> Result<JokerSevenSolver, SolverError> {
        let rules: Rules = config.rules()?;
        rules.check().map_err(SolverError::invalid)?;
        let game = Game::new(rules, config.paytable("paytable")?);
        let outcomes = Outcomes::by_profiles(&game);
        if outcomes.wagers().next().is_none() {
            return Err(SolverError::invalid("the paytable has no row for a wager of these rules; give it one"));
        }
        Ok(JokerSevenSolver { game, outcomes, enumerate: config.flag("enumerate")? })
    }
}

impl Solver for JokerSevenSolver {
    fn solve(&self, _: &Control<'_>) -> Result<Answer, SolverError> {
        if self.enumerate && self.outcomes != Outcomes::by_enumeration(&self.game) {
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
}
