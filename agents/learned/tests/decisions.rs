//! Trainings of games with a fixed list of actions: they learn, repeat to the byte, and resume to the byte.

use houseway_env::asian_stud::{AsianStud, AsianStudOptions, Game, Rules};
use houseway_env::gym::{Counterfactual, Env, EnvError, stream};
use houseway_env::joker_seven::{self, DEAL, JokerSeven, JokerSevenOptions, Paytable, Wager};
use houseway_env::rules::RuleSet;
use houseway_learned::decisions::{Course, DecisionConfig, LearnedPolicy, Perceptron, train_decisions};
use houseway_learned::{MethodKind, MetricSink, Progress, TrainError, Trained};
use rand::RngExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::{fs, io};

const METHODS: [MethodKind; 2] = [MethodKind::AllAction, MethodKind::PolicyGradient];

/// The tensor library keeps some state for the whole process; one training at a time.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(|broken| broken.into_inner())
}

fn asian_stud() -> Course<AsianStud> {
    Course {
        env: AsianStud::new(Game::new(Rules::default())),
        options: AsianStudOptions::default(),
        hash: "stud".to_owned(),
    }
}

/// A table where one wager gains far more than any other: three of a kind with wild jokers, +190%.
fn joker_seven(chips: u32) -> Course<JokerSeven> {
    let rules = joker_seven::Rules::default().with("three-of-a-kind=joker_wild").unwrap();
    let env = JokerSeven::new(joker_seven::Game::new(rules.with("maximum=2").unwrap(), Paytable::default()));
    Course { env, options: JokerSevenOptions { chips: Some(chips), ..Default::default() }, hash: "seven".to_owned() }
}

fn config(method: MethodKind, steps: u64) -> DecisionConfig {
    let mut config = DecisionConfig::new(method, steps);
    (config.batch_rounds, config.evaluate_every, config.checkpoint_every) = (256, 2, 3);
    config.network.width = 16;
    config
}

/// Raises the flag once a step is reported.
struct StopAt<'a>(u64, &'a AtomicBool);

impl MetricSink for StopAt<'_> {
    fn scalars(&mut self, progress: &Progress, _: &[(&str, f64)]) -> io::Result<()> {
        self.1.fetch_or(progress.step >= self.0, Ordering::Relaxed);
        Ok(())
    }
}

fn run<E: Counterfactual + Send + 'static>(
    course: &Course<E>,
    config: &DecisionConfig,
    folder: Option<&Path>,
    stop_at: u64,
) -> Result<Trained<Perceptron>, TrainError> {
    let stop = AtomicBool::new(false);
    train_decisions(config, 7, course, &mut |_| vec![], &mut StopAt(stop_at, &stop), folder, &stop)
}

fn weights(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("model.bpk")).unwrap()
}

#[test]
fn a_resumed_training_ends_with_the_same_bytes_on_any_number_of_threads() {
    let _alone = alone();
    for method in METHODS {
        let config = config(method, 8);
        let folder = tempfile::tempdir().unwrap();
        let [straight, broken, single] = ["straight", "broken", "single"].map(|name| folder.path().join(name));
        let course = joker_seven(3);
        assert!(run(&course, &config, Some(&straight), u64::MAX).unwrap().finished);
        let half = run(&course, &config, Some(&broken), 4).unwrap();
        assert_eq!((half.finished, half.state.step), (false, 4));
        assert!(run(&course, &config, Some(&broken), u64::MAX).unwrap().finished);
        assert_eq!(weights(&broken), weights(&straight), "{method:?}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| run(&course, &config, Some(&single), u64::MAX)).unwrap();
        assert_eq!(weights(&single), weights(&straight), "{method:?}");
        let mut other = config.clone();
        other.learning_rate = 0.1;
        let error = run(&course, &other, Some(&straight), u64::MAX).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("belongs to another training"), "{error}");
    }
}

#[test]
fn both_methods_raise_what_wins_and_fold_nothing_that_does() {
    let _alone = alone();
    for method in METHODS {
        let mut config = config(method, 300);
        config.learning_rate = 5e-3;
        let course = asian_stud();
        let trained = run(&course, &config, None, u64::MAX).unwrap();
        let policy = LearnedPolicy::new("test", &trained.network, 2);
        let mut env = course.env.clone();
        let mut observation = vec![0.0; env.observation_space().len()];
        for (hand, actions) in [("Th Kd 2c 3c 5d", &[1][..]), ("Jk 9d 4c 5c Kd", &[1]), ("2h 2d 2c 2s 3d", &[0, 1])] {
            let hand: houseway_env::asian_stud::Hand = hand.parse().unwrap();
            env.encoding().write(hand, env.game().value(hand), &mut observation).unwrap();
            let action = policy.choose(&observation, &[true, true])[0];
            assert!(actions.contains(&action), "{method:?} {hand}");
        }
        env.reset(Some(1), None).unwrap();
    }
}

#[test]
fn both_methods_find_the_wager_that_gains_and_stop_at_its_maximum() {
    let _alone = alone();
    for method in METHODS {
        let mut config = config(method, 400);
        (config.learning_rate, config.entropy) = (0.02, 0.2);
        let course = joker_seven(3);
        let trained = run(&course, &config, None, u64::MAX).unwrap();
        let policy = LearnedPolicy::new("test", &trained.network, DEAL + 1);
        let mut env = course.env.clone();
        env.reset(Some(1), Some(&course.options)).unwrap();
        let mut observation = vec![0.0; env.observation_space().len()];
        let mut mask = [false; DEAL + 1];
        loop {
            env.observe(&mut observation).unwrap();
            env.action_mask(&mut mask).unwrap();
            if env.step(policy.choose(&observation, &mask)[0]).unwrap().terminated {
                break;
            }
        }
        let stakes = env.state().unwrap().stakes();
        assert_eq!(stakes[12], 2, "{method:?}: {stakes:?}");
    }
}

#[test]
fn rewards_of_all_actions_are_those_of_the_steps() -> Result<(), EnvError> {
    let course = joker_seven(3);
    let mut rng = stream(5.into());
    let (mut mask, mut rewards) = ([false; DEAL + 1], [0.0; DEAL + 1]);
    for seed in 0..300 {
        let mut env = course.env.clone();
        env.reset(Some(seed), Some(&course.options))?;
        let mut promised = 0.0;
        loop {
            env.action_mask(&mut mask)?;
            env.action_rewards(&mut rewards)?;
            let legal: Vec<usize> = (0..=DEAL).filter(|&action| mask[action]).collect();
            let action = legal[rng.random_range(0..legal.len())];
            promised += f64::from(rewards[action]);
            let step = env.step(action)?;
            if step.terminated {
                assert_eq!(step.reward, promised);
                break;
            }
            assert_eq!(step.reward, 0.0);
        }
    }
    assert_eq!(Wager::COUNT, DEAL);
    let mut env = asian_stud().env;
    let mut rewards = [0.0; 2];
    for seed in 0..300 {
        env.reset(Some(seed), None)?;
        env.action_rewards(&mut rewards)?;
        for (action, reward) in rewards.iter().enumerate() {
            assert_eq!(env.clone().step(action)?.reward as f32, *reward);
        }
    }
    Ok(())
}
