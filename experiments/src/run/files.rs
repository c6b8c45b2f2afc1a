//! Files that are whole or absent, and errors that name the file and what to do.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Writes a file at once: under a temporary name in the same folder first, then renamed. Whoever looks sees the old file or
/// the new one, never a part.
///
/// # Errors
/// If the folder is not there, cannot be written or is full; the message names the file.
pub fn write_atomic(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    write_atomic_with(path, |file| file.write_all(contents.as_ref())).map_err(|error| cannot_write(path, error))
}

/// The same for a file that is written bit by bit. If `write` fails, nothing is left behind.
///
/// # Errors
/// Those of `write` and of the disk, as they are.
pub fn write_atomic_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let folder = folder_of(path);
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    // Temporary files are private otherwise; everybody may read a result, less the user's mask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(sync_folder(folder)?)
}

/// Makes a folder with those above it.
///
/// # Errors
/// If it cannot be made; the message names it.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|error| cannot_write(path, error))
}

/// Shows that files can be written in a folder, before long work begins.
///
/// # Errors
/// If they cannot; the message names the folder.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    let probe = NamedTempFile::new_in(folder).and_then(|mut file| file.write_all(&[0; 4096]));
    probe.map_err(|error| cannot_write(folder, error))
}

/// Makes the folder of a file that will be written, and shows that it can be, before long work begins.
///
/// # Errors
/// If it cannot; the message names the folder.
pub fn prepare_file(path: &Path) -> io::Result<()> {
    let folder = folder_of(path);
    make_folder(folder)?;
    check_writable(folder)
}

/// An error of writing, with the file's name and what to do.
pub fn cannot_write(path: &Path, error: io::Error) -> io::Error {
    cannot_write_by("--out", path, error)
}

/// The same for a file that another option names.
pub fn cannot_write_by(option: &str, path: &Path, error: io::Error) -> io::Error {
    let remedy = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "free some space, or choose a folder on another disk"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make the folder writable, or choose another"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file stands where a folder is needed; move it, or choose another folder"
        }
        _ => "choose another folder",
    };
    io::Error::new(error.kind(), format!("cannot write {}: {error}; {remedy} with {option}", path.display()))
}

/// An error of reading, with the file's name.
pub fn cannot_read(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))
}

/// The folder that holds a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A rename outlives a loss of power once its folder is on disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened as a file.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write_atomic(&path, "old and longer").unwrap();
        write_atomic(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_file_and_the_remedy() {
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
    fn a_folder_without_room_is_found_out_before_the_work() {
        // The kernel's own pseudo file system refuses new files, even to the superuser.
        let error = check_writable(Path::new("/proc/self")).unwrap_err().to_string();
        assert!(error.contains("/proc/self"), "{error}");
        check_writable(tempfile::tempdir().unwrap().path()).unwrap();
    }
}
