//! Tests that ensembles of trees are reproducible and resume.

use crate::resuming::on_threads;
use houseway_learned::model::Model;
use houseway_learned::trees::{FittedTrees, TreesConfig, fit_trees, has_checkpoint};
use houseway_learned::{Agent, MetricSink, TrainError, TrainingProgress, tasks};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const SEED: u64 = 3;

pub(crate) fn config() -> TreesConfig {
    TreesConfig { stages: 4, trees: 3, batch: 300, reward_samples: 2, min_leaf: 5, ..TreesConfig::default() }
}

/// Records the metrics and stops after a stage.
struct Until<'a>(u64, &'a AtomicBool, Metrics);

/// The stage, the deals, deals settled, rewards and trees, and the values of each measurement.
pub(crate) type Metrics = Vec<(u64, [u64; 4], Vec<f64>)>;

impl MetricSink for Until<'_> {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        let &TrainingProgress { step, hands, settled, rewards, updates, .. } = progress;
        self.2.push((step, [hands, settled, rewards, updates], values.iter().map(|(_, value)| *value).collect()));
        self.1.store(progress.step >= self.0, Ordering::SeqCst);
        Ok(())
    }
}

pub(crate) fn fit(
    config: &TreesConfig,
    folder: Option<&Path>,
    until: u64,
) -> Result<(FittedTrees, Metrics), TrainError> {
    let task = tasks::make("pai-gow-poker", "{}").unwrap();
    let stop = AtomicBool::new(false);
    let mut sink = Until(until, &stop, vec![]);
    let mut measure = |agent: &dyn Agent| vec![("agent", f64::from(u8::from(agent.name() == "trees")))];
    let fitted = fit_trees(config, SEED, &*task, &mut measure, &mut sink, folder, &stop)?;
    Ok((fitted, sink.2))
}

pub(crate) fn parts(fitted: &FittedTrees) -> Vec<String> {
    let part = |model: &Model| match model {
        Model::Trees(trees) => serde_json::to_string(trees).unwrap(),
        Model::Network(_) => panic!("trees are expected"),
    };
    fitted.models.iter().map(part).collect()
}

#[test]
fn fitting_resumes_after_its_last_stage() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, metrics) = fit(&config(), None, u64::MAX).unwrap();
    assert!(whole.finished && metrics.len() == 4);
    let [hands, settled, rewards, trees] = metrics[3].1;
    assert_eq!((settled, trees), (4 * 300 * 2, 4 * 3));
    assert!(hands > 4 * 300 && rewards % 2 == 0 && rewards > 2 * settled, "{hands} {rewards}");
    let Model::Trees(trees) = &whole.models[0] else { panic!("trees are expected") };
    assert_eq!(trees.len(), 4 * 3);
    let (begun, _) = fit(&config(), Some(folder.path()), 2).unwrap();
    assert!(!begun.finished);
    let task = tasks::make("pai-gow-poker", "{}").unwrap().hash();
    assert!(has_checkpoint(folder.path(), &config(), SEED, &task));
    assert!(!has_checkpoint(folder.path(), &config(), SEED + 1, &task));
    let (rest, again) = fit(&config(), Some(folder.path()), u64::MAX).unwrap();
    assert!(rest.finished && parts(&rest) == parts(&whole));
    assert_eq!(again, metrics);
    // A finished ensemble is read instead of fitted.
    let (read, _) = fit(&config(), Some(folder.path()), u64::MAX).unwrap();
    assert_eq!(parts(&read), parts(&whole));
}

#[test]
fn other_and_torn_checkpoints_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    fit(&config(), Some(folder.path()), 1).unwrap();
    let other = TreesConfig { depth: 3, ..config() };
    let error = fit(&other, Some(folder.path()), 1).err().unwrap().to_string();
    assert!(error.contains("belongs to another training"), "{error}");
    let file = folder.path().join("trees.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    let error = fit(&config(), Some(folder.path()), 1).err().unwrap().to_string();
    assert!(error.contains("is torn: trees.json") && error.contains("remove the folder"), "{error}");
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let fit = || parts(&fit(&TreesConfig { stages: 2, ..config() }, None, u64::MAX).unwrap().0);
    assert_eq!(on_threads(1, fit), on_threads(3, fit));
}
