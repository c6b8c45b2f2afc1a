//! The strategy interface, the optimal strategy, and a published one that consists of a few rules.

use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::rank::{Category, FiveStrength};
use houseway_env::ultimate_holdem::{Game, Hole};

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

/// The simple strategy from the Wizard of Odds ("Ultimate Texas Hold'em", section Strategy), with a published house
/// edge of 2.43%:
///
/// - Before the flop, play with a pair of threes or better, any ace, a king with a suited card or a five, a queen with
///   a suited six or an eight, a jack with a suited eight or a ten.
/// - On the flop, play with two pairs or better, a hidden pair other than pocket deuces, or four to a flush including a
///   hidden ten or better of the suit.
/// - On the river, play with a hidden pair or better, or if fewer than 21 dealer cards beat the player.
///
/// A hidden pair includes a card from the hand. "Or better" is read as a hand that the board doesn't make on its own.
pub struct Simple<'a> {
    game: &'a Game,
}

/// The strategy folds if at least this many dealer cards beat the player.
const OUTS: usize = 21;

/// Everything that the simple strategy looks at on a board.
pub struct SeenBoard {
    board: CardSet,
    category: Category,
    /// The cards that aren't on the board, each with the strength of the best five cards out of the six. Sorted by
    /// strength.
    with: Vec<(FiveStrength, Card)>,
}

impl<'a> Simple<'a> {
    /// Creates the strategy for a game. The same strategy applies to all readings.
    pub fn new(game: &'a Game) -> Simple<'a> {
        Simple { game }
    }

    /// Returns the number of antes that the strategy plays on a board, or 0 for a check or a fold. `most` is the largest
    /// Play before the flop.
    pub(super) fn antes(&self, hole: Hole, board: CardSet, most: i64) -> i64 {
        match board.len() {
            0 => self.start(hole, &[(most, 0)], 0),
            3 => 2 * i64::from(self.flop(hole, &self.board(board), 0, 0)),
            _ => i64::from(self.river(hole, &self.board(board), 0, 0)),
        }
    }

    fn category(&self, cards: CardSet) -> Category {
        self.game.best().category(self.game.best().ranking().best(cards))
    }
}

/// Returns `true` if one of the hole cards is part of a pair.
fn hidden_pair(hole: Hole, board: CardSet) -> bool {
    let [a, b] = hole.ranks();
    a == b || board.iter().filter_map(Card::rank).any(|rank| rank == a || rank == b)
}

fn first_rank(cards: CardSet) -> Option<Rank> {
    cards.iter().next().and_then(Card::rank)
}

/// Returns `true` if at least four cards share a suit and one of them is a hole card that is a ten or better.
fn high_four_flush(hole: Hole, flop: CardSet) -> bool {
    Suit::ALL.into_iter().any(|suit| {
        let of_suit = |cards: CardSet| cards.iter().filter(move |card| card.suit() == Some(suit));
        let high = of_suit(hole.set()).any(|card| card.rank() >= Some(Rank::Ten));
        of_suit(hole.set().union(flop)).count() >= 4 && high
    })
}

impl DecisionRule for Simple<'_> {
    type Board = SeenBoard;

    fn start(&self, hole: Hole, plays: &[(i64, i128)], _: i128) -> i64 {
        let ([high, low], suited) = (hole.ranks(), hole.is_suited());
        let lowest = |of_suit, otherwise| low >= if suited { of_suit } else { otherwise };
        let play = match high {
            _ if high == low => high >= Rank::Three,
            Rank::Ace => true,
            Rank::King => lowest(Rank::Two, Rank::Five),
            Rank::Queen => lowest(Rank::Six, Rank::Eight),
            Rank::Jack => lowest(Rank::Eight, Rank::Ten),
            _ => false,
        };
        let most = plays.iter().map(|(antes, _)| *antes).max().unwrap_or(0);
        if play { most } else { 0 }
    }

    fn flop(&self, hole: Hole, seen: &SeenBoard, _: i64, _: i64) -> bool {
        let flop = seen.board;
        let deuces = hole.ranks() == [Rank::Two; 2];
        let three_on_board = flop.iter().filter_map(Card::rank).all(|rank| Some(rank) == first_rank(flop));
        let made = self.category(hole.set().union(flop));
        made > if three_on_board { Category::ThreeOfAKind } else { Category::OnePair }
            || (hidden_pair(hole, flop) && !deuces)
            || high_four_flush(hole, flop)
    }

    fn board(&self, board: CardSet) -> SeenBoard {
        if board.len() < 5 {
            // The flop decision only needs the cards.
            return SeenBoard { board, category: Category::HighCard, with: vec![] };
        }
        let ranking = self.game.best().ranking();
        let others = CardSet::DECK_52.difference(board);
        let mut with: Vec<_> = others.iter().map(|card| (ranking.best(board.with(card)), card)).collect();
        with.sort_unstable();
        SeenBoard { board, category: self.category(board), with }
    }

    fn river(&self, hole: Hole, seen: &SeenBoard, _: i64, _: i64) -> bool {
        let mine = self.game.best().of(seen.board.union(hole.set()));
        let category = self.game.best().category(mine);
        if category > seen.category || (category >= Category::OnePair && hidden_pair(hole, seen.board)) {
            return true;
        }
        let above = seen.with.iter().rev().take_while(|(strength, _)| *strength > mine);
        above.filter(|(_, card)| !hole.set().contains(*card)).count() < OUTS
    }
}
