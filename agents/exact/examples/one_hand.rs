//! Computes the best setting for a hand against a casino's house way. The README links to this example.

use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Hand, Rules};
use houseway_exact::pai_gow::{BankerTable, HandEvaluator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::new(Rules::default());
    let banker = HouseWay::compile(Way::named("trump-plaza")?, &game)?;
    let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse()?;
    let table = BankerTable::new(&banker);
    let counts = HandEvaluator::new(&game, &table).count(hand);
    println!("{} in front: EV {:+.5}", counts.best().front(hand), counts.ev(counts.best()).unwrap().value());
    Ok(())
}
