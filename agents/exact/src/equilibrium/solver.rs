//! Computes equilibria with fictitious play, followed by linear counterfactual regret minimization.

use super::state::{SideState, SolverState};
use super::{HandGame, SIDES};
use serde::{Deserialize, Serialize};

/// The parameters of the solution method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// The number of rounds of fictitious play, in which each side plays the best response to the other side's average.
    pub fictitious_rounds: u32,
    /// The total regret, expressed as EV, that is spread over the actions when the remaining rounds start from the
    /// average of fictitious play (Brown and Sandholm, 2016).
    pub warm_regret: f64,
}

impl Default for Method {
    fn default() -> Method {
        Method { fictitious_rounds: 10, warm_regret: 0.004 }
    }
}

/// The number of rounds after which the averages are reset. This removes the arbitrary initial strategies from them.
const FORGOTTEN_ROUNDS: u32 = 2;

impl Method {
    /// Returns `true` if the averages are reset after this number of rounds.
    fn is_first_of_phase(self, rounds: u32) -> bool {
        [0, FORGOTTEN_ROUNDS, self.fictitious_rounds].contains(&rounds)
    }

    /// Returns the next round's weight after this number of rounds. Within a phase, weights grow by one each round.
    fn weight(self, rounds: u32) -> u32 {
        let first = (0..=rounds).rev().find(|&before| self.is_first_of_phase(before)).expect("zero is one");
        rounds - first + 1
    }
}

/// Lower and upper bounds for a game's value. They follow from the best responses to both averages, where a best
/// response is limited to the same information sets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The value that the first side's average strategy guarantees.
    pub lower: f64,
    /// The maximum value that the second side's average strategy concedes.
    pub upper: f64,
}

impl Bounds {
    /// Returns the distance between the bounds.
    pub fn width(self) -> f64 {
        self.upper - self.lower
    }
}

/// A solver for a [`HandGame`].
pub struct Solver<G> {
    game: G,
    method: Method,
    state: SolverState,
}

impl<G: HandGame> Solver<G> {
    /// Creates a solver. Both sides start with the middle action in each information set.
    pub fn new(game: G, method: Method) -> Solver<G> {
        let state = SolverState::new(SIDES.map(|side| game.starts(side)));
        Solver { game, method, state }
    }

    /// Creates a solver that continues from a state saved for the same game and method.
    pub fn resume(game: G, method: Method, state: SolverState) -> Solver<G> {
        Solver { game, method, state }
    }

    /// Returns the game.
    pub fn game(&mut self) -> &mut G {
        &mut self.game
    }

    /// Returns the state.
    pub fn state(&self) -> &SolverState {
        &self.state
    }

    /// Evaluates each side once and returns the bounds for the current averages. If a pass fails, the state stays as it
    /// was before the round.
    ///
    /// # Errors
    /// Returns an error if a pass fails.
    pub fn round(&mut self) -> Result<Bounds, G::Error> {
        let mut next = self.state.clone();
        if next.round == self.method.fictitious_rounds {
            SIDES.into_iter().for_each(|side| self.warm_start(side, &mut next.sides[side]));
        }
        if self.method.is_first_of_phase(next.round) {
            next.weight = 0;
            next.sides.iter_mut().for_each(SideState::forget_rounds);
        }
        let is_fictitious = next.round < self.method.fictitious_rounds;
        let weight = self.method.weight(next.round);
        for side in SIDES {
            let values = self.game.values(side, &next.sides[1 - side].played)?;
            next.sides[1 - side].add_played(weight);
            let starts = self.game.starts(side);
            let own = &mut next.sides[side];
            own.sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += f64::from(weight) * value);
            if is_fictitious {
                own.play_best(starts);
            } else {
                own.add_regrets(starts, &values, weight);
                // The second side's mixture only enters the average in the next round, when the first side is
                // evaluated.
                own.play_regrets(starts, weight + side as u32);
            }
        }
        next.round += 1;
        next.weight += u64::from(weight);
        let [upper, best_of_second] =
            SIDES.map(|side| next.sides[side].best_sum(self.game.starts(side)) / next.weight as f64);
        self.state = next;
        Ok(Bounds { lower: -best_of_second, upper })
    }

    /// Replaces the regrets with values for which regret matching plays the average strategy.
    fn warm_start(&self, side: usize, state: &mut SideState) {
        let starts = self.game.starts(side);
        for (set, probability) in starts.windows(2).zip(self.game.probabilities(side)) {
            let actions = set[0] as usize..set[1] as usize;
            let all: u64 = state.average[actions.clone()].iter().map(|&weight| u64::from(weight)).sum();
            for action in actions {
                let share = f64::from(state.average[action]) / all.max(1) as f64;
                state.regrets[action] = self.method.warm_regret * probability * share;
            }
        }
        state.play_regrets(starts, 1);
    }
}
