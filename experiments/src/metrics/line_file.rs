//! A text file that grows by lines and can be cut back to a checkpoint.

use crate::run::{cannot_read, cannot_write, write_atomic};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A text file open for more lines; each is handed to the system at once, so that a stopped program loses none.
pub(super) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// A file of this header alone; an older one is replaced.
    pub(super) fn create(path: &Path, header: &str) -> io::Result<LineFile> {
        write_atomic(path, header)?;
        LineFile::append(path)
    }

    /// The file as it stood after a step: its header, and the lines to which `step_of` gives this step or one before.
    pub(super) fn resume(
        path: &Path,
        header: &str,
        step: u64,
        step_of: impl Fn(&str) -> Option<u64>,
    ) -> io::Result<LineFile> {
        let old = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| cannot_read(path, error))?,
        };
        let lines = old.strip_prefix(header).unwrap_or_default().split_inclusive('\n');
        let kept = lines.filter(|line| line.ends_with('\n') && step_of(line).is_some_and(|at| at <= step));
        write_atomic(path, [header].into_iter().chain(kept).collect::<String>())?;
        LineFile::append(path)
    }

    fn append(path: &Path) -> io::Result<LineFile> {
        let file = OpenOptions::new().append(true).open(path).map_err(|error| cannot_write(path, error))?;
        Ok(LineFile { path: path.to_owned(), file })
    }

    /// Adds whole lines.
    pub(super) fn add(&mut self, lines: &[u8]) -> io::Result<()> {
        self.file.write_all(lines).map_err(|error| cannot_write(&self.path, error))
    }

    /// Waits until the lines are on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.file.sync_all().map_err(|error| cannot_write(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_one_clear_error() {
        // The system's always-full device.
        let Ok(file) = OpenOptions::new().append(true).open("/dev/full") else { return };
        let error = LineFile { path: "run/metrics.csv".into(), file }.add(b"1\n").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let text = error.to_string();
        assert!(text.contains("run/metrics.csv") && text.contains("free some space"), "{text}");
    }
}
