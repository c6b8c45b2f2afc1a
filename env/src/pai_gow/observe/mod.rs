//! Observation encodings.
//!
#![doc = include_str!("../observations.md")]

pub mod candidates;
pub mod ranks_and_suits;

use super::{Candidates, Game, Hand};
use crate::cards::CardSet;
use crate::gym::Encoding;

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The indices of the seven cards.
        RawCards,
        /// Counts of ranks and suits, the straights and flushes in the hand, and the card at each position. See
        /// [`ranks_and_suits`].
        RanksAndSuits,
        /// The set hands for all 21 settings. See [`candidates`].
        #[default]
        Candidates,
    }
}

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::RawCards => Hand::CARDS,
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
    /// # Panics
    /// Panics unless `out` has [`Encoding::len`] entries.
    #[inline]
    pub fn write(self, game: &Game, hand: &Candidates, out: &mut [f32]) {
        assert_eq!(out.len(), self.len(), "the length of the observation");
        match self {
            Observation::RawCards => {
                out.iter_mut().zip(hand.hand().cards()).for_each(|(place, card)| *place = card.index() as f32);
            }
            Observation::RanksAndSuits => ranks_and_suits::write(hand.hand(), out),
            Observation::Candidates => candidates::write(game, hand, out),
        }
    }
}

/// Returns the number of natural cards of each suit in descending order, regardless of which suits they belong to.
fn sorted_suits(cards: CardSet) -> [u8; 4] {
    let mut suits = cards.suit_counts();
    suits.sort_unstable_by(|a, b| b.cmp(a));
    suits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::classes::Classes;
    use crate::cards::profile::Profiles;
    use crate::gym::stream;
    use crate::pai_gow::{Dealt, Rules};
    use std::collections::HashMap;

    #[test]
    fn every_number_is_written_and_within_bounds() {
        let game = Game::new(Rules::default());
        let mut rng = stream(4.into());
        for encoding in Observation::ALL {
            for _ in 0..5_000 {
                let hand = Candidates::new(&game, Dealt::random(&mut rng).hand());
                let mut out = vec![f32::NAN; encoding.len()];
                encoding.write(&game, &hand, &mut out);
                assert!(encoding.space().contains(&out), "{encoding} of {}: {out:?}", hand.hand());
            }
        }
    }

    #[test]
    fn raw_cards_are_in_order() {
        let mut out = [0.0; Hand::CARDS];
        let hand = "2c As Jk 3d Kh Kd 2s".parse().unwrap();
        let game = Game::new(Rules::default());
        Observation::RawCards.write(&game, &Candidates::new(&game, hand), &mut out);
        assert_eq!(out, [52.0, 51.0, 46.0, 45.0, 5.0, 3.0, 0.0]);
    }

    /// The test compares all classes of some profiles, because hands with different profiles never look alike.
    #[test]
    fn encodings_of_features_tell_the_same_hands_apart() {
        let game = Game::new(Rules::default());
        let bytes = |encoding: Observation, hand: &Candidates| {
            let mut out = vec![0.0; encoding.len()];
            encoding.write(&game, hand, &mut out);
            out.into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>()
        };
        let (mut other_of, mut profile_of, mut hands) = (HashMap::new(), HashMap::new(), 0);
        for cards in Classes::seven().iter() {
            let profile = Profiles::get().of(cards);
            if profile.index() % 401 != 7 {
                continue;
            }
            let hand = Candidates::new(&game, Hand::new(cards).unwrap());
            let seen = [Observation::RanksAndSuits, Observation::Candidates].map(|encoding| bytes(encoding, &hand));
            for (one, other) in [(0, 1), (1, 0)] {
                let known = other_of.entry(seen[one].clone()).or_insert_with(|| seen[other].clone());
                assert!(*known == seen[other], "{cards}");
            }
            assert_eq!(*profile_of.entry(seen[0].clone()).or_insert(profile), profile, "{cards}");
            hands += 1;
        }
        assert!(profile_of.len() > 1_000 && hands > 5 * profile_of.len(), "{} {hands}", profile_of.len());
    }
}
