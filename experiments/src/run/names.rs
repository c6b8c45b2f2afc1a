//! Validates names and seeds in configurations.

/// Checks that names can be used as file or folder names.
///
/// # Errors
/// Returns the same errors as [`houseway_env::names::check`].
pub fn check_names<'a>(names: impl IntoIterator<Item = &'a String>) -> Result<(), String> {
    names.into_iter().try_for_each(|name| houseway_env::names::check(name)).map_err(|error| error.to_string())
}

/// Checks the seeds of a configuration with the given number of training runs.
///
/// # Errors
/// Returns an error if there are training runs but no seeds, or if a seed is repeated.
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
