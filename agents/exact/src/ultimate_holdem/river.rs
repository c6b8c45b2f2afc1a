//! Counts a hand's results on a complete board.

use super::showdown::Pays;
use super::{Ends, Moments};
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::key::Key;
use houseway_env::cards::{Card, CardSet};
use houseway_env::ultimate_holdem::{Game, Hole};

/// Returns the number of dealer hands on a complete board. Without dead cards, this is 990.
pub(super) fn dealer_hands(dead: CardSet) -> i64 {
    binomial(45 - dead.len() as u64, 2) as i64
}

/// Counts a hand's results on a complete board against all dealer hands that contain no dead cards.
pub(super) fn ends(game: &Game, hole: Hole, board: CardSet, dead: CardSet) -> Ends {
    let strength = |key, hole: CardSet| game.best().of_key(key, || board.union(hole));
    let on_board = Key::from_set(board);
    let mine = strength(on_board + Key::from_set(hole.set()), hole.set());
    let mut ends = Ends::default();
    let mut others = [Card::JOKER; 45];
    let left = CardSet::DECK_52.difference(board).difference(hole.set()).difference(dead);
    others.iter_mut().zip(left.iter()).for_each(|(place, card)| *place = card);
    for (i, &high) in others[..left.len()].iter().enumerate() {
        let with_high = on_board + Key::from_card(high);
        for &low in &others[..i] {
            let dealer = strength(with_high + Key::from_card(low), CardSet::EMPTY.with(high).with(low));
            ends.count(game.end(mine, dealer));
        }
    }
    ends
}

/// Returns a hand's winnings on a complete board and the total for folding, over all dealer hands that contain no dead
/// cards.
pub(super) fn river(game: &Game, pays: &Pays, hole: Hole, board: CardSet, dead: CardSet) -> (Moments, i64) {
    let category = game.best().category(game.best().of(hole.set().union(board)));
    (pays.moments(category, &ends(game, hole, board, dead)), pays.fold(category) * dealer_hands(dead))
}
