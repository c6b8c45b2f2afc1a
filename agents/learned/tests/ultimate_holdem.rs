//! Trainings for Ultimate Texas Hold'em from outside: they learn what is plain, and resume to the byte.

use houseway_env::ultimate_holdem::{Game, Hole, Rules};
use houseway_learned::network::NetworkConfig;
use houseway_learned::ultimate_holdem::{LearnedPolicy, TrainConfig, Trained, train};
use houseway_learned::{MethodKind, MetricSink, Progress, TrainError};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Raises the flag once a step is reported.
struct StopAt<'a>(u64, &'a AtomicBool);

impl MetricSink for StopAt<'_> {
    fn scalars(&mut self, progress: &Progress, _: &[(&str, f64)]) -> io::Result<()> {
        self.1.fetch_or(progress.step >= self.0, Ordering::Relaxed);
        Ok(())
    }
}

fn config(steps: u64, batch_hands: usize) -> TrainConfig {
    let network = NetworkConfig { width: 32, layers: 2 };
    TrainConfig { steps, batch_hands, network, evaluate_every: 2, checkpoint_every: 3, ..TrainConfig::default() }
}

fn run(game: &Arc<Game>, config: &TrainConfig, folder: Option<&Path>, stop_at: u64) -> Result<Trained, TrainError> {
    let stop = AtomicBool::new(false);
    train(config, 7, game, &mut |_| vec![("measured", 1.0)], &mut StopAt(stop_at, &stop), folder, &stop)
}

#[test]
fn a_resumed_training_ends_with_the_same_bytes() {
    for method in [MethodKind::AllAction, MethodKind::PolicyGradient] {
        resumes(&TrainConfig { method, ..config(8, 64) });
    }
}

fn resumes(config: &TrainConfig) {
    let (game, folder) = (Arc::new(Game::new(Rules::default())), tempfile::tempdir().unwrap());
    let [straight, broken] = ["straight", "broken"].map(|name| folder.path().join(name));
    assert!(run(&game, config, Some(&straight), u64::MAX).unwrap().finished);
    assert!(!run(&game, config, Some(&broken), 4).unwrap().finished);
    let resumed = run(&game, config, Some(&broken), u64::MAX).unwrap();
    assert!(resumed.finished && resumed.state.hands == 8 * 64);
    let weights = |folder: &Path| fs::read(folder.join("model.bpk")).unwrap();
    assert_eq!(weights(&straight), weights(&broken));
    let other = TrainConfig { batch_hands: 65, ..config.clone() };
    let error = run(&game, &other, Some(&broken), u64::MAX).err().unwrap().to_string();
    assert!(error.contains("another training"), "{error}");
    let wrong = TrainConfig { dealers_per_hand: 23, ..config.clone() };
    let error = run(&game, &wrong, None, u64::MAX).err().unwrap().to_string();
    assert!(error.contains("write 22 or less"), "{error}");
}

#[test]
fn plain_decisions_are_learned_in_seconds() {
    let game = Arc::new(Game::new(Rules::default()));
    let trained = run(&game, &config(150, 512), None, u64::MAX).unwrap();
    let policy = LearnedPolicy::new("short", &game, &trained.networks);
    let hole = |cards: &str| -> Hole { cards.parse().unwrap() };
    assert_eq!(["As Ah", "7d 2c"].map(|cards| policy.start(hole(cards))), [4, 0]);
    let river = "Ks 9h 7d 4c 3s".parse().unwrap();
    assert_eq!(policy.plays(river, &[hole("Kd 2h"), hole("6d 2h")]), [true, false]);
    let flop = "Qs Th 7d".parse().unwrap();
    assert_eq!(policy.plays(flop, &[hole("Qd Tc"), hole("3c 2h")]), [true, false]);
}

#[test]
fn the_result_of_the_hand_alone_teaches_what_is_plain() {
    let game = Arc::new(Game::new(Rules::default()));
    let config = TrainConfig { method: MethodKind::PolicyGradient, ..config(200, 1024) };
    let trained = run(&game, &config, None, u64::MAX).unwrap();
    let policy = LearnedPolicy::new("short", &game, &trained.networks);
    let hole = |cards: &str| -> Hole { cards.parse().unwrap() };
    assert_eq!(["As Ah", "7d 2c"].map(|cards| policy.start(hole(cards))), [4, 0]);
    let river = "Ks 9h 7d 4c 3s".parse().unwrap();
    assert!(policy.plays(river, &[hole("Kd Kh")])[0]);
}
