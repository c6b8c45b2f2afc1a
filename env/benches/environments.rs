//! Benchmarks for the environments of every registered game, with each of their encodings.
//!
//! Run them with `cargo bench -p houseway-env --bench environments`. All figures are for a single core. An element is
//! one step of one lane, or a reset followed by a step for a single environment.

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use houseway_env::gym::{Env, EnvError, VecEnv};
use houseway_env::registry::games;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The number of lanes that are stepped together.
const LANES: usize = 4_096;

/// Picks legal actions that vary between lanes and between steps.
fn choose(lanes: &VecEnv, step: usize, actions: &mut [usize]) {
    let masks = lanes.batch().masks.chunks(lanes.actions());
    for (lane, (action, mask)) in actions.iter_mut().zip(masks).enumerate() {
        let legal = mask.iter().filter(|&&legal| legal).count().max(1);
        let mut places = (0..mask.len()).filter(|&action| mask[action]);
        *action = places.nth((lane * 7 + step * 5) % legal).unwrap_or(0);
    }
}

/// Times a step of all lanes. This includes settlement, autoreset, dealing, masks and observations, but not the time it
/// takes to choose the actions.
fn steps(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, lanes: &mut VecEnv) -> Result<(), EnvError> {
    lanes.reset(Some(3), None)?;
    let (mut actions, mut step) = (vec![0; LANES], 0);
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|iterations| {
            let mut elapsed = Duration::ZERO;
            for _ in 0..iterations {
                choose(lanes, step, &mut actions);
                step += 1;
                let start = Instant::now();
                lanes.step(&actions).expect("the actions are legal");
                elapsed += start.elapsed();
            }
            black_box(lanes.batch().rewards[0]);
            elapsed
        });
    });
    Ok(())
}

/// Creates one environment per game and encoding in the registry.
fn environments() -> Vec<(String, Box<dyn Env>)> {
    let mut all = vec![];
    for game in games() {
        if game.encodings.is_empty() {
            all.push((game.name.to_owned(), (game.make)("{}").expect("the defaults are valid")));
        }
        for encoding in game.encodings {
            let env = game.make_with_encoding("{}", encoding).expect("the defaults are valid");
            all.push((format!("{}, {encoding}", game.name), env));
        }
    }
    all
}

fn vec_env(criterion: &mut Criterion) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no other pool was built before");
    let mut group = criterion.benchmark_group("vec-env-4096");
    group.throughput(Throughput::Elements(LANES as u64));
    for (name, env) in environments() {
        for (finals, suffix) in [(true, ""), (false, ", no final observations")] {
            let lanes = VecEnv::new(&*env, LANES).expect("there are lanes");
            let mut lanes = if finals { lanes } else { lanes.without_final_observations() };
            steps(&mut group, &format!("{name}{suffix}"), &mut lanes).expect("the default options are valid");
        }
    }
    group.finish();
}

fn alone(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("alone");
    group.throughput(Throughput::Elements(1));
    for (name, mut env) in environments() {
        let mut mask = vec![false; env.actions()];
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                env.reset(None, None).expect("the default options are valid");
                env.action_mask(&mut mask).expect("the mask fits");
                let action = mask.iter().position(|&legal| legal).unwrap_or(0);
                black_box(env.step(action).expect("the action is legal").reward)
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_secs(1));
    targets = vec_env, alone
}
criterion_main!(benches);
