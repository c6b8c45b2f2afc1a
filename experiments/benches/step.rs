//! Measures what a training step of the main job's all-action agent spends its time on.
//!
//! Run it with `cargo bench --workspace --bench step`. It prints the time of each part per step and its fraction of
//! their sum:
//!
//! - *environment* deals the hands and computes the rewards of all their settings, averaged over 120 hands of the banker,
//! - *encoding* writes the network's inputs,
//! - *forward* evaluates the network and a squared error,
//! - *backward* computes the gradients, measured as the difference to a forward pass alone,
//! - *optimizer* applies them,
//! - *averaging* updates the moving average of the weights, and
//! - *logging* writes the metrics to all files. They are only written once every thousand steps, so this is a thousandth
//!   of the time that a report takes.
//!
//! The last lines are a step of the real training loop, as wall-clock time and as processor time. The loop runs the
//! first two parts on another thread. The times are medians of several rounds, in which all parts take turns.
//!
//! The option `--json` prints the times in milliseconds as JSON, and `--training` only measures the training loop.

use burn::optim::GradientsParams;
use burn::tensor::{Device, Tensor, TensorData};
use houseway::metrics::{MetricSink, TrainingProgress, TrainingSinks};
use houseway_env::gym::stream;
use houseway_env::pai_gow::{BankerSet, Candidates, from_config, settings_in};
use houseway_learned::decisions::CandidateBatch;
use houseway_learned::device::{playing_device, training_device};
use houseway_learned::methods::MethodConfig;
use houseway_learned::network::{Networks, WeightSource};
use houseway_learned::tasks::pai_gow::{Among, Deals, encode};
use houseway_learned::{TrainConfig, tasks, train};
use serde_json::json;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The seed for the hands and the weights.
const SEED: u64 = 1;
/// The number of rounds.
const ROUNDS: usize = 15;
/// The number of times that a part is repeated in a round.
const REPEATS: u32 = 40;
/// The number of training runs, and the number of steps of each.
const RUNS: usize = 5;
const STEPS: u64 = 500;
/// The number of steps between reports in the main job.
const REPORT_EVERY: f64 = 1000.0;

/// Returns the configuration of the main job's all-action agent.
fn config() -> TrainConfig {
    let loss = json!({ "name": "focused", "value-weight": 0.003 });
    let table = json!({
        "method": { "name": "all-action", "reward-samples": 120, "loss": loss },
        "batch": 128,
        "learning-rate": 0.015,
        "ema": 0.995,
    });
    tasks::configure("pai-gow-poker", table.as_object().expect("a table")).expect("the configuration is valid")
}

/// The times of one part in milliseconds per step, one per round.
struct Part {
    name: &'static str,
    times: Vec<f64>,
}

impl Part {
    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }
}

/// Adds a time to the part with the given name.
fn add(parts: &mut Vec<Part>, name: &'static str, milliseconds: f64) {
    match parts.iter_mut().find(|part| part.name == name) {
        Some(part) => part.times.push(milliseconds),
        None => parts.push(Part { name, times: vec![milliseconds] }),
    }
}

/// Returns the mean time of a call in milliseconds.
fn time<T>(mut call: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    (0..REPEATS).for_each(|_| drop(black_box(call())));
    1e3 * start.elapsed().as_secs_f64() / f64::from(REPEATS)
}

/// Returns the squared error of the network on some hands.
fn squared_error(hands: &CandidateBatch, targets: &[f32], networks: &Networks, device: &Device) -> Tensor<1> {
    let tensors = hands.tensors(0, device);
    let [predictions] = tensors.outputs(&networks.parts[0]);
    let targets = TensorData::new(targets.to_vec(), [hands.counts.len(), hands.places()]);
    let errors = (predictions - Tensor::<2>::from_data(targets, device)) * tensors.mask;
    errors.powi_scalar(2).mean()
}

fn main() {
    let has = |option: &str| std::env::args().any(|argument| argument == option);
    let config = config();
    let parts = if has("--training") { vec![] } else { measure_parts(&config) };
    let training = measure_training(&config);
    let sum: f64 = parts.iter().map(Part::median).sum();
    if has("--json") {
        let times = parts.iter().chain(&training).map(|part| (part.name.to_owned(), json!(part.median())));
        println!("{}", times.collect::<serde_json::Value>());
        return;
    }
    println!("a step of {} hands", config.batch);
    for part in &parts {
        println!("{:20} {:8.4} ms {:6.1}%", part.name, part.median(), 100.0 * part.median() / sum);
    }
    for part in &training {
        println!("{:20} {:8.4} ms", part.name, part.median());
    }
}

/// Measures a step of the training loop.
fn measure_training(config: &TrainConfig) -> Vec<Part> {
    let task = tasks::make("pai-gow-poker", "{}").expect("the task has default rules");
    let (steps, mut parts) = (STEPS, vec![]);
    for _ in 0..RUNS {
        let config = TrainConfig { steps, evaluate_every: steps, checkpoint_every: steps, ..config.clone() };
        let trained = train(&config, SEED, &*task, &mut |_| vec![], &mut (), None, &AtomicBool::new(false));
        let last = trained.expect("training doesn't diverge").state.history.pop().expect("it is measured at the end");
        let per_step = |seconds: f64| 1e3 * seconds / steps as f64;
        add(&mut parts, "training", per_step(last.progress.seconds));
        if let Some(seconds) = last.progress.processor_seconds {
            add(&mut parts, "training, processor", per_step(seconds));
        }
    }
    parts
}

/// Measures the parts of a step one by one.
fn measure_parts(config: &TrainConfig) -> Vec<Part> {
    let device = training_device();
    let MethodConfig::AllAction(method) = &config.method else { unreachable!("it is configured above") };
    let task = tasks::make("pai-gow-poker", "{}").expect("the task has default rules");
    let weights = &mut WeightSource::new(SEED, &device);
    let networks = task.networks(config.network, config.method.feedback(), config.method.outputs(), weights);
    let plain = networks.playing();
    let env = from_config("{}").expect("the default configuration is valid");
    let deals = Deals::player(Arc::clone(env.game().game()), Arc::clone(env.game().banker()));
    let (mut rng, mut others) = (stream(SEED.into()), vec![BankerSet::default(); method.reward_samples]);
    let mut deal = || loop {
        let candidates = Candidates::new(deals.game(), deals.deal(&mut rng, &mut others));
        if Among::Contenders.select(&candidates).count_ones() > 1 {
            let rewards = deals.rewards(&candidates, &others);
            return (candidates, rewards);
        }
    };
    let hands: Vec<_> = (0..config.batch).map(|_| deal()).collect();
    let encoded = || {
        let mut batch = CandidateBatch::default();
        for (candidates, _) in &hands {
            encode(&mut batch, deals.game(), candidates, Among::Contenders.select(candidates));
        }
        batch
    };
    let (batch, mut rewards) = (encoded(), vec![]);
    for (candidates, all) in &hands {
        rewards.extend(settings_in(Among::Contenders.select(candidates)).map(|setting| all[setting.index()]));
    }
    let targets = batch.pad(&rewards);
    let error = |networks: &Networks, device: &Device| squared_error(&batch, &targets, networks, device);
    let gradients = || GradientsParams::from_grads(error(&networks, &device).backward(), &networks);
    let mut optimizer = config.optimizer.init();
    let mut average = networks.clone();
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let mut sinks = TrainingSinks::create(folder.path(), true, ()).expect("the temporary folder is writable");
    let mut step = 0;
    let mut report = || {
        step += 1;
        let values = [("loss", 0.1), ("regret", 0.001), ("agreement", 0.9), ("regret_error", 0.0001)];
        sinks.scalars(&TrainingProgress { step, ..TrainingProgress::default() }, &values).expect("the disk has room");
    };

    let mut parts = vec![];
    for _ in 0..ROUNDS {
        add(&mut parts, "environment", time(&mut deal) * config.batch as f64);
        add(&mut parts, "encoding", time(encoded));
        let forward = time(|| error(&plain, &playing_device()).into_scalar::<f32>());
        add(&mut parts, "forward", forward);
        add(&mut parts, "backward", time(gradients) - forward);
        let mut given: Vec<GradientsParams> = (0..REPEATS).map(|_| gradients()).collect();
        let mut next = || optimizer.step(1e-3, networks.clone(), given.pop().expect("there is one per repeat"));
        add(&mut parts, "optimizer", time(&mut next));
        add(&mut parts, "averaging", time(|| average.average(&networks, config.ema)));
        add(&mut parts, "logging", time(&mut report) / REPORT_EVERY);
    }
    parts
}
