//! Reads scores from run folders.

use crate::run::{CONFIG, PROVENANCE, RESULTS, read_result, split_agent_name};
use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A game with specific rules and opponents, used as a benchmark for methods.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatsTask {
    /// The game's name in the registry.
    pub game: String,
    /// The hash of the rules, the opponents and the paytables.
    pub environment_hash: String,
    /// The reset options as JSON. Options that aren't listed have their default value.
    pub options: String,
}

impl std::fmt::Display for StatsTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} with environment {}", self.game, self.environment_hash)?;
        match &*self.options {
            "{}" => Ok(()),
            options => write!(f, " and options {options}"),
        }
    }
}

/// The scores of all trained agents in several runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunScores {
    /// The regrets by method, task, and seed.
    pub methods: BTreeMap<String, BTreeMap<StatsTask, BTreeMap<u64, f64>>>,
}

#[derive(Deserialize)]
struct Agent {
    name: String,
    regret: Option<f64>,
}

/// Returns the reset options in the configuration of a run.
fn options(config: &str) -> anyhow::Result<String> {
    #[derive(Deserialize)]
    struct Options {
        #[serde(default)]
        options: Map<String, Value>,
    }
    let Options { options } = toml::from_str(config)?;
    Ok(Value::Object(options).to_string())
}

impl RunScores {
    /// Reads the results from the folders of evaluated runs. Runs of the same game with the same rules,
    /// opponents and options form one task.
    pub fn read(folders: &[PathBuf]) -> anyhow::Result<RunScores> {
        let mut scores = RunScores::default();
        for folder in folders {
            scores.add(folder).with_context(|| folder.display().to_string())?;
        }
        Ok(scores)
    }

    fn add(&mut self, folder: &Path) -> anyhow::Result<()> {
        let read = |file: &str| -> anyhow::Result<Value> {
            let text = read_result(folder, file).or_else(|error| match error.kind() {
                std::io::ErrorKind::NotFound => {
                    bail!("it is not the folder of an evaluated run (no {file}); create one with houseway bench")
                }
                _ => Err(error.into()),
            })?;
            serde_json::from_str(&text).with_context(|| file.to_owned())
        };
        let results = read(RESULTS)?;
        let provenance = read(PROVENANCE)?;
        // Earlier versions only have the second one, which covers the same.
        let hashes = [&provenance["environment_hash"], &provenance["rules_hash"]];
        let config = read_result(folder, CONFIG).context(CONFIG)?;
        let agents: Vec<Agent> = match (&results["agents"], &results["game"]) {
            (agents, Value::String(_)) => Vec::deserialize(agents).context(RESULTS)?,
            _ => bail!("its results do not contain trained agents with a regret"),
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let task = StatsTask {
            game: text(&results["game"]),
            environment_hash: hashes.into_iter().find_map(Value::as_str).unwrap_or_default().to_owned(),
            options: options(&config).context(CONFIG)?,
        };
        let mut found = false;
        for Agent { name, regret } in &agents {
            let Some((method, seed)) = split_agent_name(name) else { continue };
            let Some(regret) = *regret else { bail!("{name} has no regret: the optimum of the game is unknown") };
            let runs = self.methods.entry(method.to_owned()).or_default().entry(task.clone()).or_default();
            if runs.insert(seed, regret).is_some() {
                bail!("{name} also appears in another run; pass each run once or rename its training runs");
            }
            found = true;
        }
        if found { Ok(()) } else { bail!("it has no trained agents") }
    }

    pub fn tasks(&self) -> anyhow::Result<Vec<StatsTask>> {
        let mut tasks: Vec<StatsTask> = self.methods.values().flat_map(|tasks| tasks.keys().cloned()).collect();
        tasks.sort();
        tasks.dedup();
        for (method, own) in &self.methods {
            if let Some(missing) = tasks.iter().find(|task| !own.contains_key(task)) {
                bail!("{method} has no run on {missing}; compare methods on the same tasks");
            }
            let counts: Vec<usize> = own.values().map(BTreeMap::len).collect();
            if counts.iter().any(|count| *count != counts[0]) {
                bail!("{method} has {counts:?} runs on the tasks; use the same number of seeds for each task");
            }
        }
        Ok(tasks)
    }
}
