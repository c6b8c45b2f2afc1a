//! The solver for Pai Gow Poker.

use super::bank_decision::{Bet, bank_decision, way_of};
use super::evaluation::{PaiGowEvaluator, SAMPLE};
use super::exact_game::ExactGame;
use super::hand_answer::{hand_answer, hand_decision};
use super::known::KnownCards;
use super::matchup::{Pair, SideStrategy};
use super::whole::Run;
use crate::answer::Answer;
use crate::solver::{
    Control, DeadCards, Decision, Evaluator, EvaluatorConfig, OptionKind, OptionSpec, Practice, Solver, SolverEntry,
    SolverError, StakeUnit, text_of,
};
use houseway_env::cards::CardSet;
use houseway_env::pai_gow::{Hand, Setting};
use serde_json::Value;

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "pai-gow-poker",
    about: "all 8,250,459,031,214,400 deals for a pair of strategies",
    unit: StakeUnit { name: "stake", percent: true },
    options: &[
        OptionSpec {
            name: "way",
            kind: OptionKind::Text("WAY"),
            help: "the strategy to compare with: a house way by name or file, a strategy table, a mixed strategy or a \
                   trained agent [default: trump-plaza]",
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
        DeadCards::OPTION,
        OptionSpec {
            name: "player",
            kind: OptionKind::Text("S"),
            help: "the player's strategy: a house way by name or file, a strategy table, a mixed strategy, a trained agent, \
                   'optimal' or 'random' [default: trump-plaza]",
            in_solve: true,
            in_value: false,
        },
        OptionSpec {
            name: "banker",
            kind: OptionKind::Text("S"),
            help: "the banker's strategy: a house way by name or file, a strategy table, a mixed strategy, a trained agent or \
                   'random', and for \
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

/// Returns the setting that puts these cards of a hand in front.
///
/// # Errors
/// Returns an error if these aren't two cards of the hand.
pub fn setting_with_front(hand: Hand, front: &str) -> Result<Setting, SolverError> {
    let cards: CardSet = front.parse().map_err(SolverError::invalid)?;
    Setting::with_front(hand, cards)
        .ok_or_else(|| SolverError::Invalid(format!("invalid front \"{front}\": expected two cards from {hand}")))
}

/// Returns the cards outside the hand that the player knows in a view. Most games have none.
fn known_cards(view: &Value) -> Result<DeadCards, SolverError> {
    let cards: CardSet = view["known_cards"].as_str().unwrap_or_default().parse().map_err(SolverError::invalid)?;
    Ok(cards.into())
}

impl ExactGame {
    /// Reads a player's bet from a table's view.
    fn bet(&self, player: &Value) -> Result<Bet, SolverError> {
        let bet = player["bet"].as_u64().filter(|&bet| bet > 0);
        let bet = bet.ok_or_else(|| SolverError::invalid("invalid view: it has a player without a bet"))?;
        let way = self.load(&[text_of(player, "way")?])?.pop();
        let way = way.ok_or_else(|| SolverError::invalid("invalid view: it has a player without a way"))?;
        Ok((way_of(&way)?, bet))
    }

    /// Returns the EV of the side bet in a view, in chips. Views of games without a side bet have no stake for it.
    fn side_ev(&self, view: &Value) -> f64 {
        let stake = view["side_stake"].as_f64().filter(|&stake| stake > 0.0);
        stake.map_or(0.0, |stake| stake * self.side_bet_ev().value())
    }
}

impl Solver for ExactGame {
    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        let names = ["player", "banker"].map(|side| self.strategy(side));
        let run = |progress| Run { progress: Some(progress), cancel: control.cancel, ..Run::default() };
        let progress = control.stage("setting all hands", "hands");
        let sides = SideStrategy::load(names, &self.config.assignments, &self.game, &run(&progress))?;
        let pair = Pair::new(sides, &self.game, self.bank()?)?;
        let totals = pair.totals(&run(&control.stage("enumerating", "hands")))?;
        Ok(Answer::new(totals.json(), [totals.section()]))
    }

    fn value(&self, hand: &str, control: &Control<'_>) -> Result<Answer, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        let known = KnownCards::new(hand, DeadCards::from_config(&self.config)?)?;
        let front = self.config.get("front").map(|front| setting_with_front(hand, front)).transpose()?;
        let (way, banker) = self.way_and_banker(control)?;
        Ok(hand_answer(&self.game, known, &way, banker.as_ref(), front))
    }

    /// For a table with several seats, the view also contains the `banker`'s house way. If the hand belongs to the
    /// bank, it contains the opposing `players` instead, each with a `way` and a `bet`.
    fn decision(&self, view: &Value, control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let hand: Hand = text_of(view, "hand")?.parse().map_err(SolverError::invalid)?;
        let (way, banker) = self.way_and_banker(control)?;
        if let Some(players) = view["players"].as_array() {
            let bets = players.iter().map(|player| self.bet(player)).collect::<Result<Vec<Bet>, SolverError>>()?;
            let decision = bank_decision(&self.game, hand, &way, &bets);
            return Ok(Some(Decision { side_ev: self.side_ev(view), ..decision }));
        }
        let banker = match view["banker"].as_str() {
            Some(name) => self.prepare(&self.load(&[name])?, control)?.pop(),
            None => banker,
        };
        let known = KnownCards::new(hand, known_cards(view)?)?;
        let decision = hand_decision(&self.game, known, &way, banker.as_ref());
        Ok(Some(Decision { side_ev: self.side_ev(view), ..decision }))
    }

    fn practice(&self) -> Option<&dyn Practice> {
        Some(self)
    }

    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        Ok(Box::new(PaiGowEvaluator::new(self, config, control)?))
    }

    fn has_exact_values(&self) -> bool {
        true
    }

    fn has_exploitability(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::registry::find;
    use crate::solver::{Control, SolverConfig, SolverError};
    use serde_json::Value;

    fn value(dead: &str) -> Result<Value, SolverError> {
        let solver = find("pai-gow-poker")?.solver(&SolverConfig::default().option("dead", dead))?;
        solver.value("As Kd Jk 7c 7d 2h 3s", &Control::default()).map(|answer| answer.json)
    }

    #[test]
    fn answers_name_dead_cards_only_if_there_are_any() {
        let solver = find("pai-gow-poker").unwrap().solver(&SolverConfig::default()).unwrap();
        let plain = solver.value("As Kd Jk 7c 7d 2h 3s", &Control::default()).unwrap().json;
        assert_eq!(value("").unwrap(), plain);
        assert!(plain.get("dead").is_none() && plain.get("banker_hands").is_none());
        let beside = value("3c Qh").unwrap();
        assert_eq!((&beside["dead"], &beside["banker_hands"]), (&Value::from("Qh 3c"), &Value::from("38320568")));
        assert_ne!(beside["settings"], plain["settings"]);
        let keys = |json: &Value| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let mut known = keys(&beside);
        known.retain(|key| key != "dead" && key != "banker_hands");
        assert_eq!(known, keys(&plain));
    }
}
