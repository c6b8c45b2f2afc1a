//! Writes event files for TensorBoard.
//!
//! Records and summaries are encoded with `tensorboard-rs`, but the crate's writer isn't used because it panics when
//! the disk is full and lets two writers share a file if they start in the same second. Event files contain wall-clock
//! time, so they are never reproducible.

use houseway_lab::run::{cannot_write, make_folder};
use protobuf::Message;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tensorboard_proto::event::Event;
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary;

/// An event file. Each training run needs its own folder because TensorBoard treats a folder as one run.
pub struct EventFile {
    path: PathBuf,
    records: RecordWriter<BufWriter<File>>,
}

impl EventFile {
    pub fn create(folder: &Path) -> io::Result<EventFile> {
        make_folder(folder)?;
        let (path, file) = new_file(folder)?;
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

    pub fn add(&mut self, step: u64, values: &[(&str, f64)]) -> io::Result<()> {
        for &(name, value) in values {
            let mut event = Event::new();
            event.set_summary(summary::scalar(name, value as f32));
            self.write(step, event)?;
        }
        self.flush()
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.records.flush().map_err(|error| cannot_write(&self.path, error))
    }
}

/// Creates the first unused event file for this second and process.
fn new_file(folder: &Path) -> io::Result<(PathBuf, File)> {
    for number in 0.. {
        let name = format!("events.out.tfevents.{:010}.{}.{number}", now().as_secs(), std::process::id());
        let path = folder.join(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot_write(&path, error)),
        }
    }
    unreachable!("some number is unused")
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
    fn concurrent_writers_use_separate_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = EventFile::create(folder.path()).unwrap();
        let mut second = EventFile::create(folder.path()).unwrap();
        first.add(5, &[("loss", 0.5), ("regret", 0.25)]).unwrap();
        second.add(8, &[("loss", 0.125)]).unwrap();
        let mut files: Vec<PathBuf> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert_eq!(files.len(), 2);
        let (first, second) = (events(&files[0]), events(&files[1]));
        assert_eq!(first[0].get_file_version(), "brain.Event:2");
        let regret = &first[2].get_summary().get_value()[0];
        assert_eq!((first[2].get_step(), regret.get_tag(), regret.get_simple_value()), (5, "regret", 0.25));
        assert_eq!((second[1].get_step(), second.len()), (8, 2));
    }
}
