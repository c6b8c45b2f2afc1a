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

use crate::run::{check_writable, make_folder};
use std::io;
use std::path::Path;

/// The usual sinks of one training: its files in `folder`, and a progress bar with `label`.
///
/// `resume_after` is the step of the checkpoint that the training goes on from; what was written of later steps is
/// dropped, so that the files end as if there had been no break. `None` starts new files.
///
/// # Errors
/// If the folder cannot be written.
pub fn training_sinks<'a>(folder: &Path, label: &str, resume_after: Option<u64>) -> io::Result<Fanout<'a>> {
    make_folder(folder)?;
    check_writable(folder)?;
    let mut sinks = Fanout::new();
    sinks.add(CsvSink::open(&folder.join("metrics.csv"), resume_after)?);
    sinks.add(JsonLinesSink::open(&folder.join("metrics.jsonl"), resume_after)?);
    sinks.add(TimingSink::open(&folder.join("timing.csv"), resume_after)?);
    sinks.add(TensorBoardSink::open(&folder.join("tensorboard"), resume_after)?);
    sinks.add(ProgressSink::new(label));
    Ok(sinks)
}
