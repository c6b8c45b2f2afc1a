//! The `raw-cards` encoding.

use crate::pai_gow::Hand;

/// The number of entries in an observation.
pub const LEN: usize = Hand::CARDS;

/// Writes the cards. `out` must have [`LEN`] entries.
#[inline]
pub(super) fn write(hand: Hand, out: &mut [f32]) {
    out.iter_mut().zip(hand.cards()).for_each(|(place, card)| *place = card.index() as f32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_in_order() {
        let mut out = [0.0; LEN];
        write("2c As Jk 3d Kh Kd 2s".parse().unwrap(), &mut out);
        assert_eq!(out, [52.0, 51.0, 46.0, 45.0, 5.0, 3.0, 0.0]);
    }
}
