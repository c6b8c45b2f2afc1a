use super::*;
use crate::gym::toy::{WalkOptions, walk};

#[test]
fn options_are_json() {
    let mut any = erase(walk());
    let mut walk = walk();
    any.reset(Some(3), Some(r#"{"start": 2}"#)).unwrap();
    walk.reset(Some(3), Some(&WalkOptions { start: 2 })).unwrap();
    assert_eq!(any.render(), walk.render());
    any.reset(None, None).unwrap();
    walk.reset(None, None).unwrap();
    assert_eq!(any.boxed_clone().render(), walk.render());
    for bad in [r#"{"start": 9}"#, r#"{"begin": 1}"#, "3"] {
        assert!(matches!(any.reset(None, Some(bad)), Err(EnvError::BadOption { .. })));
    }
}

#[test]
fn lanes_play_like_the_typed_ones() {
    let mut any = erase(walk()).vectorized(70, true).unwrap();
    let mut lanes = VecEnv::new(&walk(), 70).unwrap();
    any.reset(Some(5), Some(r#"{"start": 1}"#)).unwrap();
    lanes.reset(Some(5), Some(&WalkOptions { start: 1 })).unwrap();
    for _ in 0..20 {
        let actions: Vec<usize> =
            any.batch().masks.chunks(any.actions()).map(|mask| mask.iter().position(|&m| m).unwrap()).collect();
        any.step(&actions).unwrap();
        lanes.step(&actions).unwrap();
        assert_eq!(any.batch(), lanes.batch());
    }
    let (mut rewards, mut typed) = ([f32::NAN; 210], [f32::NAN; 210]);
    assert_eq!(any.action_rewards(&mut rewards), Err(EnvError::NoActionRewards { env: "Walk-v0" }));
    let mut with_rewards = erase_counterfactual(walk()).vectorized(70, false).unwrap();
    assert_eq!(with_rewards.action_rewards(&mut rewards), Err(EnvError::NotReset));
    with_rewards.reset(Some(5), Some(r#"{"start": 3}"#)).unwrap();
    lanes.reset(Some(5), Some(&WalkOptions { start: 3 })).unwrap();
    with_rewards.action_rewards(&mut rewards).unwrap();
    lanes.action_rewards(&mut typed).unwrap();
    assert_eq!((rewards, &rewards[..6]), (typed, &[0.0, 1.0, 0.0, 0.0, 1.0, 0.0][..]));
    assert!(with_rewards.action_rewards(&mut rewards[1..]).is_err());
    assert!(any.render(69).is_some() && any.render(70).is_none());
}
