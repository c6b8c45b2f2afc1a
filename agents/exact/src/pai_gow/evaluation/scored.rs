//! Evaluates the scores behind a policy's choices: the EV of a stochastic policy, and the errors of values.
//!
//! A stochastic policy's EV is linear in its probabilities, so it is exact up to the rounding of probabilities to
//! multiples of 1 / [`PROBABILITY_UNIT`]. Learned values are compared with exact ones by the *gap* of a hand: the EV of
//! the best setting that the policy considers, less that of the best worse one. A policy that sets hands well needs to
//! know this difference, but not the values themselves. Differences are rounded to billionths of a stake, so that sums
//! don't depend on the order of the hands.

use super::score::{GAPS, NAMES, gap_class};
use crate::pai_gow::outcomes::BANKER_HANDS;
use houseway_env::gym::{PROBABILITY_UNIT, Scores, exact_probabilities};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Setting, settings_in};
use serde::Serialize;

/// The number of units of a rounded difference in a stake.
const UNIT: f64 = 1e9;
const ROW: usize = Setting::COUNT;

/// The total gains from the settings of hands that look alike to policies, in millionths of a stake over all hands of
/// the banker.
pub(super) struct GroupGains {
    pub(super) gains: [i64; ROW],
    /// The legal settings, as bits.
    pub(super) legal: u32,
    /// The total gain if each hand is set in its best way.
    pub(super) best: i128,
    pub(super) hands: u64,
}

/// Totals over all hands for the scores of a policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ScoredTotals {
    /// The gain that the stochastic policy loses, in units of 1 / [`PROBABILITY_UNIT`].
    lost: Option<i128>,
    /// The errors of values, by the class of the gap.
    errors: Option<[ErrorTotals; GAPS]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct ErrorTotals {
    hands: u64,
    exact: i128,
    learned: i128,
    squares: i128,
    /// The number of hands for which the worse setting has the higher value, or both have the same.
    wrong: u64,
}

/// The learned differences between the values of the two best settings, compared with exact ones. All amounts are in
/// stakes, and all fractions are of the hands in the class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Calibration {
    /// The name of the gap's class.
    pub(super) gap: &'static str,
    /// The number of hands that have a gap.
    pub(super) hands: u64,
    /// The mean gap.
    pub(super) exact: f64,
    /// The mean learned difference.
    pub(super) learned: f64,
    /// The root mean square of the errors.
    pub(super) error: f64,
    /// The fraction of hands whose learned difference isn't positive.
    pub(super) wrong: f64,
}

impl ScoredTotals {
    pub(super) fn plus(self, more: ScoredTotals) -> ScoredTotals {
        let both =
            |a: [ErrorTotals; GAPS], b: [ErrorTotals; GAPS]| std::array::from_fn(|class| a[class].plus(b[class]));
        ScoredTotals {
            lost: self.lost.zip(more.lost).map(|(a, b)| a + b).or(self.lost).or(more.lost),
            errors: self.errors.zip(more.errors).map(|(a, b)| both(a, b)).or(self.errors).or(more.errors),
        }
    }

    /// Adds a group of hands, whose scores are in the given row.
    ///
    /// # Panics
    /// Panics if there is no such row, or if it contains invalid probabilities.
    pub(super) fn add(&mut self, group: &GroupGains, scores: &Scores, row: usize) {
        let row = row * ROW..(row + 1) * ROW;
        match scores {
            Scores::None => {}
            Scores::Probabilities(all) => *self.lost.get_or_insert_default() += group.lost(&all[row]),
            Scores::Values(all) => {
                let errors = self.errors.get_or_insert_default();
                if let Some((class, error)) = group.error(&all[row]) {
                    errors[class] = errors[class].plus(error);
                }
            }
        }
    }

    /// Returns the regret of the stochastic policy in stakes per hand, given the number of all hands. Returns `None` if the
    /// policy has no probabilities.
    pub(super) fn stochastic_regret(&self, hands: u64) -> Option<f64> {
        let stakes = f64::from(Rate::WHOLE) * BANKER_HANDS as f64 * hands as f64;
        Some(self.lost? as f64 / f64::from(PROBABILITY_UNIT) / stakes)
    }

    /// Returns the calibration of values by gap.
    pub(super) fn calibration(&self) -> Option<Vec<Calibration>> {
        let errors = self.errors.as_ref()?;
        Some(NAMES.into_iter().zip(errors).map(|(gap, errors)| errors.calibration(gap)).collect())
    }
}

impl ErrorTotals {
    fn plus(self, more: ErrorTotals) -> ErrorTotals {
        ErrorTotals {
            hands: self.hands + more.hands,
            exact: self.exact + more.exact,
            learned: self.learned + more.learned,
            squares: self.squares + more.squares,
            wrong: self.wrong + more.wrong,
        }
    }

    fn calibration(&self, gap: &'static str) -> Calibration {
        let mean = |sum: i128| if self.hands == 0 { 0.0 } else { sum as f64 / self.hands as f64 };
        Calibration {
            gap,
            hands: self.hands,
            exact: mean(self.exact) / UNIT,
            learned: mean(self.learned) / UNIT,
            error: mean(self.squares).sqrt() / UNIT,
            wrong: mean(self.wrong.into()),
        }
    }
}

impl GroupGains {
    /// Returns the gain lost by taking settings with these probabilities.
    fn lost(&self, row: &[f32]) -> i128 {
        let legal: Vec<bool> = (0..ROW).map(|setting| self.legal >> setting & 1 == 1).collect();
        let taken = exact_probabilities(row, &legal).unwrap_or_else(|error| panic!("invalid policy: {error}"));
        let gains = self.gains.iter().zip(taken).map(|(&gain, taken)| i128::from(gain) * i128::from(taken));
        self.best * i128::from(PROBABILITY_UNIT) - gains.sum::<i128>()
    }

    /// Returns the class of the gap among the settings with a value, and the error of the learned difference. Returns
    /// `None` if all of these settings have the same EV.
    fn error(&self, row: &[f32]) -> Option<(usize, ErrorTotals)> {
        let considered = || settings_in(self.legal).map(Setting::index).filter(|&setting| !row[setting].is_nan());
        // Ties go to the first setting.
        let most = |best: usize, next: usize| if self.gains[next] > self.gains[best] { next } else { best };
        let best = considered().reduce(most)?;
        let second = considered().filter(|&setting| self.gains[setting] < self.gains[best]).reduce(most)?;
        let class = gap_class(considered().map(|setting| self.gains[setting]), self.hands);
        let stake = BANKER_HANDS as f64 * f64::from(Rate::WHOLE) * self.hands as f64;
        let exact = ((self.gains[best] - self.gains[second]) as f64 / stake * UNIT).round() as i128;
        let learned = f64::from(row[best]) - f64::from(row[second]);
        let (rounded, hands) = ((learned * UNIT).round() as i128, i128::from(self.hands));
        let error = ErrorTotals {
            hands: self.hands,
            exact: exact * hands,
            learned: rounded * hands,
            squares: (rounded - exact).pow(2) * hands,
            wrong: if learned > 0.0 { 0 } else { self.hands },
        };
        Some((class, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stake's gain on one hand.
    const STAKE: i64 = BANKER_HANDS as i64 * 1_000_000;

    /// Two hands that look alike, with gains in thousandths of a stake from the first settings.
    fn group(gains: &[i64]) -> GroupGains {
        let mut all = [0; ROW];
        all.iter_mut().zip(gains).for_each(|(total, gain)| *total = 2 * gain * (STAKE / 1_000));
        let best = i128::from(*all.iter().max().unwrap());
        GroupGains { gains: all, legal: (1 << gains.len()) - 1, best, hands: 2 }
    }

    fn row(scores: &[f32], rest: f32) -> Vec<f32> {
        (0..ROW).map(|setting| scores.get(setting).copied().unwrap_or(rest)).collect()
    }

    #[test]
    fn a_stochastic_policy_loses_in_proportion_to_its_probabilities() {
        let (group, mut totals) = (group(&[-500, 0, 100]), ScoredTotals::default());
        assert_eq!((totals.stochastic_regret(2), totals.calibration()), (None, None));
        totals.add(&group, &Scores::Probabilities(row(&[0.25, 0.25, 0.5], 0.0)), 0);
        // Per hand, it loses 0.25 * 0.6 + 0.25 * 0.1 of a stake.
        assert_eq!(totals.stochastic_regret(2), Some(0.175));
        totals.add(&group, &Scores::Probabilities(row(&[0.0, 0.0, 1.0], 0.0)), 0);
        assert_eq!(totals.clone().plus(ScoredTotals::default()).stochastic_regret(4), Some(0.0875));
        assert_eq!(totals.clone().plus(totals).stochastic_regret(4), Some(0.175));
    }

    #[test]
    fn differences_are_compared_by_gap() {
        let mut totals = ScoredTotals::default();
        // The policy doesn't consider the second setting, so the gap is 0.1, and it learned 0.08.
        let values = [row(&[0.5, f32::NAN, 0.58], f32::NAN), row(&[0.3, 0.299], f32::NAN)].concat();
        totals.add(&group(&[-500, -400, -400]), &Scores::Values(values.clone()), 0);
        // The gap is 0.003, and the difference has the wrong sign.
        totals.add(&group(&[2, 5]), &Scores::Values(values.clone()), 1);
        // There is no gap.
        totals.add(&group(&[7, 7]), &Scores::Values(values), 1);
        let found = totals.clone().plus(totals).calibration().unwrap();
        let hands: Vec<u64> = found.iter().map(|class| class.hands).collect();
        assert_eq!(hands, [0, 4, 0, 0, 4]);
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-7, "{a} instead of {b}");
        for (class, exact, learned, error, wrong) in [(4, 0.1, 0.08, 0.02, 0.0), (1, 0.003, -0.001, 0.004, 1.0)] {
            close(found[class].exact, exact);
            close(found[class].learned, learned);
            close(found[class].error, error);
            close(found[class].wrong, wrong);
        }
    }
}
