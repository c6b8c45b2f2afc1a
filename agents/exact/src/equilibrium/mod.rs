//! Equilibria for two-player games in which each side acts once and only knows its own hand.
//!
//! - [`HandGame`] describes a game by its information sets, and evaluates all of one side's actions against a mixed
//!   strategy for the other side in a single pass.
//! - [`Solver`] starts with fictitious play and continues from its average with another [`Algorithm`], such as linear
//!   counterfactual regret minimization.
//! - A [`Position`] is what a side responds to in a round of fictitious play, for responses that aren't exact.
//! - [`PairEvs`] holds the EVs of a pair of strategies and of best responses to them. In a zero-sum game, [`Bounds`] bracket
//!   the value of the game. Other games may not have a single value.
//! - [`maximize`] solves linear programs exactly, for games that are small enough to have their value as a fraction.
//!
//! In each round, every side is evaluated once against what the other side plays, which is a mixture in units of
//! 1/[`UNITS`]. Rounding errors carry over to the next rounds, so that the averages match the exact strategies.

mod linear;
mod state;

use houseway_env::names::expected;
pub use linear::{Optimum, maximize};
use serde::{Deserialize, Serialize};
use state::SideState;
pub use state::SolverState;
use std::ops::{Add, Neg, Range, Sub};

/// The number of probability units in a played mixture.
pub const UNITS: u8 = 64;

/// The two sides. The value of a zero-sum game is given from the first side's perspective.
pub const SIDES: [usize; 2] = [0, 1];

/// A game in which each of the two sides acts once.
pub trait HandGame {
    /// The error type for a failed pass, such as a cancellation.
    type Error;

    /// Returns the index of the first action in each of the side's information sets, followed by the number of actions.
    fn starts(&self, side: usize) -> &[u32];

    /// Returns a probability for each of the side's information sets.
    fn probabilities(&self, side: usize) -> &[f64];

    /// Evaluates a side's actions against a mixture that the other side plays. The mixture is given in units of
    /// 1/[`UNITS`]. Returns the EV of each of the side's actions times the probability of its information set.
    ///
    /// # Errors
    /// Returns an error if the pass fails.
    fn values(&mut self, side: usize, other: &[u8]) -> Result<Vec<f64>, Self::Error>;
}

/// Iterates over the indices of the actions in each information set, given [`HandGame::starts`].
pub(crate) fn actions_of_sets(starts: &[u32]) -> impl Iterator<Item = Range<usize>> {
    starts.windows(2).map(|set| set[0] as usize..set[1] as usize)
}

/// The parameters of the solution method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// The number of rounds of fictitious play, in which each side plays the best response to the other side's average.
    pub fictitious_rounds: u32,
    /// The total regret, expressed as EV, that is spread over the actions when the remaining rounds start from the
    /// average of fictitious play (Brown and Sandholm, 2016).
    pub warm_regret: f64,
    /// The algorithm for the remaining rounds.
    #[serde(default, skip_serializing_if = "Algorithm::is_default")]
    pub algorithm: Algorithm,
}

impl Default for Method {
    fn default() -> Method {
        Method { fictitious_rounds: 10, warm_regret: 0.004, algorithm: Algorithm::default() }
    }
}

houseway_env::named_enum! {
    /// An algorithm for the rounds that follow the first rounds of fictitious play. All of them weight rounds linearly in
    /// the averages.
    #[derive(Default)]
    pub enum Algorithm: kebab_case {
        /// Fictitious play in all rounds.
        FictitiousPlay,
        /// Counterfactual regret minimization with linear weights for the regrets (Brown and Sandholm, 2019).
        #[default]
        LinearCfr,
        /// Regrets that never become negative (Tammelin, 2014).
        CfrPlus,
        /// Like [`Algorithm::CfrPlus`], but counts each round's regrets twice for the next round, as a prediction (Farina,
        /// Kroer and Sandholm, 2021).
        PredictiveCfrPlus,
    }
}

impl Algorithm {
    /// Returns the algorithm's name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Algorithm::FictitiousPlay => "fictitious play",
            Algorithm::LinearCfr => "linear CFR",
            Algorithm::CfrPlus => "CFR+",
            Algorithm::PredictiveCfrPlus => "predictive CFR+",
        }
    }

    /// Parses an algorithm by name.
    ///
    /// # Errors
    /// Returns an error that lists the valid names if there is no such algorithm.
    pub fn parse(name: &str) -> Result<Algorithm, String> {
        name.parse().map_err(|_| format!("invalid method '{name}': {}", expected(name, Algorithm::NAMES)))
    }

    fn is_default(&self) -> bool {
        *self == Algorithm::default()
    }

    /// Adds a round's regret to an action's cumulative regret, and sets the regret that is predicted for the next round.
    fn update(self, sum: &mut f64, predicted: &mut f64, regret: f64, weight: u32) {
        match self {
            Algorithm::FictitiousPlay => {}
            Algorithm::LinearCfr => *sum += f64::from(weight) * regret,
            Algorithm::CfrPlus => *sum = (*sum + regret).max(0.0),
            Algorithm::PredictiveCfrPlus => {
                *sum = (*sum + regret).max(0.0);
                *predicted = regret;
            }
        }
    }
}

/// The number of rounds after which the averages are reset. This removes the arbitrary initial strategies from them.
const FORGOTTEN_ROUNDS: u32 = 2;

impl Method {
    /// Returns `true` if the round after this number of rounds is one of fictitious play.
    fn is_fictitious(self, rounds: u32) -> bool {
        rounds < self.fictitious_rounds || self.algorithm == Algorithm::FictitiousPlay
    }

    /// Returns the name of the algorithm that plays the round after this number of rounds.
    pub fn label(self, rounds: u32) -> &'static str {
        match self.is_fictitious(rounds) {
            true => Algorithm::FictitiousPlay.label(),
            false => self.algorithm.label(),
        }
    }

    /// Returns `true` if regrets are needed for the first time after this number of rounds.
    fn starts_regrets(self, rounds: u32) -> bool {
        rounds == self.fictitious_rounds && !self.is_fictitious(rounds)
    }

    /// Returns `true` if the averages are reset after this number of rounds.
    fn is_first_of_phase(self, rounds: u32) -> bool {
        [0, FORGOTTEN_ROUNDS].contains(&rounds) || self.starts_regrets(rounds)
    }

    /// Returns the next round's weight after this number of rounds. Within a phase, weights grow by one each round.
    fn weight(self, rounds: u32) -> u32 {
        let first = (0..=rounds).rev().find(|&before| self.is_first_of_phase(before)).expect("zero is one");
        rounds - first + 1
    }
}

/// Both sides' EVs for a pair of strategies and for the best responses to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairEvs<N = f64> {
    /// The EVs if both sides play their strategies.
    pub own: [N; 2],
    /// The EV of each side's best response to the other side's strategy.
    pub best: [N; 2],
}

impl<N: Copy + Add<Output = N> + Sub<Output = N> + Neg<Output = N>> PairEvs<N> {
    /// Returns how much EV a side gains if it plays the best response to the other side's strategy.
    pub fn gain_of(self, side: usize) -> N {
        self.best[side] - self.own[side]
    }

    /// Returns the sum of both sides' gains from a best response.
    pub fn nash_conv(self) -> N {
        self.gain_of(0) + self.gain_of(1)
    }

    /// Returns the bounds for the value of a zero-sum game.
    pub fn bounds(self) -> Bounds<N> {
        Bounds { lower: -self.best[1], upper: self.best[0] }
    }
}

/// Lower and upper bounds for a zero-sum game's value. They follow from the best responses to a pair of strategies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds<N = f64> {
    /// The value that the first side's strategy guarantees.
    pub lower: N,
    /// The maximum value that the second side's strategy concedes.
    pub upper: N,
}

impl<N: Sub<Output = N>> Bounds<N> {
    /// Returns the distance between the bounds.
    pub fn width(self) -> N {
        self.upper - self.lower
    }
}

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
        let lost = |(set, &action): (Range<usize>, &u32)| {
            assert!(set.contains(&(action as usize)), "action {action} belongs to another information set");
            let best = self.sums[set].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            best - self.sums[action as usize]
        };
        actions_of_sets(starts).zip(actions).map(lost).sum::<f64>() / self.weight as f64
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

    /// Evaluates each side once and returns the EVs for the current averages. Best responses are limited to the same
    /// information sets. If a pass fails, the state stays as it was before the round.
    ///
    /// # Errors
    /// Returns an error if a pass fails.
    pub fn round(&mut self) -> Result<PairEvs, G::Error> {
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
    ) -> Result<PairEvs, E> {
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
        Ok(PairEvs { own, best })
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
        for (actions, probability) in actions_of_sets(starts).zip(self.game.probabilities(side)) {
            let all: u64 = state.average[actions.clone()].iter().map(|&weight| u64::from(weight)).sum();
            for action in actions {
                let share = f64::from(state.average[action]) / all.max(1) as f64;
                state.regrets[action] = self.method.warm_regret * probability * share;
            }
        }
        state.play_regrets(starts, 1);
    }
}

#[cfg(test)]
mod tests;
