//! Ultimate Texas Hold'em with full information.
//!
//! A hand has up to three decisions: to play or wait, before and on the flop, and to play or fold on the river. The
//! cards that determine the result of one way to play a hand determine all the others, and the remaining cards form
//! many equally likely dealer hands. A single deal therefore gives the mean result of playing at each decision. Each
//! decision has its own network, which learns a single value, the advantage of playing over the alternative.
//!
//! The value of waiting is the result of the hand if the current networks make the remaining decisions. On the river,
//! the alternative is to fold, and its value is known. The river is therefore learned from the very first step, the
//! flop builds on the river, and the start builds on both. Each network learns from the deals that reach its decision,
//! so that it is accurate where it matters.
//!
//! Methods with bandit feedback play in the environment instead (see [`EnvTask`]).

use super::TaskEntry;
use super::environment::EnvTask;
use crate::config::TrainConfig;
use crate::device::playing_device;
use crate::methods::{AllAction, MethodConfig};
use crate::metrics::DealTotals;
use crate::model::{Model, ScoreKind};
use crate::network::{Inputs, Network, NetworkConfig, Networks, WeightSource, matrix, one_hot_gain};
use crate::task::{
    Agent, Episodes, Examples, Feedback, Regression, RewardBatch, RewardSource, TaskError, TrainingTask, step_stream,
};
use burn::prelude::*;
use houseway_env::cards::{Card, CardSet};
use houseway_env::gym::{Choices, Env, EnvError, MakeError, Policy};
use houseway_env::ultimate_holdem::observe::{Observation, features};
use houseway_env::ultimate_holdem::{Action, Game, Hole, PreflopPlay, Stage, UltimateHoldem};
use rand::Rng;
use rand::seq::SliceRandom;
use std::sync::{Arc, LazyLock};

/// The network names, in the order used by the stage features at the start of the `features` encoding.
const PARTS: [&str; 3] = ["start", "flop", "river"];
/// The task's entry.
pub const TASK: TaskEntry =
    TaskEntry { game: "ultimate-holdem", make, defaults, max_reward_samples: MAX_REWARD_SAMPLES };

/// Returns the default configuration.
pub fn defaults(method: MethodConfig) -> TrainConfig {
    let method = match method {
        MethodConfig::AllAction(defaults) => AllAction { reward_samples: MAX_REWARD_SAMPLES, ..defaults }.into(),
        other => other,
    };
    TrainConfig {
        steps: 4000,
        evaluate_every: 1000,
        checkpoint_every: 500,
        network: NetworkConfig { width: 128, layers: 2 },
        ..TrainConfig::new(method)
    }
}

/// Creates the task from a JSON object with the keys of [`from_config`](houseway_env::ultimate_holdem::from_config).
///
/// # Errors
/// Returns an error if a key or value is invalid, or if there is no such paytable.
pub fn make(config: &str) -> Result<Box<dyn TrainingTask>, MakeError> {
    let env = houseway_env::ultimate_holdem::from_config(config)?;
    if env.encoding() != Observation::Features {
        return Err(format!("observation = \"{}\": must be \"features\"", env.encoding()).into());
    }
    Ok(Box::new(HoldemTask::new(env)?))
}

/// The task of playing against the dealer.
pub struct HoldemTask {
    game: Arc<Game>,
    env: EnvTask,
}

impl HoldemTask {
    /// Creates the task for an environment, whose encoding is changed to `features`.
    ///
    /// # Errors
    /// Returns an error if the environment rejects its default options.
    pub fn new(env: UltimateHoldem) -> Result<HoldemTask, EnvError> {
        let game = Arc::clone(env.game());
        let env = env.with_encoding(Observation::Features);
        Ok(HoldemTask { game, env: EnvTask::new(Box::new(env), None, Observation::Features.name())? })
    }
}

impl TrainingTask for HoldemTask {
    fn hash(&self) -> String {
        self.env.hash()
    }

    fn environment(&self) -> Option<&dyn Env> {
        self.env.environment()
    }

    fn networks(
        &self,
        size: NetworkConfig,
        feedback: Feedback,
        outputs: usize,
        weights: &mut WeightSource<'_>,
    ) -> Networks {
        match feedback {
            Feedback::Paired | Feedback::FullInformation | Feedback::Redealing | Feedback::ExactLabels => {
                let parts = PARTS.iter().map(|_| Network::new(size, ROW, outputs, one_hot_gain(ROW), weights));
                Networks::named(&PARTS, parts.collect())
            }
            Feedback::Bandit => self.env.networks(size, feedback, outputs, weights),
        }
    }

    fn check_feedback(&self, feedback: Feedback) -> Result<(), TaskError> {
        match feedback {
            // If a policy soon learns to always play on the flop, no hands are left to learn the river from.
            Feedback::Paired => {
                let text = "the river cannot be learned from pairs of plays; use method = \"all-action\" or \
                            \"policy-gradient\"";
                Err(TaskError::Unsupported(text.to_owned()))
            }
            Feedback::ExactLabels => Err(TaskError::NoExactValues),
            _ => Ok(()),
        }
    }

    fn model_outputs(&self) -> Vec<usize> {
        vec![1; PARTS.len()]
    }

    fn agent(&self, name: &str, models: &[Model], scores: ScoreKind) -> Box<dyn Agent> {
        if models.len() < PARTS.len() {
            return self.env.agent(name, models, scores);
        }
        Box::new(StagePolicy::new(name, models))
    }

    fn reward_source(&self, batch: usize, samples: usize, seed: u64) -> Result<RewardSource, TaskError> {
        if samples > MAX_REWARD_SAMPLES {
            let text =
                format!("reward-samples = {samples}: must be at most {MAX_REWARD_SAMPLES}, the dealer hands in a deal");
            return Err(TaskError::Unsupported(text));
        }
        let (game, starts) = (Arc::clone(&self.game), Arc::from(start_rows(&self.game)));
        Ok(Box::new(move |step| Ok(Box::new(deal(&game, &starts, batch, samples, &mut step_stream(seed, step))))))
    }

    fn episodes(&self, lanes: usize) -> Result<Episodes, TaskError> {
        self.env.episodes(lanes)
    }
}

/// The length of a row. Each row is an observation in the `features` encoding.
const ROW: usize = features::LEN;

/// For each row, returns `true` if the model would play.
fn plays(model: &Model, rows: &[f32], device: &Device) -> Vec<bool> {
    if rows.is_empty() {
        return vec![];
    }
    let advantages = model.outputs(&Inputs::new(rows, rows.len() / ROW, device));
    advantages.into_iter().map(|advantage| advantage > 0.0).collect()
}

/// An agent with one model per decision. It reads the `features` encoding and plays for the maximum number of antes
/// if the advantage is positive.
pub struct StagePolicy {
    name: String,
    models: Vec<Model>,
    device: Device,
}

impl StagePolicy {
    fn new(name: &str, models: &[Model]) -> StagePolicy {
        StagePolicy { name: name.to_owned(), models: models.to_vec(), device: playing_device() }
    }
}

impl Policy for StagePolicy {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoding(&self) -> &str {
        Observation::Features.name()
    }

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Choices {
        let masks = masks.chunks_exact(Action::ALL.len());
        // The first legal action is to wait or fold, and the last one is to play.
        let mut actions: Vec<usize> = masks.clone().map(|mask| first_legal(mask.iter())).collect();
        for (stage, model) in self.models.iter().enumerate() {
            let rows = observations.chunks_exact(ROW).enumerate();
            let (places, rows): (Vec<usize>, Vec<&[f32]>) = rows.filter(|(_, row)| row[stage] == 1.0).unzip();
            for (place, plays) in places.into_iter().zip(plays(model, &rows.concat(), &self.device)) {
                if plays && let Some(mask) = masks.clone().nth(place) {
                    actions[place] = mask.len() - 1 - first_legal(mask.iter().rev());
                }
            }
        }
        actions.into()
    }
}

/// Returns the index of the first legal action.
fn first_legal<'a>(mut mask: impl Iterator<Item = &'a bool>) -> usize {
    mask.position(|&legal| legal).expect("an action is legal")
}

/// The maximum number of disjoint dealer hands in the 45 cards that the player has not seen on the river.
pub const MAX_REWARD_SAMPLES: usize = 22;
/// One deal in this many trains the start. This is enough because there are only 169 kinds of starting hands.
const STARTS: usize = 4;
/// The bounds on each stage's targets, in antes. They are far from the values that matter for decisions and keep a
/// royal flush from dominating all other deals.
const BOUNDS: [f32; 3] = [10.0, 10.0, 1.5];
/// The reward for folding in antes. A fold loses the Ante and the Blind.
const FOLD: f32 = Game::FOLD as f32 / 2.0;

/// Returns the maximum number of antes that may be played before the flop. The task ignores smaller plays, because a
/// hand that is worth playing before the flop is worth playing for the maximum.
pub fn max_preflop_play(game: &Game) -> i32 {
    match game.rules().preflop_play {
        PreflopPlay::Three => 3,
        PreflopPlay::Four | PreflopPlay::ThreeOrFour => 4,
    }
}

fn write_row(game: &Game, stage: Stage, hole: Hole, board: CardSet, row: &mut [f32]) {
    Observation::Features.write(game, stage, hole, board, board, row);
}

/// One hand of each kind, indexed by [`Hole::kind`].
static KINDS: LazyLock<Vec<Hole>> = LazyLock::new(|| {
    let mut kinds = vec![None; Hole::KINDS];
    let cards: Vec<Card> = CardSet::DECK_52.iter().collect();
    for (i, &a) in cards.iter().enumerate() {
        for &b in &cards[..i] {
            let hole = Hole::new(CardSet::EMPTY.with(a).with(b)).expect("two cards of the deck");
            kinds[hole.kind()].get_or_insert(hole);
        }
    }
    kinds.into_iter().flatten().collect()
});

/// Returns the rows for all kinds of starting hands, indexed by [`Hole::kind`].
fn start_rows(game: &Game) -> Vec<f32> {
    let mut rows = vec![0.0; Hole::KINDS * ROW];
    for (row, &hole) in rows.chunks_exact_mut(ROW).zip(KINDS.iter()) {
        write_row(game, Stage::Start, hole, CardSet::EMPTY, row);
    }
    rows
}

/// A batch of deals and the results of playing them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Deals {
    starts: Arc<[f32]>,
    /// The kind of starting hand in each deal.
    kinds: Vec<usize>,
    /// The concatenated rows for the flop.
    flops: Vec<f32>,
    /// The concatenated rows for the river.
    rivers: Vec<f32>,
    /// The mean results of each deal in antes when playing at the start, on the flop and on the river.
    plays: Vec<[f32; 3]>,
    /// The number of dealer hands that each result is averaged over.
    samples: u64,
}

/// Deals `batch` hands to the player, each with a board and `samples` dealer hands from the remaining cards.
fn deal(game: &Game, starts: &Arc<[f32]>, batch: usize, samples: usize, rng: &mut impl Rng) -> Deals {
    let mut deck: Vec<Card> = CardSet::DECK_52.iter().collect();
    let mut deals = Deals { starts: Arc::clone(starts), samples: samples as u64, ..Deals::default() };
    deals.flops.resize(batch * ROW, 0.0);
    deals.rivers.resize(batch * ROW, 0.0);
    for (flop_row, river_row) in deals.flops.chunks_exact_mut(ROW).zip(deals.rivers.chunks_exact_mut(ROW)) {
        deck.shuffle(rng);
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let hole = Hole::new(set(&deck[..2])).expect("two cards of the deck");
        let (flop, board) = (set(&deck[2..5]), set(&deck[2..7]));
        write_row(game, Stage::Flop, hole, flop, flop_row);
        write_row(game, Stage::River, hole, board, river_row);
        deals.kinds.push(hole.kind());
        let dealers = deck[7..].chunks_exact(2).take(samples);
        deals.plays.push(rewards(game, hole, board, dealers.map(set)));
    }
    deals
}

/// Returns the mean results of playing at the start, on the flop and on the river against these dealer hands.
fn rewards(game: &Game, hole: Hole, board: CardSet, dealers: impl ExactSizeIterator<Item = CardSet>) -> [f32; 3] {
    let ranking = game.on_board(board);
    let own = ranking.of(hole.set());
    let category = game.best().category(own);
    let antes = [max_preflop_play(game), 2, 1];
    let half_antes = 2.0 * dealers.len() as f32;
    let mut sums = [0; 3];
    for dealer in dealers {
        let end = game.end(own, ranking.of(dealer));
        sums.iter_mut().zip(antes).for_each(|(sum, antes)| *sum += game.showdown(end, category, antes));
    }
    sums.map(|sum| sum as f32 / half_antes)
}

/// The rows for one stage and the advantages of playing them.
#[derive(Default)]
struct Lesson {
    rows: Vec<f32>,
    targets: Vec<f32>,
    /// The number of advantages beyond their bound.
    clipped: u64,
    /// The number of results that no earlier lesson uses.
    results: u64,
}

impl Lesson {
    fn add(&mut self, row: &[f32], play: f32, other: f32, bound: f32) {
        let advantage = play - other;
        self.rows.extend_from_slice(row);
        self.targets.push(advantage.clamp(-bound, bound));
        self.clipped += u64::from(advantage.abs() > bound);
    }

    fn regression(&self, network: &Network, samples: u64, device: &Device) -> Option<Regression> {
        let count = self.targets.len();
        (count > 0).then(|| Regression {
            predictions: network.forward(&Inputs::new(&self.rows, count, device)),
            targets: matrix(&self.targets, count, device),
            mask: None,
            rewards: self.results * samples,
            clipped: Some(self.clipped),
        })
    }

    fn examples(self, part: usize, samples: u64) -> Option<Examples> {
        let count = self.targets.len();
        (count > 0).then(|| Examples {
            part,
            inputs: Inputs::new(&self.rows, count, &playing_device()),
            counts: vec![1; count],
            targets: self.targets,
            mask: None,
            rewards: self.results * samples,
        })
    }
}

impl Deals {
    /// Returns a lesson for each stage. `now` are the current models, which play the later stages.
    fn lessons(&self, now: &[Model]) -> [Lesson; 3] {
        let plain = playing_device();
        let start_plays = plays(&now[0], &self.starts, &plain);
        // Select the deals that reach the flop and those that train the start. Both need the value of checking.
        let deals = 0..self.kinds.len();
        let wanted: Vec<usize> = deals.filter(|&i| i % STARTS == 0 || !start_plays[self.kinds[i]]).collect();
        let rows = |of: &[f32]| wanted.iter().flat_map(|&i| of[i * ROW..][..ROW].iter().copied()).collect::<Vec<f32>>();
        let flop_plays = plays(&now[1], &rows(&self.flops), &plain);
        let river_plays = plays(&now[2], &rows(&self.rivers), &plain);
        let mut lessons: [Lesson; 3] = Default::default();
        let [start, flop, river] = &mut lessons;
        for ((&i, on_flop), on_river) in wanted.iter().zip(flop_plays).zip(river_plays) {
            let [at_once, two, one] = self.plays[i];
            let waits = if on_river { one } else { FOLD };
            let checks = if on_flop { two } else { waits };
            // The lessons share the results on the flop and on the river.
            let mut used = [false; 3];
            let mut use_results = |lesson: &mut Lesson, results: [bool; 3]| {
                for (used, new) in used.iter_mut().zip(results) {
                    lesson.results += u64::from(new && !*used);
                    *used |= new;
                }
            };
            if i % STARTS == 0 {
                use_results(start, [true, on_flop, !on_flop && on_river]);
                start.add(&self.starts[self.kinds[i] * ROW..][..ROW], at_once, checks, BOUNDS[0]);
            }
            if !start_plays[self.kinds[i]] {
                use_results(flop, [false, true, on_river]);
                flop.add(&self.flops[i * ROW..][..ROW], two, waits, BOUNDS[1]);
                if !on_flop {
                    use_results(river, [false, false, true]);
                    river.add(&self.rivers[i * ROW..][..ROW], one, FOLD, BOUNDS[2]);
                }
            }
        }
        lessons
    }
}

impl RewardBatch for Deals {
    fn deals(&self) -> DealTotals {
        let seen = self.kinds.len() as u64;
        DealTotals { seen, settled: seen * self.samples, rewards: 0 }
    }

    fn regressions(&self, networks: &Networks, device: &Device) -> Vec<Regression> {
        let lessons = self.lessons(&networks.models());
        let lessons = lessons.iter().zip(&networks.parts);
        lessons.filter_map(|(lesson, network)| lesson.regression(network, self.samples, device)).collect()
    }

    fn examples(&self, models: &[Model]) -> Vec<Examples> {
        let lessons = self.lessons(models).into_iter().enumerate();
        lessons.filter_map(|(part, lesson)| lesson.examples(part, self.samples)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::training_device;
    use houseway_env::ultimate_holdem::Rules;

    #[test]
    fn all_decisions_are_made() {
        let task = HoldemTask::new(UltimateHoldem::new(Arc::new(Game::new(Rules::default())))).unwrap();
        let (size, device) = (NetworkConfig { width: 8, layers: 2 }, training_device());
        for (feedback, outputs) in [(Feedback::FullInformation, 1), (Feedback::Bandit, 2)] {
            let agent = task.agent(
                "untrained",
                &task.networks(size, feedback, outputs, &mut WeightSource::new(3, &device)).models(),
                ScoreKind::Preferences,
            );
            let (mut rows, mut masks) = (vec![0f32; 9 * ROW], vec![]);
            let holes = ["As Kd", "7h 2c", "9h 9d"].map(|hole| hole.parse().unwrap());
            let boards = ["", "2s 3d Qh", "2s 3d Qh Jc 4d"].map(|board| board.parse().unwrap());
            for (i, row) in rows.chunks_exact_mut(ROW).enumerate() {
                let (stage, other, play) = [
                    (Stage::Start, Action::Check, Action::Play4),
                    (Stage::Flop, Action::Check, Action::Play2),
                    (Stage::River, Action::Fold, Action::Play1),
                ][i % 3];
                write_row(&task.game, stage, holes[i / 3], boards[i % 3], row);
                masks.extend(Action::ALL.map(|action| action == other || action == play));
            }
            let all = agent.choose(&rows, &masks).actions;
            let one = rows.chunks(ROW).zip(masks.chunks(6)).map(|(row, mask)| agent.choose(row, mask).actions[0]);
            assert_eq!(all, one.collect::<Vec<_>>());
            assert!(all.iter().enumerate().all(|(i, &action)| masks[i * 6 + action]));
            assert!(agent.choose(&[], &[]).actions.is_empty());
        }
    }

    fn drawn(batch: usize, seed: u64, step: u64) -> Deals {
        let game = Game::new(Rules::default());
        deal(&game, &start_rows(&game).into(), batch, MAX_REWARD_SAMPLES, &mut step_stream(seed, step))
    }

    #[test]
    fn kinds_are_in_their_order() {
        assert!(KINDS.len() == Hole::KINDS && KINDS.iter().enumerate().all(|(kind, hole)| hole.kind() == kind));
    }

    #[test]
    fn rewards_are_those_of_the_rules() {
        let game = Game::new(Rules::default());
        let (hole, board) = ("As Ks".parse().unwrap(), "Qs Js Ts 2d 2c".parse().unwrap());
        let dealers = ["Ah Ad", "3c 4c"].map(|cards| cards.parse().unwrap());
        // Every dealer hand has a pair, so the player wins Ante 1, Blind 500, and Play.
        assert_eq!(rewards(&game, hole, board, dealers.into_iter()), [505.0, 503.0, 502.0]);
        let (hole, board) = ("3d 4h".parse().unwrap(), "Qs Js 9s 2d 8c".parse().unwrap());
        // A pair of aces wins all bets. King high doesn't qualify, so the Ante is returned.
        let dealers = ["Ah Ad", "Kh 5c"].map(|cards| cards.parse().unwrap());
        assert_eq!(rewards(&game, hole, board, dealers.into_iter()), [-5.5, -3.5, -2.5]);
    }

    #[test]
    fn means_are_those_of_all_deals() {
        // If every hand is played, the result compares two random hands, so the size of the Play bet makes no
        // difference on average.
        let deals = drawn(40_000, 5, 0);
        let mean = |way: usize| deals.plays.iter().map(|plays| f64::from(plays[way])).sum::<f64>() / 40_000.0;
        assert!((mean(0) - mean(2)).abs() < 0.05 && (mean(1) - mean(2)).abs() < 0.02, "{} {}", mean(0), mean(2));
    }

    #[test]
    fn results_shared_by_lessons_are_counted_once() {
        let (deals, device) = (drawn(400, 3, 1), training_device());
        let task = HoldemTask::new(UltimateHoldem::new(Arc::new(Game::new(Rules::default())))).unwrap();
        let size = NetworkConfig { width: 8, layers: 2 };
        for seed in 0..4 {
            let weights = &mut WeightSource::new(seed, &device);
            let networks = task.networks(size, Feedback::Redealing, 1, weights);
            let models = networks.models();
            let plays = |part: usize, row: &[f32]| plays(&models[part], row, &playing_device())[0];
            let mut used = 0;
            for (i, &kind) in deals.kinds.iter().enumerate() {
                let row = |rows: &[f32], i: usize| rows[i * ROW..][..ROW].to_vec();
                let at_start = plays(0, &row(&deals.starts, kind));
                let on_flop = plays(1, &row(&deals.flops, i));
                let on_river = plays(2, &row(&deals.rivers, i));
                let trains_start = i % STARTS == 0;
                // The results of playing at once, on the flop and on the river.
                let flop = !at_start || trains_start && on_flop;
                let river = !at_start && (!on_flop || on_river) || trains_start && !on_flop && on_river;
                used += u64::from(trains_start) + u64::from(flop) + u64::from(river);
            }
            let regressions = deals.regressions(&networks, &device);
            let found: u64 = regressions.iter().map(|regression| regression.rewards).sum();
            assert_eq!(found, used * MAX_REWARD_SAMPLES as u64, "{seed}");
            let examples: u64 = deals.examples(&models).iter().map(|examples| examples.rewards).sum();
            assert_eq!(examples, found);
        }
        assert_eq!(deals.deals().settled, 400 * MAX_REWARD_SAMPLES as u64);
    }
}
