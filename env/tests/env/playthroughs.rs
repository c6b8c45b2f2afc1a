//! Golden playthroughs for fixed seeds. Each environment variant has a text file with the full state, the legal
//! actions, the layout and values of the observation, and the rewards of all actions.
//!
//! Every game in the registry has playthroughs of its encodings and examples, and the table has one with all its agents.
//! If a playthrough differs, the meaning of seeds, rules or encodings has changed, so either the environment needs a new
//! version or there is a bug to fix.
//!
//! Run `HOUSEWAY_WRITE_PLAYTHROUGHS=1 cargo test --release -p houseway-env playthroughs` to rewrite the files.

use crate::api::pai_gow_table;
use houseway_env::gym::{MultiEnv, playthrough};
use houseway_env::pai_gow::table::{Players, TableAction, TableOptions};
use houseway_env::registry::games;
use std::fmt::Write as _;
use std::path::Path;

const WRITE: &str = "HOUSEWAY_WRITE_PLAYTHROUGHS";

/// Compares a playthrough with its file, or writes the file if requested.
fn compare(name: &str, played: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/playthroughs/{name}.txt"));
    if std::env::var_os(WRITE).is_some() {
        return std::fs::write(&path, played).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}.txt: {error}; set {WRITE}=1"));
    let differs = golden.lines().zip(played.lines()).position(|(golden, played)| golden != played);
    let line = differs.unwrap_or_else(|| golden.lines().count().min(played.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_owned();
    assert!(golden == played, "{name}.txt, line {}:\nfile   {}\nplayed {}", line + 1, at(&golden), at(played));
}

#[test]
fn every_game_by_encoding_and_example() {
    for game in games() {
        let name = |variant: &str| format!("{}-{variant}", game.name);
        for encoding in game.encodings {
            let env = game.make_with_encoding("{}", encoding).unwrap();
            compare(&name(encoding), &playthrough(env.as_ref(), "{}", &[0, 42]).unwrap());
        }
        if game.encodings.is_empty() {
            let env = (game.make)("{}").unwrap();
            compare(&name("defaults"), &playthrough(env.as_ref(), "{}", &[0, 42]).unwrap());
        }
        for example in game.examples {
            let env = (game.make)(example.config).unwrap_or_else(|error| panic!("{}: {error}", example.name));
            let played = playthrough(env.as_ref(), example.options[0], &[3, 77]).unwrap();
            compare(&name(example.name), &format!("config {}\n{played}", example.config));
        }
    }
}

/// Plays a session at a table and shows which agents have to move, what they see and may do, and what they do and
/// receive.
fn play_table(assignments: &[&str], options: &TableOptions, seed: u64) -> String {
    let mut env = pai_gow_table(assignments, Players::default());
    let options = serde_json::to_string(options).unwrap();
    let (spec, len, actions) = (env.spec(), env.observation_space().len(), env.actions());
    let mut text = format!(
        "env {}\nrules hash {}\nrules {}\nhouse way highest front\nreward range {:?}\nmax steps {}\nagents {}\nactions {actions}\nobservation {len}\noptions {}\n",
        spec.id,
        env.rules_hash(),
        serde_json::to_string(&env.setup().rules).unwrap(),
        spec.reward_range,
        spec.max_steps,
        env.agents(),
        options,
    );
    env.reset(Some(seed), Some(&options)).unwrap();
    for step in 0.. {
        let _ = writeln!(text, "\n{}", env.table().unwrap().render());
        let (mut observation, mut mask) = (vec![0.0; len], vec![false; actions]);
        for agent in 0..env.agents() {
            env.observe(agent, &mut observation).unwrap();
            let places = observation.iter().enumerate().filter(|(_, value)| **value != 0.0);
            let places: Vec<String> = places.map(|(place, value)| format!("{place}:{value}")).collect();
            let _ = writeln!(text, "agent {agent}  {:?}  {}", env.status(agent).unwrap(), places.join(" "));
        }
        let Some(agent) = env.selection() else { break };
        env.action_mask(agent, &mut mask).unwrap();
        let legal: Vec<usize> = (0..actions).filter(|&action| mask[action]).collect();
        let action = legal[(step * 7 + 3) % legal.len()];
        env.step(agent, action).unwrap();
        let name = TableAction::from_index(action).unwrap();
        let _ = writeln!(text, "legal {legal:?}\nagent {agent} step({action}) {name:?}\nrewards {:?}", env.rewards());
    }
    text
}

#[test]
fn all_agents_of_the_table_with_other_readings() {
    let options = TableOptions { bankrolls: vec![2_000, 0, 600, 400], rounds: 3 };
    let readings = [
        "time-steps=2",
        "uncovered-bets=lose",
        "commission-on-banker=per_bet",
        "button-without-hand=roll_again",
        "house-hand-when-player-banks=dealt",
    ];
    compare("pai-gow-table-all-agents", &play_table(&readings, &options, 9));
}
