//! Where the numbers of a training go.
//!
//! Each sink is a [`MetricSink`], the trait that the training loop reports to; [`Fanout`] passes a report on to several.
//! [`training_sinks`] is the usual set for one training in a folder of its own:
//!
//! | file | what |
//! |---|---|
//! | `metrics.csv` | `step,hands,name,value`, one number a line; repeats byte for byte |
//! | `metrics.jsonl` | the same, one report a line |
//! | `timing.csv` | `step,seconds`: the clock, kept out of the other two |
//! | `tensorboard/` | event files |
//!
//! [`History`] reads them back for plots, and keeps reports in memory as a sink too.

mod fanout;
mod history;
mod line_file;
mod progress;
mod tables;
mod tensorboard;

pub use fanout::Fanout;
pub use history::{History, Point};
pub use houseway_learned::{MetricSink, Progress};
pub use progress::ProgressSink;
pub use tables::{CsvSink, JsonLinesSink, TimingSink};
pub use tensorboard::TensorBoardSink;

use crate::run::{cannot_write, check_writable, make_folder};
use std::io;
use std::path::Path;

/// The usual sinks of one training: its files in `folder`, in place of older ones, and a progress bar with `label`.
///
/// A training that goes on from a checkpoint tells its past again, so the files end as if there had been no break.
///
/// # Errors
/// If the folder cannot be written.
pub fn training_sinks<'a>(folder: &Path, label: &str) -> io::Result<Fanout<'a>> {
    make_folder(folder)?;
    check_writable(folder)?;
    let events = folder.join("tensorboard");
    if events.exists() {
        std::fs::remove_dir_all(&events).map_err(|error| cannot_write(&events, error))?;
    }
    let mut sinks = Fanout::new();
    sinks.add(CsvSink::create(&folder.join("metrics.csv"))?);
    sinks.add(JsonLinesSink::create(&folder.join("metrics.jsonl"))?);
    sinks.add(TimingSink::create(&folder.join("timing.csv"))?);
    sinks.add(TensorBoardSink::create(&events)?);
    sinks.add(ProgressSink::new(label));
    Ok(sinks)
}
