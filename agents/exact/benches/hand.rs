//! Benchmark of the exact evaluation of one hand: all 21 settings against all 53,524,680 banker hands on one thread
//! with precomputed tables, and the time to compute the tables from a cold start.

use criterion::{Criterion, criterion_group, criterion_main};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, Rules};
use houseway_exact::pai_gow::{BankerTable, HandEvaluator};
use std::hint::black_box;

fn bench(c: &mut Criterion) {
    let start = std::time::Instant::now();
    let game = Game::new(Rules::default());
    let way = Way::named("trump-plaza").expect("a built-in way");
    let strategy = HouseWay::compile(way, &game).expect("a complete way");
    let banker = BankerTable::new(&strategy);
    println!("tables of a house way from a cold start: {:?}", start.elapsed());
    let counter = HandEvaluator::new(&game, &banker);
    for (name, hand) in
        [("plain", "As Kd Qh 9c 7d 5h 3s"), ("joker", "Jk Kd Qh 9c 7d 5h 3s"), ("flush", "As Ks 9s 7s 5s 3s 2s")]
    {
        let hand: Hand = hand.parse().expect("a hand");
        c.bench_function(&format!("hand/{name}"), |b| b.iter(|| counter.count(black_box(hand))));
    }
    c.bench_function("banker table", |b| b.iter(|| BankerTable::new(black_box(&strategy))));
}

criterion_group!(benches, bench);
criterion_main!(benches);
