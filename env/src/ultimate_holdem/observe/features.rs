//! The `features` encoding.

use crate::cards::{CardSet, Suit};
use crate::rank::Category;
use crate::ultimate_holdem::{Game, Hole, Stage};

/// The number of entries in an observation.
pub const LEN: usize = 86;

const HOLE: usize = 4;
const SUITED: usize = 17;
const BOARD: usize = 18;
const MADE: usize = 31;
const BOARD_MADE: usize = 41;
const SUITS: usize = 51;
const STRAIGHTS: usize = 63;
const ADDED: usize = 73;
const PAIRED: usize = 83;
const OVER: usize = 84;
const BETTER: usize = 85;

/// Writes the features. `out` must have [`LEN`] entries.
#[inline]
pub(super) fn write(game: &Game, stage: Stage, hole: Hole, board: CardSet, out: &mut [f32]) {
    out.fill(0.0);
    out[stage as usize] = 1.0;
    let [mine, shown] = [hole.set(), board].map(CardSet::rank_counts);
    for rank in 0..13 {
        out[HOLE + rank] = f32::from(mine[rank]) / 2.0;
        out[BOARD + rank] = f32::from(shown[rank]) / 4.0;
    }
    out[SUITED] = f32::from(u8::from(hole.is_suited()));
    let on_board = category(game, board);
    let made = match board.len() {
        5 => game.best().category(game.on_board(board).of(hole.set())),
        _ => category(game, hole.set().union(board)),
    };
    out[MADE + made as usize] = 1.0;
    out[BOARD_MADE + on_board as usize] = 1.0;
    write_suits(hole.set(), board, &mut out[SUITS..]);
    write_straights(hole.set().ranks(), board.ranks(), out);
    let [high, low] = hole.ranks().map(|rank| rank.index());
    let paired = high == low || shown[high] + shown[low] > 0;
    out[PAIRED] = f32::from(u8::from(paired));
    out[OVER] = f32::from(u8::from(board.ranks() >> high == 0));
    out[BETTER] = f32::from(u8::from(made > on_board));
}

/// Returns the category of zero, two, three or five cards.
fn category(game: &Game, cards: CardSet) -> Category {
    match cards.len() {
        5 => game.best().category(game.best().ranking().five(cards)),
        _ => match cards.rank_counts().into_iter().max() {
            Some(3) => Category::ThreeOfAKind,
            Some(2) => Category::OnePair,
            _ => Category::HighCard,
        },
    }
}

fn write_suits(hole: CardSet, board: CardSet, out: &mut [f32]) {
    let (mine, shown) = (hole.suit_counts(), board.suit_counts());
    // One more than the player's highest rank in each suit, or 0 if there is none.
    let highest = Suit::ALL.map(|suit| (u16::BITS - hole.ranks_in(suit).leading_zeros()) as u8);
    let mut order = [0, 1, 2, 3];
    order.sort_unstable_by_key(|&suit| std::cmp::Reverse((mine[suit] + shown[suit], mine[suit], highest[suit])));
    for (place, suit) in order.into_iter().enumerate() {
        out[place] = f32::from(shown[suit]) / 5.0;
        out[4 + place] = f32::from(mine[suit]) / 2.0;
        out[8 + place] = f32::from(highest[suit]) / 13.0;
    }
}

fn write_straights(mine: u16, theirs: u16, out: &mut [f32]) {
    // Place the ace below the two as well, so that A-2-3-4-5 also counts as a run.
    let [mine, theirs] = [mine, theirs].map(|mask| mask << 1 | mask >> 12);
    for run in 0..10 {
        let window = 0b11111 << run;
        out[STRAIGHTS + run] = (theirs & window).count_ones() as f32 / 5.0;
        out[ADDED + run] = (mine & !theirs & window).count_ones() as f32 / 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ultimate_holdem::Rules;

    fn observe(stage: Stage, hole: &str, board: &str) -> [f32; LEN] {
        let mut out = [f32::NAN; LEN];
        write(&Game::new(Rules::default()), stage, hole.parse().unwrap(), board.parse().unwrap(), &mut out);
        out
    }

    fn places(out: &[f32]) -> Vec<usize> {
        (0..out.len()).filter(|&place| out[place] != 0.0).collect()
    }

    #[test]
    fn a_start_is_seen() {
        let out = observe(Stage::Start, "As Ks", "");
        // These are the stage, king, ace, suited, high card twice, the suit of both cards and its ace, and the
        // straights with one or both of the cards.
        assert_eq!(places(&out), [0, 15, 16, 17, 31, 41, 55, 59, 73, 81, 82, 84]);
        assert_eq!((out[55], out[59], out[81], out[82]), (1.0, 1.0, 0.5, 1.0));
    }

    #[test]
    fn a_river_is_seen() {
        let out = observe(Stage::River, "Kh 8c", "Ks 9h 7h 6h 2d");
        assert_eq!((out[2], out[MADE + 1], out[BOARD_MADE]), (1.0, 1.0, 1.0));
        // There are three hearts on the board, and the player holds the king.
        assert_eq!([out[51], out[55], out[59]], [0.6, 0.5, 12.0 / 13.0]);
        // Three cards of 6-7-8-9-10 are on the board, and the player adds the eight.
        assert_eq!((out[STRAIGHTS + 5], out[ADDED + 5]), (0.6, 0.5));
        assert_eq!(out[PAIRED..], [1.0, 0.0, 1.0]);
    }

    #[test]
    fn suits_have_no_names() {
        let one = observe(Stage::Flop, "Kh 8c", "9h 8h 2d");
        assert_eq!(one, observe(Stage::Flop, "Kd 8s", "9d 8d 2c"));
        assert_ne!(one, observe(Stage::Flop, "Kd 8d", "9d 8s 2c"));
    }
}
