//! Tests for training with every task and method. Runs must be reproducible, resume byte for byte, and report errors.

mod labels;

use burn::module::Module;
use burn::prelude::Device;
use houseway_env::gym::stream;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::table::TableRules;
use houseway_env::pai_gow::{Dealt, Game, Hand, Rules, Strategy};
use houseway_learned::checkpoint;
use houseway_learned::methods::{ActorCritic, MethodConfig};
use houseway_learned::model::Model;
use houseway_learned::network::{NetworkConfig, Networks, WeightSource, WeightsError};
use houseway_learned::task::{Episodes, Feedback, Regression, RewardBatch, RewardSource, TaskError, TrainingTask};
use houseway_learned::tasks::banking::{self, BankingTable, BankingTask, OfferFeatures, SeatStrategy};
use houseway_learned::tasks::pai_gow::{self, Among, BankDeals, LearnedStrategy, SettingTask};
use houseway_learned::{
    Agent, DealTotals, MetricSink, ScoreKind, TrainConfig, TrainError, Trained, TrainingProgress, tasks, train,
};
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Ensures that only one training run is active at a time. The tensor library has process-wide state.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// A task with a small configuration.
struct Case {
    name: String,
    task: Box<dyn TrainingTask>,
    config: TrainConfig,
}

fn small(defaults: fn(MethodConfig) -> TrainConfig, overrides: Value) -> TrainConfig {
    let mut config = TrainConfig::with_overrides(defaults, overrides.as_object().unwrap()).unwrap();
    (config.steps, config.batch, config.network.width) = (8, 64, 16);
    (config.evaluate_every, config.checkpoint_every) = (2, 3);
    config
}

fn setting_as_bank() -> Case {
    let game = Arc::new(Game::new(Rules::default()));
    let way = Arc::new(HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap());
    let deals = BankDeals { game, players: vec![way], commission: "0.05".parse().unwrap() };
    let task = Box::new(SettingTask::bank(deals, Among::Legal, "trump-plaza"));
    let config = small(pai_gow::defaults, json!({ "method": { "name": "all-action", "reward-samples": 6 } }));
    Case { name: "setting as bank".to_owned(), task, config }
}

fn banking(name: &str, features: OfferFeatures) -> Case {
    let game = Arc::new(Game::new(Rules::default()));
    let way = Arc::new(HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap());
    let (ways, hash) = (vec![SeatStrategy::Way(way), SeatStrategy::Random], "test".to_owned());
    let rules = TableRules::default();
    let table = Arc::new(BankingTable { rules, game, ways, others: 2, own: 0, banker: 0, house: 0, hash });
    let config = small(banking::defaults, json!({ "method": { "name": "all-action", "reward-samples": 1 } }));
    Case { name: name.to_owned(), task: Box::new(BankingTask { table, features }), config }
}

/// Returns a case with averaged weights and a focused loss that starts partway through training.
fn averaged() -> Case {
    let loss = json!({ "name": "focused", "value-weight": 0.1, "from-step": 3 });
    let config = json!({ "ema": 0.8, "method": { "name": "all-action", "loss": loss } });
    let config = small(pai_gow::defaults, config);
    Case { name: "averaged".to_owned(), task: tasks::make("pai-gow-poker", "{}").unwrap(), config }
}

/// Returns linear models, for a task with candidates and for one with a fixed list of actions.
fn linear() -> [Case; 2] {
    [("pai-gow-poker", "all-action"), ("asian-stud", "policy-gradient")].map(|(game, method)| {
        let config = tasks::configure(game, json!({ "method": method }).as_object().unwrap()).unwrap();
        let config = TrainConfig {
            steps: 8,
            batch: 64,
            evaluate_every: 2,
            checkpoint_every: 3,
            network: NetworkConfig::LINEAR,
            ..config
        };
        Case { name: format!("linear {game}"), task: tasks::make(game, "{}").unwrap(), config }
    })
}

/// Returns cases with every optimizer and schedule. The last one has a critic with its own learning rate and averages
/// the actor's weights.
fn optimizers() -> Vec<Case> {
    let configs = [
        json!({ "optimizer": { "name": "sgd" }, "schedule": { "name": "linear", "warmup": 3 } }),
        json!({ "optimizer": { "name": "sgd", "momentum": 0.9 }, "schedule": "constant", "restarts": [5] }),
        json!({ "optimizer": { "name": "adamw", "weight-decay": 0.1 }, "schedule": { "warmup": 2 } }),
        json!({ "optimizer": "rmsprop", "method": { "name": "policy-gradient", "value-weight": 0.5 } }),
        json!({ "optimizer": { "name": "rmsprop", "momentum": 0.5 } }),
        json!({ "ema": 0.8, "method": { "name": "actor-critic", "critic-rate": 3.0, "exploration": 0.1 } }),
    ];
    let case = |(i, config): (usize, Value)| {
        let config = small(TrainConfig::new, config);
        Case { name: format!("optimizer {i}"), task: tasks::make("asian-stud", "{}").unwrap(), config }
    };
    configs.into_iter().enumerate().map(case).collect()
}

/// Returns every task with every method it supports.
fn cases() -> Vec<Case> {
    let mut cases = vec![setting_as_bank(), averaged()];
    cases.extend(optimizers());
    cases.extend(
        [("banking", OfferFeatures::Derived), ("banking raw", OfferFeatures::Raw)]
            .map(|(name, features)| banking(name, features)),
    );
    cases.extend(linear());
    for (game, options) in [
        ("pai-gow-poker", "{}"),
        ("ultimate-holdem", "{}"),
        ("joker-seven", r#"{"options": {"chips": 3}}"#),
        ("asian-stud", "{}"),
        ("face-up-pai-gow", "{}"),
        ("pai-gow-known-cards", r#"{"options": {"known-cards": 35}}"#),
    ] {
        for method in MethodConfig::NAMES {
            let mut config = tasks::configure(game, json!({ "method": method }).as_object().unwrap()).unwrap();
            (config.steps, config.batch, config.network.width) = (8, 64, 16);
            (config.evaluate_every, config.checkpoint_every) = (2, 3);
            let task = labels::task(game, tasks::make(game, options).unwrap());
            if task.check_feedback(config.method.feedback()).is_ok() {
                cases.push(Case { name: format!("{game} {method}"), task, config });
            }
        }
    }
    cases
}

/// Sets the flag once the given step is reported.
struct StopAt<'a>(u64, &'a AtomicBool);

impl MetricSink for StopAt<'_> {
    fn scalars(&mut self, progress: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
        self.1.fetch_or(progress.step >= self.0, Ordering::Relaxed);
        Ok(())
    }
}

impl Case {
    fn run(&self, config: &TrainConfig, folder: Option<&Path>, stop_at: u64) -> Result<Trained, TrainError> {
        let stop = AtomicBool::new(false);
        let evaluator = &mut |_: &_| vec![("measured", 1.0)];
        train(config, 7, &*self.task, evaluator, &mut StopAt(stop_at, &stop), folder, &stop)
    }

    fn agent(&self, networks: &Networks) -> Box<dyn Agent> {
        self.task.agent("agent", &networks.models(), self.config.method.score_kind())
    }

    fn whole(&self, folder: &Path) -> Trained {
        self.run(&self.config, Some(folder), u64::MAX).unwrap()
    }
}

/// Returns the bytes of the weights and of their average, if there is one. The entries in the optimizer file are in
/// random order, so it is only tested by resuming from it.
fn weights(folder: &Path) -> Vec<u8> {
    let average = fs::read(folder.join("average.bpk")).unwrap_or_default();
    [fs::read(folder.join("model.bpk")).unwrap(), average].concat()
}

#[test]
fn a_resumed_training_ends_with_the_same_bytes() {
    let _alone = alone();
    for case in cases() {
        let folder = tempfile::tempdir().unwrap();
        let [straight, broken] = ["straight", "broken"].map(|name| folder.path().join(name));
        let whole = case.whole(&straight);
        assert!(whole.finished, "{}", case.name);
        let half = case.run(&case.config, Some(&broken), 4).unwrap();
        assert_eq!((half.finished, half.state.step), (false, 4));
        let rest = case.whole(&broken);
        assert!(rest.finished && rest.state.deals == whole.state.deals && rest.state.updates == whole.state.updates);
        assert_eq!(weights(&broken), weights(&straight), "{}", case.name);
        let values = |trained: &Trained| trained.state.history.iter().map(|row| row.values.clone()).collect::<Vec<_>>();
        assert_eq!(values(&rest), values(&whole), "{}", case.name);
        let other = TrainConfig { learning_rate: 0.1, ..case.config.clone() };
        let error = case.run(&other, Some(&broken), u64::MAX).err().unwrap().to_string();
        assert!(error.contains("belongs to another training"), "{error}");
    }
}

#[test]
fn an_agent_plays_with_the_average_of_its_weights() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let case = averaged();
    let checkpoint = folder.path().join("averaged");
    let averaged = case.whole(&checkpoint);
    let plain = case.run(&TrainConfig { ema: 0.0, ..case.config.clone() }, None, u64::MAX).unwrap();
    let written = |networks: &Networks, name: &str| {
        let file = folder.path().join(name);
        networks.clone().save_file(&file).unwrap();
        fs::read(file).unwrap()
    };
    // Averaging must not change the weights themselves.
    assert_eq!(written(&plain.networks, "plain.bpk"), fs::read(checkpoint.join("model.bpk")).unwrap());
    assert_eq!(written(&averaged.networks, "average.bpk"), fs::read(checkpoint.join("average.bpk")).unwrap());
    assert_ne!(written(&plain.networks, "plain.bpk"), written(&averaged.networks, "average.bpk"));
    fs::remove_file(checkpoint.join("average.bpk")).unwrap();
    let error = case.run(&case.config, Some(&checkpoint), u64::MAX).err().unwrap().to_string();
    assert!(error.contains("is torn: average.bpk"), "{error}");
}

#[test]
fn a_critic_is_in_checkpoints_but_not_in_agents() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let case = optimizers().pop().unwrap();
    let trained = case.whole(&checkpoint);
    assert!(trained.networks.critic.is_none());
    let [model, average] = ["model.bpk", "average.bpk"].map(|name| fs::read(checkpoint.join(name)).unwrap());
    let mentions = |file: &[u8]| String::from_utf8_lossy(file).contains("critic");
    assert!(mentions(&model) && !mentions(&average));
    // The learning rate of the critic changes its weights in the first step, and therefore the actor's in the second.
    let weights = |steps, rate| {
        let method = ActorCritic { critic_rate: rate, ..ActorCritic::default() }.into();
        let config = TrainConfig { steps, method, ema: 0.0, ..case.config.clone() };
        let (networks, file) =
            (case.run(&config, None, u64::MAX).unwrap().networks, folder.path().join(format!("{steps}-{rate}.bpk")));
        networks.save_file(&file).unwrap();
        fs::read(file).unwrap()
    };
    assert_eq!(weights(1, 0.1), weights(1, 10.0));
    assert_ne!(weights(2, 0.1), weights(2, 10.0));
}

#[test]
fn a_finished_training_continues_at_a_restart() {
    let _alone = alone();
    let [all_action, gradient] = ["all-action", "policy-gradient"].map(|method| format!("asian-stud {method}"));
    for mut case in cases().into_iter().filter(|case| [&all_action, &gradient].contains(&&case.name)) {
        let folder = tempfile::tempdir().unwrap();
        let [straight, continued] = ["straight", "continued"].map(|name| folder.path().join(name));
        case.whole(&continued);
        let short = case.config.clone();
        // Without a restart, adding steps changes the schedule from the first step on.
        case.config.steps = 13;
        let error = case.run(&case.config, Some(&continued), u64::MAX).err().unwrap().to_string();
        assert!(error.contains("belongs to another training"), "{error}");
        case.config.restarts = vec![short.steps];
        let rest = case.whole(&continued);
        assert!(rest.finished && rest.state.step == 13, "{}", case.name);
        let whole = case.whole(&straight);
        assert_eq!(weights(&continued), weights(&straight), "{}", case.name);
        let values = |trained: &Trained| trained.state.history.iter().map(|row| row.values.clone()).collect::<Vec<_>>();
        assert_eq!(values(&rest), values(&whole), "{}", case.name);
        // A run cannot go back to fewer steps.
        let error = case.run(&short, Some(&continued), u64::MAX).err().unwrap().to_string();
        assert!(error.contains("belongs to another training"), "{error}");
    }
}

/// Returns the case with the given name.
fn case(name: &str) -> Case {
    cases().into_iter().find(|case| case.name == name).unwrap()
}

#[test]
fn metrics_are_means_over_the_steps_since_the_last_measurement() {
    let _alone = alone();
    for name in ["asian-stud policy-gradient", "asian-stud ppo", "ultimate-holdem all-action", "pai-gow-poker paired"] {
        let case = case(name);
        let history = |evaluate_every| {
            let config = TrainConfig { evaluate_every, ..case.config.clone() };
            case.run(&config, None, u64::MAX).unwrap().state.history
        };
        let (every, fourth) = (history(1), history(4));
        let names: Vec<&String> = fourth[1].values.iter().map(|(name, _)| name).collect();
        assert!(names.len() > 2 && names[0] == "loss", "{name}: {names:?}");
        for (i, interval) in every[1..].chunks(4).enumerate() {
            for (place, (metric, mean)) in fourth[i + 1].values.iter().enumerate() {
                let expected = interval.iter().map(|step| step.values[place].1).sum::<f64>() / 4.0;
                assert!((mean - expected).abs() <= 1e-12 * expected.abs(), "{name} {metric}: {mean} {expected}");
            }
        }
    }
}

#[test]
fn deals_rewards_and_gradient_steps_are_counted() {
    let _alone = alone();
    let totals = |name: &str| {
        let case = case(name);
        let state = case.run(&case.config, None, u64::MAX).unwrap().state;
        let last = state.history.last().unwrap().progress;
        let DealTotals { seen, settled, rewards } = state.deals;
        assert_eq!([last.hands, last.settled, last.rewards, last.updates], [seen, settled, rewards, state.updates]);
        [seen, settled, rewards, state.updates]
    };
    // Eight steps of 64 hands.
    assert_eq!(totals("asian-stud policy-gradient"), [512, 512, 512, 8]);
    assert_eq!(totals("asian-stud ppo"), [512, 512, 512, 32]);
    assert_eq!(totals("asian-stud paired"), [512, 512, 1024, 8]);
    assert_eq!(totals("asian-stud all-action"), [512, 512, 1024, 8]);
    assert_eq!(totals("asian-stud distillation"), [512, 0, 1024, 8]);
    // Fourteen seatings of seven hands, and the rewards of all answers in each.
    let [seen, settled, rewards, _] = totals("banking");
    assert_eq!((seen, settled, rewards % settled), (512 * 7, 512 * 14, 0));
    // Hands with one candidate are dealt but not settled. Every candidate has a reward for each hand of the banker.
    let case = case("pai-gow-poker all-action");
    let samples = case.config.method.reward_samples();
    let mut source = case.task.reward_source(64, samples, 7).unwrap();
    let batches: Vec<_> = (0..8).map(|step| source(step).unwrap()).collect();
    let candidates: usize = batches.iter().flat_map(|batch| batch.examples(&[])[0].counts.clone()).sum();
    let seen: u64 = batches.iter().map(|batch| batch.deals()).sum();
    assert!(samples > 1 && seen > 512 && candidates > 1024);
    let samples = samples as u64;
    assert_eq!(totals("pai-gow-poker all-action"), [seen, 512 * samples, candidates as u64 * samples, 8]);
    // Each hand leads to up to three decisions.
    let [seen, settled, rewards, _] = totals("ultimate-holdem policy-gradient");
    assert!(seen == 512 && settled == 512 && (512..=3 * 512).contains(&rewards), "{rewards}");
}

/// A task whose rewards are not finite from a given step on.
struct Diverging<'a>(&'a dyn TrainingTask, u64);

struct NotFinite(Box<dyn RewardBatch>);

impl RewardBatch for NotFinite {
    fn deals(&self) -> u64 {
        self.0.deals()
    }

    fn settled(&self) -> u64 {
        self.0.settled()
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
    let _alone = alone();
    let case = cases().into_iter().find(|case| case.name == "asian-stud all-action").unwrap();
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
fn the_number_of_threads_changes_no_byte() {
    let _alone = alone();
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let folder = tempfile::tempdir().unwrap();
            let train = |case: Case| {
                let checkpoint = folder.path().join(&case.name);
                case.whole(&checkpoint);
                (case.name, weights(&checkpoint))
            };
            cases().into_iter().map(train).collect::<Vec<_>>()
        })
    };
    for (one, three) in with_threads(1).into_iter().zip(with_threads(3)) {
        assert!(one == three, "{}", one.0);
    }
}

#[test]
fn agents_that_set_hands_are_read_from_their_weights() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let game = Arc::new(Game::new(Rules::default()));
    let mut rng = stream(5.into());
    let hands: Vec<Hand> = (0..500).map(|_| Dealt::random(&mut rng).hand()).collect();
    let mut among = vec![];
    for case in cases() {
        let networks = case.run(&case.config, None, u64::MAX).unwrap().networks;
        let (agent, file) = (case.agent(&networks), folder.path().join("weights.safetensors"));
        let metadata = case.task.metadata();
        let metadata: Vec<(&str, &str)> = metadata.iter().map(|(key, value)| (*key, value.as_str())).collect();
        networks.save_weights(&file, &metadata).unwrap();
        let bytes = fs::read(&file).unwrap();
        let read = LearnedStrategy::from_weights("agent", &game, &bytes);
        match agent.downcast_ref::<LearnedStrategy>() {
            Some(trained) => {
                let read = read.unwrap();
                assert_eq!(read.set_batch(&hands), trained.set_batch(&hands), "{}", case.name);
                assert_eq!(read.among(), trained.among());
                among.push(read.among());
                let cut = LearnedStrategy::from_weights("agent", &game, &bytes[..bytes.len() - 4]).err();
                assert!(matches!(cut, Some(WeightsError::Damaged(_))), "{cut:?}");
            }
            None => assert!(matches!(read.err(), Some(WeightsError::Other(_))), "{}", case.name),
        }
    }
    assert_eq!(among[0], Among::Legal);
    assert_eq!(among[1..], vec![Among::Contenders; 2 + MethodConfig::NAMES.len()]);
}

#[test]
fn agents_choose_legal_actions_and_save_their_weights() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    for case in cases() {
        let networks = case.run(&case.config, None, u64::MAX).unwrap().networks;
        let agent = case.agent(&networks);
        assert_eq!(agent.name(), "agent");
        let file = folder.path().join("weights.safetensors");
        networks.save_weights(&file, &[("seed", "7")]).unwrap();
        let bytes = fs::read(&file).unwrap();
        assert!(String::from_utf8_lossy(&bytes[8..bytes.len().min(1000)]).contains("\"seed\":\"7\""));
        networks.save_weights(&file, &[("seed", "7")]).unwrap();
        assert_eq!(fs::read(&file).unwrap(), bytes);
        let Ok(mut episodes) = case.task.episodes(50) else { continue };
        episodes.lanes.reset(Some(3), episodes.options.as_deref()).unwrap();
        for _ in 0..10 {
            let batch = episodes.lanes.batch();
            let actions = agent.choose(&batch.observations, &batch.masks);
            episodes.lanes.step(&actions).unwrap();
        }
    }
}

#[test]
fn unsupported_feedback_is_refused() {
    let _alone = alone();
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

#[test]
fn checkpoints_that_cannot_be_used_are_refused() {
    let _alone = alone();
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
    let _alone = alone();
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
    let _alone = alone();
    let (case, stop) = (setting_as_bank(), AtomicBool::new(false));
    let error = train(&case.config, 7, &*case.task, &mut |_| vec![], &mut Full, None, &stop);
    let error = error.err().unwrap().to_string();
    assert!(error.contains("no space left") && error.contains("resumes from its last checkpoint"), "{error}");
}
