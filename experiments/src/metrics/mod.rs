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

mod progress;
mod shared;
mod tables;
mod tensorboard;

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

/// A sink that forwards every report to several others. If some of them fail, the remaining ones still receive the
/// report, and the first error is returned.
#[derive(Default)]
pub struct Fanout<'a>(Vec<Box<dyn MetricSink + 'a>>);

impl<'a> Fanout<'a> {
    /// Creates a fanout without any sinks.
    pub fn new() -> Fanout<'a> {
        Fanout::default()
    }

    /// Adds a sink, or a `&mut` reference to a sink that will be read afterwards.
    pub fn add(&mut self, sink: impl MetricSink + 'a) {
        self.0.push(Box::new(sink));
    }

    fn each(&mut self, mut report: impl FnMut(&mut dyn MetricSink) -> io::Result<()>) -> io::Result<()> {
        let mut first = Ok(());
        for sink in &mut self.0 {
            let result = report(sink.as_mut());
            first = first.and(result);
        }
        first
    }
}

impl MetricSink for Fanout<'_> {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        self.each(|sink| sink.scalars(progress, values))
    }

    fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.each(|sink| sink.text(name, text))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.each(|sink| sink.finish())
    }
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

    /// A sink that counts its reports.
    #[derive(Default)]
    struct Counter(usize);

    impl MetricSink for Counter {
        fn scalars(&mut self, _: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
            self.0 += 1;
            Ok(())
        }
    }

    /// A sink whose disk is full.
    struct Full(&'static str);

    impl MetricSink for Full {
        fn scalars(&mut self, _: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
            Err(io::Error::new(io::ErrorKind::StorageFull, self.0))
        }
    }

    #[test]
    fn a_failing_sink_does_not_affect_the_others() {
        let mut counter = Counter::default();
        let mut sinks = Fanout::new();
        sinks.add(Full("first"));
        sinks.add(Full("second"));
        sinks.add(&mut counter);
        let error = sinks.scalars(&TrainingProgress::default(), &[("loss", 1.0)]).unwrap_err();
        assert_eq!(error.to_string(), "first");
        drop(sinks);
        assert_eq!(counter.0, 1);
    }
}
