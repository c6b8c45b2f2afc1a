//! Tests that training stops with an error that explains its cause.

use crate::cases::{banking, case, setting_as_bank, weights};
use burn::prelude::Device;
use houseway_learned::checkpoint;
use houseway_learned::methods::MethodConfig;
use houseway_learned::model::Model;
use houseway_learned::network::{NetworkConfig, Networks, WeightSource};
use houseway_learned::task::{Episodes, Feedback, Regression, RewardBatch, RewardSource, TaskError, TrainingTask};
use houseway_learned::tasks::banking::OfferFeatures;
use houseway_learned::{Agent, DealTotals, MetricSink, ScoreKind, TrainError, TrainingProgress, tasks, train};
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::sync::atomic::AtomicBool;

/// A task whose rewards are not finite from a given step on.
struct Diverging<'a>(&'a dyn TrainingTask, u64);

struct NotFinite(Box<dyn RewardBatch>);

impl RewardBatch for NotFinite {
    fn deals(&self) -> DealTotals {
        self.0.deals()
    }

    fn regressions(&self, networks: &Networks, device: &Device) -> Vec<Regression> {
        let regressions = self.0.regressions(networks, device).into_iter();
        regressions.map(|it| Regression { targets: it.targets.mul_scalar(f32::NAN), ..it }).collect()
    }
}

impl TrainingTask for Diverging<'_> {
    fn hash(&self) -> String {
        self.0.hash()
    }

    fn networks(
        &self,
        size: NetworkConfig,
        feedback: Feedback,
        outputs: usize,
        from: &mut WeightSource<'_>,
    ) -> Networks {
        self.0.networks(size, feedback, outputs, from)
    }

    fn agent(&self, name: &str, models: &[Model], scores: ScoreKind) -> Box<dyn Agent> {
        self.0.agent(name, models, scores)
    }

    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError> {
        let (mut source, from) = (self.0.reward_source(batch, samples, seed)?, self.1);
        Ok(Box::new(move |step| match step < from {
            true => source(step),
            false => Ok(Box::new(NotFinite(source(step)?))),
        }))
    }

    fn episodes(&self, lanes: usize) -> Result<Episodes, TaskError> {
        self.0.episodes(lanes)
    }
}

#[test]
fn a_training_that_diverges_stops_with_its_last_good_checkpoint() {
    let case = case("asian-stud all-action");
    let folder = tempfile::tempdir().unwrap();
    let [straight, broken] = ["straight", "broken"].map(|name| folder.path().join(name));
    let stop = AtomicBool::new(false);
    let train_from = |step| {
        let task = Diverging(&*case.task, step);
        train(&case.config, 7, &task, &mut |_| vec![("measured", 1.0)], &mut (), Some(&broken), &stop)
    };
    let error = train_from(4).err().unwrap();
    assert!(matches!(error, TrainError::Diverged { step: 4, checkpoint: Some(3), .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("the loss is not a finite number") && text.contains("checkpoint is from step 3"), "{text}");
    assert!(text.contains("lower learning-rate (now"), "{text}");
    // Nothing from the failed step is stored. Once the cause is removed, training continues from that checkpoint.
    assert_eq!(train_from(u64::MAX).unwrap().state.step, 8);
    case.whole(&straight);
    assert_eq!(weights(&broken), weights(&straight));
    // A measurement that isn't finite also stops training. Before the first checkpoint, the error says that there is
    // none.
    let error = train(&case.config, 7, &*case.task, &mut |_| vec![("regret", f64::NAN)], &mut (), None, &stop);
    let error = error.err().unwrap().to_string();
    assert!(error.contains("diverged at step 0: regret is not") && error.contains("it has no checkpoint"), "{error}");
}

#[test]
fn checkpoints_that_cannot_be_used_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let case = setting_as_bank();
    case.whole(&checkpoint);
    let refused = || case.run(&case.config, Some(&checkpoint), u64::MAX).err().unwrap().to_string();
    let model = checkpoint.join("model.bpk");
    let bytes = fs::read(&model).unwrap();
    fs::write(&model, &bytes[..bytes.len() / 2]).unwrap();
    assert!(refused().contains("is torn: model.bpk"), "{}", refused());
    let state = fs::read_to_string(checkpoint.join("state.json")).unwrap();
    fs::write(checkpoint.join("state.json"), state.replace("\"format\": 4", "\"format\": 3")).unwrap();
    let error = refused();
    assert!(error.contains("this version of the program: its format is 3 instead of 4; remove the folder"), "{error}");
    fs::write(checkpoint.join("state.json"), "{").unwrap();
    assert!(refused().contains("is torn: state.json"), "{}", refused());
}

#[test]
fn a_changed_bit_of_a_checkpoint_is_refused_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    setting_as_bank().whole(&path);
    let state = fs::read_to_string(path.join("state.json")).unwrap();
    let hash = serde_json::from_str::<Value>(&state).unwrap()["config_hash"].as_str().unwrap().to_owned();
    let whole = checkpoint::find(&path, |_| hash.clone()).unwrap();
    for (name, every) in [("state.json", 5), ("model.bpk", 100_003), ("optimizer.bpk", 200_003)] {
        let bytes = fs::read(path.join(name)).unwrap();
        for bit in (0..8 * bytes.len()).step_by(every) {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(path.join(name), changed).unwrap();
            if let Ok(found) = checkpoint::find(&path, |_| hash.clone()) {
                assert_eq!(found, whole, "{name}, bit {bit}");
            }
        }
        fs::write(path.join(name), bytes).unwrap();
    }
    let further = state.replacen("\"step\": ", "\"step\": 1", 1);
    assert_ne!(further, state);
    fs::write(path.join("state.json"), further).unwrap();
    let error = checkpoint::find(&path, |_| hash.clone()).unwrap_err().to_string();
    assert!(error.contains("is torn: state.json") && error.contains("checksum"), "{error}");
}

#[test]
fn a_full_disk_ends_the_training_with_its_reason() {
    struct Full;
    impl MetricSink for Full {
        fn scalars(&mut self, _: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
            Err(io::Error::new(io::ErrorKind::StorageFull, "metrics.csv: no space left"))
        }
    }
    let (case, stop) = (setting_as_bank(), AtomicBool::new(false));
    let error = train(&case.config, 7, &*case.task, &mut |_| vec![], &mut Full, None, &stop);
    let error = error.err().unwrap().to_string();
    assert!(error.contains("no space left") && error.contains("resumes from its last checkpoint"), "{error}");
}

#[test]
fn unsupported_feedback_is_refused() {
    for (mut case, method, part) in [
        (setting_as_bank(), "policy-gradient", "all-action"),
        (banking("banking", OfferFeatures::Derived), "bandit-regression", "all-action"),
        (banking("banking", OfferFeatures::Derived), "actor-critic", "all-action"),
        (banking("banking", OfferFeatures::Derived), "paired", "all-action"),
        (setting_as_bank(), "distillation", "no exact labels"),
        (banking("banking", OfferFeatures::Derived), "distillation", "no exact labels"),
    ] {
        case.config.method = MethodConfig::from_name(method).unwrap();
        let error = case.run(&case.config, None, u64::MAX).err().unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
    let config = tasks::configure("ultimate-holdem", json!({ "method": "distillation" }).as_object().unwrap()).unwrap();
    let task = tasks::make("ultimate-holdem", "{}").unwrap();
    assert!(matches!(task.check_feedback(config.method.feedback()), Err(TaskError::NoExactValues)));
    for (game, samples, part) in [
        ("ultimate-holdem", 23, "must be at most 22"),
        ("asian-stud", 2, "must be 1"),
        ("pai-gow-table", 1, "rewards of all actions"),
    ] {
        let error = tasks::make(game, "{}").unwrap().reward_source(64, samples, 1).err().unwrap().to_string();
        assert!(error.contains(part), "{game}: {error}");
    }
    let overrides = json!({ "method": { "name": "all-action", "reward-samples": 23 } });
    let error = tasks::configure("ultimate-holdem", overrides.as_object().unwrap()).unwrap_err();
    assert_eq!(error, "method.reward-samples = 23: must be at most 22");
}
