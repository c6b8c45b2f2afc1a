//! Tests for the Python package as its users install it. They build a wheel, install it into a virtual environment, and
//! run its tests, its doctests and the notebooks.
//!
//! This requires Python 3.10 or later (`python3`, or the interpreter in `HOUSEWAY_PYTHON`) and a package index. If
//! these aren't available, set `HOUSEWAY_SKIP_PYTHON=1`, and the tests report that they were skipped. The environment
//! and the wheel are kept in cargo's target folder, so later runs only download and compile what has changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The maximum size of the wheel, in bytes.
const MAX_WHEEL_BYTES: u64 = 5_000_000;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace").to_owned()
}

/// Runs a command to completion and returns its output. If the command fails, its output is printed.
fn run(command: &mut Command) -> String {
    let told = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {told}: {error}"));
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{told}\n{text}");
    text
}

/// Returns the Python interpreter to create the virtual environment with.
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

/// A virtual environment with everything that the package needs.
struct Venv {
    folder: PathBuf,
    /// The file that identifies the wheel that the environment was built for.
    stamp: PathBuf,
}

impl Venv {
    /// Returns the environment in a folder. It is reused if nothing has changed and recreated otherwise.
    fn new(folder: PathBuf, package: &Path) -> Venv {
        let venv = Venv { stamp: folder.join("made-for.txt"), folder };
        let wanted = venv.wanted(package);
        if fs::read_to_string(&venv.stamp).is_ok_and(|made_for| made_for == wanted) {
            return venv;
        }
        if venv.folder.exists() {
            fs::remove_dir_all(&venv.folder).unwrap();
        }
        run(Command::new(python()).args(["-m", "venv"]).arg(&venv.folder));
        run(venv.pip().arg("maturin>=1.16,<2"));
        venv
    }

    /// Returns a text that identifies the interpreter and the package's requirements.
    fn wanted(&self, package: &Path) -> String {
        let version = run(Command::new(python()).args(["-c", "import sys; print(sys.executable, sys.version)"]));
        version + &fs::read_to_string(package.join("pyproject.toml")).unwrap()
    }

    /// Installs a wheel, and its requirements unless they are already installed.
    fn install(&self, wheel: &Path, package: &Path) {
        if self.stamp.exists() {
            run(self.pip().args(["--no-deps", "--force-reinstall"]).arg(wheel));
        } else {
            run(self.pip().arg(format!("{}[test,notebooks]", wheel.display())));
            fs::write(&self.stamp, self.wanted(package)).unwrap();
        }
    }

    fn python(&self) -> Command {
        let mut python = Command::new(self.folder.join("bin/python"));
        // Only the files in the wheel can be imported, not the package's sources.
        python.env_remove("PYTHONPATH").env("PYTHONSAFEPATH", "1").env("PYTHONDONTWRITEBYTECODE", "1");
        python
    }

    fn pip(&self) -> Command {
        let mut pip = self.python();
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip
    }
}

/// Builds the wheel as `pip install` does, but with a target folder that is kept, and with the maturin that is installed.
fn wheel(venv: &Venv, package: &Path, scratch: &Path) -> PathBuf {
    let folder = scratch.join("wheels");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    let mut build = venv.python();
    build.args(["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]);
    build.arg("--wheel-dir").arg(&folder).arg(package);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [venv.folder.join("bin")].into_iter().chain(std::env::split_paths(&path));
    build.env("PATH", std::env::join_paths(path).unwrap()).env("CARGO_TARGET_DIR", scratch.join("target"));
    run(build.env("MATURIN_PEP517_ARGS", "--locked"));
    let wheels: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("pip made the folder")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .collect();
    assert_eq!(wheels.len(), 1, "{wheels:?}");
    wheels[0].clone()
}

/// Returns the virtual environment with the package, which is only created once for all tests, or `None` if the Python
/// tests are skipped.
fn installed() -> Option<&'static Venv> {
    static INSTALLED: LazyLock<Option<Venv>> = LazyLock::new(|| {
        if std::env::var_os("HOUSEWAY_SKIP_PYTHON").is_some() {
            eprintln!("HOUSEWAY_SKIP_PYTHON is set: the Python tests are skipped");
            return None;
        }
        let (scratch, package) = (scratch(), package());
        fs::create_dir_all(&scratch).unwrap();
        let venv = Venv::new(scratch.join("venv"), &package);
        let wheel = wheel(&venv, &package, &scratch);
        let bytes = fs::metadata(&wheel).unwrap().len();
        assert!(bytes < MAX_WHEEL_BYTES, "the wheel has {bytes} bytes");
        venv.install(&wheel, &package);
        Some(venv)
    });
    INSTALLED.as_ref()
}

/// A script that checks the requirements and the metadata shown by package indexes: both licenses, the authors, and a
/// single wheel for all Python versions.
const INSTALLED_METADATA: &str = r#"
from importlib.metadata import distribution
houseway = distribution("houseway")
metadata = houseway.metadata
assert metadata["License-Expression"] == "MIT OR Apache-2.0", metadata["License-Expression"]
assert sorted(metadata.get_all("License-File")) == ["LICENSE-APACHE", "LICENSE-MIT"]
assert "Houseway" in (metadata["Author"] or metadata["Author-email"])
assert metadata["Requires-Python"] == ">=3.10"
files = {str(file) for file in houseway.files}
assert sum(file.endswith(("LICENSE-APACHE", "LICENSE-MIT")) for file in files) == 2, files
assert any("_core.abi3." in file for file in files), files
assert not any(file.split("/")[0] in ("dist", "tests", "benches") for file in files), files
"#;

/// Builds the source distribution, and checks that a wheel can be built from it.
fn source_distribution(venv: &Venv, package: &Path, scratch: &Path) {
    let folder = scratch.join("source");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    run(venv.python().args(["-m", "maturin", "sdist", "--out"]).arg(&folder).current_dir(package));
    run(venv.python().args(["-c", SOURCE_CONTENTS]).arg(&folder));
}

/// A script that checks the files in an unpacked source distribution: the license files, both crates, and no built
/// packages.
const SOURCE_CONTENTS: &str = r#"
import pathlib, sys, tarfile
(archive,) = pathlib.Path(sys.argv[1]).glob("*.tar.gz")
with tarfile.open(archive) as source:
    members = source.getmembers()
    assert all(member.isfile() or member.isdir() for member in members), "a link would not survive on every system"
    files = {member.name.split("/", 1)[1]: source.extractfile(member).read() for member in members if member.isfile()}
for licence in ("LICENSE-APACHE", "LICENSE-MIT"):
    assert len(files[licence]) > 1000, licence
assert any(name.endswith("env/src/lib.rs") for name in files), sorted(files)
assert any(name.endswith("exact/src/lib.rs") for name in files), sorted(files)
assert any(name.endswith("Cargo.lock") for name in files), sorted(files)
assert not any("/dist/" in name or name.startswith("dist/") for name in files)
"#;

fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("python")
}

fn package() -> PathBuf {
    workspace().join("env/python")
}

#[test]
fn the_package_passes_its_tests() {
    let Some(venv) = installed() else { return };
    run(venv.python().args(["-c", INSTALLED_METADATA]));
    source_distribution(venv, &package(), &scratch());
    // Each file runs in a single process, so that its tests can share expensive computations.
    pytest(venv, &["tests", "-n", "2", "--dist", "loadfile"]);
    // The independent recount only needs NumPy, which is installed with the package.
    pytest(venv, &["../../experiments/verify"]);
    // Modules raise an `ImportError` if the packages that they require aren't installed.
    pytest(venv, &["--doctest-modules", "--doctest-ignore-import-errors", "--pyargs", "houseway"]);
}

/// Returns the folder in which the tests keep passes over all deals. It is empty at first, because an earlier run's passes
/// could be those of another program.
fn counts() -> &'static Path {
    static COUNTS: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = scratch().join("counts");
        drop(fs::remove_dir_all(&folder));
        folder
    });
    &COUNTS
}

fn pytest(venv: &Venv, arguments: &[&str]) {
    let mut pytest = venv.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(arguments).current_dir(package());
    // Exchange files with the actual program, and keep passes for all files of tests.
    pytest.env("HOUSEWAY", env!("CARGO_BIN_EXE_houseway")).env("HOUSEWAY_COUNTS", counts());
    let text = run(&mut pytest);
    assert!(text.contains(" passed"), "{text}");
}

#[test]
#[ignore = "takes 6 min to run the slow tests of the Python package, mostly over all deals"]
fn the_package_passes_its_slow_tests() {
    let Some(venv) = installed() else { return };
    pytest(venv, &["tests", "-m", "slow"]);
}

#[test]
#[ignore = "takes 1 min to install the lowest version of Gymnasium and run the tests of environments with it"]
fn the_package_works_with_the_lowest_version_of_gymnasium() {
    let Some(venv) = installed() else { return };
    let requirements = fs::read_to_string(package().join("pyproject.toml")).unwrap();
    let (_, after) = requirements.split_once("\"gymnasium>=").expect("the package requires gymnasium");
    let (version, _) = after.split_once('"').expect("requirements are quoted");
    let folder = scratch().join("lowest");
    run(venv.pip().args(["--no-deps", "--upgrade", "--target"]).arg(&folder).arg(format!("gymnasium=={version}")));
    let mut pytest = venv.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_envs.py", "tests/test_vector.py"]);
    // These modules have precedence over the installed ones.
    run(pytest.current_dir(package()).env("PYTHONPATH", &folder));
}

#[test]
#[ignore = "takes 2 min to run the notebooks and compare their output"]
fn the_notebooks_show_what_they_print() {
    check_notebooks(|name| !name.ends_with(SOLUTIONS));
}

#[test]
#[ignore = "takes 3 min to run the solutions of the notebooks and compare their output"]
fn solutions_of_notebooks_show_what_they_print() {
    check_notebooks(|name| name.ends_with(SOLUTIONS));
}

/// The end of the names of notebooks that solve the exercises of another one.
const SOLUTIONS: &str = "-solutions.py";

/// Runs the notebooks with one of these file names and compares their output.
fn check_notebooks(is_meant: impl Fn(&str) -> bool) {
    let Some(venv) = installed() else { return };
    let notebooks = workspace().join("notebooks");
    let names = fs::read_dir(&notebooks).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: Vec<String> = names.filter(|name| name.starts_with(|it: char| it.is_ascii_digit())).collect();
    let names: Vec<&String> = names.iter().filter(|name| name.ends_with(".py") && is_meant(name)).collect();
    assert!(names.len() >= 9, "{names:?}");
    run(venv.python().arg(notebooks.join("run.py")).arg("--check").args(names));
}
