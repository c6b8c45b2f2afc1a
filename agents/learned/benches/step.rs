//! Benchmarks for the parts of a training step of the main job's all-action agent.
//!
//! Run them with `cargo bench --workspace --bench step`. An element is a hand of a batch. *draw* deals and encodes the
//! hands and computes the rewards of all their settings, averaged over 1 or 120 hands of the banker. *forward* evaluates
//! the network, *forward-backward* also computes the gradients of a squared error, *optimizer* applies them, and
//! *average* updates the moving average of the weights. *train* is a step of the real training loop, which draws the
//! batches on another thread. What it takes beyond the other parts is its loss, its logs and the waiting for batches.

use burn::grad_clipping::GradientClippingConfig;
use burn::optim::{AdamConfig, GradientsParams};
use burn::tensor::{Device, Tensor};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use houseway_learned::device::{playing_device, training_device};
use houseway_learned::network::{Networks, WeightSource};
use houseway_learned::task::RewardBatch;
use houseway_learned::{TrainConfig, tasks, train};
use serde_json::json;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The seed for the hands and the weights.
const SEED: u64 = 1;

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

/// Returns the squared error of a batch.
fn squared_error(batch: &dyn RewardBatch, networks: &Networks, device: &Device) -> Tensor<1> {
    let regression = batch.regressions(networks, device).pop().expect("a batch has a regression");
    let errors = regression.predictions - regression.targets;
    let errors = regression.mask.map_or(errors.clone(), |mask| errors * mask);
    errors.powi_scalar(2).mean()
}

fn parts(criterion: &mut Criterion) {
    let (config, device) = (config(), training_device());
    let task = tasks::make("pai-gow-poker", "{}").expect("the task has default rules");
    let outputs = config.method.outputs();
    let weights = &mut WeightSource::new(SEED, &device);
    let networks = task.networks(config.network, config.method.feedback(), outputs, weights);
    let mut group = criterion.benchmark_group("step");
    group.throughput(Throughput::Elements(config.batch as u64)).measurement_time(Duration::from_secs(4));

    for samples in [1, 120] {
        let mut source = task.reward_source(config.batch, samples, SEED).expect("all rewards are known");
        let mut step = 0;
        group.bench_function(format!("draw-{samples}"), |bencher| {
            bencher.iter(|| {
                step += 1;
                source(step).expect("hands can be dealt").deals()
            });
        });
    }

    let mut source = task.reward_source(config.batch, 1, SEED).expect("all rewards are known");
    let batch = source(0).expect("hands can be dealt");
    let plain = networks.playing();
    group.bench_function("forward", |bencher| {
        bencher.iter(|| squared_error(&*batch, black_box(&plain), &playing_device()).into_scalar::<f32>());
    });
    let gradients = || GradientsParams::from_grads(squared_error(&*batch, &networks, &device).backward(), &networks);
    group.bench_function("forward-backward", |bencher| bencher.iter(gradients));

    let clipping = GradientClippingConfig::Norm(config.gradient_norm);
    let mut optimizer = AdamConfig::new().with_grad_clipping(Some(clipping)).init();
    group.bench_function("optimizer", |bencher| {
        let step = |gradients| optimizer.step(1e-3, networks.clone(), gradients);
        bencher.iter_batched(gradients, step, BatchSize::SmallInput);
    });
    let mut average = networks.clone();
    group.bench_function("average", |bencher| bencher.iter(|| average.average(&networks, config.ema)));

    group.bench_function("train", |bencher| {
        bencher.iter_custom(|steps| {
            let config = TrainConfig { steps, evaluate_every: steps, checkpoint_every: steps, ..config.clone() };
            let start = Instant::now();
            let stop = AtomicBool::new(false);
            let trained = train(&config, SEED, &*task, &mut |_| vec![], &mut (), None, &stop);
            black_box(trained.expect("training doesn't diverge").finished);
            start.elapsed()
        });
    });
    group.finish();
}

criterion_group!(benches, parts);
criterion_main!(benches);
