//! Episodes written as text for golden files.

use super::{AnyEnv, EnvError};
use std::fmt::Write as _;

/// The maximum number of steps per episode.
const MAX_STEPS: usize = 12;

/// Plays two episodes of up to twelve steps for each seed and writes everything that is visible. The text starts with
/// the specification. For every state, it contains the rendering, the nonzero observation entries, the legal actions,
/// the rewards for all actions (if the game defines them), and the chosen action with its result.
///
/// Actions are chosen based on the mask and the step number only. A changed line therefore means that the meaning of a
/// seed, rule or encoding has changed.
///
/// # Errors
/// Returns [`EnvError::BadOption`] if an option is invalid, or another error if the environment violates the
/// [`Env`](super::Env) contract.
pub fn playthrough(env: &dyn AnyEnv, options: &str, seeds: &[u64]) -> Result<String, EnvError> {
    let mut env = env.boxed_clone();
    let (spec, space) = (env.spec(), env.observation_space());
    let mut text = format!(
        "env {}\nrules hash {}\nreward range {:?}\nmax steps {}\nactions {}\nobservation {:?} low {} high {}\noptions {options}\n",
        spec.id,
        env.rules_hash(),
        spec.reward_range,
        spec.max_steps,
        env.action_space().n(),
        space.shape,
        space.low,
        space.high,
    );
    for &seed in seeds {
        for (episode, reset) in [Some(seed), None].into_iter().enumerate() {
            env.reset(reset, Some(options))?;
            let reset = reset.map_or("none".to_owned(), |seed| seed.to_string());
            let _ = writeln!(text, "\n## reset({reset}), episode {}", episode + 1);
            let mut legal = write_state(env.as_ref(), &mut text)?;
            for step in 0..MAX_STEPS {
                if legal.is_empty() {
                    break;
                }
                let action = legal[(seed as usize * 7 + episode + step * 5) % legal.len()];
                let result = env.step(action)?;
                let end = match (result.terminated, result.truncated) {
                    (false, false) => "",
                    (true, false) => ", terminated",
                    (_, true) => ", truncated",
                };
                let _ = writeln!(text, "step({action}): reward {}{end}", result.reward);
                legal = write_state(env.as_ref(), &mut text)?;
            }
        }
    }
    Ok(text)
}

/// Writes the current state and returns the legal actions.
fn write_state(env: &dyn AnyEnv, text: &mut String) -> Result<Vec<usize>, EnvError> {
    let mut observation = vec![0.0; env.observation_space().len()];
    let mut mask = vec![false; env.action_space().n()];
    env.observe(&mut observation)?;
    env.action_mask(&mut mask)?;
    let entries = observation.iter().enumerate().filter(|(_, entry)| **entry != 0.0);
    let entries: Vec<String> = entries.map(|(place, entry)| format!("{place}:{entry}")).collect();
    let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
    let _ = writeln!(text, "{}\nobservation {}\nlegal {legal:?}", env.render(), entries.join(" "));
    if env.has_action_rewards() && !legal.is_empty() {
        let mut rewards = vec![0.0; mask.len()];
        env.action_rewards(&mut rewards)?;
        let rewards: Vec<String> = legal.iter().map(|&action| rewards[action].to_string()).collect();
        let _ = writeln!(text, "rewards {}", rewards.join(" "));
    }
    Ok(legal)
}
