//! Names and seeds in configurations and results.

/// The separator between the training's name and the seed in an agent's name.
const SEED: &str = ", seed ";

/// Returns the name of the agent trained by a configuration with a seed.
pub fn agent_name(training: &str, seed: u64) -> String {
    format!("{training}{SEED}{seed}")
}

/// Splits an agent's name into the name of its training configuration and its seed. Returns `None` for agents that
/// weren't trained by the run.
pub fn split_agent_name(agent: &str) -> Option<(&str, u64)> {
    let (training, seed) = agent.rsplit_once(SEED)?;
    Some((training, seed.parse().ok()?))
}

/// Checks that names can be used as file or folder names.
pub fn check_names<'a>(names: impl IntoIterator<Item = &'a String>) -> Result<(), String> {
    names.into_iter().try_for_each(|name| houseway_env::names::check(name)).map_err(|error| error.to_string())
}

/// Checks the seeds of a configuration with the given number of training runs.
pub fn check_seeds(seeds: &[u64], trainings: usize) -> Result<(), String> {
    if seeds.is_empty() && trainings > 0 {
        return Err("seeds = []: at least one seed is required".to_owned());
    }
    let mut seeds = seeds.to_vec();
    seeds.sort_unstable();
    match seeds.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("seed {} is listed twice; equal seeds produce equal agents", pair[0])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_agents_are_split_into_their_parts() {
        assert_eq!(split_agent_name(&agent_name("all-action", u64::MAX)), Some(("all-action", u64::MAX)));
        for other in ["trump-plaza", "optimum", "ppo, seed x", "ppo, seed -1", ", seed", ""] {
            assert_eq!(split_agent_name(other), None, "{other}");
        }
    }
}
