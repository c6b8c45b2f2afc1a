//! `houseway dataset`: data sets of logged decisions.
//!
//! A data set is what a program would have logged that played with a known, partly random policy: the observation, the
//! action, its probability (the *propensity*) and its reward. From such bandit data, off-policy methods estimate the
//! EVs of other policies, and learn new ones. Here, the truth is known as well. Each row has the exact EVs of all
//! actions, and the [card](LoggedDecisions::card) has the exact EVs of several policies.
//!
//! The columns are listed in [`COLUMNS`], and in each card.
//!
//! In Python, for a table read with pyarrow, `table["evs"].combine_chunks().values.to_numpy().reshape(len(table), -1)`
//! is the matrix of a list column. The file's metadata contains the game, its rules and the seed.

use crate::columns::{Column, Lists, Values, to_parquet};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, scopes};
use crate::play::{env_config, with_strategies};
use crate::report::Report;
use crate::run::{
    Output, STOPPING, VERSION, check_outputs, command_line, commit, stop_flag_with, with_control, write_atomic,
};
use clap::Args;
use houseway_env::gym::{Env, GameEntry, StreamSeed, stream};
use houseway_env::registry::find;
use houseway_exact::answer::{Answer, Section, TextTable};
use houseway_exact::format::grouped;
use houseway_exact::registry;
use houseway_exact::solver::{Control, EvaluatorConfig, SampleConfig, Scope, Solver, SolverConfig, SolverError};
use rand::RngExt;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

const MAX_EPISODES: u64 = 1_000_000;

/// Log decisions of a partly random policy as a data set, with the exact EVs of all actions
///
/// Writes STEM.parquet, which has one row per decision with its observation, action, propensity and reward, and the
/// card STEM.md, which explains all columns and has the exact EVs that off-policy estimates should come close to.
/// Decisions before the flop of Ultimate Texas Hold'em take about 0.5 s each.
#[derive(Args)]
pub struct DatasetArgs {
    /// The path to the files without their endings, such as logged or data/logged
    #[arg(long, value_name = "STEM")]
    out: PathBuf,
    /// The number of episodes
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=MAX_EPISODES))]
    episodes: u64,
    /// The seed for the episodes and the policy
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The probability of drawing an action uniformly at random; the house's strategy chooses the other actions, if the
    /// game has one
    #[arg(long, value_name = "P", default_value_t = 1.0, value_parser = parse_probability)]
    exploration: f64,
    /// The hands that the card's baselines are evaluated on; a sample is at most as large as the data set, but has at least 100 hands
    #[arg(long, value_parser = scopes(), default_value = "whole")]
    exact: Scope,
    /// The observation encoding [default: the environment's first one]
    #[arg(long, value_name = "ENCODING")]
    observation: Option<String>,
    /// The banker's house way, in games with house ways
    #[arg(long, value_name = "WAY")]
    banker: Option<String>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

fn parse_probability(text: &str) -> Result<f64, String> {
    let parsed = text.parse().ok().filter(|value| (0.0..=1.0).contains(value));
    parsed.ok_or_else(|| "expected a probability from 0 to 1".to_owned())
}

impl DatasetArgs {
    pub fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = find(&self.common.game.game).map_err(Failure::usage)?;
        if let Some(encoding) = &self.observation
            && !game.encodings.contains(&encoding.as_str())
        {
            let known = if game.encodings.is_empty() { "none".to_owned() } else { game.encodings.join(", ") };
            let text = format!("--observation {encoding}: {} has the encodings {known}", game.name);
            return Err(Failure::usage(text));
        }
        let [data, card] = ["parquet", "md"].map(|end| self.out.with_added_extension(end));
        let outputs = [&data, &card].map(|file| Output::new("--out", file));
        let inputs: Vec<PathBuf> = self.common.game.rules.iter().cloned().collect();
        let _outputs = check_outputs(&outputs, &inputs, self.force.force).map_err(Failure::usage)?;
        let rules = self.common.game.solver_config([].into())?;
        let stop = stop_flag_with(STOPPING)?;
        let name = self.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (logged, text) = with_control(&stop, |control| -> CommandResult<_> {
            let logged = self.log(game, &rules, control).map_err(Failure::usage)?;
            let text = logged.card(&name, self.exact, control)?;
            Ok((logged, text))
        })?;
        write_atomic(&data, to_parquet(&logged.columns(), &logged.metadata())?)?;
        write_atomic(&card, text)?;
        let (mut json, policies) = (logged.json(), logged.policies());
        json["files"] = json!([&data, &card].map(|file| file.display().to_string()));
        let mut section = Section::default().text(format!(
            "Logged {} decisions from {} episodes of {}.",
            grouped(logged.rows.len() as u64),
            grouped(self.episodes),
            game.title
        ));
        if !policies.is_empty() {
            section = section.table(policies_table(&policies, "exact EV for these decisions"));
        }
        let files = format!("data: {}\ncard: {}", data.display(), card.display());
        self.common.output.show(&Answer::new(json, [section.lines(files)]))
    }
}

/// Returns the policies with their EVs, which are exact means over the logged decisions.
fn policies_table(policies: &[(String, f64)], ev: &str) -> TextTable {
    let rows = policies.iter().map(|(policy, ev)| [policy.clone(), format!("{ev:+.8}")]);
    TextTable::new(["policy", ev]).right(1).rows(rows)
}

/// The file format. It changes whenever a column does.
const FORMAT: &str = "houseway-dataset-1";
/// The number of episodes that one thread plays at a time.
const CHUNK: u64 = 64;

struct LoggedDecisions<'a> {
    game: &'static GameEntry,
    args: &'a DatasetArgs,
    env: Box<dyn Env>,
    solver: Box<dyn Solver>,
    config: Value,
    rules_hash: String,
    rows: Vec<Row>,
    /// The name of the house's strategy, if the game has one.
    house: Option<String>,
}

struct Row {
    episode: u64,
    step: usize,
    observation: Vec<f32>,
    mask: Vec<bool>,
    action: usize,
    propensity: f64,
    reward: f64,
    evs: Vec<f64>,
    best: usize,
    house: Option<usize>,
}

impl DatasetArgs {
    /// Plays all episodes. The number of threads doesn't affect the result.
    fn log(
        &self,
        game: &'static GameEntry,
        rules: &SolverConfig,
        control: &Control<'_>,
    ) -> Result<LoggedDecisions<'_>, String> {
        let name = game.name;
        let entry = registry::find(name).map_err(|error| error.to_string())?;
        let solver = entry.solver(&with_strategies(game, rules, None, self.banker.as_deref())?);
        let solver = solver.map_err(|error| error.to_string())?;
        let config = env_config(game, rules, self.banker.as_deref())?;
        let text = config.to_string();
        let env = match &self.observation {
            None => (game.make)(&text),
            Some(encoding) => game.make_with_encoding(&text, encoding),
        };
        let env = env.map_err(|error| format!("{name}: {error}"))?;
        let rules_hash = (game.rules.hash)(&config["rules"]).map_err(|error| format!("{name}: {error}"))?;
        let tell = control.stage("logging decisions", "episodes");
        let done = AtomicU64::new(0);
        let starts = (0..self.episodes.div_ceil(CHUNK)).map(|chunk| chunk * CHUNK);
        // Environments can be moved to another thread but not shared.
        let starts: Vec<_> = starts.map(|start| (start, env.boxed_clone())).collect();
        let chunks = starts.into_par_iter().map(|(start, mut env)| {
            let (mut rows, mut house) = (vec![], None);
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
        let rows = chunks.into_iter().flat_map(|(rows, _)| rows).collect();
        Ok(LoggedDecisions { game, args: self, env, solver, config, rules_hash, rows, house })
    }

    fn play(
        &self,
        env: &mut dyn Env,
        solver: &dyn Solver,
        episode: u64,
        rows: &mut Vec<Row>,
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
            let mut observation = vec![0.0; env.observation_space().len()];
            env.observe(&mut observation).map_err(|error| fail(&error))?;
            let mut mask = vec![false; env.actions()];
            env.action_mask(&mut mask).map_err(|error| fail(&error))?;
            let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
            let own = decision.house.as_ref().map(|play| play.action);
            if own.is_none() && self.exploration < 1.0 {
                return Err(format!("{} has no house's strategy; omit --exploration", self.common.game.game));
            }
            // Draw both numbers in any case, so that the exploration doesn't change the rest of the episode.
            let (explores, drawn) = (rng.random::<f64>() < self.exploration, rng.random_range(0..legal.len()));
            let action = own.filter(|_| !explores).unwrap_or(legal[drawn]);
            let propensity = match own {
                Some(own) => {
                    self.exploration / legal.len() as f64 + if own == action { 1.0 - self.exploration } else { 0.0 }
                }
                None => 1.0 / legal.len() as f64,
            };
            let played = env.step(action).map_err(|error| fail(&error))?;
            let evs = decision.evs.iter().map(|ev| ev.unwrap_or(f64::NAN)).collect();
            let (reward, best) = (played.reward, decision.best());
            rows.push(Row { episode, step, observation, mask, action, propensity, reward, evs, best, house: own });
            *house = house.take().or(decision.house.map(|play| play.strategy));
            if played.terminated || played.truncated {
                return Ok(());
            }
        }
        unreachable!("every episode ends")
    }
}

impl LoggedDecisions<'_> {
    fn columns(&self) -> [Column; 10] {
        let rows = &self.rows;
        let integers = |value: fn(&Row) -> Option<usize>| {
            Values::Integers(rows.iter().map(|row| value(row).map(|value| value as i64)).collect())
        };
        let doubles = |value: fn(&Row) -> f64| Values::Doubles(rows.iter().map(|row| Some(value(row))).collect());
        let (features, actions) = (self.env.observation_space().len(), self.env.actions());
        let observations = rows.iter().flat_map(|row| row.observation.iter().copied()).collect();
        let masks = rows.iter().flat_map(|row| row.mask.iter().copied()).collect();
        let evs = rows.iter().flat_map(|row| row.evs.iter().copied()).collect();
        [
            Column::new("episode", Values::Unsigned(rows.iter().map(|row| row.episode).collect())),
            Column::new("step", integers(|row| Some(row.step))),
            Column::new("observation", Values::FloatLists(Lists { each: features, elements: observations })),
            Column::new("mask", Values::BoolLists(Lists { each: actions, elements: masks })),
            Column::new("action", integers(|row| Some(row.action))),
            Column::new("propensity", doubles(|row| row.propensity)),
            Column::new("reward", doubles(|row| row.reward)),
            Column::new("evs", Values::DoubleLists(Lists { each: actions, elements: evs })),
            Column::new("best", integers(|row| Some(row.best))),
            Column::new("house", integers(|row| row.house)),
        ]
    }

    fn metadata(&self) -> Vec<(String, String)> {
        let LoggedDecisions { game, args: DatasetArgs { observation, seed, exploration, .. }, .. } = self;
        let pairs = [
            ("format", FORMAT.to_owned()),
            ("game", game.name.to_owned()),
            ("env", self.env.spec().id.to_string()),
            ("config", self.config.to_string()),
            ("rules_hash", self.rules_hash.clone()),
            ("environment_hash", self.env.rules_hash()),
            ("encoding", json!(observation).to_string()),
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

const COLUMNS: [[&str; 3]; 10] = [
    ["episode", "uint64", "the episode, which is also the lane of the environment's random stream"],
    ["step", "int64", "the number of earlier decisions in the episode"],
    ["observation", "list of float", "the environment's observation"],
    ["mask", "list of boolean", "true for each legal action"],
    ["action", "int64", "the action that was played"],
    ["propensity", "double", "the probability with which the logging policy plays this action"],
    ["reward", "double", "the reward for this step"],
    [
        "evs",
        "list of double",
        "the exact EV of the round after each action if later play is optimal, or NaN if it's illegal",
    ],
    ["best", "int64", "the action with the highest EV, or the first of these"],
    ["house", "int64", "the action of the house's strategy, or null if there is none"],
];

impl LoggedDecisions<'_> {
    /// Returns the mean EVs of simple policies over the logged decisions. An estimate from the logged rewards should come
    /// close to them. Empty if an episode has several decisions, because the EVs assume that later play is optimal.
    fn policies(&self) -> Vec<(String, f64)> {
        if self.rows.iter().any(|row| row.step > 0) {
            return vec![];
        }
        let mean = |ev: fn(&Row) -> f64| self.rows.iter().map(ev).sum::<f64>() / self.rows.len() as f64;
        let uniform = mean(|row| {
            let legal: Vec<f64> = row.evs.iter().copied().filter(|ev| !ev.is_nan()).collect();
            legal.iter().fold(0.0, |sum, ev| sum + ev) / legal.len() as f64
        });
        let best = mean(|row| row.evs[row.best]);
        let mut policies = vec![("uniformly random".to_owned(), uniform)];
        if let Some(name) = &self.house {
            let exploration = self.args.exploration;
            let house = mean(|row| row.evs[row.house.expect("the house has a strategy")]);
            policies.push(("logging policy".to_owned(), exploration * uniform + (1.0 - exploration) * house));
            policies.push((name.clone(), house));
        }
        policies.push(("optimum".to_owned(), best));
        policies
    }

    /// Returns the data set's card as Markdown. `scope` defines the hands that the game's baselines are evaluated on.
    fn card(&self, name: &str, scope: Scope, control: &Control<'_>) -> Result<String, SolverError> {
        let LoggedDecisions { game, args: DatasetArgs { episodes, seed, exploration, .. }, .. } = self;
        let spec = registry::find(game.name)?.sample;
        let sample = spec.filter(|spec| spec.always || scope == Scope::Sample).map(|spec| SampleConfig {
            size: (*episodes as usize).clamp(SampleConfig::MIN_SIZE, spec.default_size),
            seed: SampleConfig::DEFAULT_SEED,
        });
        let (truth, scope) = match (&sample, spec) {
            (Some(sample), Some(spec)) => (
                format!(
                    "EVs on a sample of {} {}, each with its exact value; those in the whole game differ by the \
                     sample's error:",
                    grouped(sample.size as u64),
                    spec.items
                ),
                Scope::Sample,
            ),
            _ => ("EVs in the whole game, which estimates approach with more and more episodes:".to_owned(), scope),
        };
        let evaluator = self.solver.evaluator(&EvaluatorConfig { sample, ..EvaluatorConfig::default() }, control)?;
        let evaluation = evaluator.evaluate(&[], scope, control)?;
        let logging = match &self.house {
            Some(house) => format!(
                "With a probability of {exploration}, the policy plays an action drawn uniformly at random from the legal \
                 ones. Otherwise, it follows {house}."
            ),
            None => "The policy plays an action drawn uniformly at random from the legal ones.".to_owned(),
        };
        let about = Section::default().text(format!(
            "{} decisions from {} episodes of {} (`{}`), logged with a known policy. {logging}",
            grouped(self.rows.len() as u64),
            grouped(*episodes),
            game.title,
            self.env.spec().id
        ));
        let columns = COLUMNS.map(|[name, kind, meaning]| [format!("`{name}`"), kind.to_owned(), meaning.to_owned()]);
        let columns = TextTable::new(["column", "type", "meaning"]).rows(columns);
        let policies = self.policies();
        let policy_evs = match policies.is_empty() {
            true => Section::new("The truth").text(
                "`evs` has the exact EVs of all actions if later play is optimal. An episode has several decisions, so the \
                 mean of these EVs over the logged decisions isn't the EV of a policy that plays badly later. The truth for \
                 complete policies is therefore only stated for the policies in the next table. The exact EV of the logging policy isn't computed.",
            ),
            false => Section::new("The truth")
                .text("Exact EVs of a round for the logged decisions, the means of `evs` weighted by the policy:")
                .table(policies_table(&policies, "EV")),
        };
        let provenance = TextTable::new(["", ""])
            .row(["command", &format!("`{}`", command_line())])
            .row(["configuration", &format!("`{}`", self.config)])
            .row(["rules", &format!("hash `{}`", self.rules_hash)])
            .row(["environment", &format!("hash `{}`", self.env.rules_hash())])
            .row(["seed", &seed.to_string()])
            .row(["version", &format!("houseway {VERSION}, commit {}", commit().unwrap_or("unknown"))]);
        let sections = [
            about,
            Section::new("Columns").table(columns),
            policy_evs.text(truth).text(evaluation.preface).table(evaluation.comparison),
            Section::new("Provenance").table(provenance),
        ];
        Ok(Report::new(format!("Data set {name}"), sections).markdown())
    }

    fn json(&self) -> Value {
        let mut rules = (self.game.rules.defaults)();
        rules.extend(self.config["rules"].as_object().cloned().unwrap_or_default());
        json!({
            "game": self.game.name,
            "rules": rules,
            "rules_hash": self.rules_hash,
            "environment_hash": self.env.rules_hash(),
            "episodes": self.args.episodes,
            "decisions": self.rows.len(),
            "policies": self.policies().iter().map(|(policy, ev)| json!({ "policy": policy, "ev": ev })).collect::<Value>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: DatasetArgs,
    }

    /// In a game with several decisions in an episode, rewards come at the end.
    #[test]
    fn later_decisions_of_an_episode_are_logged() {
        let args = Line::parse_from(["houseway", "-g", "ultimate-holdem", "--episodes", "4", "--out", "log"]).args;
        let game = find("ultimate-holdem").unwrap();
        let logged = args.log(game, &SolverConfig::default(), &Control::default()).unwrap();
        assert!(logged.rows.iter().any(|row| row.step > 0));
        for (row, next) in logged.rows.iter().zip(logged.rows.iter().skip(1)) {
            assert!(next.step == 0 || (row.reward == 0.0 && next.step == row.step + 1));
        }
        // The means of EVs that assume optimal later play aren't the EVs of policies.
        assert!(logged.policies().is_empty());
    }
}
