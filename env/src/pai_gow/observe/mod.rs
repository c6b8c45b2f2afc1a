//! What an agent sees of its hand: three encodings, each with its layout in its own module.
//!
//! | name | module | numbers | bounds |
//! |---|---|---|---|
//! | `raw-cards` | [`raw_cards`] | 7 | 0 to 52 |
//! | `ranks-and-suits` | [`ranks_and_suits`] | 56 | 0 to 1 |
//! | `candidates` | [`candidates`] | 21 * 70 + 18 = 1,488 | 0 to 1 |
//!
//! Stakes are no part of an observation: they scale rewards and change no choice.

pub mod candidates;
pub mod ranks_and_suits;
pub mod raw_cards;

use super::{Candidates, Game};
use crate::cards::{Card, CardSet};
use crate::gym::{BoxSpace, EnvError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An encoding, by its name in kebab-case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observation {
    /// The indices of the seven cards, see [`raw_cards`].
    RawCards,
    /// Counts of ranks and suits, straights and flushes held, and the card at each position, see [`ranks_and_suits`].
    RanksAndSuits,
    /// What each of the 21 settings makes, see [`candidates`].
    #[default]
    Candidates,
}

impl Observation {
    /// All encodings.
    pub const ALL: [Observation; 3] = [Observation::RawCards, Observation::RanksAndSuits, Observation::Candidates];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Observation::RawCards => "raw-cards",
            Observation::RanksAndSuits => "ranks-and-suits",
            Observation::Candidates => "candidates",
        }
    }

    /// How many numbers it writes.
    #[allow(clippy::len_without_is_empty)] // an observation is never empty
    pub const fn len(self) -> usize {
        match self {
            Observation::RawCards => raw_cards::LEN,
            Observation::RanksAndSuits => ranks_and_suits::LEN,
            Observation::Candidates => candidates::LEN,
        }
    }

    /// The shape and bounds.
    pub fn space(self) -> BoxSpace {
        let high = if self == Observation::RawCards { 52.0 } else { 1.0 };
        BoxSpace { shape: vec![self.len()], low: 0.0, high }
    }

    /// Writes the observation of a hand.
    ///
    /// # Errors
    /// [`EnvError::Length`] if the slice has not [`Observation::len`] entries.
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

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Observation {
    type Err = EnvError;

    fn from_str(text: &str) -> Result<Observation, EnvError> {
        let found = Observation::ALL.into_iter().find(|encoding| encoding.name() == text);
        found.ok_or_else(|| EnvError::no_encoding(text, &Observation::ALL.map(Observation::name)))
    }
}

/// Counts that several encodings write.
struct Counts {
    /// Natural cards of each rank, two first.
    ranks: [u8; 13],
    /// Natural cards of each suit, clubs first.
    suits: [u8; 4],
    /// Whether the joker is held.
    joker: bool,
}

impl Counts {
    fn of(cards: CardSet) -> Counts {
        let mut counts = Counts { ranks: [0; 13], suits: [0; 4], joker: cards.contains(Card::JOKER) };
        for card in cards.iter() {
            if let (Some(rank), Some(suit)) = (card.rank(), card.suit()) {
                counts.ranks[rank.index()] += 1;
                counts.suits[suit.index()] += 1;
            }
        }
        counts
    }

    /// The counts of the suits, largest first: which suit it is never matters.
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
    fn names_parse_back() {
        for encoding in Observation::ALL {
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
            assert_eq!(serde_json::to_string(&encoding).unwrap(), format!("\"{encoding}\""));
        }
        let error = "cards".parse::<Observation>().unwrap_err().to_string();
        assert!(error.contains("raw-cards, ranks-and-suits, candidates"), "{error}");
    }

    #[test]
    fn every_number_is_written_and_within_bounds() {
        let game = Game::new(Rules::default());
        let mut rng = stream(4.into());
        for encoding in Observation::ALL {
            for _ in 0..5_000 {
                let hand = Candidates::of(&game, Dealt::random(&mut rng).hand());
                let mut out = vec![f32::NAN; encoding.len()];
                encoding.write(&game, &hand, &mut out).unwrap();
                assert!(encoding.space().contains(&out), "{encoding} of {}: {out:?}", hand.hand());
            }
            let hand = Candidates::of(&game, Dealt::random(&mut rng).hand());
            let error = encoding.write(&game, &hand, &mut [0.0; 9]).unwrap_err();
            assert!(matches!(error, EnvError::Length { found: 9, .. }));
        }
    }
}
