//! Observation encodings.
//!
#![doc = include_str!("observations.md")]

use crate::cards::CardSet;
use crate::gym::Encoding;
use crate::pai_gow::observe::Observation as HandObservation;
use crate::pai_gow::{CARDS, Candidates, Game};
use serde::{Deserialize, Serialize};

/// An observation encoding. It consists of an encoding of the player's hand, followed by a flag for each card that says
/// whether it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Observation(pub HandObservation);

impl Encoding for Observation {
    fn len(self) -> usize {
        self.0.len() + CARDS
    }

    fn high(self) -> f32 {
        self.0.high()
    }
}

impl Observation {
    /// Writes the observation of a hand and the known cards. `out` must have [`Encoding::len`] entries.
    pub fn write(self, game: &Game, hand: &Candidates, known: CardSet, out: &mut [f32]) {
        let (own, flags) = out.split_at_mut(self.0.len());
        self.0.write(game, hand, own);
        flags.fill(0.0);
        known.iter().for_each(|card| flags[card.index()] = 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::Rules;

    #[test]
    fn known_cards_follow_the_hand() {
        let game = Game::new(Rules::default());
        let hand = Candidates::new(&game, "As Kd Jk 7c 7d 2h 3s".parse().unwrap());
        let known: CardSet = "2c Qh Ah".parse().unwrap();
        for encoding in HandObservation::ALL.map(Observation) {
            let mut own = vec![f32::NAN; encoding.0.len()];
            encoding.0.write(&game, &hand, &mut own);
            let mut out = vec![f32::NAN; encoding.len()];
            encoding.write(&game, &hand, known, &mut out);
            let (hand_part, flags) = out.split_at(own.len());
            assert_eq!((hand_part, flags.len()), (&own[..], 53));
            let marked: Vec<usize> = (0..53).filter(|&i| flags[i] != 0.0).collect();
            assert_eq!(marked, [0, 42, 50]);
            assert!(encoding.space().contains(&out));
        }
    }
}
