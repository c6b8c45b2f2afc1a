//! Classifies hands by the gap between their best settings.
//!
//! The gap of a hand is the EV of its best setting less that of the best worse one. It is what a player loses at least by
//! setting the hand wrong.

use crate::pai_gow::BANKER_HANDS;
use serde::Serialize;

/// The lower limits of all classes but the first, in millionths of a stake.
const LIMITS: [i64; 4] = [1_000, 5_000, 20_000, 100_000];
/// The number of classes.
pub(super) const GAPS: usize = LIMITS.len() + 1;
/// The names of the classes, in % of the stake.
pub(super) const NAMES: [&str; GAPS] = ["below 0.1%", "0.1 to 0.5%", "0.5 to 2%", "2 to 10%", "10% and more"];

/// The results for all hands in a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GapScore {
    /// The name of the class.
    pub(super) gap: &'static str,
    /// The number of evaluated hands in this class.
    pub(super) hands: usize,
    /// The EV lost on these hands, in stakes per evaluated hand of any class. This makes the classes add up to the
    /// regret.
    pub(super) regret: f64,
}

/// Returns the class of hands whose settings have these total gains, in millionths of a stake over all hands of the
/// banker. Hands whose settings are all equal are in the last class, because they can't be set wrong.
pub(super) fn gap_class(gains: impl Iterator<Item = i64>, hands: u64) -> usize {
    let (mut best, mut second) = (i64::MIN, None);
    for gain in gains {
        if gain > best {
            second = (best > i64::MIN).then_some(best);
            best = gain;
        } else if gain < best {
            second = second.max(Some(gain));
        }
    }
    let Some(second) = second else { return GAPS - 1 };
    let unit = i128::from(BANKER_HANDS) * i128::from(hands);
    LIMITS.iter().filter(|&&limit| i128::from(best - second) >= i128::from(limit) * unit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_ignores_equally_good_settings() {
        let unit = BANKER_HANDS as i64;
        let class = |gains: &[i64]| gap_class(gains.iter().map(|gain| gain * unit), 1);
        assert_eq!(class(&[5_000, 5_000, 4_001]), 0);
        assert_eq!(class(&[4_000, 5_000, -1]), 1);
        assert_eq!(class(&[-30_000, -10_000]), 3);
        assert_eq!(class(&[0, 100_000]), 4);
        assert_eq!(class(&[7, 7]), 4);
        assert_eq!(gap_class([0, 1_999 * unit].into_iter(), 2), 0);
        assert_eq!(gap_class([0, 2_000 * unit].into_iter(), 2), 1);
    }
}
