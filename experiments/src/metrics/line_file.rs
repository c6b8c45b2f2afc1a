//! An append-only text file.

use houseway_lab::run::{cannot_write, write_atomic};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
