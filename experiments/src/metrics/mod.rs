//! Sinks for training metrics.
//!
//! Each sink implements [`MetricSink`], the trait that the training loop reports to. A [`Fanout`] combines several
//! sinks. [`training_sinks`] creates the usual sinks for a training run in its own folder:
//!
//! | file | contents |
//! |---|---|
//! | `metrics.csv` | `step,hands,settled,rewards,updates,name,value`, one value per line, reproducible byte for byte |
//! | `metrics.jsonl` | the same data, one report per line |
//! | `timing.csv` | `step,seconds,processor_seconds`, because time is kept out of the other files |
//! | `tensorboard/` | event files |
//!
//! A [`SharedProgress`] shows the progress of several training runs at once. [`MetricHistory`] reads these files for
//! plots.

mod fanout;
mod line_file;
mod progress;
mod shared;
mod tables;
mod tensorboard;

pub use fanout::Fanout;
pub use houseway_lab::metrics::{MetricHistory, Point};
pub use houseway_learned::{MetricSink, TrainingProgress};
pub use progress::ProgressSink;
pub use shared::SharedProgress;
pub use tables::{CsvSink, JsonLinesSink, Timing, TimingSink};
pub use tensorboard::TensorBoardSink;

use houseway_lab::run::{cannot_write, check_writable, make_folder};
use std::io;
use std::path::Path;

/// Creates the usual sinks for a training run. Files are created in `folder`, replacing older ones, and `display` shows
/// the progress. If other runs are trained in this process at the same time, `timing` must be [`Timing::Shared`].
///
/// A run that resumes from a checkpoint reports its past again, so the files are the same as without an interruption.
pub fn training_sinks<'a>(folder: &Path, timing: Timing, display: impl MetricSink + 'a) -> io::Result<Fanout<'a>> {
    make_folder(folder)?;
    check_writable(folder)?;
    let events = folder.join("tensorboard");
    if events.exists() {
        std::fs::remove_dir_all(&events).map_err(|error| cannot_write(&events, error))?;
    }
    let mut sinks = Fanout::new();
    sinks.add(CsvSink::create(&folder.join("metrics.csv"))?);
    sinks.add(JsonLinesSink::create(&folder.join("metrics.jsonl"))?);
    sinks.add(TimingSink::create(&folder.join("timing.csv"), timing)?);
    sinks.add(TensorBoardSink::create(&events)?);
    sinks.add(display);
    Ok(sinks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_contain_what_was_reported() {
        let folder = tempfile::tempdir().unwrap();
        let mut expected = MetricHistory::default();
        let mut sinks = training_sinks(folder.path(), Timing::Alone, ProgressSink::new("test")).unwrap();
        for step in [1, 10, 100] {
            let progress = TrainingProgress {
                step,
                steps_total: 100,
                hands: 64 * step,
                settled: 128 * step,
                rewards: 99 * step,
                updates: 4 * step,
                seconds: step as f64 / 8.0,
                processor_seconds: Some(step as f64 / 4.0),
            };
            let values = [("loss", (step as f64).sin()), ("regret", 1e-17)];
            sinks.scalars(&progress, &values).unwrap();
            for (name, value) in values {
                let point = Point {
                    step,
                    hands: 64 * step,
                    settled: Some(128 * step),
                    rewards: Some(99 * step),
                    updates: Some(4 * step),
                    seconds: Some(step as f64 / 8.0),
                    processor_seconds: Some(step as f64 / 4.0),
                    value,
                };
                expected.add(name, point);
            }
        }
        drop(sinks);
        assert_eq!(MetricHistory::read(folder.path()).unwrap(), expected);
        assert_eq!(expected.names(), ["loss", "regret"]);
    }
}
