//! Tests that compare the solver with an exact linear program for a game with a toy deck.

mod linear_program;
mod toy;

use super::{Algorithm, HandGame, Method, SIDES, Solver, SolverState, StateError, UNITS};
use crate::Ratio;
use toy::Toy;

/// The number of probability units in a rounded average strategy.
const WHOLE: u16 = 4096;

fn starts(toy: &Toy) -> [&[u32]; 2] {
    SIDES.map(|side| toy.starts(side))
}

/// Returns the exact lower and upper bounds that best responses to the rounded averages give.
fn exact_bounds(toy: &Toy, state: &SolverState) -> [Ratio; 2] {
    let [first, second] = SIDES.map(|side| state.average(side, toy.starts(side), WHOLE));
    let unit = i128::from(WHOLE) * i128::from(toy.unit());
    let [lower, upper] = [toy.best_response(1, &first), toy.best_response(0, &second)];
    [Ratio::new(-lower, unit), Ratio::new(upper, unit)]
}

#[test]
fn the_value_of_the_toy_deck_is_that_of_its_linear_program() {
    // No pair of pure strategies can have this value, since it isn't an integer.
    assert_eq!(Toy::new().value(), Ratio::new(-22_520_006, 285));
}

#[test]
fn the_solver_reproduces_the_value_of_the_linear_program() {
    let toy = Toy::new();
    let value = Ratio::new(toy.value().numerator(), toy.value().denominator() * i128::from(toy.unit()));
    let mut solver = Solver::new(toy, Method::default());
    let mut widths = vec![];
    for round in 1..=400 {
        let bounds = solver.round().unwrap().bounds();
        assert!(
            bounds.lower <= value.value() + 1e-12 && bounds.upper >= value.value() - 1e-12,
            "round {round}: {bounds:?}"
        );
        widths.push(bounds.width());
    }
    assert!(widths[399] < 1e-5 && widths[399] < widths[9] / 50.0, "{} after ten rounds, {}", widths[9], widths[399]);
    let state = solver.state().clone();
    let [lower, upper] = exact_bounds(solver.game(), &state);
    assert!(lower <= value && value <= upper, "{lower} {value} {upper}");
    assert!((upper - lower).value() < 2e-4, "{lower} {upper}");
}

#[test]
fn a_stored_state_continues_like_the_solver() {
    let mut solver = Solver::new(Toy::new(), Method::default());
    let rounds = |solver: &mut Solver<Toy>, rounds| (0..rounds).map(|_| solver.round().unwrap()).last().unwrap();
    rounds(&mut solver, 14);
    let bytes = solver.state().to_bytes();
    let toy = Toy::new();
    let state = SolverState::from_bytes(&bytes, starts(&toy)).unwrap();
    assert_eq!((&state, state.round()), (solver.state(), 14));
    let mut resumed = Solver::resume(toy, Method::default(), state);
    assert_eq!(rounds(&mut solver, 9), rounds(&mut resumed, 9));
    assert_eq!(solver.state(), resumed.state());
    let toy = Toy::new();
    let read = |bytes: &[u8]| SolverState::from_bytes(bytes, starts(&toy));
    assert!(matches!(read(&bytes[1..]), Err(StateError::Length { .. })));
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert_eq!(read(&changed), Err(StateError::Numbers));
}

#[test]
fn a_refined_state_starts_with_the_averages_of_the_parents() {
    let from: [&[u32]; 2] = [&[0, 2, 5], &[0, 1, 3]];
    let mut state = SolverState::new(from);
    state.sides[0].average = vec![1, 3, 2, 1, 1];
    state.sides[1].average = vec![7, 0, 5];
    let to: [&[u32]; 2] = [&[0, 3, 5, 8], &[0, 1, 3]];
    let refined = state.refined(from, [&[1, 0, 1], &[0, 1]], to);
    assert_eq!(refined.round(), 0);
    assert_eq!(refined.average(0, to[0], 16), [8, 4, 4, 4, 12, 8, 4, 4]);
    assert_eq!(refined.average(1, to[1], 16), [16, 0, 16]);
    // Regret matching continues from these averages.
    let mut solver = Solver::new(Toy::new(), Method::default());
    let before = (0..20).map(|_| solver.round().unwrap()).last().unwrap().bounds().width();
    let toy = Toy::new();
    let parents = SIDES.map(|side| (0..toy.starts(side).len() as u32 - 1).collect::<Vec<u32>>());
    let state = solver.state().refined(starts(&toy), parents.each_ref().map(|sets| &sets[..]), starts(&toy));
    let method = Method { fictitious_rounds: 0, warm_regret: before / 10.0, algorithm: Algorithm::LinearCfr };
    let mut refined = Solver::resume(toy, method, state);
    let widths: Vec<f64> = (0..100).map(|_| refined.round().unwrap().bounds().width()).collect();
    assert!(widths[0] < 20.0 * before && widths[99] < before / 4.0, "{before} {} {}", widths[0], widths[99]);
}

#[test]
fn every_algorithm_narrows_the_bracket_of_the_toy_deck() {
    let widths = Algorithm::ALL.map(|algorithm| {
        let mut solver = Solver::new(Toy::new(), Method { algorithm, ..Method::default() });
        let width = |_| {
            let values = solver.round().unwrap();
            // One side's gain is the other side's loss, so the bracket is the sum of both gains.
            assert!((values.nash_conv() - values.bounds().width()).abs() < 1e-12);
            values.bounds().width()
        };
        (0..200).map(width).collect::<Vec<f64>>()
    });
    for widths in &widths {
        assert_eq!(widths[..10], self::widths(Method::default(), 10), "the first rounds are the same");
        assert!(widths[199] < widths[9] / 5.0, "{} after ten rounds, {}", widths[9], widths[199]);
    }
    // The rounds after fictitious play differ.
    let [fictitious, others @ ..] = widths;
    assert!(others.iter().all(|other| other[199] < fictitious[199]));
    assert!(others[0][20] != others[1][20] && others[1][20] != others[2][20] && others[0][20] != others[2][20]);
}

#[test]
fn responses_may_be_worse_than_the_best_ones() {
    let method = Method { algorithm: Algorithm::FictitiousPlay, ..Method::default() };
    // Every fifth information set of a response has a mistake.
    let play = |with_mistakes: bool| {
        let toy = Toy::new();
        let starts = SIDES.map(|side| toy.starts(side).to_vec());
        let mut solver = Solver::new(toy, method);
        let (mut widths, mut regrets) = (vec![], vec![]);
        for _ in 0..60 {
            let values = solver.round_with::<std::convert::Infallible>(|position| {
                let starts = &starts[position.side];
                let choose = |(i, set): (usize, &[u32])| {
                    let value = |&action: &u32| position.sums[action as usize];
                    let mut actions: Vec<u32> = (set[0]..set[1]).collect();
                    actions.sort_by(|a, b| value(b).total_cmp(&value(a)));
                    actions[if with_mistakes && i % 5 == 0 { 1.min(actions.len() - 1) } else { 0 }]
                };
                let actions: Vec<u32> = starts.windows(2).enumerate().map(choose).collect();
                let units: u64 = position.other.iter().map(|&weight| u64::from(weight)).sum();
                let sets = self::starts(&Toy::new())[1 - position.side].len() as u64 - 1;
                assert_eq!(units, position.weight * u64::from(UNITS) * sets, "the average is a strategy");
                regrets.push(position.regret(starts, &actions));
                Ok(Some(actions))
            });
            widths.push(values.unwrap().bounds().width());
        }
        (widths, regrets)
    };
    let (widths, regrets) = play(false);
    assert_eq!(widths, self::widths(method, 60));
    assert!(regrets.iter().all(|&regret| regret == 0.0));
    let (worse, regrets) = play(true);
    assert!(regrets.iter().all(|&regret| regret > 0.0));
    // The mistakes of both sides limit how narrow the bracket becomes.
    assert!(worse[59] > 2.0 * widths[59] && worse[59] > 1e-3, "{} {}", worse[59], widths[59]);
}

fn widths(method: Method, rounds: u32) -> Vec<f64> {
    let mut solver = Solver::new(Toy::new(), method);
    (0..rounds).map(|_| solver.round().unwrap().bounds().width()).collect()
}

#[test]
fn gains_with_two_commissions_are_those_of_plain_enumeration() {
    let toy = Toy::with_two_commissions();
    let unit = toy.unit();
    let mut solver = Solver::new(toy, Method::default());
    for round in 1..=30 {
        let values = solver.round().unwrap();
        if ![1, 2, 9, 11, 30].contains(&round) {
            continue;
        }
        let state = solver.state().clone();
        let weights = SIDES.map(|side| &state.sides[side].average[..]);
        let (own, best) = solver.game().enumerate(weights);
        let whole = i128::from(state.weight) * i128::from(UNITS);
        let own = own.map(|gain| Ratio::new(gain, whole * whole * i128::from(unit)));
        let best = best.map(|gain| Ratio::new(gain, whole * i128::from(unit)));
        for side in SIDES {
            assert!((own[side].value() - values.own[side]).abs() < 1e-12, "round {round}: {own:?} {values:?}");
            assert!((best[side].value() - values.best[side]).abs() < 1e-12, "round {round}: {best:?} {values:?}");
        }
        let nash_conv = (best[0] - own[0]) + (best[1] - own[1]);
        assert!((nash_conv.value() - values.nash_conv()).abs() < 1e-12);
        // Both commissions leave the game, so the two best responses bound no value.
        assert!(own[0].value() + own[1].value() < -0.01);
    }
    let first = solver.round().unwrap().nash_conv();
    let last = (0..300).map(|_| solver.round().unwrap().nash_conv()).last().unwrap();
    assert!(last < first / 5.0 && last < 1e-3, "{first} {last}");
}
