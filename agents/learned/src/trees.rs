//! Fits ensembles of regression trees, as a baseline for networks.
//!
//! [`fit_trees`] learns the values of actions from the same rewards as all-action regression. It works in stages: each
//! stage draws a new batch of deals and adds trees that predict what the earlier stages get wrong on it. Only
//! differences between the actions of a decision count. The trees are grown by the crate `forust-ml`, which implements
//! gradient boosting as in Chen and Guestrin, *XGBoost: A Scalable Tree Boosting System* (2016).

use crate::checkpoint::{CheckpointError, MAX_FILE, Measurement};
use crate::limits::{self, check};
use crate::metrics::{DealTotals, MetricSink, Stopwatch, TrainingProgress, TrainingTime};
use crate::model::{BoostedTrees, Model, ScoreKind};
use crate::schedule::RateSchedule;
use crate::task::{Examples, Feedback, RewardSource, TaskError, TrainingTask};
use crate::train::{MeasureFn, TrainError};
use forust_ml::objective::ObjectiveType;
use forust_ml::{GradientBooster, Matrix};
use houseway_env::files;
use houseway_env::seal::{Seal, hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The complete configuration of an ensemble of trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TreesConfig {
    /// The number of stages. Each one draws new deals.
    pub stages: u64,
    /// The number of trees added by each stage.
    pub trees: usize,
    /// The number of deals (hands, rounds or situations) per stage. In Pai Gow Poker, deals go on until this many hands
    /// have a choice, which takes about 3% more.
    pub batch: usize,
    /// The number of times the unseen cards are dealt to average the rewards for a decision.
    pub reward_samples: usize,
    /// The maximum depth of a tree.
    pub depth: usize,
    /// The minimum number of rows in a leaf.
    pub min_leaf: u32,
    /// The factor by which the values of the first trees are multiplied. It falls to zero along half a cosine over all
    /// stages, so that the noise of the rewards averages out.
    pub learning_rate: f64,
}

impl Default for TreesConfig {
    fn default() -> TreesConfig {
        TreesConfig {
            stages: 10,
            trees: 30,
            batch: 32_768,
            reward_samples: 1,
            depth: 8,
            min_leaf: 50,
            learning_rate: 0.1,
        }
    }
}

impl TreesConfig {
    /// Checks that all values are in range.
    ///
    /// # Errors
    /// Returns an error naming the key and the allowed range if a number is out of range.
    pub fn check(&self) -> Result<(), String> {
        check("stages", self.stages, [1, limits::MAX_STAGES])?;
        check("trees", self.trees, [1, limits::MAX_TREES])?;
        check("batch", self.batch, [1, limits::MAX_TREE_BATCH])?;
        check("reward-samples", self.reward_samples, [1, limits::MAX_REWARD_SAMPLES])?;
        check("depth", self.depth, [1, limits::MAX_DEPTH])?;
        check("min-leaf", self.min_leaf, [1, limits::MAX_MIN_LEAF])?;
        check("learning-rate", self.learning_rate, [limits::MIN_LEARNING_RATE, limits::MAX_LEARNING_RATE])
    }

    /// Returns the feedback that the trees learn from.
    pub const fn feedback(&self) -> Feedback {
        if self.reward_samples > 1 { Feedback::Redealing } else { Feedback::FullInformation }
    }

    /// Returns a hash of everything that determines the trees: this configuration, the seed and the task.
    pub fn hash(&self, seed: u64, task: &str) -> String {
        let json = serde_json::to_string(&("trees", self, seed, task)).expect("a configuration is plain data");
        hex(&Sha256::digest(json)[..8])
    }
}

/// The seal of the file with the trees fitted so far.
const SEAL: Seal = Seal::new("houseway-trees", 2);
/// The file's name in the checkpoint folder.
const TREES: &str = "trees.json";

/// The result of [`fit_trees`].
pub struct FittedTrees {
    /// The models to create an agent from.
    pub models: Vec<Model>,
    /// `true` if all stages were completed.
    pub finished: bool,
}

/// The stages completed so far.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    config_hash: String,
    stage: u64,
    deals: DealTotals,
    history: Vec<Measurement>,
    parts: Vec<BoostedTrees>,
}

impl State {
    fn models(&self) -> Vec<Model> {
        self.parts.iter().cloned().map(Model::Trees).collect()
    }

    /// Returns the time spent on fitting. The last measurement has it, because states are saved right after it.
    fn time(&self) -> TrainingTime {
        self.history.last().map_or_else(TrainingTime::default, |last| TrainingTime {
            seconds: last.progress.seconds,
            processor_seconds: last.progress.processor_seconds,
        })
    }

    /// Reads the state from a checkpoint folder. Returns `None` if there is none.
    fn read(folder: &Path) -> Result<Option<State>, CheckpointError> {
        match files::read_text(&folder.join(TREES), MAX_FILE) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            text => {
                let text = text.map_err(|error| CheckpointError::torn(folder, format!("{TREES}: {error}")))?;
                SEAL.open(&text).map(Some).map_err(|error| CheckpointError::unsealed(folder, TREES, error))
            }
        }
    }

    fn write(&self, folder: &Path) -> Result<(), CheckpointError> {
        let (file, new) = (folder.join(TREES), folder.join(format!("{TREES}.new")));
        let write = || {
            fs::create_dir_all(folder)?;
            files::replace(&file, &new, format!("{}\n", SEAL.seal(self)).as_bytes())
        };
        write().map_err(CheckpointError::io(&file))
    }
}

/// Returns `true` if there are trees in a checkpoint folder that [`fit_trees`] would continue.
pub fn has_checkpoint(folder: &Path, config: &TreesConfig, seed: u64, task_hash: &str) -> bool {
    State::read(folder).ok().flatten().is_some_and(|state| state.config_hash == config.hash(seed, task_hash))
}

/// Fits trees to a task.
///
/// `evaluator` measures the agent after every stage, and `sink` receives the measurements. Their steps are stages. If
/// `checkpoints` is a folder, a later call with the same arguments resumes after the last completed stage and ends with
/// the same trees as an uninterrupted run. `stop` is checked after every stage.
///
/// # Errors
/// Returns the errors listed in [`TrainError`].
pub fn fit_trees(
    config: &TreesConfig,
    seed: u64,
    task: &dyn TrainingTask,
    evaluator: &mut MeasureFn<'_>,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<FittedTrees, TrainError> {
    config.check().map_err(TrainError::Config)?;
    let outputs = task.model_outputs();
    if outputs.is_empty() {
        return Err(TaskError::Unsupported("trees cannot learn this task; train a network".to_owned()).into());
    }
    let mut source = task.reward_source(config.batch, config.reward_samples, seed)?;
    let config_hash = config.hash(seed, &task.hash());
    let parts = outputs.into_iter().map(BoostedTrees::new).collect();
    let mut state = State { config_hash, stage: 0, deals: DealTotals::default(), history: vec![], parts };
    if let Some(folder) = checkpoints
        && let Some(found) = State::read(folder)?
    {
        if found.config_hash != state.config_hash {
            return Err(CheckpointError::other(folder).into());
        }
        state = found;
    }
    let mut stopwatch = Stopwatch::resume(state.time());
    for past in &state.history {
        sink.scalars(&past.progress, &past.named())?;
    }
    while state.stage < config.stages && !stop.load(Ordering::Relaxed) {
        let loss = add_stage(config, &mut state, &mut source)?;
        let mut values = vec![("loss", loss)];
        let agent = task.agent("trees", &state.models(), ScoreKind::Values);
        values.extend(stopwatch.pause(|| evaluator(&*agent)));
        // Every tree follows the gradient of the loss.
        let updates = state.stage * config.trees as u64;
        let progress = TrainingProgress {
            step: state.stage,
            steps_total: config.stages,
            ..TrainingProgress::after(state.deals, updates, stopwatch.time())
        };
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let measurement = Measurement { progress, values };
        sink.scalars(&measurement.progress, &measurement.named())?;
        state.history.push(measurement);
        if let Some(folder) = checkpoints {
            state.write(folder)?;
        }
    }
    sink.finish()?;
    Ok(FittedTrees { models: state.models(), finished: state.stage == config.stages })
}

/// Draws a batch and adds trees for the errors on it. Returns the mean squared error before that.
fn add_stage(config: &TreesConfig, state: &mut State, source: &mut RewardSource) -> Result<f64, TrainError> {
    let rate = config.learning_rate * RateSchedule::default().factor(0..config.stages, state.stage);
    let batch = source(state.stage)?;
    let (mut squares, mut count) = (0.0, 0);
    let mut deals = batch.deals();
    for examples in batch.examples(&state.models()) {
        let trees = &mut state.parts[examples.part];
        let (rows, width) = trees.rows(&examples.inputs);
        let errors = errors(&examples, &trees.values(&rows, width));
        squares += errors.iter().map(|(_, error)| error * error).sum::<f64>();
        count += errors.len();
        deals.rewards += examples.rewards;
        trees.add(&boost(config, rate, (&rows, width), &errors)?);
    }
    state.stage += 1;
    state.deals += deals;
    Ok(squares / count.max(1) as f64)
}

/// Returns the index of each row with a target and the error of its prediction. If a decision has several rows, the
/// mean of its errors is subtracted, because it doesn't affect which row is the best.
fn errors(examples: &Examples, predictions: &[f32]) -> Vec<(usize, f64)> {
    let (mut errors, mut first) = (Vec::with_capacity(predictions.len()), 0);
    for &count in &examples.counts {
        let known = (first..first + count).filter(|&row| examples.mask.as_ref().is_none_or(|mask| mask[row] > 0.0));
        let from = errors.len();
        errors.extend(known.map(|row| (row, f64::from(examples.targets[row] - predictions[row]))));
        let own = &mut errors[from..];
        if own.len() > 1 {
            let mean = own.iter().map(|(_, error)| error).sum::<f64>() / own.len() as f64;
            own.iter_mut().for_each(|(_, error)| *error -= mean);
        }
        first += count;
    }
    errors
}

/// Grows trees that predict the errors of some of the rows.
fn boost(
    config: &TreesConfig,
    rate: f64,
    (rows, width): (&[f32], usize),
    errors: &[(usize, f64)],
) -> Result<GradientBooster, TrainError> {
    let mut columns = Vec::with_capacity(width * errors.len());
    for column in 0..width {
        columns.extend(errors.iter().map(|(row, _)| f64::from(rows[row * width + column])));
    }
    let targets: Vec<f64> = errors.iter().map(|(_, error)| *error).collect();
    let mut booster = GradientBooster::default()
        .set_objective_type(ObjectiveType::SquaredLoss)
        .set_base_score(0.0)
        .set_initialize_base_score(false)
        .set_iterations(config.trees)
        .set_max_depth(config.depth)
        .set_learning_rate(rate as f32)
        .set_min_leaf_weight(config.min_leaf as f32)
        .set_tiled_histograms(true);
    let fitted = booster.fit_unweighted(&Matrix::new(&columns, errors.len(), width), &targets, None);
    fitted.map_err(|error| TrainError::Config(format!("the trees cannot be fitted: {error}")))?;
    Ok(booster)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::playing_device;
    use crate::network::Inputs;

    #[test]
    fn numbers_out_of_range_are_named() {
        let good = TreesConfig::default();
        assert_eq!(good.check(), Ok(()));
        for (broken, part) in [
            (TreesConfig { stages: 0, ..good.clone() }, "stages = 0: must be between 1 and"),
            (TreesConfig { trees: 0, ..good.clone() }, "trees = 0"),
            (TreesConfig { batch: 1 << 30, ..good.clone() }, "batch = 1073741824"),
            (TreesConfig { reward_samples: 0, ..good.clone() }, "reward-samples = 0"),
            (TreesConfig { depth: 99, ..good.clone() }, "depth = 99: must be between 1 and 24"),
            (TreesConfig { min_leaf: 0, ..good.clone() }, "min-leaf = 0"),
            (TreesConfig { learning_rate: f64::NAN, ..good.clone() }, "learning-rate = NaN"),
        ] {
            let error = broken.check().unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        assert_ne!(good.hash(1, "a"), good.hash(2, "a"));
        assert_ne!(good.hash(1, "a"), TreesConfig { depth: 7, ..good.clone() }.hash(1, "a"));
    }

    #[test]
    fn errors_are_relative_to_the_other_rows_of_a_decision() {
        let inputs = Inputs::new(&[0.0; 5], 5, &playing_device());
        let targets = vec![1.0, 3.0, 5.0, 9.0, 7.0];
        let mask = Some(vec![1.0, 1.0, 1.0, 0.0, 1.0]);
        let examples = Examples { part: 0, inputs, counts: vec![3, 2], targets, mask, rewards: 5 };
        let found = errors(&examples, &[0.0, 0.0, 1.0, 0.0, 2.0]);
        let mean = 8.0 / 3.0;
        assert_eq!(found, [(0, 1.0 - mean), (1, 3.0 - mean), (2, 4.0 - mean), (4, 5.0)]);
    }
}
