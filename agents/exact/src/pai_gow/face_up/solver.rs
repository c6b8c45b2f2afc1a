//! The solver for Face Up Pai Gow Poker.

use super::evaluator::{FaceUpEvaluator, SAMPLE};
use super::exact_game::ExactGame;
use crate::answer::Answer;
use crate::pai_gow::whole::{Pass, Run, Side};
use crate::solver::{
    Control, DeadCards, Decision, Evaluator, EvaluatorConfig, HousePlay, OptionKind, OptionSpec, Practice, Solver,
    SolverEntry, SolverError, StakeUnit, text_of,
};
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Hand, Strategy};
use serde_json::Value;

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "face-up-pai-gow",
    about: "the edge over all 8,250,459,031,214,400 deals if the player sets optimally against the dealer's shown hand",
    unit: StakeUnit { name: "stake", percent: true },
    options: &[
        OptionSpec {
            name: "dealer",
            kind: OptionKind::Text("WAY"),
            help: "the dealer's house way, by name or file [default: trump-plaza]",
            in_solve: true,
            in_value: true,
        },
        OptionSpec {
            name: "dealer-hand",
            kind: OptionKind::Text("CARDS"),
            help: "the dealer's seven cards; if omitted, the EV is averaged over all of the dealer's hands",
            in_solve: false,
            in_value: true,
        },
        DeadCards::OPTION,
    ],
    hands: Some("seven cards: the EV over all dealer hands, or the outcome of every setting with --dealer-hand"),
    sample: Some(SAMPLE),
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

impl Solver for ExactGame {
    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        let progress = control.stage("enumerating", "hands");
        let run = Run { progress: Some(&progress), cancel: control.cancel, ..Run::default() };
        Ok(self.solved(Pass::new(self.game.game(), Side::Player, &self.dealer).open_total(&run)?))
    }

    fn value(&self, hand: &str, _: &Control<'_>) -> Result<Answer, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        match self.dealer_hand {
            None => self.unseen(hand),
            Some(dealer) => Ok(self.seen(hand, self.check_dealer(hand, dealer)?)),
        }
    }

    fn decision(&self, view: &Value, _: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        let hand: Hand = text_of(view, "hand")?.parse().map_err(SolverError::invalid)?;
        let dealer: Hand = text_of(&view["dealer"], "hand")?.parse().map_err(SolverError::invalid)?;
        let outcomes = self.outcomes(hand, self.set_dealer(dealer).1);
        let way = self.game.dealer();
        let rule = way.rule(hand);
        Ok(Some(Decision {
            evs: outcomes.iter().map(|outcome| outcome.map(|outcome| self.game.game().payoff(outcome))).collect(),
            house: Some(HousePlay {
                action: way.set(hand).index(),
                strategy: way.name().to_owned(),
                rule: Some((rule.name.clone(), rule.text.clone())),
            }),
            group: Shape::from_hand(hand).name().to_owned(),
            side_ev: 0.0,
        }))
    }

    fn practice(&self) -> Option<&dyn Practice> {
        Some(self)
    }

    fn evaluator(&self, config: &EvaluatorConfig, _: &Control<'_>) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        Ok(Box::new(FaceUpEvaluator::new(self, SOLVER.unit, config)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::slow;
    use crate::registry::find;
    use crate::solver::{Entrant, SampleConfig, Scope, SolverConfig};
    use houseway_env::gym::Policy;
    use houseway_env::pai_gow::face_up::{FaceUpGame, Rules};
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use houseway_env::pai_gow::{Outcome, Setting};

    const HAND: &str = "As Kd Jk 7c 7d 2h 3s";
    /// All cards except the player's seven and fifteen that the dealer can hold.
    const DEAD: &str = "Ad Ah Ac Kh Ks Kc Qs Qh Qd Qc Js Jh Jd Jc Ts Th 9s 9h 9c 8d 8c 7s 6h 6d 5s 4d 4c 3c 2c 2s 2d";

    fn solver(options: &[(&str, &str)]) -> Box<dyn Solver> {
        let config = options.iter().fold(SolverConfig::default(), |config, (name, text)| config.option(name, text));
        find("face-up-pai-gow").unwrap().solver(&config).unwrap()
    }

    fn value(options: &[(&str, &str)]) -> Result<Value, SolverError> {
        solver(options).value(HAND, &Control::default()).map(|answer| answer.json)
    }

    #[test]
    fn a_hand_is_counted_against_all_hands_of_the_dealer() {
        let json = value(&[("dealer", "foxwoods"), ("dead", DEAD)]).unwrap();
        let game =
            FaceUpGame::new(Rules::default(), |game| HouseWay::shared(Way::named("foxwoods").unwrap(), game)).unwrap();
        let known = crate::pai_gow::KnownCards::new(
            HAND.parse().unwrap(),
            DEAD.parse::<houseway_env::cards::CardSet>().unwrap(),
        );
        let counts = slow::count_open(game.game(), &**game.dealer(), known.unwrap());
        assert_eq!(
            (&json["wins"], &json["losses"]),
            (&counts.wins.to_string().into(), &counts.losses.to_string().into())
        );
        assert_eq!(json["dealer_hands"], "6435");
        assert_eq!(json["ev"], counts.ev(crate::pai_gow::whole::Payoff::EVEN).value());
    }

    #[test]
    fn a_hand_of_the_dealer_decides_every_setting() {
        let json = value(&[("dealer-hand", "Qs Qh 9c 8c 6d 4h 2c")]).unwrap();
        assert_eq!(json["dealer_hand"]["front"], "9c 8c");
        let outcome = |front: &str| {
            let settings = json["settings"].as_array().unwrap();
            settings.iter().find(|setting| setting["front"] == front).unwrap()["outcome"].clone()
        };
        // The dealer has a pair of queens and nine-eight. Aces and sevens win, while sevens and ace-king push.
        assert_eq!((outcome("7d 7c"), outcome("As Kd")), ("win".into(), "push".into()));
        assert_eq!((outcome("3s 2h"), outcome("Jk As")), ("push".into(), Value::Null));
        assert_eq!(json["settings"][json["best"].as_u64().unwrap() as usize]["outcome"], "win");
        let json = value(&[("dealer-hand", "Ah Kc Qh 9c 6d 4h 2c")]).unwrap();
        assert_eq!(json["dealer_hand"]["pushes"], true);
        assert!(
            json["settings"]
                .as_array()
                .unwrap()
                .iter()
                .all(|setting| setting["foul"] == true || setting["outcome"] == "push")
        );
        for (hand, part) in
            [("As Qs Qh 9c 8c 6d 4h", "As is in both hands"), ("Qs Qh", "a hand has 7 cards"), ("Xx", "invalid card")]
        {
            let config = SolverConfig::default().option("dealer-hand", hand);
            let solver = find("face-up-pai-gow").unwrap().solver(&config);
            let error = solver.and_then(|solver| solver.value(HAND, &Control::default())).err().unwrap().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_decision_has_the_outcomes_of_the_deal() {
        let view = serde_json::json!({ "hand": HAND, "dealer": { "hand": "Qs Qh 9c 8c 6d 4h 2c" } });
        let decision = solver(&[]).decision(&view, &Control::default()).unwrap().unwrap();
        let json = value(&[("dealer-hand", "Qs Qh 9c 8c 6d 4h 2c")]).unwrap();
        assert_eq!(decision.best() as u64, json["best"].as_u64().unwrap());
        for (ev, setting) in decision.evs.iter().zip(json["settings"].as_array().unwrap()) {
            let expected = match setting["outcome"].as_str() {
                Some("win") => Some(1.0),
                Some("push") => Some(0.0),
                Some(_) => Some(-1.0),
                None => None,
            };
            assert_eq!(*ev, expected);
        }
    }

    /// A policy that only uses the comparisons to choose the first legal setting that beats the most halves.
    struct MostHalves;

    impl Policy for MostHalves {
        fn name(&self) -> &str {
            "most halves"
        }

        fn encoding(&self) -> &str {
            "comparisons"
        }

        fn choose(&self, observations: &[f32], _: &[bool]) -> Vec<usize> {
            let beaten = |row: &[f32], i: usize| row[3 * i] * (1.0 + row[3 * i + 1] + row[3 * i + 2]);
            let best =
                |row: &[f32]| (0..Setting::COUNT).rev().max_by(|&a, &b| beaten(row, a).total_cmp(&beaten(row, b)));
            observations.chunks(3 * Setting::COUNT + 1).map(|row| best(row).unwrap()).collect()
        }
    }

    #[test]
    fn a_policy_that_sees_the_comparisons_can_be_optimal() {
        let (solver, control) = (solver(&[]), Control::default());
        let sample = Some(SampleConfig { size: 2_000, seed: 3 });
        let evaluator = solver.evaluator(&EvaluatorConfig { sample, ..EvaluatorConfig::default() }, &control).unwrap();
        let entrants = [Entrant { policy: &MostHalves, in_detail: true }];
        let evaluation = evaluator.evaluate(&entrants, Scope::Sample, &control).unwrap();
        let names: Vec<&str> = evaluation.scores.iter().map(|score| score.name.as_str()).collect();
        assert_eq!(names, ["random legal", "trump-plaza", "most halves", "optimum"]);
        let [random, way, own, best] = &evaluation.scores[..] else { panic!("four scores") };
        assert_eq!((own.regret, own.agreement, own.ev), (0.0, 1.0, best.ev));
        assert!(random.regret > way.regret && way.regret > 0.0 && way.regret_ci.unwrap()[0] < way.regret);
        assert_eq!(evaluator.measure(&MostHalves).unwrap()[0], ("regret", 0.0));
        let error = evaluator.evaluate(&entrants, Scope::Whole, &control).unwrap_err().to_string();
        assert!(error.contains("--exact sample"), "{error}");
    }

    #[test]
    #[ignore = "takes 25 s of processor time to evaluate all deals twice"]
    fn the_edge_over_all_deals_is_known() {
        let solve = |options: &[(&str, &str)]| solver(options).solve(&Control::default()).unwrap().json;
        let json = solve(&[]);
        let number = |json: &Value, key: &str| json[key].as_str().unwrap().parse::<u64>().unwrap();
        let counts = |json: &Value| ["wins", "pushes", "losses"].map(|key| number(json, key));
        assert_eq!(counts(&json), [2_046_163_521_143_516, 4_007_818_598_853_932, 2_196_476_911_216_952]);
        assert_eq!(counts(&json).iter().sum::<u64>(), 8_250_459_031_214_400);
        assert_eq!(number(&json, "pushing_hands"), 14_430_780);
        assert!((json["edge"].as_f64().unwrap() - 0.018_218_791_161).abs() < 1e-12, "{}", json["edge"]);
        // The closest dealer among the house ways with their default readings.
        let claridge = counts(&solve(&[("dealer", "claridge")]));
        assert_eq!(claridge, [2_046_245_656_662_680, 4_007_756_724_468_920, 2_196_456_650_082_800]);
    }

    #[test]
    fn outcomes_pay_without_commission() {
        let game =
            FaceUpGame::new(Rules::default(), |game| HouseWay::shared(Way::named("wong").unwrap(), game)).unwrap();
        assert_eq!([Outcome::Win, Outcome::Loss].map(|outcome| game.game().payoff(outcome)), [1.0, -1.0]);
    }
}
