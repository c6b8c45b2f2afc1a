//! In-memory training metrics.

use super::{MetricSink, TrainingProgress};
use crate::run::cannot_read;
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// All metrics from a training run, either collected as a sink or read from files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricHistory(Vec<(String, Point)>);

/// The value of a metric at one point during training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The number of completed optimizer steps.
    pub step: u64,
    /// The number of hands seen.
    pub hands: u64,
    /// The number of seconds since training started, or NaN if `timing.csv` is missing.
    pub seconds: f64,
    /// The value.
    pub value: f64,
}

impl MetricHistory {
    /// Reads `metrics.csv` and, if present, `timing.csv` from the folder of a training run.
    ///
    /// # Errors
    /// Returns an error if `metrics.csv` is missing or if one of the files is invalid.
    pub fn read(folder: &Path) -> io::Result<MetricHistory> {
        let timing = folder.join("timing.csv");
        let clock: HashMap<u64, f64> =
            if timing.exists() { rows(&timing)?.into_iter().collect() } else { HashMap::new() };
        let point = |(step, hands, name, value): (u64, u64, String, f64)| {
            let seconds = clock.get(&step).copied().unwrap_or(f64::NAN);
            (name, Point { step, hands, seconds, value })
        };
        Ok(MetricHistory(rows(&folder.join("metrics.csv"))?.into_iter().map(point).collect()))
    }

    /// Returns the values of a metric in step order.
    pub fn curve(&self, name: &str) -> Vec<Point> {
        self.0.iter().filter(|(of, _)| of == name).map(|&(_, point)| point).collect()
    }

    /// Returns the names of all metrics in the order they were first reported.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in &self.0 {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}

/// Reads the rows of a CSV file with a header.
fn rows<R: serde::de::DeserializeOwned>(path: &Path) -> io::Result<Vec<R>> {
    let read = || -> Result<Vec<R>, csv::Error> { csv::Reader::from_path(path)?.into_deserialize().collect() };
    read().map_err(|error| cannot_read(path, error.into()))
}

impl MetricSink for MetricHistory {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        let &TrainingProgress { step, hands, seconds, .. } = progress;
        self.0.extend(values.iter().map(|&(name, value)| (name.to_owned(), Point { step, hands, seconds, value })));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Fanout, ProgressSink, training_sinks};

    #[test]
    fn files_and_memory_have_the_same_history() {
        let folder = tempfile::tempdir().unwrap();
        let mut memory = MetricHistory::default();
        let mut sinks: Fanout = training_sinks(folder.path(), ProgressSink::new("test")).unwrap();
        sinks.add(&mut memory);
        for step in [1, 10, 100] {
            let progress = TrainingProgress { step, steps_total: 100, hands: 64 * step, seconds: step as f64 / 8.0 };
            sinks.scalars(&progress, &[("loss", (step as f64).sin()), ("regret", 1e-17)]).unwrap();
        }
        drop(sinks);
        assert_eq!(MetricHistory::read(folder.path()).unwrap(), memory);
        assert_eq!(memory.names(), ["loss", "regret"]);
        assert_eq!(memory.curve("regret")[2], Point { step: 100, hands: 6400, seconds: 12.5, value: 1e-17 });
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = MetricHistory::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("metrics.csv"), "{error}");
        std::fs::write(folder.path().join("metrics.csv"), "step,hands,name,value\n1,2,loss,high\n").unwrap();
        let error = MetricHistory::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("metrics.csv") && error.contains("line: 2"), "{error}");
    }
}
