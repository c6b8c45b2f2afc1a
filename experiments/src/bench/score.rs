//! How an agent fares on the sample: EV, regret, agreement, whole and by shape of the hand.

use super::sample::ExactSample;
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Setting, Strategy};
use serde::{Deserialize, Serialize};

/// Half the width of a 95% interval, in standard errors.
const Z95: f64 = 1.959_963_984_540_054;

/// A mean over the sample with the 95% interval of the error of dealing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Mean {
    /// The mean of these numbers, one a hand.
    pub fn of(values: impl ExactSizeIterator<Item = f64> + Clone) -> Mean {
        let n = values.len() as f64;
        let value = values.clone().sum::<f64>() / n;
        let variance = values.map(|x| (x - value).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let half = Z95 * (variance / n).sqrt();
        Mean { value, low: value - half, high: value + half }
    }

    /// The same mean counted from another zero and in the other direction: `from - self`.
    pub fn below(self, from: f64) -> Mean {
        Mean { value: from - self.value, low: from - self.high, high: from - self.low }
    }
}

/// The hands of one shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapeScore {
    /// Name of the shape.
    pub shape: String,
    /// Hands of the sample that have it.
    pub hands: usize,
    /// What the agent gives away on them, in stakes per hand *of the whole sample*: the shapes add up to the regret.
    pub regret: f64,
    /// Share of them that the agent sets as well as the optimum.
    pub agreement: f64,
}

/// One agent on the sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Name of the agent.
    pub name: String,
    /// EV per unit staked: the optimum's exact EV over all deals less the regret, so that the luck of the sample's hands is
    /// not in it.
    pub ev: f64,
    /// 95% interval of `ev`.
    pub ev_ci: [f64; 2],
    /// Mean EV given away against the optimum.
    pub regret: f64,
    /// 95% interval of `regret`; none for the optimum.
    pub regret_ci: Option<[f64; 2]>,
    /// Paired difference of EV to the banker's own house way, on the same hands, and its 95% interval.
    pub over_house_way: Mean,
    /// Share of hands set as well as the optimum sets them.
    pub agreement: f64,
    /// By shape of the hand, shapes in the order of the rule language.
    pub shapes: Vec<ShapeScore>,
}

/// What an agent gives away on each hand of the sample.
pub(super) fn regrets(sample: &ExactSample, strategy: &dyn Strategy) -> Vec<f64> {
    let settings: Vec<Setting> = strategy.set_batch(sample.hands());
    settings.iter().enumerate().map(|(i, &setting)| sample.regret(i, setting)).collect()
}

impl Score {
    /// Scores an agent by its regrets, beside those of the house way on the same hands.
    pub fn new(name: &str, sample: &ExactSample, optimum_ev: f64, regrets: &[f64], house_way: &[f64]) -> Score {
        let regret = Mean::of(regrets.iter().copied());
        let ev = regret.below(optimum_ev);
        let agreeing = |regrets: &mut dyn Iterator<Item = f64>| regrets.filter(|&regret| regret == 0.0).count();
        let shape_of: Vec<Shape> = sample.hands().iter().map(|&hand| Shape::from_hand(hand)).collect();
        let shapes = Shape::ALL.into_iter().map(|shape| {
            let of_shape =
                || regrets.iter().zip(&shape_of).filter(move |(_, of)| **of == shape).map(|(&regret, _)| regret);
            let hands = of_shape().count();
            ShapeScore {
                shape: shape.name().to_owned(),
                hands,
                regret: of_shape().sum::<f64>() / regrets.len() as f64,
                agreement: agreeing(&mut of_shape()) as f64 / hands.max(1) as f64,
            }
        });
        Score {
            name: name.to_owned(),
            ev: ev.value,
            ev_ci: [ev.low, ev.high],
            regret: regret.value,
            regret_ci: Some([regret.low, regret.high]).filter(|_| regrets.iter().any(|&regret| regret > 0.0)),
            over_house_way: Mean::of(house_way.iter().zip(regrets).map(|(house_way, regret)| house_way - regret)),
            agreement: agreeing(&mut regrets.iter().copied()) as f64 / regrets.len() as f64,
            shapes: shapes.filter(|shape| shape.hands > 0).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_known_numbers() {
        // Mean 2, variance 1, three numbers: 1.96 / sqrt(3).
        let mean = Mean::of([1.0, 2.0, 3.0].into_iter());
        assert_eq!(mean.value, 2.0);
        assert!((mean.high - 2.0 - 1.131_585).abs() < 1e-5 && (2.0 - mean.low - 1.131_585).abs() < 1e-5);
        let below = mean.below(5.0);
        assert_eq!((below.value, below.low), (3.0, 5.0 - mean.high));
    }
}
