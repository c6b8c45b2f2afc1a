//! Small multilayer perceptrons, their initial weights and their weight files.
//!
//! A [`Network`] reads rows of features, with one row either per decision or per action. If there is one row per
//! action, each decision also has shared features, called its context. The first layer adds the two parts, so a context
//! is multiplied once per decision rather than once per row. The method decides what the outputs mean, such as values
//! or preferences. A linear model is a network without hidden layers.

mod size;
mod stored;

pub use size::NetworkConfig;
pub use stored::{Metadata, WeightsError};

use crate::checkpoint::MAX_FILE;
use crate::device::playing_device;
use burn::module::{Module, ModuleVisitor, Param, ParamId};
use burn::nn::Linear;
use burn::prelude::*;
use burn::store::{ModuleSnapshot, SafetensorsStore};
use burn::tensor::TensorData;
use burn::tensor::activation::relu;
use burn::tensor::kind::Numeric;
use houseway_env::files;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

/// The maximum number of terms of a sum in a matrix product. The library splits longer sums into blocks whose size depends
/// on the processor's caches.
const MAX_TERMS: usize = 512;

/// The library may compute products with at most this many elements, or with a single row or column, as dot products.
/// These are summed in as many parts as the processor's vectors have lanes.
const MAX_DOTS: usize = 256;

/// The minimum number of rows, inputs and outputs of a product. It could be 2, but then gradients would be slower.
const MIN_SIZE: usize = 3;

/// A multilayer perceptron with rectified linear units. In weight files, its parameters are named after the fields.
#[derive(Module, Debug)]
pub struct Network {
    /// In networks with a context, this layer and `row` form the first layer. In linear models, this is the context's
    /// contribution to the outputs.
    context: Option<Linear>,
    row: Option<Linear>,
    hidden: Vec<Linear>,
    head: Linear,
    /// An additional linear term for all outputs. The first output consists only of this term.
    linear: Option<Linear>,
}

/// The networks that make up an agent.
#[derive(Module, Debug)]
pub struct Networks {
    /// A single network, or one for each kind of decision.
    pub parts: Vec<Network>,
    /// The network that estimates the values of decisions during training, for methods that have one. Agents play
    /// without it.
    pub critic: Option<Network>,
    /// The names of the parts in weight files. Empty for a single network, whose parameters have no prefix.
    #[module(skip)]
    names: &'static [&'static str],
}

impl From<Network> for Networks {
    fn from(network: Network) -> Networks {
        Networks { parts: vec![network], critic: None, names: &[] }
    }
}

impl Networks {
    /// Creates a set of named networks.
    ///
    /// # Panics
    /// Panics if the number of names differs from the number of networks.
    pub fn named(names: &'static [&'static str], parts: Vec<Network>) -> Networks {
        assert_eq!(names.len(), parts.len(), "every network has a name");
        Networks { parts, critic: None, names }
    }

    /// Adds a critic, which is the first of the given networks.
    #[must_use]
    pub fn with_critic(self, critic: Networks) -> Networks {
        Networks { critic: critic.parts.into_iter().next(), ..self }
    }

    /// Returns the networks that an agent needs to play.
    #[must_use]
    pub fn without_critic(self) -> Networks {
        Networks { critic: None, ..self }
    }

    /// Writes the parameters to a safetensors file with reproducible bytes and a checksum, and replaces an existing file
    /// atomically. Matrices have the shape (inputs, outputs).
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn save_weights(&self, path: &Path, metadata: &[(&str, &str)]) -> Result<(), String> {
        let new = path.with_extension("new.safetensors");
        let store = SafetensorsStore::from_file(&new).overwrite(true);
        let rename = |store: SafetensorsStore, i: usize| {
            let name = self.names.get(i).map(|name| format!("{name}.")).unwrap_or_default();
            store.with_key_remapping(format!(r"^parts\.{i}\."), name)
        };
        let store = (0..self.parts.len()).fold(store, rename);
        let mut store = metadata.iter().fold(store, |store, (key, value)| store.metadata(*key, *value));
        let failed = |error: &dyn Display| format!("{}: {error}; check that the folder is writable", path.display());
        files::remove(&new).map_err(|error| failed(&error))?;
        self.save_into(&mut store).map_err(|error| failed(&error))?;
        let sealed = files::read(&new, MAX_FILE).and_then(|bytes| stored::sealed(&bytes));
        // The store's file can only be read by its owner, and would stay so. Others should be able to play the agent, too.
        sealed.and_then(|bytes| files::replace(path, &new, &bytes)).map_err(|error| failed(&error))
    }
}

impl Networks {
    /// Moves all weights toward the weights of `other`, which must have the same shapes. The result is `decay` times
    /// the current weights plus `1 - decay` times the others. Critics aren't averaged.
    pub fn average(&mut self, other: &Networks, decay: f64) {
        for (own, other) in self.parts.iter_mut().zip(&other.parts) {
            own.layers_mut().zip(other.layers()).for_each(|(own, other)| average(own, other, decay));
        }
    }

    /// Returns the networks that agents play with, on the CPU and without automatic differentiation.
    pub fn playing(&self) -> Networks {
        self.valid().to_device(&playing_device())
    }

    /// Returns `true` if every weight is a finite number.
    pub fn is_finite(&self) -> bool {
        struct Finite(bool);
        impl ModuleVisitor for Finite {
            fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
                let values = param.val().into_data().try_to_vec::<f32>().expect("networks compute with f32");
                self.0 &= values.iter().all(|value| value.is_finite());
            }
        }
        let mut finite = Finite(true);
        self.visit(&mut finite);
        finite.0
    }
}

/// The network inputs on a device.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The row features, with shape (rows, features).
    pub rows: Tensor<2>,
    /// The context features, with shape (decisions, features), and the index of the decision that each row belongs to,
    /// with shape (rows).
    pub context: Option<(Tensor<2>, Tensor<1, Int>)>,
}

impl Inputs {
    /// Creates inputs with `count` rows and no context.
    pub fn new(rows: &[f32], count: usize, device: &Device) -> Inputs {
        Inputs { rows: matrix(rows, count, device), context: None }
    }
}

/// Creates a matrix with `count` rows.
pub(crate) fn matrix(values: &[f32], count: usize, device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values.to_vec(), [count, values.len() / count]), device)
}

/// Returns the tensor's values in row-major order.
pub(crate) fn to_vec(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().try_to_vec().expect("networks compute with f32")
}

/// Returns the value of a tensor with one element.
pub(crate) fn number(tensor: &Tensor<1>) -> f64 {
    tensor.clone().into_scalar::<f32>().into()
}

/// A source of initial weights. It has its own random number generator because the tensor library's generator is shared
/// by the whole process.
pub struct WeightSource<'a> {
    rng: ChaCha8Rng,
    seed: u64,
    next_id: u64,
    device: &'a Device,
}

impl<'a> WeightSource<'a> {
    /// Creates a source whose weights are drawn from a seed.
    pub fn new(seed: u64, device: &'a Device) -> WeightSource<'a> {
        WeightSource { rng: ChaCha8Rng::seed_from_u64(seed), seed, next_id: 0, device }
    }

    /// Creates a layer with zero biases and uniform weights with variance `gain / inputs`. Parameters are numbered from
    /// 1 in call order, so the same seed always produces the same file.
    fn linear(&mut self, inputs: usize, outputs: usize, bias: bool, gain: f64) -> Linear {
        let bound = (3.0 * gain / inputs as f64).sqrt() as f32;
        let weight: Vec<f32> = (0..inputs * outputs).map(|_| self.rng.random_range(-bound..bound)).collect();
        let weight = matrix(&weight, inputs, self.device);
        let bias = bias.then(|| Tensor::<1>::from_data(TensorData::new(vec![0f32; outputs], [outputs]), self.device));
        Linear {
            weight: Param::initialized(self.id(), weight.require_grad()),
            bias: bias.map(|bias| Param::initialized(self.id(), bias.require_grad())),
        }
    }

    fn id(&mut self) -> ParamId {
        self.next_id += 1;
        ParamId::from(self.next_id)
    }
}

/// Returns the gain (the variance times the number of inputs) for a first layer with mostly one-hot inputs. It assumes
/// that about a dozen inputs are set at a time.
pub fn one_hot_gain(features: usize) -> f64 {
    2.0 * features as f64 / 12.0
}

impl Network {
    /// Returns the network that agents play with, on the CPU and without automatic differentiation.
    pub fn playing(&self) -> Network {
        self.valid().to_device(&playing_device())
    }

    /// Creates a network whose rows have no context. `first_gain` is the variance of the first layer's weights times
    /// its number of inputs. It should be 2 for inputs with unit variance.
    pub fn new(
        size: NetworkConfig,
        features: usize,
        outputs: usize,
        first_gain: f64,
        weights: &mut WeightSource<'_>,
    ) -> Network {
        let NetworkConfig { width, layers } = size;
        if size == NetworkConfig::LINEAR {
            let head = weights.linear(features, outputs, true, 0.01);
            return Network { context: None, row: None, hidden: vec![], head, linear: None };
        }
        let mut hidden = vec![weights.linear(features, width, true, first_gain)];
        hidden.extend((1..layers).map(|_| weights.linear(width, width, true, 2.0)));
        let head = weights.linear(width, outputs, true, 0.01);
        Network { context: None, row: None, hidden, head, linear: None }
    }

    /// Creates a network that reads mostly one-hot rows and their context.
    pub fn with_context(
        size: NetworkConfig,
        features: usize,
        context: usize,
        outputs: usize,
        weights: &mut WeightSource<'_>,
    ) -> Network {
        let NetworkConfig { width, layers } = size;
        if size == NetworkConfig::LINEAR {
            let context = weights.linear(context, outputs, false, 0.01);
            return Network { context: Some(context), ..Network::new(size, features, outputs, 1.0, weights) };
        }
        Network {
            context: Some(weights.linear(context, width, false, 1.0)),
            row: Some(weights.linear(features, width, true, one_hot_gain(features))),
            hidden: (1..layers).map(|_| weights.linear(width, width, true, 2.0)).collect(),
            head: weights.linear(width, outputs, true, 0.01),
            linear: None,
        }
    }

    fn layers(&self) -> impl Iterator<Item = &Linear> {
        let first = self.context.iter().chain(&self.row);
        first.chain(&self.hidden).chain([&self.head]).chain(&self.linear)
    }

    fn layers_mut(&mut self) -> impl Iterator<Item = &mut Linear> {
        let first = self.context.iter_mut().chain(&mut self.row);
        first.chain(&mut self.hidden).chain([&mut self.head]).chain(&mut self.linear)
    }

    /// Adds a linear term to all outputs and makes it the only term of the first output, so that the network can
    /// represent a linear function exactly. The term's weights are drawn with the seed of `weights` plus one.
    #[must_use]
    pub fn with_linear(mut self, features: usize, outputs: usize, weights: &mut WeightSource<'_>) -> Network {
        let seed = weights.seed.wrapping_add(1);
        let mut further = WeightSource { next_id: weights.next_id, ..WeightSource::new(seed, weights.device) };
        self.linear = Some(further.linear(features, outputs, false, 1e-6));
        weights.next_id = further.next_id;
        self
    }

    /// Computes the outputs from the inputs of the first layer in `hidden`.
    fn above(&self, first: Tensor<2>) -> Tensor<2> {
        let last = self.hidden.iter().fold(first, |below, layer| relu(product(layer, below)));
        product(&self.head, last)
    }

    /// Computes the outputs, with shape (rows, outputs). Neither they nor their gradients depend on the processor.
    pub fn forward(&self, inputs: &Inputs) -> Tensor<2> {
        // With zeros added, no product has a single row or column, or few elements.
        let mut network = self.clone();
        network.layers_mut().for_each(pad);
        let [width, _] = network.head.weight.dims();
        let rows = padded(inputs.rows.clone(), 1, MIN_SIZE);
        let rows = padded(rows, 0, MIN_SIZE.max(MAX_DOTS / width + 1));
        let [count, _] = rows.dims();
        let shared = network.context.as_ref().zip(inputs.context.as_ref()).map(|(layer, (context, decision))| {
            let context = padded(context.clone(), 1, MIN_SIZE);
            let [decisions, _] = context.dims();
            let shared = in_blocks(decisions, |block| product(layer, context.clone().slice_dim(0, block)));
            (shared, padded(decision.clone(), 0, count))
        });
        let outputs = in_blocks(count, |block| {
            let shared = shared
                .as_ref()
                .map(|(shared, decision)| shared.clone().select(0, decision.clone().slice_dim(0, block.clone())));
            network.outputs(rows.clone().slice_dim(0, block), shared)
        });
        let ([count, _], [_, places]) = (inputs.rows.dims(), self.head.weight.dims());
        match outputs.dims() == [count, places] {
            true => outputs,
            false => outputs.slice([0..count, 0..places]),
        }
    }

    /// Computes the outputs from the rows and from the context's contribution to the first layer.
    fn outputs(&self, rows: Tensor<2>, shared: Option<Tensor<2>>) -> Tensor<2> {
        let outputs = match (&self.row, shared) {
            (Some(row), Some(shared)) => self.above(relu(product(row, rows.clone()) + shared)),
            (None, Some(shared)) => self.above(rows.clone()) + shared,
            (_, None) => self.above(rows.clone()),
        };
        let Some(linear) = &self.linear else { return outputs };
        let [_, count] = outputs.dims();
        let mask: Vec<f32> = (0..count).map(|output| if output == 0 { 0.0 } else { 1.0 }).collect();
        let mask = matrix(&mask, 1, &outputs.device());
        outputs * mask + product(linear, rows)
    }
}

/// Divides a range into about equal blocks of at most [`MAX_TERMS`].
fn blocks(count: usize) -> impl Iterator<Item = Range<usize>> {
    let blocks = count.div_ceil(MAX_TERMS);
    (0..blocks).map(move |i| i * count / blocks..(i + 1) * count / blocks)
}

/// Computes the outputs for blocks of rows, because the gradients of weights are sums over rows.
fn in_blocks(rows: usize, outputs: impl Fn(Range<usize>) -> Tensor<2>) -> Tensor<2> {
    match rows {
        ..=MAX_TERMS => outputs(0..rows),
        _ => Tensor::cat(blocks(rows).map(outputs).collect(), 0),
    }
}

/// Computes the outputs of a layer, with sums of at most [`MAX_TERMS`] terms.
fn product(layer: &Linear, rows: Tensor<2>) -> Tensor<2> {
    let weight = layer.weight.val();
    let [inputs, outputs] = weight.dims();
    if inputs.max(outputs) <= MAX_TERMS {
        return layer.forward(rows);
    }
    // The gradients of the inputs are sums over the outputs.
    let columns = blocks(outputs).map(|columns| {
        let terms = blocks(inputs).map(|terms| {
            let weight = weight.clone().slice([terms.clone(), columns.clone()]);
            rows.clone().slice_dim(1, terms).matmul(weight)
        });
        terms.reduce(|sum, product| sum + product).expect("a layer has inputs")
    });
    let products = Tensor::cat(columns.collect(), 1);
    match &layer.bias {
        Some(bias) => products + bias.val().unsqueeze(),
        None => products,
    }
}

/// Appends zeros until a layer has at least [`MIN_SIZE`] inputs and outputs.
fn pad(layer: &mut Linear) {
    let weight = padded(padded(layer.weight.val(), 0, MIN_SIZE), 1, MIN_SIZE);
    layer.weight = Param::initialized(layer.weight.id, weight);
    if let Some(bias) = &mut layer.bias {
        *bias = Param::initialized(bias.id, padded(bias.val(), 0, MIN_SIZE));
    }
}

/// Appends zeros until a dimension has at least the given size.
pub(crate) fn padded<const D: usize, K: Numeric>(tensor: Tensor<D, K>, dim: usize, size: usize) -> Tensor<D, K> {
    let mut dims = tensor.dims();
    if dims[dim] >= size {
        return tensor;
    }
    dims[dim] = size - dims[dim];
    let zeros = Tensor::zeros(dims, &tensor.device());
    Tensor::cat(vec![tensor, zeros], dim)
}

/// Moves a layer's parameters toward another layer's (see [`Networks::average`]).
fn average(own: &mut Linear, other: &Linear, decay: f64) {
    fn mean<const D: usize>(own: &Param<Tensor<D>>, other: &Param<Tensor<D>>, decay: f64) -> Param<Tensor<D>> {
        let mean = own.val().detach() * decay + other.val().detach() * (1.0 - decay);
        Param::initialized(own.id, mean.detach().require_grad())
    }
    own.weight = mean(&own.weight, &other.weight, decay);
    own.bias = own.bias.as_ref().zip(other.bias.as_ref()).map(|(own, other)| mean(own, other, decay));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::training_device;

    #[test]
    fn an_average_lies_between_the_weights() {
        let device = training_device();
        let network = |seed| {
            let (size, mut weights) = (NetworkConfig { width: 3, layers: 2 }, WeightSource::new(seed, &device));
            Networks::from(Network::with_context(size, 4, 2, 1, &mut weights).with_linear(4, 1, &mut weights))
        };
        let numbers = |networks: &Networks| {
            let layers = networks.parts[0].layers();
            layers.flat_map(|layer| to_vec(layer.weight.val())).collect::<Vec<f32>>()
        };
        let (mut own, other) = (network(1), network(2));
        let expected: Vec<f32> =
            numbers(&own).iter().zip(numbers(&other)).map(|(own, other)| 0.75 * own + 0.25 * other).collect();
        own.average(&other, 0.75);
        // The layers are the context, the row, a hidden layer, the head, and the linear part.
        assert_eq!(expected.len(), 2 * 3 + 4 * 3 + 3 * 3 + 3 + 4);
        assert!(numbers(&own).iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6));
        own.average(&other, 0.0);
        assert_eq!(numbers(&own), numbers(&other));
    }

    #[test]
    fn outputs_in_blocks_are_those_of_the_formula() {
        let device = training_device();
        for (features, outputs, rows) in [(1_100, 1, 1), (1, 600, 3), (2, 4, 1_100), (700, 515, 2)] {
            let mut weights = WeightSource::new(6, &device);
            let network = Network::new(NetworkConfig::LINEAR, features, outputs, 1.0, &mut weights);
            let weights = to_vec(network.head.weight.val());
            let inputs: Vec<f32> = (0..rows * features).map(|i| (i % 7) as f32 - 3.0).collect();
            let found = to_vec(network.forward(&Inputs::new(&inputs, rows, &device)));
            assert_eq!(found.len(), rows * outputs);
            for (i, found) in found.into_iter().enumerate() {
                let row = inputs.chunks(features).nth(i / outputs).unwrap();
                let column = weights.chunks(outputs).map(|weights| weights[i % outputs]);
                let expected: f32 = row.iter().zip(column).map(|(input, weight)| input * weight).sum();
                assert!((found - expected).abs() < 1e-4, "{found} instead of {expected}");
            }
        }
    }

    #[test]
    fn a_linear_model_adds_the_context() {
        let device = training_device();
        let mut weights = WeightSource::new(4, &device);
        let network = Network::with_context(NetworkConfig::LINEAR, 2, 1, 1, &mut weights);
        let [context, head] = [0, 1].map(|i| to_vec(network.layers().nth(i).unwrap().weight.val()));
        let (rows, contexts) = ([1.0, 2.0, -3.0, 0.5], [7.0, -2.0]);
        let decision = Tensor::from_data(TensorData::new(vec![1i64, 0], [2]), &device);
        let context_of = Some((matrix(&contexts, 2, &device), decision));
        let outputs = to_vec(network.forward(&Inputs { rows: matrix(&rows, 2, &device), context: context_of }));
        for (i, row) in rows.chunks(2).enumerate() {
            let expected = row[0] * head[0] + row[1] * head[1] + contexts[1 - i] * context[0];
            assert!((outputs[i] - expected).abs() < 1e-5);
        }
    }
}
