//! The bodies of this crate's fuzz targets, each of which asserts a property of all inputs. `fuzz.rs` runs them on a
//! limited number of generated inputs, and `fuzz/` lets cargo-fuzz search for inputs.

use houseway::metrics::MetricHistory;
use houseway::study::Experiment;
use houseway_learned::checkpoint::SEAL;
use houseway_learned::task::TrainingTask;
use houseway_learned::{TrainConfig, tasks, train};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A configuration is either rejected with a reason, or the same after being written with all defaults and read back.
pub(crate) fn config(text: &str) {
    match Experiment::parse(text, Some("asian-stud")) {
        Err(error) => assert!(!format!("{error:#}").is_empty()),
        Ok(experiment) => {
            let complete = experiment.to_toml().expect("configurations can be written as TOML");
            let again = Experiment::parse(&complete, None).unwrap_or_else(|error| panic!("{error:#}\n{complete}"));
            // NaN isn't equal to itself, so compare the texts.
            assert_eq!(again.to_toml().ok(), Some(complete));
            assert!(experiment.train.is_empty() || !experiment.seeds.is_empty());
        }
    }
}

/// A training's metrics are either rejected with the file name, or all of their rows are read.
pub(crate) fn history(metrics: &[u8], timing: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("metrics.csv"), metrics).expect("the folder can be written");
    fs::write(folder.path().join("timing.csv"), timing).expect("the folder can be written");
    match MetricHistory::read(folder.path()) {
        Err(error) => assert!(["metrics.csv", "timing.csv"].iter().any(|file| error.to_string().contains(file))),
        Ok(history) => {
            let names = history.names();
            assert!(names.iter().enumerate().all(|(i, name)| !names[..i].contains(name)));
            let points: usize = names.iter().map(|name| history.curve(name).len()).sum();
            let mut rows = csv::Reader::from_reader(metrics);
            assert_eq!(points, rows.byte_records().filter(Result::is_ok).count());
        }
    }
}

/// A small training that produces checkpoints for [`checkpoint`].
pub(crate) struct FuzzTraining {
    task: Box<dyn TrainingTask>,
    config: TrainConfig,
}

impl FuzzTraining {
    pub(crate) fn new() -> Self {
        let overrides = json!({
            "method": "policy-gradient", "steps": 2, "batch": 8, "network": { "width": 4, "layers": 1 },
        });
        let config =
            tasks::configure("asian-stud", overrides.as_object().expect("a table")).expect("the keys are valid");
        Self { task: tasks::make("asian-stud", "{}").expect("the game has a task"), config }
    }

    /// Runs or resumes the training and returns its final step.
    pub(crate) fn run(&self, checkpoints: &Path) -> Result<u64, String> {
        let (stop, folder) = (AtomicBool::new(false), Some(checkpoints));
        let trained = train(&self.config, 1, &*self.task, &mut |_| vec![], &mut (), folder, &stop);
        trained.map(|trained| trained.state.step).map_err(|error| error.to_string())
    }
}

/// A checkpoint is either rejected with a reason, or its training resumes and reaches the last step. With `consistent`,
/// the state gets the hashes of the other files and a new seal, so that they are read even though no training wrote
/// them.
pub(crate) fn checkpoint(state: &str, model: &[u8], optimizer: &[u8], consistent: bool) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("checkpoint");
    fs::create_dir(&path).expect("the folder can be written");
    let hash = |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut state = state.to_owned();
    if let (true, Ok(Value::Object(mut keys))) = (consistent, serde_json::from_str(&state)) {
        keys.insert("model_hash".to_owned(), hash(model).into());
        keys.insert("optimizer_hash".to_owned(), hash(optimizer).into());
        keys.remove("seal");
        state = SEAL.seal(&keys).to_string();
    }
    for (name, bytes) in [("state.json", state.as_bytes()), ("model.bpk", model), ("optimizer.bpk", optimizer)] {
        fs::write(path.join(name), bytes).expect("the folder can be written");
    }
    match FuzzTraining::new().run(&path) {
        Err(error) => assert!(error.contains("checkpoint"), "{error}"),
        Ok(step) => {
            let recorded: Value = serde_json::from_str(&state).expect("the state was read");
            assert!(recorded["model_hash"] == hash(model) && recorded["optimizer_hash"] == hash(optimizer));
            assert!(step >= 2);
        }
    }
}
