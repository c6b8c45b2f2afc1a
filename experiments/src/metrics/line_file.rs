//! A text file that grows by lines.

use crate::run::{cannot_write, write_atomic};
use std::fs::{File, OpenOptions};
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
