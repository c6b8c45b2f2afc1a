//! Runs the environment checks on every game in the registry, with all of its encodings and examples.

use houseway_env::gym::{
    Batch, CheckReport, DEFAULT_SEED, Env, EnvError, Episode, Example, GameEntry, StreamSeed, VecEnv, check_env,
    check_multi_env, replay,
};
use houseway_env::pai_gow::table::{
    BankPolicy, BetSize, PaiGowTable, Player, Players, Regular, SetRule, Setup, TableRules,
};
use houseway_env::pai_gow::{Game, Paytable, ProfileTable, Rules};
use houseway_env::registry::{find, games};
use houseway_env::rules::RuleSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An example that changes nothing.
const DEFAULTS: Example = Example { name: "defaults", config: "{}", options: &["{}"] };

/// Calls `visit` with every game in each of its encodings, using its defaults and its examples.
fn for_each_env(mut visit: impl FnMut(&GameEntry, Box<dyn Env>, &Example)) {
    for game in games() {
        for example in std::iter::once(&DEFAULTS).chain(game.examples) {
            if game.encodings.is_empty() {
                visit(game, (game.make)(example.config).unwrap(), example);
            }
            for encoding in game.encodings {
                visit(game, game.make_with_encoding(example.config, encoding).unwrap(), example);
            }
        }
    }
}

fn assert_checked(name: &str, report: CheckReport) {
    assert!(report.episodes > 0 && report.legal > 0 && report.illegal > 0, "{name}: {report:?}");
}

#[test]
fn every_game_keeps_the_promises_of_environments() {
    for_each_env(|game, env, example| {
        assert_eq!(env.spec().id, game.id);
        let report = check_env(&*env, example.options).unwrap_or_else(|failure| panic!("{}: {failure}", example.name));
        assert_checked(game.name, report);
    });
}

/// Returns legal actions for one step. They vary between lanes and between steps.
fn actions(batch: &Batch, count: usize, step: usize) -> Vec<usize> {
    let nth = |(lane, mask): (usize, &[bool])| {
        let legal: Vec<usize> = (0..count).filter(|&action| mask[action]).collect();
        legal[(lane * 7 + step * 5) % legal.len()]
    };
    batch.masks.chunks(count).enumerate().map(nth).collect()
}

/// Returns the batches from a few steps of 150 lanes on the given number of threads.
fn play(env: &dyn Env, options: &str, threads: usize, cached: bool) -> Vec<Batch> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut lanes = VecEnv::new(env, 150).unwrap();
    if !cached {
        lanes.bypass_caches();
    }
    pool.install(|| {
        lanes.reset(Some(17), Some(options)).unwrap();
        let mut batches = vec![lanes.batch().clone()];
        for step in 0..10 {
            let actions = actions(lanes.batch(), lanes.actions(), step);
            lanes.step(&actions).unwrap();
            batches.push(lanes.batch().clone());
        }
        batches
    })
}

#[test]
fn lanes_give_the_same_bytes_for_any_number_of_threads_with_and_without_caches() {
    for_each_env(|game, env, example| {
        let one = play(env.as_ref(), example.options[0], 1, true);
        let bits = |batches: &[Batch]| {
            let floats =
                batches.iter().flat_map(|b| b.observations.iter().chain(&b.final_observations).chain(&b.rewards));
            floats.map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        let other = play(env.as_ref(), example.options[0], 3, false);
        assert!(bits(&one) == bits(&other) && one == other, "{}, {}", game.name, example.name);
        assert!(one.iter().any(|batch| batch.rewards.iter().any(|&reward| reward != 0.0)));
        for batch in &one {
            let (observations, masks) = (batch.observation_rows(), batch.mask_rows());
            assert_eq!((observations.nrows(), masks.nrows(), batch.reward_row().len()), (150, 150, 150));
            assert_eq!(
                (observations.as_slice(), masks.as_slice()),
                (Some(&batch.observations[..]), Some(&batch.masks[..]))
            );
            assert_eq!(batch.final_observation_rows().dim(), observations.dim());
        }
        if env.observation_stays() {
            // The final observation belongs to the finished episode.
            assert_eq!(one[1].final_observations, one[0].observations);
            assert_ne!(one[1].observations, one[0].observations);
        }
    });
}

#[test]
fn recorded_episodes_of_every_game_replay() {
    for_each_env(|game, mut env, example| {
        let (mut played, mut episodes) = (env.clone(), vec![]);
        for (episode, options) in example.options.iter().cycle().take(4).enumerate() {
            let seed = episode.is_multiple_of(2).then_some(StreamSeed::from(DEFAULT_SEED + episode as u64));
            played.reset_stream(seed, Some(options)).unwrap();
            let mut recorded = Episode::new(&*played, seed, serde_json::from_str(options).unwrap());
            let mut mask = vec![false; played.actions()];
            for step in 0..20 {
                played.action_mask(&mut mask).unwrap();
                let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
                let Some(last) = legal.len().checked_sub(1) else { break };
                let action = legal[(step * 3 + episode).min(last)];
                recorded.push(action, played.step(action).unwrap());
            }
            episodes.push(recorded);
        }
        replay(&mut *env, &episodes).unwrap_or_else(|error| panic!("{}: {error}", game.name));
    });
}

pub(crate) fn pai_gow_table(assignments: &[&str], residents: Players) -> PaiGowTable {
    let game = Arc::new(Game::new(Rules::default()));
    let way = Arc::new(ProfileTable::max_front(&game));
    let rules = assignments.iter().fold(TableRules::default(), |rules, assignment| rules.with(assignment).unwrap());
    PaiGowTable::new(Arc::new(Setup::new(rules, game, way, Paytable::default()).unwrap()), residents)
}

/// Returns residents for the given seats. Residents on even seats take the bank.
fn residents(seats: &[usize]) -> Players {
    let player = |seat: usize| Regular {
        name: "resident".to_owned(),
        bet: BetSize::Chips(40),
        side: 0,
        bank: if seat.is_multiple_of(2) { BankPolicy::Always } else { BankPolicy::Never },
        exact: None,
        set: SetRule::HouseWay,
    };
    std::array::from_fn(|seat| seats.contains(&seat).then(|| Player::Regular(player(seat))))
}

#[test]
fn the_table_keeps_the_promises_of_environments_for_several_agents() {
    let options = [
        r#"{"bankrolls": [100, 0, 3000], "rounds": 6}"#,
        r#"{"bankrolls": [25, 10, 40], "rounds": 50}"#,
        r#"{"bankrolls": [0, 500], "rounds": 3}"#,
    ];
    let other =
        ["seats=4", "time-steps=3", "uncovered-bets=lose", "house-hand-when-player-banks=dealt", "side-maximum=0"];
    let some = pai_gow_table(&other, residents(&[1]));
    for env in [pai_gow_table(&[], residents(&[])), pai_gow_table(&other, residents(&[])), some] {
        assert_checked("pai-gow-table", check_multi_env(&env, &options).unwrap());
    }
}

#[test]
fn views_show_the_cards_of_the_agent_alone() {
    let mut shown = 0;
    for_each_env(|game, mut env, example| {
        assert_eq!(env.view(), None, "{}: there is no episode", game.name);
        for seed in 0..20 {
            env.reset(Some(seed), Some(example.options[0])).unwrap();
            let Some(view) = env.view() else { continue };
            let text = env.render();
            for key in ["hand", "board"] {
                let cards = view[key].as_str().unwrap_or_default();
                assert!(text.contains(cards), "{}: {key} {cards} is not in\n{text}", game.name);
            }
            shown += usize::from(view.is_object());
        }
    });
    assert!(shown >= 20 * 4, "{shown}");
}

#[test]
fn options_out_of_range_are_refused() {
    for (game, config, option, values) in [
        ("pai-gow-poker", "{}", "stake", &["0.0", "-1.0", "1e10"][..]),
        ("pai-gow-poker", "{}", "side-stake", &["-1.0", "1e10"]),
        ("face-up-pai-gow", "{}", "stake", &["0.0", "-1.0", "1e10"]),
        ("asian-stud", "{}", "ante", &["0.0", "-1.0", "1e10"]),
        ("asian-stud", "{}", "side-stake", &["-1.0", "1e10"]),
        ("asian-stud", "{}", "players", &["0", "10"]),
        ("joker-seven", r#"{"rules": {"minimum": 3}}"#, "chips", &["0", "2", "101"]),
        ("joker-seven", "{}", "chip", &["0.0", "1e10"]),
        ("joker-seven", "{}", "players", &["0", "8"]),
    ] {
        let mut env = (find(game).unwrap().make)(config).unwrap();
        for value in values {
            let error = env.reset(Some(1), Some(&format!(r#"{{"{option}": {value}}}"#))).unwrap_err();
            let named = matches!(error, EnvError::BadOption { option: named, .. } if named == option);
            assert!(named, "{game}, {option} {value}: {error}");
            assert_eq!(env.action_mask(&mut vec![false; env.actions()]), Err(EnvError::NotReset));
        }
    }
}

#[test]
fn the_hash_follows_rules_paytables_and_house_ways() {
    for (game, changes) in [
        (
            "pai-gow-poker",
            &[r#""rules": {"commission": "0"}"#, r#""banker": "wong""#, r#""paytable": "fortune-5000""#][..],
        ),
        ("face-up-pai-gow", &[r#""rules": {"dealer-pushes": "none"}"#, r#""dealer": "wong""#]),
        ("asian-stud", &[r#""rules": {"commission": "none"}"#, r#""paytable": "example-pair""#]),
    ] {
        let hash = |change: &str| (find(game).unwrap().make)(&format!("{{{change}}}")).unwrap().rules_hash();
        let hashes: Vec<String> = [""].iter().chain(changes).map(|change| hash(change)).collect();
        assert_eq!(hash(""), hashes[0]);
        assert!(hashes.iter().all(|hash| hash.len() == 16), "{hashes:?}");
        assert_eq!(BTreeSet::from_iter(&hashes).len(), hashes.len(), "{game}: {hashes:?}");
    }
}
