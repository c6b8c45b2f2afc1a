//! Speed of Joker Seven: `cargo bench -p houseway-env --bench joker_seven`. All figures are for one core; an element is a round.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use houseway_env::gym::{Env, VecEnv, stream};
use houseway_env::joker_seven::{Game, JokerSeven, Observation, Paytable, Rules, Wager};
use rand::RngExt;
use std::hint::black_box;
use std::time::Duration;

/// Lanes that are stepped at once.
const LANES: usize = 4_096;
/// Random decisions are drawn beforehand, this many sets of them, and played in turn.
const SETS: usize = 64;

/// Steps of all lanes with random decisions; dealing, settling, auto-reset, masks and observations included. With the
/// default options an episode is one step.
fn vec_env(criterion: &mut Criterion) {
    let env = JokerSeven::new(Game::new(Rules::default(), Paytable::default()));
    let mut rng = stream(7.into());
    let decisions: Vec<Vec<usize>> =
        (0..SETS).map(|_| (0..LANES).map(|_| rng.random_range(0..Wager::COUNT)).collect()).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    let mut group = criterion.benchmark_group("joker-seven-vec-env-4096");
    group.throughput(Throughput::Elements(LANES as u64));
    for encoding in Observation::ALL {
        for finals in [true, false] {
            let lanes = VecEnv::new(&env.clone().with_encoding(encoding), LANES).expect("there are lanes");
            let mut lanes = if finals { lanes } else { lanes.without_final_observations() };
            pool.install(|| lanes.reset(Some(3), None).map(|_| ())).expect("the default options are good");
            let name = if finals { encoding.name().to_owned() } else { format!("{encoding}, no final observations") };
            let mut sets = decisions.iter().cycle();
            group.bench_function(name, |bencher| {
                pool.install(|| {
                    bencher.iter(|| {
                        let actions = sets.next().expect("a cycle has no end");
                        black_box(lanes.step(actions).expect("the actions are legal"));
                    });
                });
            });
        }
    }
    group.finish();
}

/// One environment stepped and reset by itself.
fn alone(criterion: &mut Criterion) {
    let mut env = JokerSeven::new(Game::new(Rules::default(), Paytable::default()));
    env.reset(Some(1), None).expect("the default options are good");
    criterion.bench_function("joker-seven-alone", |bencher| {
        bencher.iter(|| {
            let step = env.step(1).expect("the action is legal");
            env.reset(None, None).expect("the default options are good");
            black_box(step.reward)
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_secs(1));
    targets = vec_env, alone
}
criterion_main!(benches);
