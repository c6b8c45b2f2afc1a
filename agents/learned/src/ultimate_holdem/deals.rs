//! Deals to learn from: what a player sees at each decision, and what each way to play would have earned.

use super::config::TrainConfig;
use crate::method::step_stream;
use houseway_env::cards::{Card, CardSet};
use houseway_env::rank::FiveStrength;
use houseway_env::ultimate_holdem::observe::{Observation, features};
use houseway_env::ultimate_holdem::{Game, Hole, PreflopPlay, Stage};
use rand::seq::SliceRandom;

/// Numbers in a row: the features of the environment.
pub const ROW: usize = features::LEN;
/// Dealer hands that the 45 cards make which a player does not see on the river.
pub const MOST_DEALERS: usize = 22;

/// Deals of one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deals {
    /// By deal: the number of the kind of starting hand.
    pub kinds: Vec<usize>,
    /// Rows on the flop, one after the other.
    pub flops: Vec<f32>,
    /// Rows on the river.
    pub rivers: Vec<f32>,
    /// By deal: mean net results in antes of playing at once, on the flop and on the river.
    pub plays: Vec<[f32; 3]>,
}

/// What a fold earns, in antes: Ante and Blind are lost.
pub const FOLD: f32 = Game::FOLD as f32 / 2.0;

/// The most antes that may be played before the flop. Whoever plays there at all has the better hand, so that more is better.
pub fn highest_play(game: &Game) -> i32 {
    match game.rules().preflop_play {
        PreflopPlay::Three => 3,
        PreflopPlay::Four | PreflopPlay::ThreeOrFour => 4,
    }
}

/// What a player sees.
pub fn write_row(game: &Game, stage: Stage, hole: Hole, board: CardSet, row: &mut [f32]) {
    Observation::Features.write(game, stage, hole, board, board, row).expect("there is room for the row");
}

/// The deals of a step: they depend on the seed and the step alone.
pub fn deal(game: &Game, config: &TrainConfig, seed: u64, step: u64) -> Deals {
    let mut rng = step_stream(seed, step);
    let mut deck: Vec<Card> = CardSet::DECK_52.iter().collect();
    let mut deals = Deals::default();
    let hands = config.batch_hands;
    deals.flops.resize(hands * ROW, 0.0);
    deals.rivers.resize(hands * ROW, 0.0);
    for (flop_row, river_row) in deals.flops.chunks_exact_mut(ROW).zip(deals.rivers.chunks_exact_mut(ROW)) {
        deck.shuffle(&mut rng);
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let hole = Hole::new(set(&deck[..2])).expect("two cards of the deck");
        let (flop, board) = (set(&deck[2..5]), set(&deck[2..7]));
        write_row(game, Stage::Flop, hole, flop, flop_row);
        write_row(game, Stage::River, hole, board, river_row);
        deals.kinds.push(hole.kind());
        let dealers = deck[7..].chunks_exact(2).take(config.dealers_per_hand);
        deals.plays.push(rewards(game, hole, board, dealers.map(set)));
    }
    deals
}

/// Mean net results of playing at once, on the flop and on the river, against these dealer hands.
fn rewards(game: &Game, hole: Hole, board: CardSet, dealers: impl ExactSizeIterator<Item = CardSet>) -> [f32; 3] {
    let strength = |cards: CardSet| -> FiveStrength { game.best().of(board.union(cards)) };
    let mine = strength(hole.set());
    let category = game.best().category(mine);
    let antes = [highest_play(game), 2, 1];
    let half_antes = 2.0 * dealers.len() as f32;
    let mut sums = [0; 3];
    for dealer in dealers {
        let end = game.end(mine, strength(dealer));
        sums.iter_mut().zip(antes).for_each(|(sum, antes)| *sum += game.showdown(end, category, antes));
    }
    sums.map(|sum| sum as f32 / half_antes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::ultimate_holdem::Rules;

    #[test]
    fn steps_repeat_and_differ() {
        let (game, config) = (Game::new(Rules::default()), TrainConfig { batch_hands: 50, ..TrainConfig::default() });
        assert_eq!(deal(&game, &config, 1, 2), deal(&game, &config, 1, 2));
        assert_ne!(deal(&game, &config, 1, 2), deal(&game, &config, 1, 3));
        assert_ne!(deal(&game, &config, 1, 2), deal(&game, &config, 2, 2));
    }

    #[test]
    fn rewards_are_what_the_rules_pay() {
        let game = Game::new(Rules::default());
        let (hole, board) = ("As Ks".parse().unwrap(), "Qs Js Ts 2d 2c".parse().unwrap());
        let dealers = ["Ah Ad", "3c 4c"].map(|cards| cards.parse().unwrap());
        // Every dealer has a pair: Ante 1, Blind 500, Play.
        assert_eq!(rewards(&game, hole, board, dealers.into_iter()), [505.0, 503.0, 502.0]);
        let (hole, board) = ("3d 4h".parse().unwrap(), "Qs Js 9s 2d 8c".parse().unwrap());
        // A pair of aces wins all; king high does not qualify, so that the Ante is returned.
        let dealers = ["Ah Ad", "Kh 5c"].map(|cards| cards.parse().unwrap());
        assert_eq!(rewards(&game, hole, board, dealers.into_iter()), [-5.5, -3.5, -2.5]);
    }

    #[test]
    fn means_are_those_of_all_deals() {
        // A Play made with every hand is a fair comparison of two hands: its size changes nothing on average.
        let game = Game::new(Rules::default());
        let config = TrainConfig { batch_hands: 40_000, ..TrainConfig::default() };
        let deals = deal(&game, &config, 5, 0);
        let mean = |way: usize| deals.plays.iter().map(|plays| f64::from(plays[way])).sum::<f64>() / 40_000.0;
        assert!((mean(0) - mean(2)).abs() < 0.05 && (mean(1) - mean(2)).abs() < 0.02, "{} {}", mean(0), mean(2));
    }
}
