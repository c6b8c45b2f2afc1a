//! The Joker Seven solver.

use super::JointWins;
use super::evaluator::JokerSevenEvaluator;
use super::exact_game::ExactGame;
use super::frames::FRAMES;
use crate::answer::{Answer, Frame};
use crate::solver::{
    Control, Decision, Evaluator, EvaluatorConfig, FrameSpec, Inputs, OptionKind, OptionSpec, Solver, SolverEntry,
    SolverError, StakeUnit, number_of,
};
use houseway_env::joker_seven::Wager;
use serde_json::Value;

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "joker-seven",
    about: "every wager over all 177,100,560 hands",
    unit: StakeUnit { name: "chip", percent: false },
    options: &[
        OptionSpec {
            name: "paytable",
            kind: OptionKind::Text("NAME"),
            help: "the paytable for the wagers, by name or file",
            in_solve: true,
            in_value: false,
        },
        OptionSpec {
            name: "enumerate",
            kind: OptionKind::Flag,
            help: "also apply the rules to every hand and compare the results",
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
            return Err(SolverError::failed("closed form and enumeration disagree; this is a bug, please report it"));
        }
        Ok(self.answer())
    }

    fn value(&self, _: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        Err(SolverError::invalid("Joker Seven wagers are placed before any card is seen; solve the full game instead"))
    }

    /// Returns EVs that assume all remaining chips are kept, which is optimal if no wager has a positive EV. Otherwise,
    /// returns `None`.
    fn decision(&self, view: &Value, _: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let stakes: Vec<u32> = serde_json::from_value(view["stakes"].clone()).map_err(SolverError::invalid)?;
        let (left, rules) = (number_of(view, "left")?, self.game.rules());
        let evs: Vec<Option<f64>> =
            Wager::all().map(|wager| self.game.odds(wager).map(|_| self.outcomes.ev(wager).value())).collect();
        if stakes.len() != evs.len() || evs.iter().flatten().any(|&ev| ev > 0.0) {
            return Ok(None);
        }
        let placed: f64 = stakes.iter().zip(&evs).map(|(&chips, ev)| f64::from(chips) * ev.unwrap_or(0.0)).sum();
        let after = |(ev, &staked): (&Option<f64>, &u32)| {
            let chips = if staked == 0 { rules.minimum } else { 1 };
            let takes = f64::from(chips) <= left && staked + chips <= rules.maximum;
            ev.filter(|_| takes).map(|ev| placed + f64::from(chips) * ev)
        };
        let mut after: Vec<Option<f64>> = evs.iter().zip(&stakes).map(after).collect();
        after.push(stakes.iter().any(|&chips| chips > 0).then_some(placed));
        Ok(Some(Decision { evs: after, house: None, group: "wagers".to_owned(), side_ev: 0.0 }))
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
