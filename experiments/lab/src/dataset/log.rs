//! Plays episodes and logs their decisions.

use crate::columns::{Column, Lists, Values, write_parquet};
use crate::play::{env_config, with_strategies};
use crate::run::{VERSION, cannot_write_by, command_line, commit, write_atomic_with};
use houseway_env::gym::{Env, GameEntry, StreamSeed, stream};
use houseway_exact::registry;
use houseway_exact::solver::{Control, Solver, SolverConfig};
use rand::RngExt;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// The file format. It changes whenever a column does.
const FORMAT: &str = "houseway-dataset-1";
/// The number of episodes that one thread plays at a time.
const CHUNK: u64 = 64;

/// The policy and the episodes of a data set.
pub struct DatasetRequest {
    pub game: &'static GameEntry,
    pub rules: SolverConfig,
    /// The banker's strategy, or `None` for the game's default.
    pub banker: Option<String>,
    /// The observation encoding, or `None` for the environment's default.
    pub encoding: Option<String>,
    /// The number of episodes.
    pub episodes: u64,
    /// The seed of the episodes and of the policy.
    pub seed: u64,
    /// The probability of drawing the action uniformly at random from the legal ones. The house's strategy chooses the
    /// other actions. Must be 1 if the game has no such strategy.
    pub exploration: f64,
}

/// The decisions of some episodes, in order.
pub struct LoggedDecisions<'a> {
    pub(super) request: &'a DatasetRequest,
    pub(super) env: Box<dyn Env>,
    pub(super) solver: Box<dyn Solver>,
    pub(super) config: Value,
    pub(super) rules_hash: String,
    pub(super) rows: Rows,
    /// The name of the house's strategy, if the game has one.
    pub(super) house: Option<String>,
}

/// The values of all columns.
#[derive(Default)]
pub(super) struct Rows {
    episode: Vec<u64>,
    pub(super) step: Vec<i64>,
    observation: Vec<f32>,
    mask: Vec<bool>,
    action: Vec<i64>,
    propensity: Vec<f64>,
    reward: Vec<f64>,
    pub(super) evs: Vec<f64>,
    pub(super) best: Vec<i64>,
    pub(super) house: Vec<Option<i64>>,
}

impl DatasetRequest {
    /// Plays all episodes. The number of threads doesn't affect the result.
    pub fn log(&self, control: &Control<'_>) -> Result<LoggedDecisions<'_>, String> {
        let name = self.game.name;
        let entry = registry::find(name).map_err(|error| error.to_string())?;
        let solver = entry.solver(&with_strategies(entry, &self.rules, &[("banker", self.banker.as_deref())])?);
        let solver = solver.map_err(|error| error.to_string())?;
        let config = env_config(self.game, &self.rules, self.banker.as_deref()).map_err(|error| error.to_string())?;
        let text = config.to_string();
        let env = match &self.encoding {
            None => (self.game.make)(&text),
            Some(encoding) => self.game.make_with_encoding(&text, encoding),
        };
        let env = env.map_err(|error| format!("{name}: {error}"))?;
        let rules_hash = (self.game.rules_hash)(&config["rules"]).map_err(|error| format!("{name}: {error}"))?;
        let tell = control.stage("logging decisions", "episodes");
        let done = AtomicU64::new(0);
        let starts = (0..self.episodes.div_ceil(CHUNK)).map(|chunk| chunk * CHUNK);
        // Environments can be moved to another thread but not shared.
        let starts: Vec<_> = starts.map(|start| (start, env.boxed_clone())).collect();
        let chunks = starts.into_par_iter().map(|(start, mut env)| {
            let (mut rows, mut house) = (Rows::default(), None);
            for episode in start..self.episodes.min(start + CHUNK) {
                if control.is_cancelled() {
                    return Err("stopped; nothing was written".to_owned());
                }
                self.play(&mut *env, &*solver, episode, &mut rows, &mut house)?;
                tell(done.fetch_add(1, Ordering::Relaxed) + 1, self.episodes);
            }
            Ok((rows, house))
        });
        let chunks = chunks.collect::<Result<Vec<_>, String>>()?;
        let house = chunks.iter().find_map(|(_, house)| house.clone());
        let mut rows = Rows::default();
        chunks.into_iter().for_each(|(chunk, _)| rows.append(chunk));
        Ok(LoggedDecisions { request: self, env, solver, config, rules_hash, rows, house })
    }

    /// Plays an episode and adds its decisions.
    fn play(
        &self,
        env: &mut dyn Env,
        solver: &dyn Solver,
        episode: u64,
        rows: &mut Rows,
        house: &mut Option<String>,
    ) -> Result<(), String> {
        let fail = |error: &dyn std::fmt::Display| format!("episode {episode}: {error}");
        env.reset_stream(Some(StreamSeed { seed: self.seed, lane: episode }), None).map_err(|error| fail(&error))?;
        // Use other streams than those that deal the cards.
        let mut rng = stream(StreamSeed { seed: !self.seed, lane: episode });
        for step in 0.. {
            let view = env.view().ok_or_else(|| fail(&"the environment has no view"))?;
            let decision = solver.decision(&view, &Control::default()).map_err(|error| fail(&error))?;
            let decision = decision.ok_or_else(|| fail(&"the game has a decision without exact EVs"))?;
            let (features, actions) = (env.observation_space().len(), env.action_space().n());
            let first = rows.mask.len();
            rows.observation.resize(rows.observation.len() + features, 0.0);
            let observed = rows.observation.len() - features;
            env.observe(&mut rows.observation[observed..]).map_err(|error| fail(&error))?;
            rows.mask.resize(first + actions, false);
            env.action_mask(&mut rows.mask[first..]).map_err(|error| fail(&error))?;
            let legal: Vec<usize> = (0..actions).filter(|action| rows.mask[first + action]).collect();
            let own = decision.house.as_ref().map(|play| play.action);
            if own.is_none() && self.exploration < 1.0 {
                return Err(format!("{} has no house's strategy; omit --exploration", self.game.name));
            }
            // Draw both numbers in any case, so that the exploration doesn't change the rest of the episode.
            let (explores, drawn) = (rng.random::<f64>() < self.exploration, rng.random_range(0..legal.len()));
            let action = own.filter(|_| !explores).unwrap_or(legal[drawn]);
            rows.propensity.push(match own {
                Some(own) => {
                    self.exploration / legal.len() as f64 + if own == action { 1.0 - self.exploration } else { 0.0 }
                }
                None => 1.0 / legal.len() as f64,
            });
            let played = env.step(action).map_err(|error| fail(&error))?;
            rows.episode.push(episode);
            rows.step.push(step);
            rows.action.push(action as i64);
            rows.reward.push(played.reward);
            rows.evs.extend(decision.evs.iter().map(|ev| ev.unwrap_or(f64::NAN)));
            rows.best.push(decision.best() as i64);
            rows.house.push(own.map(|action| action as i64));
            *house = house.take().or(decision.house.map(|play| play.strategy));
            if played.terminated || played.truncated {
                return Ok(());
            }
        }
        unreachable!("every episode ends")
    }
}

impl Rows {
    fn append(&mut self, other: Rows) {
        self.episode.extend(other.episode);
        self.step.extend(other.step);
        self.observation.extend(other.observation);
        self.mask.extend(other.mask);
        self.action.extend(other.action);
        self.propensity.extend(other.propensity);
        self.reward.extend(other.reward);
        self.evs.extend(other.evs);
        self.best.extend(other.best);
        self.house.extend(other.house);
    }

    /// Converts the values to columns. The lists have one element per feature and per action.
    fn into_columns(self, features: usize, actions: usize) -> [Column; 10] {
        let integers = |values: Vec<i64>| Values::Integers(values.into_iter().map(Some).collect());
        let doubles = |values: Vec<f64>| Values::Doubles(values.into_iter().map(Some).collect());
        [
            Column::new("episode", Values::Unsigned(self.episode)),
            Column::new("step", integers(self.step)),
            Column::new("observation", Values::FloatLists(Lists { each: features, elements: self.observation })),
            Column::new("mask", Values::BoolLists(Lists { each: actions, elements: self.mask })),
            Column::new("action", integers(self.action)),
            Column::new("propensity", doubles(self.propensity)),
            Column::new("reward", doubles(self.reward)),
            Column::new("evs", Values::DoubleLists(Lists { each: actions, elements: self.evs })),
            Column::new("best", integers(self.best)),
            Column::new("house", Values::Integers(self.house)),
        ]
    }
}

impl LoggedDecisions<'_> {
    /// Returns the number of decisions.
    pub fn decisions(&self) -> usize {
        self.rows.best.len()
    }

    /// Writes the decisions as Parquet.
    pub fn write(self, path: &Path) -> io::Result<()> {
        let metadata = self.metadata();
        let columns = self.rows.into_columns(self.env.observation_space().len(), self.env.action_space().n());
        write_atomic_with(path, |file| write_parquet(&columns, &metadata, file))
            .map_err(|error| cannot_write_by("--out", path, error))
    }

    fn metadata(&self) -> Vec<(String, String)> {
        let DatasetRequest { game, encoding, seed, exploration, .. } = self.request;
        let pairs = [
            ("format", FORMAT.to_owned()),
            ("game", game.name.to_owned()),
            ("env", self.env.spec().id.to_string()),
            ("config", self.config.to_string()),
            ("rules_hash", self.rules_hash.clone()),
            ("environment_hash", self.env.rules_hash()),
            ("encoding", json!(encoding).to_string()),
            ("actions", json!((game.action_names)()).to_string()),
            ("seed", seed.to_string()),
            ("exploration", exploration.to_string()),
            ("version", VERSION.to_owned()),
            ("commit", commit().unwrap_or_default().to_owned()),
            ("command", command_line()),
        ];
        pairs.into_iter().map(|(key, value)| (format!("houseway.{key}"), value)).collect()
    }
}
