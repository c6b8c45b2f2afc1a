//! A small walk for tests of everything that has no game inside.

use super::{BoxSpace, DEFAULT_SEED, Discrete, Env, EnvError, EnvSpec, Step, StreamSeed, stream};
use rand::Rng;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

/// A walker on places 0 to 4. Action 0 steps left, 1 right, 2 stays; one of the three, drawn anew each step, is forbidden,
/// and so is leaving the left end. The right end terminates with reward 1; ten steps truncate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Walk {
    rng: Option<Pcg64>,
    state: Option<State>,
}

#[derive(Clone, Debug, PartialEq)]
struct State {
    place: usize,
    steps: usize,
    forbidden: usize,
    over: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WalkOptions {
    /// The place of the start, 0 to 3.
    pub(crate) start: usize,
}

impl Walk {
    pub(crate) fn new() -> Walk {
        Walk { rng: None, state: None }
    }

    fn state(&self) -> Result<&State, EnvError> {
        self.state.as_ref().ok_or(EnvError::NotReset)
    }
}

fn draw(rng: &mut Pcg64) -> usize {
    (rng.next_u64() % 3) as usize
}

impl Env for Walk {
    type Options = WalkOptions;

    fn spec(&self) -> EnvSpec {
        EnvSpec { id: "Walk-v0", reward_range: (0.0, 1.0), max_steps: 10 }
    }

    fn rules_hash(&self) -> String {
        "walk".to_owned()
    }

    fn observation_space(&self) -> BoxSpace {
        BoxSpace { shape: vec![3], low: 0.0, high: 1.0 }
    }

    fn action_space(&self) -> Discrete {
        Discrete(3)
    }

    fn check_options(&self, options: &WalkOptions) -> Result<(), EnvError> {
        let reason = || format!("{} is no start; choose 0 to 3", options.start);
        if options.start < 4 { Ok(()) } else { Err(EnvError::BadOption { option: "start", reason: reason() }) }
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &WalkOptions) -> Result<(), EnvError> {
        self.check_options(options)?;
        if let Some(seed) = seed {
            self.rng = Some(stream(seed));
        }
        let rng = self.rng.get_or_insert_with(|| stream(DEFAULT_SEED.into()));
        self.state = Some(State { place: options.start, steps: 0, forbidden: draw(rng), over: false });
        Ok(())
    }

    fn check_action(&self, action: usize) -> Result<(), EnvError> {
        let state = self.state()?;
        if state.over {
            return Err(EnvError::EpisodeOver);
        }
        if action > 2 || action == state.forbidden || (action == 0 && state.place == 0) {
            return Err(EnvError::IllegalAction { action, reason: "not now".to_owned() });
        }
        Ok(())
    }

    fn step(&mut self, action: usize) -> Result<Step, EnvError> {
        self.check_action(action)?;
        let (Some(state), Some(rng)) = (&mut self.state, &mut self.rng) else { return Err(EnvError::NotReset) };
        state.place = state.place + [0, 2, 1][action] - 1;
        state.steps += 1;
        state.forbidden = draw(rng);
        let terminated = state.place == 4;
        let truncated = !terminated && state.steps == 10;
        state.over = terminated || truncated;
        Ok(Step { reward: f64::from(u8::from(terminated)), terminated, truncated })
    }

    fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let state = self.state()?;
        EnvError::check_length("the observation", out.len(), 3)?;
        out.copy_from_slice(&[state.place as f32 / 4.0, state.steps as f32 / 10.0, state.forbidden as f32 / 2.0]);
        Ok(())
    }

    fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
        self.state()?;
        EnvError::check_length("the action mask", out.len(), 3)?;
        out.iter_mut().enumerate().for_each(|(action, legal)| *legal = self.check_action(action).is_ok());
        Ok(())
    }

    fn render(&self) -> String {
        match &self.state {
            None => "no episode yet".to_owned(),
            Some(state) => format!("place {} after {} steps", state.place, state.steps),
        }
    }
}
