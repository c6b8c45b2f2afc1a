//! Tests that short training runs learn the obvious decisions in every task.

use crate::labels;
use houseway_env::asian_stud;
use houseway_env::gym::{Encoding, Env, Policy};
use houseway_env::joker_seven::{self, DEAL, JokerSeven, JokerSevenOptions, Paytable};
use houseway_env::pai_gow::{Candidates, Dealer, Dealt, Hand, Strategy, from_config};
use houseway_env::rules::RuleSet;
use houseway_env::ultimate_holdem::{Action, Game, Hole, Rules, Stage, observe};
use houseway_learned::device::training_device;
use houseway_learned::methods::MethodConfig;
use houseway_learned::network::{Inputs, NetworkConfig};
use houseway_learned::tasks::pai_gow::{Among, LearnedStrategy, SettingTask};
use houseway_learned::trees::{TreesConfig, fit_trees};
use houseway_learned::{Agent, ScoreKind, TrainConfig, tasks, train};
use serde_json::{Map, json};
use std::sync::atomic::AtomicBool;

fn config(game: &str, method: &str, steps: u64, batch: usize, width: usize) -> TrainConfig {
    let config = tasks::configure(game, json!({ "method": method }).as_object().unwrap()).unwrap();
    TrainConfig { steps, batch, evaluate_every: steps, network: NetworkConfig { width, layers: 2 }, ..config }
}

fn learn(game: &str, options: &str, config: &TrainConfig) -> Box<dyn Agent> {
    let task = labels::task(game, tasks::make(game, options).unwrap());
    let trained = train(config, 7, &*task, &mut |_| vec![], &mut (), None, &AtomicBool::new(false)).unwrap();
    task.agent("test", &trained.networks.models(), config.method.score_kind())
}

/// Learns with an ensemble of trees.
fn learn_trees(game: &str) -> Box<dyn Agent> {
    let (task, defaults) = (tasks::make(game, "{}").unwrap(), tasks::configure_trees(game, Map::new()).unwrap());
    let config = TreesConfig { stages: 4, trees: 20, batch: 2048, learning_rate: 0.3, min_leaf: 20, ..defaults };
    let (mut measure, stop) = (|_: &dyn Agent| vec![], AtomicBool::new(false));
    let fitted = fit_trees(&config, 7, &*task, &mut measure, &mut (), None, &stop).unwrap();
    assert!(fitted.finished);
    task.agent("trees", &fitted.models, ScoreKind::Values)
}

#[test]
fn settings_are_learned() {
    let env = from_config("{}").unwrap();
    let (game, way) = (env.game().game().clone(), env.game().banker().clone());
    let mut rng = houseway_env::gym::stream(3.into());
    let dealt: Vec<(Hand, [f32; 21])> = (0..2_000)
        .map(|_| {
            let mut bankers = [Default::default(); 6];
            let hand = Dealer::new(&game, &*way).deal(&mut rng, &mut bankers).hand();
            (hand, Candidates::new(&game, hand).mean_rewards(&game, &bankers))
        })
        .collect();
    let hands: Vec<Hand> = dealt.iter().map(|(hand, _)| *hand).collect();
    let mean = |agent: &dyn Agent| {
        let settings = agent.downcast_ref::<LearnedStrategy>().unwrap().set_batch(&hands);
        let rewards = settings.iter().zip(&dealt).map(|(setting, (_, rewards))| f64::from(rewards[setting.index()]));
        rewards.sum::<f64>() / hands.len() as f64
    };
    let trees = mean(&*learn_trees("pai-gow-poker"));
    assert!(trees > -0.1, "trees: {trees}");
    for method in MethodConfig::NAMES {
        // A single reward per hand is far less informative than the rewards of all candidates against many banker
        // hands.
        let steps = if ["all-action", "distillation"].contains(method) { 80 } else { 300 };
        let task = SettingTask::player(env.game().clone(), Among::Contenders);
        let task = labels::task("pai-gow-poker", Box::new(task));
        let mut means = vec![];
        let mut evaluator = |agent: &dyn Agent| {
            means.push(mean(agent));
            vec![]
        };
        let config = config("pai-gow-poker", method, steps, 256, 32);
        train(&config, 1, &*task, &mut evaluator, &mut (), None, &AtomicBool::new(false)).unwrap();
        let [before, after] = means[..] else { panic!("measured before and after") };
        // An untrained network loses at least a fifth of its stake, while the optimum loses a fortieth.
        assert!(after > before + 0.1 && after > -0.1, "{method}: {before} to {after}");
    }
}

/// Solves a system of linear equations with a symmetric positive matrix.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let (done, rest) = matrix.split_at_mut(pivot + 1);
        let top = &done[pivot];
        for (i, row) in rest.iter_mut().enumerate() {
            let factor = row[pivot] / top[pivot];
            row.iter_mut().zip(top).for_each(|(x, y)| *x -= factor * y);
            right[pivot + 1 + i] -= factor * right[pivot];
        }
    }
    for pivot in (0..size).rev() {
        let known: f64 = (pivot + 1..size).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

/// Compares the error of a linear model with the least possible one, computed from the normal equations.
#[test]
fn a_linear_model_learns_the_least_squares_fit() {
    let task = labels::task("asian-stud", tasks::make("asian-stud", "{}").unwrap());
    let values = task.exact_values().unwrap();
    let features = asian_stud::Observation::default().len();
    let (mut rows, mut mask, mut evs) = (vec![], [false; 2], [0.0; 2]);
    for decision in 0..values.decisions() {
        let mut row = vec![0.0; features];
        values.write(decision, &mut row, &mut mask, &mut evs).unwrap();
        rows.push((row, f64::from(evs[asian_stud::RAISE]), values.hands(decision) as f64));
    }
    // The last feature is the constant. A tiny ridge makes up for features that depend on each other.
    let extended = |row: &[f32]| row.iter().map(|&x| f64::from(x)).chain([1.0]).collect::<Vec<f64>>();
    let (mut matrix, mut right) = (vec![vec![0.0; features + 1]; features + 1], vec![0.0; features + 1]);
    for (row, ev, hands) in &rows {
        let row = extended(row);
        for (i, x) in row.iter().enumerate() {
            right[i] += hands * x * ev;
            row.iter().enumerate().for_each(|(j, y)| matrix[i][j] += hands * x * y);
        }
    }
    (0..=features).for_each(|i| matrix[i][i] += 1e-3);
    let best = solve(matrix, right);
    let hands: f64 = rows.iter().map(|row| row.2).sum();
    let error = |predict: &dyn Fn(usize) -> f64| {
        let squared = rows.iter().enumerate().map(|(i, (_, ev, hands))| hands * (predict(i) - ev).powi(2));
        squared.sum::<f64>() / hands
    };
    let least = error(&|i| extended(&rows[i].0).iter().zip(&best).map(|(x, weight)| x * weight).sum());
    let config = json!({ "method": "distillation", "network": "linear", "steps": 3000, "learning-rate": 0.02 });
    let config = tasks::configure("asian-stud", config.as_object().unwrap()).unwrap();
    let trained = train(&config, 1, &*task, &mut |_| vec![], &mut (), None, &AtomicBool::new(false)).unwrap();
    let observations: Vec<f32> = rows.iter().flat_map(|row| row.0.clone()).collect();
    let inputs = Inputs::new(&observations, rows.len(), &training_device());
    let scores: Vec<f32> = trained.networks.parts[0].forward(&inputs).into_data().try_to_vec().unwrap();
    let found = error(&|i| f64::from(scores[2 * i + asian_stud::RAISE]));
    assert!(least > 1e-5 && found < 1.01 * least, "{found} {least}");
}

#[test]
fn a_strategy_sets_alone_as_in_a_batch_and_as_a_policy() {
    let agent = learn("pai-gow-poker", "{}", &config("pai-gow-poker", "all-action", 4, 64, 16));
    let strategy: &LearnedStrategy = agent.downcast_ref().unwrap();
    let mut rng = houseway_env::gym::stream(4.into());
    let hands: Vec<Hand> = (0..3_000).map(|_| Dealt::random(&mut rng).hand()).collect();
    let batch = strategy.set_batch(&hands);
    let mut env = from_config("{}").unwrap();
    let game = env.game().game().clone();
    for (i, &hand) in hands.iter().enumerate() {
        assert!(game.is_legal(game.set(hand, batch[i])), "{hand}");
        if i % 100 == 0 {
            assert_eq!(strategy.set(hand), batch[i], "{hand}");
        }
    }
    let (mut observation, mut mask) = (vec![0.0; env.observation_space().len()], [false; 21]);
    for seed in 0..100 {
        env.reset(Some(seed), None).unwrap();
        env.observe(&mut observation).unwrap();
        env.action_mask(&mut mask).unwrap();
        let setting = strategy.set(env.state().unwrap().player.hand()).index();
        assert_eq!(agent.choose(&observation, &mask).actions, [setting]);
        // A mask may exclude the preferred setting or even all candidates.
        mask[setting] = false;
        if let Some(only) = mask.iter().rposition(|&legal| legal) {
            assert!(mask[agent.choose(&observation, &mask).actions[0]]);
            let last: Vec<bool> = (0..21).map(|action| action == only).collect();
            assert_eq!(agent.choose(&observation, &last).actions, [only]);
        }
    }
}

#[test]
fn hands_that_win_are_raised() {
    let networks = MethodConfig::NAMES.iter().map(|&method| {
        let config = TrainConfig { learning_rate: 5e-3, ..config("asian-stud", method, 300, 256, 16) };
        (method, learn("asian-stud", "{}", &config))
    });
    for (method, agent) in networks.chain([("trees", learn_trees("asian-stud"))]) {
        let game = asian_stud::Game::new(asian_stud::Rules::default());
        let encoding = asian_stud::Observation::default();
        let mut observation = vec![0.0; encoding.len()];
        for hand in ["Th Kd 2c 3c 5d", "Jk 9d 4c 5c Kd"] {
            let hand: asian_stud::Hand = hand.parse().unwrap();
            encoding.write(hand, game.value(hand), &mut observation);
            assert_eq!(agent.choose(&observation, &[true, true]).actions, [asian_stud::RAISE], "{method} {hand}");
        }
    }
}

/// With wild jokers, three of a kind returns +190%, far more than any other wager.
#[test]
fn the_wager_that_gains_is_found_up_to_its_maximum() {
    let rules = joker_seven::Rules::default().with("three-of-a-kind=joker_wild").unwrap().with("maximum=2").unwrap();
    let options = JokerSevenOptions { chips: Some(3), ..Default::default() };
    for method in MethodConfig::NAMES.iter().filter(|&&method| method != "distillation") {
        let mut config = TrainConfig { learning_rate: 0.02, ..config("joker-seven", method, 400, 256, 16) };
        match &mut config.method {
            MethodConfig::PolicyGradient(method) => method.entropy = 0.2,
            MethodConfig::ActorCritic(method) => method.entropy = 0.2,
            MethodConfig::Ppo(method) => method.entropy = 0.2,
            MethodConfig::Paired(method) => method.entropy = 0.2,
            MethodConfig::AllAction(_) | MethodConfig::BanditRegression(_) | MethodConfig::Distillation(_) => {}
        }
        let agent = learn("joker-seven", &json!({ "rules": rules, "options": options }).to_string(), &config);
        let mut env = JokerSeven::new(joker_seven::Game::new(rules, Paytable::default()));
        env.start(Some(1), &options).unwrap();
        let mut observation = vec![0.0; env.observation_space().len()];
        let mut mask = [false; DEAL + 1];
        loop {
            env.observe(&mut observation).unwrap();
            env.action_mask(&mut mask).unwrap();
            if env.step(agent.choose(&observation, &mask).actions[0]).unwrap().terminated {
                break;
            }
        }
        let stakes = &env.state().unwrap().stakes;
        assert_eq!(stakes[12], 2, "{method}: {stakes:?}");
    }
}

/// Returns `true` if an agent plays a hand on the given board.
fn plays(agent: &dyn Policy, hole: &str, board: &str) -> bool {
    let (game, hole): (Game, Hole) = (Game::new(Rules::default()), hole.parse().unwrap());
    let (stage, play, other) = match board.split_whitespace().count() {
        0 => (Stage::Start, Action::Play4, Action::Check),
        3 => (Stage::Flop, Action::Play2, Action::Check),
        _ => (Stage::River, Action::Play1, Action::Fold),
    };
    let encoding = observe::Observation::Features;
    let (mut row, board) = (vec![0.0; encoding.len()], board.parse().unwrap());
    encoding.write(&game, stage, hole, board, board, &mut row);
    agent.choose(&row, &Action::ALL.map(|action| action == play || action == other)).actions == [play.index()]
}

#[test]
fn obvious_plays_of_holdem_are_learned() {
    let (river, flop) = ("Ks 9h 7d 4c 3s", "Qs Th 7d");
    let network = learn("ultimate-holdem", "{}", &config("ultimate-holdem", "all-action", 150, 512, 32));
    for agent in [network, learn_trees("ultimate-holdem")] {
        assert_eq!(["As Ah", "7d 2c"].map(|hole| plays(&*agent, hole, "")), [true, false], "{}", agent.name());
        assert_eq!(["Kd 2h", "6d 2h"].map(|hole| plays(&*agent, hole, river)), [true, false], "{}", agent.name());
        assert_eq!(["Qd Tc", "3c 2h"].map(|hole| plays(&*agent, hole, flop)), [true, false], "{}", agent.name());
    }
    // These methods learn only from the results of the hands played.
    let others = ["all-action", "paired", "distillation"];
    for method in MethodConfig::NAMES.iter().filter(|&&method| !others.contains(&method)) {
        let agent = learn("ultimate-holdem", "{}", &config("ultimate-holdem", method, 200, 1024, 32));
        assert_eq!(["As Ah", "7d 2c"].map(|hole| plays(&*agent, hole, "")), [true, false], "{method}");
        assert!(plays(&*agent, "Kd Kh", river), "{method}");
    }
}
