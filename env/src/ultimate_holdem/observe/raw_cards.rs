//! The `raw-cards` encoding.

use crate::cards::CardSet;
use crate::ultimate_holdem::{Hole, Stage};

/// The number of entries in an observation.
pub const LEN: usize = 8;

const HIDDEN: f32 = 52.0;

/// Writes the cards. `out` must have [`LEN`] entries.
#[inline]
pub(super) fn write(stage: Stage, hole: Hole, flop: CardSet, board: CardSet, out: &mut [f32]) {
    out.fill(HIDDEN);
    out[0] = f32::from(stage as u8);
    for (first, cards) in [(1, hole.set()), (3, flop), (6, board.difference(flop))] {
        out[first..].iter_mut().zip(cards.iter()).for_each(|(place, card)| *place = card.index() as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_stand_in_their_groups() {
        let write = |stage, flop: &str, board: &str| {
            let mut out = [0.0; LEN];
            write(stage, "2d As".parse().unwrap(), flop.parse().unwrap(), board.parse().unwrap(), &mut out);
            out
        };
        assert_eq!(write(Stage::Start, "", ""), [0.0, 51.0, 1.0, 52.0, 52.0, 52.0, 52.0, 52.0]);
        assert_eq!(write(Stage::Flop, "2c 3c 4c", "2c 3c 4c"), [1.0, 51.0, 1.0, 8.0, 4.0, 0.0, 52.0, 52.0]);
        let all = write(Stage::River, "2c 3c 4c", "2c 3c 4c Kh Ks");
        assert_eq!(all, [2.0, 51.0, 1.0, 8.0, 4.0, 0.0, 47.0, 46.0]);
    }
}
