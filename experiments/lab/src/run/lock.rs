//! Locks on files and folders between processes, and the checks of the output files that a command reserves.

use super::{cannot_write, cannot_write_by, is_link, prepare_file, sibling};
use houseway_env::files::kind_name;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// A lock that gives one process exclusive use of a folder or file until it is dropped. The system releases the lock if
/// the process is killed.
///
/// A folder is locked itself, so that the lock moves along when it is renamed. A file has a hidden lock file
/// `.NAME.lock` next to it, because it is replaced whenever it is saved. The lock file only exists while the lock is
/// held, and a leftover one doesn't block anyone.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    file: File,
    /// `true` if the folder or lock file was created for the lock.
    is_created: bool,
}

impl FileLock {
    /// Locks a folder, and creates it if it doesn't exist. If it is still empty at the end, it is removed again. With
    /// `waits`, this waits for other processes that use the folder.
    pub fn folder(folder: &Path, waits: bool) -> io::Result<FileLock> {
        if cfg!(unix)
            && let Some(lock) = FileLock::new("--out", folder, folder, waits, open_folder)?
        {
            return Ok(lock);
        }
        // Windows and some network file systems only lock files.
        fs::create_dir_all(folder).map_err(|error| cannot_write(folder, error))?;
        FileLock::file("--out", folder, waits)
    }

    pub fn renamed(mut self, folder: &Path) -> FileLock {
        self.path = folder.to_owned();
        self
    }

    /// Locks a file, which is given by an option. With `waits`, this waits for other processes that use the file, without a
    /// limit.
    pub fn file(option: &str, file: &Path, waits: bool) -> io::Result<FileLock> {
        let path = sibling(file, "lock");
        if let Some(lock) = FileLock::new(option, file, &path, waits, open_lock_file)? {
            return Ok(lock);
        }
        // The file system doesn't support locks. Allow work there anyway.
        let (file, is_created) = open_lock_file(&path).map_err(|error| cannot_write_by(option, &path, error))?;
        Ok(FileLock { path, file, is_created })
    }

    /// Returns `None` if the system can't lock what `open` returns.
    fn new(
        option: &str,
        shown: &Path,
        path: &Path,
        waits: bool,
        open: fn(&Path) -> io::Result<(File, bool)>,
    ) -> io::Result<Option<FileLock>> {
        let mut attempts = 0;
        loop {
            let (file, is_created) = match open(path) {
                // The last holder has removed it in the meantime.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                opened => opened.map_err(|error| cannot_write_by(option, path, error))?,
            };
            match if waits { file.lock().map_err(TryLockError::Error) } else { file.try_lock() } {
                Ok(()) => {}
                // Others hold the lock for a moment when they only look whether it is taken.
                Err(TryLockError::WouldBlock) if attempts < 5 => {
                    attempts += 1;
                    thread::sleep(Duration::from_millis(10));
                    continue;
                }
                Err(TryLockError::WouldBlock) => return Err(in_use(option, shown)),
                Err(TryLockError::Error(_)) => return Ok(None),
            }
            let lock = FileLock { path: path.to_owned(), file, is_created };
            // The last holder may have removed or replaced it between opening and locking it.
            if lock.is_in_place() {
                return Ok(Some(lock));
            }
        }
    }

    /// Returns `true` if the path still refers to what was locked.
    #[cfg(unix)]
    pub fn is_in_place(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        let id = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
        let found = fs::symlink_metadata(&self.path);
        matches!((self.file.metadata(), found), (Ok(own), Ok(found)) if id(&own) == id(&found))
    }

    /// Returns `true` if the path still refers to what was locked. On other systems, a name only becomes available once
    /// its file is closed.
    #[cfg(not(unix))]
    pub fn is_in_place(&self) -> bool {
        self.path.exists()
    }
}

/// Returns `true` if another process, or this one, has locked a folder.
pub fn is_locked(folder: &Path) -> bool {
    // A shared lock, which is released at once, doesn't disturb others that ask the same.
    let is_taken = |path: &Path| {
        let file = File::open(path);
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    };
    is_taken(folder) || is_taken(&sibling(folder, "lock"))
}

impl Drop for FileLock {
    fn drop(&mut self) {
        let is_folder = self.file.metadata().is_ok_and(|found| found.is_dir());
        // A leftover file or folder does no harm. A folder with files in it isn't removed.
        let _ = match (self.is_in_place(), is_folder) {
            (true, false) => fs::remove_file(&self.path),
            (true, true) if self.is_created => fs::remove_dir(&self.path),
            _ => Ok(()),
        };
    }
}

/// Opens a folder after creating it if necessary. Returns `true` if it was created.
fn open_folder(path: &Path) -> io::Result<(File, bool)> {
    let is_created = match fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
        created => created.map(|()| true)?,
    };
    match fs::symlink_metadata(path).map_err(vanished)?.is_dir() {
        true => Ok((File::open(path).map_err(vanished)?, is_created)),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// Opens or creates a lock file without changing it. Returns `true` if it was created. Everything else with its name,
/// such as a link or a user's file, is left alone.
fn open_lock_file(path: &Path) -> io::Result<(File, bool)> {
    match File::options().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        created => return Ok((created?, true)),
    }
    let found = fs::symlink_metadata(path).map_err(vanished)?;
    if found.is_symlink() {
        return Err(is_link());
    }
    if !found.is_file() || found.len() > 0 {
        let text = "it has the name of a lock file but is none; rename it";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok((File::options().write(true).open(path).map_err(vanished)?, false))
}

/// Marks the error from opening something that existed a moment ago, so that it is created again.
fn vanished(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => io::ErrorKind::Interrupted.into(),
        _ => error,
    }
}

fn in_use(option: &str, path: &Path) -> io::Error {
    let text = format!(
        "{} is in use by another houseway; wait for it to finish or choose another with {option}",
        path.display()
    );
    io::Error::new(io::ErrorKind::ResourceBusy, text)
}

/// A file that a command writes, and the option that specifies it.
#[derive(Clone, Debug)]
pub struct Output {
    option: String,
    path: PathBuf,
}

impl Output {
    /// Creates an output for a new file. An existing file is only replaced with `force`.
    pub fn new(option: impl Into<String>, path: impl Into<PathBuf>) -> Output {
        Output { option: option.into(), path: path.into() }
    }
}

/// Reserves a command's outputs after checking that they can be written and that they don't overwrite its inputs or each
/// other. Unless `force` is set, they must not overwrite an existing file either. No other command can write the outputs
/// until the locks are dropped.
#[must_use = "the outputs are only reserved while the locks exist"]
pub fn check_outputs(outputs: &[Output], inputs: &[PathBuf], force: bool) -> Result<Vec<FileLock>, String> {
    let mut locks = vec![];
    for (i, Output { option, path }) in outputs.iter().enumerate() {
        let shown = path.display();
        if let Some(other) = outputs[..i].iter().find(|other| is_same(&other.path, path)) {
            return Err(format!("{option} and {} name the same file, {shown}; use different files", other.option));
        }
        if inputs.iter().any(|input| input.exists() && is_same(input, path)) {
            return Err(format!("{option} {shown} would overwrite an input; choose another file"));
        }
        if let Ok(found) = fs::metadata(path)
            && !found.is_file()
        {
            let kind = kind_name(found.file_type());
            return Err(format!("{option} {shown} is {kind}, not a regular file; choose another"));
        }
        prepare_file(option, path).map_err(|error| error.to_string())?;
        locks.push(FileLock::file(option, path, false).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => {
                format!("{option} {shown} is being written by another houseway; wait for it or choose another file")
            }
            _ => error.to_string(),
        })?);
        // Another command may have created the file just before it was reserved.
        if !force && path.exists() {
            return Err(format!("{option} {shown} already exists; choose another file or use --force to replace it"));
        }
    }
    Ok(locks)
}

fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| Some(super::folder_of(path).canonicalize().ok()?.join(path.file_name()?)))
    };
    one == other || place(one).is_some_and(|one| Some(one) == place(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_folder_has_one_user_even_after_it_is_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let (run, other) = (folder.path().join("run"), folder.path().join("other"));
        let lock = FileLock::folder(&run, false).unwrap();
        let error = FileLock::folder(&run, false).unwrap_err().to_string();
        assert!(error.contains("in use") && error.contains("--out"), "{error}");
        drop(lock);
        assert!(!run.exists());
        fs::create_dir(&run).unwrap();
        let lock = FileLock::folder(&run, false).unwrap();
        fs::rename(&run, &other).unwrap();
        assert!(!cfg!(unix) || FileLock::folder(&other, false).is_err());
        drop(lock);
        assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn links_and_files_of_users_are_no_lock_files() {
        let folder = tempfile::tempdir().unwrap();
        let (session, path) = (folder.path().join("s.json"), folder.path().join(".s.json.lock"));
        // A killed process leaves its lock file behind.
        fs::write(&path, "").unwrap();
        drop(FileLock::file("--session", &session, false).unwrap());
        assert!(!path.exists());
        let lock = FileLock::file("--session", &session, false).unwrap();
        for _ in 0..2 {
            assert!(FileLock::file("--session", &session, false).unwrap_err().to_string().contains("in use"));
        }
        drop(lock);
        fs::write(&path, "precious").unwrap();
        let error = FileLock::file("--session", &session, false).unwrap_err().to_string();
        assert!(error.contains("the name of a lock file") && error.contains("rename it"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        #[cfg(unix)]
        {
            let mine = folder.path().join("mine.txt");
            for content in ["precious", ""] {
                fs::write(&mine, content).unwrap();
                fs::remove_file(&path).unwrap();
                std::os::unix::fs::symlink(&mine, &path).unwrap();
                assert!(FileLock::file("--session", &session, false).unwrap_err().to_string().contains("it is a link"));
                assert_eq!(fs::read_to_string(&mine).unwrap(), content);
                assert!(path.is_symlink());
            }
        }
    }

    #[test]
    fn waiting_locks_are_held_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let (path, holders) = (folder.path().join("cache"), AtomicUsize::new(0));
        let hold = |lock: fn(&Path, bool) -> io::Result<FileLock>| {
            for _ in 0..50 {
                let lock = lock(&path, true).unwrap();
                assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                std::thread::yield_now();
                holders.fetch_sub(1, Ordering::SeqCst);
                drop(lock);
            }
        };
        let kinds: [fn(&Path, bool) -> io::Result<FileLock>; 2] =
            [|path, waits| FileLock::file("--out", path, waits), FileLock::folder];
        for lock in kinds {
            std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(|| hold(lock)))));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn inputs_other_outputs_and_older_files_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("way.toml"), "name").unwrap();
        fs::create_dir(path("new")).unwrap();
        let check =
            |outputs: &[Output], force| check_outputs(outputs, &[path("way.toml"), "optimal".into()], force).map(drop);
        let out = |name: &str| Output::new("--out", path(name));
        assert_eq!(check(&[out("new/a.json"), Output::new("--table", path("b"))], false), Ok(()));
        for name in ["way.toml", "./way.toml", "new/../way.toml"] {
            for force in [false, true] {
                let error = check(&[out(name)], force).unwrap_err();
                assert!(error.contains("--out") && error.contains("would overwrite an input"), "{error}");
            }
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("way.toml"), path("link")).unwrap();
            assert!(check(&[out("link")], true).unwrap_err().contains("would overwrite an input"));
            assert!(check(&[Output::new("--out", "/dev/null")], true).unwrap_err().contains("not a regular file"));
        }
        let missing = check(&[out("absent/a")], true).unwrap_err();
        assert!(missing.contains("create its folder") && missing.contains("--out"), "{missing}");
        let error = check(&[out("a"), Output::new("--table", path("./a"))], true).unwrap_err();
        assert!(error.contains("--table and --out name the same file"), "{error}");
        fs::write(path("a"), "old").unwrap();
        assert!(check(&[out("a")], false).unwrap_err().contains("--force"));
        assert_eq!(check(&[out("a")], true), Ok(()));
        // Only one command can write a file, even if it doesn't exist yet.
        let first = check_outputs(&[out("both")], &[], false).unwrap();
        for force in [false, true] {
            assert!(check(&[out("both")], force).unwrap_err().contains("is being written by another houseway"));
        }
        drop(first);
        assert_eq!(check(&[out("both")], false), Ok(()));
        assert!(check(&[out("")], true).unwrap_err().contains("not a regular file"));
    }
}
