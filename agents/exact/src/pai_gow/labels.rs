//! The exact EVs of settings, for agents that learn from them.

use super::policy::{ENCODING, write_observation};
use houseway_env::gym::{EnvError, ExactValues};
use houseway_env::pai_gow::observe::candidates::LEN;
use houseway_env::pai_gow::{Candidates, Game, Hand, Setting};
use std::sync::Arc;

/// The EVs of settings for hands that each stand for several others.
pub struct SettingValues {
    pub(super) game: Arc<Game>,
    pub(super) rows: Vec<ValuedHand>,
}

/// A hand and its EVs.
pub(super) struct ValuedHand {
    pub(super) hand: Hand,
    /// The number of hands that it stands for.
    pub(super) hands: u32,
    /// The settings that have an EV, as bits 0 to 20.
    pub(super) settings: u32,
    /// The EV of each of these settings, and 0 for all others.
    pub(super) evs: [f32; Setting::COUNT],
}

impl ExactValues for SettingValues {
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
        self.rows[decision].hands.into()
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
        mask.iter_mut().enumerate().for_each(|(i, legal)| *legal = row.settings >> i & 1 == 1);
        evs.copy_from_slice(&row.evs);
        Ok(())
    }
}
