//! The quantities by which training runs can be compared.

use crate::metrics::Point;
use serde::{Deserialize, Serialize};

/// A horizontal axis of learning curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CurveAxis {
    /// The number of hands seen.
    Hands,
    /// The number of deals settled.
    Settled,
    /// The number of rewards used.
    Rewards,
    /// The number of gradient steps.
    Updates,
    /// The processor time.
    ProcessorSeconds,
    /// The wall-clock time.
    Seconds,
}

/// All axes, in the order in which they are shown.
pub(super) const AXES: [CurveAxis; 6] = [
    CurveAxis::Hands,
    CurveAxis::Settled,
    CurveAxis::Rewards,
    CurveAxis::Updates,
    CurveAxis::ProcessorSeconds,
    CurveAxis::Seconds,
];

impl CurveAxis {
    /// Returns the name used in configurations.
    pub fn name(self) -> &'static str {
        match self {
            CurveAxis::Hands => "hands",
            CurveAxis::Settled => "settled",
            CurveAxis::Rewards => "rewards",
            CurveAxis::Updates => "updates",
            CurveAxis::ProcessorSeconds => "processor-seconds",
            CurveAxis::Seconds => "seconds",
        }
    }

    /// Returns the name of the figure. `round` is the name of the unit of play.
    pub(super) fn figure_name(self, round: &str) -> String {
        let by = match self {
            CurveAxis::Hands => return format!("regret-by-{round}s"),
            CurveAxis::Settled => "deals-settled",
            CurveAxis::Rewards => "rewards",
            CurveAxis::Updates => "gradient-steps",
            CurveAxis::ProcessorSeconds => "processor-time",
            CurveAxis::Seconds => "time",
        };
        format!("regret-by-{by}")
    }

    /// Returns the name of the quantity in the plural. `round` is the name of the unit of play.
    pub(super) fn noun(self, round: &str) -> String {
        match self {
            CurveAxis::Hands => format!("{round}s seen"),
            CurveAxis::Rewards => "rewards used".to_owned(),
            _ => self.unit(round),
        }
    }

    /// Returns the name that follows an amount. `round` is the name of the unit of play.
    pub(super) fn unit(self, round: &str) -> String {
        match self {
            CurveAxis::Hands => format!("{round}s"),
            CurveAxis::Settled => "deals settled".to_owned(),
            CurveAxis::Rewards => "rewards".to_owned(),
            CurveAxis::Updates => "gradient steps".to_owned(),
            CurveAxis::ProcessorSeconds => "processor seconds".to_owned(),
            CurveAxis::Seconds => "seconds of training".to_owned(),
        }
    }

    /// Returns `true` if the axis is a time, which isn't reproducible.
    pub(super) fn is_time(self) -> bool {
        matches!(self, CurveAxis::ProcessorSeconds | CurveAxis::Seconds)
    }

    /// Returns the amount at a point, or `None` if it wasn't recorded.
    pub(super) fn amount(self, point: &Point) -> Option<f64> {
        let count = |count: Option<u64>| count.map(|count| count as f64);
        match self {
            CurveAxis::Hands => Some(point.hands as f64),
            CurveAxis::Settled => count(point.settled),
            CurveAxis::Rewards => count(point.rewards),
            CurveAxis::Updates => count(point.updates),
            CurveAxis::ProcessorSeconds => point.processor_seconds,
            CurveAxis::Seconds => point.seconds,
        }
    }
}
