//! Benchmarks the exact evaluation of a single hand: all 21 settings against all 53,524,680 banker hands, or against those
//! without seven dead cards, on one thread with precomputed tables. Also measures how long it takes to compute the tables
//! from a cold start.

use criterion::{Criterion, criterion_group, criterion_main};
use houseway_env::cards::CardSet;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, Rules};
use houseway_exact::pai_gow::{BankerTable, HandEvaluator, KnownCards};
use std::hint::black_box;

fn bench(c: &mut Criterion) {
    let start = std::time::Instant::now();
    let game = Game::new(Rules::default());
    let way = Way::named("trump-plaza").expect("the way is built in");
    let strategy = HouseWay::compile(way, &game).expect("the way is complete");
    let banker = BankerTable::new(&strategy);
    println!("tables of a house way from a cold start: {:?}", start.elapsed());
    let counter = HandEvaluator::new(&game, &banker);
    for (name, hand) in
        [("plain", "As Kd Qh 9c 7d 5h 3s"), ("joker", "Jk Kd Qh 9c 7d 5h 3s"), ("flush", "As Ks 9s 7s 5s 3s 2s")]
    {
        let hand: Hand = hand.parse().expect("the hand is valid");
        c.bench_function(&format!("hand/{name}"), |b| b.iter(|| counter.count(black_box(hand))));
    }
    let (hand, dead) = ("As Kd Qh 9c 7d 5h 3s".parse(), "Ad Kc 7s 7h 9d Td 2c".parse());
    let (hand, dead): (Hand, CardSet) = (hand.expect("a hand"), dead.expect("cards"));
    let known = KnownCards::new(hand, dead).expect("the dead cards are not in the hand");
    c.bench_function("hand/seven dead cards", |b| b.iter(|| counter.count(black_box(known))));
    c.bench_function("banker table", |b| b.iter(|| BankerTable::new(black_box(&strategy))));
}

criterion_group!(benches, bench);
criterion_main!(benches);
