//! The time spent on training.

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

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
