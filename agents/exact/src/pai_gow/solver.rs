//! The solver for Pai Gow Poker.

use super::RANDOM;
use super::evaluation::{PaiGowEvaluator, SAMPLE};
use super::exact_game::ExactGame;
use super::hand_answer::{hand_answer, hand_decision};
use super::matchup::{Given, OPTIMAL, Pair, PairTotals, Question, RandomPair};
use super::side::Side;
use super::strategies::ExactStrategy;
use super::whole::Run;
use crate::answer::Answer;
use crate::solver::{
    Control, Decision, Evaluator, EvaluatorConfig, OptionKind, OptionSpec, Solver, SolverEntry, SolverError, StakeUnit,
    text_of,
};
use houseway_env::cards::CardSet;
use houseway_env::pai_gow::{Hand, Setting};
use serde_json::Value;

/// Registry entry of the solver.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "pai-gow-poker",
    about: "all 8,250,459,031,214,400 deals for a pair of strategies",
    unit: StakeUnit { name: "stake", percent: true },
    options: &[
        OptionSpec {
            name: "way",
            kind: OptionKind::Text("WAY"),
            help: "the strategy to compare with: a house way by name or file, a strategy table or a trained agent \
                   [default: trump-plaza]",
            in_solve: false,
            in_value: true,
        },
        OptionSpec {
            name: "front",
            kind: OptionKind::Text("CARDS"),
            help: "explain the setting with these two cards in front, such as \"7c 7d\"",
            in_solve: false,
            in_value: true,
        },
        OptionSpec {
            name: "player",
            kind: OptionKind::Text("S"),
            help: "the player's strategy: a house way by name or file, a strategy table, a trained agent, 'optimal' or \
                   'random' [default: trump-plaza]",
            in_solve: true,
            in_value: false,
        },
        OptionSpec {
            name: "banker",
            kind: OptionKind::Text("S"),
            help: "the banker's strategy: a house way by name or file, a strategy table, a trained agent or 'random', and for \
                   'solve' also 'optimal' [default: trump-plaza]",
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
    hands: Some("seven cards: all 21 settings, each against all 53,524,680 banker hands"),
    sample: Some(SAMPLE),
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

/// Returns the setting of a hand with these cards in front.
fn setting_of(hand: Hand, front: &str) -> Result<Setting, SolverError> {
    let cards: CardSet = front.parse().map_err(SolverError::invalid)?;
    Setting::with_front(hand, cards)
        .ok_or_else(|| SolverError::Invalid(format!("invalid front \"{front}\": write two cards of the hand {hand}")))
}

/// Returns the side whose strategy, given by name, sets at random, or the player if both do.
pub fn random_side([player, banker]: [&str; 2]) -> Option<Side> {
    if player == RANDOM { Some(Side::Player) } else { (banker == RANDOM).then_some(Side::Banker) }
}

/// Returns the error for a pair without a given strategy next to the random one.
pub fn random_needs_a_strategy() -> SolverError {
    SolverError::invalid(
        "'random' is solved against a given strategy: name another strategy for the other side; 'houseway \
         ev HAND --banker random' finds the best setting of one hand",
    )
}

impl Solver for ExactGame {
    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        let sides = ["player", "banker"].map(|side| self.strategy(side));
        let names: Vec<&str> = sides.into_iter().filter(|&name| name != OPTIMAL && name != RANDOM).collect();
        let strategies = self.prepare(&self.load(&names)?, control)?;
        let given: Vec<Given<'_>> = strategies.iter().map(ExactStrategy::given).collect();
        let (bank, progress) = (self.bank()?, control.stage("enumerating", "hands"));
        let run = Run { progress: Some(&progress), cancel: control.cancel, ..Run::default() };
        if let Some(side) = random_side(sides) {
            let [other] = given[..] else { return Err(random_needs_a_strategy()) };
            let pair = RandomPair::new(&self.game, bank, side, other).map_err(SolverError::invalid)?;
            return Ok(pair.answer(&pair.count(&run)?));
        }
        let pair = match (sides.map(|name| name == OPTIMAL), &given[..]) {
            ([false, false], &[player, banker]) => Pair::Given { player, banker },
            ([true, false], &[banker]) => Pair::OptimalPlayer { banker },
            ([false, true], &[player]) => Pair::OptimalBanker { player },
            _ => return Err(SolverError::invalid("both sides are optimal: name the strategy of one of the two")),
        };
        let pass = pair.pass(&self.game, bank).map_err(SolverError::invalid)?;
        let counts = pass.count(&run, &[])?;
        let totals = PairTotals { question: Question::new(pair, &self.game, bank), part: None, counts };
        Ok(Answer { json: totals.json(), sections: vec![totals.section()] })
    }

    fn value(&self, hand: &str, control: &Control<'_>) -> Result<Answer, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        let front = self.config.get("front").map(|front| setting_of(hand, front)).transpose()?;
        let (way, banker) = self.way_and_banker(control)?;
        Ok(hand_answer(&self.game, hand, &way, banker.as_ref().map(ExactStrategy::given), front))
    }

    fn decision(&self, view: &Value, control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let hand: Hand = text_of(view, "hand")?.parse().map_err(SolverError::invalid)?;
        let (way, banker) = self.way_and_banker(control)?;
        Ok(Some(hand_decision(&self.game, hand, &way, banker.as_ref().map(ExactStrategy::given))))
    }

    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        Ok(Box::new(PaiGowEvaluator::new(self, config, control)?))
    }
}
