//! The exact EVs of a side's settings, for agents that learn to respond.

use super::HANDS;
use super::actions::Actions;
use crate::equilibrium::Position;
use crate::pai_gow::policy::{ENCODING, write_observation};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::gym::{EnvError, ExactValues};
use houseway_env::pai_gow::observe::candidates::LEN;
use houseway_env::pai_gow::{Candidates, Game, Hand, Setting};
use rayon::prelude::*;
use std::sync::Arc;

/// The EVs of all actions for each profile against the other side's average strategy.
pub struct ResponseLabels {
    game: Arc<Game>,
    rows: Vec<Row>,
}

/// A hand that stands for its profile.
struct Row {
    hand: Hand,
    hands: u64,
    /// The settings that make an action's set hand, as bits 0 to 20.
    actions: u32,
    /// The EV of each of these settings, and 0 for all others.
    evs: [f32; Setting::COUNT],
}

impl ResponseLabels {
    /// Computes the EVs from a solver's position in a round. They take about 30 MB.
    pub fn new(game: &Arc<Game>, actions: &Actions, position: &Position<'_>) -> ResponseLabels {
        let row = |i: usize| {
            let (profile, profiles) = (Profile::from_index(i), Profiles::get());
            let hand = Hand::representative(profile);
            let mut row = Row { hand, hands: profiles.hands(profile), actions: 0, evs: [0.0; Setting::COUNT] };
            let unit = position.weight as f64 * row.hands as f64 / HANDS;
            for (setting, set) in game.settings(hand) {
                if let Some(action) = actions.index(profile, set) {
                    row.actions |= 1 << setting.index();
                    row.evs[setting.index()] = (position.sums[action] / unit) as f32;
                }
            }
            row
        };
        let rows = (0..PROFILES).into_par_iter().with_min_len(1024).map(row).collect();
        ResponseLabels { game: Arc::clone(game), rows }
    }
}

impl ExactValues for ResponseLabels {
    fn encoding(&self) -> &str {
        ENCODING.name()
    }

    fn shape(&self) -> [usize; 2] {
        [LEN, Setting::COUNT]
    }

    fn decisions(&self) -> usize {
        self.rows.len()
    }

    fn hands(&self, decision: usize) -> u64 {
        self.rows[decision].hands
    }

    fn write(
        &self,
        decision: usize,
        observation: &mut [f32],
        mask: &mut [bool],
        evs: &mut [f32],
    ) -> Result<(), EnvError> {
        EnvError::check_length("the observation", observation.len(), LEN)?;
        EnvError::check_length("the action mask", mask.len(), Setting::COUNT)?;
        EnvError::check_length("the EVs", evs.len(), Setting::COUNT)?;
        let row = &self.rows[decision];
        write_observation(&self.game, &Candidates::new(&self.game, row.hand), observation);
        mask.iter_mut().enumerate().for_each(|(i, legal)| *legal = row.actions >> i & 1 == 1);
        evs.copy_from_slice(&row.evs);
        Ok(())
    }
}
