//! Tests for training on a GPU. They are only compiled with the feature `gpu`, and need a GPU:
//! `cargo test --release -p houseway-learned --features gpu --test gpu -- --ignored`.

use houseway_learned::device::TrainingDevice;
use houseway_learned::network::Networks;
use houseway_learned::{TrainConfig, tasks, train};
use safetensors::SafeTensors;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Returns all weights.
fn weights(networks: &Networks, folder: &Path) -> Vec<f32> {
    let path = folder.join("weights.safetensors");
    networks.save_weights(&path, &[]).unwrap();
    let bytes = fs::read(&path).unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let mut names = tensors.names();
    names.sort_unstable();
    let data = names.iter().flat_map(|name| tensors.tensor(name).unwrap().data().as_chunks().0);
    data.map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

#[test]
#[ignore = "requires a GPU; compares a few training steps with the CPU"]
fn a_gpu_trains_like_the_cpu_and_continues_its_checkpoints() {
    let cases = [
        ("pai-gow-poker", "all-action"),
        ("pai-gow-poker", "policy-gradient"),
        ("ultimate-holdem", "all-action"),
        ("asian-stud", "ppo"),
        ("asian-stud", "actor-critic"),
    ];
    let cases = cases.map(|(game, method)| {
        let config = tasks::configure(game, json!({ "method": method }).as_object().unwrap()).unwrap();
        let config = TrainConfig { steps: 6, batch: 64, evaluate_every: 2, checkpoint_every: 3, ..config };
        (format!("{game} {method}"), tasks::make(game, "{}").unwrap(), config)
    });
    let folders = cases.each_ref().map(|_| tempfile::tempdir().unwrap());
    let run = |case: usize, steps: u64, folder: &Path| {
        let (_, task, config) = &cases[case];
        let restarts = if steps > config.steps { vec![config.steps] } else { vec![] };
        let config = TrainConfig { steps, restarts, ..config.clone() };
        let stop = AtomicBool::new(false);
        let trained = train(&config, 7, &**task, &mut |_| vec![], &mut (), Some(folder), &stop).unwrap();
        assert!(trained.finished);
        weights(&trained.networks, folder)
    };
    let on_cpu: Vec<Vec<f32>> = (0..cases.len()).map(|case| run(case, 6, &folders[case].path().join("cpu"))).collect();
    TrainingDevice::Gpu.select().unwrap();
    for (case, (name, ..)) in cases.iter().enumerate() {
        let on_gpu = run(case, 6, &folders[case].path().join("gpu"));
        let [difference, size] = on_gpu.iter().zip(&on_cpu[case]).fold([0.0, 0.0], |[difference, size], (gpu, cpu)| {
            [difference + f64::from(gpu - cpu).powi(2), size + f64::from(*cpu).powi(2)]
        });
        // The sums are rounded in a different order, and the optimizer amplifies this where a gradient is nearly zero.
        assert!(difference < 1e-4 * size, "{name}: {difference} of {size}");
        let continued = run(case, 9, &folders[case].path().join("cpu"));
        assert!(continued.iter().all(|weight| weight.is_finite()) && continued != on_cpu[case], "{name}");
    }
}
