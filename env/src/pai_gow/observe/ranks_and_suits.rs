//! The `ranks-and-suits` encoding.

use super::sorted_suits;
use crate::cards::key::Key;
use crate::cards::{Card, Rank, Suit};
use crate::pai_gow::Hand;

/// The number of entries in an observation.
pub const LEN: usize = 56;

const SUITS: usize = 13;
const JOKER: usize = 17;
const FLUSH: usize = 18;
const FLUSH_RANKS: usize = 19;
const STRAIGHTS: usize = 32;
const POSITION_RANKS: usize = 42;
const POSITION_SUITED: usize = 49;

/// Writes the features. `out` must have [`LEN`] entries.
#[inline]
pub(super) fn write(hand: Hand, out: &mut [f32]) {
    out.fill(0.0);
    let (ranks, joker) = (hand.set().rank_counts(), u8::from(hand.set().contains(Card::JOKER)));
    for (place, &count) in out.iter_mut().zip(&ranks) {
        *place = f32::from(count) / 4.0;
    }
    for (place, count) in out[SUITS..].iter_mut().zip(sorted_suits(hand.set())) {
        *place = f32::from(count) / 7.0;
    }
    out[JOKER] = f32::from(joker);
    write_straights(&ranks, joker, &mut out[STRAIGHTS..]);
    write_positions(hand, Key::from_set(hand.set()).flush_suit(), out);
}

fn write_straights(ranks: &[u8; 13], joker: u8, out: &mut [f32]) {
    let held = |rank: usize| u8::from(ranks[rank] > 0);
    for top in 3..13 {
        // For A-2-3-4-5, the ace comes below the two.
        let cards: u8 = (0..5).map(|below| held((top + 13 - below) % 13)).sum();
        out[top - 3] = f32::from(u8::from(cards + joker >= 5));
    }
}

fn write_positions(hand: Hand, flush: Option<Suit>, out: &mut [f32]) {
    out[FLUSH] = f32::from(u8::from(flush.is_some()));
    for (position, card) in hand.cards().into_iter().enumerate() {
        let rank = card.rank().unwrap_or(Rank::Ace);
        out[POSITION_RANKS + position] = (rank.index() + 1) as f32 / 13.0;
        if flush.is_some() && (card.is_joker() || card.suit() == flush) {
            out[POSITION_SUITED + position] = 1.0;
            if !card.is_joker() {
                out[FLUSH_RANKS + rank.index()] = 1.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observe(hand: &str) -> [f32; LEN] {
        let mut out = [f32::NAN; LEN];
        write(hand.parse().unwrap(), &mut out);
        out
    }

    #[test]
    fn a_flush_and_a_straight_are_seen() {
        let out = observe("Jk As Ks 5s 4s 3d 3c");
        assert_eq!(out[..13], [0.0, 0.5, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 0.25]);
        assert_eq!(out[13..19], [4.0 / 7.0, 1.0 / 7.0, 1.0 / 7.0, 0.0, 1.0, 1.0]);
        let ranks: Vec<usize> = (0..13).filter(|rank| out[19 + rank] == 1.0).collect();
        assert_eq!(ranks, [2, 3, 11, 12]);
        // The joker completes A-2-3-4-5 as the two. There is no other straight, because 3-4-5 lacks two cards for the
        // next one.
        assert_eq!(out[32..42], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(out[42..49], [13.0, 13.0, 12.0, 4.0, 3.0, 2.0, 2.0].map(|x| x / 13.0));
        assert_eq!(out[49..], [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn no_flush_leaves_its_places_empty() {
        let out = observe("As Kd Qh Jc Ts 9d 8h");
        assert_eq!(out[18..32], [0.0; 14]);
        assert_eq!(out[49..], [0.0; 7]);
        assert_eq!(out[32..42], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    }
}
