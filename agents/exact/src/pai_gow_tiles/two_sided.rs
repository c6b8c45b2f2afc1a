//! The game in which both sides choose their settings freely.

use super::{Class, Classes, HIDDEN, PaiGowTiles};
use crate::equilibrium::{Bounds, HandGame, Method, SIDES, Solver, UNITS};
use crate::pai_gow::Side;
use crate::solver::{Cancelled, Control};
use houseway_env::pai_gow::Outcome;
use houseway_env::pai_gow_tiles::{Hand, SetHand};
use rayon::prelude::*;

/// The zero-sum game between the player and the house, from the player's perspective. Each class of hands is an
/// information set of either side. Its actions are the settings that aren't dominated.
pub struct TwoSided<'a> {
    game: &'a PaiGowTiles,
    /// The index of each class's first action, followed by the number of actions.
    starts: Vec<u32>,
    /// The class and the setting of each action.
    actions: Vec<(usize, usize)>,
    probabilities: Vec<f64>,
}

impl<'a> TwoSided<'a> {
    /// Creates the game.
    pub fn new(game: &'a PaiGowTiles) -> TwoSided<'a> {
        let (mut starts, mut actions) = (vec![0], vec![]);
        for (class, sets) in game.sets.iter().enumerate() {
            actions.extend(undominated(sets).map(|setting| (class, setting)));
            starts.push(actions.len() as u32);
        }
        let all: u64 = Classes::get().all().iter().map(|class| class.hands).sum();
        let probability = |class: &Class| class.hands as f64 / all as f64;
        let probabilities = Classes::get().all().iter().map(probability).collect();
        TwoSided { game, starts, actions, probabilities }
    }

    /// Returns the class and the setting of each action, in the order of the classes.
    pub fn actions(&self) -> &[(usize, usize)] {
        &self.actions
    }

    /// Returns the player's net result in parts of the stake for two actions.
    pub fn payoff(&self, player: usize, house: usize) -> i64 {
        let set = |action: usize| {
            let (class, setting) = self.actions[action];
            self.game.sets[class][setting]
        };
        self.game.game.net(self.game.game.outcome(set(player), set(house)))
    }

    /// Bounds the value of the game with this number of rounds.
    ///
    /// # Errors
    /// Returns an error if the computation was cancelled.
    pub fn bounds(game: &'a PaiGowTiles, rounds: u32, control: &Control<'_>) -> Result<Bounds, Cancelled> {
        let progress = control.stage("equilibrium", "rounds");
        let mut solver = Solver::new(TwoSided::new(game), Method::default());
        let mut bounds = Bounds { lower: -1.0, upper: 1.0 };
        for round in 0..rounds {
            control.check()?;
            let Ok(values) = solver.round();
            let Bounds { lower, upper } = values.bounds();
            bounds = Bounds { lower: bounds.lower.max(lower), upper: bounds.upper.min(upper) };
            progress(u64::from(round) + 1, rounds.into());
        }
        Ok(bounds)
    }
}

/// Returns the settings of which no other is at least as good in both halves. The first of equal ones stands for all.
fn undominated(sets: &[SetHand; Hand::SETTINGS]) -> impl Iterator<Item = usize> + '_ {
    let beats = |a: usize, b: usize| {
        sets[a].low >= sets[b].low && sets[a].high >= sets[b].high && (sets[a] != sets[b] || a < b)
    };
    (0..sets.len()).filter(move |&setting| (0..sets.len()).all(|other| !beats(other, setting)))
}

impl HandGame for TwoSided<'_> {
    type Error = std::convert::Infallible;

    fn starts(&self, _: usize) -> &[u32] {
        &self.starts
    }

    fn probabilities(&self, _: usize) -> &[f64] {
        &self.probabilities
    }

    fn values(&mut self, side: usize, other: &[u8]) -> Result<Vec<f64>, Self::Error> {
        let game = self.game;
        let (of, opposing) = if side == SIDES[0] { (Side::Player, Side::Banker) } else { (Side::Banker, Side::Player) };
        // The other side's settings with their thresholds and weights.
        let played = self.actions.iter().zip(other).filter(|(_, weight)| **weight > 0);
        let played: Vec<(usize, [i16; 2], i32)> = played
            .map(|(&(class, setting), &weight)| {
                (class, game.threshold(opposing, game.sets[class][setting]), i32::from(weight))
            })
            .collect();
        let [win, loss] = match of {
            Side::Player => [Outcome::Win, Outcome::Loss].map(|outcome| game.game.net(outcome)),
            Side::Banker => [Outcome::Loss, Outcome::Win].map(|outcome| -game.game.net(outcome)),
        };
        let scale = (HIDDEN * u64::from(UNITS)) as f64 * game.game.unit() as f64;
        let value = |action: usize| {
            let (class, setting) = self.actions[action];
            let ([own_low, own_high], beside) =
                (game.threshold(of, game.sets[class][setting]), Classes::get().beside(class));
            let (mut won, mut lost) = (0, 0);
            for &(class, [low, high], weight) in &played {
                let hands = i32::from(beside[class]) * weight;
                won += hands * i32::from((own_low > low) & (own_high > high));
                lost += hands * i32::from((own_low < low) & (own_high < high));
            }
            (i64::from(won) * win + i64::from(lost) * loss) as f64 / scale * self.probabilities[class]
        };
        Ok((0..self.actions.len()).into_par_iter().map(value).collect())
    }
}
