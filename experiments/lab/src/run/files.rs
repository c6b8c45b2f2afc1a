//! Reads files and writes them atomically, with I/O errors that name the file and suggest a fix.

use super::notice;
use houseway_env::files;
use houseway_env::seal::{Seal, SealError};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The maximum size in bytes of text files written by the program itself, such as plot data.
const MAX_OWN_TEXT: u64 = 100_000_000;

/// The maximum size in bytes of files from which a run continues.
const MAX_STATE: u64 = 1 << 30;

/// The part of a temporary file's name between the final name and the random characters. A killed process may leave such
/// files behind, so they must not be mistaken for a user's.
const TEMPORARY: &str = ".houseway-";
const RANDOM: usize = 6;

/// The final name of files that are only written to check whether a folder is writable.
const PROBE: &str = "probe";

/// Reads a user's text file, which must be a regular file of at most [`files::MAX_TEXT`] bytes.
pub fn read_text(path: &Path) -> io::Result<String> {
    files::read_text(path, files::MAX_TEXT).map_err(|error| cannot_read(path, error))
}

/// Reads a text file written by the program itself. It may be larger than a user's file.
pub fn read_own_text(path: &Path) -> io::Result<String> {
    files::read_text(path, MAX_OWN_TEXT).map_err(|error| cannot_read(path, error))
}

/// Opens a file of a run or another file that is found by its name in a folder. Unlike `folder` itself, neither the file
/// nor the folders that contain it may be links, so that nobody who can write to the folder decides which file is read.
pub fn open_inside(folder: &Path, name: &Path) -> io::Result<File> {
    open_without_links(folder, name).map_err(|error| cannot_read(&folder.join(name), error))
}

#[cfg(unix)]
fn open_without_links(folder: &Path, name: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, openat};
    // Opening a named pipe would block.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut file = File::open(folder)?;
    for part in name.components() {
        let std::path::Component::Normal(part) = part else { return Err(io::ErrorKind::InvalidInput.into()) };
        file = match openat(&file, part, flags, Mode::empty()) {
            Err(rustix::io::Errno::LOOP) => return Err(is_link()),
            opened => File::from(opened?),
        };
    }
    Ok(file)
}

#[cfg(not(unix))]
fn open_without_links(folder: &Path, name: &Path) -> io::Result<File> {
    let mut path = folder.to_owned();
    for part in name.components() {
        path.push(part);
        if fs::symlink_metadata(&path)?.is_symlink() {
            return Err(is_link());
        }
    }
    files::open(&path)
}

pub fn is_link() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is a link; replace it with the file itself")
}

/// Reads a text file like [`open_inside`]. It may be as large as a text file written by the program itself.
pub fn read_inside(folder: &Path, name: impl AsRef<Path>) -> io::Result<String> {
    let name = name.as_ref();
    let read = || files::to_text(files::read_opened(open_without_links(folder, name)?, MAX_OWN_TEXT)?);
    read().map_err(|error| cannot_read(&folder.join(name), error))
}

/// Parses a sealed document that was saved for later and whose key `format` must have a given value. Earlier versions
/// didn't seal sessions and drills.
pub fn open_saved<T: DeserializeOwned>(seal: Seal, format: u32, text: &str) -> Result<T, String> {
    let opened = seal.open(text);
    // Other formats have other keys, and other kinds have formats of their own.
    let document: Value = serde_json::from_str(text).unwrap_or_default();
    if let Some(other) = document["format"].as_u64().filter(|other| *other != u64::from(format))
        && !matches!(opened, Err(SealError::Kind { .. }))
    {
        return Err(format!("its format is {other}, expected {format}"));
    }
    match opened {
        Err(SealError::Unsealed) => serde_json::from_str(text).map_err(|error| error.to_string()),
        opened => opened.map_err(|error| error.to_string()),
    }
}

/// The remedy for a file that isn't a saved document.
const NEW_OR_OTHER: &str = "; use --new to keep it under another name, or choose another file with --session";

/// Loads a saved document like [`open_saved`]. Returns `None` if the file doesn't exist. `what` is the name of such
/// documents in messages.
pub fn load_saved<T: DeserializeOwned>(path: &Path, what: &str, seal: Seal, format: u32) -> io::Result<Option<T>> {
    if !path.try_exists()? {
        return Ok(None);
    }
    let opened = open_saved(seal, format, &read_own_text(path)?).map_err(|reason| {
        let text = format!("{} is not a saved {what}: {reason}{NEW_OR_OTHER}", path.display());
        io::Error::new(io::ErrorKind::InvalidData, text)
    });
    opened.map(Some)
}

/// Makes room for a new document in the place of a saved one. A file that isn't one is kept under another name, and a
/// notice says why.
pub fn make_room<T>(path: &Path, load: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<()> {
    match load(path) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            let kept = files::keep_aside(path).map_err(|error| cannot_write_by("--session", path, error))?;
            let reason = error.to_string();
            let reason = reason.strip_suffix(NEW_OR_OTHER).unwrap_or(&reason);
            notice(&format!("{reason}; it is kept as {}", kept.display()));
            Ok(())
        }
        loaded => loaded.map(drop),
    }
}

/// Reads a file that an earlier process left in a folder to continue its work. If the file can't be used, it is kept
/// under another name, and a notice says why. Returns `None` if there is none.
pub fn read_state<T>(
    folder: &Path,
    name: impl AsRef<Path>,
    open: impl FnOnce(&[u8]) -> Result<T, String>,
) -> io::Result<Option<T>> {
    let (name, path) = (name.as_ref(), folder.join(name.as_ref()));
    let read = || files::read_opened(open_without_links(folder, name)?, MAX_STATE);
    let bytes = match read() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|error| cannot_read(&path, error))?,
    };
    let reason = match open(&bytes) {
        Ok(opened) => return Ok(Some(opened)),
        Err(reason) => reason,
    };
    let kept = files::keep_aside(&path).map_err(|error| cannot_write(&path, error))?;
    notice(&format!("cannot continue from {}: {reason}; it is kept as {}", path.display(), kept.display()));
    Ok(None)
}

/// Writes a file atomically by writing to a temporary file in the same folder and renaming it. Readers see either the
/// old contents or the new contents.
pub fn write_atomic(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    write_atomic_by("--out", path, contents)
}

/// Like [`write_atomic`], for a file given by a different option.
pub fn write_atomic_by(option: &str, path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let written = write_atomic_with(path, |file| file.write_all(contents.as_ref()));
    written.map_err(|error| cannot_write_by(option, path, error))
}

/// Like [`write_atomic`], but lets `write` write the file in several pieces. If `write` fails, no file is left behind.
pub fn write_atomic_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let path = &target(path)?;
    let folder = folder_of(path);
    let mut file = temporary_file(folder, path.file_name().unwrap_or_default())?;
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(files::sync_folder(folder)?)
}

fn temporary_file(folder: &Path, name: &OsStr) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(TEMPORARY);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(RANDOM);
    // Temporary files are private by default, but results should be readable by everyone, subject to the user's umask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Returns the file that an output would replace or create, with links resolved.
fn target(path: &Path) -> io::Result<PathBuf> {
    let path = match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path)?,
        _ => path.to_owned(),
    };
    match fs::metadata(&path) {
        Ok(found) if !found.is_file() => {
            let text = format!("it is {}, not a regular file", files::kind_name(found.file_type()));
            Err(io::Error::new(io::ErrorKind::InvalidInput, text))
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ if path.file_name().is_none() => Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file")),
        _ => Ok(path),
    }
}

/// Returns `true` if a name is that of a temporary file. A killed process leaves such files
/// behind.
pub fn is_temporary(name: &OsStr) -> bool {
    let parts = name.to_str().filter(|name| name.starts_with('.')).and_then(|name| name.rsplit_once(TEMPORARY));
    let Some((_, random)) = parts else { return false };
    random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Removes all temporary files left behind by [`write_atomic`] in a folder and its subfolders. No other process may be
/// writing there.
pub fn remove_temporary(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder).map_err(|error| cannot_read(folder, error))? {
        let entry = entry.map_err(|error| cannot_read(folder, error))?;
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_temporary(&path)?;
        } else if is_temporary(&entry.file_name()) {
            fs::remove_file(&path).map_err(|error| cannot_write(&path, error))?;
        }
    }
    Ok(())
}

pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|error| cannot_write(path, error))
}

/// Checks that files can be written to a folder. Call this before a long computation, so that it doesn't fail at the
/// end.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    probe(folder).map_err(|error| cannot_write(folder, error))
}

/// Writes a temporary file to a folder. If the process is killed, the file left behind has the name of a temporary
/// file.
fn probe(folder: &Path) -> io::Result<()> {
    let write = || temporary_file(folder, PROBE.as_ref())?.write_all(&[0; 4096]);
    // The error would name the temporary file.
    write().map_err(|error: io::Error| error.kind().into())
}

/// Checks that the output file given by an option can be written. Like [`check_writable`], this should be called before
/// a long computation.
pub fn prepare_file(option: &str, path: &Path) -> io::Result<()> {
    let checked = target(path).and_then(|path| probe(folder_of(&path)));
    checked.map_err(|error| cannot_write_by(option, path, error))
}

/// Creates an output file that is written directly, line by line, so that an interruption keeps all lines written up to
/// that point. An existing file is only replaced if `replace` is true.
pub fn create_file(path: &Path, replace: bool) -> io::Result<File> {
    File::options().write(true).create(true).create_new(!replace).truncate(true).open(path)
}

/// Adds the file's name and a suggested fix to a write error.
pub fn cannot_write(path: &Path, error: io::Error) -> io::Error {
    cannot_write_by("--out", path, error)
}

/// Like [`cannot_write`], for a file given by a different option.
pub fn cannot_write_by(option: &str, path: &Path, error: io::Error) -> io::Error {
    let remedy = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "free some space or choose a folder on another disk"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make the folder writable or choose another"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file exists where a folder is needed; move it or choose another folder"
        }
        io::ErrorKind::NotFound => "create its folder or choose another",
        io::ErrorKind::InvalidInput => "choose another file",
        _ => "choose another folder",
    };
    io::Error::new(error.kind(), format!("cannot write {}: {error}; {remedy} with {option}", path.display()))
}

pub fn cannot_read(path: &Path, error: io::Error) -> io::Error {
    let name = if path.as_os_str().is_empty() { "\"\"".into() } else { path.display().to_string() };
    io::Error::new(error.kind(), format!("cannot read {name}: {error}"))
}

/// Returns the path to a hidden file or folder next to another one, such as `.NAME.lock`.
pub fn sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_atomically_without_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write_atomic(&path, "old and longer").unwrap();
        write_atomic(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn temporary_files_are_recognized_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let plots = folder.path().join("plots");
        fs::create_dir(&plots).unwrap();
        for name in ["config.toml", ".gitignore", ".DS_Store", ".thesis.txtDRAFT1", "x.toml.houseway-123456"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let written = write_atomic_with(&plots.join("ev.svg"), |_| {
            let name = fs::read_dir(&plots)?.next().unwrap()?.file_name();
            assert!(is_temporary(&name), "{name:?}");
            // Simulate a file left behind by a killed process.
            fs::write(plots.join(".ev.svg.houseway-Ab3dE9"), "")
        });
        written.unwrap();
        let probe = temporary_file(&plots, PROBE.as_ref()).unwrap().keep().unwrap().1;
        assert!(is_temporary(probe.file_name().unwrap()), "{probe:?}");
        remove_temporary(folder.path()).unwrap();
        let count = |folder: &Path| fs::read_dir(folder).unwrap().count();
        assert_eq!((count(folder.path()), count(&plots)), (6, 1));
    }

    #[test]
    #[cfg(unix)]
    fn links_and_pipes_in_a_folder_are_not_read() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("run")).unwrap();
        fs::create_dir(folder.path().join("outside")).unwrap();
        for file in ["outside/report.md", "root/run/report.md"] {
            fs::write(folder.path().join(file), "text").unwrap();
        }
        symlink(folder.path().join("outside/report.md"), root.join("run/link.md")).unwrap();
        symlink(folder.path().join("outside"), root.join("other")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(root.join("run/pipe.md")).status().unwrap().success());
        assert_eq!(read_inside(&root, "run/report.md").unwrap(), "text");
        for (name, part) in [
            ("run/link.md", "it is a link"),
            ("other/report.md", "it is a link"),
            ("run/pipe.md", "it is a named pipe"),
            ("run", "it is a folder"),
            ("run/../../outside/report.md", "invalid"),
        ] {
            let error = read_inside(&root, name).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(name), "{error}");
        }
        // The folder itself may be a link, because the user has chosen it.
        symlink(&root, folder.path().join("results")).unwrap();
        assert_eq!(read_inside(&folder.path().join("results"), "run/report.md").unwrap(), "text");
    }

    #[test]
    fn a_state_that_cannot_be_used_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let read = || {
            let open = |bytes: &[u8]| match bytes {
                b"good" => Ok(()),
                _ => Err("it is damaged".to_owned()),
            };
            read_state(folder.path(), "a.bin", open).unwrap()
        };
        assert_eq!(read(), None);
        fs::write(folder.path().join("a.bin"), "good").unwrap();
        assert_eq!(read(), Some(()));
        for (bad, kept) in [("one", "a.bin.kept"), ("two", "a.bin.kept-2")] {
            fs::write(folder.path().join("a.bin"), bad).unwrap();
            assert_eq!(read(), None);
            assert_eq!(fs::read_to_string(folder.path().join(kept)).unwrap(), bad);
        }
    }

    #[test]
    fn errors_name_the_file_and_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("absent/table.csv");
        let error = write_atomic(&path, "").unwrap_err().to_string();
        assert!(error.contains("absent/table.csv") && error.contains("--out"), "{error}");
        let file = folder.path().join("file");
        write_atomic(&file, "").unwrap();
        let error = make_folder(&file.join("run")).unwrap_err().to_string();
        assert!(error.contains("file/run") && error.contains("move it"), "{error}");
        let full = cannot_write(&file, io::ErrorKind::StorageFull.into()).to_string();
        assert!(full.contains("free some space"), "{full}");
    }

    #[test]
    fn only_regular_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_atomic(folder.path(), "").unwrap_err().to_string();
        assert!(error.contains("it is a folder") && error.contains("--out"), "{error}");
        let missing = prepare_file("--history", &folder.path().join("absent/x")).unwrap_err().to_string();
        assert!(missing.contains("create its folder") && missing.contains("--history"), "{missing}");
        assert!(prepare_file("--out", Path::new("..")).is_err() && prepare_file("--out", Path::new("")).is_err());
        prepare_file("--out", &folder.path().join("x")).unwrap();
        #[cfg(unix)]
        {
            let error = write_atomic(Path::new("/dev/null"), "").unwrap_err().to_string();
            assert!(error.contains("it is a device"), "{error}");
            assert!(!fs::metadata("/dev/null").unwrap().is_file());
            // A link still points to the file that is written.
            let (file, link) = (folder.path().join("file"), folder.path().join("link"));
            fs::write(&file, "old").unwrap();
            std::os::unix::fs::symlink(&file, &link).unwrap();
            write_atomic(&link, "new").unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        }
    }

    #[test]
    fn existing_files_are_replaced_only_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.jsonl");
        create_file(&path, false).unwrap().write_all(b"old and longer").unwrap();
        assert_eq!(create_file(&path, false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"old and longer");
        create_file(&path, true).unwrap().write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn unwritable_folders_are_detected() {
        // The kernel's pseudo file system rejects new files, even from the superuser.
        let error = check_writable(Path::new("/proc/self")).unwrap_err().to_string();
        assert!(error.contains("/proc/self"), "{error}");
        check_writable(tempfile::tempdir().unwrap().path()).unwrap();
    }
}
