//! Observation encodings for five-card hands.
//!
#![doc = include_str!("observations.md")]

use super::{Hand, Points, Value};
use crate::gym::Encoding;

crate::named_enum! {
    /// An observation encoding.
    #[derive(Default)]
    pub enum Observation: kebab_case {
        /// The indices of the five cards.
        RawCards,
        /// The number of cards for each point value, and the hand's value.
        #[default]
        Points,
    }
}

impl Encoding for Observation {
    fn len(self) -> usize {
        match self {
            Observation::RawCards => Hand::CARDS,
            Observation::Points => Points::COUNT + Value::COUNT,
        }
    }

    fn high(self) -> f32 {
        if self == Observation::RawCards { 52.0 } else { 1.0 }
    }
}

impl Observation {
    /// Writes the observation of a hand, given its value.
    ///
    /// # Panics
    /// Panics unless `out` has [`Encoding::len`] entries.
    #[inline]
    pub fn write(self, hand: Hand, value: Value, out: &mut [f32]) {
        assert_eq!(out.len(), self.len(), "the length of the observation");
        match self {
            Observation::RawCards => {
                out.iter_mut().zip(hand.set().iter()).for_each(|(place, card)| *place = card.index() as f32);
            }
            Observation::Points => write_points(&hand.counts(), value, out),
        }
    }
}

/// Writes the `points` encoding for a multiset of points.
#[inline]
fn write_points(counts: &[u8; Points::COUNT], value: Value, out: &mut [f32]) {
    // For 0 to 5, multiplying by 0.2 rounds to the same result as dividing by 5, and it is faster.
    const SHARE: f32 = 1.0 / Hand::CARDS as f32;
    let (points, values) = out.split_at_mut(Points::COUNT);
    for (i, (place, &count)) in points.iter_mut().zip(counts).enumerate() {
        *place = f32::from(count) * if i == Points::JOKER.index() { 1.0 } else { SHARE };
    }
    values.fill(0.0);
    values[value.index()] = 1.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_quotients() {
        for count in 0..=5 {
            let (mut out, mut counts) = ([f32::NAN; 22], [0; Points::COUNT]);
            counts[3] = count;
            write_points(&counts, Value::NO_SET, &mut out);
            assert_eq!(out[3], f32::from(count) / 5.0);
        }
    }

    #[test]
    fn the_layouts_are_those_described() {
        let hand: Hand = "Jk As Th Td 3c".parse().unwrap();
        let mut raw = [f32::NAN; 5];
        Observation::RawCards.write(hand, Value::NO_SET, &mut raw);
        assert_eq!(raw, [52.0, 51.0, 34.0, 33.0, 4.0]);
        let mut points = [f32::NAN; 22];
        Observation::Points.write(hand, Value::all().nth(5).unwrap(), &mut points);
        let mut expected = [0.0; 22];
        (expected[0], expected[2], expected[9], expected[10], expected[16]) = (0.2, 0.2, 0.4, 1.0, 1.0);
        assert_eq!(points, expected);
    }
}
