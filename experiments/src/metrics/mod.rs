//! Sinks for training metrics.
//!
//! [`TrainingSinks`] receives the reports of a training run and writes them to its folder:
//!
//! | file | contents |
//! |---|---|
//! | `metrics.csv` | `step,hands,settled,rewards,updates,name,value`, one value per line, reproducible byte for byte |
//! | `metrics.jsonl` | the same data, one report per line |
//! | `timing.csv` | `step,seconds,processor_seconds`, because time is kept out of the other files |
//! | `tensorboard/` | event files |
//!
//! It also shows the progress, either of this run alone ([`ProgressSink`]) or of several runs at once
//! ([`SharedProgress`]). [`MetricHistory`] reads these files for plots.

mod progress;

pub use houseway_lab::metrics::{MetricHistory, Point};
pub use houseway_learned::{MetricSink, TrainingProgress};
pub use progress::{ProgressSink, SharedProgress};

use houseway_lab::columns::csv_text;
use houseway_lab::run::{cannot_write, check_writable, make_folder, write_atomic};
use protobuf::Message;
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tensorboard_proto::event::Event;
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary;

const CSV_HEADER: &str = "step,hands,settled,rewards,updates,name,value\n";
const TIMING_HEADER: &str = "step,seconds,processor_seconds\n";

/// The files of a training run and the display of its progress.
///
/// A run that resumes from a checkpoint reports its past again, so the files are the same as without an interruption.
pub struct TrainingSinks<'a> {
    csv: LineFile,
    json: LineFile,
    times: LineFile,
    is_alone: bool,
    last_timed: Option<u64>,
    events: EventFile,
    display: Box<dyn MetricSink + 'a>,
}

impl<'a> TrainingSinks<'a> {
    /// Creates the files in `folder`, replacing older ones. The processor time is only recorded if `is_alone` is true,
    /// because it would also cover other runs that are trained in this process at the same time.
    pub fn create(folder: &Path, is_alone: bool, display: impl MetricSink + 'a) -> io::Result<TrainingSinks<'a>> {
        make_folder(folder)?;
        check_writable(folder)?;
        let events = folder.join("tensorboard");
        make_folder(&events)?;
        for entry in fs::read_dir(&events).map_err(|error| cannot_write(&events, error))? {
            let entry = entry.map_err(|error| cannot_write(&events, error))?;
            if entry.file_name().to_string_lossy().starts_with(EVENTS) {
                fs::remove_file(entry.path()).map_err(|error| cannot_write(&events, error))?;
            }
        }
        Ok(TrainingSinks {
            csv: LineFile::create(folder.join("metrics.csv"), CSV_HEADER)?,
            json: LineFile::create(folder.join("metrics.jsonl"), "")?,
            times: LineFile::create(folder.join("timing.csv"), TIMING_HEADER)?,
            is_alone,
            last_timed: None,
            events: EventFile::create(&events)?,
            display: Box::new(display),
        })
    }

    /// Writes one line per value. Values have enough digits to be restored exactly.
    fn add_csv(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        let row = |(name, value): &(&str, f64)| {
            let amounts = amounts(progress).map(|(_, amount)| amount.to_string());
            amounts.into_iter().chain([(*name).to_owned(), value.to_string()])
        };
        self.csv.add(&csv_text(values.iter().map(row))?)
    }

    /// Writes a JSON object, such as `{"step":1,"hands":512,"settled":512,"rewards":512,"updates":1,"loss":0.5}`.
    /// Non-finite numbers become `null`.
    fn add_json(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        // Write the object by hand, because a `serde_json` map would sort the names.
        let amounts = amounts(progress).map(|(name, amount)| (name, Value::from(amount)));
        let values = values.iter().map(|&(name, value)| (name, Value::from(value)));
        let entries = amounts.into_iter().chain(values).map(|(name, value)| format!("{}:{value}", Value::from(name)));
        self.json.add(format!("{{{}}}\n", entries.collect::<Vec<_>>().join(",")).as_bytes())
    }

    fn add_time(&mut self, progress: &TrainingProgress) -> io::Result<()> {
        if self.last_timed.replace(progress.step) == Some(progress.step) {
            return Ok(());
        }
        let processor = progress.processor_seconds.filter(|_| self.is_alone);
        let processor = processor.map_or_else(String::new, |seconds| format!("{seconds:.3}"));
        self.times.add(format!("{},{:.3},{processor}\n", progress.step, progress.seconds).as_bytes())
    }
}

/// If a file can't be written, the others and the display still receive the report, and the first error is returned.
impl MetricSink for TrainingSinks<'_> {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        let written = [
            self.add_csv(progress, values),
            self.add_json(progress, values),
            self.add_time(progress),
            self.events.add(progress.step, values),
            self.display.scalars(progress, values),
        ];
        written.into_iter().collect()
    }

    fn finish(&mut self) -> io::Result<()> {
        let finished =
            [self.csv.sync(), self.json.sync(), self.times.sync(), self.events.flush(), self.display.finish()];
        finished.into_iter().collect()
    }
}

/// Returns the amounts of training with their names, in the order of the columns.
fn amounts(progress: &TrainingProgress) -> [(&'static str, u64); 5] {
    let &TrainingProgress { step, hands, settled, rewards, updates, .. } = progress;
    [("step", step), ("hands", hands), ("settled", settled), ("rewards", rewards), ("updates", updates)]
}

/// A text file opened for appending. Lines are written immediately, so none are lost if the program is stopped.
struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    fn create(path: PathBuf, header: &str) -> io::Result<LineFile> {
        write_atomic(&path, header)?;
        let file = OpenOptions::new().append(true).open(&path).map_err(|error| cannot_write(&path, error))?;
        Ok(LineFile { path, file })
    }

    fn add(&mut self, lines: &[u8]) -> io::Result<()> {
        self.file.write_all(lines).map_err(|error| cannot_write(&self.path, error))?;
        // A file that was moved with its folder is still open, but the weights would go to a new folder of the old name.
        match self.path.exists() {
            true => Ok(()),
            false => Err(io::Error::other(format!(
                "{} was moved or removed during training; move its folder back and run the same command to resume",
                self.path.display()
            ))),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_all().map_err(|error| cannot_write(&self.path, error))
    }
}

/// An event file for TensorBoard. Each training run needs its own folder because TensorBoard treats a folder as one run.
///
/// Records and summaries are encoded with `tensorboard-rs`, but the crate's writer isn't used because it panics when
/// the disk is full and lets two writers share a file if they start in the same second. Event files contain wall-clock
/// time, so they are never reproducible.
struct EventFile {
    path: PathBuf,
    records: RecordWriter<BufWriter<File>>,
}

impl EventFile {
    fn create(folder: &Path) -> io::Result<EventFile> {
        let path = folder.join(format!("{EVENTS}{:010}.{}", now().as_secs(), std::process::id()));
        let file = File::create_new(&path).map_err(|error| cannot_write(&path, error))?;
        let mut events = EventFile { path, records: RecordWriter::new(BufWriter::new(file)) };
        let mut version = Event::new();
        version.set_file_version("brain.Event:2".to_owned());
        events.write(0, version)?;
        events.flush()?;
        Ok(events)
    }

    fn write(&mut self, step: u64, mut event: Event) -> io::Result<()> {
        event.set_wall_time(now().as_secs_f64());
        event.set_step(step.try_into().unwrap_or(i64::MAX));
        let record = event.write_to_bytes().map_err(io::Error::other)?;
        self.records.write(&record).map_err(|error| cannot_write(&self.path, error))
    }

    fn add(&mut self, step: u64, values: &[(&str, f64)]) -> io::Result<()> {
        for &(name, value) in values {
            let mut event = Event::new();
            event.set_summary(summary::scalar(name, value as f32));
            self.write(step, event)?;
        }
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.records.flush().map_err(|error| cannot_write(&self.path, error))
    }
}

/// The start of the names of event files, by which TensorBoard finds them.
const EVENTS: &str = "events.out.tfevents.";

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn create(folder: &Path, is_alone: bool) -> TrainingSinks<'static> {
        TrainingSinks::create(folder, is_alone, ProgressSink::new("test")).unwrap()
    }

    fn report(mut sinks: TrainingSinks<'_>, steps: impl Iterator<Item = u64>) {
        for step in steps {
            sinks.scalars(&at(step), &[("loss", 1.0 / step as f64), ("regret, mean", f64::NAN)]).unwrap();
        }
        sinks.finish().unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_moved_folder_ends_the_training() {
        let parent = tempfile::tempdir().unwrap();
        let (folder, moved) = (parent.path().join("run"), parent.path().join("moved"));
        let mut sinks = create(&folder, true);
        sinks.scalars(&at(1), &[("loss", 0.5)]).unwrap();
        fs::rename(&folder, &moved).unwrap();
        let error = sinks.scalars(&at(2), &[("loss", 0.5)]).unwrap_err().to_string();
        assert!(error.contains("metrics.csv was moved or removed"), "{error}");
        fs::rename(&moved, &folder).unwrap();
        sinks.scalars(&at(3), &[("loss", 0.5)]).unwrap();
    }

    #[test]
    fn tables_contain_every_value() {
        let folder = tempfile::tempdir().unwrap();
        report(create(folder.path(), true), 2..4);
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
    fn a_history_contains_what_was_reported() {
        let folder = tempfile::tempdir().unwrap();
        let (mut expected, mut sinks) = (MetricHistory::default(), create(folder.path(), true));
        for step in [1, 10, 100] {
            let progress = TrainingProgress { seconds: step as f64 / 8.0, ..at(step) };
            let values = [("loss", (step as f64).sin()), ("regret", 1e-17)];
            sinks.scalars(&progress, &values).unwrap();
            for (name, value) in values {
                let point = Point {
                    step,
                    hands: progress.hands,
                    settled: Some(progress.settled),
                    rewards: Some(progress.rewards),
                    updates: Some(progress.updates),
                    seconds: Some(progress.seconds),
                    processor_seconds: progress.processor_seconds,
                    value,
                };
                expected.add(name, point);
            }
        }
        drop(sinks);
        assert_eq!(MetricHistory::read(folder.path()).unwrap(), expected);
        assert_eq!(expected.names(), ["loss", "regret"]);
    }

    #[test]
    fn older_files_are_replaced() {
        // A resumed run reports its past again, so its files are the same as without an interruption.
        let (straight, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        report(create(straight.path(), false), 1..5);
        report(create(broken.path(), false), 1..4);
        report(create(broken.path(), false), 1..5);
        for name in ["metrics.csv", "metrics.jsonl", "timing.csv"] {
            let read = |folder: &tempfile::TempDir| fs::read(folder.path().join(name)).unwrap();
            assert_eq!(read(&broken), read(&straight), "{name}");
        }
        let timing = fs::read_to_string(broken.path().join("timing.csv")).unwrap();
        assert!(timing.starts_with("step,seconds,processor_seconds\n1,0.333,\n"), "{timing}");
        assert_eq!(fs::read_dir(broken.path().join("tensorboard")).unwrap().count(), 1);
    }

    #[test]
    fn a_full_disk_gives_a_clear_error_and_the_other_files_are_written() {
        // On Linux, this device is always full.
        let Ok(file) = OpenOptions::new().append(true).open("/dev/full") else { return };
        let folder = tempfile::tempdir().unwrap();
        let mut sinks = create(folder.path(), true);
        sinks.csv = LineFile { path: "run/metrics.csv".into(), file };
        let error = sinks.scalars(&at(1), &[("loss", 0.5)]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let text = error.to_string();
        assert!(text.contains("run/metrics.csv") && text.contains("free some space"), "{text}");
        for name in ["metrics.jsonl", "timing.csv"] {
            assert!(fs::read_to_string(folder.path().join(name)).unwrap().contains('1'), "{name}");
        }
    }

    /// Parses the events in a file. Each record consists of a length, a checksum, the contents and another checksum.
    fn events(path: &Path) -> Vec<Event> {
        let bytes = fs::read(path).unwrap();
        let mut rest = &bytes[..];
        let mut events = Vec::new();
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            events.push(Event::parse_from_bytes(&rest[12..12 + length]).unwrap());
            rest = &rest[16 + length..];
        }
        events
    }

    #[test]
    fn event_files_contain_every_value() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = EventFile::create(folder.path()).unwrap();
        file.add(5, &[("loss", 0.5), ("regret", 0.25)]).unwrap();
        // Two writers never share a file.
        assert!(EventFile::create(folder.path()).is_err() || fs::read_dir(folder.path()).unwrap().count() == 2);
        let events = events(&file.path);
        assert_eq!((events[0].get_file_version(), events.len()), ("brain.Event:2", 3));
        let regret = &events[2].get_summary().get_value()[0];
        assert_eq!((events[2].get_step(), regret.get_tag(), regret.get_simple_value()), (5, "regret", 0.25));
    }
}
