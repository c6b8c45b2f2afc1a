//! Locks on files and folders between processes.

use super::cannot_write;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// A lock that gives one process exclusive use of a folder or file until it is dropped. The system releases the lock if
/// the process is killed, so a leftover lock file doesn't block anyone.
#[derive(Debug)]
pub(crate) struct FileLock {
    path: PathBuf,
    file: File,
}

impl FileLock {
    /// Locks `folder` with the lock file `path`. The lock file only exists while the lock is held.
    ///
    /// # Errors
    /// Returns an error if another process holds the lock or if the file can't be written.
    pub(super) fn acquire(folder: &Path, path: PathBuf) -> io::Result<FileLock> {
        FileLock::with(path, |file| match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(in_use(folder, file)),
            Err(TryLockError::Error(error)) => Err(error),
        })
    }

    /// Locks a file with a hidden lock file next to it. The lock file only exists while the lock is held.
    ///
    /// # Errors
    /// Returns an error with kind [`io::ErrorKind::ResourceBusy`] if another process holds the lock, or a different
    /// error if the lock file can't be written.
    pub(crate) fn try_file(file: &Path) -> io::Result<FileLock> {
        let mut name = std::ffi::OsString::from(".");
        name.push(file.file_name().unwrap_or_default());
        name.push(".lock");
        FileLock::acquire(file, file.with_file_name(name))
    }

    /// Waits for the lock on the file `path`. The file only exists while the lock is held. The lock should only be held
    /// briefly, because there is no limit on the time that other processes wait for it.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub(crate) fn wait(path: PathBuf) -> io::Result<FileLock> {
        FileLock::with(path, |file| file.lock())
    }

    fn with(path: PathBuf, lock: impl Fn(&mut File) -> io::Result<()>) -> io::Result<FileLock> {
        let failed = |error| cannot_write(&path, error);
        loop {
            let mut options = OpenOptions::new();
            let mut file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
            match lock(&mut file) {
                Ok(()) => {}
                // The file system doesn't support locks. Allow runs there anyway.
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => return Err(error),
                Err(error) => return Err(failed(error)),
            }
            // The last holder may have removed the file between opening and locking it.
            if is_file_at(&file, &path) {
                file.set_len(0).and_then(|()| write!(file, "{}", std::process::id())).map_err(failed)?;
                return Ok(FileLock { path, file });
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        if is_file_at(&self.file, &self.path) {
            // A leftover file does no harm.
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
        "{} is in use by another houseway{process}; wait for it to finish or choose another folder with --out",
        folder.display()
    );
    io::Error::new(io::ErrorKind::ResourceBusy, text)
}

/// Returns `true` if `path` still refers to this file.
#[cfg(unix)]
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(file), Ok(path)) if id(&file) == id(&path))
}

/// Returns `true` if `path` still refers to this file. On other systems, a name only becomes available once its file is
/// closed.
#[cfg(not(unix))]
fn is_file_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_folder_has_one_user_and_a_stale_file_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let (run, path) = (folder.path().join("run"), folder.path().join(".run.lock"));
        fs::write(&path, "999999").unwrap();
        let lock = FileLock::acquire(&run, path.clone()).unwrap();
        let error = FileLock::acquire(&run, path.clone()).unwrap_err().to_string();
        let process = format!("process {}", std::process::id());
        assert!(error.contains("in use") && error.contains(&process) && error.contains("--out"), "{error}");
        drop(lock);
        assert!(!path.exists());
        drop(FileLock::acquire(&run, path.clone()).unwrap());
        assert!(!path.exists());
    }

    #[test]
    fn waiting_locks_are_held_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let (path, holders) = (folder.path().join("cache.lock"), AtomicUsize::new(0));
        let hold = || {
            for _ in 0..50 {
                let lock = FileLock::wait(path.clone()).unwrap();
                assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                std::thread::yield_now();
                holders.fetch_sub(1, Ordering::SeqCst);
                drop(lock);
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(hold))));
        assert!(!path.exists());
    }
}
