//! Picks hands that are worth practicing.

use houseway_env::gym::{StreamSeed, stream};
use houseway_env::pai_gow::house_way::{CASINOS, HouseWay, Shape, Way, WayError};
use houseway_env::pai_gow::{Dealt, Game, Hand, Setting, Strategy};
use houseway_exact::pai_gow::{BankerTable, HandCounts, HandEvaluator};
use rand::RngExt;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of random hands to pick one from.
const BATCH: usize = 96;

/// Draws hands that house ways get wrong. One hand is picked from a batch of random hands, with a probability
/// proportional to the mean regret of the casinos' ways. Shapes on which the player makes mistakes get more weight.
pub struct HandSource<'a> {
    evaluator: HandEvaluator<'a>,
    ways: Vec<Arc<HouseWay>>,
    seed: u64,
}

impl<'a> HandSource<'a> {
    /// Creates a source of hands for a game against a banker.
    ///
    /// # Errors
    /// Returns an error if a house way doesn't work under the rules.
    pub fn new(game: &'a Game, banker: &'a BankerTable, seed: u64) -> Result<HandSource<'a>, WayError> {
        let compile = |(name, _): &(&str, &str)| HouseWay::shared(Way::named(name)?, game);
        let ways = CASINOS.iter().map(compile).collect::<Result<_, _>>()?;
        Ok(HandSource { evaluator: HandEvaluator::new(game, banker), ways, seed })
    }

    /// Evaluates a hand.
    pub fn count(&self, hand: Hand) -> HandCounts {
        self.evaluator.count(hand)
    }

    /// Returns the house ways' mean regret on a hand.
    fn regret(&self, hand: Hand, counts: &HandCounts) -> f64 {
        let regret = |setting: Setting| counts.regret(setting).map_or(0.0, |regret| regret.value());
        self.ways.iter().map(|way| regret(way.set(hand))).sum::<f64>() / self.ways.len() as f64
    }

    /// Draws a hand and evaluates it. Each draw in a drill has its own `number`. `mistakes` contains the fraction of
    /// answers that were mistakes, by shape.
    pub fn draw(&self, number: u64, mistakes: &BTreeMap<String, f64>) -> (Hand, HandCounts) {
        let mut rng = stream(StreamSeed { seed: self.seed, lane: number });
        loop {
            let hands: Vec<Hand> = (0..BATCH).map(|_| Dealt::random(&mut rng).hand()).collect();
            let counts = self.evaluator.count_many(&hands);
            let weight = |(&hand, counts): (&Hand, &HandCounts)| {
                let own = mistakes.get(Shape::from_hand(hand).name()).copied().unwrap_or_default();
                self.regret(hand, counts) * (1.0 + own)
            };
            let weights: Vec<f64> = hands.iter().zip(&counts).map(weight).collect();
            let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
            for ((hand, counts), weight) in
                hands.into_iter().zip(counts).zip(weights).filter(|(_, weight)| *weight > 0.0)
            {
                left -= weight;
                if left <= 0.0 {
                    return (hand, counts);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;

    #[test]
    fn hands_are_those_that_house_ways_set_wrong() {
        let game = Game::new(Rules::default());
        let way = HouseWay::shared(Way::named(Way::DEFAULT).unwrap(), &game).unwrap();
        let banker = BankerTable::new(&*way);
        let source = HandSource::new(&game, &banker, 5).unwrap();
        let none = BTreeMap::new();
        let drawn: Vec<(Hand, HandCounts)> = (0..40).map(|number| source.draw(number, &none)).collect();
        let mean = drawn.iter().map(|(hand, counts)| source.regret(*hand, counts)).sum::<f64>() / 40.0;
        assert!(drawn.iter().all(|(hand, counts)| source.regret(*hand, counts) > 0.0));
        // A house way loses 0.3% on random hands, but the probability of picking a hand is proportional to the loss.
        assert!(mean > 0.01, "{mean}");
        assert_eq!(source.draw(7, &none).0, drawn[7].0);
        assert_ne!(drawn[7].0, drawn[8].0);
    }
}
