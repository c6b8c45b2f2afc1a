//! The folder of a run, and the decision which one a run uses: the requested one, a sibling that will replace the
//! finished run in it, or none at all.

use super::replace::{Found, WorkingFolder, beside, discard, found, lock, remove, replace, resolve};
use super::{
    CONFIG, FileLock, MACHINE, MANIFEST, Machine, PROVENANCE, Provenance, RunKind, RunSpec, cannot_read, cannot_write,
    changes, check_unchanged, check_writable, load_config, make_folder, manifest_text, own_files, paths, read_inside,
    remove_temporary, renewed_text, write_atomic,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};

pub struct Destination<'a> {
    pub path: &'a Path,
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

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The folder contains something that the run must not replace.
    #[error("{0}")]
    Refused(String),
    /// The folder is in use, or it can't be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The state of a folder from the point of view of a run that could be started there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// The folder is missing or has no results yet.
    Absent,
    /// The folder contains something else, such as a run with a different configuration.
    Other,
    Unfinished,
    Finished,
}

/// The folder of a single run, identified by its `provenance.json`. Other processes can't use the folder at the same
/// time.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// The run's working folder, which is either the final folder or a sibling that replaces it at the end.
    working: WorkingFolder,
    /// `true` if the run starts with the results of an interrupted run that has the same provenance.
    pub is_resumed: bool,
    /// `true` if this run replaces a run with a different configuration.
    replaces_other: bool,
    pub provenance: Provenance,
    begun: Instant,
    /// The lock of the final folder.
    lock: FileLock,
    /// The lock of the working folder, if it is another one.
    beside: Option<FileLock>,
}

impl RunFolder {
    /// Starts a run in a folder, or resumes an interrupted run with the same configuration, rules, and house ways. It
    /// doesn't matter which command started the run or how the program was built.
    ///
    /// A finished run keeps its folder until [`RunFolder::finish`] is called. Until then, the new run works in the
    /// hidden folder `.NAME.new` next to it, where it is found again if it is interrupted. Files in the folder that
    /// aren't run outputs are kept.
    pub fn start(spec: &RunSpec, to: &Destination<'_>) -> Result<RunFolder, StartError> {
        let path = resolve(to.path)?;
        let (lock, mut beside) = lock(&path, to.waits)?;
        let provenance = Provenance::new(spec);
        let Choice { working, is_resumed, replaces_other } = choose(&path, &provenance, &spec.config, to)?;
        if working.path == path {
            beside = None;
        } else if beside.as_ref().is_none_or(|lock| !lock.is_in_place()) {
            beside = Some(FileLock::folder(&working.path, false)?);
        }
        check_writable(&working.path)?;
        remove(&working.path.join(MANIFEST))?;
        let begun = Instant::now();
        let run = RunFolder { path, working, is_resumed, replaces_other, provenance, begun, lock, beside };
        // Write the provenance first because it marks the folder as a run's.
        run.write_json(PROVENANCE, &run.provenance)?;
        write_atomic(&run.file(CONFIG), &spec.config)?;
        Ok(run)
    }

    pub fn state(path: &Path, spec: &RunSpec) -> io::Result<RunState> {
        Ok(match found(path)? {
            Found::Nothing => RunState::Absent,
            Found::Run { provenance: old, .. } if old.difference(&Provenance::new(spec)).is_some() => RunState::Other,
            Found::Foreign => RunState::Other,
            Found::Run { finished: false, .. } => RunState::Unfinished,
            Found::Run { finished: true, .. } => RunState::Finished,
        })
    }

    pub fn open(path: &Path) -> io::Result<RunFolder> {
        if !path.join(PROVENANCE).exists() {
            let text = format!("{} is not the folder of a run: {PROVENANCE} is missing", path.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        let path = resolve(path)?;
        let (lock, _) = lock(&path, false)?;
        let (working, begun) = (WorkingFolder::in_place(&path), Instant::now());
        let text = read_inside(&path, PROVENANCE)?;
        let damaged = |error: serde_json::Error| cannot_read(&path.join(PROVENANCE), error.into());
        let provenance = serde_json::from_str(&text).map_err(damaged)?;
        Ok(RunFolder { path, working, is_resumed: true, replaces_other: false, provenance, begun, lock, beside: None })
    }

    /// Finishes the run. Writes the checksums of its files to `manifest.json` and then `machine.json`, which marks the
    /// run as complete. Replaces any older run in the folder.
    pub fn finish(self) -> io::Result<RunFolder> {
        self.check_in_place()?;
        remove_temporary(&self.working.path)?;
        let machine = json_text(&Machine::after(self.begun.elapsed()))?;
        write_atomic(&self.file(MANIFEST), manifest_text(&self.working.path, (MACHINE, &machine))?)?;
        write_atomic(&self.file(MACHINE), machine)?;
        self.publish()
    }

    fn check_in_place(&self) -> io::Result<()> {
        if [&self.lock].into_iter().chain(&self.beside).all(FileLock::is_in_place) {
            return Ok(());
        }
        let text = format!("{} was moved or removed while the run was using it", self.path.display());
        Err(io::Error::other(format!("{text}; move it back and run the same command to resume")))
    }

    /// Draws the plots and the report again with a function, and updates their checksums. The data that they are drawn
    /// from must be those of the manifest.
    pub fn redraw<T>(&self, draw: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let is_drawing = |name: &str| [".png", ".svg", ".md"].iter().any(|end| name.ends_with(end));
        check_unchanged(&self.path, is_drawing)?;
        let drawn = draw()?;
        if let Some(text) = renewed_text(&self.path, is_drawing)? {
            write_atomic(&self.path.join(MANIFEST), text)?;
        }
        Ok(drawn)
    }

    /// Replaces any older run in the folder without marking this run as complete, so that it can still be resumed.
    pub fn publish(self) -> io::Result<RunFolder> {
        self.check_in_place()?;
        let Some(beside) = self.beside else { return Ok(self) };
        replace(&self.path, &self.working.path)?;
        let working = WorkingFolder::in_place(&self.path);
        // The new folder's own lock has the old folder's place, unless the system only locks files.
        let lock = if self.lock.is_in_place() { self.lock } else { beside.renamed(&self.path) };
        Ok(RunFolder { working, lock, beside: None, ..self })
    }

    /// Returns the folder of the run that this one replaces, if that run has a different configuration.
    pub fn replaced(&self) -> Option<&Path> {
        self.replaces_other.then_some(&*self.path)
    }

    /// Copies a folder of files from the run that this one will replace. Does nothing if this run already has the
    /// folder. The copy is renamed when it is complete, so an interrupted one is never taken for it.
    pub fn carry_over(&self, name: impl AsRef<Path>) -> io::Result<()> {
        let name = name.as_ref();
        let (from, to) = (self.path.join(name), self.working.path.join(name));
        if to.exists() || !from.is_dir() {
            return Ok(());
        }
        let part = to.with_added_extension("copy");
        if part.exists() {
            fs::remove_dir_all(&part).map_err(|error| cannot_write(&part, error))?;
        }
        make_folder(&part)?;
        for entry in fs::read_dir(&from).map_err(|error| cannot_read(&from, error))? {
            let entry = entry.map_err(|error| cannot_read(&from, error))?;
            // A link leads elsewhere, and a pipe has no end.
            if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
                continue;
            }
            let file = part.join(entry.file_name());
            fs::copy(entry.path(), &file).map_err(|error| cannot_write(&file, error))?;
        }
        fs::rename(&part, &to).map_err(|error| cannot_write(&to, error))
    }

    /// Returns the path to the folder that contains the results once the run is finished.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path to the run's working folder. If the run replaces another one at the end, this is a hidden
    /// sibling of the final folder.
    pub fn working(&self) -> &Path {
        &self.working.path
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.working.path.join(name)
    }

    pub fn config<C: DeserializeOwned>(&self) -> io::Result<C> {
        load_config(&self.file(CONFIG))
    }

    pub fn training(&self, name: &str) -> PathBuf {
        self.file("train").join(name)
    }

    pub fn write_json(&self, name: &str, value: &impl Serialize) -> io::Result<()> {
        write_atomic(&self.file(name), json_text(value)?)
    }

    pub fn plots(&self) -> PathBuf {
        self.file("plots")
    }

    pub fn figures(&self) -> io::Result<Vec<String>> {
        let plots = self.plots();
        let files = if plots.exists() { paths(&plots)? } else { vec![] };
        // Files in folders below it are not the program's.
        let is_direct = |path: &&PathBuf| path.components().count() == 1;
        let name = |path: &PathBuf| path.to_str()?.strip_suffix(".toml").map(str::to_owned);
        let mut names: Vec<String> = files.iter().filter(is_direct).filter_map(name).collect();
        names.sort();
        Ok(names)
    }
}

pub fn json_text(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

struct Choice {
    working: WorkingFolder,
    is_resumed: bool,
    replaces_other: bool,
}

/// Chooses a run's working folder, which is either `folder` itself or a sibling that replaces it once the run is
/// finished.
fn choose(folder: &Path, provenance: &Provenance, config: &str, to: &Destination<'_>) -> Result<Choice, StartError> {
    let in_place = |is_resumed| Choice { working: WorkingFolder::in_place(folder), is_resumed, replaces_other: false };
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
        Found::Nothing => return Ok(in_place(false)),
        Found::Run { provenance: old, finished } => {
            let difference = old.difference(provenance);
            let continued = if difference.is_some() { (to.continues)(folder) } else { Ok(()) };
            match difference {
                Some("kind") => return Err(other_kind(folder, &old, provenance.kind)),
                None if !finished => return Ok(in_place(true)),
                Some(_) if !finished && continued.is_ok() => return Ok(in_place(true)),
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
    let is_resumed = match resumes_beside {
        Some(true) => {
            remove(&beside.join(MACHINE))?;
            true
        }
        Some(false) if !to.force => return Err(other_interrupted(&beside, config)),
        _ => {
            discard(&beside)?;
            false
        }
    };
    let working = WorkingFolder { path: beside, is_beside: true };
    Ok(Choice { working, is_resumed, replaces_other })
}

/// Checks that no input is an output of the run in a folder. The run's own unchanged configuration is allowed.
fn check_inputs(folder: &Path, config: &str, inputs: &[PathBuf]) -> Result<(), StartError> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    let is_own = own_files(&folder);
    for input in inputs {
        let Ok(file) = input.canonicalize() else { continue };
        let Ok(inside) = file.strip_prefix(&folder) else { continue };
        let is_unchanged = inside == Path::new(CONFIG) && read_inside(&folder, CONFIG).is_ok_and(|text| text == config);
        if is_own(inside) && !is_unchanged {
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
        old.kind.title(),
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
    changes(&read_inside(folder, CONFIG).unwrap_or_default(), config)
}

fn other_interrupted(beside: &Path, config: &str) -> StartError {
    StartError::Refused(format!(
        "{} contains an interrupted run of another configuration{}; finish it with the same command, choose another \
         folder with --out, or discard it with --force",
        beside.display(),
        config_changes(beside, config)
    ))
}
