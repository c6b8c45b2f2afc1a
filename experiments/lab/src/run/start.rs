//! Decides which folder a run uses: the requested one, a sibling that will replace the finished run in it, or none at
//! all.

use super::changes::changes;
use super::files::{is_temporary, sibling};
use super::lock::FileLock;
use super::manifest::{MANIFEST, Own, paths};
use super::provenance::{Provenance, RunKind};
use super::{cannot_read, cannot_write, folder_of, make_folder, notice, read_inside, write_atomic};
use houseway_env::seal::hex;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The file name of the results in a run's folder.
pub const RESULTS: &str = "results.json";

/// The name of the file with a run's configuration.
pub const CONFIG: &str = "config.toml";
/// The file name of the provenance in a run's folder.
pub const PROVENANCE: &str = "provenance.json";
pub(super) const MACHINE: &str = "machine.json";

/// The folder in a run's folder to which the run that it replaces is moved.
const REPLACED: &str = ".replaced";
/// The file in a replaced run's folder that proves this. It contains the SHA-256 of the new run's provenance.
pub(super) const MARK: &str = ".replaced-by";

/// The folder that a run should use.
pub struct Destination<'a> {
    /// The folder.
    pub path: &'a Path,
    /// The run's input files, which are never overwritten.
    pub inputs: &'a [PathBuf],
    /// `true` to replace results from a different configuration.
    pub force: bool,
    /// Returns `true` if this run's results can replace those of a finished run with the same configuration in the
    /// given folder.
    pub repeats: &'a dyn Fn(&Path) -> bool,
    /// Checks that this run continues the work of a run with a different configuration in the given folder, so that no
    /// work is lost. The error explains how to configure that, if it is possible.
    pub continues: &'a dyn Fn(&Path) -> Result<(), String>,
    /// `true` to wait for another process that is using the folder. Only for folders that are used briefly.
    pub waits: bool,
}

impl<'a> Destination<'a> {
    /// Creates a destination for runs that recompute all of their results and don't continue any others.
    pub fn new(path: &'a Path, inputs: &'a [PathBuf], force: bool) -> Destination<'a> {
        Destination { path, inputs, force, repeats: &|_| true, continues: &|_| Err(String::new()), waits: false }
    }
}

/// The folder chosen for a run.
pub(super) struct Choice {
    pub(super) working: WorkingFolder,
    pub(super) started: Started,
    /// `true` if the run replaces one with a different configuration.
    pub(super) replaces_other: bool,
}

/// An error that prevents a run from starting.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The folder contains something that the run must not replace.
    #[error("{0}")]
    Refused(String),
    /// The folder is in use, or it can't be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A run's starting state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    /// The run starts without earlier results.
    Fresh,
    /// The run starts with the results of an interrupted run that has the same provenance.
    Resumed,
}

/// The state of a folder from the point of view of a run that could be started there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// The folder is missing or has no results yet.
    Absent,
    /// The folder contains something else, such as a run with a different configuration.
    Other,
    /// The folder contains this run, which was interrupted.
    Unfinished,
    /// The folder contains this run with its results.
    Finished,
}

/// Returns the state of a folder for a run with the given provenance.
pub(super) fn run_state(folder: &Path, provenance: &Provenance) -> io::Result<RunState> {
    Ok(match found(folder)? {
        Found::Nothing => RunState::Absent,
        Found::Run { provenance: old, .. } if old.difference(provenance).is_some() => RunState::Other,
        Found::Foreign => RunState::Other,
        Found::Run { finished: false, .. } => RunState::Unfinished,
        Found::Run { finished: true, .. } => RunState::Finished,
    })
}

/// A folder's contents.
enum Found {
    /// The folder is missing or empty, or it only contains a run that ended before its first result.
    Nothing,
    /// The folder contains something other than a run.
    Foreign,
    /// The folder contains a run.
    Run { provenance: Box<Provenance>, finished: bool },
}

fn found(folder: &Path) -> io::Result<Found> {
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
pub(super) fn resolve(path: &Path) -> io::Result<PathBuf> {
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

/// Returns the path to the folder of a run that will replace another one.
pub(super) fn beside(folder: &Path) -> PathBuf {
    sibling(folder, "new")
}

/// Locks a run's folder, and the folder of the run that will replace it if there is one. An interrupted replacement is
/// completed.
pub(super) fn lock(folder: &Path, waits: bool) -> io::Result<(FileLock, Option<FileLock>)> {
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

/// Chooses a run's working folder, which is either `folder` itself or a sibling that replaces it once the run is
/// finished.
pub(super) fn choose(
    folder: &Path,
    provenance: &Provenance,
    config: &str,
    to: &Destination<'_>,
) -> Result<Choice, StartError> {
    let in_place = |started| Choice { working: WorkingFolder::in_place(folder), started, replaces_other: false };
    check_inputs(folder, config, to.inputs)?;
    let beside = beside(folder);
    let resumes_beside = match found(&beside)? {
        Found::Run { provenance: old, .. } => Some(old.difference(provenance).is_none()),
        Found::Nothing => None,
        Found::Foreign => return Err(foreign(&beside)),
    };
    let replaces_other = match found(folder)? {
        Found::Foreign => return Err(foreign(folder)),
        Found::Nothing if resumes_beside == Some(true) => false,
        Found::Nothing => return Ok(in_place(Started::Fresh)),
        Found::Run { provenance: old, finished } => {
            let difference = old.difference(provenance);
            let continued = if difference.is_some() { (to.continues)(folder) } else { Ok(()) };
            match difference {
                Some("kind") => return Err(other_kind(folder, &old, provenance.kind())),
                None if !finished => return Ok(in_place(Started::Resumed)),
                Some(_) if !finished && continued.is_ok() => return Ok(in_place(Started::Resumed)),
                None if to.force || (to.repeats)(folder) => {}
                Some(_) if to.force => {}
                _ => {
                    let difference = difference.map(|part| (part, config_changes(folder, config), continued));
                    return Err(in_the_way(folder, &old, finished, difference));
                }
            }
            difference.is_some()
        }
    };
    let started = match resumes_beside {
        Some(true) => {
            remove(&beside.join(MACHINE))?;
            Started::Resumed
        }
        Some(false) if !to.force => return Err(other_interrupted(&beside, config)),
        _ => {
            discard(&beside)?;
            Started::Fresh
        }
    };
    let working = WorkingFolder { path: beside, is_beside: true };
    Ok(Choice { working, started, replaces_other })
}

/// Checks that no input is an output of the run in a folder. The run's own unchanged configuration is allowed.
fn check_inputs(folder: &Path, config: &str, inputs: &[PathBuf]) -> Result<(), StartError> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    let own = Own::of(&folder);
    for input in inputs {
        let Ok(file) = input.canonicalize() else { continue };
        let Ok(inside) = file.strip_prefix(&folder) else { continue };
        let is_unchanged = inside == Path::new(CONFIG) && read_inside(&folder, CONFIG).is_ok_and(|text| text == config);
        if own.has(inside) && !is_unchanged {
            return Err(StartError::Refused(format!(
                "{} is an output of the run in that folder, which this run would replace; copy it elsewhere or choose \
                 another folder with --out",
                input.display()
            )));
        }
    }
    Ok(())
}

fn foreign(folder: &Path) -> StartError {
    let text = "is not empty and not the folder of a run; choose another folder with --out or move this one";
    StartError::Refused(format!("{} {text}", folder.display()))
}

fn other_kind(folder: &Path, old: &Provenance, kind: RunKind) -> StartError {
    StartError::Refused(format!(
        "{} contains {} (`{}`), which {} cannot replace; choose another folder with --out",
        folder.display(),
        old.kind().title(),
        old.command,
        kind.title()
    ))
}

fn in_the_way(
    folder: &Path,
    old: &Provenance,
    finished: bool,
    difference: Option<(&str, String, Result<(), String>)>,
) -> StartError {
    let (folder, command) = (folder.display(), &old.command);
    let state = if finished { "the finished results" } else { "the unfinished run" };
    let remedy = "choose another folder with --out or replace it with --force";
    StartError::Refused(match difference {
        Some((part, changes, continued)) => {
            let hint = continued.map_or_else(|hint| hint, |()| ", which keeps unchanged training runs".to_owned());
            format!("{folder} contains {state} of `{command}`, whose {part} differs{changes}; {remedy}{hint}")
        }
        None => {
            format!("{folder} contains {state} of `{command}`, of which this command produces only a part; {remedy}")
        }
    })
}

/// Describes how the configuration in a run's folder differs from another one, for use in messages.
fn config_changes(folder: &Path, config: &str) -> String {
    let kept = read_inside(folder, CONFIG).unwrap_or_default();
    changes(&kept, config)
}

fn other_interrupted(beside: &Path, config: &str) -> StartError {
    let changes = config_changes(beside, config);
    StartError::Refused(format!(
        "{} contains an interrupted run of another configuration{changes}; finish it with the same command, choose \
         another folder with --out, or discard it with --force",
        beside.display()
    ))
}

/// Replaces the run in `folder` with the one in `new`. The old run is moved into the new one's folder first, so no other
/// folder is touched.
pub(super) fn replace(folder: &Path, new: &Path) -> io::Result<()> {
    let failed = |error: io::Error| {
        let text =
            format!("cannot replace {}: {error}; the new results are complete in {}", folder.display(), new.display());
        io::Error::new(error.kind(), text)
    };
    write_atomic(&folder.join(MARK), mark_of(new)?).map_err(failed)?;
    fs::rename(folder, new.join(REPLACED)).map_err(failed)?;
    fs::rename(new, folder).map_err(failed)?;
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
    keep_others(&old, folder, &Own::of(&old), Path::new(""))?;
    // These two are needed until the end if this is interrupted.
    for name in [MANIFEST, MARK] {
        remove(&old.join(name))?;
    }
    fs::remove_dir(&old).map_err(failed)
}

/// Moves everything from a folder in the old run to the same place in the new run, except for the old run's own files,
/// which are removed.
fn keep_others(old: &Path, new: &Path, own: &Own, inside: &Path) -> io::Result<()> {
    let folder = old.join(inside);
    let failed = |error| cannot_write(&folder, error);
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = inside.join(entry.file_name());
        let (from, to) = (entry.path(), new.join(&name));
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        if is_folder && !from.join(PROVENANCE).exists() {
            keep_others(old, new, own, &name)?;
            fs::remove_dir(&from).map_err(failed)?;
        } else if !is_folder && own.has(&name) {
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
        1 => PathBuf::from(format!("{}.old", to.display())),
        _ => PathBuf::from(format!("{}.old-{number}", to.display())),
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

/// Removes the folder of an unfinished run.
fn discard(folder: &Path) -> Result<(), StartError> {
    if !folder.exists() {
        return Ok(());
    }
    let own = Own::of(folder);
    if let Some(other) = paths(folder)?.iter().find(|path| !own.has(path)) {
        let text = "is not part of the run in that folder, which this run would discard; move it elsewhere";
        return Err(StartError::Refused(format!("{} {text}", folder.join(other).display())));
    }
    Ok(fs::remove_dir_all(folder).map_err(|error| cannot_write(folder, error))?)
}

/// A run's working folder. If it is a sibling of the final folder and still has no results at the end, it is removed.
#[derive(Debug)]
pub(super) struct WorkingFolder {
    pub(super) path: PathBuf,
    is_beside: bool,
}

impl WorkingFolder {
    pub(super) fn in_place(folder: &Path) -> WorkingFolder {
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

/// Removes a file if it exists.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(path, error)),
        _ => Ok(()),
    }
}
