//! Checks that an environment satisfies the [`Env`] contract.

use super::{DEFAULT_SEED, Env, EnvError, EnvSpec, Step};

/// The number of seeds to play.
const SEEDS: u64 = 20;
/// The number of episodes per seed. The first one is reset with the seed, and the others continue its random stream.
const EPISODES: usize = 3;

/// Statistics collected by a check. In a meaningful check, no count is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// The number of episodes played.
    pub episodes: usize,
    /// The number of states in which every action was tried on a clone.
    pub states: usize,
    /// The number of actions that the mask allows and the environment accepted.
    pub legal: usize,
    /// The number of actions that the mask forbids and the environment rejected.
    pub illegal: usize,
}

/// The first contract violation found in an environment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{env}: {broken}")]
pub struct CheckFailure {
    /// The environment's id.
    pub env: String,
    /// The violated requirement with details.
    pub broken: String,
}

/// Everything that the agent sees in an episode: observations, masks and step results.
type Trace = Vec<(Vec<f32>, Vec<bool>, Option<Step>)>;

/// Plays an environment with each set of options and checks the following parts of the [`Env`] contract:
///
/// - A seed reproduces the same episodes bit for bit, and different seeds lead to different episodes. A reset without a
///   seed continues the stream, except that the first one uses [`DEFAULT_SEED`].
/// - In every state, the mask is `true` for exactly the actions that a step on a clone accepts. At least one action is
///   legal until the episode is over. Rejected actions don't change the state.
/// - Observations lie within their space and don't change if the environment says they never do. Rewards are finite
///   and, under the default options, within their range. Episodes don't exceed the maximum number of steps.
/// - Calls before the first reset, calls after the end of an episode, and slices with the wrong length return the right
///   kind of error.
/// - Clones are independent.
///
/// # Errors
/// Returns the first violation found.
pub fn check_env<E: Env>(env: &E, options: &[E::Options]) -> Result<CheckReport, CheckFailure> {
    let mut report = CheckReport::default();
    let mut check = || -> Result<(), String> {
        check_before_reset(env)?;
        let defaults = E::Options::default();
        for options in std::iter::once(&defaults).chain(options) {
            check_seeds(env, options)?;
            for seed in 0..SEEDS {
                let mut env = env.clone();
                for episode in 0..EPISODES {
                    let seed = (episode == 0).then_some(seed);
                    env.reset(seed, Some(options)).map_err(|error| format!("reset with {options:?}: {error}"))?;
                    check_episode(&mut env, *options == defaults, &mut report)?;
                }
            }
        }
        Ok(())
    };
    check().map_err(|broken| CheckFailure { env: env.spec().id.to_owned(), broken })?;
    Ok(report)
}

pub(super) fn ensure(holds: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(broken()) }
}

/// Checks the id, the rules hash and the spaces.
pub(super) fn check_names(spec: EnvSpec, rules_hash: &str, observation: usize, actions: usize) -> Result<(), String> {
    ensure(observation > 0 && actions > 0, || "a space is empty".to_owned())?;
    ensure(!rules_hash.is_empty(), || "the rules hash is empty".to_owned())?;
    let (name, version) = spec.id.split_once("-v").unwrap_or_default();
    ensure(!name.is_empty() && version.parse::<u32>().is_ok(), || "the id is not of the form Name-v0".to_owned())
}

/// Checks an environment that has not been reset. Does nothing if an episode is already in progress.
fn check_before_reset<E: Env>(env: &E) -> Result<(), String> {
    let (space, actions) = (env.observation_space(), env.action_space().n());
    check_names(env.spec(), &env.rules_hash(), space.len(), actions)?;
    let (mut observation, mut mask) = (vec![0.0; space.len()], vec![false; actions]);
    if env.observe(&mut observation).is_ok() {
        return Ok(());
    }
    let calls = [
        ("observe", env.observe(&mut observation)),
        ("action_mask", env.action_mask(&mut mask)),
        ("check_action", env.check_action(0)),
        ("step", env.clone().step(0).map(|_| ())),
    ];
    for (name, result) in calls {
        ensure(result == Err(EnvError::NotReset), || format!("{name} before the reset returned {result:?}"))?;
    }
    let first = trace(&mut env.clone(), None)?;
    ensure(same(&first, &trace(&mut env.clone(), Some(DEFAULT_SEED))?), || {
        "a first reset without a seed does not use the default seed".to_owned()
    })
}

/// Chooses one of the legal actions. The choice is arbitrary but only depends on the mask and the step number.
pub(super) fn choose(mask: &[bool], step: usize) -> Option<usize> {
    let legal = mask.iter().filter(|&&legal| legal).count();
    mask.iter().enumerate().filter(|&(_, &legal)| legal).nth((step * 7 + 3) % legal.max(1)).map(|(action, _)| action)
}

fn look<E: Env>(env: &E) -> Result<(Vec<f32>, Vec<bool>), String> {
    let (mut observation, mut mask) =
        (vec![f32::NAN; env.observation_space().len()], vec![false; env.action_space().n()]);
    env.observe(&mut observation).map_err(|error| format!("observe in play: {error}"))?;
    env.action_mask(&mut mask).map_err(|error| format!("action_mask in play: {error}"))?;
    Ok((observation, mask))
}

/// Plays two episodes with the default options. The second one is reset without a seed.
fn trace<E: Env>(env: &mut E, seed: Option<u64>) -> Result<Trace, String> {
    trace_with(env, seed, &E::Options::default())
}

fn trace_with<E: Env>(env: &mut E, seed: Option<u64>, options: &E::Options) -> Result<Trace, String> {
    let mut trace = Vec::new();
    for seed in [seed, None] {
        env.reset(seed, Some(options)).map_err(|error| format!("reset: {error}"))?;
        for step in 0.. {
            let (observation, mask) = look(env)?;
            let Some(action) = choose(&mask, step) else {
                trace.push((observation, mask, None));
                break;
            };
            ensure(step < env.spec().max_steps, || "an episode is longer than max_steps".to_owned())?;
            let result = env.step(action).map_err(|error| format!("a legal action was rejected: {error}"))?;
            trace.push((observation, mask, Some(result)));
        }
    }
    Ok(trace)
}

/// Returns `true` if two traces are identical. Observations are compared bit for bit.
fn same(a: &Trace, b: &Trace) -> bool {
    let bits = |observation: &[f32]| observation.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| bits(&a.0) == bits(&b.0) && a.1 == b.1 && a.2 == b.2)
}

fn check_seeds<E: Env>(env: &E, options: &E::Options) -> Result<(), String> {
    let mut used = env.clone();
    trace_with(&mut used, Some(99), options)?;
    let mut different = false;
    let first = trace_with(&mut env.clone(), Some(0), options)?;
    for seed in 0..SEEDS {
        let fresh = trace_with(&mut env.clone(), Some(seed), options)?;
        let again = trace_with(&mut used, Some(seed), options)?;
        ensure(same(&fresh, &again), || format!("seed {seed} does not reproduce its episodes"))?;
        different |= !same(&fresh, &first);
        let mut clone = used.clone();
        let (went_on, clone_went_on) = (trace_with(&mut used, None, options)?, trace_with(&mut clone, None, options)?);
        ensure(same(&went_on, &clone_went_on), || "a clone does not continue like its original".to_owned())?;
        ensure(!same(&went_on, &fresh), || "a reset without a seed restarts the stream".to_owned())?;
    }
    ensure(different, || "all seeds lead to the same episodes".to_owned())
}

/// Plays the current episode until it is over and checks every state.
fn check_episode<E: Env>(env: &mut E, default_options: bool, report: &mut CheckReport) -> Result<(), String> {
    let (low, high) = env.spec().reward_range;
    for step in 0.. {
        let (observation, mask) = look(env)?;
        ensure(env.observation_space().contains(&observation), || {
            format!("observation outside its space: {observation:?}")
        })?;
        check_lengths(env)?;
        check_actions(env, &mask, report)?;
        ensure(!env.render().is_empty(), || "the rendering is empty".to_owned())?;
        let action = choose(&mask, step).ok_or("no action is legal during an episode")?;
        let result = env.step(action).map_err(|error| format!("a legal action was rejected: {error}"))?;
        let in_range = result.reward.is_finite() && (!default_options || (low..=high).contains(&result.reward));
        ensure(in_range, || format!("reward {} is outside {low} to {high}", result.reward))?;
        ensure(step < env.spec().max_steps, || "an episode is longer than max_steps".to_owned())?;
        let stays = !env.observation_stays() || look(env)?.0 == observation;
        ensure(stays, || "a step changed an observation that should stay unchanged".to_owned())?;
        if result.is_last() {
            break;
        }
    }
    report.episodes += 1;
    let (observation, mask) = look(env)?;
    ensure(env.observation_space().contains(&observation), || "the final observation is outside its space".to_owned())?;
    ensure(!mask.contains(&true), || "the mask allows an action after the end".to_owned())?;
    for action in 0..=env.action_space().n() {
        let result = env.step(action);
        ensure(result == Err(EnvError::EpisodeOver), || format!("a step after the end returned {result:?}"))?;
    }
    Ok(())
}

fn check_lengths<E: Env>(env: &E) -> Result<(), String> {
    let (observation, mask) = (env.observation_space().len(), env.action_space().n());
    for wrong in [-1, 1] {
        let wrong = |right: usize| right.saturating_add_signed(wrong);
        let result = env.observe(&mut vec![0.0; wrong(observation)]);
        ensure(matches!(result, Err(EnvError::Length { .. })), || format!("observe with a wrong length: {result:?}"))?;
        let result = env.action_mask(&mut vec![false; wrong(mask)]);
        ensure(matches!(result, Err(EnvError::Length { .. })), || format!("mask with a wrong length: {result:?}"))?;
    }
    Ok(())
}

/// Tries every action on a clone of the environment, including a few actions that don't exist.
fn check_actions<E: Env>(env: &E, mask: &[bool], report: &mut CheckReport) -> Result<(), String> {
    report.states += 1;
    let before = look(env)?;
    for action in (0..mask.len() + 2).chain([usize::MAX]) {
        let legal = mask.get(action) == Some(&true);
        let mut clone = env.clone();
        let checked = env.check_action(action);
        let result = clone.step(action);
        ensure(checked.clone().err() == result.clone().err(), || {
            format!("action {action}: check_action returned {checked:?}, but step returned {result:?}")
        })?;
        match result {
            Ok(_) => {
                ensure(legal, || format!("action {action} is masked but was accepted"))?;
                report.legal += 1;
            }
            Err(EnvError::IllegalAction { action: named, reason }) => {
                ensure(!legal, || format!("action {action} is allowed by the mask but was rejected: {reason}"))?;
                ensure(named == action && !reason.is_empty(), || {
                    "the error for an illegal action lacks the action or a reason".to_owned()
                })?;
                ensure(look(&clone)? == before, || format!("the rejected action {action} changed the state"))?;
                report.illegal += 1;
            }
            Err(error) => return Err(format!("action {action} returned an error: {error}")),
        }
    }
    ensure(look(env)? == before, || "a step on a clone changed the original".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::toy::{Walk, WalkOptions, walk};
    use super::super::{BoxSpace, Discrete, StreamSeed};
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_sound_environment_passes() {
        let report = check_env(&walk(), &[WalkOptions { start: 2 }]).unwrap();
        assert_eq!(report.episodes, 2 * 20 * 3);
        assert!(report.legal > 1_000 && report.illegal > 1_000, "{report:?}");
    }

    /// One way to violate the contract.
    #[derive(Clone, Copy, PartialEq)]
    enum Fault {
        Mask,
        Reward,
        Bounds,
        Seed,
        Reseed,
        Length,
        AfterEnd,
        Shared,
        TooLong,
        DefaultSeed,
        Stays,
    }

    /// The random walk with one contract violation.
    #[derive(Clone)]
    struct Broken {
        walk: Walk,
        fault: Fault,
        seed: Option<StreamSeed>,
        shared: Arc<AtomicUsize>,
    }

    impl Env for Broken {
        type Options = WalkOptions;
        fn spec(&self) -> EnvSpec {
            EnvSpec { max_steps: if self.fault == Fault::TooLong { 1 } else { 10 }, ..self.walk.spec() }
        }
        fn rules_hash(&self) -> String {
            self.walk.rules_hash()
        }
        fn observation_space(&self) -> BoxSpace {
            let high = if self.fault == Fault::Bounds { 0.5 } else { 1.0 };
            BoxSpace { high, ..self.walk.observation_space() }
        }
        fn observation_stays(&self) -> bool {
            self.fault == Fault::Stays
        }
        fn action_space(&self) -> Discrete {
            self.walk.action_space()
        }
        fn check_options(&self, options: &WalkOptions) -> Result<(), EnvError> {
            self.walk.check_options(options)
        }
        fn reset_stream(&mut self, seed: Option<StreamSeed>, options: &WalkOptions) -> Result<(), EnvError> {
            self.seed = seed.or(self.seed);
            let seed = match self.fault {
                Fault::Seed => Some(StreamSeed::from(3)),
                Fault::Reseed => self.seed,
                Fault::DefaultSeed => {
                    self.seed.or(Some(StreamSeed::from(5))).filter(|_| seed.is_some() || self.seed.is_none())
                }
                _ => seed,
            };
            self.walk.reset_stream(seed, options)
        }
        fn check_action(&self, action: usize) -> Result<(), EnvError> {
            self.walk.check_action(action)
        }
        fn step(&mut self, action: usize) -> Result<Step, EnvError> {
            let result = self.walk.step(action);
            self.shared.fetch_add(1, Ordering::Relaxed);
            match self.fault {
                Fault::Reward => result.map(|step| Step { reward: 2.0, ..step }),
                Fault::AfterEnd if result == Err(EnvError::EpisodeOver) => {
                    Ok(Step { reward: 0.0, terminated: true, truncated: false })
                }
                _ => result,
            }
        }
        fn observe(&self, out: &mut [f32]) -> Result<(), EnvError> {
            if self.fault == Fault::Length && out.len() == 4 {
                return Ok(());
            }
            self.walk.observe(out)?;
            let steps = self.shared.load(Ordering::Relaxed);
            if self.fault == Fault::Shared && steps > 100 {
                out[0] = (steps % 100) as f32 / 100.0;
            }
            Ok(())
        }
        fn action_mask(&self, out: &mut [bool]) -> Result<(), EnvError> {
            self.walk.action_mask(out)?;
            if self.fault == Fault::Mask && out.contains(&true) {
                out[0] = true;
            }
            Ok(())
        }
        fn render(&self) -> String {
            self.walk.render()
        }
    }

    #[test]
    fn every_fault_is_found() {
        let faults = [
            (Fault::Mask, "rejected"),
            (Fault::Reward, "reward 2 is outside"),
            (Fault::Bounds, "outside its space"),
            (Fault::Seed, "restarts the stream"),
            (Fault::Reseed, "default seed"),
            (Fault::Length, "wrong length"),
            (Fault::AfterEnd, "after the end"),
            (Fault::Shared, "does not"),
            (Fault::TooLong, "longer than max_steps"),
            (Fault::DefaultSeed, "default seed"),
            (Fault::Stays, "should stay unchanged"),
        ];
        for (fault, words) in faults {
            let broken = Broken { walk: walk(), fault, seed: None, shared: Arc::default() };
            let failure = check_env(&broken, &[]).expect_err(words).to_string();
            assert!(failure.starts_with("Walk-v0: ") && failure.contains(words), "expected '{words}': {failure}");
        }
    }
}
