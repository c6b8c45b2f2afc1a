//! Tests that compare the solver with an exact linear program for a game with a toy deck.

mod toy;

use super::{Algorithm, HandGame, Method, SIDES, Solver, SolverState, UNITS};
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

/// Returns the value of the game in stakes.
fn value(toy: &Toy) -> Ratio {
    Ratio::new(-22_520_006, 285 * i128::from(toy.unit()))
}

#[test]
fn the_solver_reproduces_the_value_of_the_linear_program() {
    let toy = Toy::new();
    // No pair of pure strategies can have this value, since it isn't an integer.
    assert_eq!(toy.value(), Ratio::new(-22_520_006, 285));
    let value = value(&toy);
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
    assert!(read(&bytes[1..]).unwrap_err().to_string().contains("bytes, found"));
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert!(read(&changed).unwrap_err().to_string().contains("inconsistent"));
}

/// The toy game for sides that confuse some of their information sets.
struct Confused {
    toy: Toy,
    starts: [Vec<u32>; 2],
    probabilities: [Vec<f64>; 2],
    /// The confused information set that each one is part of.
    parents: [Vec<u32>; 2],
}

impl Confused {
    /// Confuses up to three information sets with the same number of actions.
    fn new() -> Confused {
        let toy = Toy::new();
        let mut game =
            Confused { toy, starts: [vec![0], vec![0]], probabilities: [vec![], vec![]], parents: [vec![], vec![]] };
        for side in SIDES {
            // The last confused information set with each number of actions, and how many it consists of.
            let mut last: std::collections::BTreeMap<u32, (usize, u32)> = Default::default();
            for (set, probability) in game.toy.starts(side).windows(2).zip(game.toy.probabilities(side)) {
                let actions = set[1] - set[0];
                let sets = game.probabilities[side].len();
                let (parent, parts) = last.get(&actions).copied().filter(|it| it.1 < 3).unwrap_or((sets, 0));
                if parts == 0 {
                    game.probabilities[side].push(0.0);
                    let end = *game.starts[side].last().unwrap();
                    game.starts[side].push(end + actions);
                }
                last.insert(actions, (parent, parts + 1));
                game.probabilities[side][parent] += probability;
                game.parents[side].push(parent as u32);
            }
        }
        game
    }

    /// Returns the confused action for each action.
    fn actions(&self, side: usize) -> Vec<usize> {
        let sets = self.toy.starts(side).windows(2).zip(&self.parents[side]);
        let of_set = |(set, &parent): (&[u32], &u32)| {
            let first = self.starts[side][parent as usize];
            (first..first + set[1] - set[0]).map(|action| action as usize).collect::<Vec<_>>()
        };
        sets.flat_map(of_set).collect()
    }
}

impl HandGame for Confused {
    type Error = std::convert::Infallible;

    fn starts(&self, side: usize) -> &[u32] {
        &self.starts[side]
    }

    fn probabilities(&self, side: usize) -> &[f64] {
        &self.probabilities[side]
    }

    fn values(&mut self, side: usize, other: &[u8]) -> Result<Vec<f64>, Self::Error> {
        let other: Vec<u8> = self.actions(1 - side).into_iter().map(|action| other[action]).collect();
        let mut values = vec![0.0; *self.starts[side].last().unwrap() as usize];
        let actions = self.actions(side);
        self.toy.values(side, &other)?.into_iter().zip(actions).for_each(|(value, action)| values[action] += value);
        Ok(values)
    }
}

#[test]
fn a_refined_game_converges_to_the_value_of_the_linear_program() {
    let value = value(&Toy::new()).value();
    let confused = Confused::new();
    let parents = confused.parents.clone();
    let parents = parents.each_ref().map(|sets| &sets[..]);
    let mut solver = Solver::new(confused, Method::default());
    for _ in 0..60 {
        solver.round().unwrap();
    }
    let mut refined = solver.refine(Toy::new(), parents).unwrap();
    assert_eq!(refined.state().round(), 60);
    let bounds: Vec<_> = (0..600).map(|_| refined.round().unwrap().bounds()).collect();
    for bounds in &bounds {
        assert!(bounds.lower <= value + 1e-12 && bounds.upper >= value - 1e-12, "{bounds:?} {value}");
    }
    let [first, last] = [bounds[0], bounds[599]].map(|bounds| bounds.width());
    assert!(last < first / 4.0, "{first} {last}");
    // Without anything to tell apart, the rounds go on almost as before.
    let mut solver = Solver::new(Toy::new(), Method::default());
    let before = (0..60).map(|_| solver.round().unwrap()).last().unwrap().bounds().width();
    let own = SIDES.map(|side| (0..solver.game().starts(side).len() as u32 - 1).collect::<Vec<u32>>());
    let mut same = solver.refine(Toy::new(), own.each_ref().map(|sets| &sets[..])).unwrap();
    let after = (0..60).map(|_| same.round().unwrap()).last().unwrap().bounds().width();
    assert!(after < 2.0 * before, "{before} {after}");
    // The regrets start from the averages of fictitious play, also if the game is refined just before.
    let widths = [8, 10].map(|rounds| {
        let mut solver = Solver::new(Toy::new(), Method::default());
        (0..rounds).for_each(|_| _ = solver.round().unwrap());
        let mut same = solver.refine(Toy::new(), own.each_ref().map(|sets| &sets[..])).unwrap();
        (rounds..40).map(|_| same.round().unwrap()).last().unwrap().bounds().width()
    });
    let whole = self::widths(Method::default(), 40)[39];
    assert!(widths.iter().all(|width| *width < 2.0 * whole), "{widths:?} {whole}");
    // Fictitious play keeps its averages.
    let method = Method { algorithm: Algorithm::FictitiousPlay, ..Method::default() };
    let mut solver = Solver::new(Toy::new(), method);
    let before = (0..30).map(|_| solver.round().unwrap()).last().unwrap().bounds().width();
    let mut same = solver.refine(Toy::new(), own.each_ref().map(|sets| &sets[..])).unwrap();
    let after = same.round().unwrap().bounds().width();
    assert!(after < 2.0 * before, "{before} {after}");
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
