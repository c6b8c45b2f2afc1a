//! Tests for a game without a solver. Its agents are trained and then evaluated by playing rounds.

use houseway_env::gym::GameEntry;
use houseway_env::registry;
use serde_json::Value;
use std::fs;

/// A configuration for an agent that takes a second to learn. It then plays almost as well as the optimum, whose EV is
/// -0.0337 antes.
const CONFIG: &str = "name = \"rounds\"
seeds = [1]
sample = { rounds = 40_000, seed = 5 }

[train.all-action]
method = \"all-action\"
steps = 150
batch = 256
network = { width = 16, layers = 1 }
";

/// The tutorial's game under another name, for which no solver is registered.
static GAME: GameEntry = GameEntry { name: "unsolved-poker", id: "UnsolvedPoker-v0", ..crate::game::GAME };

#[test]
fn agents_are_compared_by_played_rounds() {
    registry::register(&GAME).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (config, out) = (folder.path().join("rounds.toml"), folder.path().join("run"));
    fs::write(&config, CONFIG).unwrap();
    let bench = |more: &[&str]| {
        let arguments =
            ["houseway", "bench", "-g", GAME.name, config.to_str().unwrap(), "--out", out.to_str().unwrap()];
        let arguments = arguments.iter().chain(more).map(std::ffi::OsString::from);
        houseway::cli::main(arguments)
    };
    let code = |code: std::process::ExitCode| format!("{code:?}");
    assert_eq!(code(bench(&["--exact", "whole"])), code(std::process::ExitCode::from(2)));
    assert_eq!(code(bench(&[])), code(std::process::ExitCode::SUCCESS));

    let results: Value = serde_json::from_str(&fs::read_to_string(out.join("results.json")).unwrap()).unwrap();
    assert_eq!(
        (&results["scope"], &results["rounds"], &results["seed"]),
        (&"sample".into(), &40_000.into(), &5.into())
    );
    let [random, trained] = &results["agents"].as_array().unwrap()[..] else { panic!("{results}") };
    assert_eq!((&random["name"], &trained["name"]), (&"random".into(), &"all-action, seed 1".into()));
    for agent in [random, trained] {
        assert!(agent["regret"].is_null() && agent["regret_ci"].is_null() && agent["agreement"].is_null(), "{agent}");
        // The standard deviation of a round is between 1 and 2 antes.
        let error = agent["standard_error"].as_f64().unwrap();
        assert!((0.005..0.01).contains(&error), "{agent}");
    }
    // A random player folds every other hand and plays the rest.
    let (always, ev) = (-0.0796, |agent: &Value| agent["ev"].as_f64().unwrap());
    assert!((ev(random) - (always - 1.0) / 2.0).abs() < 0.04, "{random}");
    assert!((ev(trained) + 0.0337).abs() < 0.05, "{trained}");

    let report = fs::read_to_string(out.join("report.md")).unwrap();
    for text in [GAME.title, "This game has no solver", "40000 rounds", "standard error", "no regret"] {
        assert!(report.contains(text), "{text}: {report}");
    }
    let card = fs::read_to_string(out.join("train/all-action-seed-1/card.md")).unwrap();
    assert!(card.contains("| standard error |") && !card.contains("NaN") && !card.contains("interval"), "{card}");
    for text in ["| EV ", "Over played rounds."] {
        assert!(card.contains(text), "{text}: {card}");
    }
}
