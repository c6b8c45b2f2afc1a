//! Benchmarks Ultimate Texas Hold'em on one thread: all deals with the optimal and the simple strategy, and a single
//! flop.
//!
//! Run it with `cargo bench -p houseway-exact --bench ultimate_holdem`.

use houseway_env::ultimate_holdem::{Game, Rules};
use houseway_exact::solver::Control;
use houseway_exact::ultimate_holdem::{FullGame, Optimum, Position, Simple};
use std::time::Instant;

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("the thread pool starts");
    pool.install(measure);
}

fn measure() {
    let game = Game::new(Rules::default());
    let whole = FullGame::new(&game, 0);
    let start = Instant::now();
    let optimum = whole.count(&Optimum, &Control::default()).expect("the run is never canceled");
    println!("optimum: edge {} in {:.2?} (one thread)", optimum.edge(), start.elapsed());
    let start = Instant::now();
    let simple = whole.count(&Simple::new(&game), &Control::default()).expect("the run is never canceled");
    println!("simple strategy: edge {} in {:.2?} (one thread)", simple.edge(), start.elapsed());
    let position =
        "Kh 8c".parse().ok().zip("8d 5s 2h".parse().ok()).and_then(|(hole, flop)| Position::new(hole, flop).ok());
    let position = position.expect("the cards are distinct");
    let start = Instant::now();
    let choice = position.choice(&game, 0, &Control::default()).expect("the run is never canceled");
    println!("a flop: {} in {:.2?} (one thread)", choice.best().0, start.elapsed());
}
