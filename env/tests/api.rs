//! The checker run over every game of the registry, in all its encodings.

use houseway_env::gym::{CheckReport, Env, MultiEnv, VecEnv, VecMultiEnv, check_env, check_multi_env};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::table::{PaiGowTable, Setup, TableOptions, TableRules};
use houseway_env::pai_gow::{Game, PaiGowOptions, PaiGowPoker, Paytable, ProfileTable, Rules};
use houseway_env::registry::GAMES;
use houseway_env::rules::RuleSet;
use std::sync::Arc;

fn pai_gow_poker() -> PaiGowPoker<ProfileTable> {
    let game = Arc::new(Game::new(Rules::default()));
    let banker = Arc::new(ProfileTable::highest_front(&game));
    PaiGowPoker::new(game, banker)
}

fn check_pai_gow_poker() -> Vec<CheckReport> {
    let env = pai_gow_poker();
    assert_eq!(env.spec().id, "PaiGowPoker-v0");
    let options = [PaiGowOptions { stake: 25.0, side_stake: 5.0 }];
    let check = |observation| check_env(&env.clone().with_observation(observation), &options).unwrap();
    Observation::ALL.map(check).to_vec()
}

fn pai_gow_table(assignments: &[&str]) -> PaiGowTable {
    let game = Arc::new(Game::new(Rules::default()));
    let way = Arc::new(ProfileTable::highest_front(&game));
    let rules = assignments.iter().fold(TableRules::default(), |rules, assignment| rules.with(assignment).unwrap());
    PaiGowTable::new(Arc::new(Setup::new(rules, game, way, Paytable::default()).unwrap()))
}

fn check_pai_gow_table() -> Vec<CheckReport> {
    let options = [
        TableOptions { bankrolls: vec![100, 0, 3_000], rounds: 6 },
        TableOptions { bankrolls: vec![25, 10, 40], rounds: 50 },
        TableOptions { bankrolls: vec![0, 500], rounds: 3 },
    ];
    let other =
        ["seats=4", "time-steps=3", "uncovered-bets=lose", "house-hand-when-player-banks=dealt", "side-maximum=0"];
    let env = pai_gow_table(&[]);
    assert_eq!(env.spec().id, "PaiGowTable-v0");
    [env, pai_gow_table(&other)].map(|env| check_multi_env(&env, &options).unwrap()).to_vec()
}

#[test]
fn pai_gow_table_gives_the_same_bytes_for_any_number_of_threads() {
    let play = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut env = VecMultiEnv::new(&pai_gow_table(&["seats=5"]), 100).unwrap();
            env.reset(Some(17), Some(&TableOptions { rounds: 3, ..TableOptions::default() })).unwrap();
            let mut batches = vec![env.batch().clone()];
            for step in 0..60 {
                let masks = env.batch().masks.chunks(env.actions());
                let legal = |mask: &[bool]| (0..53).cycle().skip(step * 11).take(53).find(|&action| mask[action]);
                let actions: Vec<usize> = masks.map(|mask| legal(mask).unwrap_or(0)).collect();
                batches.push(env.step(&actions).unwrap().clone());
            }
            batches
        })
    };
    let one = play(1);
    assert!(one == play(2) && one == play(3));
    // Sessions ended, chips moved from seat to seat, and agents that are not asked have no action.
    assert!(
        one.iter().any(|batch| batch.ended.contains(&true)) && one.iter().any(|batch| batch.truncated.contains(&true))
    );
    assert!(one.iter().any(|batch| batch.rewards.iter().any(|&reward| reward != 0.0)));
    for batch in &one {
        let asked = batch.masks.chunks(53).map(|mask| mask.contains(&true));
        assert!(asked.zip(&batch.acting).all(|(mask, &acting)| mask == acting));
    }
}

#[test]
fn a_refused_action_moves_no_lane_of_tables() {
    let mut env = VecMultiEnv::new(&pai_gow_table(&["seats=3"]), 5).unwrap();
    assert!(env.step(&[28; 10]).is_err());
    let before = env.reset(Some(1), None).unwrap().clone();
    let mut actions = [28; 10];
    actions[7] = 0;
    let error = env.step(&actions).unwrap_err().to_string();
    assert!(error.starts_with("lane 3: action 0 is illegal"), "{error}");
    assert!(*env.batch() == before && env.step(&actions[1..]).is_err());
    assert!(VecMultiEnv::new(&pai_gow_table(&[]), 0).is_err());
}

#[test]
fn every_game_keeps_what_the_trait_promises() {
    for game in GAMES {
        let reports = match game.name {
            "pai-gow-poker" => check_pai_gow_poker(),
            "pai-gow-table" => check_pai_gow_table(),
            other => panic!("{other} is in the registry and has no check here"),
        };
        for report in reports {
            assert!(report.episodes > 0 && report.legal > 0 && report.illegal > 0, "{}: {report:?}", game.name);
        }
    }
}

#[test]
fn pai_gow_poker_gives_the_same_bytes_for_any_number_of_threads() {
    for observation in Observation::ALL {
        let play = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut env = VecEnv::new(&pai_gow_poker().with_observation(observation), 500).unwrap();
                env.reset(Some(17), None).unwrap();
                let mut batches = vec![env.batch().clone()];
                for step in 0..5 {
                    let masks = env.batch().masks.chunks(env.actions());
                    let legal = |mask: &[bool]| (0..21).cycle().skip(step * 5).find(|&action| mask[action]).unwrap();
                    let actions: Vec<usize> = masks.map(legal).collect();
                    batches.push(env.step(&actions).unwrap().clone());
                }
                batches
            })
        };
        let one = play(1);
        assert!(one[1].terminated.iter().all(|&terminated| terminated));
        // The final observation is that of the hand that was played.
        assert_eq!(one[1].final_observations, one[0].observations);
        assert_ne!(one[1].observations, one[0].observations);
        let bits = |batches: &[houseway_env::gym::Batch]| {
            let floats =
                batches.iter().flat_map(|b| b.observations.iter().chain(&b.final_observations).chain(&b.rewards));
            floats.map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        for threads in [2, 3] {
            let other = play(threads);
            assert_eq!(bits(&one), bits(&other), "{observation}, {threads} threads");
            assert_eq!(one, other);
        }
    }
}
