use super::*;
use crate::gym::tests::walk;
use ndarray::{Array2, ShapeBuilder};

/// Steps every lane with its first legal action and returns all batches. The first batch is from the reset.
fn run(env: &mut VecEnv, seed: Option<u64>, steps: usize) -> Vec<Batch> {
    let mut batches = vec![env.reset(seed, None).unwrap().clone()];
    for _ in 0..steps {
        let actions = first_legal(env);
        batches.push(env.step(&actions).unwrap().clone());
    }
    batches
}

fn first_legal(env: &VecEnv) -> Vec<usize> {
    env.batch().masks.chunks(env.actions()).map(|mask| mask.iter().position(|&m| m).unwrap()).collect()
}

#[test]
fn a_lane_plays_what_the_environment_alone_plays() {
    let mut many = VecEnv::new(&walk(), 130).unwrap();
    let batches = run(&mut many, Some(9), 40);
    for lane in [0, 1, 63, 64, 129] {
        let mut alone = walk();
        alone.reset_stream(Some(StreamSeed { seed: 9, lane: lane as u64 }), None).unwrap();
        let (mut observation, mut mask, mut ended) = (vec![0.0; 3], vec![false; 3], 0);
        for pair in batches.windows(2) {
            alone.action_mask(&mut mask).unwrap();
            assert_eq!(mask, pair[0].masks[lane * 3..][..3]);
            let step = alone.step(mask.iter().position(|&m| m).unwrap()).unwrap();
            assert_eq!(step.reward as f32, pair[1].rewards[lane]);
            assert_eq!((step.terminated, step.truncated), (pair[1].terminated[lane], pair[1].truncated[lane]));
            if step.is_last() {
                alone.observe(&mut observation).unwrap();
                assert_eq!(observation, pair[1].final_observations[lane * 3..][..3]);
                alone.reset(None, None).unwrap();
                ended += 1;
            }
            alone.observe(&mut observation).unwrap();
            assert_eq!(observation, pair[1].observations[lane * 3..][..3]);
        }
        assert!(ended > 1, "no autoreset occurred");
    }
}

#[test]
fn a_refused_action_moves_no_lane() {
    let mut env = VecEnv::new(&walk(), 70).unwrap();
    assert_eq!(env.step(&[0; 70]).unwrap_err(), EnvError::NotReset);
    run(&mut env, Some(1), 3);
    let (before, mut untouched) = (env.batch().clone(), env.clone());
    let mut actions = first_legal(&env);
    (actions[69], actions[66]) = (99, 99);
    let error = env.step(&actions).unwrap_err();
    assert!(
        matches!(&error, EnvError::Lane { lane: 66, error } if matches!(**error, EnvError::IllegalAction { action: 99, .. })),
        "{error}"
    );
    assert!(matches!(env.step(&actions[1..]).unwrap_err(), EnvError::Length { expected: 70, found: 69, .. }));
    let bad = r#"{"start": 99}"#;
    assert!(matches!(env.reset(Some(3), Some(bad)).unwrap_err(), EnvError::BadOption { .. }));
    assert_eq!(*env.batch(), before);
    let actions = first_legal(&env);
    assert_eq!(env.step(&actions), untouched.step(&actions));
    assert!(VecEnv::new(&walk(), 0).is_err());
}

#[test]
fn options_hold_for_the_episodes_that_follow() {
    let mut env = VecEnv::new(&walk(), 3).unwrap().without_final_observations();
    env.reset(Some(0), Some(r#"{"start": 2}"#)).unwrap();
    for _ in 0..50 {
        let actions = first_legal(&env);
        let batch = env.step(&actions).unwrap();
        for lane in 0..3 {
            if batch.terminated[lane] || batch.truncated[lane] {
                assert_eq!(env.batch().observations[lane * 3], 2.0 / 4.0);
                return assert!(env.batch().final_observations.is_empty());
            }
        }
    }
    panic!("no episode ended");
}

#[test]
fn lanes_are_reset_by_the_next_step_or_on_demand() {
    for autoreset in [Autoreset::NextStep, Autoreset::Disabled] {
        let mut many = VecEnv::new(&walk(), 40).unwrap().with_autoreset(autoreset);
        assert!(many.reset_lanes(&[true; 40], None, None).is_err());
        many.reset(Some(3), None).unwrap();
        let mut alone = vec![walk(); 40];
        for (lane, env) in alone.iter_mut().enumerate() {
            env.reset_stream(Some(StreamSeed { seed: 3, lane: lane as u64 }), None).unwrap();
        }
        let (mut observation, mut ended) = ([0.0; 3], 0);
        for _ in 0..30 {
            let is_over = |lane: usize| many.batch().terminated[lane] || many.batch().truncated[lane];
            let over: Vec<bool> = (0..40).map(is_over).collect();
            let mut actions = first_legal(&many);
            if autoreset == Autoreset::Disabled && over.contains(&true) {
                let error = many.step(&actions).unwrap_err();
                assert!(matches!(error, EnvError::Lane { error, .. } if *error == EnvError::EpisodeOver));
                many.reset_lanes(&over, None, None).unwrap();
            } else {
                (0..40).filter(|&lane| over[lane]).for_each(|lane| actions[lane] = 99);
                many.step(&actions).unwrap();
            }
            let batch = many.batch();
            for (lane, env) in alone.iter_mut().enumerate() {
                if over[lane] {
                    env.reset(None, None).unwrap();
                    assert_eq!(
                        (batch.rewards[lane], batch.terminated[lane], batch.truncated[lane]),
                        (0.0, false, false)
                    );
                } else if autoreset == Autoreset::NextStep || !over.contains(&true) {
                    let step = env.step(actions[lane]).unwrap();
                    assert_eq!((step.terminated, step.truncated), (batch.terminated[lane], batch.truncated[lane]));
                    assert!(!step.is_last() || batch.masks[lane * 3..][..3] == [true; 3]);
                    ended += usize::from(step.is_last());
                }
                env.observe(&mut observation).unwrap();
                assert_eq!(observation, batch.observations[lane * 3..][..3]);
            }
        }
        assert!(ended > 20 && many.reset_lanes(&[true], None, None).is_err());
    }
}

#[test]
fn buffers_are_exchanged() {
    // Steps don't change the observations of tiles.
    let tiles = (crate::registry::find("pai-gow-tiles").unwrap().make)("{}").unwrap();
    for env in [&walk() as &dyn Env, &*tiles] {
        let (mut plain, mut swapped) = (VecEnv::new(env, 70).unwrap(), VecEnv::new(env, 70).unwrap());
        let mut other = swapped.batch().clone();
        plain.reset(Some(8), None).unwrap();
        swapped.reset(Some(8), None).unwrap();
        for _ in 0..12 {
            let (actions, before) = (first_legal(&plain), swapped.batch().clone());
            swapped.swap_batch(&mut other);
            plain.step(&actions).unwrap();
            swapped.step(&actions).unwrap();
            assert_eq!(other, before);
            let (a, b) = (plain.batch(), swapped.batch());
            assert_eq!((&a.observations, &a.masks, &a.rewards), (&b.observations, &b.masks, &b.rewards));
            // Only the rows of episodes that have just ended are specified.
            let ended = (0..70).filter(|&lane| a.terminated[lane] || a.truncated[lane]);
            for lane in ended {
                let row = |batch: &Batch| {
                    batch.final_observations.chunks(plain.observation_len()).nth(lane).unwrap().to_vec()
                };
                assert_eq!(row(a), row(b));
            }
        }
    }
}

#[test]
fn a_reset_without_seed_continues() {
    let mut env = VecEnv::new(&walk(), 4).unwrap();
    let unseeded = run(&mut env, None, 20);
    assert_eq!(unseeded, run(&mut VecEnv::new(&walk(), 4).unwrap(), Some(DEFAULT_SEED), 20));
    assert_ne!(unseeded, run(&mut env, None, 20));
    assert_eq!(unseeded[0].observations, run(&mut env, Some(DEFAULT_SEED), 20)[0].observations);
}

/// Steps the original alongside a saved and restored copy and checks that both remain equal.
#[test]
fn restored_lanes_play_on() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let new =
            || VecEnv::new(&walk(), 70).unwrap().without_final_observations().with_autoreset(autoreset).recording();
        let mut env = new();
        assert_eq!(env.save(), None);
        env.reset(Some(4), Some(r#"{"start": 1}"#)).unwrap();
        let some: Vec<bool> = (0..70).map(|lane| lane % 3 == 0).collect();
        env.reset_lanes(&some, None, Some(r#"{"start": 2}"#)).unwrap();
        for _ in 0..40 {
            let mut copy = new();
            copy.restore(&env.save().unwrap()).unwrap();
            assert_eq!(copy.batch(), env.batch());
            let over: Vec<bool> =
                env.batch().terminated.iter().zip(&env.batch().truncated).map(|(&a, &b)| a || b).collect();
            for env in [&mut env, &mut copy] {
                if autoreset == Autoreset::Disabled && over.contains(&true) {
                    env.reset_lanes(&over, None, None).unwrap();
                } else {
                    let actions = first_legal(env);
                    env.step(&actions).unwrap();
                }
            }
            assert_eq!(copy.batch(), env.batch());
        }
    }
}

#[test]
fn wrong_states_are_refused() {
    let mut env = VecEnv::new(&walk(), 3).unwrap().recording();
    env.reset(Some(1), None).unwrap();
    let saved = env.save().unwrap();
    assert!(matches!(env.restore("3"), Err(EnvError::BadOption { .. })));
    assert!(matches!(VecEnv::new(&walk(), 4).unwrap().restore(&saved), Err(EnvError::Length { .. })));
    let mut bad: SavedLanes = serde_json::from_str(&saved).unwrap();
    let text = |lanes: &SavedLanes| serde_json::to_string(lanes).unwrap();
    bad.lanes[1].actions.push(7);
    assert!(env.restore(&text(&bad)).is_err());
    assert_eq!(env.step(&[0; 3]).unwrap_err(), EnvError::NotReset);
    bad.lanes[1].start = None;
    assert!(env.restore(&text(&bad)).is_err());
    env.restore(&saved).unwrap();
    assert!(VecEnv::new(&walk(), 3).unwrap().save().is_none());
}

#[test]
fn rewards_of_all_actions_are_those_of_each_lane() {
    let (mut env, mut rewards) = (VecEnv::new(&walk(), 70).unwrap(), [f32::NAN; 210]);
    assert_eq!(env.action_rewards(&mut rewards), Err(EnvError::NotReset));
    env.reset(Some(5), Some(r#"{"start": 3}"#)).unwrap();
    env.action_rewards(&mut rewards).unwrap();
    assert!(rewards.chunks(3).all(|row| row == [0.0, 1.0, 0.0]));
    assert!(env.action_rewards(&mut rewards[1..]).is_err());
    let mut columns = Array2::zeros((70, 3).f());
    assert!(matches!(env.action_reward_rows(columns.view_mut()), Err(EnvError::BadOption { .. })));
    assert!(env.lane(69).is_some() && env.lane(70).is_none());
}

#[test]
fn lanes_that_are_not_reset_keep_their_rewards() {
    let mut env = VecEnv::new(&walk(), 2).unwrap().with_autoreset(Autoreset::Disabled);
    env.reset(Some(5), Some(r#"{"start": 3}"#)).unwrap();
    env.step(&[1, 1]).unwrap();
    let batch = env.reset_lanes(&[true, false], None, None).unwrap();
    assert_eq!((&batch.rewards[..], &batch.terminated[..]), (&[0.0, 1.0][..], &[false, true][..]));
}
