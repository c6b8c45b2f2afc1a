//! Sinks for CSV, JSON Lines and timing files.

use super::{MetricSink, TrainingProgress};
use houseway_lab::run::{cannot_write, write_atomic};
use serde_json::Value;
use std::fs::{File, OpenOptions};

use std::io::{self, Write};
use std::path::{Path, PathBuf};

const CSV_HEADER: &str = "step,hands,settled,rewards,updates,name,value\n";
const TIMING_HEADER: &str = "step,seconds,processor_seconds\n";

/// Writes `step,hands,settled,rewards,updates,name,value` with one value per line. Values have enough digits to be
/// restored exactly.
pub struct CsvSink(LineFile);

/// Writes one JSON object per report, such as
/// `{"step":1,"hands":512,"settled":512,"rewards":512,"updates":1,"loss":0.5}`. Non-finite numbers become `null`.
pub struct JsonLinesSink(LineFile);

/// Writes `step,seconds,processor_seconds`. This keeps time out of the reproducible files.
pub struct TimingSink {
    file: LineFile,
    timing: Timing,
    last: Option<u64>,
}

/// The meaning of the processor time of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// It is the processor time of the training run.
    Alone,
    /// It also covers other runs, so it isn't recorded.
    Shared,
}

impl CsvSink {
    /// Creates a file, replacing any older one.
    pub fn create(path: &Path) -> io::Result<CsvSink> {
        LineFile::create(path, CSV_HEADER).map(CsvSink)
    }
}

/// Returns the amounts of training with their names, in the order of the columns.
fn amounts(progress: &TrainingProgress) -> [(&'static str, u64); 5] {
    let &TrainingProgress { step, hands, settled, rewards, updates, .. } = progress;
    [("step", step), ("hands", hands), ("settled", settled), ("rewards", rewards), ("updates", updates)]
}

impl MetricSink for CsvSink {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        let mut lines = csv::Writer::from_writer(Vec::new());
        for (name, value) in values {
            let amounts = amounts(progress).map(|(_, amount)| amount.to_string());
            lines.write_record(amounts.iter().map(String::as_str).chain([*name, &value.to_string()]))?;
        }
        self.0.add(&lines.into_inner().map_err(|error| error.into_error())?)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.sync()
    }
}

impl JsonLinesSink {
    /// Creates a file, replacing any older one.
    pub fn create(path: &Path) -> io::Result<JsonLinesSink> {
        LineFile::create(path, "").map(JsonLinesSink)
    }
}

impl MetricSink for JsonLinesSink {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        // Write the object by hand, because a `serde_json` map would sort the names.
        let amounts = amounts(progress).map(|(name, amount)| (name, Value::from(amount)));
        let values = values.iter().map(|&(name, value)| (name, Value::from(value)));
        let entries = amounts.into_iter().chain(values).map(|(name, value)| format!("{}:{value}", Value::from(name)));
        self.0.add(format!("{{{}}}\n", entries.collect::<Vec<_>>().join(",")).as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.sync()
    }
}

impl TimingSink {
    /// Creates a file, replacing any older one.
    pub fn create(path: &Path, timing: Timing) -> io::Result<TimingSink> {
        Ok(TimingSink { file: LineFile::create(path, TIMING_HEADER)?, timing, last: None })
    }
}

impl MetricSink for TimingSink {
    fn scalars(&mut self, progress: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
        if self.last.replace(progress.step) == Some(progress.step) {
            return Ok(());
        }
        let processor = progress.processor_seconds.filter(|_| self.timing == Timing::Alone);
        let processor = processor.map_or_else(String::new, |seconds| format!("{seconds:.3}"));
        self.file.add(format!("{},{:.3},{processor}\n", progress.step, progress.seconds).as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}

/// A text file opened for appending. Lines are written immediately, so none are lost if the program is stopped.
pub(super) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// Creates a file with the given header, replacing any existing file.
    pub(super) fn create(path: &Path, header: &str) -> io::Result<LineFile> {
        write_atomic(path, header)?;
        let file = OpenOptions::new().append(true).open(path).map_err(|error| cannot_write(path, error))?;
        Ok(LineFile { path: path.to_owned(), file })
    }

    /// Appends complete lines.
    pub(super) fn add(&mut self, lines: &[u8]) -> io::Result<()> {
        self.file.write_all(lines).map_err(|error| cannot_write(&self.path, error))
    }

    /// Syncs the file to disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.file.sync_all().map_err(|error| cannot_write(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Fanout, ProgressSink, training_sinks};
    use std::fs;

    fn at(step: u64) -> TrainingProgress {
        TrainingProgress {
            step,
            steps_total: 4,
            hands: step * 512,
            settled: step * 1024,
            rewards: step * 3000,
            updates: step * 2,
            seconds: step as f64 / 3.0,
            processor_seconds: Some(step as f64 / 2.0),
        }
    }

    fn report(sinks: &mut Fanout, steps: impl Iterator<Item = u64>) {
        for step in steps {
            sinks.scalars(&at(step), &[("loss", 1.0 / step as f64), ("regret, mean", f64::NAN)]).unwrap();
        }
        sinks.finish().unwrap();
    }

    #[test]
    fn tables_contain_every_value() {
        let folder = tempfile::tempdir().unwrap();
        report(&mut training_sinks(folder.path(), Timing::Alone, ProgressSink::new("test")).unwrap(), 2..4);
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let csv = "step,hands,settled,rewards,updates,name,value\n2,1024,2048,6000,4,loss,0.5\n\
                   2,1024,2048,6000,4,\"regret, mean\",NaN\n3,1536,3072,9000,6,loss,0.3333333333333333\n\
                   3,1536,3072,9000,6,\"regret, mean\",NaN\n";
        assert_eq!(read("metrics.csv"), csv);
        assert_eq!(read("timing.csv"), "step,seconds,processor_seconds\n2,0.667,1.000\n3,1.000,1.500\n");
        let lines = read("metrics.jsonl");
        let line: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
        assert_eq!((line["step"].as_u64(), line["loss"].as_f64()), (Some(3), Some(1.0 / 3.0)));
        assert!(line["regret, mean"].is_null());
        let start = "{\"step\":2,\"hands\":1024,\"settled\":2048,\"rewards\":6000,\"updates\":4,\"loss\":0.5,";
        assert!(lines.starts_with(start), "{lines}");
    }

    #[test]
    fn older_files_are_replaced() {
        // A resumed run reports its past again, so its files are the same as without an interruption.
        let (straight, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        report(&mut training_sinks(straight.path(), Timing::Shared, ProgressSink::new("test")).unwrap(), 1..5);
        report(&mut training_sinks(broken.path(), Timing::Shared, ProgressSink::new("test")).unwrap(), 1..4);
        report(&mut training_sinks(broken.path(), Timing::Shared, ProgressSink::new("test")).unwrap(), 1..5);
        for name in ["metrics.csv", "metrics.jsonl", "timing.csv"] {
            let read = |folder: &tempfile::TempDir| fs::read(folder.path().join(name)).unwrap();
            assert_eq!(read(&broken), read(&straight), "{name}");
        }
        let timing = fs::read_to_string(broken.path().join("timing.csv")).unwrap();
        assert!(timing.starts_with("step,seconds,processor_seconds\n1,0.333,\n"), "{timing}");
        assert_eq!(fs::read_dir(broken.path().join("tensorboard")).unwrap().count(), 1);
    }

    #[test]
    fn a_full_disk_gives_a_clear_error() {
        // On Linux, this device is always full.
        let Ok(file) = OpenOptions::new().append(true).open("/dev/full") else { return };
        let error = LineFile { path: "run/metrics.csv".into(), file }.add(b"1\n").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let text = error.to_string();
        assert!(text.contains("run/metrics.csv") && text.contains("free some space"), "{text}");
    }
}
