//! Sinks for CSV, JSON Lines and timing files.

use super::line_file::LineFile;
use super::{MetricSink, TrainingProgress};
use serde_json::Value;
use std::io;
use std::path::Path;

const CSV_HEADER: &str = "step,hands,name,value\n";
const TIMING_HEADER: &str = "step,seconds\n";

/// Writes `step,hands,name,value` with one value per line. Values have enough digits to be restored exactly.
pub struct CsvSink(LineFile);

/// Writes one JSON object per report, such as `{"step":1,"hands":512,"loss":0.5}`. Non-finite numbers become `null`.
pub struct JsonLinesSink(LineFile);

/// Writes `step,seconds`. This keeps wall-clock time out of the reproducible files.
pub struct TimingSink {
    file: LineFile,
    last: Option<u64>,
}

impl CsvSink {
    /// Creates a file, replacing any older one.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn create(path: &Path) -> io::Result<CsvSink> {
        LineFile::create(path, CSV_HEADER).map(CsvSink)
    }
}

impl MetricSink for CsvSink {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        let mut lines = csv::Writer::from_writer(Vec::new());
        for (name, value) in values {
            let fields = [&progress.step.to_string(), &progress.hands.to_string(), *name, &value.to_string()];
            lines.write_record(fields)?;
        }
        self.0.add(&lines.into_inner().map_err(|error| error.into_error())?)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.sync()
    }
}

impl JsonLinesSink {
    /// Creates a file, replacing any older one.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn create(path: &Path) -> io::Result<JsonLinesSink> {
        LineFile::create(path, "").map(JsonLinesSink)
    }
}

impl MetricSink for JsonLinesSink {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        // Write the object by hand, because a `serde_json` map would sort the names.
        let mut line = format!("{{\"step\":{},\"hands\":{}", progress.step, progress.hands);
        for (name, value) in values {
            line += &format!(",{}:{}", Value::from(*name), Value::from(*value));
        }
        self.0.add((line + "}\n").as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.sync()
    }
}

impl TimingSink {
    /// Creates a file, replacing any older one.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn create(path: &Path) -> io::Result<TimingSink> {
        Ok(TimingSink { file: LineFile::create(path, TIMING_HEADER)?, last: None })
    }
}

impl MetricSink for TimingSink {
    fn scalars(&mut self, progress: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
        if self.last.replace(progress.step) == Some(progress.step) {
            return Ok(());
        }
        self.file.add(format!("{},{:.3}\n", progress.step, progress.seconds).as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Fanout, ProgressSink, training_sinks};
    use std::fs;

    fn at(step: u64) -> TrainingProgress {
        TrainingProgress { step, steps_total: 4, hands: step * 512, seconds: step as f64 / 3.0 }
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
        report(&mut training_sinks(folder.path(), ProgressSink::new("test")).unwrap(), 2..4);
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let csv = "step,hands,name,value\n2,1024,loss,0.5\n2,1024,\"regret, mean\",NaN\n3,1536,loss,0.3333333333333333\n\
                   3,1536,\"regret, mean\",NaN\n";
        assert_eq!(read("metrics.csv"), csv);
        assert_eq!(read("timing.csv"), "step,seconds\n2,0.667\n3,1.000\n");
        let lines = read("metrics.jsonl");
        let line: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
        assert_eq!((line["step"].as_u64(), line["loss"].as_f64()), (Some(3), Some(1.0 / 3.0)));
        assert!(line["regret, mean"].is_null());
        assert!(lines.starts_with("{\"step\":2,\"hands\":1024,\"loss\":0.5,"), "{lines}");
    }

    #[test]
    fn older_files_are_replaced() {
        // A resumed run reports its past again, so its files are the same as without an interruption.
        let (straight, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        report(&mut training_sinks(straight.path(), ProgressSink::new("test")).unwrap(), 1..5);
        report(&mut training_sinks(broken.path(), ProgressSink::new("test")).unwrap(), 1..4);
        report(&mut training_sinks(broken.path(), ProgressSink::new("test")).unwrap(), 1..5);
        for name in ["metrics.csv", "metrics.jsonl", "timing.csv"] {
            let read = |folder: &tempfile::TempDir| fs::read(folder.path().join(name)).unwrap();
            assert_eq!(read(&broken), read(&straight), "{name}");
        }
        assert_eq!(fs::read_dir(broken.path().join("tensorboard")).unwrap().count(), 1);
    }
}
