//! Checks of names and seeds in a configuration.

/// Checks names that become names of folders or files.
///
/// # Errors
/// If one has characters other than letters, digits, `-` and `_`.
pub fn check_names<'a>(names: impl IntoIterator<Item = &'a String>) -> Result<(), String> {
    let plain = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    match names.into_iter().find(|name| !plain(name)) {
        Some(name) => {
            Err(format!("invalid name \"{name}\": it becomes a file's name; use letters, digits, - and _ only"))
        }
        None => Ok(()),
    }
}

/// Checks the seeds of trainings, of which there are `trainings`.
///
/// # Errors
/// If there is nothing to train with, or a seed is given twice.
pub fn check_seeds(seeds: &[u64], trainings: usize) -> Result<(), String> {
    if seeds.is_empty() && trainings > 0 {
        return Err("seeds = []: name one seed or more".to_owned());
    }
    let mut seeds = seeds.to_vec();
    seeds.sort_unstable();
    match seeds.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("seed {} is given twice; a seed gives the same agent each time", pair[0])),
        None => Ok(()),
    }
}
