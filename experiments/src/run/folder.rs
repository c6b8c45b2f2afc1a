//! The folder of one run.

use super::{Machine, Provenance, cannot_read, check_writable, make_folder, write_atomic};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Name of the file of results in a run's folder.
pub const RESULTS: &str = "results.json";

const CONFIG: &str = "config.toml";
const PROVENANCE: &str = "provenance.json";
const MACHINE: &str = "machine.json";
/// What a run writes besides, and a new run in the same folder takes away.
const OTHERS: [&str; 7] = ["report.md", "report.toml", "metrics.csv", RESULTS, "plots", "tables", "train"];

/// The folder of one run, recognised by its `provenance.json`.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    provenance: Provenance,
    begun: Instant,
}

/// How a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    /// With nothing.
    Anew,
    /// With what a run of the same provenance left when it was cut off.
    Resumed,
}

impl RunFolder {
    /// Begins a run in a folder. A run of the same provenance that was cut off is resumed, whatever command began it; any other run there is replaced;
    /// a folder with something else in it is left alone.
    ///
    /// # Errors
    /// If the folder holds something else, or cannot be written.
    pub fn start(path: &Path, provenance: Provenance, config: &str) -> io::Result<(RunFolder, Started)> {
        make_folder(path)?;
        check_writable(path)?;
        let folder = RunFolder { path: path.to_owned(), provenance, begun: Instant::now() };
        if let Ok(old) = RunFolder::open(path) {
            if old.provenance.same_run(&folder.provenance) && !folder.file(MACHINE).exists() {
                folder.write_json(PROVENANCE, &folder.provenance)?;
                return Ok((folder, Started::Resumed));
            }
            folder.clear()?;
        } else if fs::read_dir(path).map_err(|error| cannot_read(path, error))?.next().is_some() {
            let text = "is not empty and is no run's folder; choose another with --out, or empty it yourself";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} {text}", path.display())));
        }
        write_atomic(&folder.file(CONFIG), config)?;
        folder.write_json(PROVENANCE, &folder.provenance)?;
        Ok((folder, Started::Anew))
    }

    /// Opens the folder of a run that was made before.
    ///
    /// # Errors
    /// If it is none.
    pub fn open(path: &Path) -> io::Result<RunFolder> {
        let file = path.join(PROVENANCE);
        if !file.exists() {
            let text = format!("{} is no run's folder: it has no {PROVENANCE}", path.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        Ok(RunFolder { path: path.to_owned(), provenance: read_json(&file)?, begun: Instant::now() })
    }

    /// Ends the run: writes `machine.json`, with which it counts as whole.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(&self) -> io::Result<Machine> {
        let machine = Machine::after(self.begun.elapsed());
        self.write_json(MACHINE, &machine)?;
        Ok(machine)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file or folder in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// What the results depend on.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The configuration, as it was written out.
    ///
    /// # Errors
    /// If the file is not there or no such configuration.
    pub fn config<C: DeserializeOwned>(&self) -> io::Result<C> {
        super::load_config(&self.file(CONFIG))
    }

    /// The folder of one training, for its metrics and checkpoints.
    pub fn training(&self, name: &str) -> PathBuf {
        self.file("train").join(name)
    }

    /// Writes a file of JSON.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> io::Result<()> {
        write_atomic(&self.file(name), serde_json::to_string_pretty(value)? + "\n")
    }

    /// Reads a file of JSON.
    ///
    /// # Errors
    /// If it is not there, or holds something else.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> io::Result<T> {
        read_json(&self.file(name))
    }

    /// The folder of the figures.
    pub fn plots(&self) -> PathBuf {
        self.file("plots")
    }

    /// The names of the figures, sorted.
    ///
    /// # Errors
    /// If the folder of plots cannot be read.
    pub fn figures(&self) -> io::Result<Vec<String>> {
        let plots = self.plots();
        if !plots.exists() {
            return Ok(Vec::new());
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&plots).map_err(|error| cannot_read(&plots, error))? {
            let name = entry.map_err(|error| cannot_read(&plots, error))?.file_name();
            names.extend(name.to_str().and_then(|name| name.strip_suffix(".toml")).map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }

    /// Takes away what an older run wrote, the mark of a run last.
    fn clear(&self) -> io::Result<()> {
        for name in OTHERS.into_iter().chain([CONFIG, MACHINE, PROVENANCE]) {
            let path = self.file(name);
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            match removed {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(super::cannot_write(&path, error)),
                _ => {}
            }
        }
        Ok(())
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    let text = fs::read_to_string(path).map_err(|error| cannot_read(path, error))?;
    serde_json::from_str(&text).map_err(|error| cannot_read(path, error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provenance(seed: u64) -> Provenance {
        Provenance::new("seed = 1\n", vec![seed], "9adcfb12d8db2a82".to_owned())
    }

    fn start(path: &Path, seed: u64) -> (RunFolder, Started) {
        RunFolder::start(path, provenance(seed), "seed = 1\n").unwrap()
    }

    #[test]
    fn a_run_is_resumed_if_cut_off_and_replaced_if_whole_or_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results/quick");
        let (run, started) = start(&path, 1);
        assert_eq!(started, Started::Anew);
        make_folder(&run.training("a")).unwrap();
        assert_eq!(start(&path, 1).1, Started::Resumed);
        assert!(run.training("a").exists());
        assert_eq!(start(&path, 2).1, Started::Anew);
        assert!(!run.training("a").exists());
        start(&path, 2).0.finish().unwrap();
        assert_eq!(start(&path, 2).1, Started::Anew);
        assert!(!run.file(MACHINE).exists());
        assert_eq!(RunFolder::open(&path).unwrap().provenance(), &provenance(2));
        assert_eq!(fs::read_to_string(run.file(CONFIG)).unwrap(), "seed = 1\n");
    }

    #[test]
    fn other_peoples_folders_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "years").unwrap();
        let error = RunFolder::start(folder.path(), provenance(1), "").unwrap_err().to_string();
        assert!(error.contains("not empty") && error.contains("--out"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = RunFolder::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("no run's folder"), "{error}");
        let (run, _) = start(&folder.path().join("run"), 1);
        fs::write(run.file("notes.txt"), "mine").unwrap();
        start(run.path(), 2);
        assert_eq!(fs::read_to_string(run.file("notes.txt")).unwrap(), "mine");
    }

    #[test]
    fn the_clock_and_the_machine_stand_apart() {
        let folder = tempfile::tempdir().unwrap();
        let (run, _) = start(&folder.path().join("run"), 1);
        let machine = run.finish().unwrap();
        assert_eq!(run.read_json::<Machine>(MACHINE).unwrap(), machine);
        let text = fs::read_to_string(run.file(PROVENANCE)).unwrap();
        assert!(
            !text.contains(&machine.date[..10]) && !text.contains(&machine.cpu) && text.contains("9adcfb12d8db2a82")
        );
    }
}
