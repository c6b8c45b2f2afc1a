//! Folder of one run.

use super::{Machine, Provenance, cannot_read, check_writable, make_folder, read_own_text, write_atomic};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// File name of the results in a run's folder.
pub const RESULTS: &str = "results.json";

const CONFIG: &str = "config.toml";
const PROVENANCE: &str = "provenance.json";
const MACHINE: &str = "machine.json";
/// Other outputs of a run, which a new run in the same folder removes.
const OTHERS: [&str; 7] = ["report.md", "report.toml", "metrics.csv", RESULTS, "plots", "tables", "train"];

/// Folder of one run, identified by its `provenance.json`.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    provenance: Provenance,
    begun: Instant,
}

/// State in which a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    /// Without earlier results.
    Anew,
    /// With the results of an interrupted run of the same provenance.
    Resumed,
}

impl RunFolder {
    /// Starts a run in a folder. An interrupted run of the same provenance is resumed, regardless of the command that
    /// started it; any other run in the folder is replaced. A folder with other contents is left unchanged.
    ///
    /// # Errors
    /// If the folder contains something else, or cannot be written.
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
            let text = "is not empty and not the folder of a run; choose another one with --out, or empty it";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} {text}", path.display())));
        }
        write_atomic(&folder.file(CONFIG), config)?;
        folder.write_json(PROVENANCE, &folder.provenance)?;
        Ok((folder, Started::Anew))
    }

    /// Opens the folder of an existing run.
    ///
    /// # Errors
    /// If the folder is not that of a run.
    pub fn open(path: &Path) -> io::Result<RunFolder> {
        let file = path.join(PROVENANCE);
        if !file.exists() {
            let text = format!("{} is not the folder of a run: {PROVENANCE} is missing", path.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        Ok(RunFolder { path: path.to_owned(), provenance: read_json(&file)?, begun: Instant::now() })
    }

    /// Finishes the run by writing `machine.json`, which marks it as complete.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(&self) -> io::Result<Machine> {
        let machine = Machine::after(self.begun.elapsed());
        self.write_json(MACHINE, &machine)?;
        Ok(machine)
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a file or folder in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Returns the provenance.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// Reads the configuration.
    ///
    /// # Errors
    /// If the file is missing or invalid.
    pub fn config<C: DeserializeOwned>(&self) -> io::Result<C> {
        super::load_config(&self.file(CONFIG))
    }

    /// Returns the folder of one training, with its metrics and checkpoints.
    pub fn training(&self, name: &str) -> PathBuf {
        self.file("train").join(name)
    }

    /// Writes a JSON file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> io::Result<()> {
        write_atomic(&self.file(name), serde_json::to_string_pretty(value)? + "\n")
    }

    /// Reads a JSON file.
    ///
    /// # Errors
    /// If it is missing or invalid.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> io::Result<T> {
        read_json(&self.file(name))
    }

    /// Returns the folder of the figures.
    pub fn plots(&self) -> PathBuf {
        self.file("plots")
    }

    /// Returns the names of the figures in sorted order.
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

    /// Removes the outputs of an older run, its provenance last.
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
    let text = read_own_text(path)?;
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
    fn interrupted_runs_are_resumed_and_others_replaced() {
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
    fn unrelated_folders_are_left_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "years").unwrap();
        let error = RunFolder::start(folder.path(), provenance(1), "").unwrap_err().to_string();
        assert!(error.contains("not empty") && error.contains("--out"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = RunFolder::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("not the folder of a run"), "{error}");
        let (run, _) = start(&folder.path().join("run"), 1);
        fs::write(run.file("notes.txt"), "mine").unwrap();
        start(run.path(), 2);
        assert_eq!(fs::read_to_string(run.file("notes.txt")).unwrap(), "mine");
    }

    #[test]
    fn time_and_machine_are_stored_separately() {
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
