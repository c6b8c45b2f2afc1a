//! Counts of pairs of hands, for side bets on the better of two.

use houseway_env::cards::CardSet;
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::paytable::{Bet, Paytable};
use rayon::prelude::*;

/// Counts the ordered pairs of disjoint hands from a suit-isomorphic deck by their rows, which must be invariant under suit
/// permutations. The result has shape `(rows + 1, rows + 1)`, with the first hand's row first. The index `rows` stands
/// for hands without a row.
///
/// The number of disjoint pairs of a hand in A and a hand in B is the sum over all sets T of cards of
/// `(-1)^|T| A(T) B(T)`, where `A(T)` counts the hands of A that contain T. This needs one pass over the sets of up to
/// `cards` - 1 cards up to suits instead of one over all pairs of hands.
pub(crate) fn joint_rows(
    deck: CardSet,
    cards: usize,
    rows: usize,
    row_of: impl Fn(CardSet) -> Option<usize> + Sync,
) -> Vec<Vec<u64>> {
    let width = rows + 1;
    let mut joint = vec![vec![0_i128; width]; width];
    // The number of hands in each row that contain a set of the size before, by class.
    let mut larger: Option<(Classes, Vec<Vec<u64>>)> = None;
    for size in (0..cards).rev() {
        let classes = Classes::new(size);
        let count = |set: CardSet| -> Vec<u64> {
            let mut counts = vec![0; width];
            if !set.difference(deck).is_empty() {
                return counts;
            }
            for card in deck.difference(set).iter() {
                let with = set.with(card);
                match &larger {
                    None => counts[row_of(with).unwrap_or(rows)] += 1,
                    Some((classes, larger)) => {
                        let more = &larger[classes.index(with)];
                        counts.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                    }
                }
            }
            // Each hand is found once for each of its cards that isn't in the set.
            counts.iter_mut().for_each(|count| *count /= (cards - size) as u64);
            counts
        };
        let sets: Vec<CardSet> = classes.iter().collect();
        let counts: Vec<Vec<u64>> = sets.par_iter().map(|&set| count(set)).collect();
        let sign = if size % 2 == 0 { 1 } else { -1 };
        for (&set, counts) in sets.iter().zip(&counts) {
            let weight = sign * i128::from(orbit(set));
            for (i, &a) in counts.iter().enumerate().filter(|(_, a)| **a > 0) {
                for (j, &b) in counts.iter().enumerate() {
                    joint[i][j] += weight * i128::from(a) * i128::from(b);
                }
            }
        }
        larger = Some((classes, counts));
    }
    // Sets of all cards are the hands themselves.
    let sign = if cards.is_multiple_of(2) { 1 } else { -1 };
    let hands = &larger.expect("hands have cards").1[0];
    for (i, &count) in hands.iter().enumerate() {
        joint[i][i] += sign * i128::from(count);
    }
    joint.into_iter().map(|row| row.into_iter().map(|count| count as u64).collect()).collect()
}

/// Returns the number of pairs of hands in each row if the better of two hands is paid, and the number of all pairs.
pub(crate) fn better_of_two<B: Bet>(paytable: &Paytable<B>, joint: &[Vec<u64>]) -> (Vec<u64>, u64) {
    let rows = paytable.rows();
    let order = |i: usize| rows.get(i).map(|row| (row.value(), std::cmp::Reverse(i)));
    let mut held = vec![0; rows.len() + 1];
    for (i, counts) in joint.iter().enumerate() {
        for (j, count) in counts.iter().enumerate() {
            let better = if order(i) < order(j) { j } else { i };
            held[better] += count;
        }
    }
    let all = held.iter().sum();
    held.truncate(rows.len());
    (held, all)
}
