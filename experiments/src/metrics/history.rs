//! What a training reported, in memory.

use super::{MetricSink, Progress};
use crate::run::cannot_read;
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// All numbers that a training reported: a sink, or read back from the files of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History(Vec<(String, Point)>);

/// One number at one point of a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Steps of the optimiser so far.
    pub step: u64,
    /// Hands seen so far.
    pub hands: u64,
    /// Seconds since the training began; not a number if its file is not there.
    pub seconds: f64,
    /// The number.
    pub value: f64,
}

impl History {
    /// Reads `metrics.csv` and, if it is there, `timing.csv` of a training's folder.
    ///
    /// # Errors
    /// If `metrics.csv` is not there, or one of them is no such table.
    pub fn read(folder: &Path) -> io::Result<History> {
        let timing = folder.join("timing.csv");
        let clock: HashMap<u64, f64> =
            if timing.exists() { rows(&timing)?.into_iter().collect() } else { HashMap::new() };
        let point = |(step, hands, name, value): (u64, u64, String, f64)| {
            let seconds = clock.get(&step).copied().unwrap_or(f64::NAN);
            (name, Point { step, hands, seconds, value })
        };
        Ok(History(rows(&folder.join("metrics.csv"))?.into_iter().map(point).collect()))
    }

    /// The numbers of one name, in the order of the steps.
    pub fn curve(&self, name: &str) -> Vec<Point> {
        self.0.iter().filter(|(of, _)| of == name).map(|&(_, point)| point).collect()
    }

    /// The names, in the order of their first report.
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

/// The rows of a CSV file with a header.
fn rows<R: serde::de::DeserializeOwned>(path: &Path) -> io::Result<Vec<R>> {
    let read = || -> Result<Vec<R>, csv::Error> { csv::Reader::from_path(path)?.into_deserialize().collect() };
    read().map_err(|error| cannot_read(path, error.into()))
}

impl MetricSink for History {
    fn scalars(&mut self, progress: &Progress, values: &[(&str, f64)]) -> io::Result<()> {
        let &Progress { step, hands, seconds, .. } = progress;
        self.0.extend(values.iter().map(|&(name, value)| (name.to_owned(), Point { step, hands, seconds, value })));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Fanout, training_sinks};

    #[test]
    fn files_bring_back_what_memory_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut memory = History::default();
        let mut sinks: Fanout = training_sinks(folder.path(), "test").unwrap();
        sinks.add(&mut memory);
        for step in [1, 10, 100] {
            let progress = Progress { step, steps_total: 100, hands: 64 * step, seconds: step as f64 / 8.0 };
            sinks.scalars(&progress, &[("loss", (step as f64).sin()), ("regret", 1e-17)]).unwrap();
        }
        drop(sinks);
        assert_eq!(History::read(folder.path()).unwrap(), memory);
        assert_eq!(memory.names(), ["loss", "regret"]);
        assert_eq!(memory.curve("regret")[2], Point { step: 100, hands: 6400, seconds: 12.5, value: 1e-17 });
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = History::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("metrics.csv"), "{error}");
        std::fs::write(folder.path().join("metrics.csv"), "step,hands,name,value\n1,2,loss,high\n").unwrap();
        let error = History::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("metrics.csv") && error.contains("line: 2"), "{error}");
    }
}
