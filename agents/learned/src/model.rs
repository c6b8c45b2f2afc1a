//! The models that agents play with, the meaning of their scores, and agents read from weight files.

use crate::device::playing_device;
use crate::network::{Inputs, Network, Networks, WeightSource, WeightsError, to_vec};
use crate::task::{Agent, Feedback, TrainingTask};
use forust_ml::GradientBooster;
use houseway_env::gym::Scores;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A trained model that computes values of actions.
#[derive(Clone, Debug)]
pub enum Model {
    /// A network on the CPU.
    Network(Box<Network>),
    /// An ensemble of trees.
    Trees(BoostedTrees),
}

impl Model {
    /// Computes the outputs in row-major order, with shape (rows, outputs).
    pub fn outputs(&self, inputs: &Inputs) -> Vec<f32> {
        match self {
            Model::Network(network) => to_vec(network.forward(inputs)),
            Model::Trees(trees) => trees.outputs(inputs),
        }
    }
}

impl Networks {
    /// Returns the models that agents play with, one for each part.
    pub fn models(&self) -> Vec<Model> {
        self.parts.iter().map(|network| Model::Network(Box::new(network.playing()))).collect()
    }
}

/// The meaning of the scores that a model computes for actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// Estimates of the actions' values. Only their differences matter.
    Values,
    /// The logarithms of the probabilities with which a stochastic policy takes the actions, up to a constant.
    Preferences,
    /// An unknown meaning. Agents keep such scores to themselves.
    Unknown,
}

impl ScoreKind {
    /// Converts a model's scores with shape (rows, actions). They are NaN for actions that aren't considered, and every
    /// row considers an action.
    pub(crate) fn scores(self, mut scores: Vec<f32>, actions: usize) -> Scores {
        match self {
            ScoreKind::Values => Scores::Values(scores),
            ScoreKind::Preferences => {
                scores.chunks_exact_mut(actions).for_each(softmax);
                Scores::Probabilities(scores)
            }
            ScoreKind::Unknown => Scores::None,
        }
    }
}

/// Replaces preferences with probabilities, and NaN with 0.
fn softmax(row: &mut [f32]) {
    // The maximum ignores NaN.
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|score| *score = if score.is_nan() { 0.0 } else { (*score - most).exp() });
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|probability| *probability /= sum);
}

/// The minimum number of rows that a thread computes at a time.
const ROWS: usize = 256;

/// A sum of regression trees that computes one or more values for each row of inputs.
///
/// A tree reads a row, the context of its decision and, if there are several values per row, which of them is asked for
/// as a one-hot vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoostedTrees {
    outputs: usize,
    trees: Vec<Tree>,
}

/// A regression tree. The first node is its root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Tree(Vec<Node>);

/// A node, serialized as a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(u32, f64, u32, u32)", into = "(u32, f64, u32, u32)")]
struct Node {
    feature: u32,
    /// The value of a leaf. In other nodes, rows with a smaller feature go to the left.
    value: f64,
    left: u32,
    /// The right child, or 0 in a leaf.
    right: u32,
}

impl From<(u32, f64, u32, u32)> for Node {
    fn from((feature, value, left, right): (u32, f64, u32, u32)) -> Node {
        Node { feature, value, left, right }
    }
}

impl From<Node> for (u32, f64, u32, u32) {
    fn from(Node { feature, value, left, right }: Node) -> (u32, f64, u32, u32) {
        (feature, value, left, right)
    }
}

impl Tree {
    fn value(&self, row: &[f32]) -> f64 {
        let mut node = self.0[0];
        while node.right != 0 {
            let next = if f64::from(row[node.feature as usize]) < node.value { node.left } else { node.right };
            node = self.0[next as usize];
        }
        node.value
    }
}

impl BoostedTrees {
    /// Creates an ensemble without trees. All its values are zero.
    pub fn new(outputs: usize) -> BoostedTrees {
        BoostedTrees { outputs, trees: vec![] }
    }

    /// Returns the number of trees.
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    /// Returns `true` if there are no trees.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Adds the trees of a booster whose base score is zero.
    pub(crate) fn add(&mut self, booster: &GradientBooster) {
        let index = |index: usize| u32::try_from(index).expect("there are fewer nodes and features than 2^32");
        self.trees.extend(booster.trees.iter().map(|tree| {
            let nodes = tree.nodes.iter().map(|node| match node.is_leaf {
                true => Node { feature: 0, value: f64::from(node.weight_value), left: 0, right: 0 },
                false => Node {
                    feature: index(node.split_feature),
                    value: node.split_value,
                    left: index(node.left_child),
                    right: index(node.right_child),
                },
            });
            Tree(nodes.collect())
        }));
    }

    /// Returns the rows that the trees read and their length, with one row per output.
    pub(crate) fn rows(&self, inputs: &Inputs) -> (Vec<f32>, usize) {
        let [count, features] = inputs.rows.dims();
        let rows = to_vec(inputs.rows.clone());
        let (context, decisions) = match &inputs.context {
            None => (vec![], vec![0; count]),
            Some((context, decisions)) => {
                let data = decisions.clone().into_data();
                (to_vec(context.clone()), data.iter::<i64>().map(|decision| decision as usize).collect())
            }
        };
        let shared = inputs.context.as_ref().map_or(0, |(context, _)| context.dims()[1]);
        let choices = if self.outputs > 1 { self.outputs } else { 0 };
        let width = features + shared + choices;
        let mut filled = Vec::with_capacity(count * self.outputs * width);
        for (row, decision) in rows.chunks_exact(features).zip(decisions) {
            for output in 0..self.outputs {
                filled.extend_from_slice(row);
                filled.extend_from_slice(&context[decision * shared..][..shared]);
                filled.extend((0..choices).map(|choice| f32::from(u8::from(choice == output))));
            }
        }
        (filled, width)
    }

    /// Returns the values of rows created by [`BoostedTrees::rows`].
    pub(crate) fn values(&self, rows: &[f32], width: usize) -> Vec<f32> {
        let value = |row: &[f32]| self.trees.iter().map(|tree| tree.value(row)).sum::<f64>() as f32;
        rows.par_chunks_exact(width).with_min_len(ROWS).map(value).collect()
    }

    /// Computes the outputs in row-major order, with shape (rows, outputs).
    pub fn outputs(&self, inputs: &Inputs) -> Vec<f32> {
        let (rows, width) = self.rows(inputs);
        self.values(&rows, width)
    }
}

/// Creates the agent in a weight file written when training on a task.
///
/// # Errors
/// Returns an error if the file is damaged or contains an agent of another task.
pub fn load_agent(
    task: &dyn TrainingTask,
    name: &str,
    file: &[u8],
    scores: ScoreKind,
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
    Ok(task.agent(name, &models, scores))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::training_device;
    use crate::network::{NetworkConfig, matrix};
    use crate::tasks;
    use burn::prelude::*;
    use burn::tensor::TensorData;
    use forust_ml::Matrix;
    use forust_ml::objective::ObjectiveType;
    use houseway_env::gym::VecEnv;
    use houseway_env::registry;
    use proptest::prelude::*;

    #[test]
    fn preferences_become_probabilities() {
        let scores = vec![1.0, f32::NAN, 1.0 + 3f32.ln(), f32::NAN, 900.0, f32::NAN];
        let Scores::Probabilities(found) = ScoreKind::Preferences.scores(scores.clone(), 3) else { panic!() };
        for (found, expected) in found.iter().zip([0.25, 0.0, 0.75, 0.0, 1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
        }
        let Scores::Values(values) = ScoreKind::Values.scores(scores.clone(), 3) else { panic!() };
        assert_eq!(values[4], 900.0);
    }

    #[test]
    fn rows_contain_the_context_and_the_output() {
        let device = playing_device();
        let decision = Tensor::from_data(TensorData::new(vec![1i64, 0], [2]), &device);
        let context = Some((matrix(&[7.0, 8.0], 2, &device), decision));
        let inputs = Inputs { rows: matrix(&[1.0, 2.0, 3.0, 4.0], 2, &device), context };
        let (rows, width) = BoostedTrees::new(1).rows(&inputs);
        assert_eq!((rows, width), (vec![1.0, 2.0, 8.0, 3.0, 4.0, 7.0], 3));
        let (rows, width) = BoostedTrees::new(2).rows(&Inputs { context: None, ..inputs });
        assert_eq!((&rows[..8], width), (&[1.0, 2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 1.0][..], 4));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn values_are_those_of_the_booster(data in prop::collection::vec((0..5i32, 0..9i32, -9..9i32), 30..80)) {
            let rows: Vec<f32> = data.iter().flat_map(|row| [row.0 as f32, row.1 as f32 / 8.0]).collect();
            let column = |column| rows.iter().skip(column).step_by(2).map(|&x| f64::from(x));
            let columns: Vec<f64> = column(0).chain(column(1)).collect();
            let targets: Vec<f64> = data.iter().map(|row| row.2.into()).collect();
            let matrix = Matrix::new(&columns, data.len(), 2);
            let mut booster = GradientBooster::default().set_base_score(0.0).set_initialize_base_score(false);
            booster.objective_type = ObjectiveType::SquaredLoss;
            booster.fit_unweighted(&matrix, &targets, None).unwrap();
            let mut trees = BoostedTrees::new(1);
            trees.add(&booster);
            let again: BoostedTrees = serde_json::from_str(&serde_json::to_string(&trees).unwrap()).unwrap();
            prop_assert_eq!(&again, &trees);
            prop_assert!(trees.len() == booster.trees.len() && !trees.is_empty());
            for (found, expected) in trees.values(&rows, 2).iter().zip(booster.predict(&matrix, false)) {
                prop_assert!((f64::from(*found) - expected).abs() < 1e-4);
            }
        }
    }

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
                    let loaded = load_agent(&*task, "x", &bytes, scores).unwrap();
                    let (one, other) = (&*saved, &*loaded);
                    let [one, other] = [one, other].map(|agent| agent.choose(observations, masks));
                    assert_eq!(one.actions, other.actions, "{} {size:?} {feedback:?}", game.name);
                    let greedy = load_agent(&*task, "y", &bytes, ScoreKind::Unknown).unwrap();
                    let greedy = greedy.choose(observations, masks);
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
            load_agent(&*task, "x", bytes, ScoreKind::Values).map(|_| ()).unwrap_err().to_string()
        };
        let other = save("asian-stud", &[]);
        for game in ["joker-seven", "pai-gow-poker", "ultimate-holdem"] {
            let error = load(game, &other);
            assert!(error.contains("a network for another task, such as another game"), "{game}: {error}");
        }
        let among = load("pai-gow-poker", &save("pai-gow-poker", &[("among", "legal")]));
        assert!(among.contains("its among is \"legal\" instead of \"contenders\""), "{among}");
        let damaged = load("asian-stud", &other[..other.len() - 4]);
        assert!(damaged.contains("damaged"), "{damaged}");
    }
}
