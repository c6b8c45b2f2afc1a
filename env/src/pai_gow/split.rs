//! A split of all hands into a training and a validation part.

use super::Hand;

/// A split of all hands by their ranks. Hands with the same ranks always belong to the same part. They often have
/// nearly the same EVs, so a split that ignored the ranks would let a model look up the answer in its training data.
///
/// `houseway.tables.is_held_out` in the Python package computes the same split.
///
/// ```
/// use houseway_env::pai_gow::{Hand, RankSplit};
///
/// let hand: Hand = "2d Jk As Qd Th 2c 8c".parse()?;
/// assert!(RankSplit::default().is_held_out(hand));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSplit {
    /// The fraction of all rank combinations in the validation part, from 0 to 1.
    pub held_out: f64,
    /// A number that selects one of many splits.
    pub seed: u64,
}

impl Default for RankSplit {
    /// Returns the split that holds out a tenth of all rank combinations.
    fn default() -> RankSplit {
        RankSplit { held_out: 0.1, seed: 0 }
    }
}

impl RankSplit {
    /// The number of ranks, where the joker counts as one.
    const RANKS: u64 = 14;

    /// Returns `true` if a hand belongs to the validation part.
    pub fn is_held_out(self, hand: Hand) -> bool {
        let mut ranks = hand.cards().map(|card| card.index() as u64 / 4);
        ranks.sort_unstable();
        let number = ranks.iter().rfold(0, |number, rank| number * RankSplit::RANKS + rank);
        let key = number.wrapping_add(RankSplit::RANKS.pow(7).wrapping_mul(self.seed));
        (mix(key) >> 11) as f64 * 2f64.powi(-53) < self.held_out
    }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014), which makes all bits depend on the key.
fn mix(mut key: u64) -> u64 {
    for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
        key = (key ^ (key >> shift)).wrapping_mul(factor);
    }
    key ^ (key >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Python package tests the same examples.
    #[test]
    fn the_split_is_that_of_the_python_package() {
        for (hand, expected) in [
            ("As Kd Jk 7c 7d 2h 3s", [false, true, true]),
            ("Ad Kc Jk 7s 7h 2d 3c", [false, true, true]),
            ("Ks Kd Jh Jc 7d 7h 3s", [false, true, false]),
            ("As Ad Kh Kc Qs Qd 3c", [false, false, true]),
            ("Th 9h 8h 7h 6h 5h 4h", [false, true, false]),
            ("2d Jk As Qd Th 2c 8c", [true, true, true]),
            ("Tc Qh 5c 6s 6h Jd 9s", [true, true, true]),
        ] {
            let hand: Hand = hand.parse().unwrap();
            let splits = [(0.1, 0), (0.5, 0), (0.5, 1)].map(|(held_out, seed)| RankSplit { held_out, seed });
            assert_eq!(splits.map(|split| split.is_held_out(hand)), expected, "{hand}");
        }
    }

    #[test]
    fn all_or_no_hands_may_be_held_out() {
        let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse().unwrap();
        for seed in [0, 1, u64::MAX] {
            assert!(RankSplit { held_out: 1.0, seed }.is_held_out(hand));
            assert!(!RankSplit { held_out: 0.0, seed }.is_held_out(hand));
        }
    }
}
