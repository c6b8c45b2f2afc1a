//! Benchmark of Ultimate Texas Hold'em on one thread: all deals under the optimal and the simple strategy, and a single
//! flop.
//!
//! `cargo bench -p houseway-exact --bench ultimate_holdem`

use houseway_env::ultimate_holdem::{Game, Rules};
use houseway_exact::ultimate_holdem::{FullGame, Optimum, Position, Simple};
use std::time::Instant;

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("thread pool");
    pool.install(measure);
}

fn measure() {
    let game = Game::new(Rules::default());
    let whole = FullGame::new(&game, 0);
    let start = Instant::now();
    let optimum = whole.count(&Optimum, None, None).expect("not cancelled");
    println!("optimum: edge {} in {:.2?} (one thread)", optimum.edge(), start.elapsed());
    let start = Instant::now();
    let simple = whole.count(&Simple::new(&game), None, None).expect("not cancelled");
    println!("simple strategy: edge {} in {:.2?} (one thread)", simple.edge(), start.elapsed());
    let position =
        "Kh 8c".parse().ok().zip("8d 5s 2h".parse().ok()).and_then(|(hole, flop)| Position::new(hole, flop).ok());
    let position = position.expect("five distinct cards");
    let start = Instant::now();
    let choice = position.choice(&game, 0, None, None).expect("not cancelled");
    println!("a flop: {} in {:.2?} (one thread)", choice.best().0, start.elapsed());
}
