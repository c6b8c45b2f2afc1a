//! The metrics reported by the training loop.
//!
//! The loop reports to a [`MetricSink`] and knows nothing about file formats. Files, TensorBoard and the progress bar
//! are sinks in the `houseway` crate. If a sink fails, for example because the disk is full, training stops and the
//! loop returns the sink's error. The last checkpoint remains usable.
//!
//! ```
//! use houseway_learned::{MetricSink, TrainingProgress};
//! use std::io;
//!
//! /// Keeps the last loss.
//! struct Last(f64);
//!
//! impl MetricSink for Last {
//!     fn scalars(&mut self, _: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
//!         self.0 = values.iter().find(|(name, _)| *name == "loss").map_or(self.0, |(_, value)| *value);
//!         Ok(())
//!     }
//! }
//!
//! let mut sink = Last(f64::NAN);
//! let progress = TrainingProgress { step: 1, steps_total: 10, hands: 512, ..TrainingProgress::default() };
//! sink.scalars(&progress, &[("loss", 0.5)])?;
//! assert_eq!(sink.0, 0.5);
//! # Ok::<(), io::Error>(())
//! ```

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// The progress of a training run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingProgress {
    /// The number of completed optimizer steps.
    pub step: u64,
    /// The total number of steps in the run.
    pub steps_total: u64,
    /// The number of deals (hands, rounds or situations) seen.
    pub hands: u64,
    /// The number of deals settled. A deal of the player's cards is settled once for each deal of the unseen cards.
    pub settled: u64,
    /// The number of rewards that were learned from.
    pub rewards: u64,
    /// The number of gradient steps. Some methods take several of them per optimizer step of the schedule.
    pub updates: u64,
    /// The training time in seconds, including the time before the run was resumed. Must not be written to files that
    /// have to be reproducible byte for byte, and neither must the processor time.
    pub seconds: f64,
    /// The processor time of the process during training in seconds, summed over all threads, or `None` if it is
    /// unknown. Measurements are left out. If a process trains several runs at once, it covers all of them.
    pub processor_seconds: Option<f64>,
}

impl TrainingProgress {
    /// Returns the progress at a step, apart from the numbers of steps.
    pub(crate) fn after(deals: DealTotals, updates: u64, time: TrainingTime) -> TrainingProgress {
        let DealTotals { seen, settled, rewards } = deals;
        let TrainingTime { seconds, processor_seconds } = time;
        let (step, steps_total) = (0, 0);
        TrainingProgress { step, steps_total, hands: seen, settled, rewards, updates, seconds, processor_seconds }
    }
}

/// Returns an explanation of a metric that methods report, or `None` if it isn't known.
pub fn explain_metric(name: &str) -> Option<&'static str> {
    Some(match name {
        "loss" => "the value that training minimizes",
        "reward" => "the result of an episode in training, where some actions are explored",
        "entropy" => "the entropy of the policy, in nats",
        "kl" => "the Kullback-Leibler divergence in a step's last minibatch from the policy that played",
        "clipped" => "the fraction of probability ratios that were clipped in a step's last minibatch",
        "value_error" => "the mean squared error of the critic",
        "clipped_targets" => "the fraction of targets beyond the task's bounds",
        _ => return None,
    })
}

/// The number of deals and rewards used by a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealTotals {
    /// The number of deals (hands, rounds or situations) seen.
    pub seen: u64,
    /// The number of deals settled. If the unseen cards are dealt several times, each of these deals is settled.
    pub settled: u64,
    /// The number of rewards that were learned from. If a reward is averaged over several deals, each of them counts. A
    /// reward counts once even if it is used in several gradient steps, and so does an exact label.
    pub rewards: u64,
}

impl AddAssign for DealTotals {
    fn add_assign(&mut self, other: DealTotals) {
        self.seen += other.seen;
        self.settled += other.settled;
        self.rewards += other.rewards;
    }
}

/// The means of the metrics reported since the last measurement. It is saved in checkpoints, so that a resumed run
/// reports the same means as an uninterrupted one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct IntervalMeans(Vec<(String, f64, u64)>);

impl IntervalMeans {
    /// Adds the values of a step.
    pub(crate) fn add<'a>(&mut self, values: impl IntoIterator<Item = (&'a str, f64)>) {
        for (name, value) in values {
            match self.0.iter_mut().find(|(known, ..)| known == name) {
                Some((_, sum, steps)) => (*sum, *steps) = (*sum + value, *steps + 1),
                None => self.0.push((name.to_owned(), value, 1)),
            }
        }
    }

    /// Returns the mean of each metric over the steps that reported it, and starts a new interval.
    pub(crate) fn take(&mut self) -> Vec<(String, f64)> {
        let mean = |(name, sum, steps): (String, f64, u64)| (name, sum / steps as f64);
        std::mem::take(&mut self.0).into_iter().map(mean).collect()
    }
}

/// A receiver for training metrics. Within one sink, the step never decreases.
pub trait MetricSink {
    /// Records named values at one point in training. Different calls may use different names.
    ///
    /// # Errors
    /// Returns an error if the values cannot be stored. Training should end in that case.
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()>;

    /// Flushes all buffered data at the end of training. Does nothing by default.
    ///
    /// # Errors
    /// Returns an error if the buffered data cannot be stored.
    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Discards everything.
impl MetricSink for () {
    fn scalars(&mut self, _: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
        Ok(())
    }
}

/// The time spent on training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrainingTime {
    /// The time in seconds.
    pub(crate) seconds: f64,
    /// The processor time of all threads of the process in seconds, or `None` if it is unknown.
    pub(crate) processor_seconds: Option<f64>,
}

impl Default for TrainingTime {
    fn default() -> TrainingTime {
        TrainingTime { seconds: 0.0, processor_seconds: Some(0.0) }
    }
}

/// Measures the time since training started, including the time before it was resumed.
pub(crate) struct Stopwatch {
    /// The time before training was resumed.
    before: TrainingTime,
    began: Instant,
    /// The processor time of the process at the start, or `None` if the system doesn't provide it.
    processor_began: Option<ProcessTime>,
    /// The processor time spent on measurements.
    paused: Duration,
}

impl Stopwatch {
    /// Starts to measure. `before` is the time before training was resumed.
    pub(crate) fn resume(before: TrainingTime) -> Stopwatch {
        Stopwatch {
            before,
            began: Instant::now(),
            processor_began: ProcessTime::try_now().ok(),
            paused: Duration::ZERO,
        }
    }

    /// Calls a function without counting its processor time. Batches drawn ahead meanwhile aren't counted either.
    pub(crate) fn pause<T>(&mut self, function: impl FnOnce() -> T) -> T {
        let began = ProcessTime::try_now().ok();
        let result = function();
        self.paused += began.and_then(|began| began.try_elapsed().ok()).unwrap_or_default();
        result
    }

    /// Returns the time spent until now.
    pub(crate) fn time(&self) -> TrainingTime {
        TrainingTime {
            seconds: self.before.seconds + self.began.elapsed().as_secs_f64(),
            processor_seconds: self.processor_seconds(),
        }
    }

    fn processor_seconds(&self) -> Option<f64> {
        let spent = self.processor_began?.try_elapsed().ok()?.saturating_sub(self.paused);
        Some(self.before.processor_seconds? + spent.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn a_mean_is_over_the_steps_that_reported_a_metric() {
        let mut means = IntervalMeans::default();
        means.add([("loss", 1.0), ("kl", 0.5)]);
        means.add([("loss", 2.0)]);
        let text = serde_json::to_string(&means).unwrap();
        let mut means: IntervalMeans = serde_json::from_str(&text).unwrap();
        means.add([("loss", 6.0), ("kl", 1.5)]);
        assert_eq!(means.take(), [("loss".to_owned(), 3.0), ("kl".to_owned(), 1.0)]);
        assert_eq!(means.take(), []);
    }

    /// Keeps the processor busy for some of its time.
    fn work(seconds: f64) {
        let began = ProcessTime::now();
        while began.elapsed().as_secs_f64() < seconds {
            black_box((0..10_000u64).sum::<u64>());
        }
    }

    #[test]
    fn only_training_counts_and_earlier_training_is_added() {
        let before = TrainingTime { seconds: 5.0, processor_seconds: Some(7.0) };
        let mut stopwatch = Stopwatch::resume(before);
        work(0.05);
        let trained = stopwatch.time().processor_seconds.unwrap();
        assert!(trained >= 7.05, "{trained}");
        let measured = stopwatch.pause(|| {
            work(0.2);
            ProcessTime::now()
        });
        // Other tests in this process use the processor too, but not while this one measures.
        let later = stopwatch.time().processor_seconds.unwrap();
        assert!(later >= trained && later - trained <= measured.elapsed().as_secs_f64() + 0.1, "{later} {trained}");
        assert!(stopwatch.time().seconds >= 5.0);
    }
}
