//! Checks that an environment satisfies the [`MultiEnv`] contract.

use super::check::{check_names, choose, ensure};
use super::{AgentStatus, CheckFailure, CheckReport, DEFAULT_SEED, EnvError, MultiEnv};

/// The number of seeds to play.
const SEEDS: u64 = 10;
/// The number of episodes per seed. The first one is reset with the seed, and the others continue its random stream.
const EPISODES: usize = 2;

/// The observations, masks and rewards of all agents.
type Look = (Vec<Vec<f32>>, Vec<Vec<bool>>, Vec<f64>);

/// Plays an environment with each set of options and checks the following parts of the [`MultiEnv`] contract:
///
/// - A seed reproduces the same episodes bit for bit, a reset without a seed continues the stream, and different seeds
///   lead to different episodes.
/// - In every state, the masks are `true` for exactly the actions that a step on a clone accepts. Acting agents have at
///   least one legal action, and all other agents have none. Rejected actions don't change the state.
/// - Agents that act simultaneously don't see each other's actions, and the actions don't affect which actions are
///   legal for the others.
/// - Observations lie within their space, and rewards within their range. Episodes don't exceed the maximum number of
///   steps, and every agent is terminated or truncated at the end.
/// - Calls before the first reset, after the end of an episode, for nonexistent agents, or with slices of the wrong
///   length return errors.
/// - Clones are independent.
///
/// # Errors
/// Returns the first violation found.
pub fn check_multi_env<E: MultiEnv>(env: &E, options: &[E::Options]) -> Result<CheckReport, CheckFailure> {
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

fn check_before_reset<E: MultiEnv>(env: &E) -> Result<(), String> {
    let (space, actions, agents) = (env.observation_space(), env.action_space().n(), env.agents());
    check_names(env.spec(), &env.rules_hash(), space.len(), actions)?;
    ensure((1..=64).contains(&agents), || format!("expected 1 to 64 agents, found {agents}"))?;
    if env.status(0).is_ok() {
        return Ok(());
    }
    let calls = [
        ("observe", env.observe(0, &mut vec![0.0; space.len()])),
        ("action_mask", env.action_mask(0, &mut vec![false; actions])),
        ("status", env.status(0).map(|_| ())),
        ("step", env.clone().step(0, 0)),
    ];
    for (name, result) in calls {
        ensure(result == Err(EnvError::NotReset), || format!("{name} before the reset returned {result:?}"))?;
    }
    ensure(env.acting().is_empty(), || "an agent is acting before the reset".to_owned())
}

fn look<E: MultiEnv>(env: &E) -> Result<Look, String> {
    let (len, actions) = (env.observation_space().len(), env.action_space().n());
    let (mut observations, mut masks) = (vec![], vec![]);
    for agent in 0..env.agents() {
        let (mut observation, mut mask) = (vec![f32::NAN; len], vec![false; actions]);
        env.observe(agent, &mut observation).map_err(|error| format!("observe in play: {error}"))?;
        env.action_mask(agent, &mut mask).map_err(|error| format!("action_mask in play: {error}"))?;
        ensure(env.observation_space().contains(&observation), || {
            format!("observation outside its space: {observation:?}")
        })?;
        observations.push(observation);
        masks.push(mask);
    }
    Ok((observations, masks, env.rewards().to_vec()))
}

/// Plays two episodes and returns everything that was visible. The second episode is reset without a seed.
fn trace<E: MultiEnv>(env: &mut E, seed: Option<u64>, options: &E::Options) -> Result<Vec<Look>, String> {
    let mut trace = vec![];
    for seed in [seed, None] {
        env.reset(seed, Some(options)).map_err(|error| format!("reset: {error}"))?;
        for step in 0.. {
            let seen = look(env)?;
            let Some(agent) = env.selection() else {
                trace.push(seen);
                break;
            };
            let action = choose(&seen.1[agent], step).ok_or("no action is legal for an acting agent")?;
            trace.push(seen);
            env.step(agent, action).map_err(|error| format!("a legal action was rejected: {error}"))?;
        }
    }
    Ok(trace)
}

fn check_seeds<E: MultiEnv>(env: &E, options: &E::Options) -> Result<(), String> {
    let first = trace(&mut env.clone(), Some(DEFAULT_SEED), options)?;
    let mut different = false;
    for seed in 1..=SEEDS {
        let mut used = env.clone();
        trace(&mut used, Some(seed + 1), options)?;
        let (fresh, again) = (trace(&mut env.clone(), Some(seed), options)?, trace(&mut used, Some(seed), options)?);
        ensure(fresh == again, || format!("seed {seed} does not reproduce its episodes"))?;
        different |= fresh != first;
        let mut clone = used.clone();
        let (went_on, clone_went_on) = (trace(&mut used, None, options)?, trace(&mut clone, None, options)?);
        ensure(went_on == clone_went_on, || "a clone does not continue like its original".to_owned())?;
        ensure(went_on != fresh, || "a reset without a seed restarts the stream".to_owned())?;
    }
    ensure(different, || "all seeds lead to the same episodes".to_owned())
}

fn check_episode<E: MultiEnv>(env: &mut E, defaults: bool, report: &mut CheckReport) -> Result<(), String> {
    let (low, high) = env.spec().reward_range;
    for step in 0.. {
        let before = look(env)?;
        check_calls(env)?;
        check_actions(env, &before, report)?;
        check_sealed(env, &before, step)?;
        ensure(!env.render().is_empty(), || "the rendering is empty".to_owned())?;
        let agent = env.selection().ok_or("no agent is acting during an episode")?;
        let action = choose(&before.1[agent], step).ok_or("no action is legal for an acting agent")?;
        env.step(agent, action).map_err(|error| format!("a legal action was rejected: {error}"))?;
        let in_range = |reward: &f64| reward.is_finite() && (!defaults || (low..=high).contains(reward));
        ensure(env.rewards().iter().all(in_range), || {
            format!("rewards {:?} are outside {low} to {high}", env.rewards())
        })?;
        ensure(!defaults || step < env.spec().max_steps, || "an episode is longer than max_steps".to_owned())?;
        if env.acting().is_empty() {
            break;
        }
    }
    report.episodes += 1;
    let (_, masks, _) = look(env)?;
    ensure(masks.iter().flatten().all(|legal| !legal), || "a mask allows an action after the end".to_owned())?;
    for agent in 0..env.agents() {
        let status = env.status(agent);
        ensure(matches!(status, Ok(AgentStatus::Terminated | AgentStatus::Truncated)), || {
            format!("agent {agent} is {status:?} after the end")
        })?;
        let result = env.step(agent, 0);
        ensure(result == Err(EnvError::EpisodeOver), || format!("a step after the end returned {result:?}"))?;
    }
    Ok(())
}

fn check_calls<E: MultiEnv>(env: &E) -> Result<(), String> {
    let (observation, mask, agents) = (env.observation_space().len(), env.action_space().n(), env.agents());
    let result = env.observe(0, &mut vec![0.0; observation + 1]);
    ensure(matches!(result, Err(EnvError::Length { .. })), || format!("observe with a wrong length: {result:?}"))?;
    let result = env.action_mask(0, &mut vec![false; mask + 1]);
    ensure(matches!(result, Err(EnvError::Length { .. })), || format!("mask with a wrong length: {result:?}"))?;
    let results = [
        env.observe(agents, &mut vec![0.0; observation]),
        env.action_mask(agents, &mut vec![false; mask]),
        env.status(agents).map(|_| ()),
        env.clone().step(agents, 0),
    ];
    ensure(results.iter().all(|result| matches!(result, Err(EnvError::NoAgent { .. }))), || {
        format!("calls for a nonexistent agent returned {results:?}")
    })
}

/// Tries every action of every agent on a clone of the environment, including a few actions that don't exist.
fn check_actions<E: MultiEnv>(env: &E, before: &Look, report: &mut CheckReport) -> Result<(), String> {
    report.states += 1;
    for (agent, mask) in before.1.iter().enumerate() {
        let asked = env.acting().contains(agent);
        ensure(asked == mask.contains(&true), || {
            format!("agent {agent}: acting is {asked}, but the mask is {mask:?}")
        })?;
        for action in (0..mask.len() + 2).chain([usize::MAX]) {
            let (legal, mut clone) = (mask.get(action) == Some(&true), env.clone());
            let (checked, result) = (env.check_action(agent, action), clone.step(agent, action));
            ensure(checked == result, || {
                format!("action {action}: check_action returned {checked:?}, but step returned {result:?}")
            })?;
            match result {
                Ok(()) => {
                    ensure(legal, || format!("action {action} of agent {agent} is masked but was accepted"))?;
                    report.legal += 1;
                }
                Err(EnvError::IllegalAction { action: named, reason }) => {
                    ensure(!legal, || format!("action {action} of agent {agent} was rejected: {reason}"))?;
                    ensure(named == action && !reason.is_empty(), || {
                        "the error for an illegal action lacks the action or a reason".to_owned()
                    })?;
                    ensure(look(&clone)? == *before, || format!("the rejected action {action} changed the state"))?;
                    report.illegal += 1;
                }
                Err(error) => return Err(format!("action {action} returned an error: {error}")),
            }
        }
    }
    ensure(look(env)? == *before, || "a step on a clone changed the original".to_owned())
}

/// Checks that the actions of simultaneously acting agents don't change the observations and masks of the others until
/// all of them have acted.
fn check_sealed<E: MultiEnv>(env: &E, before: &Look, step: usize) -> Result<(), String> {
    let mut clone = env.clone();
    let acting = env.acting();
    for agent in acting.iter() {
        let Some(action) = choose(&before.1[agent], step + agent) else { continue };
        clone.step(agent, action).map_err(|error| format!("acting agent {agent} was rejected: {error}"))?;
        // The game continues once the last of them has acted.
        let left: Vec<usize> = acting.iter().filter(|&other| other > agent).collect();
        if left.is_empty() {
            break;
        }
        let after = look(&clone)?;
        for other in left {
            ensure(clone.acting().contains(other), || format!("agent {other} is no longer acting"))?;
            let same = after.0[other] == before.0[other] && after.1[other] == before.1[other];
            ensure(same, || format!("agent {other} sees what agent {agent} did, although both act simultaneously"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{AgentSet, BoxSpace, Discrete, EnvSpec, StreamSeed, stream};
    use super::*;
    use rand::RngExt;
    use rand_pcg::Pcg64;

    /// One way to violate the contract.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Fault {
        None,
        Leak,
        Mask,
        Reward,
        Seed,
        Ends,
        Ghost,
    }

    /// Matching pennies, played five times. Actions 0 and 1 show a side of the penny, and action 2 is always illegal.
    /// Agent 0 wins if the sides match. Both agents also see a random coin, which is tossed again for each round.
    #[derive(Clone)]
    struct Pennies {
        fault: Fault,
        rng: Option<Pcg64>,
        shown: [Option<usize>; 2],
        coin: bool,
        left: Option<usize>,
        rewards: [f64; 2],
    }

    fn pennies(fault: Fault) -> Pennies {
        Pennies { fault, rng: None, shown: [None; 2], coin: false, left: None, rewards: [0.0; 2] }
    }

    impl Pennies {
        fn known(&self, agent: usize) -> Result<usize, EnvError> {
            let left = self.left.ok_or(EnvError::NotReset)?;
            let ghost = self.fault == Fault::Ghost && agent == 2;
            if agent < 2 || ghost { Ok(left) } else { Err(EnvError::NoAgent { agent, agents: 2 }) }
        }
    }

    impl MultiEnv for Pennies {
        type Options = ();
        fn spec(&self) -> EnvSpec {
            EnvSpec { id: "Pennies-v0", reward_range: (-1.0, 1.0), max_steps: 10 }
        }
        fn rules_hash(&self) -> String {
            "pennies".to_owned()
        }
        fn agents(&self) -> usize {
            2
        }
        fn observation_space(&self) -> BoxSpace {
            BoxSpace { shape: vec![2], low: 0.0, high: 1.0 }
        }
        fn action_space(&self) -> Discrete {
            Discrete(3)
        }
        fn check_options(&self, (): &()) -> Result<(), EnvError> {
            Ok(())
        }
        fn reset_stream(&mut self, seed: Option<StreamSeed>, (): &()) -> Result<(), EnvError> {
            let seed = if self.fault == Fault::Seed { Some(StreamSeed::from(1)) } else { seed };
            if seed.is_some() || self.rng.is_none() {
                self.rng = Some(stream(seed.unwrap_or_default()));
            }
            (self.shown, self.left, self.rewards) = ([None; 2], Some(5), [0.0; 2]);
            self.coin = self.rng.as_mut().is_some_and(|rng| rng.random_range(0..2) == 1);
            Ok(())
        }
        fn acting(&self) -> AgentSet {
            let asked = |agent: usize| u64::from(self.shown[agent].is_none()) << agent;
            AgentSet(if self.left.unwrap_or(0) == 0 { 0 } else { asked(0) | asked(1) })
        }
        fn status(&self, agent: usize) -> Result<AgentStatus, EnvError> {
            let over = self.known(agent)? == 0 && self.fault != Fault::Ends;
            Ok(if over { AgentStatus::Terminated } else { AgentStatus::Active })
        }
        fn rewards(&self) -> &[f64] {
            &self.rewards
        }
        fn check_action(&self, agent: usize, action: usize) -> Result<(), EnvError> {
            let illegal = |reason: &str| Err(EnvError::IllegalAction { action, reason: reason.to_owned() });
            match (self.known(agent)?, action) {
                (0, _) => Err(EnvError::EpisodeOver),
                _ if !self.acting().contains(agent) => illegal("not asked"),
                (_, 0 | 1) => Ok(()),
                _ => illegal("there are two sides"),
            }
        }
        fn step(&mut self, agent: usize, action: usize) -> Result<(), EnvError> {
            self.check_action(agent, action)?;
            self.shown[agent] = Some(action);
            self.rewards = [0.0; 2];
            if let [Some(a), Some(b)] = self.shown {
                let won = if a == b { 1.0 } else { -1.0 };
                self.rewards = if self.fault == Fault::Reward { [2.0, -2.0] } else { [won, -won] };
                (self.shown, self.left) = ([None; 2], self.left.map(|left| left - 1));
                self.coin = self.rng.as_mut().is_some_and(|rng| rng.random_range(0..2) == 1);
            }
            Ok(())
        }
        fn observe(&self, agent: usize, out: &mut [f32]) -> Result<(), EnvError> {
            let left = self.known(agent)?;
            EnvError::check_length("the observation", out.len(), 2)?;
            let seen = self.fault == Fault::Leak && self.shown.iter().any(Option::is_some);
            out.copy_from_slice(&[f32::from(u8::from(self.coin ^ seen)), left as f32 / 5.0]);
            Ok(())
        }
        fn action_mask(&self, agent: usize, out: &mut [bool]) -> Result<(), EnvError> {
            self.known(agent)?;
            EnvError::check_length("the action mask", out.len(), 3)?;
            let wrong = self.fault == Fault::Mask;
            out.iter_mut().enumerate().for_each(|(action, out)| {
                *out = self.check_action(agent, action).is_ok() || wrong && self.acting().contains(agent);
            });
            Ok(())
        }
        fn render(&self) -> String {
            format!("{} games left", self.left.unwrap_or(0))
        }
    }

    #[test]
    fn a_sound_environment_passes_and_every_fault_is_found() {
        let report = check_multi_env(&pennies(Fault::None), &[]).unwrap();
        assert_eq!(report.episodes, 20);
        assert!(report.legal > 300 && report.illegal > 1_000, "{report:?}");
        for (fault, words) in [
            (Fault::Leak, "sees what agent 0 did"),
            (Fault::Mask, "was rejected"),
            (Fault::Reward, "outside -1 to 1"),
            (Fault::Seed, "restarts the stream"),
            (Fault::Ends, "after the end"),
            (Fault::Ghost, "nonexistent agent"),
        ] {
            let failure = check_multi_env(&pennies(fault), &[]).expect_err(words).to_string();
            assert!(failure.starts_with("Pennies-v0: ") && failure.contains(words), "{fault:?}: {failure}");
        }
    }

    #[test]
    fn all_at_once_is_turn_by_turn() {
        let (mut together, mut turns) = (super::super::Parallel::new(pennies(Fault::None)), pennies(Fault::None));
        assert_eq!(together.step(&[0, 0]), Err(EnvError::NotReset));
        let mut rounds = 0;
        for episode in 0..20 {
            let seed = (episode == 0).then(|| StreamSeed::from(9));
            together.reset_stream(seed, &()).unwrap();
            turns.reset_stream(seed, &()).unwrap();
            while !turns.acting().is_empty() {
                assert!(together.step(&[0, 9]).is_err() && together.step(&[0]).is_err());
                let actions = [rounds / 3 % 2, rounds / 2 % 2];
                let mut sums = [0.0; 2];
                for (agent, &action) in actions.iter().enumerate() {
                    turns.step(agent, action).unwrap();
                    sums.iter_mut().zip(turns.rewards()).for_each(|(sum, reward)| *sum += reward);
                }
                assert_eq!(together.step(&actions).unwrap(), sums);
                rounds += 1;
            }
            assert_eq!(together.step(&[0, 0]), Err(EnvError::EpisodeOver));
        }
        assert!(rounds > 20);
    }
}
