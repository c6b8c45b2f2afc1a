//! Estimates and their confidence intervals.

use houseway_env::gym::stream;
use rand::RngExt;

/// The scores of a method, with one list of runs per task.
pub type Tasks = Vec<Vec<f64>>;

/// Returns the mean of the scores without the lowest and the highest quarter. The size of a quarter is rounded down.
/// Returns NaN if there are no scores.
pub fn interquartile_mean(tasks: &[Vec<f64>]) -> f64 {
    let mut scores: Vec<f64> = tasks.iter().flatten().copied().collect();
    scores.sort_by(f64::total_cmp);
    let cut = scores.len() / 4;
    mean(&scores[cut..scores.len() - cut])
}

/// Returns the probability that a run of `a` has a lower score than a run of `b` on the same task, averaged over the
/// tasks. Ties count as one half.
pub fn probability_of_improvement(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    assert_eq!(a.len(), b.len(), "methods are compared on the same tasks");
    let points = |a: f64, b: f64| if a < b { 1.0 } else { f64::from(u8::from(a == b)) / 2.0 };
    let of_task = |(a, b): (&Vec<f64>, &Vec<f64>)| {
        let sum: f64 = a.iter().flat_map(|&a| b.iter().map(move |&b| points(a, b))).sum();
        sum / (a.len() * b.len()) as f64
    };
    mean(&a.iter().zip(b).map(of_task).collect::<Vec<_>>())
}

/// Returns the fraction of runs that don't exceed a score, averaged over the tasks.
pub fn profile(tasks: &[Vec<f64>], score: f64) -> f64 {
    let below = |runs: &Vec<f64>| runs.iter().filter(|&&run| run <= score).count() as f64 / runs.len() as f64;
    mean(&tasks.iter().map(below).collect::<Vec<_>>())
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A stratified bootstrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// The number of resamples.
    pub samples: usize,
    /// The seed for the random number generator.
    pub seed: u64,
}

impl Bootstrap {
    /// Returns the 95% interval of a statistic, from the 2.5th to the 97.5th percentile, when each task's runs are
    /// resampled with replacement. Returns `None` if a task has only one run.
    pub fn interval(&self, tasks: &[Vec<f64>], statistic: impl Fn(&[Vec<f64>]) -> f64) -> Option<[f64; 2]> {
        let [interval] = self.intervals(tasks, |tasks| [statistic(tasks)])?;
        Some(interval)
    }

    /// Returns the intervals of several statistics, computed on the same resamples.
    pub fn intervals<const N: usize>(
        &self,
        tasks: &[Vec<f64>],
        statistics: impl Fn(&[Vec<f64>]) -> [f64; N],
    ) -> Option<[[f64; 2]; N]> {
        let intervals = self.all(tasks, |tasks| statistics(tasks).to_vec())?;
        intervals.try_into().ok()
    }

    /// Like [`Bootstrap::intervals`], but the number of statistics is only known at run time.
    pub fn all(&self, tasks: &[Vec<f64>], statistics: impl Fn(&[Vec<f64>]) -> Vec<f64>) -> Option<Vec<[f64; 2]>> {
        if tasks.iter().any(|runs| runs.len() < 2) {
            return None;
        }
        let (mut rng, mut drawn) = (stream(self.seed.into()), tasks.to_vec());
        let mut values: Vec<Vec<f64>> = vec![];
        for _ in 0..self.samples {
            for (drawn, runs) in drawn.iter_mut().zip(tasks) {
                drawn.iter_mut().for_each(|score| *score = runs[rng.random_range(0..runs.len())]);
            }
            let statistics = statistics(&drawn);
            values.resize_with(statistics.len(), Vec::new);
            values.iter_mut().zip(statistics).for_each(|(values, value)| values.push(value));
        }
        let interval = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            [0.025, 0.975].map(|part| quantile(&values, part))
        };
        Some(values.into_iter().map(interval).collect())
    }
}

/// Returns a quantile of sorted values by linear interpolation.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (low, rest) = (place.floor() as usize, place.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + rest * (sorted[high] - sorted[low])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;

    const BOOTSTRAP: Bootstrap = Bootstrap { samples: 20_000, seed: 1 };

    /// The expected values are from `scipy.stats.trim_mean(scores, 0.25)`.
    #[test]
    fn the_interquartile_mean_leaves_out_whole_scores() {
        for (scores, expected) in [
            (vec![3.0], 3.0),
            (vec![9.0, 1.0, 2.0], 4.0),
            (vec![1.0, 100.0, 3.0, 2.0], 2.5),
            (vec![0.5, 0.1, 0.9, 0.3, 0.7, 40.0, -8.0], 0.5),
            (vec![5.0, 1.0, 4.0, 2.0, 3.0, 9.0, 8.0, 7.0, 6.0, 10.0], 5.5),
        ] {
            assert!((interquartile_mean(from_ref(&scores)) - expected).abs() < 1e-12, "{scores:?}");
            let (a, b) = scores.split_at(scores.len() / 2);
            assert!((interquartile_mean(&[a.to_vec(), b.to_vec()]) - expected).abs() < 1e-12, "{scores:?}");
        }
        assert!(interquartile_mean(&[]).is_nan());
    }

    /// The probability is the Mann-Whitney U statistic divided by the number of pairs. The expected values are from
    /// `scipy.stats.mannwhitneyu(b, a).statistic / 12`.
    #[test]
    fn improvement_counts_pairs_and_half_of_the_ties() {
        let (a, b) = (vec![1.0, 2.0, 4.0], vec![2.0, 3.0, 5.0, 0.5]);
        let one = probability_of_improvement(from_ref(&a), from_ref(&b));
        assert_eq!(one, 6.5 / 12.0);
        let other = probability_of_improvement(from_ref(&b), from_ref(&a));
        assert_eq!(one + other, 1.0);
        assert_eq!(probability_of_improvement(&[a.clone(), b.clone()], &[b, a]), 0.5);
        assert_eq!(probability_of_improvement(&[vec![1.0]], &[vec![2.0, 3.0]]), 1.0);
    }

    #[test]
    fn a_profile_is_a_mean_of_distribution_functions() {
        let tasks = [vec![1.0, 2.0, 3.0, 4.0], vec![2.0, 2.0]];
        let fractions = [0.5, 1.0, 2.0, 3.5, 4.0].map(|score| profile(&tasks, score));
        assert_eq!(fractions, [0.0, 0.125, 0.75, 0.875, 1.0]);
    }

    /// Enumerates all resamples of three runs.
    #[test]
    fn intervals_are_the_percentiles_of_all_draws() {
        let (first, second) = ([0.0f64, 1.0, 10.0], [0.0f64, 100.0]);
        let mut means = vec![];
        for draw in 0..27 {
            let sum: f64 = [draw % 3, draw / 3 % 3, draw / 9].iter().map(|&run| first[run]).sum();
            for other in 0..4 {
                means.push((sum + second[other % 2] + second[other / 2]) / 5.0);
            }
        }
        means.sort_by(f64::total_cmp);
        let tasks = [first.to_vec(), second.to_vec()];
        let all = |tasks: &[Vec<f64>]| mean(&tasks.concat());
        let [low, high] = BOOTSTRAP.interval(&tasks, all).unwrap();
        // The percentiles lie within steps of the distribution, each of which has a probability of at least 1/108.
        assert_eq!((low, high), (means[2], means[105]));
        assert!(low < all(&tasks) && all(&tasks) < high);
        // A task with equal runs contributes no uncertainty.
        assert_eq!(BOOTSTRAP.interval(&[vec![7.0; 3], vec![9.0; 3]], all), Some([8.0, 8.0]));
        assert_eq!(BOOTSTRAP.interval(&tasks, all), Some([low, high]));
        assert_eq!(BOOTSTRAP.interval(&[vec![1.0, 2.0], vec![1.0]], all), None);
    }

    #[test]
    fn intervals_cover_the_mean_about_as_often_as_they_say() {
        let mut rng = stream(5.into());
        let covered = (0..400).filter(|&seed| {
            let runs: Vec<f64> = (0..30).map(|_| rng.random_range(-1.0..1.0)).collect();
            let bootstrap = Bootstrap { samples: 300, seed };
            let [low, high] = bootstrap.interval(&[runs], |tasks| mean(&tasks[0])).unwrap();
            low <= 0.0 && 0.0 <= high
        });
        let covered = covered.count();
        assert!((360..395).contains(&covered), "{covered} of 400");
    }

    /// The expected values are from rliable 1.2.0. `aggregate_iqm` and `probability_of_improvement` must match to the
    /// last digit. `get_interval_estimates` uses 20,000 samples from its own generator.
    #[test]
    fn estimates_are_those_of_rliable() {
        let a = [
            vec![0.611, 0.755, 1.122, 0.764, 1.735, 1.151, 2.403, 1.08, 1.17, 1.719],
            vec![2.384, 4.476, 2.523, 3.897, 1.642, 1.827, 0.931, 2.217, 2.646, 1.676],
        ];
        let b = [
            vec![1.09, 2.356, 0.827, 0.622, 0.872, 2.639, 1.519, 1.313, 0.955, 2.764],
            vec![2.84, 1.677, 2.909, 4.492, 2.422, 3.528, 2.972, 5.597, 2.105, 1.884],
        ];
        let near = |found: [f64; 2], expected: [f64; 2], error: f64| {
            let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < error);
            assert!(close, "{found:?} {expected:?}");
        };
        near([interquartile_mean(&a), interquartile_mean(&b)], [1.6643, 2.1519], 1e-12);
        near(BOOTSTRAP.interval(&a, interquartile_mean).unwrap(), [1.3264, 2.0375], 0.02);
        near(BOOTSTRAP.interval(&b, interquartile_mean).unwrap(), [1.6896, 2.6043], 0.02);
        let probability = |both: &[Vec<f64>]| probability_of_improvement(&both[..2], &both[2..]);
        let both = [a, b].concat();
        near([probability(&both), 0.0], [0.63, 0.0], 1e-12);
        near(BOOTSTRAP.interval(&both, probability).unwrap(), [0.444_875, 0.795], 0.01);
    }

    #[test]
    fn quantiles_are_linear_between_values() {
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|part| quantile(&[1.0, 2.0, 4.0], part)), [1.0, 1.5, 2.0, 4.0]);
    }
}
