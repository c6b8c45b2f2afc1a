//! What decides: the optimum, or any rule.

use houseway_env::cards::CardSet;
use houseway_env::ultimate_holdem::Hole;

/// A way to play. It sees the player's two cards and the board, not which board cards came last; it must treat suits alike,
/// since a hand stands for all that differ from it by a permutation of suits.
///
/// Beside the cards every decision gets the exact value of Play and that of what else can be done, both as sums over the
/// same deals in half antes, for the strategies that decide by them. A strategy of rules leaves them alone.
pub trait Strategy: Sync {
    /// What the strategy finds out about a flop or a whole board once, for all hands on it.
    type Board;

    /// Looks at a board of three cards or five.
    fn board(&self, board: CardSet) -> Self::Board;

    /// How many antes to play before the flop, 0 to check. `plays` holds what the rules allow, each with its value.
    fn start(&self, hole: Hole, plays: &[(i64, i128)], check: i128) -> i64;

    /// Whether to play two antes on the flop rather than to check.
    fn flop(&self, hole: Hole, flop: &Self::Board, play: i64, check: i64) -> bool;

    /// Whether to play one ante on the whole board rather than to fold.
    fn river(&self, hole: Hole, board: &Self::Board, play: i64, fold: i64) -> bool;
}

/// The best play: by the values. Ties take the smaller wager.
#[derive(Clone, Copy, Debug, Default)]
pub struct Optimum;

impl Strategy for Optimum {
    type Board = ();

    fn board(&self, _: CardSet) {}

    fn start(&self, _: Hole, plays: &[(i64, i128)], check: i128) -> i64 {
        let mut best = (0, check);
        for &(antes, value) in plays {
            if value > best.1 || (value == best.1 && antes < best.0) {
                best = (antes, value);
            }
        }
        best.0
    }

    #[inline]
    fn flop(&self, _: Hole, (): &(), play: i64, check: i64) -> bool {
        play > check
    }

    #[inline]
    fn river(&self, _: Hole, (): &(), play: i64, fold: i64) -> bool {
        play > fold
    }
}
