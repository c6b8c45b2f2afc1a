//! Golden playthroughs: one text file for each variant of an environment, with the full state, the legal actions, the
//! layout and the numbers of the observation, and the rewards of all actions, for fixed seeds.
//!
//! A difference means that seeds, rules or encodings have changed their meaning: raise the version of the environment, or
//! mend it. `HOUSEWAY_WRITE_PLAYTHROUGHS=1 cargo test -p houseway-env --test playthroughs` writes the files anew.

use houseway_env::gym::{Env, MultiEnv};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::table::{PaiGowTable, Setup, TableAction, TableOptions, TableRules};
use houseway_env::pai_gow::{Game, PaiGowOptions, PaiGowPoker, Paytable, ProfileTable, Rules, Setting};
use houseway_env::rules::RuleSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

const WRITE: &str = "HOUSEWAY_WRITE_PLAYTHROUGHS";

/// Compares a playthrough with its file, or writes it.
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

fn numbers(values: &[f32]) -> String {
    values.iter().map(|value| format!("{value}")).collect::<Vec<_>>().join(" ")
}

/// The observation in rows: the 21 candidates one by one, of each the places that are not 0.
fn observation_lines(encoding: Observation, values: &[f32]) -> String {
    use houseway_env::pai_gow::observe::candidates::ROW;
    if encoding != Observation::Candidates {
        return format!("observation {}\n", numbers(values));
    }
    let (rows, context) = values.split_at(Setting::COUNT * ROW);
    let mut lines = String::new();
    for (setting, row) in rows.chunks(ROW).enumerate() {
        let places = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
        let places: Vec<String> = places.map(|(place, value)| format!("{place}:{value}")).collect();
        let _ = writeln!(lines, "observation row {setting:2}  {}", places.join(" "));
    }
    lines + &format!("observation context {}\n", numbers(context))
}

/// Plays a fixed choice of settings on a few seeds, two episodes on each.
fn play(mut env: PaiGowPoker<ProfileTable>, options: PaiGowOptions, seeds: &[u64]) -> String {
    let (spec, space) = (env.spec(), env.observation_space());
    let mut text = format!(
        "env {}\nrules hash {}\nrules {}\nbanker highest front\npaytable {}\nreward range {:?}\nmax steps {}\nactions {}\nobservation {} {:?} low {} high {}\noptions {}\n",
        spec.id,
        env.rules_hash(),
        serde_json::to_string(&env.game().rules()).unwrap(),
        env.paytable().name(),
        spec.reward_range,
        spec.max_steps,
        env.action_space().n(),
        env.observation(),
        space.shape,
        space.low,
        space.high,
        serde_json::to_string(&options).unwrap(),
    );
    for &seed in seeds {
        for (episode, seed) in [Some(seed), None].into_iter().enumerate() {
            env.reset(seed, Some(&options)).unwrap();
            let _ = writeln!(
                text,
                "\n## reset({}), episode {}",
                seed.map_or("none".to_owned(), |s| s.to_string()),
                episode + 1
            );
            let _ = writeln!(text, "{}", env.render());
            let (mut observation, mut mask) = (vec![0.0; space.len()], [false; Setting::COUNT]);
            env.observe(&mut observation).unwrap();
            env.action_mask(&mut mask).unwrap();
            text += &observation_lines(env.observation(), &observation);
            let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
            let _ = writeln!(text, "legal {legal:?}");
            let hand = *env.player().unwrap();
            for setting in Setting::all() {
                let (set, reward) = (hand.set(setting), env.rewards().unwrap()[setting.index()]);
                let (front, back) = (setting.front(hand.hand()), env.game().ranking().describe(set.back));
                let contender = if hand.contenders() >> setting.index() & 1 == 1 { ", contender" } else { "" };
                let _ = writeln!(text, "setting {:2}  {front}, back {back}: {reward}{contender}", setting.index());
            }
            let action = legal[(seed.unwrap_or(1) as usize * 7 + episode) % legal.len()];
            let step = env.step(action).unwrap();
            let _ = writeln!(text, "step({action})\n{}", env.render());
            let _ =
                writeln!(text, "reward {}, terminated {}, truncated {}", step.reward, step.terminated, step.truncated);
        }
    }
    text
}

fn env(rules: Rules) -> PaiGowPoker<ProfileTable> {
    let game = Arc::new(Game::new(rules));
    let banker = Arc::new(ProfileTable::highest_front(&game));
    PaiGowPoker::new(game, banker)
}

#[test]
fn pai_gow_poker_by_encoding() {
    for encoding in Observation::ALL {
        let played = play(env(Rules::default()).with_observation(encoding), PaiGowOptions::default(), &[0, 1, 42]);
        compare(&format!("pai-gow-poker-{encoding}"), &played);
    }
}

#[test]
fn pai_gow_poker_with_side_bet_and_other_readings() {
    let options = PaiGowOptions { stake: 20.0, side_stake: 5.0 };
    let rules = Rules::default().with("equal-setting=foul").unwrap().with("commission=0.04").unwrap();
    let rules = rules.with("side-bet-best=best_rank").unwrap();
    let env = env(rules).with_observation(Observation::RawCards);
    let env = env.with_paytable(Paytable::named("example-three-pairs").unwrap());
    compare("pai-gow-poker-side-bet-other-readings", &play(env, options, &[3, 5, 8, 13, 21, 34]));
}

/// A session at a table: who is asked, what every agent sees and may do, what it does and receives.
fn play_table(assignments: &[&str], options: &TableOptions, seed: u64) -> String {
    let game = Arc::new(Game::new(Rules::default()));
    let way = Arc::new(ProfileTable::highest_front(&game));
    let rules = assignments.iter().fold(TableRules::default(), |rules, assignment| rules.with(assignment).unwrap());
    let mut env = PaiGowTable::new(Arc::new(Setup::new(rules, game, way, Paytable::default()).unwrap()));
    let (spec, len, actions) = (env.spec(), env.observation_space().len(), env.action_space().n());
    let mut text = format!(
        "env {}\nrules hash {}\nrules {}\nhouse way highest front\nreward range {:?}\nmax steps {}\nagents {}\nactions {actions}\nobservation {len}\noptions {}\n",
        spec.id,
        env.rules_hash(),
        serde_json::to_string(&rules).unwrap(),
        spec.reward_range,
        spec.max_steps,
        env.agents(),
        serde_json::to_string(options).unwrap(),
    );
    env.reset(Some(seed), Some(options)).unwrap();
    for step in 0.. {
        let _ = writeln!(text, "\n{}", env.render());
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
fn pai_gow_table() {
    let options = TableOptions { bankrolls: vec![2_000, 0, 600, 400], rounds: 3 };
    compare("pai-gow-table", &play_table(&["seats=5"], &options, 4));
    let other = [
        "time-steps=2",
        "uncovered-bets=lose",
        "commission-on-banker=per_bet",
        "button-without-hand=roll_again",
        "house-hand-when-player-banks=dealt",
    ];
    compare("pai-gow-table-other-readings", &play_table(&other, &options, 9));
}
