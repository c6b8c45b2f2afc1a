//! Writes event files for TensorBoard.
//!
//! Records and summaries are encoded with `tensorboard-rs`, but the crate's writer isn't used because it panics when
//! the disk is full and lets two writers share a file if they start in the same second. Event files contain wall-clock
//! time, so they are never reproducible.

use super::{MetricSink, TrainingProgress};
use houseway_lab::run::{cannot_write, make_folder};
use protobuf::Message;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tensorboard_proto::event::Event;
use tensorboard_proto::summary::{Summary, Summary_Value, SummaryMetadata, SummaryMetadata_PluginData};
use tensorboard_proto::tensor::TensorProto;
use tensorboard_proto::tensor_shape::{TensorShapeProto, TensorShapeProto_Dim};
use tensorboard_proto::types::DataType;
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary;

/// Writes texts and scalars to an event file by step. Each training run needs its own folder because TensorBoard treats
/// a folder as one run.
pub struct TensorBoardSink {
    path: PathBuf,
    records: RecordWriter<BufWriter<File>>,
    step: u64,
}

impl TensorBoardSink {
    /// Creates an event file in `folder`.
    pub fn create(folder: &Path) -> io::Result<TensorBoardSink> {
        make_folder(folder)?;
        let (path, file) = new_file(folder)?;
        let mut sink = TensorBoardSink { path, records: RecordWriter::new(BufWriter::new(file)), step: 0 };
        let mut version = Event::new();
        version.set_file_version("brain.Event:2".to_owned());
        sink.write(version)?;
        sink.flush()?;
        Ok(sink)
    }

    fn write(&mut self, mut event: Event) -> io::Result<()> {
        event.set_wall_time(now().as_secs_f64());
        event.set_step(self.step.try_into().unwrap_or(i64::MAX));
        let record = event.write_to_bytes().map_err(io::Error::other)?;
        self.records.write(&record).map_err(|error| cannot_write(&self.path, error))
    }

    fn summary(&mut self, summary: Summary) -> io::Result<()> {
        let mut event = Event::new();
        event.set_summary(summary);
        self.write(event)
    }

    fn flush(&mut self) -> io::Result<()> {
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

fn now() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Encodes a text for TensorBoard's text page, as a tensor with one string.
fn text_summary(name: &str, text: &str) -> Summary {
    let mut plugin = SummaryMetadata_PluginData::new();
    plugin.set_plugin_name("text".to_owned());
    let mut metadata = SummaryMetadata::new();
    metadata.set_plugin_data(plugin);
    let mut dimension = TensorShapeProto_Dim::new();
    dimension.set_size(1);
    let mut shape = TensorShapeProto::new();
    shape.mut_dim().push(dimension);
    let mut tensor = TensorProto::new();
    tensor.set_dtype(DataType::DT_STRING);
    tensor.set_tensor_shape(shape);
    tensor.mut_string_val().push(text.as_bytes().to_vec());
    let mut value = Summary_Value::new();
    value.set_tag(format!("{name}/text_summary"));
    value.set_metadata(metadata);
    value.set_tensor(tensor);
    let mut summary = Summary::new();
    summary.mut_value().push(value);
    summary
}

impl MetricSink for TensorBoardSink {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        self.step = progress.step;
        for &(name, value) in values {
            self.summary(summary::scalar(name, value as f32))?;
        }
        self.flush()
    }

    fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.summary(text_summary(name, text))?;
        self.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
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

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    #[test]
    fn concurrent_writers_use_separate_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = TensorBoardSink::create(folder.path()).unwrap();
        let mut second = TensorBoardSink::create(folder.path()).unwrap();
        first.text("config", "seed = 1").unwrap();
        first
            .scalars(&TrainingProgress { step: 5, ..TrainingProgress::default() }, &[("loss", 0.5), ("regret", 0.25)])
            .unwrap();
        second.scalars(&TrainingProgress { step: 8, ..TrainingProgress::default() }, &[("loss", 0.125)]).unwrap();
        let files = files(folder.path());
        assert_eq!(files.len(), 2);
        let (first, second) = (events(&files[0]), events(&files[1]));
        assert_eq!(first[0].get_file_version(), "brain.Event:2");
        let text = &first[1].get_summary().get_value()[0];
        assert_eq!(
            (text.get_tag(), &text.get_tensor().get_string_val()[0][..]),
            ("config/text_summary", &b"seed = 1"[..])
        );
        let regret = &first[3].get_summary().get_value()[0];
        assert_eq!((first[3].get_step(), regret.get_tag(), regret.get_simple_value()), (5, "regret", 0.25));
        assert_eq!((second[1].get_step(), second.len()), (8, 2));
    }
}
