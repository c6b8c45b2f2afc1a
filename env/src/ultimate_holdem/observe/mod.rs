//! Observation encodings.
//!
#![doc = include_str!("../observations.md")]

pub mod features;

use super::{Game, Hole, Stage};
use crate::cards::CardSet;
use crate::gym::Encoding;

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The stage and the indices of the cards.
        RawCards,
        /// Ranks, suits, straights and made hands. See [`features`].
        #[default]
        Features,
    }
}

/// The length of the `raw-cards` encoding.
const RAW_CARDS: usize = 8;
/// Its number for a card that isn't shown.
const HIDDEN: f32 = 52.0;

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::RawCards => RAW_CARDS,
            Observation::Features => features::LEN,
        }
    }

    fn high(self) -> f32 {
        if self == Observation::RawCards { 52.0 } else { 1.0 }
    }
}

impl Observation {
    /// Writes the observation, given the player's cards and the board cards that are shown. The flop is ignored unless
    /// `board` contains it.
    ///
    /// # Panics
    /// Panics unless `out` has [`Encoding::len`] entries.
    #[inline]
    pub fn write(self, game: &Game, stage: Stage, hole: Hole, flop: CardSet, board: CardSet, out: &mut [f32]) {
        assert_eq!(out.len(), self.len(), "the length of the observation");
        match self {
            Observation::RawCards => write_raw_cards(stage, hole, flop.intersection(board), board, out),
            Observation::Features => features::write(game, stage, hole, board, out),
        }
    }
}

#[inline]
fn write_raw_cards(stage: Stage, hole: Hole, flop: CardSet, board: CardSet, out: &mut [f32]) {
    out.fill(HIDDEN);
    out[0] = f32::from(stage as u8);
    for (first, cards) in [(1, hole.set()), (3, flop), (6, board.difference(flop))] {
        out[first..].iter_mut().zip(cards.iter()).for_each(|(place, card)| *place = card.index() as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;
    use crate::ultimate_holdem::{Deal, Rules};

    #[test]
    fn every_number_is_written_within_bounds_and_nothing_hidden_is_seen() {
        let game = Game::new(Rules::default());
        let mut rng = stream(4.into());
        for encoding in Observation::ALL {
            for _ in 0..2_000 {
                let [deal, other] = [0; 2].map(|_| Deal::new(&mut rng));
                for stage in [Stage::Start, Stage::Flop, Stage::River, Stage::Over] {
                    let mut out = vec![f32::NAN; encoding.len()];
                    let (hole, board) = (deal.hole(), deal.board(stage.board_cards()));
                    encoding.write(&game, stage, hole, deal.board(3), board, &mut out);
                    assert!(encoding.space().contains(&out), "{encoding} of {hole}, {board}: {out:?}");
                    if stage == Stage::Start {
                        let mut again = vec![f32::NAN; encoding.len()];
                        encoding.write(&game, stage, hole, other.board(3), board, &mut again);
                        assert_eq!(out, again);
                    }
                }
            }
        }
    }
    #[test]
    fn raw_cards_stand_in_their_groups() {
        let write = |stage, flop: &str, board: &str| {
            let mut out = [0.0; RAW_CARDS];
            write_raw_cards(stage, "2d As".parse().unwrap(), flop.parse().unwrap(), board.parse().unwrap(), &mut out);
            out
        };
        assert_eq!(write(Stage::Start, "", ""), [0.0, 51.0, 1.0, 52.0, 52.0, 52.0, 52.0, 52.0]);
        assert_eq!(write(Stage::Flop, "2c 3c 4c", "2c 3c 4c"), [1.0, 51.0, 1.0, 8.0, 4.0, 0.0, 52.0, 52.0]);
        let all = write(Stage::River, "2c 3c 4c", "2c 3c 4c Kh Ks");
        assert_eq!(all, [2.0, 51.0, 1.0, 8.0, 4.0, 0.0, 47.0, 46.0]);
    }
}
