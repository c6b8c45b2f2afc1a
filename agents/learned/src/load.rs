//! Agents read from weight files.

use crate::device::playing_device;
use crate::model::{Model, ScoreKind};
use crate::network::{Networks, WeightSource, WeightsError};
use crate::task::{Agent, Feedback, TrainingTask};
use houseway_env::gym::Policy;

/// Creates the agent in a weight file written when training on a task. Without the meaning of the models' scores, the
/// agent only returns its choices.
///
/// # Errors
/// Returns an error if the file is damaged or contains an agent of another task.
pub fn load_agent(
    task: &dyn TrainingTask,
    name: &str,
    file: &[u8],
    scores: Option<ScoreKind>,
) -> Result<Box<dyn Agent>, WeightsError> {
    let read = |feedback| {
        // New weights need automatic differentiation. All of them are replaced by stored weights on the device that
        // agents play on.
        let device = playing_device().autodiff();
        let shape = |size, outputs| task.networks(size, feedback, outputs, &mut WeightSource::new(0, &device));
        Networks::from_weights(file, shape)
    };
    // The networks of a task may depend on the feedback.
    let (networks, metadata) = match read(Feedback::Redealing) {
        Err(WeightsError::Other(first)) => read(Feedback::Bandit).map_err(|error| match error {
            WeightsError::Other(_) => WeightsError::Other(first),
            damaged => damaged,
        })?,
        read => read?,
    };
    for (key, own) in task.metadata() {
        // Files from earlier versions don't have all keys.
        if let Some(other) = metadata.get(key).filter(|other| **other != own) {
            return Err(WeightsError::Other(format!("its {key} is \"{other}\" instead of \"{own}\"")));
        }
    }
    let models: Vec<Model> = networks.parts.into_iter().map(|part| Model::Network(Box::new(part))).collect();
    Ok(match scores {
        Some(scores) => task.agent(name, &models, scores),
        None => Box::new(Greedy(task.agent(name, &models, ScoreKind::Values))),
    })
}

/// An agent without scores.
struct Greedy(Box<dyn Agent>);

impl Policy for Greedy {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn encoding(&self) -> &str {
        self.0.encoding()
    }

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Vec<usize> {
        self.0.choose(observations, masks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::training_device;
    use crate::network::NetworkConfig;
    use crate::tasks;
    use houseway_env::gym::{Scores, VecEnv};
    use houseway_env::registry;

    #[test]
    fn loaded_agents_play_like_the_saved_ones() {
        let (folder, device) = (tempfile::tempdir().unwrap(), training_device());
        let file = folder.path().join("weights.safetensors");
        for game in registry::games() {
            let task = tasks::make(game.name, "{}").unwrap();
            let mut lanes = VecEnv::new(task.environment().unwrap(), 64).unwrap();
            lanes.reset(Some(1), None).unwrap();
            let (observations, masks) = (&lanes.batch().observations, &lanes.batch().masks);
            for size in
                [NetworkConfig::LINEAR, NetworkConfig { width: 8, layers: 1 }, NetworkConfig { width: 6, layers: 3 }]
            {
                for (feedback, outputs, scores) in
                    [(Feedback::Redealing, 1, ScoreKind::Values), (Feedback::Bandit, 2, ScoreKind::Preferences)]
                {
                    let networks = task.networks(size, feedback, outputs, &mut WeightSource::new(7, &device));
                    let stored = task.metadata();
                    let stored: Vec<_> = stored.iter().map(|(key, value)| (*key, value.as_str())).collect();
                    networks.save_weights(&file, &stored).unwrap();
                    let bytes = std::fs::read(&file).unwrap();
                    let saved = task.agent("x", &networks.models(), scores);
                    let loaded = load_agent(&*task, "x", &bytes, Some(scores)).unwrap();
                    let (one, other) = (&*saved, &*loaded);
                    let [one, other] = [one, other].map(|agent| agent.choose_with_scores(observations, masks));
                    assert_eq!(one.actions, other.actions, "{} {size:?} {feedback:?}", game.name);
                    let greedy = load_agent(&*task, "y", &bytes, None).unwrap();
                    let greedy = greedy.choose_with_scores(observations, masks);
                    assert_eq!((greedy.actions, greedy.scores), (one.actions, Scores::None));
                }
            }
        }
    }

    #[test]
    fn files_of_other_tasks_are_refused() {
        let (folder, device) = (tempfile::tempdir().unwrap(), training_device());
        let file = folder.path().join("weights.safetensors");
        let save = |game: &str, stored: &[(&str, &str)]| {
            let task = tasks::make(game, "{}").unwrap();
            let size = NetworkConfig { width: 8, layers: 2 };
            let networks = task.networks(size, Feedback::Redealing, 1, &mut WeightSource::new(7, &device));
            networks.save_weights(&file, stored).unwrap();
            std::fs::read(&file).unwrap()
        };
        let load = |game: &str, bytes: &[u8]| {
            let task = tasks::make(game, "{}").unwrap();
            load_agent(&*task, "x", bytes, None).map(|_| ()).unwrap_err().to_string()
        };
        let other = save("asian-stud", &[]);
        for game in ["joker-seven", "pai-gow-poker", "ultimate-holdem"] {
            let error = load(game, &other);
            assert!(error.contains("a network for another task"), "{game}: {error}");
        }
        let among = load("pai-gow-poker", &save("pai-gow-poker", &[("among", "legal")]));
        assert!(among.contains("its among is \"legal\" instead of \"contenders\""), "{among}");
        let damaged = load("asian-stud", &other[..other.len() - 4]);
        assert!(damaged.contains("damaged"), "{damaged}");
    }
}
