//! Training: deal, see what every decision would have earned, regress, until the last step. Or play, and follow the gradient
//! of the result.
//!
//! Of the regression: the value of waiting is what the hand earns if it goes on as the networks play at that step. On the
//! river the other decision is a fold, whose value is known; so the river is learned from the first step on, the flop from
//! it, and the start from both. A network learns from the deals in which its decision is come to, so that it is good where it
//! matters.

use super::config::TrainConfig;
use super::deals::{Deals, FOLD, ROW, deal};
use super::network::{Networks, PlayerNetwork, plays, tensor};
use super::policy::{LearnedPolicy, start_rows};
use crate::checkpoint::TrainState;
use crate::config::MethodKind;
use crate::decisions::policy_gradient::PolicyGradient;
use crate::decisions::{Course, Perceptron};
use crate::method::{Loss, Method, Named};
use crate::metrics::MetricSink;
use crate::network::training_device;
use crate::train::{Learner, TrainError};
use burn::module::Module;
use burn::prelude::*;
use houseway_env::gym::{Env, EnvError};
use houseway_env::rules::RuleSet;
use houseway_env::ultimate_holdem::{Game, UltimateHoldem, UltimateHoldemOptions};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, sync_channel};

/// A training at its end.
pub struct Trained {
    /// The networks.
    pub networks: Networks,
    /// Where it stands; `state.step` is below the configured steps if it was asked to stop.
    pub state: TrainState,
    /// Whether the last step was reached.
    pub finished: bool,
}

/// Batches that wait for the learner.
const AHEAD: usize = 2;
/// One deal in so many teaches the start, which has 169 kinds of hands alone.
const STARTS: usize = 4;
/// Bounds of what is learned, by stage, in antes. Nothing near a decision is beyond; a royal flush is, and would drown the rest.
const BOUNDS: [f32; 3] = [10.0, 10.0, 1.5];

/// Trains an agent for a game; `evaluate` measures it now and then. Ends at the last step, or when `stop` is raised; called
/// again with the same arguments it goes on from the checkpoint and ends with the same weights, to the byte.
///
/// # Errors
/// If the configuration, the checkpoint or the sink fails.
pub fn train(
    config: &TrainConfig,
    seed: u64,
    game: &Arc<Game>,
    evaluate: &mut dyn FnMut(&LearnedPolicy<'_>) -> Named,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<Trained, TrainError> {
    config.check().map_err(TrainError::Config)?;
    let mut measure = |networks: &Networks| evaluate(&LearnedPolicy::new("learner", game, networks));
    match config.method {
        MethodKind::AllAction => regress(config, seed, game, &mut measure, sink, checkpoints, stop),
        MethodKind::PolicyGradient => follow(config, seed, game, &mut measure, sink, checkpoints, stop),
    }
}

/// Regression on all actions.
fn regress(
    config: &TrainConfig,
    seed: u64,
    game: &Game,
    measure: &mut dyn FnMut(&Networks) -> Named,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<Trained, TrainError> {
    let device = training_device();
    let network = PlayerNetwork::new(config.network, seed, &device);
    let name = config.hash(seed, &game.rules().hash());
    let mut learner = Learner::begin(config.schedule(), name, network, checkpoints)?;
    let first = learner.steps_done();
    std::thread::scope(|scope| {
        let (sender, batches) = sync_channel(AHEAD);
        scope.spawn(move || {
            // A learner that has gone needs no more batches.
            (first..config.steps).try_for_each(|step| sender.send(deal(game, config, seed, step)))
        });
        let mut method = Regression { batches, starts: start_rows(game), device };
        let mut measure = |network: &PlayerNetwork| measure(&Networks::OfDecisions(network.clone()));
        learner.run(&mut method, &mut measure, sink, checkpoints, stop)
    })?;
    let end = learner.end();
    Ok(Trained { networks: Networks::OfDecisions(end.network), state: end.state, finished: end.finished })
}

/// Policy gradient on the environment.
fn follow(
    config: &TrainConfig,
    seed: u64,
    game: &Arc<Game>,
    measure: &mut dyn FnMut(&Networks) -> Named,
    sink: &mut dyn MetricSink,
    checkpoints: Option<&Path>,
    stop: &AtomicBool,
) -> Result<Trained, TrainError> {
    let device = training_device();
    let env = UltimateHoldem::new(Arc::clone(game));
    let outputs = env.action_space().n() * config.method.outputs();
    let network = Perceptron::new(config.network, ROW, outputs, seed, &device);
    let course = Course { env, options: UltimateHoldemOptions::default(), hash: game.rules().hash() };
    let mut learner = Learner::begin(config.schedule(), config.hash(seed, &course.hash), network, checkpoints)?;
    let mut method = PolicyGradient::new(&course, &config.of_rounds(), seed, &device)?;
    let mut measure = |network: &Perceptron| measure(&Networks::OfActions(network.clone()));
    learner.run(&mut method, &mut measure, sink, checkpoints, stop)?;
    let end = learner.end();
    Ok(Trained { networks: Networks::OfActions(end.network), state: end.state, finished: end.finished })
}

/// All-action regression on batches that another thread deals.
struct Regression {
    batches: Receiver<Deals>,
    /// Rows of all kinds of starting hands.
    starts: Vec<f32>,
    device: Device,
}

impl Method<PlayerNetwork> for Regression {
    fn loss(&mut self, network: &PlayerNetwork, _: u64) -> Result<Loss, EnvError> {
        let deals = self.batches.recv().expect("the dealing thread sends a batch for every step");
        Ok(of_deals(network, &self.starts, &deals, &self.device))
    }
}

/// Rows of one stage and what playing them earned more.
#[derive(Default)]
struct Lesson {
    rows: Vec<f32>,
    targets: Vec<f32>,
}

impl Lesson {
    fn add(&mut self, row: &[f32], play: f32, other: f32, bound: f32) {
        self.rows.extend_from_slice(row);
        self.targets.push((play - other).clamp(-bound, bound));
    }

    /// The mean squared error of a network.
    fn error(&self, network: &Perceptron, device: &Device) -> Option<Tensor<1>> {
        if self.targets.is_empty() {
            return None;
        }
        let values = network.forward(tensor(&self.rows, ROW, device));
        Some((values - tensor(&self.targets, 1, device)).powi_scalar(2).mean())
    }
}

/// The sum of the errors of the three networks on a batch of deals.
fn of_deals(network: &PlayerNetwork, starts: &[f32], deals: &Deals, device: &Device) -> Loss {
    let hands = deals.kinds.len();
    let (now, plain) = (network.valid(), Device::flex());
    let start_plays = plays(&now.start, starts, &plain);
    // Deals that come to the flop, or teach the start what a check is worth.
    let wanted: Vec<usize> = (0..hands).filter(|&i| i % STARTS == 0 || !start_plays[deals.kinds[i]]).collect();
    let rows = |of: &[f32]| wanted.iter().flat_map(|&i| of[i * ROW..][..ROW].iter().copied()).collect::<Vec<f32>>();
    let flop_plays = plays(&now.flop, &rows(&deals.flops), &plain);
    let river_plays = plays(&now.river, &rows(&deals.rivers), &plain);
    let mut lessons: [Lesson; 3] = Default::default();
    let [start, flop, river] = &mut lessons;
    for ((&i, on_flop), on_river) in wanted.iter().zip(flop_plays).zip(river_plays) {
        let [at_once, two, one] = deals.plays[i];
        let waits = if on_river { one } else { FOLD };
        let checks = if on_flop { two } else { waits };
        let row = |of: &'_ [f32], i: usize| of[i * ROW..][..ROW].to_vec();
        if i % STARTS == 0 {
            start.add(&row(starts, deals.kinds[i]), at_once, checks, BOUNDS[0]);
        }
        if !start_plays[deals.kinds[i]] {
            flop.add(&row(&deals.flops, i), two, waits, BOUNDS[1]);
            if !on_flop {
                river.add(&row(&deals.rivers, i), one, FOLD, BOUNDS[2]);
            }
        }
    }
    let networks = [&network.start, &network.flop, &network.river];
    let errors = lessons.iter().zip(networks).filter_map(|(lesson, network)| lesson.error(network, device));
    let loss = errors.reduce(|a, b| a + b).expect("every batch teaches the start");
    Loss { loss, hands: hands as u64, values: vec![] }
}
