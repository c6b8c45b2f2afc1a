//! The Asian Stud solver.

use super::evaluator::AsianStudEvaluator;
use super::exact_game::ExactGame;
use super::frames::FRAMES;
use crate::answer::{Answer, Frame, Section, TextTable};
use crate::format::{grouped, percent};
use crate::solver::{
    Control, DeadCards, Decision, Evaluator, EvaluatorConfig, FrameSpec, Inputs, OptionKind, OptionSpec, Practice,
    Solver, SolverEntry, SolverError, StakeUnit, number_of, text_of,
};
use houseway_env::asian_stud::{FOLD, Hand, RAISE, SideBetOnFold, UNIT, Value as HandValue};
use houseway_env::rules::RuleSet;
use serde_json::{Value, json};

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "asian-stud",
    about: "the EV of raising with every hand, and the optimal strategy",
    unit: StakeUnit { name: "ante", percent: false },
    options: &[
        OptionSpec {
            name: "paytable",
            kind: OptionKind::Text("NAME"),
            help: "the side bet's paytable, by name or file",
            in_solve: true,
            in_value: false,
        },
        DeadCards::OPTION,
    ],
    hands: Some("five cards: folding and raising"),
    sample: None,
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

impl Solver for ExactGame {
    fn solve(&self, _: &Control<'_>) -> Result<Answer, SolverError> {
        Ok(self.answer())
    }

    fn value(&self, hand: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        let solution = self.solution();
        let class = &self.class_beside_dead(hand)?;
        let best = if solution.raises(class) { "raise" } else { "fold" };
        let raise_ev = solution.raise_ev(class).value();
        let dealers: serde_json::Map<String, Value> =
            HandValue::all().zip(&class.dealers).map(|(value, n)| (value.name(), json!(n.to_string()))).collect();
        let mut json = json!({
            "hand": hand.to_string(),
            "board": null,
            "stage": "deal",
            "value": class.value.name(),
            "actions": { "raise": raise_ev, "fold": -1.0 },
            "best": best,
            "dealer_hands": dealers,
            "rules_hash": self.rules.hash(),
        });
        self.dead.name_in(&mut json);
        let all = class.dealer_hands();
        let mut table = TextTable::new(["dealer", "hands", "probability", "result of raising"]).right_from(1);
        for (value, &hands) in HandValue::all().zip(&class.dealers) {
            let net = solution.game().raised(class.value, value) as f64 / UNIT as f64;
            let probability = percent(hands as f64 / all as f64, 3);
            table = table.row([value.to_string().as_str(), &grouped(hands), &probability, &format!("{net:+}")]);
        }
        let section = Section::default()
            .text(format!(
                "{hand} ({}){}, against {} hands of the dealer",
                class.value,
                self.dead.in_words(),
                grouped(all)
            ))
            .table(table)
            .lines(format!("raise  {raise_ev:+.6} antes\nfold   -1 ante\nbest   {best}\nrules  {}", self.rules.hash()));
        Ok(Answer::new(json, [section]))
    }

    /// Returns `None` if a fold would lose the side bet, which affects the decision.
    fn decision(&self, view: &Value, _: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let side_stake = number_of(view, "side_stake")?;
        if self.rules.side_bet_on_fold == SideBetOnFold::Lost && side_stake > 0.0 {
            return Ok(None);
        }
        let side_ev = if side_stake > 0.0 { side_stake * self.side_bet_ev().value() } else { 0.0 };
        let hand: Hand = text_of(view, "hand")?.parse().map_err(SolverError::invalid)?;
        let class = self.class(hand)?;
        let mut evs = vec![None; 2];
        evs[FOLD] = Some(-1.0);
        evs[RAISE] = Some(self.solution().raise_ev(class).value());
        Ok(Some(Decision { evs, house: None, group: class.value.to_string(), side_ev }))
    }

    fn practice(&self) -> Option<&dyn Practice> {
        Some(self)
    }

    fn evaluator(&self, config: &EvaluatorConfig, _: &Control<'_>) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        config.check_no_sample()?;
        Ok(Box::new(AsianStudEvaluator { exact: self, unit: SOLVER.unit }))
    }

    fn has_exact_values(&self) -> bool {
        true
    }

    fn frames(&self) -> &'static [FrameSpec] {
        FRAMES
    }

    fn frame(&self, name: &str, inputs: &Inputs, _: &Control<'_>) -> Result<Frame, SolverError> {
        self.compute_frame(name, inputs)
    }
}
