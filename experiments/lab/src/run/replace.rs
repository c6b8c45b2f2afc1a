//! Replaces a finished run by another one, so that at any time one of them is whole and files of the user are kept.

use super::{
    CONFIG, FileLock, MACHINE, MANIFEST, PROVENANCE, Provenance, StartError, cannot_read, cannot_write, folder_of,
    is_temporary, make_folder, notice, own_files, paths, read_inside, sibling, write_atomic,
};
use houseway_env::files;
use houseway_env::seal::hex;
use sha2::{Digest, Sha256};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// The folder in a run's folder to which the run that it replaces is moved.
const REPLACED: &str = ".replaced";
/// The file in a replaced run's folder that proves this. It contains the SHA-256 of the new run's provenance.
pub const MARK: &str = ".replaced-by";

/// The contents of a folder. `Nothing` also stands for a run that ended before its first result.
pub enum Found {
    Nothing,
    Foreign,
    Run { provenance: Box<Provenance>, finished: bool },
}

pub fn found(folder: &Path) -> io::Result<Found> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        entries => entries.map_err(|error| cannot_read(folder, error))?,
    };
    let (mut is_empty, mut has_results) = (true, false);
    for entry in entries {
        let name = entry.map_err(|error| cannot_read(folder, error))?.file_name();
        if !is_temporary(&name) {
            is_empty = false;
            has_results |= ![PROVENANCE, CONFIG].iter().any(|file| name == *file);
        }
    }
    match read_inside(folder, PROVENANCE).ok().and_then(|text| serde_json::from_str(&text).ok()) {
        Some(provenance) if has_results => {
            Ok(Found::Run { provenance: Box::new(provenance), finished: folder.join(MACHINE).exists() })
        }
        None if !is_empty => Ok(Found::Foreign),
        _ => Ok(Found::Nothing),
    }
}

/// Returns the folder to use for a path. This is the path itself if its last component is a name that isn't a link. All
/// other paths are resolved, so that a link to a folder stays a link.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let is_name = matches!(path.components().next_back(), Some(Component::Normal(_)));
    if path.exists() && !path.is_dir() {
        return Err(cannot_write(path, io::ErrorKind::NotADirectory.into()));
    }
    let path = match is_name && !path.is_symlink() {
        true => path.to_owned(),
        false => path.canonicalize().map_err(|error| cannot_write(path, error))?,
    };
    make_folder(folder_of(&path))?;
    Ok(path)
}

pub fn beside(folder: &Path) -> PathBuf {
    sibling(folder, "new")
}

/// Locks a run's folder, and the folder of the run that will replace it if there is one. An interrupted replacement is
/// completed.
pub fn lock(folder: &Path, waits: bool) -> io::Result<(FileLock, Option<FileLock>)> {
    loop {
        let lock = FileLock::folder(folder, waits)?;
        let new = beside(folder);
        let is_folder = fs::symlink_metadata(&new).is_ok_and(|found| found.is_dir());
        let new_lock = if is_folder { Some(FileLock::folder(&new, waits)?) } else { None };
        // Another process may have replaced the folder after it was opened.
        if !lock.is_in_place() {
            continue;
        }
        // The replacement was interrupted between its two renames if the folder is empty.
        if is_replaced(&new) && fs::remove_dir(folder).is_ok() {
            fs::rename(&new, folder).map_err(|error| cannot_write(folder, error))?;
            continue;
        }
        settle(folder)?;
        return Ok((lock, new_lock));
    }
}

/// Replaces the run in `folder` with the one in `new`. The old run is moved into the new one's folder first, so no other
/// folder is touched.
pub fn replace(folder: &Path, new: &Path) -> io::Result<()> {
    let failed = |error: io::Error| {
        let text =
            format!("cannot replace {}: {error}; the new results are complete in {}", folder.display(), new.display());
        io::Error::new(error.kind(), text)
    };
    write_atomic(&folder.join(MARK), mark_of(new)?).map_err(failed)?;
    fs::rename(folder, new.join(REPLACED)).map_err(failed)?;
    // The old run is only removed when the new one surely has its name.
    files::rename(new, folder).map_err(failed)?;
    settle(folder)
}

fn mark_of(folder: &Path) -> io::Result<String> {
    let provenance = read_inside(folder, PROVENANCE)?;
    Ok(hex(&Sha256::digest(provenance)))
}

/// Returns `true` if a folder contains the run that it replaces.
fn is_replaced(folder: &Path) -> bool {
    let mark = read_inside(folder, Path::new(REPLACED).join(MARK));
    mark.is_ok_and(|mark| mark_of(folder).is_ok_and(|own| own == mark))
}

/// Completes a replacement. Files that aren't the old run's are moved to the new folder, and the rest is removed.
fn settle(folder: &Path) -> io::Result<()> {
    if !is_replaced(folder) {
        return Ok(());
    }
    let old = folder.join(REPLACED);
    let failed = |error| cannot_write(&old, error);
    keep_others(&old, folder, &own_files(&old), Path::new(""))?;
    // These two are needed until the end if this is interrupted.
    for name in [MANIFEST, MARK] {
        remove(&old.join(name))?;
    }
    fs::remove_dir(&old).map_err(failed)
}

/// Moves everything from a folder in the old run to the same place in the new run, except for the old run's own files,
/// which are removed.
fn keep_others(old: &Path, new: &Path, is_own: &impl Fn(&Path) -> bool, inside: &Path) -> io::Result<()> {
    let folder = old.join(inside);
    let failed = |error| cannot_write(&folder, error);
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = inside.join(entry.file_name());
        let (from, to) = (entry.path(), new.join(&name));
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        if is_folder && !from.join(PROVENANCE).exists() {
            keep_others(old, new, is_own, &name)?;
            fs::remove_dir(&from).map_err(failed)?;
        } else if !is_folder && is_own(&name) {
            let is_needed = [MANIFEST, MARK].iter().any(|needed| name == Path::new(needed));
            if !is_needed {
                remove(&from)?;
            }
        } else {
            make_folder(folder_of(&to))?;
            keep(&from, to)?;
        }
    }
    Ok(())
}

/// Moves something that isn't part of a run. If there is something with the same name, it gets another one.
fn keep(from: &Path, to: PathBuf) -> io::Result<()> {
    let with_end = |number: u32| match number {
        0 => to.clone(),
        1 => to.with_added_extension("old"),
        _ => to.with_added_extension(format!("old-{number}")),
    };
    let free = (0..).map(with_end).find(|path| fs::symlink_metadata(path).is_err()).expect("a number is free");
    if free != to {
        notice(&format!(
            "{} exists in the new run; the one in the old run is kept as {}",
            to.display(),
            free.display()
        ));
    }
    fs::rename(from, &free).map_err(|error| cannot_write(&free, error))
}

pub fn discard(folder: &Path) -> Result<(), StartError> {
    if !folder.exists() {
        return Ok(());
    }
    let is_own = own_files(folder);
    if let Some(other) = paths(folder)?.iter().find(|path| !is_own(path)) {
        let text = "is not part of the run in that folder, which this run would discard; move it elsewhere";
        return Err(StartError::Refused(format!("{} {text}", folder.join(other).display())));
    }
    Ok(fs::remove_dir_all(folder).map_err(|error| cannot_write(folder, error))?)
}

/// A run's working folder. If it is a sibling of the final folder and still has no results at the end, it is removed.
#[derive(Debug)]
pub struct WorkingFolder {
    pub path: PathBuf,
    pub is_beside: bool,
}

impl WorkingFolder {
    pub fn in_place(folder: &Path) -> WorkingFolder {
        WorkingFolder { path: folder.to_owned(), is_beside: false }
    }
}

impl Drop for WorkingFolder {
    fn drop(&mut self) {
        if self.is_beside && matches!(found(&self.path), Ok(Found::Nothing)) {
            // A leftover empty folder does no harm.
            let _ = discard(&self.path);
        }
    }
}

pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(path, error)),
        _ => Ok(()),
    }
}
