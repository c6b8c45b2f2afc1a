//! Computes equilibria with fictitious play, followed by counterfactual regret minimization.

use super::state::{SideState, SolverState};
use super::{AverageValues, HandGame, Method, SIDES, UNITS};

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

    /// Evaluates each side once and returns the EVs for the current averages. If a pass fails, the state stays as it
    /// was before the round.
    ///
    /// # Errors
    /// Returns an error if a pass fails.
    pub fn round(&mut self) -> Result<AverageValues, G::Error> {
        let mut next = self.state.clone();
        if self.method.starts_regrets(next.round) {
            SIDES.into_iter().for_each(|side| self.warm_start(side, &mut next.sides[side]));
        }
        if self.method.is_first_of_phase(next.round) {
            next.weight = 0;
            next.sides.iter_mut().for_each(SideState::forget_rounds);
        }
        let is_fictitious = self.method.is_fictitious(next.round);
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
                own.add_regrets(starts, &values, |regret| self.method.algorithm.update(regret, weight));
                // The second side's mixture only enters the average in the next round, when the first side is
                // evaluated.
                own.play_regrets(starts, weight + side as u32);
            }
        }
        next.round += 1;
        next.weight += u64::from(weight);
        let total = next.weight as f64;
        let best = SIDES.map(|side| next.sides[side].best_sum(self.game.starts(side)) / total);
        let own = SIDES.map(|side| next.sides[side].own_sum() / (total * total * f64::from(UNITS)));
        self.state = next;
        Ok(AverageValues { own, best })
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
