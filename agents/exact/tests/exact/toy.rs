//! Tests the solver interface on a toy game whose solution has a closed form.
//!
//! The player and the dealer each get one of `n` cards, numbered 1 to n. The player either folds and loses 1, or
//! raises. A raise wins 2 with the higher card and loses 2 otherwise. If the player holds card k, then k - 1 of the
//! dealer's n - 1 possible cards are lower. Raising therefore has an EV of 2 (2k - n - 1) / (n - 1), which exceeds -1
//! if 4k > n + 3.

use houseway_env::gym::{Choices, FnPolicy, Policy, Scores};
use houseway_exact::Ratio;
use houseway_exact::one_decision::{ActionName, Enumerated, OneDecision, Situation};
use houseway_exact::solver::{
    Control, DeadCards, Entrant, EvaluatorConfig, SampleConfig, Scope, Solver, SolverConfig, SolverEntry, SolverError,
    StakeUnit,
};
use ndarray::Array2;
use serde_json::{Value, json};

struct HigherCard {
    cards: i64,
}

impl OneDecision for HigherCard {
    fn unit(&self) -> StakeUnit {
        StakeUnit { name: "ante", percent: false }
    }

    fn actions(&self) -> &'static [ActionName] {
        &[ActionName { name: "fold", third_person: "folds" }, ActionName { name: "raise", third_person: "raises" }]
    }

    fn encoding(&self) -> &'static str {
        "number"
    }

    fn summary(&self) -> String {
        format!("Higher card of {}.", self.cards)
    }

    fn rules(&self) -> (Value, String) {
        (json!({ "cards": self.cards }), format!("{:016x}", self.cards))
    }

    fn situations(&self) -> Vec<Situation> {
        (1..=self.cards).rev().map(|card| self.card(card)).collect()
    }

    fn situation(&self, hand: &str, _: DeadCards) -> Result<Situation, SolverError> {
        let card = hand.parse().ok().filter(|card| (1..=self.cards).contains(card));
        card.map(|card| self.card(card)).ok_or_else(|| SolverError::Invalid(format!("invalid card '{hand}'")))
    }
}

impl HigherCard {
    /// Returns the situation for one card by dealing every other card to the dealer.
    fn card(&self, card: i64) -> Situation {
        let dealers = (1..=self.cards).filter(|&dealer| dealer != card);
        Situation {
            example: card.to_string(),
            group: if 2 * card > self.cards { "upper half" } else { "lower half" }.to_owned(),
            hands: 1,
            hidden: self.cards as u64 - 1,
            observation: vec![card as f32],
            rewards: vec![1 - self.cards, dealers.map(|dealer| 2 * (card - dealer).signum()).sum()],
        }
    }
}

const TOY: SolverEntry = SolverEntry {
    game: "higher-card",
    about: "every card against every card of the dealer",
    unit: StakeUnit { name: "ante", percent: false },
    options: &[],
    hands: Some("a number"),
    sample: None,
    side_bet: None,
    main_bet: None,
    ways: None,
    make: |config| {
        let cards = config.rules.get("cards").and_then(Value::as_i64).unwrap_or(13);
        Ok(Box::new(Enumerated::new(HigherCard { cards })))
    },
};

fn solver(cards: i64) -> Box<dyn Solver> {
    let rules = json!({ "cards": cards }).as_object().unwrap().clone();
    TOY.solver(&SolverConfig { rules, ..SolverConfig::default() }).unwrap()
}

/// Returns a policy that raises with all cards from a threshold upwards, judging by the observation.
fn raise_from(threshold: f32) -> impl Policy {
    FnPolicy::new("threshold", "number", move |observations, masks| {
        assert_eq!(masks.len(), 2 * observations.len());
        observations.iter().map(|&card| usize::from(card >= threshold)).collect::<Vec<usize>>()
    })
}

/// Returns the EV of raising with `first` and all higher cards. The sum of 2 (2k - n - 1) over k from `first` to n is 2
/// (first - 1) (n + 1 - first).
fn threshold_ev(n: i64, first: i64) -> Ratio {
    let folded = first - 1;
    Ratio::new((2 * folded * (n - folded) - folded * (n - 1)).into(), (n * (n - 1)).into())
}

#[test]
fn the_optimum_is_the_closed_form() {
    for n in 2..=60 {
        // This is the lowest card with 4k > n + 3.
        let first = (n + 3) / 4 + 1;
        let answer = solver(n).solve(&Control::default()).unwrap();
        assert_eq!(answer.json["ev"], threshold_ev(n, first).to_json(), "{n} cards");
        assert!((1..=n + 1).all(|other| threshold_ev(n, other) <= threshold_ev(n, first)), "{n} cards");
        let raises = answer.json["probabilities"]["raise"].as_f64().unwrap();
        assert_eq!(raises, Ratio::new((n + 1 - first).into(), n.into()).value());
        assert_eq!(answer.json["deals"], (n * (n - 1)).to_string());
        // Always raising is a fair game, and always folding loses 1.
        assert_eq!(
            answer.json["always"],
            json!({ "fold": Ratio::new(-1, 1).to_json(), "raise": Ratio::ZERO.to_json() })
        );
    }
}

#[test]
fn positions_have_the_value_of_the_closed_form() {
    let solver = solver(13);
    for card in 1..=13 {
        let answer = solver.value(&card.to_string(), &Control::default()).unwrap();
        let raise = Ratio::new((2 * (2 * card - 14)).into(), 12).value();
        assert_eq!(answer.json["actions"], json!({ "fold": -1.0, "raise": raise }));
        assert_eq!(answer.json["best"], if 4 * card > 16 { "raise" } else { "fold" }, "{card}");
    }
    for bad in ["0", "14", "ace"] {
        assert!(solver.value(bad, &Control::default()).unwrap_err().to_string().contains(bad));
    }
}

#[test]
fn policies_are_evaluated_exactly_beside_the_baselines() {
    let solver = solver(13);
    let evaluator = solver.evaluator(&EvaluatorConfig::default(), &Control::default()).unwrap();
    let optimum = threshold_ev(13, 5);
    for first in 1..=14 {
        let measured = evaluator.measure(&raise_from(first as f32)).unwrap();
        let ev = threshold_ev(13, first);
        // Card 4 has the same EV either way.
        let other = if first < 4 { 4 - first } else { (first - 5).max(0) };
        let expected =
            [("regret", (optimum - ev).value()), ("ev", ev.value()), ("agreement", (13 - other) as f64 / 13.0)];
        assert_eq!(measured, expected, "from {first}");
    }
    let policy = raise_from(7.0);
    let entrant = Entrant { policy: &policy, in_detail: true };
    let evaluation = evaluator.evaluate(&[entrant], Scope::Whole, &Control::default()).unwrap();
    let scores: Vec<_> = evaluation.scores.iter().map(|score| (score.name.as_str(), score.ev)).collect();
    let own = threshold_ev(13, 7).value();
    let expected = [("random", -0.5), ("always fold", -1.0), ("always raise", 0.0), ("threshold", own)];
    assert_eq!(scores[..4], expected);
    assert_eq!(scores[4], ("optimum", optimum.value()));
    assert_eq!(evaluation.scores[3].details["plays"], "raises 53.85%");
    assert_eq!(evaluation.comparison.rows.len(), 5);
    assert!(evaluation.sections.iter().all(|section| section.heading.as_deref() != Some("Greedy and stochastic play")));
    // A stochastic policy that raises one time in four, no matter which card it has.
    let sometimes = FnPolicy::new("sometimes", "number", |cards, _| Choices {
        actions: vec![0; cards.len()],
        scores: Scores::Probabilities([0.75, 0.25].repeat(cards.len())),
    });
    let entrant = Entrant { policy: &sometimes, in_detail: true };
    let evaluation = evaluator.evaluate(&[entrant], Scope::Whole, &Control::default()).unwrap();
    let score = &evaluation.scores[3];
    assert_eq!(score.ev, -1.0);
    assert_eq!(score.details["stochastic"]["ev"], -0.75);
    let regret = score.details["stochastic"]["regret"].as_f64().unwrap();
    assert!((regret - optimum.value() - 0.75).abs() < 1e-15, "{regret}");
    assert_eq!(evaluation.sections[0].heading.as_deref(), Some("Greedy and stochastic play"));
}

#[test]
fn samples_and_other_encodings_are_refused() {
    let other = FnPolicy::new("other", "letters", |_, _| Vec::new());
    let solver = solver(5);
    let evaluator = solver.evaluator(&EvaluatorConfig::default(), &Control::default()).unwrap();
    let error = evaluator.measure(&other).unwrap_err().to_string();
    assert!(error.contains("'letters'") && error.contains("number"), "{error}");
    assert!(evaluator.evaluate(&[], Scope::Sample, &Control::default()).is_err());
    let sample = Some(SampleConfig { size: 100, seed: 1 });
    assert!(solver.evaluator(&EvaluatorConfig { sample, ..EvaluatorConfig::default() }, &Control::default()).is_err());
}

#[test]
fn labels_have_the_closed_form() {
    let (solver, control) = (solver(9), Control::default());
    assert!(solver.has_exact_values());
    let values = solver.evaluator(&EvaluatorConfig::default(), &control).unwrap().exact_values(&control).unwrap();
    assert_eq!((values.decisions(), values.encoding()), (9, "number"));
    for decision in 0..9 {
        let (mut observation, mut mask, mut evs) = ([0.0], [false; 2], [0.0; 2]);
        values.write(decision, &mut observation, &mut mask, &mut evs).unwrap();
        let raise = (2.0 * observation[0] - 10.0) / 4.0;
        assert_eq!((values.hands(decision), mask, evs), (1, [true; 2], [-1.0, raise]));
        assert!(values.write(decision, &mut [0.0; 2], &mut mask, &mut evs).is_err());
        assert!(values.write(decision, &mut observation, &mut mask, &mut [0.0; 3]).is_err());
    }
    let (mut observations, mut masks) = (Array2::zeros((9, 1)), Array2::from_elem((9, 2), false));
    let mut evs = Array2::zeros((9, 2));
    values.write_rows(0, observations.view_mut(), masks.view_mut(), evs.view_mut()).unwrap();
    assert!(masks.iter().all(|&legal| legal));
    for (observation, evs) in observations.rows().into_iter().zip(evs.rows()) {
        assert_eq!([evs[0], evs[1]], [-1.0, (2.0 * observation[0] - 10.0) / 4.0]);
    }
    assert!(values.write_rows(0, Array2::zeros((9, 2)).view_mut(), masks.view_mut(), evs.view_mut()).is_err());
    assert!(values.write_rows(0, Array2::zeros((8, 1)).view_mut(), masks.view_mut(), evs.view_mut()).is_err());
    assert!(values.write_rows(1, observations.view_mut(), masks.view_mut(), evs.view_mut()).is_err());
}
