//! Tests that compare the solver with an exact linear program for a game with a toy deck.

mod linear_program;
mod toy;

use super::{HandGame, Method, SIDES, Solver, SolverState, StateError};
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
        let bounds = solver.round().unwrap();
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
#[ignore = "prints the bracket's width for several methods"]
fn methods_are_compared() {
    for fictitious_rounds in [5, 10, 400] {
        for warm_regret in [0.001, 0.004, 0.016] {
            let mut solver = Solver::new(Toy::new(), Method { fictitious_rounds, warm_regret });
            let widths: Vec<f64> = (0..400).map(|_| solver.round().unwrap().width()).collect();
            let shown = [10, 20, 40, 100, 400].map(|round| format!("{:.1e}", widths[round - 1])).join(" ");
            println!("{fictitious_rounds} rounds of fictitious play, regret {warm_regret}: {shown}");
        }
    }
}
