//! Tasks with exact values to learn from.

use crate::decisions::Decisions;
use crate::model::Model;
use crate::network::{NetworkConfig, Networks, WeightSource};
use crate::scores::ScoreKind;
use crate::task::{Agent, Episodes, Feedback, RewardSource, TaskError, TrainingTask};
use houseway_env::gym::{Env, ExactValues};
use std::sync::Arc;

/// A task together with the exact values of its decisions. The values must be those of the task's game, rules and
/// opponents, because checkpoints only identify the task.
pub struct LabelledTask {
    /// The task.
    pub task: Box<dyn TrainingTask>,
    /// The exact values of all decisions.
    pub values: Arc<dyn ExactValues>,
}

impl TrainingTask for LabelledTask {
    fn hash(&self) -> String {
        self.task.hash()
    }

    fn environment(&self) -> Option<&dyn Env> {
        self.task.environment()
    }

    fn networks(
        &self,
        size: NetworkConfig,
        feedback: Feedback,
        outputs: usize,
        weights: &mut WeightSource<'_>,
    ) -> Networks {
        self.task.networks(size, feedback, outputs, weights)
    }

    fn check_feedback(&self, feedback: Feedback) -> Result<(), TaskError> {
        match feedback {
            Feedback::ExactLabels => Ok(()),
            other => self.task.check_feedback(other),
        }
    }

    fn exact_values(&self) -> Option<Arc<dyn ExactValues>> {
        Some(Arc::clone(&self.values))
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        self.task.metadata()
    }

    fn model_outputs(&self) -> Vec<usize> {
        self.task.model_outputs()
    }

    fn agent(&self, name: &str, models: &[Model], scores: ScoreKind) -> Box<dyn Agent> {
        self.task.agent(name, models, scores)
    }

    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError> {
        self.task.reward_source(batch, samples, seed)
    }

    fn decisions(&self) -> Result<Box<dyn Decisions>, TaskError> {
        self.task.decisions()
    }

    fn episodes(&self, lanes: usize) -> Result<Episodes, TaskError> {
        self.task.episodes(lanes)
    }
}
