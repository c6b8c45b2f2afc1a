//! All-action regression: the networks learn the value of every action from the rewards of all actions.
//!
//! The cards that decide the reward of one action decide those of all, so a deal gives a target for every action; and the
//! cards that the agent does not hold make several hands of the opponents, each equally likely, so that a target is a mean.
//! The loss is one of two ([`RegressionLoss`]), summed over the regressions that the task makes of a batch.
//!
//! Batches depend on the seed and the step alone, so a thread draws the next ones while the networks learn.

use super::prefetch::Prefetch;
use crate::limits::{MAX_REWARD_SAMPLES, check};
use crate::method::{Loss, Method, MethodParameters, Training};
use crate::network::Networks;
use crate::task::{Feedback, Regression, TaskError};
use burn::prelude::*;
use houseway_env::gym::EnvError;
use serde::{Deserialize, Serialize};

/// Parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AllAction {
    /// Draws of the unseen cards over which the rewards of each decision are averaged.
    pub reward_samples: usize,
    /// The loss.
    pub loss: RegressionLoss,
}

/// Loss of a regression.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", deny_unknown_fields, rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum RegressionLoss {
    /// The mean squared error over all actions.
    SquaredError,
    /// The squared errors of the differences between the actions of a decision (each error less the mean error of the
    /// decision), which a choice depends on and in which the luck common to all actions cancels; and the squared mean error
    /// of the decision, so that the outputs are values and not only an order.
    Differences {
        /// Weight of the squared mean error.
        value_weight: f32,
    },
}

impl Default for AllAction {
    fn default() -> AllAction {
        AllAction { reward_samples: 1, loss: RegressionLoss::SquaredError }
    }
}

impl MethodParameters for AllAction {
    fn feedback(&self) -> Feedback {
        Feedback::FullInformation
    }

    fn outputs(&self) -> usize {
        1
    }

    fn reward_samples(&self) -> usize {
        self.reward_samples
    }

    fn check(&self) -> Result<(), String> {
        check("reward-samples", self.reward_samples, [1, MAX_REWARD_SAMPLES])?;
        match self.loss {
            RegressionLoss::Differences { value_weight } if !(value_weight.is_finite() && value_weight >= 0.0) => {
                Err(format!("loss.value-weight = {value_weight}: write 0 or a number above it"))
            }
            _ => Ok(()),
        }
    }

    fn start(&self, training: &Training<'_>) -> Result<Box<dyn Method>, TaskError> {
        let source = training.task.reward_source(training.batch, self.reward_samples, training.seed)?;
        let batches = Prefetch::start(source, training.first_step..training.schedule.steps);
        Ok(Box::new(Running { batches, loss: self.loss, device: training.device.clone() }))
    }
}

struct Running {
    batches: Prefetch,
    loss: RegressionLoss,
    device: Device,
}

impl Method for Running {
    fn loss(&mut self, networks: &Networks, _: u64) -> Result<Loss, EnvError> {
        let batch = self.batches.next()?;
        let losses =
            batch.regressions(networks, &self.device).into_iter().map(|regression| self.loss.compute(regression));
        let loss = losses.reduce(|sum, loss| sum + loss).expect("a batch has a regression");
        Ok(Loss { loss, deals: batch.deals(), values: vec![] })
    }
}

impl RegressionLoss {
    /// Returns the loss of a regression.
    fn compute(self, Regression { predictions, targets, mask }: Regression) -> Tensor<1> {
        let errors = predictions - targets;
        match (self, mask) {
            (RegressionLoss::SquaredError, None) => errors.powi_scalar(2).mean(),
            (RegressionLoss::SquaredError, Some(mask)) => (errors * mask.clone()).powi_scalar(2).sum() / mask.sum(),
            (RegressionLoss::Differences { value_weight }, mask) => {
                let mask = mask.unwrap_or_else(|| errors.ones_like());
                let [decisions, _] = errors.dims();
                let errors = errors * mask.clone();
                let mean = errors.clone().sum_dim(1) / mask.clone().sum_dim(1);
                let differences = ((errors - mean.clone()) * mask).powi_scalar(2).sum() / decisions as f32;
                differences + mean.powi_scalar(2).mean() * value_weight
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::matrix;

    fn loss(loss: RegressionLoss, masked: bool) -> f32 {
        let device = Device::flex();
        let [predictions, targets, mask] = [[1.0, 2.0, 9.0, 4.0], [0.0, 0.0, 0.0, 2.0], [1.0, 1.0, 0.0, 1.0]]
            .map(|values| matrix(&values, 2, &device));
        loss.compute(Regression { predictions, targets, mask: masked.then_some(mask) }).into_scalar()
    }

    #[test]
    fn masked_actions_do_not_count() {
        assert_eq!(loss(RegressionLoss::SquaredError, true), 3.0);
        assert_eq!(loss(RegressionLoss::SquaredError, false), 22.5);
        // Errors 1 and 2 of the first decision differ from their mean by a half each; the second decision has one action.
        let differences = |value_weight| loss(RegressionLoss::Differences { value_weight }, true);
        assert_eq!(differences(0.0), (0.25 + 0.25) / 2.0);
        assert_eq!(differences(2.0), 0.25 + 2.0 * (1.5f32 * 1.5 + 4.0) / 2.0);
    }

    #[test]
    fn parameters_are_checked() {
        assert_eq!(AllAction::default().check(), Ok(()));
        let none = AllAction { reward_samples: 0, ..AllAction::default() };
        assert!(none.check().unwrap_err().contains("reward-samples = 0"));
        let negative = AllAction { loss: RegressionLoss::Differences { value_weight: -1.0 }, ..AllAction::default() };
        assert!(negative.check().unwrap_err().contains("value-weight = -1"));
    }
}
