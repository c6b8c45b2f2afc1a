//! The output, the refusals and the files of a command that has ended. The tests of both programs use these functions.

use super::common::houseway_in;
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Checks that the program refuses each command with a single message, which contains the given part.
pub(crate) fn refused(commands: &[(&[&str], &str)]) {
    refused_in(Path::new("."), &[], commands);
}

/// Checks the same in a folder, of commands that begin with the same arguments.
pub(crate) fn refused_in(folder: &Path, start: &[&str], commands: &[(&[&str], &str)]) {
    for (arguments, part) in commands {
        let message = contains(*part).and(contains("error:").count(1));
        houseway_in(folder, &[start, arguments].concat()).code(2).stdout("").stderr(message);
    }
}

/// Returns what a command printed.
pub(crate) fn stdout(ended: &Assert) -> String {
    String::from_utf8(ended.get_output().stdout.clone()).unwrap()
}

/// Returns the messages of a command.
pub(crate) fn stderr(ended: &Assert) -> String {
    String::from_utf8(ended.get_output().stderr.clone()).unwrap()
}

/// Returns what a command printed, which must fit 80 columns.
pub(crate) fn narrow(ended: &Assert) -> String {
    let text = stdout(ended);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    text
}

/// Returns the JSON document that a command printed.
pub(crate) fn document(ended: &Assert) -> Value {
    serde_json::from_slice(&ended.get_output().stdout).unwrap()
}

/// Returns the contents of all files below a folder by their paths in it.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![PathBuf::new()]);
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(folder.join(&inside)).unwrap().map(Result::unwrap) {
            let path = inside.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else {
                files.insert(path, fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}

/// Copies all files below a folder.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    for (path, bytes) in files(from) {
        let copy = to.join(path);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(copy, bytes).unwrap();
    }
}
