//! Checks that environments satisfy the [`Env`] and [`MultiEnv`] contracts.

use super::{AgentSet, AgentStatus, BoxSpace, DEFAULT_SEED, Env, EnvError, EnvSpec, MultiEnv, StreamSeed};

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

/// Plays an environment with each set of options and checks the [`Env`] contract. The checks are those of
/// [`check_multi_env`] for a single agent. In addition, episodes don't exceed the maximum number of steps under any
/// options, observations don't change if the environment says that they never do, and the rewards of all actions are
/// finite and, for the actions played, add up to the reward of the episode.
///
/// # Errors
/// Returns the first violation found.
pub fn check_env(env: &dyn Env, options: &[&str]) -> Result<CheckReport, String> {
    let stays = env.observation_stays();
    let check = Check { seeds: 20, episodes: 3, is_alone: true, stays, report: CheckReport::default() };
    let report = check.run(&Alone::new(env), options)?;
    for options in std::iter::once(None).chain(options.iter().copied().map(Some)) {
        check_action_rewards(env.boxed_clone(), options).map_err(|broken| format!("{}: {broken}", env.spec().id))?;
    }
    Ok(report)
}

/// Plays an environment with each set of options and checks the following parts of the [`MultiEnv`] contract:
///
/// - A seed reproduces the same episodes bit for bit, and different seeds lead to different episodes. A reset without a
///   seed continues the stream, except that the first one uses [`DEFAULT_SEED`].
/// - In every state, the masks are `true` for exactly the actions that a step on a clone accepts. Acting agents have at
///   least one legal action, and all other agents have none. Rejected actions don't change the state.
/// - Agents that act simultaneously don't see each other's actions, and the actions don't affect which actions are
///   legal for the others.
/// - Observations lie within their space. Rewards are finite and, under the default options, within their range, and
///   episodes don't exceed the maximum number of steps. Every agent is terminated or truncated at the end.
/// - Calls before the first reset, after the end of an episode, for nonexistent agents, or with slices of the wrong
///   length return errors.
/// - Clones are independent.
///
/// # Errors
/// Returns the first violation found.
pub fn check_multi_env<E: MultiEnv>(env: &E, options: &[&str]) -> Result<CheckReport, String> {
    Check { seeds: 10, episodes: 2, is_alone: false, stays: false, report: CheckReport::default() }.run(env, options)
}

fn ensure(holds: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(broken()) }
}

/// Chooses one of the legal actions. The choice is arbitrary but only depends on the mask and the step number.
fn choose(mask: &[bool], step: usize) -> Option<usize> {
    let legal = mask.iter().filter(|&&legal| legal).count();
    mask.iter().enumerate().filter(|&(_, &legal)| legal).nth((step * 7 + 3) % legal.max(1)).map(|(action, _)| action)
}

/// Everything that the agents see in a state.
#[derive(PartialEq)]
struct Look {
    /// The bits of the observations.
    observations: Vec<Vec<u32>>,
    masks: Vec<Vec<bool>>,
    rewards: Vec<f64>,
    status: Vec<AgentStatus>,
}

fn look<E: MultiEnv>(env: &E) -> Result<Look, String> {
    let (space, actions) = (env.observation_space(), env.actions());
    let mut seen = Look { observations: vec![], masks: vec![], rewards: env.rewards().to_vec(), status: vec![] };
    for agent in 0..env.agents() {
        let (mut observation, mut mask) = (vec![f32::NAN; space.len()], vec![false; actions]);
        env.observe(agent, &mut observation).map_err(|error| format!("observe in play: {error}"))?;
        env.action_mask(agent, &mut mask).map_err(|error| format!("action_mask in play: {error}"))?;
        ensure(space.contains(&observation), || format!("observation outside its space: {observation:?}"))?;
        seen.observations.push(observation.into_iter().map(f32::to_bits).collect());
        seen.masks.push(mask);
        seen.status.push(env.status(agent).map_err(|error| format!("status in play: {error}"))?);
    }
    Ok(seen)
}

/// Plays two episodes and returns everything that was visible. The second episode is reset without a seed.
fn trace<E: MultiEnv>(env: &mut E, seed: Option<u64>, options: Option<&str>) -> Result<Vec<Look>, String> {
    let mut trace = vec![];
    for seed in [seed, None] {
        env.reset(seed, options).map_err(|error| format!("reset: {error}"))?;
        for step in 0.. {
            let seen = look(env)?;
            let Some(agent) = env.selection() else {
                trace.push(seen);
                break;
            };
            let action = choose(&seen.masks[agent], step).ok_or("no action is legal for an acting agent")?;
            trace.push(seen);
            env.step(agent, action).map_err(|error| format!("a legal action was rejected: {error}"))?;
        }
    }
    Ok(trace)
}

/// Checks the id, the rules hash, the spaces and an environment that has not been reset. Does nothing else if an episode
/// is already in progress.
fn check_before_reset<E: MultiEnv>(env: &E) -> Result<(), String> {
    let (len, actions, agents) = (env.observation_space().len(), env.actions(), env.agents());
    ensure(len > 0 && actions > 0, || "a space is empty".to_owned())?;
    ensure(!env.rules_hash().is_empty(), || "the rules hash is empty".to_owned())?;
    let (name, version) = env.spec().id.split_once("-v").unwrap_or_default();
    ensure(!name.is_empty() && version.parse::<u32>().is_ok(), || "the id is not of the form Name-v0".to_owned())?;
    ensure((1..=64).contains(&agents), || format!("expected 1 to 64 agents, found {agents}"))?;
    if env.status(0).is_ok() {
        return Ok(());
    }
    let calls = [
        ("observe", env.observe(0, &mut vec![0.0; len])),
        ("action_mask", env.action_mask(0, &mut vec![false; actions])),
        ("status", env.status(0).map(|_| ())),
        ("check_action", env.check_action(0, 0)),
        ("step", env.clone().step(0, 0)),
    ];
    for (name, result) in calls {
        ensure(result == Err(EnvError::NotReset), || format!("{name} before the reset returned {result:?}"))?;
    }
    ensure(env.acting().is_empty(), || "an agent is acting before the reset".to_owned())?;
    let first = trace(&mut env.clone(), None, None)?;
    ensure(first == trace(&mut env.clone(), Some(DEFAULT_SEED), None)?, || {
        "a first reset without a seed does not use the default seed".to_owned()
    })
}

/// Checks slices of the wrong length and agents that don't exist.
fn check_calls<E: MultiEnv>(env: &E, is_alone: bool) -> Result<(), String> {
    let (observation, mask, agents) = (env.observation_space().len(), env.actions(), env.agents());
    for wrong in [-1, 1] {
        let wrong = |right: usize| right.saturating_add_signed(wrong);
        let result = env.observe(0, &mut vec![0.0; wrong(observation)]);
        ensure(matches!(result, Err(EnvError::Length { .. })), || format!("observe with a wrong length: {result:?}"))?;
        let result = env.action_mask(0, &mut vec![false; wrong(mask)]);
        ensure(matches!(result, Err(EnvError::Length { .. })), || format!("mask with a wrong length: {result:?}"))?;
    }
    if is_alone {
        return Ok(());
    }
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

/// Checks that the actions of simultaneously acting agents don't change the observations and masks of the others until
/// all of them have acted.
fn check_sealed<E: MultiEnv>(env: &E, before: &Look, step: usize) -> Result<(), String> {
    let mut clone = env.clone();
    let acting = env.acting();
    for agent in acting.iter() {
        let Some(action) = choose(&before.masks[agent], step + agent) else { continue };
        clone.step(agent, action).map_err(|error| format!("acting agent {agent} was rejected: {error}"))?;
        // The game continues once the last of them has acted.
        let left: Vec<usize> = acting.iter().filter(|&other| other > agent).collect();
        if left.is_empty() {
            break;
        }
        let after = look(&clone)?;
        for other in left {
            ensure(clone.acting().contains(other), || format!("agent {other} is no longer acting"))?;
            let same = after.observations[other] == before.observations[other];
            ensure(same && after.masks[other] == before.masks[other], || {
                format!("agent {other} sees what agent {agent} did, although both act simultaneously")
            })?;
        }
    }
    Ok(())
}

/// Plays episodes and checks the rewards of all actions.
fn check_action_rewards(mut env: Box<dyn Env>, options: Option<&str>) -> Result<(), String> {
    let (mut mask, mut rewards) = (vec![false; env.actions()], vec![0.0; env.actions()]);
    for episode in 0..100 {
        env.reset((episode == 0).then_some(3), options).map_err(|error| format!("reset: {error}"))?;
        if !env.has_action_rewards() {
            let result = env.action_rewards(&mut rewards);
            let is_refused = matches!(result, Err(EnvError::NoActionRewards { .. }));
            return ensure(is_refused, || format!("action_rewards without such rewards returned {result:?}"));
        }
        let mut excess = 0.0;
        for step in 0.. {
            rewards.fill(f32::NAN);
            env.action_mask(&mut mask).map_err(|error| format!("action_mask in play: {error}"))?;
            env.action_rewards(&mut rewards).map_err(|error| format!("action_rewards in play: {error}"))?;
            ensure(rewards.iter().all(|reward| reward.is_finite()), || {
                format!("the rewards of all actions aren't finite: {rewards:?}")
            })?;
            let action = choose(&mask, step).ok_or("no action is legal for an acting agent")?;
            let result = env.step(action).map_err(|error| format!("a legal action was rejected: {error}"))?;
            excess += f64::from(rewards[action]) - result.reward;
            if result.is_last() {
                break;
            }
        }
        ensure(excess.abs() < 1e-3, || {
            format!("the action_rewards of an episode's actions exceed its reward by {excess}")
        })?;
    }
    Ok(())
}

/// A check in progress.
struct Check {
    seeds: u64,
    /// The number of episodes per seed. The first one is reset with the seed, and the others continue its random stream.
    episodes: usize,
    /// True for an environment with a single agent, whose maximum number of steps holds under all options.
    is_alone: bool,
    /// True if the environment says that steps never change its observation.
    stays: bool,
    report: CheckReport,
}

impl Check {
    fn run<E: MultiEnv>(mut self, env: &E, options: &[&str]) -> Result<CheckReport, String> {
        let mut check = || -> Result<(), String> {
            check_before_reset(env)?;
            for options in std::iter::once(None).chain(options.iter().copied().map(Some)) {
                self.check_seeds(env, options)?;
                for seed in 0..self.seeds {
                    let mut env = env.clone();
                    for episode in 0..self.episodes {
                        let seed = (episode == 0).then_some(seed);
                        env.reset(seed, options).map_err(|error| format!("reset with {options:?}: {error}"))?;
                        self.check_episode(&mut env, options.is_none())?;
                    }
                }
            }
            Ok(())
        };
        check().map_err(|broken| format!("{}: {broken}", env.spec().id))?;
        Ok(self.report)
    }

    fn check_seeds<E: MultiEnv>(&self, env: &E, options: Option<&str>) -> Result<(), String> {
        let mut used = env.clone();
        trace(&mut used, Some(99), options)?;
        let (mut different, mut restarted) = (false, true);
        let first = trace(&mut env.clone(), Some(0), options)?;
        for seed in 0..self.seeds {
            let fresh = trace(&mut env.clone(), Some(seed), options)?;
            let again = trace(&mut used, Some(seed), options)?;
            ensure(fresh == again, || format!("seed {seed} does not reproduce its episodes"))?;
            different |= fresh != first;
            let mut clone = used.clone();
            let (went_on, clone_went_on) = (trace(&mut used, None, options)?, trace(&mut clone, None, options)?);
            ensure(went_on == clone_went_on, || "a clone does not continue like its original".to_owned())?;
            // The next episodes of a small game can look like the first ones by chance, but not after every seed.
            restarted &= went_on == fresh;
        }
        ensure(!restarted, || "a reset without a seed restarts the stream".to_owned())?;
        ensure(different, || "all seeds lead to the same episodes".to_owned())
    }

    /// Plays the current episode until it is over and checks every state.
    fn check_episode<E: MultiEnv>(&mut self, env: &mut E, defaults: bool) -> Result<(), String> {
        let (low, high) = env.spec().reward_range;
        for step in 0.. {
            let before = look(env)?;
            check_calls(env, self.is_alone)?;
            self.check_actions(env, &before)?;
            check_sealed(env, &before, step)?;
            ensure(!env.render().is_empty(), || "the rendering is empty".to_owned())?;
            let agent = env.selection().ok_or("no agent is acting during an episode")?;
            let action = choose(&before.masks[agent], step).ok_or("no action is legal for an acting agent")?;
            env.step(agent, action).map_err(|error| format!("a legal action was rejected: {error}"))?;
            let in_range = |reward: &f64| reward.is_finite() && (!defaults || (low..=high).contains(reward));
            ensure(env.rewards().iter().all(in_range), || {
                format!("rewards {:?} are outside {low} to {high}", env.rewards())
            })?;
            let is_limited = defaults || self.is_alone;
            ensure(!is_limited || step < env.spec().max_steps, || "an episode is longer than max_steps".to_owned())?;
            ensure(!self.stays || look(env)?.observations == before.observations, || {
                "a step changed an observation that should stay unchanged".to_owned()
            })?;
            if env.acting().is_empty() {
                break;
            }
        }
        self.report.episodes += 1;
        let end = look(env)?;
        ensure(end.masks.iter().flatten().all(|legal| !legal), || "a mask allows an action after the end".to_owned())?;
        for (agent, status) in end.status.iter().enumerate() {
            ensure(*status != AgentStatus::Active, || format!("agent {agent} is {status:?} after the end"))?;
            for action in 0..=env.actions() {
                let result = env.step(agent, action);
                ensure(result == Err(EnvError::EpisodeOver), || format!("a step after the end returned {result:?}"))?;
            }
        }
        Ok(())
    }

    /// Tries every action of every agent on a clone of the environment, including a few actions that don't exist.
    fn check_actions<E: MultiEnv>(&mut self, env: &E, before: &Look) -> Result<(), String> {
        self.report.states += 1;
        for (agent, mask) in before.masks.iter().enumerate() {
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
                        self.report.legal += 1;
                    }
                    Err(EnvError::IllegalAction { action: named, reason }) => {
                        ensure(!legal, || format!("action {action} of agent {agent} was rejected: {reason}"))?;
                        ensure(named == action && !reason.is_empty(), || {
                            "the error for an illegal action lacks the action or a reason".to_owned()
                        })?;
                        ensure(look(&clone)? == *before, || format!("the rejected action {action} changed the state"))?;
                        self.report.illegal += 1;
                    }
                    Err(error) => return Err(format!("action {action} returned an error: {error}")),
                }
            }
        }
        ensure(look(env)? == *before, || "a step on a clone changed the original".to_owned())
    }
}

/// An environment with a single agent as one with several, so that both are checked alike.
#[derive(Clone)]
struct Alone {
    env: Box<dyn Env>,
    reward: f64,
    /// `None` before the first reset.
    status: Option<AgentStatus>,
}

impl Alone {
    fn new(env: &dyn Env) -> Alone {
        let is_reset = env.observe(&mut vec![0.0; env.observation_space().len()]).is_ok();
        Alone { env: env.boxed_clone(), reward: 0.0, status: is_reset.then_some(AgentStatus::Active) }
    }
}

impl MultiEnv for Alone {
    fn spec(&self) -> EnvSpec {
        self.env.spec()
    }

    fn rules_hash(&self) -> String {
        self.env.rules_hash()
    }

    fn agents(&self) -> usize {
        1
    }

    fn observation_space(&self) -> BoxSpace {
        self.env.observation_space()
    }

    fn actions(&self) -> usize {
        self.env.actions()
    }

    fn check_options(&self, options: Option<&str>) -> Result<(), EnvError> {
        self.env.check_options(options)
    }

    fn reset_stream(&mut self, seed: Option<StreamSeed>, options: Option<&str>) -> Result<(), EnvError> {
        self.env.reset_stream(seed, options)?;
        (self.reward, self.status) = (0.0, Some(AgentStatus::Active));
        Ok(())
    }

    fn acting(&self) -> AgentSet {
        AgentSet(u64::from(self.status == Some(AgentStatus::Active)))
    }

    fn status(&self, _: usize) -> Result<AgentStatus, EnvError> {
        self.status.ok_or(EnvError::NotReset)
    }

    fn rewards(&self) -> &[f64] {
        std::slice::from_ref(&self.reward)
    }

    fn check_action(&self, _: usize, action: usize) -> Result<(), EnvError> {
        self.env.check_action(action)
    }

    fn step(&mut self, _: usize, action: usize) -> Result<(), EnvError> {
        let step = self.env.step(action)?;
        self.reward = step.reward;
        self.status = Some(match (step.terminated, step.truncated) {
            (true, _) => AgentStatus::Terminated,
            (_, true) => AgentStatus::Truncated,
            _ => AgentStatus::Active,
        });
        Ok(())
    }

    fn observe(&self, _: usize, out: &mut [f32]) -> Result<(), EnvError> {
        self.env.observe(out)
    }

    fn action_mask(&self, _: usize, out: &mut [bool]) -> Result<(), EnvError> {
        self.env.action_mask(out)
    }

    fn render(&self) -> String {
        self.env.render()
    }
}

#[cfg(test)]
mod tests;
