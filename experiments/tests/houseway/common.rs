//! Helpers shared by several tests.

pub(crate) use super::ended::*;
use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

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
    document(&houseway(arguments).success())
}

/// Starts the program in a folder without waiting for it.
pub(crate) fn spawn_in(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("houseway"));
    command.current_dir(folder).env("HOUSEWAY_COUNTS", "").args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Starts the program in a folder, and kills it as soon as a file in it exists.
pub(crate) fn kill_at(folder: &Path, arguments: &[&str], file: &str) {
    let mut child = spawn_in(folder, arguments);
    wait_for(&folder.join(file));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Waits until a file exists.
pub(crate) fn wait_for(file: &Path) {
    let begun = Instant::now();
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(300), "{} is missing", file.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}
