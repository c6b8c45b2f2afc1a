//! A brute-force reference implementation. It ranks every hand as the best of its five-card subsets: of all 21, or of the
//! ten with both hole cards.

use crate::ultimate_holdem::Ends;
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::rank::{Category, FiveStrength};
use houseway_env::ultimate_holdem::{Game, Hole, HoleCards};

pub(crate) fn best(game: &Game, hole: CardSet, board: CardSet) -> FiveStrength {
    let least = match game.rules().hole_cards {
        HoleCards::Any => 0,
        HoleCards::Both => 2,
    };
    let mut best = FiveStrength::default();
    for_each_subset(hole.union(board), 5, |five| {
        if five.intersection(hole).len() >= least {
            best = best.max(game.best().ranking().five(five));
        }
    });
    best
}

/// Counts a hand's results on a board against all dealer hands that contain no dead cards.
pub(crate) fn ends(game: &Game, hole: Hole, board: CardSet, dead: CardSet) -> Ends {
    let mine = best(game, hole.set(), board);
    let mut ends = Ends::default();
    for_each_subset(left(hole, board, dead), 2, |dealer| {
        ends.count(game.end(mine, best(game, dealer, board)));
    });
    ends
}

/// Returns the sum of net results for each of the given Play sizes, in half antes. The rules are applied to every
/// dealer hand that contains no dead cards.
pub(crate) fn plays<const N: usize>(
    game: &Game,
    hole: Hole,
    board: CardSet,
    dead: CardSet,
    antes: [i32; N],
) -> [i64; N] {
    let mine = best(game, hole.set(), board);
    let category: Category = game.best().category(mine);
    let mut sums = [0; N];
    for_each_subset(left(hole, board, dead), 2, |dealer| {
        let end = game.end(mine, best(game, dealer, board));
        sums.iter_mut().zip(antes).for_each(|(sum, antes)| *sum += i64::from(game.showdown(end, category, antes)));
    });
    sums
}

/// Returns the number of dealer hands against which a Play of one ante has a positive, no, and a negative net result.
pub(crate) fn signs(game: &Game, hole: Hole, board: CardSet) -> [i64; 3] {
    let mine = best(game, hole.set(), board);
    let mut counts = [0; 3];
    for_each_subset(left(hole, board, CardSet::EMPTY), 2, |dealer| {
        let end = game.end(mine, best(game, dealer, board));
        counts[(1 - game.showdown(end, game.best().category(mine), 1).signum()) as usize] += 1;
    });
    counts
}

/// Returns the total net results on a flop, in half antes, over all boards and dealer hands that contain no dead cards.
/// The first total is for playing two antes, the second for checking and playing optimally afterwards.
pub(crate) fn flop(game: &Game, hole: Hole, flop: CardSet, dead: CardSet) -> [i64; 2] {
    let (mut sums, known) = ([0, 0], hole.set().union(flop).union(dead));
    let dealers = binomial(50 - known.len() as u64, 2) as i64;
    for_each_subset(left(hole, flop, dead), 2, |last| {
        let [one, two] = plays(game, hole, flop.union(last), dead, [1, 2]);
        sums[0] += two;
        sums[1] += one.max(dealers * i64::from(Game::FOLD));
    });
    sums
}

/// Returns the total net results before the flop, in half antes, over all boards and dealer hands that contain no dead
/// cards. The first two totals are for playing three and four antes, and the third is for checking and playing
/// optimally afterwards.
pub(crate) fn start(game: &Game, hole: Hole, dead: CardSet) -> [i64; 3] {
    let mut sums = [0; 3];
    for_each_subset(left(hole, CardSet::EMPTY, dead), 3, |three| {
        for_each_subset(left(hole, three, dead), 2, |last| {
            let [play3, play4] = plays(game, hole, three.union(last), dead, [3, 4]);
            sums[0] += play3;
            sums[1] += play4;
        });
        let [play, check] = flop(game, hole, three, dead);
        sums[2] += play.max(check);
    });
    sums
}

/// Returns the unknown cards that aren't dead.
fn left(hole: Hole, board: CardSet, dead: CardSet) -> CardSet {
    CardSet::DECK_52.difference(board).difference(hole.set()).difference(dead)
}
