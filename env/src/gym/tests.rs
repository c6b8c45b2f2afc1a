//! A small random walk for tests that don't need a real game.

use super::{CardEnv, CardGame, Encoding, EnvError, EnvSpec, Step};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// A random walk on positions 0 to 4. Action 0 moves left, action 1 moves right, and action 2 stays. In each step, a
/// randomly chosen action is forbidden, and it's never legal to leave the left end. The right end terminates the
/// episode with a reward of 1. After ten steps, the episode is truncated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WalkGame;

/// The walk as an environment.
pub(crate) type Walk = CardEnv<WalkGame>;

/// Creates a walk that has not been reset.
pub(crate) fn walk() -> Walk {
    Walk::new(WalkGame)
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WalkState {
    place: usize,
    steps: usize,
    forbidden: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WalkOptions {
    /// The initial position, from 0 to 3.
    pub(crate) start: usize,
}

/// The only encoding. It consists of the position, the number of steps and the forbidden action, each divided by its
/// maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fractions;

impl Encoding for Fractions {
    fn len(self) -> usize {
        3
    }
}

impl CardGame for WalkGame {
    type Options = WalkOptions;
    type State = WalkState;
    type Encoding = Fractions;
    const HAS_ACTION_REWARDS: bool = true;

    fn spec(&self) -> EnvSpec {
        EnvSpec { id: "Walk-v0", reward_range: (0.0, 1.0), max_steps: 10 }
    }

    fn rules_hash(&self) -> String {
        "walk".to_owned()
    }

    fn actions(&self) -> usize {
        3
    }

    fn check(&self, options: &WalkOptions) -> Result<(), EnvError> {
        EnvError::check_range("start", options.start, 0..=3)
    }

    fn deal(&self, options: &WalkOptions, rng: &mut impl Rng) -> WalkState {
        WalkState { place: options.start, steps: 0, forbidden: draw(rng) }
    }

    fn is_over(&self, state: &WalkState) -> bool {
        state.place == 4 || state.steps == 10
    }

    fn legal(&self, state: &WalkState, mask: &mut [bool]) {
        mask.iter_mut().enumerate().for_each(|(action, legal)| *legal = self.check_action(state, action).is_ok());
    }

    fn check_action(&self, state: &WalkState, action: usize) -> Result<(), String> {
        match action {
            0..3 if action == state.forbidden => Err("it is forbidden in this step".to_owned()),
            0 if state.place == 0 => Err("it leaves the left end".to_owned()),
            0..3 => Ok(()),
            _ => Err("expected actions 0 to 2".to_owned()),
        }
    }

    fn apply(&self, state: &mut WalkState, action: usize, rng: &mut impl Rng) -> Step {
        state.place = state.place + [0, 2, 1][action] - 1;
        state.steps += 1;
        state.forbidden = draw(rng);
        let terminated = state.place == 4;
        Step { reward: f64::from(terminated), terminated, truncated: !terminated && state.steps == 10 }
    }

    fn observe(&self, _: Fractions, state: &WalkState, out: &mut [f32]) {
        out.copy_from_slice(&[state.place as f32 / 4.0, state.steps as f32 / 10.0, state.forbidden as f32 / 2.0]);
    }

    /// Only considers the reward of the next step, so a step to the right end gets 1 and any other step gets 0.
    fn action_rewards(&self, state: &WalkState, out: &mut [f32]) {
        out.copy_from_slice(&[0.0, f32::from(u8::from(state.place == 3)), 0.0]);
    }

    fn render(&self, state: &WalkState) -> String {
        format!("place {} after {} steps", state.place, state.steps)
    }
}

fn draw(rng: &mut impl Rng) -> usize {
    (rng.next_u64() % 3) as usize
}
