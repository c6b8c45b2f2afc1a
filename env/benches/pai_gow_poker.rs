//! Benchmarks for Pai Gow Poker. Run them with `cargo bench -p houseway-env`. All figures are for a single core.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use houseway_env::cards::Pack;
use houseway_env::cards::profile::Profiles;
use houseway_env::gym::{CardGame, Encoding, stream};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::observe::{Observation, candidates};
use houseway_env::pai_gow::{
    BankedGame, BankerSet, CARDS, Candidates, Dealer, Dealt, Game, HANDS, Outcome, Paytable, Rules, SideBet,
};
use houseway_env::rank::{HoldingsTable, JokerUse};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of rounds per iteration. It is large enough for criterion's clock to resolve.
const ROUNDS: u64 = 10_000;

/// Returns the house way that both sides use.
fn trump_plaza(game: &Game) -> HouseWay {
    let way = Way::named("trump-plaza").expect("it is built in");
    HouseWay::compile(way, game).expect("it sets every hand")
}

/// Keeps the compiler from optimizing a value away.
fn drop_it<T>(value: T) {
    let _ = black_box(value);
}

/// Deals fourteen cards, sets both hands with a strategy that looks them up by profile, and settles the round.
fn rounds(criterion: &mut Criterion) {
    let game = Game::new(Rules::default());
    let table = trump_plaza(&game);
    let dealer = Dealer::new(&game, &table);
    let mut rng = stream(1.into());
    let mut group = criterion.benchmark_group("pai-gow-poker");
    group.throughput(Throughput::Elements(ROUNDS));
    group.bench_function("round", |bencher| {
        bencher.iter(|| {
            let mut total = 0;
            for _ in 0..ROUNDS {
                let mut banker = [BankerSet::default()];
                let player = dealer.set(dealer.deal(&mut rng, &mut banker)).strengths();
                total += match game.settle(player, banker[0]).outcome {
                    Outcome::Win => 1,
                    Outcome::Push => 0,
                    Outcome::Loss => -1,
                };
            }
            black_box(total)
        });
    });
    group.bench_function("deal-14", |bencher| {
        bencher.iter(|| {
            for _ in 0..ROUNDS {
                let mut pack = Pack::new(CARDS);
                black_box((Dealt::draw(&mut pack, &mut rng), Dealt::draw(&mut pack, &mut rng)));
            }
        });
    });
    group.bench_function("rewards-of-21-against-6", |bencher| {
        let mut bankers = [BankerSet::default(); HANDS - 1];
        bencher.iter(|| {
            for _ in 0..ROUNDS {
                let player = dealer.deal(&mut rng, &mut bankers);
                drop_it(Candidates::new(&game, player.hand()).mean_rewards(&game, &bankers));
            }
        });
    });
    let side_bet = SideBet::new(Paytable::default(), &Rules::default());
    group.bench_function("side-bet", |bencher| {
        bencher.iter(|| {
            let deal = || side_bet.net(Dealt::random(&mut rng));
            black_box(std::iter::repeat_with(deal).take(ROUNDS as usize).sum::<f64>())
        });
    });
    group.finish();
}

/// Writes observations of hands, using the complete encodings as well as only the rows for the contenders.
fn observations(criterion: &mut Criterion) {
    let game = Game::new(Rules::default());
    let mut rng = stream(2.into());
    let hands: Vec<Candidates> =
        std::iter::repeat_with(|| Candidates::new(&game, Dealt::random(&mut rng).hand())).take(1_000).collect();
    let mut out = vec![0.0; candidates::LEN];
    let mut context = vec![0.0; candidates::CONTEXT];
    let mut group = criterion.benchmark_group("observe");
    group.throughput(Throughput::Elements(hands.len() as u64));
    for encoding in Observation::ALL {
        group.bench_function(encoding.name(), |bencher| {
            bencher.iter(|| {
                for hand in &hands {
                    encoding.write(&game, hand, &mut out[..encoding.len()]);
                    black_box(&out);
                }
            });
        });
    }
    group.bench_function("contenders", |bencher| {
        bencher.iter(|| {
            for hand in &hands {
                candidates::write_rows(&game, hand, hand.contenders(), &mut out, &mut context).expect("the slices fit");
                black_box(&out);
            }
        });
    });
    group.bench_function("settings-of-a-hand", |bencher| {
        bencher.iter(|| hands.iter().for_each(|hand| drop_it(Candidates::new(&game, hand.hand()))));
    });
    group.finish();
}

/// Measures the build time and the size of a game's tables. Tables that the whole process shares are built only once,
/// so [`main_tables`] times those.
fn tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    group.bench_function("game", |bencher| bencher.iter(|| Game::new(Rules::default())));
    let game = Game::new(Rules::default());
    group.bench_function("strategy-by-profile", |bencher| bencher.iter(|| trump_plaza(&game)));
    let table = trump_plaza(&game);
    let (game, table) = (Arc::new(game), Arc::new(table));
    let fresh = || BankedGame::new(Arc::clone(&game), Arc::clone(&table));
    group.bench_function("side-bet", |bencher| {
        bencher.iter_batched(
            Paytable::default,
            |paytable| SideBet::new(paytable, &Rules::default()),
            BatchSize::LargeInput,
        );
    });
    group.bench_function("rules-hash", |bencher| {
        bencher.iter_batched(fresh, |game| game.rules_hash(), BatchSize::LargeInput);
    });
    group.finish();
}

/// Times the tables that are built once per process. This has to run before anything else uses them.
fn main_tables(_: &mut Criterion) {
    let start = Instant::now();
    Profiles::get();
    println!("profiles: built in {:.1?}", start.elapsed());
    let start = Instant::now();
    HoldingsTable::get(JokerUse::HalfWild);
    println!("what seven cards hold: built in {:.1?} (all cores)", start.elapsed());
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    targets = main_tables, rounds, observations, tables
}
criterion_main!(benches);
