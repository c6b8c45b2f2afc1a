//! The metrics of training runs, as read from their files.

use crate::columns::read_csv;
use serde::Deserialize;
use std::collections::HashMap;
use std::io;
use std::path::Path;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricHistory(Vec<(String, Point)>);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub step: u64,
    pub hands: u64,
    /// The number of deals settled. Like the next two, this is `None` for runs of versions that didn't record it.
    pub settled: Option<u64>,
    pub rewards: Option<u64>,
    pub updates: Option<u64>,
    /// The number of seconds since training started, or `None` if `timing.csv` is missing.
    pub seconds: Option<f64>,
    /// The processor time in seconds, or `None` if it wasn't recorded.
    pub processor_seconds: Option<f64>,
    pub value: f64,
}

#[derive(Deserialize)]
struct MetricRow {
    step: u64,
    hands: u64,
    settled: Option<u64>,
    rewards: Option<u64>,
    updates: Option<u64>,
    name: String,
    value: f64,
}

#[derive(Clone, Copy, Deserialize)]
struct TimingRow {
    step: u64,
    seconds: f64,
    processor_seconds: Option<f64>,
}

impl MetricHistory {
    /// Reads `metrics.csv` and, if present, `timing.csv` from the folder of a training run.
    pub fn read(folder: &Path) -> io::Result<MetricHistory> {
        let timing: Vec<TimingRow> = match read_csv(folder, "timing.csv") {
            Err(error) if error.kind() == io::ErrorKind::NotFound => vec![],
            timing => timing?,
        };
        let clock: HashMap<u64, TimingRow> = timing.into_iter().map(|row| (row.step, row)).collect();
        let point = |row: MetricRow| {
            let MetricRow { step, hands, settled, rewards, updates, name, value } = row;
            let time = clock.get(&step);
            let seconds = time.map(|time| time.seconds);
            let processor_seconds = time.and_then(|time| time.processor_seconds);
            (name, Point { step, hands, settled, rewards, updates, seconds, processor_seconds, value })
        };
        Ok(MetricHistory(read_csv(folder, "metrics.csv")?.into_iter().map(point).collect()))
    }

    pub fn add(&mut self, name: &str, point: Point) {
        self.0.push((name.to_owned(), point));
    }

    /// Returns the values of a metric in step order.
    pub fn curve(&self, name: &str) -> Vec<Point> {
        self.0.iter().filter(|(of, _)| of == name).map(|&(_, point)| point).collect()
    }

    /// Returns the last point of any metric, or `None` if there is none.
    pub fn last(&self) -> Option<Point> {
        self.0.iter().map(|&(_, point)| point).max_by_key(|point| point.step)
    }

    /// Returns the names of the metrics that were reported at a step, in the order of the report.
    pub fn at(&self, step: u64) -> Vec<&str> {
        self.0.iter().filter(|(_, point)| point.step == step).map(|(name, _)| name.as_str()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_earlier_versions_are_read() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("metrics.csv"), "step,hands,name,value\n3,192,loss,0.5\n").unwrap();
        let point = |seconds| Point {
            step: 3,
            hands: 192,
            settled: None,
            rewards: None,
            updates: None,
            seconds,
            processor_seconds: None,
            value: 0.5,
        };
        let read = || MetricHistory::read(folder.path()).unwrap().curve("loss");
        assert_eq!(read(), [point(None)]);
        std::fs::write(folder.path().join("timing.csv"), "step,seconds\n3,1.25\n").unwrap();
        assert_eq!(read(), [point(Some(1.25))]);
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
