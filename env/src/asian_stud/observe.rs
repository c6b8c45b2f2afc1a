//! What an agent sees of its five cards.
//!
//! `raw-cards`, 5 numbers from 0 to 52:
//!
//! | places | meaning |
//! |---|---|
//! | 0..5 | [`Card::index`](crate::cards::Card::index) of the cards in falling order: 4 * rank + suit (two of clubs 0, ace of spades 51), the joker 52 |
//!
//! `points`, 22 numbers from 0 to 1:
//!
//! | places | meaning |
//! |---|---|
//! | 0..10 | how many cards count 1, 2, ... 10 points, divided by five |
//! | 10 | the joker is held |
//! | 11 | no set |
//! | 12..22 | the value is 1, 2, ... 10 |
//!
//! Neither the stakes nor other players' cards are part of it: stakes scale rewards and change no choice, and cards are
//! not shown to others.

use super::{Hand, Points, Value};
use crate::gym::{BoxSpace, EnvError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An encoding, by its name in kebab-case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observation {
    /// The indices of the five cards.
    RawCards,
    /// Cards by points, and the value of the hand.
    #[default]
    Points,
}

impl Observation {
    /// All encodings.
    pub const ALL: [Observation; 2] = [Observation::RawCards, Observation::Points];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Observation::RawCards => "raw-cards",
            Observation::Points => "points",
        }
    }

    /// How many numbers it writes.
    #[allow(clippy::len_without_is_empty)] // an observation is never empty
    pub const fn len(self) -> usize {
        match self {
            Observation::RawCards => Hand::CARDS,
            Observation::Points => Points::COUNT + Value::COUNT,
        }
    }

    /// The shape and bounds.
    pub fn space(self) -> BoxSpace {
        let high = if self == Observation::RawCards { 52.0 } else { 1.0 };
        BoxSpace { shape: vec![self.len()], low: 0.0, high }
    }

    /// Writes the observation of a hand of this value.
    ///
    /// # Errors
    /// [`EnvError::Length`] if the slice has not [`Observation::len`] entries.
    pub fn write(self, hand: Hand, value: Value, out: &mut [f32]) -> Result<(), EnvError> {
        EnvError::check_length("the observation", out.len(), self.len())?;
        match self {
            Observation::RawCards => {
                out.iter_mut().zip(hand.set().iter()).for_each(|(place, card)| *place = card.index() as f32);
            }
            Observation::Points => write_points(&hand.counts(), value, out),
        }
        Ok(())
    }
}

/// Writes the encoding `points` of a multiset of points.
fn write_points(counts: &[u8; Points::COUNT], value: Value, out: &mut [f32]) {
    let (points, values) = out.split_at_mut(Points::COUNT);
    for (i, (place, &count)) in points.iter_mut().zip(counts).enumerate() {
        let most = if i == Points::JOKER.index() { 1.0 } else { Hand::CARDS as f32 };
        *place = f32::from(count) / most;
    }
    values.fill(0.0);
    values[value.index()] = 1.0;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layouts_are_those_described() {
        let hand: Hand = "Jk As Th Td 3c".parse().unwrap();
        let mut raw = [f32::NAN; 5];
        Observation::RawCards.write(hand, Value::NO_SET, &mut raw).unwrap();
        assert_eq!(raw, [52.0, 51.0, 34.0, 33.0, 4.0]);
        let mut points = [f32::NAN; 22];
        Observation::Points.write(hand, Value::all().nth(5).unwrap(), &mut points).unwrap();
        let mut expected = [0.0; 22];
        (expected[0], expected[2], expected[9], expected[10], expected[16]) = (0.2, 0.2, 0.4, 1.0, 1.0);
        assert_eq!(points, expected);
        assert!(Observation::Points.write(hand, Value::NO_SET, &mut raw).is_err());
    }

    #[test]
    fn names_parse_back() {
        for encoding in Observation::ALL {
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
            assert_eq!(serde_json::to_string(&encoding).unwrap(), format!("\"{encoding}\""));
        }
        assert!("cards".parse::<Observation>().unwrap_err().to_string().contains("raw-cards, points"));
    }
}
