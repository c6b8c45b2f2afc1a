//! Limits a study's size and estimates its cost. For the limits of a single training run, see
//! [`houseway_learned::limits`]. A sample is limited by
//! [`SampleConfig::MAX_SIZE`](houseway_exact::solver::SampleConfig::MAX_SIZE).

use houseway_lab::run::total_memory;
use houseway_learned::{Cost, TrainConfig};

/// The maximum number of seeds in a study.
pub const MAX_SEEDS: usize = 1_000;

/// The memory in bytes above which a notice is printed.
const MUCH_MEMORY: f64 = 2e9;
/// The processor time in seconds above which a notice is printed.
const MUCH_TIME: f64 = 4.0 * 3600.0;

/// Checks the size of a study, given its named training configurations, the number of seeds for each, and the number of
/// agents that are trained at the same time. Returns an estimate of the required time and memory if they are unusually
/// large.
pub fn check_size(trainings: &[(String, &TrainConfig)], seeds: usize, jobs: usize) -> Result<Option<String>, String> {
    check_size_with(trainings, seeds, jobs, total_memory().map(|bytes| bytes as f64))
}

fn check_size_with(
    trainings: &[(String, &TrainConfig)],
    seeds: usize,
    jobs: usize,
    memory: Option<f64>,
) -> Result<Option<String>, String> {
    if seeds > MAX_SEEDS {
        return Err(format!("seeds: {seeds} seeds; must be at most {MAX_SEEDS}"));
    }
    let mut all = Cost::default();
    for (name, config) in trainings {
        let cost = config.cost();
        let needed = cost.memory * jobs as f64;
        if let Some(memory) = memory.filter(|&memory| needed > memory) {
            let (times, remedy) = match jobs {
                1 => (String::new(), "reduce them"),
                jobs => (format!(", {jobs} at a time,"), "reduce them or choose fewer with --jobs"),
            };
            return Err(format!(
                "{name}: network.width = {}, network.layers = {} and batch = {}{times} need about {} of memory, but \
                 this machine has {}; {remedy}",
                config.network.width,
                config.network.layers,
                config.batch,
                gigabytes(needed),
                gigabytes(memory)
            ));
        }
        all.memory = all.memory.max(needed);
        all.seconds += cost.seconds * seeds as f64;
    }
    let much = all.memory > MUCH_MEMORY || all.seconds > MUCH_TIME;
    Ok(much.then(|| {
        let (memory, time) = (gigabytes(all.memory), duration(all.seconds));
        format!("this study will take roughly {memory} of memory and {time} on one processor core")
    }))
}

fn gigabytes(bytes: f64) -> String {
    format!("{:.1} GB", bytes / 1e9)
}

fn duration(seconds: f64) -> String {
    let hours = seconds / 3600.0;
    if hours < 48.0 { format!("{hours:.1} hours") } else { format!("{:.0} days", hours / 24.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_learned::limits::{MAX_BATCH, MAX_STEPS, MAX_WIDTH};
    use houseway_learned::methods::AllAction;

    #[test]
    fn large_studies_are_announced_and_impossible_ones_refused() {
        let small = TrainConfig::new(AllAction::default());
        let check_jobs = |config: &TrainConfig, seeds, jobs| {
            check_size_with(&[("train.a".to_owned(), config)], seeds, jobs, Some(16e9))
        };
        let check = |config: &TrainConfig, seeds| check_jobs(config, seeds, 1);
        assert_eq!(check(&small, 3), Ok(None));
        assert!(check(&small, 1001).unwrap_err().contains("at most 1000"));
        let endless = TrainConfig { steps: MAX_STEPS, ..small.clone() };
        assert!(check(&endless, 1).unwrap().unwrap().contains("days on one processor core"));
        let mut wide = TrainConfig { batch: MAX_BATCH, ..small };
        wide.network.width = MAX_WIDTH;
        let error = check(&wide, 1).unwrap_err();
        assert!(error.starts_with("train.a: network.width = 8192") && error.contains("16.0 GB"), "{error}");
        let small = TrainConfig::new(AllAction::default());
        assert_eq!(check_jobs(&small, 3, 4), Ok(None));
        let error = check_jobs(&small, 3, 1_000_000).unwrap_err();
        assert!(error.contains("1000000 at a time") && error.contains("--jobs"), "{error}");
    }
}
