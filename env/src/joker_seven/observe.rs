//! Observation encodings.
//!
#![doc = include_str!("observations.md")]

use super::Wager;
use crate::cards::{CardSet, Suit};
use crate::gym::Encoding;

/// The number of entries that precede the cards.
const STAKES: usize = Wager::COUNT + 1;

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The stakes, and a flag for each of the 54 cards.
        Cards,
        /// The stakes, and the number of cards for each color and rank.
        #[default]
        Counts,
    }
}

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::Cards => STAKES + 54,
            Observation::Counts => STAKES + 3 + 13,
        }
    }
}

impl Observation {
    /// Writes the observation for the chips on each wager, the chips left and the cards. The numbers of chips are
    /// divided by `chips`. The set of cards may be empty.
    ///
    /// # Panics
    /// Panics unless `out` has [`Encoding::len`] entries.
    #[inline]
    pub fn write(self, stakes: &[u8; Wager::COUNT], left: u32, chips: u32, cards: CardSet, out: &mut [f32]) {
        assert_eq!(out.len(), self.len(), "the length of the observation");
        let (staked, dealt) = out.split_at_mut(STAKES);
        let share = 1.0 / chips as f32;
        staked.iter_mut().zip(stakes).for_each(|(place, &stake)| *place = f32::from(stake) * share);
        staked[Wager::COUNT] = left as f32 * share;
        dealt.fill(0.0);
        match self {
            Observation::Cards => cards.iter().for_each(|card| dealt[card.index()] = 1.0),
            Observation::Counts => {
                for card in cards.iter() {
                    match card.suit() {
                        Some(Suit::Clubs | Suit::Spades) => dealt[0] += 1.0 / 7.0,
                        Some(_) => dealt[1] += 1.0 / 7.0,
                        None => dealt[2] += 1.0 / 7.0,
                    }
                    if let Some(rank) = card.rank() {
                        dealt[3 + rank.index()] += 0.25;
                    }
                }
                // The sum of seven sevenths may round to slightly more than one.
                dealt[..3].iter_mut().for_each(|share| *share = share.min(1.0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layouts_are_those_described() {
        let cards: CardSet = "Jk2 As Ah 2c 2d 2h 9d".parse().unwrap();
        let mut stakes = [0; Wager::COUNT];
        (stakes[3], stakes[27]) = (2, 1);
        let mut flags = [f32::NAN; 83];
        Observation::Cards.write(&stakes, 1, 4, cards, &mut flags);
        assert_eq!((flags[3], flags[27], flags[28]), (0.5, 0.25, 0.25));
        let dealt: Vec<usize> = (29..83).filter(|&i| flags[i] == 1.0).map(|i| i - 29).collect();
        assert_eq!(dealt, [0, 1, 2, 29, 50, 51, 53]);
        let mut counts = [f32::NAN; 45];
        Observation::Counts.write(&stakes, 1, 4, cards, &mut counts);
        assert_eq!((counts[..29].to_vec(), counts[32], counts[44]), (flags[..29].to_vec(), 0.75, 0.5));
        assert!((counts[29] - 2.0 / 7.0).abs() < 1e-6 && (counts[30] - 4.0 / 7.0).abs() < 1e-6);
        Observation::Counts.write(&stakes, 1, 4, CardSet::EMPTY, &mut counts);
        assert!(counts[29..].iter().all(|&x| x == 0.0));
    }
}
