//! Benchmarks for Ultimate Texas Hold'em. Run them with `cargo bench -p houseway-env --bench ultimate_holdem`.
//!
//! All figures are for a single core.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use houseway_env::cards::CardSet;
use houseway_env::gym::{Env, stream};
use houseway_env::ultimate_holdem::{Action, Deal, Game, Rules, Stage, UltimateHoldem};
use rand::Rng;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// The number of rounds per iteration. It is large enough for criterion's clock to resolve.
const ROUNDS: u64 = 10_000;

/// Keeps the compiler from optimizing a value away.
fn drop_it<T>(value: T) {
    let _ = black_box(value);
}

/// Returns a random legal action, chosen with the random number `bits`.
fn choose(mask: &[bool], bits: u32) -> usize {
    let legal = mask.iter().filter(|&&legal| legal).count().max(1);
    let mut places = (0..mask.len()).filter(|&action| mask[action]);
    places.nth(bits as usize % legal).unwrap_or(0)
}

fn rounds(criterion: &mut Criterion) {
    let game = Arc::new(Game::new(Rules::default()));
    let mut group = criterion.benchmark_group("ultimate-holdem");
    group.throughput(Throughput::Elements(ROUNDS));
    let (mut rng, mut actions) = (stream(1.into()), stream(2.into()));
    group.bench_function("round", |bencher| {
        let mut env = UltimateHoldem::new(Arc::clone(&game));
        env.reset(Some(1), None).expect("the default options are good");
        bencher.iter(|| {
            let mut total = 0.0;
            for _ in 0..ROUNDS {
                env.reset(None, None).expect("the default options are good");
                let mut mask = [false; Action::ALL.len()];
                while env.state().is_ok_and(|state| state.stage() != Stage::Over) {
                    env.action_mask(&mut mask).expect("it fits");
                    total += env.step(choose(&mask, actions.next_u32())).expect("it is legal").reward;
                }
            }
            black_box(total)
        });
    });
    group.bench_function("deal", |bencher| {
        bencher.iter(|| (0..ROUNDS).for_each(|_| drop_it(Deal::new(&mut rng))));
    });
    let sevens: Vec<CardSet> = (0..1_000)
        .map(|_| {
            let deal = Deal::new(&mut rng);
            deal.board(5).union(deal.hole().set())
        })
        .collect();
    group.throughput(Throughput::Elements(sevens.len() as u64));
    group.bench_function("best-of-seven", |bencher| {
        bencher.iter(|| sevens.iter().for_each(|&seven| drop_it(game.best().of(seven))));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    targets = rounds
}
criterion_main!(benches);
