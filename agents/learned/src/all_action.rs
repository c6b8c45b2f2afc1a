//! All-action regression: the network learns the value of every candidate setting.
//!
//! The cards that settle one setting settle all of them, so a deal tells the reward of every action, and the 46 cards that
//! the player does not hold make several banker hands, each as likely as any other. The target of a candidate is its mean
//! reward against these; the loss is
//!
//! - the squared error of the *differences* between the candidates of a hand (the error less its mean over the hand), which
//!   is what a decision rests on, and from which the luck that all candidates share has gone; and
//! - with a small weight, the squared mean error of the hand, so that the outputs are values and not only an order.
//!
//! Batches depend on the seed and the step alone, so other threads prepare the next ones while the network learns.

use crate::candidates::CandidateBatch;
use crate::config::TrainConfig;
use crate::encode::encode;
use crate::method::{Loss, Method, step_stream};
use crate::network::Scorer;
use burn::prelude::*;
use burn::tensor::TensorData;
use houseway_env::gym::EnvError;
use houseway_env::pai_gow::{Candidates, Dealer, Game, Hand, ProfileStrategy, SetHand, Setting, settings_in};
use rand_pcg::Pcg64;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

/// Weight of the hand's mean error beside the errors of differences.
const VALUE_WEIGHT: f32 = 0.1;

/// Batches that wait for the learner. Two keep both sides busy; more only take memory.
const AHEAD: usize = 2;

/// Where hands and the rewards of their settings come from.
pub trait Deals: Sync {
    /// The game.
    fn game(&self) -> &Game;

    /// Deals a hand to the learner, and sets as many hands of the other side as `others` has room for, each as likely as any
    /// that the learner's leaves.
    fn deal(&self, rng: &mut Pcg64, others: &mut [SetHand]) -> Hand;

    /// The mean reward of each setting against these hands; NaN for fouls.
    fn rewards(&self, candidates: &Candidates, others: &[SetHand]) -> [f32; Setting::COUNT];
}

/// The learner is the player.
impl<B: ProfileStrategy + ?Sized> Deals for Dealer<'_, B> {
    fn game(&self) -> &Game {
        Dealer::game(self)
    }

    fn deal(&self, rng: &mut Pcg64, others: &mut [SetHand]) -> Hand {
        Dealer::deal(self, rng, others).hand()
    }

    fn rewards(&self, candidates: &Candidates, others: &[SetHand]) -> [f32; Setting::COUNT] {
        candidates.mean_rewards(Dealer::game(self), others)
    }
}

/// A batch of hands with something to decide, and the mean reward of each candidate.
struct Batch {
    step: u64,
    /// Hands dealt, those with a single candidate among them.
    hands: u64,
    candidates: CandidateBatch,
    targets: Vec<f32>,
}

/// All-action regression on batches prepared by a thread of its own.
pub struct AllAction {
    batches: Receiver<Batch>,
    device: Device,
}

impl AllAction {
    /// Starts to prepare batches from `first_step` on, in a thread of `scope` that ends with this method or after the last
    /// step.
    pub fn start<'scope, D: Deals + ?Sized>(
        scope: &'scope Scope<'scope, '_>,
        deals: &'scope D,
        config: &TrainConfig,
        seed: u64,
        first_step: u64,
        device: &Device,
    ) -> AllAction {
        let (sender, batches) = sync_channel(AHEAD);
        let config = config.clone();
        scope.spawn(move || prepare_all(&sender, deals, &config, seed, first_step));
        AllAction { batches, device: device.clone() }
    }
}

fn prepare_all<D: Deals + ?Sized>(
    sender: &SyncSender<Batch>,
    deals: &D,
    config: &TrainConfig,
    seed: u64,
    first_step: u64,
) {
    for step in first_step..config.steps {
        // The learner has gone: there is nothing left to prepare for.
        if sender.send(prepare(deals, config, seed, step)).is_err() {
            return;
        }
    }
}

fn prepare<D: Deals + ?Sized>(deals: &D, config: &TrainConfig, seed: u64, step: u64) -> Batch {
    let mut rng = step_stream(seed, step);
    let mut batch = Batch { step, hands: 0, candidates: CandidateBatch::default(), targets: vec![] };
    let mut others = vec![SetHand::default(); config.bankers_per_hand];
    while batch.candidates.hands() < config.batch_hands {
        let hand = deals.deal(&mut rng, &mut others);
        let candidates = Candidates::new(deals.game(), hand);
        batch.hands += 1;
        let among = config.among.of(&candidates);
        if among.count_ones() < 2 {
            continue; // nothing to decide
        }
        encode(&mut batch.candidates, deals.game(), &candidates, among);
        let rewards = deals.rewards(&candidates, &others);
        batch.targets.extend(settings_in(among).map(|setting| rewards[setting.index()]));
    }
    batch
}

impl Method for AllAction {
    fn loss(&mut self, network: &Scorer, step: u64) -> Result<Loss, EnvError> {
        let batch = self.batches.recv().expect("the preparing thread sends a batch for every step");
        assert_eq!(batch.step, step, "batches come in the order of the steps");
        let (hands, most) = (batch.candidates.hands(), batch.candidates.most());
        let tensors = batch.candidates.tensors(&self.device);
        let mask = tensors.mask();
        let targets = TensorData::new(batch.candidates.pad(&batch.targets), [hands, most]);
        let targets = Tensor::<2>::from_data(targets, &self.device);
        let errors = (tensors.pad(network.forward(&tensors)) - targets) * mask.clone();
        let mean = errors.clone().sum_dim(1) / mask.clone().sum_dim(1);
        let differences = ((errors - mean.clone()) * mask).powi_scalar(2).sum() / hands as f32;
        let values = mean.powi_scalar(2).mean();
        let loss = differences + values * VALUE_WEIGHT;
        Ok(Loss { loss, hands: batch.hands, values: vec![] })
    }
}
