//! The checker run over every game of the registry, in all its encodings.

use houseway_env::asian_stud::{self, AsianStud, AsianStudOptions};
use houseway_env::gym::{CheckReport, Env, VecEnv, check_env};
use houseway_env::joker_seven::{self, JokerSeven, JokerSevenOptions};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::{Game, PaiGowOptions, PaiGowPoker, ProfileTable, Rules};
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

fn joker_seven(settings: &[&str]) -> JokerSeven {
    let rules = settings.iter().fold(joker_seven::Rules::default(), |rules, setting| rules.with(setting).unwrap());
    JokerSeven::new(rules, joker_seven::Paytable::default()).unwrap()
}

fn check_joker_seven() -> Vec<CheckReport> {
    let options = [
        JokerSevenOptions { chips: Some(10), chip: 5.0, players: 1 },
        JokerSevenOptions { chips: Some(4), chip: 1.0, players: 7 },
    ];
    let envs =
        [joker_seven(&[]), joker_seven(&["common-hand=one_hand_per_player", "minimum=2", "colour=either_colour"])];
    assert!(envs.iter().all(|env| env.spec().id == "JokerSeven-v0"));
    let encodings = joker_seven::Observation::ALL;
    let check = |env: &JokerSeven, encoding| check_env(&env.clone().with_observation(encoding), &options).unwrap();
    envs.iter().flat_map(|env| encodings.map(|encoding| check(env, encoding))).collect()
}

fn check_asian_stud() -> Vec<CheckReport> {
    let options = [
        AsianStudOptions { ante: 25.0, side_stake: 5.0, players: 1 },
        AsianStudOptions { players: 9, ..AsianStudOptions::default() },
    ];
    let rules = ["joker=none", "joker=wild"].map(|setting| asian_stud::Rules::default().with(setting).unwrap());
    let envs = [AsianStud::new(asian_stud::Rules::default()), AsianStud::new(rules[0]), AsianStud::new(rules[1])];
    assert!(envs.iter().all(|env| env.spec().id == "AsianStud-v0"));
    let encodings = asian_stud::Observation::ALL;
    let check = |env: &AsianStud, encoding| check_env(&env.clone().with_observation(encoding), &options).unwrap();
    envs.iter().flat_map(|env| encodings.map(|encoding| check(env, encoding))).collect()
}

#[test]
fn every_game_keeps_what_the_trait_promises() {
    for game in GAMES {
        let reports = match game.name {
            "pai-gow-poker" => check_pai_gow_poker(),
            "joker-seven" => check_joker_seven(),
            "asian-stud" => check_asian_stud(),
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

/// Steps many lanes on one thread and on three, and compares all that they returned.
fn plays_the_same_on_any_number_of_threads<E: Env + Sync>(env: &E, options: &E::Options) {
    let play = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut env = VecEnv::new(env, 300).unwrap();
            env.reset(Some(5), Some(options)).unwrap();
            let mut batches = vec![env.batch().clone()];
            for step in 0..12 {
                let masks = env.batch().masks.chunks(env.actions());
                let legal =
                    |mask: &[bool]| (0..mask.len()).cycle().skip(step * 5).find(|&action| mask[action]).unwrap();
                let actions: Vec<usize> = masks.map(legal).collect();
                batches.push(env.step(&actions).unwrap().clone());
            }
            batches
        })
    };
    let one = play(1);
    assert!(one.iter().any(|batch| batch.terminated.contains(&true)));
    assert_eq!(one, play(3));
}

#[test]
fn joker_seven_and_asian_stud_give_the_same_bytes_for_any_number_of_threads() {
    for players in [1, 3] {
        let options = JokerSevenOptions { chips: Some(3), chip: 1.0, players };
        plays_the_same_on_any_number_of_threads(&joker_seven(&["common-hand=one_hand_per_player"]), &options);
        let options = AsianStudOptions { players, ..AsianStudOptions::default() };
        plays_the_same_on_any_number_of_threads(&AsianStud::new(asian_stud::Rules::default()), &options);
    }
}
