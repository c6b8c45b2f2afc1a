//! The Python package, as its users get it: a wheel in a new virtual environment, its tests, its doctests, the notebooks.
//!
//! Needs Python 3.10 or later (`python3`, or what `HOUSEWAY_PYTHON` names) and its package index. Where there is none, set
//! `HOUSEWAY_SKIP_PYTHON=1`: the test then says that it looked at nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Largest wheel, in bytes.
const LARGEST_WHEEL: u64 = 5_000_000;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace").to_owned()
}

/// Runs a command to its end; its output is shown if it fails.
fn run(command: &mut Command) -> String {
    let told = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {told}: {error}"));
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{told}\n{text}");
    text
}

/// The interpreter to start from.
fn python() -> String {
    let python = std::env::var("HOUSEWAY_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let recent = Command::new(&python)
        .args(["-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))"])
        .output();
    assert!(
        recent.is_ok_and(|output| output.status.success()),
        "the Python package needs Python 3.10 or later with venv, and '{python}' is not that; name another one with \
         HOUSEWAY_PYTHON=PATH, or leave these tests out with HOUSEWAY_SKIP_PYTHON=1"
    );
    python
}

/// The one wheel in a folder.
fn wheel_in(folder: &Path) -> PathBuf {
    let wheels: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of wheels was made")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .collect();
    assert_eq!(wheels.len(), 1, "{wheels:?}");
    wheels[0].clone()
}

#[test]
fn the_package_passes_its_tests_in_a_new_environment() {
    if std::env::var_os("HOUSEWAY_SKIP_PYTHON").is_some() {
        eprintln!("HOUSEWAY_SKIP_PYTHON is set: the Python package was not looked at");
        return;
    }
    let (workspace, scratch) = (workspace(), Path::new(env!("CARGO_TARGET_TMPDIR")).join("python"));
    let (package, wheels, venv) = (workspace.join("env/python"), scratch.join("wheels"), scratch.join("venv"));
    for old in [&wheels, &venv] {
        if old.exists() {
            fs::remove_dir_all(old).unwrap();
        }
    }
    run(Command::new(python()).args(["-m", "venv"]).arg(&venv));
    let tool = |name: &str| venv.join("bin").join(name);
    let pip = || {
        let mut pip = Command::new(tool("python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip
    };
    run(pip().arg("maturin>=1.16,<2"));
    let mut build = Command::new(tool("maturin"));
    build.args(["build", "--release", "--locked", "--out"]).arg(&wheels).current_dir(&package);
    run(build.env("CARGO_TARGET_DIR", scratch.join("target")).env("PATH", path_with(&venv)));
    let wheel = wheel_in(&wheels);
    let bytes = fs::metadata(&wheel).unwrap().len();
    assert!(bytes < LARGEST_WHEEL, "the wheel has {bytes} bytes");
    run(pip().arg(format!("{}[test,notebooks]", wheel.display())));

    let pytest = |arguments: &[&str]| {
        let mut pytest = Command::new(tool("python"));
        pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(arguments).current_dir(&package);
        pytest.env("MPLBACKEND", "agg");
        run(&mut pytest)
    };
    let text = pytest(&["tests"]);
    assert!(text.contains(" passed"), "{text}");
    let text = pytest(&["--doctest-modules", "--pyargs", "houseway"]);
    assert!(text.contains(" passed"), "{text}");
}

/// The search path with the environment's programs first.
fn path_with(venv: &Path) -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(venv.join("bin")).chain(std::env::split_paths(&path));
    std::env::join_paths(paths).expect("a folder of the workspace has no colon in its name")
}
