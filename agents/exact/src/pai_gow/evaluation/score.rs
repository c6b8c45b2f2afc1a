//! The scores of strategies: means with confidence intervals, and regrets by hand shape and by the gap between the best
//! settings.
//!
//! The gap of a hand is the EV of its best setting less that of the best worse one. It is what a player loses at least by
//! setting the hand wrong.
//!
//! A stochastic policy's EV is linear in its probabilities, so it is exact up to the rounding of probabilities to
//! multiples of 1 / [`PROBABILITY_UNIT`]. Learned values are compared with exact ones by the gap among the settings that
//! the policy considers. A policy that sets hands well needs to know this difference, but not the values themselves.
//! Differences are rounded to billionths of a stake, so that sums don't depend on the order of the hands.

use super::ExactSample;
use crate::Ratio;
use crate::answer::Bar;
use crate::equilibrium::Bounds;
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts, MAX_LOSS};
use crate::pai_gow::policy::Situation;
use crate::solver::{PolicyScore, STOCHASTIC, loss_interval, mean_with_half_width};
use houseway_env::gym::{PROBABILITY_UNIT, Scores, exact_probabilities};
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Setting, Strategy, settings_in};
use serde::Serialize;
use serde_json::{Map, json};

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

/// The number of random baselines, whose scores come first.
pub(super) const RANDOM_BASELINES: usize = 2;

/// Returns the mean of one number per hand, with its 95% confidence interval.
pub(super) fn mean(values: &[f64]) -> Bar {
    let (mean, half) = mean_with_half_width(values);
    Bar::between(mean, mean - half, mean + half)
}

/// The results for all hands with the same shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ShapeScore {
    /// The name of the shape.
    pub(super) shape: &'static str,
    /// The number of evaluated hands with this shape.
    pub(super) hands: usize,
    /// The EV lost on these hands, in stakes per evaluated hand of any shape. This makes the shapes add up to the
    /// regret.
    pub(super) regret: f64,
    /// The fraction of these hands that are set as well as the optimum would.
    pub(super) agreement: f64,
}

/// A score with the details that are shown in tables and charts.
#[derive(Default)]
pub(super) struct StrategyScore {
    pub(super) name: String,
    /// The EV over all deals, or over the hands in the sample with its sampling error.
    pub(super) ev: Bar,
    pub(super) regret: Bar,
    pub(super) is_exact: bool,
    /// The EV minus the EV of the banker's own house way on the same hands.
    pub(super) over_house_way: Bar,
    pub(super) agreement: f64,
    /// The results by shape, in the order of the rule language.
    pub(super) shapes: Vec<ShapeScore>,
    /// The results by the gap between the best settings.
    pub(super) gaps: Vec<GapScore>,
    /// `true` if the strategy is shown in charts by shape.
    pub(super) in_detail: bool,
    /// The results over all deals, for strategies that set every hand in one way.
    pub(super) deals: Option<DealCounts>,
    /// The EVs against best responses, if they were computed.
    pub(super) exploitability: Option<Bounds<Ratio>>,
    /// The regret of the stochastic policy whose most probable settings the strategy plays, on the same hands.
    pub(super) stochastic_regret: Option<f64>,
    /// The errors of the values by which the strategy chooses, on the same hands.
    pub(super) calibration: Option<Vec<Calibration>>,
}

/// Returns the EV that a strategy loses on each hand in the sample.
pub(super) fn regrets(sample: &ExactSample, strategy: &dyn Strategy) -> Vec<f64> {
    let settings: Vec<Setting> = strategy.set_batch(&sample.hands);
    settings.iter().enumerate().map(|(i, &setting)| sample.regret(i, setting)).collect()
}

/// Returns the fraction of hands without regret.
pub(super) fn agreement(regrets: &[f64]) -> f64 {
    regrets.iter().filter(|&&regret| regret == 0.0).count() as f64 / regrets.len().max(1) as f64
}

impl StrategyScore {
    /// Computes the score on a sample from the regret of a strategy and the probability that it has none on each hand, and from
    /// the regrets of the house way on the same hands.
    pub(super) fn on_sample(
        name: &str,
        sample: &ExactSample,
        regrets: &[f64],
        agreements: &[f64],
        house_way: &[f64],
    ) -> StrategyScore {
        let share = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let [low, high] = loss_interval(regrets, MAX_LOSS);
        let evs: Vec<f64> = sample.best_evs().zip(regrets).map(|(best, regret)| best - regret).collect();
        let over: Vec<f64> = house_way.iter().zip(regrets).map(|(house_way, regret)| house_way - regret).collect();
        let shape_of: Vec<Shape> = sample.hands.iter().map(|&hand| Shape::from_hand(hand)).collect();
        let shapes = Shape::ALL.into_iter().map(|shape| {
            let of_shape: Vec<usize> = (0..regrets.len()).filter(|&hand| shape_of[hand] == shape).collect();
            let agreements: Vec<f64> = of_shape.iter().map(|&hand| agreements[hand]).collect();
            ShapeScore {
                shape: shape.name(),
                hands: of_shape.len(),
                regret: of_shape.iter().map(|&hand| regrets[hand]).sum::<f64>() / regrets.len() as f64,
                agreement: share(&agreements),
            }
        });
        let gap_of: Vec<usize> = sample.situations.iter().map(Situation::gap).collect();
        let gaps = NAMES.into_iter().enumerate().map(|(class, gap)| {
            let of_gap = regrets.iter().zip(&gap_of).filter(|(_, other)| **other == class);
            let (hands, regret) = of_gap.fold((0, 0.0), |(hands, sum), (regret, _)| (hands + 1, sum + regret));
            GapScore { gap, hands, regret: regret / regrets.len() as f64 }
        });
        StrategyScore {
            name: name.to_owned(),
            ev: mean(&evs),
            regret: Bar { low, high, ..mean(regrets) },
            is_exact: regrets.iter().all(|&regret| regret == 0.0),
            over_house_way: mean(&over),
            agreement: share(agreements),
            shapes: shapes.filter(|shape| shape.hands > 0).collect(),
            gaps: gaps.collect(),
            ..StrategyScore::default()
        }
    }

    /// Adds the results for the scores by which the strategy chooses.
    pub(super) fn add_scored(&mut self, scored: &ScoredTotals, hands: u64) {
        self.stochastic_regret = scored.stochastic_regret(hands);
        self.calibration = scored.calibration();
    }

    /// Converts this score to a policy score.
    pub(super) fn into_policy_score(self) -> PolicyScore {
        let mut details = Map::from_iter([
            ("ev_ci".to_owned(), json!([self.ev.low, self.ev.high])),
            ("over_house_way".to_owned(), json!(self.over_house_way)),
            ("shapes".to_owned(), json!(self.shapes)),
            ("gaps".to_owned(), json!(self.gaps)),
        ]);
        details.extend(self.exploitability.map(|it| {
            let (lower, upper, total) = (it.lower.to_json(), it.upper.to_json(), it.width().to_json());
            ("exploitability".to_owned(), json!({ "lower": lower, "upper": upper, "total": total }))
        }));
        details.extend(self.stochastic_regret.map(|regret| {
            let ev = self.ev.value + self.regret.value - regret;
            (STOCHASTIC.to_owned(), json!({ "ev": ev, "regret": regret }))
        }));
        details.extend(self.calibration.map(|it| ("calibration".to_owned(), json!(it))));
        PolicyScore {
            name: self.name,
            ev: self.ev.value,
            regret: self.regret.value,
            regret_ci: (!self.is_exact).then_some([self.regret.low, self.regret.high]),
            agreement: self.agreement,
            details,
        }
    }
}

/// The number of units of a rounded difference in a stake.
const UNIT: f64 = 1e9;
const ROW: usize = Setting::COUNT;

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
    pub(super) fn add(&mut self, situation: &Situation, scores: &Scores, row: usize) {
        let row = row * ROW..(row + 1) * ROW;
        match scores {
            Scores::None => {}
            Scores::Probabilities(all) => *self.lost.get_or_insert_default() += situation.lost_at_random(&all[row]),
            Scores::Values(all) => {
                let errors = self.errors.get_or_insert_default();
                if let Some((class, error)) = situation.error(&all[row]) {
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

impl Situation {
    /// Returns the class of the gap.
    pub(super) fn gap(&self) -> usize {
        gap_class(settings_in(self.legal).map(|setting| self.gains[setting.index()]), self.hands)
    }

    /// Returns the gain lost by taking settings with these probabilities.
    fn lost_at_random(&self, row: &[f32]) -> i128 {
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

    #[test]
    fn intervals_of_known_numbers() {
        // Three numbers with a mean of 2 and a variance of 1 have a half-width of 1.96 / sqrt(3).
        let mean = mean(&[1.0, 2.0, 3.0]);
        assert_eq!(mean.value, 2.0);
        assert!((mean.high - 2.0 - 1.131_585).abs() < 1e-5 && (2.0 - mean.low - 1.131_585).abs() < 1e-5);
    }

    /// A stake's gain on one hand.
    const STAKE: i64 = BANKER_HANDS as i64 * 1_000_000;

    /// Two hands that look alike, with gains in thousandths of a stake from the first settings.
    fn group(gains: &[i64]) -> Situation {
        let mut all = [0; ROW];
        all.iter_mut().zip(gains).for_each(|(total, gain)| *total = 2 * gain * (STAKE / 1_000));
        let best = i128::from(*all.iter().max().unwrap());
        Situation { gains: all, legal: (1 << gains.len()) - 1, best, hands: 2 }
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
