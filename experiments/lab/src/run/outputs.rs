//! Checks a command's output files before its work begins.

use super::{FileLock, prepare_file};
use houseway_env::files::kind_name;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file that a command writes, and the option that specifies it.
#[derive(Clone, Debug)]
pub struct Output {
    option: String,
    path: PathBuf,
    /// `true` if the command extends an existing file.
    continued: bool,
}

impl Output {
    /// Creates an output for a new file. An existing file is only replaced with `force`.
    pub fn new(option: impl Into<String>, path: impl Into<PathBuf>) -> Output {
        Output { option: option.into(), path: path.into(), continued: false }
    }

    /// Creates an output for a file that the command first reads and then extends.
    pub fn continued(option: impl Into<String>, path: impl Into<PathBuf>) -> Output {
        Output { continued: true, ..Output::new(option, path) }
    }
}

/// The outputs of a command, which no other command can write until this is dropped.
#[must_use = "the outputs are only reserved while this exists"]
#[derive(Debug)]
pub struct ReservedOutputs {
    _locks: Vec<FileLock>,
}

/// Reserves a command's outputs after checking that they can be written and that they don't overwrite its inputs or each
/// other. Unless `force` is set, they must not overwrite an existing file either. Files that the command extends aren't
/// reserved.
pub fn check_outputs(outputs: &[Output], inputs: &[PathBuf], force: bool) -> Result<ReservedOutputs, String> {
    let mut locks = vec![];
    for (i, Output { option, path, continued }) in outputs.iter().enumerate() {
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
        if *continued {
            continue;
        }
        locks.push(FileLock::file(path, false).map_err(|error| match error.kind() {
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
    Ok(ReservedOutputs { _locks: locks })
}

/// Returns `true` if two paths lead to the same location, even if no file exists there yet.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| Some(super::folder_of(path).canonicalize().ok()?.join(path.file_name()?)))
    };
    one == other || place(one).is_some_and(|one| Some(one) == place(other))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(check(&[Output::continued("--resume", path("a"))], false), Ok(()));
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
