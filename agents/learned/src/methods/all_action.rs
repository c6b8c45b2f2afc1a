//! All-action regression. The networks learn each action's value from the rewards for all actions.
//!
//! The cards that determine one action's reward determine the rewards of all the others, so every deal provides a
//! target for every action. The unseen cards form several equally likely opponent hands, so the targets are means over
//! those hands. The loss is a variant of [`RegressionLoss`], summed over the regressions that the task derives from a
//! batch.
//!
//! Batches depend only on the seed and the step, so a thread can draw the next batches while the networks learn.

use super::prefetch::Prefetch;
use super::regression::RegressionLoss;
use crate::limits::{MAX_REWARD_SAMPLES, check};
use crate::methods::{Loss, Method, MethodParameters, Training};
use crate::metrics::DealTotals;
use crate::model::ScoreKind;
use crate::network::Networks;
use crate::task::{Feedback, Regression, TaskError};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde::{Deserialize, Serialize};

/// The parameters of all-action regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AllAction {
    /// The number of times the unseen cards are dealt to average the rewards for a decision.
    pub reward_samples: usize,
    /// The loss to minimize.
    pub loss: RegressionLoss,
}

impl Default for AllAction {
    fn default() -> AllAction {
        AllAction { reward_samples: 1, loss: RegressionLoss::SquaredError }
    }
}

impl MethodParameters for AllAction {
    fn feedback(&self) -> Feedback {
        if self.reward_samples > 1 { Feedback::Redealing } else { Feedback::FullInformation }
    }

    fn score_kind(&self) -> ScoreKind {
        self.loss.score_kind()
    }

    fn reward_samples(&self) -> usize {
        self.reward_samples
    }

    fn check(&self) -> Result<(), String> {
        check("reward-samples", self.reward_samples, [1, MAX_REWARD_SAMPLES])?;
        self.loss.check().map_err(|error| format!("loss.{error}"))
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        let batches = Prefetch::start(training, self.reward_samples)?;
        Ok(Box::new(Running { batches, loss: self.loss, device: training.device.clone() }))
    }
}

struct Running {
    batches: Prefetch,
    loss: RegressionLoss,
    device: Device,
}

impl Method for Running {
    fn loss(&mut self, networks: &Networks, step: u64, progress: f64, _: u64) -> Result<Loss, EnvError> {
        let batch = self.batches.next()?;
        let regressions = batch.regressions(networks, &self.device);
        let rewards = regressions.iter().map(|regression| regression.rewards).sum();
        let deals = DealTotals { rewards, ..batch.deals() };
        let values = clipped_fraction(&regressions).map(|clipped| (CLIPPED, clipped)).into_iter().collect();
        let losses = regressions.into_iter().map(|regression| self.loss.compute(regression, step, progress));
        let loss = losses.reduce(|sum, loss| sum + loss).expect("a batch has a regression");
        Ok(Loss { loss, deals, values })
    }
}

/// The metric for the fraction of targets that were clipped.
const CLIPPED: &str = "clipped_targets";

/// Returns the fraction of targets that were clipped, or `None` if the task has no bounds. Tasks with bounds have one
/// target per decision.
fn clipped_fraction(regressions: &[Regression]) -> Option<f64> {
    let clipped = regressions.iter().map(|it| it.clipped).sum::<Option<u64>>()?;
    let targets: usize = regressions.iter().map(|it| it.targets.dims()[0]).sum();
    Some(clipped as f64 / targets as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipped_targets_are_counted() {
        let device = Device::flex();
        let regression = |decisions: usize, clipped| {
            let values = || Tensor::<2>::zeros([decisions, 1], &device);
            Regression { predictions: values(), targets: values(), mask: None, rewards: 0, clipped }
        };
        assert_eq!(clipped_fraction(&[regression(3, Some(1)), regression(5, Some(1))]), Some(0.25));
        assert_eq!(clipped_fraction(&[regression(3, None)]), None);
    }
}
