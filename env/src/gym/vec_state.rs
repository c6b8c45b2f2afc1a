//! The saved state of a [`VecEnv`] as plain data.

use super::lane_episode::LaneEpisode;
use super::{Autoreset, Env, EnvError, VecEnv};
use serde::{Deserialize, Serialize};

/// The saved state of a [`VecEnv`]. See [`VecEnv::save`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedLanes<O> {
    /// The options for future episodes.
    options: O,
    lanes: Vec<LaneEpisode<O>>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

impl<E: Env> VecEnv<E> {
    /// Records the current episode of every lane, so that [`VecEnv::save`] can save it. Recording starts with the next
    /// [`VecEnv::reset`].
    #[must_use]
    pub fn recording(mut self) -> VecEnv<E> {
        self.episodes = vec![LaneEpisode::default(); self.len()];
        self
    }

    /// Returns the state of all lanes. Returns `None` before the first reset, if recording is disabled (see
    /// [`VecEnv::recording`]), or if the environment doesn't expose its random stream.
    pub fn save(&self) -> Option<SavedLanes<E::Options>> {
        let recorded = !self.episodes.is_empty() && self.episodes.iter().all(|lane| lane.start.is_some());
        let batch = self.batch();
        recorded.then(|| SavedLanes {
            options: self.options.clone(),
            lanes: self.episodes.clone(),
            rewards: batch.rewards.clone(),
            terminated: batch.terminated.clone(),
            truncated: batch.truncated.clone(),
        })
    }

    /// Restores a saved state by replaying the current episode of every lane. The state must come from an equal
    /// environment with the same number of lanes. Final observations are not restored.
    ///
    /// # Errors
    /// Returns [`EnvError::Length`] if the number of lanes differs, or the error of the lane if an episode can't be
    /// replayed. In the latter case, all lanes must be reset before they can be used again.
    pub fn restore(&mut self, saved: &SavedLanes<E::Options>) -> Result<(), EnvError> {
        let lanes = self.len();
        for found in [saved.lanes.len(), saved.rewards.len(), saved.terminated.len(), saved.truncated.len()] {
            EnvError::check_length("the saved lanes", found, lanes)?;
        }
        self.ready = false;
        self.options = saved.options.clone();
        self.episodes = saved.lanes.clone();
        let shows_end = self.autoreset != Autoreset::SameStep;
        self.for_each_lane(|index, lane| {
            let LaneEpisode { start, options, actions } = &saved.lanes[index];
            let no_stream = || EnvError::NoStream { env: lane.env.spec().id };
            let start = start.clone().ok_or_else(no_stream)?;
            lane.env.reset_on(start, options)?;
            for &action in actions {
                lane.env.step(action as usize)?;
            }
            *lane.reward = saved.rewards[index];
            (*lane.terminated, *lane.truncated) = (saved.terminated[index], saved.truncated[index]);
            lane.env.observe(lane.observation)?;
            if shows_end && (*lane.terminated || *lane.truncated) {
                lane.mask.fill(true);
                return Ok(());
            }
            lane.env.action_mask(lane.mask)
        })?;
        self.ready = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy::{Walk, WalkOptions, walk};
    use super::*;

    fn first_legal(env: &VecEnv<Walk>) -> Vec<usize> {
        env.batch().masks.chunks(env.actions()).map(|mask| mask.iter().position(|&m| m).unwrap()).collect()
    }

    /// Steps the original alongside a saved and restored copy and checks that both remain equal.
    #[test]
    fn restored_lanes_play_on() {
        for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
            let new =
                || VecEnv::new(&walk(), 70).unwrap().without_final_observations().with_autoreset(autoreset).recording();
            let mut env = new();
            assert_eq!(env.save(), None);
            env.reset(Some(4), Some(&WalkOptions { start: 1 })).unwrap();
            let some: Vec<bool> = (0..70).map(|lane| lane % 3 == 0).collect();
            env.reset_lanes(&some, None, Some(&WalkOptions { start: 2 })).unwrap();
            for _ in 0..40 {
                let text = serde_json::to_string(&env.save().unwrap()).unwrap();
                let mut copy = new();
                copy.restore(&serde_json::from_str(&text).unwrap()).unwrap();
                assert_eq!(copy.batch(), env.batch());
                let over: Vec<bool> =
                    env.batch().terminated.iter().zip(&env.batch().truncated).map(|(&a, &b)| a || b).collect();
                for env in [&mut env, &mut copy] {
                    if autoreset == Autoreset::Disabled && over.contains(&true) {
                        env.reset_lanes(&over, None, None).unwrap();
                    } else {
                        let actions = first_legal(env);
                        env.step(&actions).unwrap();
                    }
                }
                assert_eq!(copy.batch(), env.batch());
            }
        }
    }

    #[test]
    fn wrong_states_are_refused() {
        let mut env = VecEnv::new(&walk(), 3).unwrap().recording();
        env.reset(Some(1), None).unwrap();
        let saved = env.save().unwrap();
        assert!(matches!(VecEnv::new(&walk(), 4).unwrap().restore(&saved), Err(EnvError::Length { .. })));
        let mut bad = saved.clone();
        bad.lanes[1].actions.push(7);
        assert!(env.restore(&bad).is_err());
        assert_eq!(env.step(&[0; 3]).unwrap_err(), EnvError::NotReset);
        bad.lanes[1].start = None;
        assert!(env.restore(&bad).is_err());
        env.restore(&saved).unwrap();
        assert!(VecEnv::new(&walk(), 3).unwrap().save().is_none());
    }
}
