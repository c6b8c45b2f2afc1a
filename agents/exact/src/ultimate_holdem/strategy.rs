//! The strategy interface and the optimal strategy.

use houseway_env::cards::CardSet;
use houseway_env::ultimate_holdem::Hole;

/// A strategy for Ultimate Texas Hold'em.
///
/// Decisions can depend on the player's two cards and the board, but not on the order in which the board was dealt.
/// Strategies must be suit-isomorphic, because only one hand is evaluated for each class.
///
/// Every decision also receives the exact values of Play and of the alternative, as sums over the same deals in half
/// antes. Strategies that follow rules can ignore them.
pub trait DecisionRule: Sync {
    /// Precomputed features of a flop or a complete board, shared by all hands on it.
    type Board;

    /// Computes the features of a board with three or five cards.
    fn board(&self, board: CardSet) -> Self::Board;

    /// Returns the number of antes to play before the flop, or 0 to check. `plays` lists the legal sizes and their
    /// values.
    fn start(&self, hole: Hole, plays: &[(i64, i128)], check: i128) -> i64;

    /// Returns `true` to play two antes on the flop, or `false` to check.
    fn flop(&self, hole: Hole, flop: &Self::Board, play: i64, check: i64) -> bool;

    /// Returns `true` to play one ante on the river, or `false` to fold.
    fn river(&self, hole: Hole, board: &Self::Board, play: i64, fold: i64) -> bool;
}

/// The optimal strategy. It always picks the action with the higher value, or the smaller wager if they are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Optimum;

impl DecisionRule for Optimum {
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
