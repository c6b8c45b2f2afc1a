//! The checker run over every game of the registry, in all its encodings.

use houseway_env::asian_stud::{self, AsianStud, AsianStudOptions};
use houseway_env::gym::{Batch, CheckReport, Env, MultiEnv, VecEnv, VecMultiEnv, check_env, check_multi_env};
use houseway_env::joker_seven::{self, JokerSeven, JokerSevenOptions};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::table::{
    BetSize, OneSeat, PaiGowTable, Resident, Residents, Setup, TableOptions, TableRules,
};
use houseway_env::pai_gow::{Game, PaiGowOptions, PaiGowPoker, Paytable, ProfileTable, Rules};
use houseway_env::registry::games;
use houseway_env::rules::RuleSet;
use houseway_env::ultimate_holdem::{self, UltimateHoldem, UltimateHoldemOptions};
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

fn ultimate_holdem(preflop: &str) -> UltimateHoldem {
    let rules = ultimate_holdem::Rules::default().with(&format!("preflop-play={preflop}")).unwrap();
    UltimateHoldem::new(Arc::new(ultimate_holdem::Game::new(rules)))
}

fn check_ultimate_holdem() -> Vec<CheckReport> {
    assert_eq!(ultimate_holdem("four").spec().id, "UltimateHoldem-v0");
    let options = [UltimateHoldemOptions { ante: 25.0, trips: 5.0, progressive: false }];
    let mut reports = Vec::new();
    for preflop in ["four", "three", "three_or_four"] {
        for observation in ultimate_holdem::observe::Observation::ALL {
            let env = ultimate_holdem(preflop).with_observation(observation);
            reports.push(check_env(&env, &options).unwrap());
        }
    }
    reports
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
    let some = pai_gow_table(&other).with_residents(residents(&[1])).keeping_rounds();
    let mut reports = [env, pai_gow_table(&other), some].map(|env| check_multi_env(&env, &options).unwrap()).to_vec();
    let one = OneSeat::new(pai_gow_table(&[]).with_residents(residents(&[1, 2, 4, 5, 6]))).unwrap();
    assert_eq!(one.spec().id, "PaiGowTable-v0");
    let options = TableOptions { bankrolls: vec![100, 0, 3_000], rounds: 6 };
    reports.push(check_env(&one, &[options]).unwrap());
    reports
}

/// Players of the environment's own, those on even seats bank.
fn residents(seats: &[usize]) -> Residents {
    let player = |seat: usize| Resident { bet: BetSize::Chips(40), side: 0, banks: seat.is_multiple_of(2), way: None };
    std::array::from_fn(|seat| seats.contains(&seat).then(|| player(seat)))
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
    for game in games() {
        let reports = match game.name {
            "pai-gow-poker" => check_pai_gow_poker(),
            "ultimate-holdem" => check_ultimate_holdem(),
            "joker-seven" => check_joker_seven(),
            "asian-stud" => check_asian_stud(),
            "pai-gow-table" => check_pai_gow_table(),
            other => panic!("{other} is in the registry and has no check here"),
        };
        for report in reports {
            assert!(report.episodes > 0 && report.legal > 0 && report.illegal > 0, "{}: {report:?}", game.name);
        }
    }
}

/// Steps 500 lanes twelve times on a number of threads, each with a legal action.
fn play<E: Env + Sync>(env: &E, options: Option<&E::Options>, threads: usize) -> Vec<Batch> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut env = VecEnv::new(env, 500).unwrap();
        env.reset(Some(17), options).unwrap();
        let mut batches = vec![env.batch().clone()];
        for step in 0..12 {
            let masks = env.batch().masks.chunks(env.actions());
            let legal = |mask: &[bool]| (0..mask.len()).cycle().skip(step * 5).find(|&action| mask[action]).unwrap();
            let actions: Vec<usize> = masks.map(legal).collect();
            batches.push(env.step(&actions).unwrap().clone());
        }
        batches
    })
}

/// The same bytes for any number of threads; gives the batches.
fn same_bytes<E: Env + Sync>(env: &E, options: Option<&E::Options>) -> Vec<Batch> {
    let one = play(env, options, 1);
    let bits = |batches: &[Batch]| {
        let floats = batches.iter().flat_map(|b| b.observations.iter().chain(&b.final_observations).chain(&b.rewards));
        floats.map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    for threads in [2, 3] {
        let other = play(env, options, threads);
        assert_eq!(bits(&one), bits(&other), "{threads} threads");
        assert_eq!(one, other);
    }
    one
}

#[test]
fn pai_gow_poker_gives_the_same_bytes_for_any_number_of_threads() {
    for observation in Observation::ALL {
        let one = same_bytes(&pai_gow_poker().with_observation(observation), None);
        assert!(one[1].terminated.iter().all(|&terminated| terminated));
        // The final observation is that of the hand that was played.
        assert_eq!(one[1].final_observations, one[0].observations);
        assert_ne!(one[1].observations, one[0].observations);
    }
}

#[test]
fn ultimate_holdem_gives_the_same_bytes_for_any_number_of_threads() {
    for observation in ultimate_holdem::observe::Observation::ALL {
        let batches = same_bytes(&ultimate_holdem("four").with_observation(observation), None);
        // Hands go on for one, two or three steps.
        let ended = batches[1..].iter().map(|batch| batch.terminated.iter().filter(|&&over| over).count());
        assert!(ended.sum::<usize>() > 500);
    }
}

#[test]
fn joker_seven_and_asian_stud_give_the_same_bytes_for_any_number_of_threads() {
    for players in [1, 3] {
        let options = JokerSevenOptions { chips: Some(3), chip: 1.0, players };
        let batches = same_bytes(&joker_seven(&["common-hand=one_hand_per_player"]), Some(&options));
        assert!(batches.iter().any(|batch| batch.terminated.contains(&true)));
        let options = AsianStudOptions { players, ..AsianStudOptions::default() };
        same_bytes(&AsianStud::new(asian_stud::Rules::default()), Some(&options));
    }
}
