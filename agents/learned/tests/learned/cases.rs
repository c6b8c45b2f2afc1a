//! The tasks and methods under test, with small configurations.

use crate::labels;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::table::TableRules;
use houseway_env::pai_gow::{Game, Rules};
use houseway_learned::methods::MethodConfig;
use houseway_learned::network::{NetworkConfig, Networks};
use houseway_learned::task::TrainingTask;
use houseway_learned::tasks::banking::{self, BankingTable, BankingTask, OfferFeatures, SeatStrategy};
use houseway_learned::tasks::pai_gow::{self, Among, SettingTask};
use houseway_learned::{Agent, MetricSink, TrainConfig, TrainError, Trained, TrainingProgress, tasks, train};
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A task with a small configuration.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) task: Box<dyn TrainingTask>,
    pub(crate) config: TrainConfig,
}

fn small(config: TrainConfig) -> TrainConfig {
    let network = NetworkConfig { width: 16, ..config.network };
    TrainConfig { steps: 8, batch: 64, evaluate_every: 2, checkpoint_every: 3, network, ..config }
}

fn overridden(defaults: fn(MethodConfig) -> TrainConfig, overrides: Value) -> TrainConfig {
    small(TrainConfig::with_overrides(defaults, overrides.as_object().unwrap()).unwrap())
}

pub(crate) fn setting_as_bank() -> Case {
    let game = Arc::new(Game::new(Rules::default()));
    let way = Arc::new(HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap());
    let task = SettingTask::bank(game, vec![way], "0.05".parse().unwrap(), Among::Legal, "trump-plaza");
    let task = Box::new(task);
    let config = overridden(pai_gow::defaults, json!({ "method": { "name": "all-action", "reward-samples": 6 } }));
    Case { name: "setting as bank".to_owned(), task, config }
}

pub(crate) fn banking(name: &str, features: OfferFeatures) -> Case {
    let game = Arc::new(Game::new(Rules::default()));
    let way = Arc::new(HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap());
    let (ways, hash) = (vec![SeatStrategy::Way(way), SeatStrategy::Random], "test".to_owned());
    let rules = TableRules::default();
    let table = Arc::new(BankingTable { rules, game, ways, others: 2, own: 0, banker: 0, house: 0, hash });
    let config = overridden(banking::defaults, json!({ "method": { "name": "all-action", "reward-samples": 1 } }));
    Case { name: name.to_owned(), task: Box::new(BankingTask { table, features }), config }
}

/// Returns a case with averaged weights and a focused loss that starts partway through training.
pub(crate) fn averaged() -> Case {
    let loss = json!({ "name": "focused", "value-weight": 0.1, "from-step": 3 });
    let config = json!({ "ema": 0.8, "method": { "name": "all-action", "loss": loss } });
    let config = overridden(pai_gow::defaults, config);
    Case { name: "averaged".to_owned(), task: tasks::make("pai-gow-poker", "{}").unwrap(), config }
}

/// Returns linear models, for a task with candidates and for one with a fixed list of actions.
fn linear() -> [Case; 2] {
    [("pai-gow-poker", "all-action"), ("asian-stud", "policy-gradient")].map(|(game, method)| {
        let config = tasks::configure(game, json!({ "method": method }).as_object().unwrap()).unwrap();
        let config = TrainConfig { network: NetworkConfig::LINEAR, ..small(config) };
        Case { name: format!("linear {game}"), task: tasks::make(game, "{}").unwrap(), config }
    })
}

/// Returns cases with every optimizer and schedule. The last one has a critic with its own learning rate and averages
/// the actor's weights.
pub(crate) fn optimizers() -> Vec<Case> {
    let configs = [
        json!({ "optimizer": { "name": "sgd" }, "schedule": { "name": "linear", "warmup": 3 } }),
        json!({ "optimizer": { "name": "sgd", "momentum": 0.9 }, "schedule": "constant", "restarts": [5] }),
        json!({ "optimizer": { "name": "adamw", "weight-decay": 0.1 }, "schedule": { "warmup": 2 } }),
        json!({ "optimizer": "rmsprop", "method": { "name": "policy-gradient", "value-weight": 0.5 } }),
        json!({ "optimizer": { "name": "rmsprop", "momentum": 0.5 } }),
        json!({ "ema": 0.8, "method": { "name": "actor-critic", "critic-rate": 3.0, "exploration": 0.1 } }),
    ];
    let case = |(i, config): (usize, Value)| {
        let config = overridden(TrainConfig::new, config);
        Case { name: format!("optimizer {i}"), task: tasks::make("asian-stud", "{}").unwrap(), config }
    };
    configs.into_iter().enumerate().map(case).collect()
}

/// Returns every task with every method it supports.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = vec![setting_as_bank(), averaged()];
    cases.extend(optimizers());
    cases.extend(
        [("banking", OfferFeatures::Derived), ("banking raw", OfferFeatures::Raw)]
            .map(|(name, features)| banking(name, features)),
    );
    cases.extend(linear());
    for (game, _) in GAMES {
        cases.extend(MethodConfig::NAMES.iter().filter_map(|method| of_game(game, method)));
    }
    cases
}

/// The games whose tasks are created from a configuration, and the configurations.
const GAMES: [(&str, &str); 7] = [
    ("pai-gow-poker", "{}"),
    ("ultimate-holdem", "{}"),
    ("joker-seven", r#"{"options": {"chips": 3}}"#),
    ("asian-stud", "{}"),
    ("face-up-pai-gow", "{}"),
    ("pai-gow-known-cards", r#"{"options": {"known-cards": 35}}"#),
    ("pai-gow-tiles", "{}"),
];

/// Returns the case of a game in [`GAMES`] and a method, if the game supports the method.
fn of_game(game: &str, method: &str) -> Option<Case> {
    let (_, options) = GAMES.into_iter().find(|(name, _)| *name == game)?;
    let config = small(tasks::configure(game, json!({ "method": method }).as_object().unwrap()).unwrap());
    let task = labels::task(game, tasks::make(game, options).unwrap());
    let name = format!("{game} {method}");
    task.check_feedback(config.method.feedback()).is_ok().then(|| Case { name, task, config })
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
    pub(crate) fn run(&self, config: &TrainConfig, folder: Option<&Path>, stop_at: u64) -> Result<Trained, TrainError> {
        let stop = AtomicBool::new(false);
        let evaluator = &mut |_: &_| vec![("measured", 1.0)];
        train(config, 7, &*self.task, evaluator, &mut StopAt(stop_at, &stop), folder, &stop)
    }

    pub(crate) fn agent(&self, networks: &Networks) -> Box<dyn Agent> {
        self.task.agent("agent", &networks.models(), self.config.method.score_kind())
    }

    pub(crate) fn whole(&self, folder: &Path) -> Trained {
        self.run(&self.config, Some(folder), u64::MAX).unwrap()
    }
}

/// Returns the bytes of the weights and of their average, if there is one. The entries in the optimizer file are in
/// random order, so it is only tested by resuming from it.
pub(crate) fn weights(folder: &Path) -> Vec<u8> {
    let average = fs::read(folder.join("average.bpk")).unwrap_or_default();
    [fs::read(folder.join("model.bpk")).unwrap(), average].concat()
}

/// Returns the case with the given name.
pub(crate) fn case(name: &str) -> Case {
    let of_game = name.split_once(' ').and_then(|(game, method)| of_game(game, method));
    of_game.unwrap_or_else(|| cases().into_iter().find(|case| case.name == name).unwrap())
}
