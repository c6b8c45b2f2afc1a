//! Reference implementation by brute-force enumeration, ranking every hand as the best of its 21 five-card subsets.

use super::Ends;
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::rank::{Category, FiveStrength};
use houseway_env::ultimate_holdem::{Game, Hole};

fn best(game: &Game, hole: CardSet, board: CardSet) -> FiveStrength {
    game.best().ranking().best(hole.union(board))
}

/// Counts the results of a hand on a board against the 990 dealer hands.
pub fn ends(game: &Game, hole: Hole, board: CardSet) -> Ends {
    let mine = best(game, hole.set(), board);
    let mut ends = Ends::default();
    for_each_subset(CardSet::DECK_52.difference(board).difference(hole.set()), 2, |dealer| {
        ends.count(game.end(mine, best(game, dealer, board)));
    });
    ends
}

/// Returns the sums of net results over the 990 dealer hands in half antes, for each of the given sizes of Play,
/// directly from the rules.
pub fn plays<const N: usize>(game: &Game, hole: Hole, board: CardSet, antes: [i32; N]) -> [i64; N] {
    let mine = best(game, hole.set(), board);
    let category: Category = game.best().category(mine);
    let mut sums = [0; N];
    for_each_subset(CardSet::DECK_52.difference(board).difference(hole.set()), 2, |dealer| {
        let end = game.end(mine, best(game, dealer, board));
        sums.iter_mut().zip(antes).for_each(|(sum, antes)| *sum += i64::from(game.showdown(end, category, antes)));
    });
    sums
}

/// Returns the sums of net results on a flop over all boards and dealer hands in half antes: for playing two antes, and
/// for checking followed by optimal play.
pub fn flop(game: &Game, hole: Hole, flop: CardSet) -> [i64; 2] {
    let mut sums = [0, 0];
    for_each_subset(CardSet::DECK_52.difference(flop).difference(hole.set()), 2, |last| {
        let [one, two] = plays(game, hole, flop.union(last), [1, 2]);
        sums[0] += two;
        sums[1] += one.max(990 * i64::from(Game::FOLD));
    });
    sums
}
