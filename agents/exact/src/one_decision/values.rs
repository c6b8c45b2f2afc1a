//! The exact values of all situations, for agents that learn from them.

use super::{Enumerated, OneDecision, Situation};
use houseway_env::gym::{EnvError, ExactValues};

/// The situations of a game and the EVs of their actions.
pub(super) struct SituationValues {
    encoding: &'static str,
    situations: Vec<Situation>,
}

impl SituationValues {
    pub(super) fn new<G: OneDecision>(solver: &Enumerated<G>) -> SituationValues {
        SituationValues { encoding: solver.game().encoding(), situations: solver.situations().to_vec() }
    }
}

impl ExactValues for SituationValues {
    fn encoding(&self) -> &str {
        self.encoding
    }

    fn decisions(&self) -> usize {
        self.situations.len()
    }

    fn hands(&self, decision: usize) -> u64 {
        self.situations[decision].hands
    }

    fn write(
        &self,
        decision: usize,
        observation: &mut [f32],
        mask: &mut [bool],
        evs: &mut [f32],
    ) -> Result<(), EnvError> {
        let situation = &self.situations[decision];
        let actions = situation.rewards.len();
        EnvError::check_length("the observation", observation.len(), situation.observation.len())?;
        EnvError::check_length("the action mask", mask.len(), actions)?;
        EnvError::check_length("the EVs", evs.len(), actions)?;
        observation.copy_from_slice(&situation.observation);
        mask.fill(true);
        evs.iter_mut().enumerate().for_each(|(action, ev)| *ev = situation.ev(action).value() as f32);
        Ok(())
    }
}
