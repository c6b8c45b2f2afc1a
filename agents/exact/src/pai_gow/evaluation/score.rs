//! Strategy scores: means with confidence intervals, and regrets by hand shape and by the gap between the best settings.
//!
//! The gap of a hand is the EV of its best setting less that of the best worse one. It is what a player loses at least by
//! setting the hand wrong.

use super::report::Exploitability;
use super::sample::ExactSample;
use super::scored::{Calibration, ScoredTotals};
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts, MAX_LOSS, Payoff};
use crate::solver::{PolicyScore, STOCHASTIC, Z95, loss_interval};
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Setting, Strategy};
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

/// A mean and its 95% confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Mean {
    pub(super) value: f64,
    /// The lower end of the interval.
    pub(super) low: f64,
    /// The upper end of the interval.
    pub(super) high: f64,
}

impl Mean {
    /// Computes the mean from one number per hand.
    pub(super) fn compute(values: impl ExactSizeIterator<Item = f64> + Clone) -> Mean {
        let n = values.len() as f64;
        let value = values.clone().sum::<f64>() / n;
        let variance = values.map(|x| (x - value).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let half = Z95 * (variance / n).sqrt();
        Mean { value, low: value - half, high: value + half }
    }

    /// Creates a mean without any error.
    pub(super) const fn exact(value: f64) -> Mean {
        Mean { value, low: value, high: value }
    }
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
pub(super) struct StrategyScore {
    pub(super) name: String,
    /// The EV over all deals, or over the hands in the sample with its sampling error.
    pub(super) ev: Mean,
    pub(super) regret: Mean,
    pub(super) is_exact: bool,
    /// The EV minus the EV of the banker's own house way on the same hands.
    pub(super) over_house_way: Mean,
    pub(super) agreement: f64,
    /// The results by shape, in the order of the rule language.
    pub(super) shapes: Vec<ShapeScore>,
    /// The results by the gap between the best settings.
    pub(super) gaps: Vec<GapScore>,
    /// `true` if the strategy is shown in charts by shape.
    pub(super) in_detail: bool,
    /// The EVs against best responses, if they were computed.
    pub(super) exploitability: Option<Exploitability>,
    /// The regret of the stochastic policy whose most probable settings the strategy plays, on the same hands.
    pub(super) stochastic_regret: Option<f64>,
    /// The errors of the values by which the strategy chooses, on the same hands.
    pub(super) calibration: Option<Vec<Calibration>>,
}

/// The exact EV of a strategy over all 8,250,459,031,214,400 deals.
#[derive(Clone, Debug, Serialize)]
pub(super) struct WholeEv {
    /// The name of the strategy.
    pub(super) name: String,
    /// The number of deals won.
    pub(super) wins: String,
    /// The number of deals without a winner.
    pub(super) pushes: String,
    /// The number of deals lost.
    pub(super) losses: String,
    /// The EV per unit staked.
    pub(super) ev: f64,
}

impl WholeEv {
    pub(super) fn new(name: &str, deals: &DealCounts, payoff: Payoff) -> WholeEv {
        WholeEv {
            name: name.to_owned(),
            wins: deals.wins.to_string(),
            pushes: deals.pushes.to_string(),
            losses: deals.losses.to_string(),
            ev: deals.ev(payoff).value(),
        }
    }
}

/// Returns the EV that a strategy loses on each hand in the sample.
pub(super) fn regrets(sample: &ExactSample, strategy: &dyn Strategy) -> Vec<f64> {
    let settings: Vec<Setting> = strategy.set_batch(sample.hands());
    settings.iter().enumerate().map(|(i, &setting)| sample.regret(i, setting)).collect()
}

/// Returns the fraction of hands without regret.
pub(super) fn agreement(regrets: &[f64]) -> f64 {
    regrets.iter().filter(|&&regret| regret == 0.0).count() as f64 / regrets.len().max(1) as f64
}

impl StrategyScore {
    /// Computes the score on a sample from the regrets of a strategy and of the house way on the same hands.
    pub(super) fn on_sample(name: &str, sample: &ExactSample, regrets: &[f64], house_way: &[f64]) -> StrategyScore {
        let [low, high] = loss_interval(regrets, MAX_LOSS);
        let regret = Mean { low, high, ..Mean::compute(regrets.iter().copied()) };
        let shape_of: Vec<Shape> = sample.hands().iter().map(|&hand| Shape::from_hand(hand)).collect();
        let shapes = Shape::ALL.into_iter().map(|shape| {
            let of_shape = regrets.iter().zip(&shape_of).filter(|(_, other)| **other == shape);
            let of_shape: Vec<f64> = of_shape.map(|(&regret, _)| regret).collect();
            ShapeScore {
                shape: shape.name(),
                hands: of_shape.len(),
                regret: of_shape.iter().sum::<f64>() / regrets.len() as f64,
                agreement: agreement(&of_shape),
            }
        });
        let gaps = NAMES.into_iter().enumerate().map(|(class, gap)| {
            let of_gap = regrets.iter().zip(sample.gaps()).filter(|(_, other)| **other == class);
            let (hands, regret) = of_gap.fold((0, 0.0), |(hands, sum), (regret, _)| (hands + 1, sum + regret));
            GapScore { gap, hands, regret: regret / regrets.len() as f64 }
        });
        StrategyScore {
            name: name.to_owned(),
            ev: Mean::compute(sample.best_evs().zip(regrets).map(|(best, regret)| best - regret)),
            regret,
            is_exact: regrets.iter().all(|&regret| regret == 0.0),
            over_house_way: Mean::compute(house_way.iter().zip(regrets).map(|(house_way, regret)| house_way - regret)),
            agreement: agreement(regrets),
            shapes: shapes.filter(|shape| shape.hands > 0).collect(),
            gaps: gaps.collect(),
            in_detail: false,
            exploitability: None,
            stochastic_regret: None,
            calibration: None,
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
        details.extend(self.exploitability.map(|it| ("exploitability".to_owned(), it.json())));
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
        let mean = Mean::compute([1.0, 2.0, 3.0].into_iter());
        assert_eq!(mean.value, 2.0);
        assert!((mean.high - 2.0 - 1.131_585).abs() < 1e-5 && (2.0 - mean.low - 1.131_585).abs() < 1e-5);
    }
}
