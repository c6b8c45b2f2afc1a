//! Observation encodings of a hand, each with its layout in its own module.
//!
//! | name | module | numbers | bounds |
//! |---|---|---|---|
//! | `raw-cards` | [`raw_cards`] | 7 | 0 to 52 |
//! | `ranks-and-suits` | [`ranks_and_suits`] | 56 | 0 to 1 |
//! | `candidates` | [`candidates`] | 21 * 70 + 18 = 1,488 | 0 to 1 |
//!
//! Stakes are no part of an observation: they scale rewards and change no decision.

pub mod candidates;
pub mod ranks_and_suits;
pub mod raw_cards;

use super::{Candidates, Game};
use crate::cards::{Card, CardSet};
use crate::gym::{Encoding, EnvError};

crate::named_enum! {
    /// Observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The indices of the seven cards, see [`raw_cards`].
        RawCards,
        /// Counts of ranks and suits, straights and flushes held, and the card at each position, see [`ranks_and_suits`].
        RanksAndSuits,
        /// Features of each of the 21 settings, see [`candidates`].
        #[default]
        Candidates,
    }
}

impl Encoding for Observation {
    const ALL: &'static [Observation] = &Observation::ALL;

    fn name(self) -> &'static str {
        Observation::name(self)
    }

    fn len(self) -> usize {
        match self {
            Observation::RawCards => raw_cards::LEN,
            Observation::RanksAndSuits => ranks_and_suits::LEN,
            Observation::Candidates => candidates::LEN,
        }
    }

    fn high(self) -> f32 {
        if self == Observation::RawCards { 52.0 } else { 1.0 }
    }
}

impl Observation {
    /// Writes the observation of a hand.
    ///
    /// # Errors
    /// [`EnvError::Length`] if the slice has not [`Encoding::len`] entries.
    #[inline]
    pub fn write(self, game: &Game, hand: &Candidates, out: &mut [f32]) -> Result<(), EnvError> {
        EnvError::check_length("the observation", out.len(), self.len())?;
        match self {
            Observation::RawCards => raw_cards::write(hand.hand(), out),
            Observation::RanksAndSuits => ranks_and_suits::write(hand.hand(), out),
            Observation::Candidates => candidates::write(game, hand, out),
        }
        Ok(())
    }
}

/// Counts that several encodings write.
struct Counts {
    /// Natural cards of each rank, two first.
    ranks: [u8; 13],
    /// Natural cards of each suit, clubs first.
    suits: [u8; 4],
    /// The hand has the joker.
    joker: bool,
}

impl Counts {
    fn new(cards: CardSet) -> Counts {
        let mut counts = Counts { ranks: [0; 13], suits: [0; 4], joker: cards.contains(Card::JOKER) };
        for card in cards.iter() {
            if let (Some(rank), Some(suit)) = (card.rank(), card.suit()) {
                counts.ranks[rank.index()] += 1;
                counts.suits[suit.index()] += 1;
            }
        }
        counts
    }

    /// The counts of the suits, largest first: the same for suit-isomorphic hands.
    fn sorted_suits(&self) -> [u8; 4] {
        let mut suits = self.suits;
        suits.sort_unstable_by(|a, b| b.cmp(a));
        suits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;
    use crate::pai_gow::{Dealt, Rules};

    #[test]
    fn every_number_is_written_and_within_bounds() {
        let game = Game::new(Rules::default());
        let mut rng = stream(4.into());
        for encoding in Observation::ALL {
            for _ in 0..5_000 {
                let hand = Candidates::new(&game, Dealt::random(&mut rng).hand());
                let mut out = vec![f32::NAN; encoding.len()];
                encoding.write(&game, &hand, &mut out).unwrap();
                assert!(encoding.space().contains(&out), "{encoding} of {}: {out:?}", hand.hand());
            }
            let hand = Candidates::new(&game, Dealt::random(&mut rng).hand());
            let error = encoding.write(&game, &hand, &mut [0.0; 9]).unwrap_err();
            assert!(matches!(error, EnvError::Length { found: 9, .. }));
        }
    }
}
