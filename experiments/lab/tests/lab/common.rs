//! Helpers shared by several tests.

pub(crate) use super::ended::*;
use assert_cmd::Command;
use assert_cmd::assert::Assert;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// A hand with two pairs, one of them with the joker.
pub(crate) const HAND: &str = "As Kd Jk 7c 7d 2h 3s";

/// Returns the path of the program without training, which is an example of this crate. Cargo builds examples along with
/// tests, unless an option such as `--test` leaves them out.
pub(crate) fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let built = tests.parent().and_then(Path::parent).unwrap();
    let path = built.join("examples").join(format!("lab{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "there is no {}; build it with --examples", path.display());
    path
}

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Returns the folder in which passes are kept for all tests of this run, so that each is computed once.
pub(crate) fn counts() -> &'static Path {
    static COUNTS: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("counts");
        // An earlier run's passes could be those of another program.
        drop(fs::remove_dir_all(&folder));
        folder
    });
    &COUNTS
}

/// Runs the program to completion, with the passes of all tests.
pub(crate) fn houseway(arguments: &[&str]) -> Assert {
    Command::new(program()).env("HOUSEWAY_COUNTS", counts()).args(arguments).assert()
}

/// Runs the program to completion in a folder. It computes all passes again.
pub(crate) fn houseway_in(folder: &Path, arguments: &[&str]) -> Assert {
    Command::new(program()).current_dir(folder).env("HOUSEWAY_COUNTS", "").args(arguments).assert()
}

/// Runs the program and returns the JSON document that it prints.
pub(crate) fn json(arguments: &[&str]) -> Value {
    document(&houseway(arguments).success())
}

/// Returns the game under the default rules.
pub(crate) fn game() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| Game::new(Rules::default()));
    &GAME
}

/// Returns the house way used by most tests.
pub(crate) fn trump_plaza() -> &'static Arc<HouseWay> {
    static WAY: LazyLock<Arc<HouseWay>> =
        LazyLock::new(|| HouseWay::shared(Way::named("trump-plaza").unwrap(), game()).unwrap());
    &WAY
}

/// Splits a printed answer into the answer itself and its machine-dependent parts.
pub(crate) fn without_machine(printed: &Assert) -> (Value, Value) {
    let mut answer = document(printed);
    let machine = answer.as_object_mut().unwrap().remove("machine").unwrap();
    assert!(
        machine["peak_memory"].as_u64().is_none_or(|bytes| bytes > 1_000_000 && bytes < 2_000_000_000),
        "{machine}"
    );
    (answer, machine)
}

/// Returns the full game between two house ways. It is counted only once, and is the same as `houseway solve` prints and
/// as it writes to a file.
pub(crate) fn solved() -> &'static Value {
    static SOLVED: LazyLock<Value> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let [out, par] = ["whole.json", "par"].map(|name| folder.path().join(name));
        // This pass counts the best response as well, and all other tests find both.
        houseway(&["par", "--out", par.to_str().unwrap()]).success();
        let (printed, machine) =
            without_machine(&houseway(&["solve", "--json", "--out", out.to_str().unwrap()]).success().stderr(""));
        assert!(["AVX-512", "AVX2", "portable"].contains(&machine["instructions"].as_str().unwrap()));
        let written: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
        assert_eq!(written, printed);
        printed
    });
    &SOLVED
}
