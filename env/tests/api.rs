//! The checker run over every game of the registry, in all its encodings.

use houseway_env::gym::{CheckReport, Env, VecEnv, check_env};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::{Game, PaiGowOptions, PaiGowPoker, ProfileTable, Rules};
use houseway_env::registry::GAMES;
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

#[test]
fn every_game_keeps_what_the_trait_promises() {
    for game in GAMES {
        let reports = match game.name {
            "pai-gow-poker" => check_pai_gow_poker(),
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
