//! Trainings from outside: they learn, repeat to the byte, resume to the byte, and say what is wrong with a checkpoint.

use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, Rules, Strategy};
use houseway_learned::{
    Evaluator, LearnedStrategy, MethodKind, MetricSink, Progress, Table, TrainConfig, TrainError, Trained, train,
};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

static TABLE: LazyLock<Table<HouseWay>> = LazyLock::new(|| {
    let game = Arc::new(Game::new(Rules::default()));
    let banker = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
    Table { game, banker: Arc::new(banker), hash: "test".to_owned() }
});

/// The tensor library keeps some state for the whole process; one training at a time.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(|broken| broken.into_inner())
}

fn config(method: MethodKind) -> TrainConfig {
    let mut config = TrainConfig::new(method, 8);
    (config.batch_hands, config.bankers_per_hand) = (64, 6);
    (config.network.width, config.evaluate_every, config.checkpoint_every) = (16, 2, 3);
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

fn run(config: &TrainConfig, folder: Option<&Path>, stop_at: u64) -> Result<Trained, TrainError> {
    let stop = AtomicBool::new(false);
    train(config, 7, &TABLE, &mut (), &mut StopAt(stop_at, &stop), folder, &stop)
}

/// The weights to the byte. (The optimiser's file holds its entries in an order of chance; a training that goes on from it
/// shows that nothing is missing.)
fn weights(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("model.bpk")).unwrap()
}

#[test]
fn a_resumed_training_ends_with_the_same_bytes() {
    let _alone = alone();
    for method in [MethodKind::AllAction, MethodKind::PolicyGradient] {
        let config = config(method);
        let folder = tempfile::tempdir().unwrap();
        let [straight, broken] = ["straight", "broken"].map(|name| folder.path().join(name));
        let whole = run(&config, Some(&straight), u64::MAX).unwrap();
        assert!(whole.finished);
        let half = run(&config, Some(&broken), 4).unwrap();
        assert_eq!((half.finished, half.state.step), (false, 4));
        let rest = run(&config, Some(&broken), u64::MAX).unwrap();
        assert!(rest.finished && rest.state.hands == whole.state.hands);
        assert_eq!(weights(&broken), weights(&straight), "{method:?}");
        let values = |trained: &Trained| trained.state.history.iter().map(|row| row.values.clone()).collect::<Vec<_>>();
        assert_eq!(values(&rest), values(&whole), "{method:?}");
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let _alone = alone();
    for method in [MethodKind::AllAction, MethodKind::PolicyGradient] {
        let with_threads = |threads| {
            let folder = tempfile::tempdir().unwrap();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let checkpoint = folder.path().join("checkpoint");
            pool.install(|| run(&config(method), Some(&checkpoint), u64::MAX)).unwrap();
            weights(&checkpoint)
        };
        assert_eq!(with_threads(1), with_threads(3), "{method:?}");
    }
}

#[test]
fn checkpoints_that_cannot_be_used_are_refused() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let config = config(MethodKind::AllAction);
    run(&config, Some(&checkpoint), u64::MAX).unwrap();
    let refused = |config: &TrainConfig| run(config, Some(&checkpoint), u64::MAX).map(|_| ()).unwrap_err().to_string();
    let mut other = config.clone();
    other.learning_rate = 0.1;
    assert!(refused(&other).contains("belongs to another training"), "{}", refused(&other));
    let model = checkpoint.join("model.bpk");
    let bytes = fs::read(&model).unwrap();
    fs::write(&model, &bytes[..bytes.len() / 2]).unwrap();
    assert!(refused(&config).contains("is torn: model.bpk"), "{}", refused(&config));
    fs::write(checkpoint.join("state.json"), "{").unwrap();
    assert!(refused(&config).contains("is torn: state.json"), "{}", refused(&config));
}

#[test]
fn a_full_disk_ends_the_training_with_its_reason() {
    struct Full;
    impl MetricSink for Full {
        fn scalars(&mut self, _: &Progress, _: &[(&str, f64)]) -> io::Result<()> {
            Err(io::Error::new(io::ErrorKind::StorageFull, "metrics.csv: no space left"))
        }
    }
    let _alone = alone();
    let stop = AtomicBool::new(false);
    let error = train(&config(MethodKind::AllAction), 7, &TABLE, &mut (), &mut Full, None, &stop);
    let error = error.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("no space left") && error.contains("goes on from its last checkpoint"), "{error}");
}

/// Mean reward of a strategy on dealt hands, the same each time.
struct MeanReward(Vec<f64>);

impl Evaluator for MeanReward {
    fn evaluate(&mut self, strategy: &dyn Strategy) -> Vec<(&'static str, f64)> {
        let dealer = houseway_env::pai_gow::Dealer::new(&TABLE.game, &*TABLE.banker);
        let mut rng = houseway_env::gym::stream(3.into());
        let dealt: Vec<(Hand, [f32; 21])> = (0..2_000)
            .map(|_| {
                let mut bankers = [Default::default(); 6];
                let hand = dealer.deal(&mut rng, &mut bankers).hand();
                (hand, houseway_env::pai_gow::Candidates::new(&TABLE.game, hand).mean_rewards(&TABLE.game, &bankers))
            })
            .collect();
        let hands: Vec<Hand> = dealt.iter().map(|(hand, _)| *hand).collect();
        let settings = strategy.set_batch(&hands);
        let rewards = settings.iter().zip(&dealt).map(|(setting, (_, rewards))| f64::from(rewards[setting.index()]));
        let mean = rewards.sum::<f64>() / hands.len() as f64;
        self.0.push(mean);
        vec![("reward", mean)]
    }
}

#[test]
fn both_methods_learn() {
    let _alone = alone();
    for method in [MethodKind::AllAction, MethodKind::PolicyGradient] {
        // One reward a hand tells far less than those of all candidates against many banker hands.
        let steps = if method == MethodKind::AllAction { 80 } else { 300 };
        let mut config = TrainConfig::new(method, steps);
        (config.batch_hands, config.network.width, config.evaluate_every) = (256, 32, steps);
        let mut rewards = MeanReward(vec![]);
        train(&config, 1, &TABLE, &mut rewards, &mut (), None, &AtomicBool::new(false)).unwrap();
        let [before, after] = rewards.0[..] else { panic!("measured before and after") };
        // An untrained network loses a fifth of its stake or more, the optimum a fortieth.
        assert!(after > before + 0.1 && after > -0.1, "{method:?}: {before} to {after}");
    }
}

#[test]
fn a_strategy_sets_alone_as_in_a_batch() {
    let _alone = alone();
    let trained = run(&config(MethodKind::AllAction), None, u64::MAX).unwrap();
    let strategy = LearnedStrategy::new("test", &TABLE.game, &trained.network, Default::default());
    let mut rng = houseway_env::gym::stream(4.into());
    let hands: Vec<Hand> = (0..3_000).map(|_| houseway_env::pai_gow::Dealt::random(&mut rng).hand()).collect();
    let batch = strategy.set_batch(&hands);
    for (i, &hand) in hands.iter().enumerate() {
        assert!(TABLE.game.is_legal(TABLE.game.set(hand, batch[i])), "{hand}");
        if i % 100 == 0 {
            assert_eq!(strategy.set(hand), batch[i], "{hand}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weights.safetensors");
    strategy.save_weights(&file, &[("seed", "7")]).unwrap();
    let bytes = fs::read(&file).unwrap();
    assert!(String::from_utf8_lossy(&bytes[8..400]).contains("\"seed\":\"7\""));
    strategy.save_weights(&file, &[("seed", "7")]).unwrap();
    assert_eq!(fs::read(&file).unwrap(), bytes);
}
