//! Tests for the tutorial game, Three Card Poker. It is defined outside the crates but supports everything that the
//! built-in games do.

use crate::game::{Category, GAME, strength};
use crate::page::page;
use crate::solver::SOLVER;
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::gym::{Env, VecEnv, check_env, playthrough};
use houseway_env::registry;
use houseway_exact::Ratio;
use houseway_exact::solver::{Control, Solver, SolverConfig};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Once};

/// Registers the game and its solver once per process.
fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        registry::register(&GAME).unwrap();
        houseway_exact::registry::register(&SOLVER).unwrap();
    });
}

/// Checks that one of the example's files has the given contents. If `HOUSEWAY_WRITE_TUTORIAL` is set, writes the file
/// instead.
fn compare(name: &str, text: &str) {
    const WRITE: &str = "HOUSEWAY_WRITE_TUTORIAL";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/three_card_poker").join(name);
    if std::env::var_os(WRITE).is_some() {
        return std::fs::write(path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name} is stale; rewrite it with {WRITE}=1 cargo test --release --workspace tutorial");
}

fn environment(config: &str) -> Box<dyn Env> {
    register();
    (registry::find("ThreeCardPoker-v0").unwrap().make)(config).unwrap()
}

fn solver(assignments: &[&str]) -> Box<dyn Solver> {
    register();
    let config = assignments.iter().fold(SolverConfig::default(), |config, assignment| config.assign(assignment));
    houseway_exact::registry::find(GAME.name).unwrap().solver(&config).unwrap()
}

#[test]
fn categories_have_the_published_counts() {
    let mut counts = [0; 6];
    for_each_subset(CardSet::DECK_52, 3, |hand| counts[strength(hand).0 as usize] += 1);
    assert_eq!(counts, [16_440, 3_744, 1_096, 720, 52, 48]);
}

#[test]
fn hands_are_ordered_by_category_and_then_by_rank() {
    let hands = [
        "5s 3d 2h", "Qs 3d 2h", "Ah Kd Js", "2s 2d 3h", "2s 2d Ah", "As Ad 2h", "5s 3s 2s", "As Ks Js", "As 2d 3h",
        "2s 3d 4h", "Qs Kd Ah", "2s 2d 2h", "As Ad Ah", "Ad 2d 3d", "Qs Ks As",
    ];
    let strengths = hands.map(|hand| strength(hand.parse().unwrap()));
    assert!(strengths.is_sorted_by(|a, b| a < b), "{strengths:?}");
    assert_eq!(strengths[8].0, Category::Straight);
}

#[test]
fn the_environment_passes_the_checks_and_has_a_golden_playthrough() {
    for example in std::iter::once("{}").chain(GAME.examples.iter().map(|example| example.config)) {
        let report = check_env(&*environment(example), &[r#"{"ante": 25}"#]).unwrap();
        assert!(report.episodes > 0 && report.legal > 0 && report.illegal > 0);
    }
    compare("playthrough.txt", &playthrough(environment("{}").as_ref(), "{}", &[0, 1, 42]).unwrap());
}

#[test]
fn the_game_has_a_page() {
    compare("README.md", &page(&GAME));
}

#[test]
fn the_house_edge_is_the_published_one() {
    let ev = |assignments: &[&str]| solver(assignments).solve(&Control::default()).unwrap().json;
    let json = ev(&[]);
    assert_eq!(json["deals"], "407170400");
    assert_eq!(json["ev"], Ratio::new(-13_733_780, 407_170_400).to_json());
    assert_eq!(format!("{:.3}", 100.0 * json["ev"]["value"].as_f64().unwrap()), "-3.373");
    assert_eq!(json["probabilities"]["play"], Ratio::new(14_900, 22_100).value());
    // The same source lists these other bonuses, with the house edge in percent of the ante.
    for (bonus, edge) in [([4, 3, 1], "3.83"), ([5, 3, 1], "3.61"), ([3, 2, 1], "4.28")] {
        let [flush, three, straight] = bonus;
        let rules = [
            format!("straight-flush-bonus={flush}"),
            format!("three-of-a-kind-bonus={three}"),
            format!("straight-bonus={straight}"),
        ];
        let json = ev(&rules.each_ref().map(String::as_str));
        assert_eq!(format!("{:.2}", -100.0 * json["ev"]["value"].as_f64().unwrap()), edge, "{bonus:?}");
    }
}

#[test]
fn queen_six_four_is_the_lowest_hand_to_play() {
    let solver = solver(&[]);
    let best = |hand: &str| solver.value(hand, &Control::default()).unwrap().json["best"].clone();
    for (hand, action) in [("Qs 6h 4d", "play"), ("Qs 6h 3d", "fold"), ("Qs 5h 4d", "fold"), ("Jh Td 8s", "fold")] {
        assert_eq!(best(hand), action, "{hand}");
    }
    let lowest = strength("Qs 6h 4d".parse().unwrap());
    for_each_subset("As Kh Qd Qc 7s 6h 6d 5c 4s 3h 2d".parse().unwrap(), 3, |hand| {
        let action = if strength(hand) >= lowest { "play" } else { "fold" };
        assert_eq!(best(&hand.to_string()), action, "{hand}");
    });
    for bad in ["Qs 6h", "Qs 6h 4d 2c", "Jk 6h 4d", "Qs 6h 4x"] {
        assert!(solver.value(bad, &Control::default()).is_err(), "{bad}");
    }
}

#[test]
fn dead_cards_leave_fewer_hands_to_the_dealer() {
    register();
    let value = |dead: &str| {
        let config = SolverConfig::default().option("dead", dead);
        let solver = houseway_exact::registry::find(GAME.name).unwrap().solver(&config)?;
        solver.value("Qs 6h 4d", &Control::default()).map(|answer| answer.json)
    };
    assert!(value("").unwrap().get("dead").is_none());
    // Three cards remain, so the dealer has only one possible hand.
    let all_but = |left: &str| {
        CardSet::DECK_52.difference("Qs 6h 4d".parse().unwrap()).difference(left.parse().unwrap()).to_string()
    };
    for (left, play) in [("Ks Kh 2c", -2.0), ("Js 9h 2c", 1.0), ("Qh 5h 2c", 2.0)] {
        let json = value(&all_but(left)).unwrap();
        assert_eq!(
            (json["actions"]["play"].as_f64(), &json["dead"]),
            (Some(play), &Value::from(all_but(left))),
            "{left}"
        );
    }
    assert!(value("Qs").unwrap_err().to_string().contains("Qs is in play"));
}

/// Checks that the environment's mean rewards over many deals match the solver's results for both actions.
#[test]
fn rewards_of_the_environment_are_those_of_the_solver() {
    let mut lanes = VecEnv::new(&*environment("{}"), 20_000).unwrap();
    lanes.reset(Some(1), None).unwrap();
    let mut rewards = vec![0.0; 2 * lanes.len()];
    lanes.action_rewards(&mut rewards).unwrap();
    let played: f64 = rewards.chunks(2).map(|rewards| f64::from(rewards[1])).sum::<f64>() / lanes.len() as f64;
    let always: Value = solver(&[]).solve(&Control::default()).unwrap().json["always"]["play"]["value"].clone();
    // The standard deviation of a round is less than 2 antes.
    assert!((played - always.as_f64().unwrap()).abs() < 5.0 * 2.0 / (lanes.len() as f64).sqrt(), "{played}, {always}");
    assert!(rewards.chunks(2).all(|rewards| rewards[0] == -1.0));
}

/// The example's binary, which cargo builds along with the tests.
static BINARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let test = std::env::current_exe().unwrap();
    let examples = test.ancestors().nth(2).unwrap().join("examples");
    let binary = examples.join("three_card_poker").with_extension(std::env::consts::EXE_EXTENSION);
    assert!(binary.is_file(), "there is no {}; build it with --examples", binary.display());
    binary
});

/// Runs the example's binary with `--json` and returns the parsed output.
fn houseway(arguments: &[&str]) -> Value {
    let output = Command::new(&*BINARY).args(arguments).arg("--json").env("HOUSEWAY_COUNTS", "").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn ev_and_solve_print_the_published_figures() {
    assert_eq!(houseway(&["ev", "-g", GAME.name, "Qs 6h 3d"])["best"], "fold");
    let other =
        houseway(&["solve", "-g", GAME.name, "--set", "straight-flush-bonus=4", "--set", "three-of-a-kind-bonus=3"]);
    assert_eq!(format!("{:.2}", -100.0 * other["ev"]["value"].as_f64().unwrap()), "3.83");
}

#[test]
fn agents_are_trained_evaluated_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (config, run) = (folder.path().join("tutorial.toml"), folder.path().join("run"));
    let training = "seeds = [1]\n[train.all-action]\nmethod = \"all-action\"\nsteps = 200\nbatch = 256\n\
                    network = { width = 16, layers = 1 }\n";
    std::fs::write(&config, training).unwrap();
    let [config, out] = [&config, &run].map(|path| path.to_str().unwrap());
    let command = |name| houseway(&[name, "-g", GAME.name, config, "--out", out]);

    assert_eq!(command("train")["trained"], true);
    let results = command("bench");
    let agent = |name: &str| {
        let agents = results["agents"].as_array().unwrap();
        agents.iter().find(|agent| agent["name"] == name).unwrap_or_else(|| panic!("{name}: {results}"))
    };
    assert_eq!(results["scope"], "whole");
    let optimum = agent("optimum");
    assert_eq!(format!("{:.3}", -100.0 * optimum["ev"].as_f64().unwrap()), "3.373");
    assert_eq!(optimum["regret"], 0.0);
    let regret = |name: &str| agent(name)["regret"].as_f64().unwrap();
    assert!(regret("all-action, seed 1") < regret("always play"), "{results}");

    let report = run.join("report.md");
    let written = std::fs::read_to_string(&report).unwrap();
    assert!(written.contains("all-action, seed 1") && written.contains("optimum"), "{written}");
    std::fs::remove_file(&report).unwrap();
    houseway(&["report", out]);
    assert_eq!(std::fs::read_to_string(&report).unwrap(), written);
}
