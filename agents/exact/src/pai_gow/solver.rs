//! Pai Gow Poker behind the interface of all solvers.

use super::evaluation::{PaiGowEvaluator, SAMPLE};
use super::exact_game::ExactGame;
use super::hand_answer::hand_answer;
use super::matchup::{OPTIMAL, Pair, PairTotals, Question};
use super::whole::Run;
use crate::answer::Answer;
use crate::solver::{
    Control, Evaluator, EvaluatorConfig, OptionKind, OptionSpec, Solver, SolverEntry, SolverError, StakeUnit,
};
use houseway_env::pai_gow::Hand;

/// Entry of the solver.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "pai-gow-poker",
    about: "all 8,250,459,031,214,400 deals for a pair of strategies",
    unit: StakeUnit { name: "stake", percent: true },
    options: &[
        OptionSpec {
            name: "way",
            kind: OptionKind::Text("WAY"),
            help: "the house way to compare with, by name or file [default: trump-plaza]",
            in_solve: false,
            in_value: true,
        },
        OptionSpec {
            name: "player",
            kind: OptionKind::Text("S"),
            help: "strategy of the player: a house way by name or file, or 'optimal' [default: trump-plaza]",
            in_solve: true,
            in_value: false,
        },
        OptionSpec {
            name: "banker",
            kind: OptionKind::Text("S"),
            help: "strategy of the banker: a house way by name or file; to solve also 'optimal' [default: trump-plaza]",
            in_solve: true,
            in_value: true,
        },
        OptionSpec {
            name: "bank",
            kind: OptionKind::Choice(&["house", "player"]),
            help: "the party that banks; a player pays the commission on every bet that the bank wins \
                   [default: house]",
            in_solve: true,
            in_value: false,
        },
    ],
    hands: Some("seven cards: all 21 settings, each over all 53,524,680 hands of the banker"),
    sample: Some(SAMPLE),
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

impl Solver for ExactGame {
    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        let sides = ["player", "banker"].map(|side| self.strategy(side));
        let names: Vec<&str> = sides.into_iter().filter(|&name| name != OPTIMAL).collect();
        let ways = self.compile(&names)?;
        let pair = match (sides.map(|name| name == OPTIMAL), &ways[..]) {
            ([false, false], [player, banker]) => Pair::ways(player, banker),
            ([true, false], [banker]) => Pair::OptimalPlayer { banker: banker.into() },
            ([false, true], [player]) => Pair::OptimalBanker { player: player.into() },
            _ => return Err(SolverError::invalid("both sides are optimal: name the strategy of one of the two")),
        };
        let bank = self.bank()?;
        let pass = pair.pass(&self.game, bank).map_err(SolverError::invalid)?;
        let progress = control.stage("enumerating", "hands");
        let run = Run { progress: Some(&progress), cancel: control.cancel, ..Run::default() };
        let counts = pass.count(&run, &[])?;
        let totals = PairTotals { question: Question::new(pair, &self.game, bank), part: None, counts };
        Ok(Answer { json: totals.json(), sections: vec![totals.section()] })
    }

    fn value(&self, hand: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        let [way, banker] = self.ways(["way", "banker"])?;
        Ok(hand_answer(&self.game, hand, &way, &banker))
    }

    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        Ok(Box::new(PaiGowEvaluator::new(self, config, control)?))
    }
}
