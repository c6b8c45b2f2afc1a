//! The files of a run with their checksums.
//!
//! A finished run has a `manifest.json` with the SHA-256 of each of its files. `houseway verify` compares them, and the
//! next run in the folder replaces nothing else. All other files in the folder belong to the user. An unfinished run and
//! those of earlier versions have no manifest. Their files are recognized by the names that runs give to files.

use super::replace::MARK;
use super::{MANIFEST, PROVENANCE, cannot_read, is_temporary, open_inside, read_inside};
use houseway_env::seal::{Seal, hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

const SEAL: Seal = Seal::new("houseway-manifest", 1);

/// The files that runs write, separated by spaces. `*` stands for any name or any start of a name.
const OUTPUTS: &str = "config.toml provenance.json machine.json results.json report.md report.toml metrics.csv \
    sweep.csv sweep.parquet diverged.txt search.json .replaced-by \
    plots/*.png plots/*.svg plots/*.csv plots/*.toml tables/*.csv ways/*.toml \
    strategies/*.parquet strategies/*.safetensors \
    counts/*.bin counts/*.json counts/*.csv counts/*/*.bin counts/*/*.csv counts.copy/* \
    train/*/card.md train/*/metrics.csv train/*/metrics.jsonl train/*/timing.csv train/*/diverged.txt \
    train/*/weights.safetensors train/*/weights.new.safetensors train/*/tensorboard/* \
    train/*/checkpoint/*.bpk train/*/checkpoint/*.json train/*/checkpoint/trees.json.new \
    train/*/checkpoint.copy/* train/*/checkpoint.new/* train/*/checkpoint.old/*";

/// The files that a published run may lack, because they are large and only needed to continue the run or to play its
/// agents and strategies, or because they repeat others.
const OPTIONAL: [&str; 8] = [
    "counts",
    "train/*/checkpoint",
    "train/*/tensorboard",
    "train/*/weights.safetensors",
    "train/*/card.md",
    "train/*/metrics.jsonl",
    "strategies",
    "plots/*.svg",
];

/// Returns `true` if a name has the form of a pattern, or if it is in a folder of this form.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = name.split('/');
    pattern.split('/').all(|pattern| {
        parts.next().is_some_and(|part| match pattern.strip_prefix('*') {
            Some(end) => part.ends_with(end),
            None => part == pattern,
        })
    })
}

pub fn is_output(name: &str) -> bool {
    let depth = |name: &str| name.split('/').count();
    OUTPUTS.split(' ').any(|pattern| depth(pattern) == depth(name) && matches(pattern, name))
}

/// Returns a path in a run's folder in the form in which the manifest lists it. Returns `None` for names that runs don't
/// use.
fn listed_name(path: &Path) -> Option<String> {
    let parts = path.components().map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    files: BTreeMap<String, String>,
}

impl Manifest {
    fn read(folder: &Path) -> io::Result<Option<Manifest>> {
        let text = match read_inside(folder, MANIFEST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        let damaged = |error| cannot_read(&folder.join(MANIFEST), io::Error::new(io::ErrorKind::InvalidData, error));
        SEAL.open(&text).map(Some).map_err(damaged)
    }

    fn text(&self) -> String {
        format!("{:#}\n", SEAL.seal(self))
    }

    /// Returns an error if the manifest lists a file in the folder with another content.
    fn check(&self, folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
        match self.files.get(name) {
            Some(sha256) if *sha256 != hex(&Sha256::digest(content)) => Err(differs(&folder.join(name))),
            _ => Ok(()),
        }
    }
}

fn differs(file: &Path) -> io::Error {
    let text = format!("it differs from {MANIFEST}, because one of them was damaged or modified; use houseway verify");
    cannot_read(file, io::Error::new(io::ErrorKind::InvalidData, text))
}

/// Returns the text of the manifest of a run that consists of its outputs in a folder and of `last`, a file that is
/// written after the manifest.
pub fn manifest_text(folder: &Path, (last, content): (&str, &str)) -> io::Result<String> {
    let mut files = BTreeMap::from([(last.to_owned(), hex(&Sha256::digest(content)))]);
    for path in paths(folder)? {
        let Some(name) = listed_name(&path).filter(|name| is_output(name) && name != last) else { continue };
        files.insert(name, digest_inside(folder, &path)?);
    }
    Ok(Manifest { files }.text())
}

/// Returns an error if a run has a manifest that lists another content of a file, except for files that will be written
/// again.
pub fn check_unchanged(folder: &Path, is_renewed: impl Fn(&str) -> bool) -> io::Result<()> {
    let changed = verify_run(folder)?.unwrap_or_default().changed;
    changed.iter().find(|name| !is_renewed(name)).map_or(Ok(()), |name| Err(differs(&folder.join(name))))
}

/// Returns the text of the manifest in a folder after files were written again. Returns `None` if the folder has no
/// manifest.
pub fn renewed_text(folder: &Path, is_renewed: impl Fn(&str) -> bool) -> io::Result<Option<String>> {
    let Some(mut manifest) = Manifest::read(folder)? else { return Ok(None) };
    for (name, sha256) in manifest.files.iter_mut().filter(|(name, _)| is_renewed(name)) {
        match digest_inside(folder, Path::new(name)) {
            // A published run may lack files, such as the model cards of weights that it lacks. They stay as recorded.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            digest => *sha256 = digest?,
        }
    }
    Ok(Some(manifest.text()))
}

/// Returns a function that tells whether a file belongs to the run in a folder, given its path in the folder. These are
/// the files that the manifest lists or, without a manifest, those with the names of outputs.
pub fn own_files(folder: &Path) -> impl Fn(&Path) -> bool + use<> {
    let listed = Manifest::read(folder).ok().flatten().map(|manifest| manifest.files);
    move |path| {
        let Some(name) = listed_name(path) else { return false };
        let is_listed = listed.as_ref().map_or_else(|| is_output(&name), |files| files.contains_key(&name));
        is_listed || [MANIFEST, MARK].contains(&&*name) || path.file_name().is_some_and(is_temporary)
    }
}

/// Returns the sorted paths of everything in a folder that isn't a folder itself, relative to the folder. Links aren't
/// followed. The folder of another run, such as one of a sweep, counts as a single path.
pub fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fn add(folder: &Path, inside: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
        let path = folder.join(inside);
        for entry in fs::read_dir(&path).map_err(|error| cannot_read(&path, error))? {
            let entry = entry.map_err(|error| cannot_read(&path, error))?;
            let name = inside.join(entry.file_name());
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true if !entry.path().join(PROVENANCE).exists() => add(folder, &name, paths)?,
                _ => paths.push(name),
            }
        }
        Ok(())
    }
    let mut found = vec![];
    add(folder, Path::new(""), &mut found)?;
    found.sort();
    Ok(found)
}

fn digest_inside(folder: &Path, name: &Path) -> io::Result<String> {
    let mut file = open_inside(folder, name)?;
    let failed = |error| cannot_read(&folder.join(name), error);
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
    }
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => return Ok(hex(&digest.finalize())),
            read => digest.update(&buffer[..read]),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerifiedRun {
    pub verified: usize,
    /// The files with another content. A folder or link in a file's place counts as one.
    pub changed: Vec<String>,
    pub missing: Vec<String>,
    /// The missing files that a published run may lack.
    pub omitted: Vec<String>,
    pub others: Vec<String>,
}

impl VerifiedRun {
    pub fn is_whole(&self) -> bool {
        self.changed.is_empty() && self.missing.is_empty()
    }
}

/// Compares the files in a run's folder with its manifest. Returns `None` if the run has none.
pub fn verify_run(folder: &Path) -> io::Result<Option<VerifiedRun>> {
    let Some(Manifest { files }) = Manifest::read(folder)? else { return Ok(None) };
    let mut verified = VerifiedRun::default();
    for (name, sha256) in &files {
        match digest_inside(folder, Path::new(name)) {
            Ok(found) if found == *sha256 => verified.verified += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let is_optional = OPTIONAL.iter().any(|pattern| matches(pattern, name));
                let list = if is_optional { &mut verified.omitted } else { &mut verified.missing };
                list.push(name.clone());
            }
            _ => verified.changed.push(name.clone()),
        }
    }
    let others = paths(folder)?.into_iter().filter(|path| !folder.join(path).join(PROVENANCE).exists());
    let others = others.map(|path| path.to_string_lossy().replace('\\', "/"));
    verified.others = others.filter(|name| name != MANIFEST && !files.contains_key(name)).collect();
    Ok(Some(verified))
}

/// Reads a text file of a run. If the run has a manifest that lists the file, it must be as recorded.
pub fn read_result(folder: &Path, name: &str) -> io::Result<String> {
    let text = read_inside(folder, name)?;
    if let Some(manifest) = Manifest::read(folder)? {
        manifest.check(folder, name, text.as_bytes())?;
    }
    Ok(text)
}

/// Returns an error if a file is in the folder of a run whose manifest lists another content of the file.
pub fn check_content(file: &Path, content: &[u8]) -> io::Result<()> {
    let file = file.canonicalize().map_err(|error| cannot_read(file, error))?;
    // Files of a run are at most three folders deep, as in train/NAME/FILE. Other programs write files of this name, too.
    let is_run = |folder: &&Path| folder.join(PROVENANCE).exists() && folder.join(MANIFEST).exists();
    let Some(folder) = file.ancestors().skip(1).take(3).find(is_run) else { return Ok(()) };
    let (Some(manifest), Ok(inside)) = (Manifest::read(folder)?, file.strip_prefix(folder)) else { return Ok(()) };
    let Some(name) = listed_name(inside) else { return Ok(()) };
    manifest.check(folder, &name, content)
}
