//! Speed of Pai Gow Poker: `cargo bench -p houseway-env`. Figures are for one core; `vec-env` uses all.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use houseway_env::cards::profile::{PROFILES, Profiles};
use houseway_env::gym::{CardGame, Encoding, VecEnv, stream};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::observe::{Observation, candidates};
use houseway_env::pai_gow::{
    BankedGame, Candidates, Dealer, Dealt, Deck, Game, HANDS, Outcome, PaiGowPoker, Paytable, Rules, SetHand, SideBet,
    SideBetBest,
};
use houseway_env::rank::HoldingsTable;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rounds in one iteration, so that a criterion iteration is long against its clock.
const ROUNDS: u64 = 10_000;

/// The house way by which all sides set.
fn trump_plaza(game: &Game) -> HouseWay {
    let way = Way::named("trump-plaza").expect("it is built in");
    HouseWay::compile(way, game).expect("it sets every hand")
}

/// Makes the compiler believe that a value is needed.
fn drop_it<T>(value: T) {
    let _ = black_box(value);
}

/// Fourteen cards dealt, two hands set by a strategy over profiles, one settlement.
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
                let mut banker = [SetHand::default()];
                let player = dealer.set(dealer.deal(&mut rng, &mut banker));
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
                let mut deck = Deck::new();
                black_box((deck.deal(&mut rng), deck.deal(&mut rng)));
            }
        });
    });
    group.bench_function("rewards-of-21-against-6", |bencher| {
        bencher.iter(|| (0..ROUNDS).for_each(|_| drop_it(dealer.deal_rewards(&mut rng, HANDS - 1))));
    });
    let side_bet = SideBet::new(Paytable::default(), SideBetBest::default());
    group.bench_function("side-bet", |bencher| {
        bencher.iter(|| {
            let deal = || Deck::new().deal(&mut rng).map_or(0.0, |dealt: Dealt| side_bet.net(dealt));
            black_box(std::iter::repeat_with(deal).take(ROUNDS as usize).sum::<f64>())
        });
    });
    group.finish();
}

/// Hands observed: the whole encodings, and the rows of the contenders.
fn observations(criterion: &mut Criterion) {
    let game = Game::new(Rules::default());
    let mut rng = stream(2.into());
    let hands: Vec<Candidates> = std::iter::from_fn(|| Deck::new().deal(&mut rng))
        .take(1_000)
        .map(|dealt| Candidates::of(&game, dealt.hand()))
        .collect();
    let mut out = vec![0.0; candidates::LEN];
    let mut context = vec![0.0; candidates::CONTEXT];
    let mut group = criterion.benchmark_group("observe");
    group.throughput(Throughput::Elements(hands.len() as u64));
    for encoding in Observation::ALL {
        group.bench_function(encoding.name(), |bencher| {
            bencher.iter(|| {
                for hand in &hands {
                    encoding.write(&game, hand, &mut out[..encoding.len()]).expect("the slice fits");
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
        bencher.iter(|| hands.iter().for_each(|hand| drop_it(Candidates::of(&game, hand.hand()))));
    });
    group.finish();
}

/// Steps of 4,096 lanes, auto-reset and observations included.
fn vec_env(criterion: &mut Criterion) {
    const LANES: usize = 4_096;
    let game = Arc::new(Game::new(Rules::default()));
    let env = PaiGowPoker::new(BankedGame::new(Arc::clone(&game), Arc::new(trump_plaza(&game))));
    let mut group = criterion.benchmark_group("vec-env-4096");
    group.throughput(Throughput::Elements(LANES as u64));
    for encoding in Observation::ALL {
        for finals in [true, false] {
            let lanes = VecEnv::new(&env.clone().with_encoding(encoding), LANES).expect("there are lanes");
            let mut lanes = if finals { lanes } else { lanes.without_final_observations() };
            let mut actions = vec![0; LANES];
            lanes.reset(Some(3), None).expect("the default options are good");
            let name = if finals { encoding.name().to_owned() } else { format!("{encoding}, no final observations") };
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    for (action, mask) in actions.iter_mut().zip(lanes.batch().masks.chunks(21)) {
                        *action = mask.iter().position(|&legal| legal).unwrap_or(0);
                    }
                    black_box(lanes.step(&actions).expect("the actions are legal"));
                });
            });
        }
    }
    group.finish();
}

/// What stands ready before the first round: time to build and bytes. Tables of the whole process are built once, so their
/// time is taken once, in [`main_tables`].
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
            |paytable| SideBet::new(paytable, SideBetBest::default()),
            BatchSize::LargeInput,
        );
    });
    group.bench_function("rules-hash", |bencher| {
        bencher.iter_batched(fresh, |game| game.rules_hash(), BatchSize::LargeInput);
    });
    group.finish();
}

/// Times the tables that a process builds once; this must run before anything else uses them.
fn main_tables(_: &mut Criterion) {
    let start = Instant::now();
    let profiles = Profiles::get();
    println!("profiles: built in {:.1?}, {} bytes", start.elapsed(), profiles.bytes());
    let start = Instant::now();
    let bytes = HoldingsTable::get().bytes();
    println!("what seven cards hold: built in {:.1?} (all cores), {bytes} bytes", start.elapsed());
    let game = Game::new(Rules::default());
    let side_bet = SideBet::new(Paytable::default(), SideBetBest::default());
    let strategy = trump_plaza(&game);
    let rest = game.ranking().bytes() + strategy.bytes() + side_bet.bytes();
    println!(
        "strengths: {} bytes; a strategy: {} bytes ({PROFILES} profiles); side bet: {} bytes",
        game.ranking().bytes(),
        strategy.bytes(),
        side_bet.bytes()
    );
    println!("all look-up tables: {:.2} MB", (profiles.bytes() + bytes + rest) as f64 / 1e6);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    targets = main_tables, rounds, observations, vec_env, tables
}
criterion_main!(benches);
