//! Computes equilibria with fictitious play, followed by counterfactual regret minimization.

use super::state::{SideState, SolverState};
use super::{AverageValues, HandGame, Method, SIDES, UNITS};

/// The position in which a side responds in a round of fictitious play.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The number of rounds before this one.
    pub round: u32,
    /// The side that responds.
    pub side: usize,
    /// The other side's average strategy, as a weight for each of its actions.
    pub other: &'a [u32],
    /// The EV of each of the side's actions against this average, times the probability of its information set and the
    /// total weight of the average's rounds.
    pub sums: &'a [f64],
    /// The total weight of the average's rounds.
    pub weight: u64,
}

impl Position<'_> {
    /// Returns how much EV the given actions lose compared with the best response. `starts` is from
    /// [`HandGame::starts`], and there is one action for each information set.
    ///
    /// # Panics
    /// Panics if an action is outside its information set.
    pub fn regret(&self, starts: &[u32], actions: &[u32]) -> f64 {
        let lost = |(set, &action): (&[u32], &u32)| {
            assert!((set[0]..set[1]).contains(&action), "action {action} belongs to another information set");
            let best = self.sums[set[0] as usize..set[1] as usize].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            best - self.sums[action as usize]
        };
        starts.windows(2).zip(actions).map(lost).sum::<f64>() / self.weight as f64
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

    /// Evaluates each side once and returns the EVs for the current averages. If a pass fails, the state stays as it
    /// was before the round.
    ///
    /// # Errors
    /// Returns an error if a pass fails.
    pub fn round(&mut self) -> Result<AverageValues, G::Error> {
        self.round_with(|_| Ok(None))
    }

    /// Plays a round like [`Solver::round`]. If it is a round of fictitious play, `respond` returns the action to play
    /// in each information set, or `None` for the best response. A response that is learned from the other side's
    /// average is usually not the best one.
    ///
    /// # Errors
    /// Returns an error if a pass or the response fails. The state stays as it was before the round.
    ///
    /// # Panics
    /// Panics if the response doesn't have one action for each information set.
    pub fn round_with<E: From<G::Error>>(
        &mut self,
        mut respond: impl FnMut(Position<'_>) -> Result<Option<Vec<u32>>, E>,
    ) -> Result<AverageValues, E> {
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
            let sums = next.sides[side].sums.iter_mut().zip(&values);
            sums.for_each(|(sum, value)| *sum += f64::from(weight) * value);
            let (other, sums) = (&next.sides[1 - side].average, &next.sides[side].sums);
            let weights = next.weight + u64::from(weight);
            let position = Position { round: next.round, side, other, sums, weight: weights };
            let response = if is_fictitious { respond(position)? } else { None };
            let own = &mut next.sides[side];
            if let Some(actions) = response {
                own.play(starts, &actions);
            } else if is_fictitious {
                own.play_best(starts);
            } else {
                own.add_regrets(starts, &values, self.method.algorithm, weight);
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

    /// Continues with a game that tells more hands apart, such as hands that this game only knows by their ranks. The
    /// rounds so far are treated as if they had been played in the new game: each information set has the average
    /// strategy and, in proportion to its probability, the regrets of the one that it was part of, which `parents` names
    /// for each side. Two passes evaluate the new game's actions against these averages, which shows how the regrets
    /// differ from this. Averages of regret-based algorithms then start again, because the old ones can't tell hands
    /// apart.
    ///
    /// # Errors
    /// Returns an error if a pass fails.
    ///
    /// # Panics
    /// Panics if an information set has a different number of actions than its parent.
    pub fn refine<H: HandGame>(&self, mut game: H, parents: [&[u32]; 2]) -> Result<Solver<H>, H::Error> {
        let to = SIDES.map(|side| game.starts(side).to_vec());
        let all = SIDES.map(|side| game.probabilities(side).to_vec());
        let (starts, probabilities) = (to.each_ref().map(|it| &it[..]), all.each_ref().map(|it| &it[..]));
        let from = SIDES.map(|side| self.game.starts(side));
        let mut state = self.state.refined(from, parents, starts, probabilities);
        let averages =
            SIDES.map(|side| state.average(side, starts[side], UNITS.into()).into_iter().map(|it| it as u8).collect());
        let averages: [Vec<u8>; 2] = averages;
        let weight = state.weight as f64;
        // The averages are also needed if the next round is the first one to use regrets.
        let keeps = self.method.is_fictitious(state.round) || self.method.starts_regrets(state.round);
        let next = self.method.weight(state.round);
        for side in SIDES {
            let values = game.values(side, &averages[1 - side])?;
            let own = &mut state.sides[side];
            own.sums = values.iter().map(|value| weight * value).collect();
            own.add_refined_regrets(starts[side], parents[side], probabilities[side], &values, weight);
        }
        for (side, own) in state.sides.iter_mut().enumerate() {
            if keeps {
                own.play_best(starts[side]);
            } else {
                own.forget_rounds();
                own.play_regrets(starts[side], next);
            }
        }
        if !keeps {
            state.weight = 0;
        }
        Ok(Solver { game, method: self.method, state })
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
