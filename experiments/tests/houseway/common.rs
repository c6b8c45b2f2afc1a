//! Helpers shared by several tests.

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;
use std::path::Path;

/// Runs the program to completion.
pub(crate) fn houseway(arguments: &[&str]) -> Assert {
    houseway_in(Path::new("."), arguments)
}

/// Runs the program to completion in a folder. It doesn't use the user's store of passes.
pub(crate) fn houseway_in(folder: &Path, arguments: &[&str]) -> Assert {
    Command::cargo_bin("houseway").unwrap().current_dir(folder).env("HOUSEWAY_COUNTS", "").args(arguments).assert()
}

/// Runs the program and returns the JSON document that it prints.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let answer = houseway(arguments).success();
    serde_json::from_slice(&answer.get_output().stdout).unwrap()
}
