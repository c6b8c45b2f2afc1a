//! Lock on the folder of a run.

use super::cannot_write;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Exclusive use of a folder among all processes, until the lock is dropped. The system releases the lock of a process
/// that is killed, so a file that it leaves behind does not block anyone.
#[derive(Debug)]
pub(super) struct FolderLock {
    path: PathBuf,
    file: File,
}

impl FolderLock {
    /// Locks `folder` by means of the file `path`, which is created for the time of the lock.
    ///
    /// # Errors
    /// If another process holds the lock, or the file cannot be written.
    pub(super) fn acquire(folder: &Path, path: PathBuf) -> io::Result<FolderLock> {
        let failed = |error| cannot_write(&path, error);
        loop {
            let mut options = OpenOptions::new();
            let mut file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(in_use(folder, &mut file)),
                // A file system without locks cannot tell; runs are possible there nevertheless.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            // Between the two calls, the last holder may have removed the file that was opened.
            if is_file_at(&file, &path) {
                file.set_len(0).and_then(|()| write!(file, "{}", std::process::id())).map_err(failed)?;
                return Ok(FolderLock { path, file });
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        if is_file_at(&self.file, &self.path) {
            // A file that stays does no harm.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn in_use(folder: &Path, file: &mut File) -> io::Error {
    let mut holder = String::new();
    let process = match file.read_to_string(&mut holder) {
        Ok(_) if !holder.is_empty() => format!(" (process {holder})"),
        _ => String::new(),
    };
    let text = format!(
        "{} is in use by another houseway{process}; wait for its end, or choose another folder with --out",
        folder.display()
    );
    io::Error::new(io::ErrorKind::ResourceBusy, text)
}

/// Returns true if this is the file that the path names.
#[cfg(unix)]
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(file), Ok(path)) if id(&file) == id(&path))
}

/// Returns true if this is the file that the path names. Elsewhere, a name is free only when its file is closed.
#[cfg(not(unix))]
fn is_file_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_user_and_a_stale_file_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let (run, path) = (folder.path().join("run"), folder.path().join(".run.lock"));
        fs::write(&path, "999999").unwrap();
        let lock = FolderLock::acquire(&run, path.clone()).unwrap();
        let error = FolderLock::acquire(&run, path.clone()).unwrap_err().to_string();
        let process = format!("process {}", std::process::id());
        assert!(error.contains("in use") && error.contains(&process) && error.contains("--out"), "{error}");
        drop(lock);
        assert!(!path.exists());
        drop(FolderLock::acquire(&run, path.clone()).unwrap());
        assert!(!path.exists());
    }
}
