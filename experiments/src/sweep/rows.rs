//! Collects the results of a sweep, with one row per point, agent and seed.

use super::plan::{Plan, SweepRun};
use super::worker::RunStatus;
use crate::metrics::MetricHistory;
use crate::study::{Experiment, folder_name, has_diverged};
use anyhow::{Context, bail};
use houseway_lab::run::{RESULTS, cannot_read, read_result};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The metrics that come first, in this order.
const FIRST: [&str; 5] = ["ev", "regret", "regret_low", "regret_high", "agreement"];

/// The state of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentStatus {
    /// The agent has results.
    Finished,
    /// Its training diverged.
    Diverged,
    /// Another agent in the same run diverged, so this one wasn't evaluated.
    NotEvaluated,
}

impl AgentStatus {
    /// Returns the name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            AgentStatus::Finished => "finished",
            AgentStatus::Diverged => "diverged",
            AgentStatus::NotEvaluated => "not evaluated",
        }
    }
}

/// The results of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the run.
    pub run: String,
    /// The index of the point.
    pub point: usize,
    /// The name of the training configuration.
    pub agent: String,
    pub seed: u64,
    /// The state of the agent.
    pub status: AgentStatus,
    /// The number of optimizer steps, or of stages for trees.
    pub steps: u64,
    /// The number of deals seen, if the agent was evaluated.
    pub deals: Option<u64>,
    /// The results of the evaluation by name.
    pub metrics: BTreeMap<String, f64>,
}

impl Row {
    /// Returns the row as JSON.
    pub fn json(&self, plan: &Plan) -> Value {
        let point = &plan.points[self.point];
        let mut json = json!({
            "name": self.run,
            "point": point.name,
            "agent": self.agent,
            "seed": self.seed,
            "set": plan.set_of(self.point, &self.agent),
            "status": self.status.name(),
            "steps": self.steps,
            "deals": self.deals,
        });
        for (name, value) in &self.metrics {
            json[name] = json!(value);
        }
        json
    }
}

/// Reads the results of all runs.
pub(super) fn collect(plan: &Plan, folder: &Path) -> anyhow::Result<Vec<Row>> {
    let mut rows = vec![];
    for run in &plan.runs {
        let read = match RunStatus::read(plan, run, folder)? {
            RunStatus::Finished => finished(run, &folder.join(&run.name)),
            RunStatus::Diverged => Ok(diverged(run, &folder.join(&run.name))),
            RunStatus::Missing | RunStatus::Other => bail!("{}: the run isn't finished", run.name),
        };
        rows.extend(read.with_context(|| run.name.clone())?);
    }
    Ok(rows)
}

fn finished(run: &SweepRun, folder: &Path) -> anyhow::Result<Vec<Row>> {
    let file = folder.join(RESULTS);
    let results: Value =
        serde_json::from_str(&read_result(folder, RESULTS)?).map_err(|error| cannot_read(&file, error.into()))?;
    let row = |mut row: Row, name: &str| {
        let agents = results["agents"].as_array().into_iter().flatten();
        let agent = agents.filter_map(Value::as_object).find(|agent| agent["name"] == json!(name));
        row.metrics = metrics(agent.with_context(|| format!("{RESULTS} has no results of {name}"))?);
        let history = MetricHistory::read(&folder.join("train").join(folder_name(name)))?;
        row.deals = history.last().map(|point| point.hands);
        Ok(row)
    };
    rows(run).into_iter().map(|(name, plain)| row(plain, &name)).collect()
}

fn diverged(run: &SweepRun, folder: &Path) -> Vec<Row> {
    let status = |name: &str| match has_diverged(&folder.join("train").join(folder_name(name))) {
        true => AgentStatus::Diverged,
        false => AgentStatus::NotEvaluated,
    };
    rows(run).into_iter().map(|(name, row)| Row { status: status(&name), ..row }).collect()
}

/// Returns a row without results for each agent, and the agent's full name.
fn rows(run: &SweepRun) -> Vec<(String, Row)> {
    let row = |(agent, steps): (&String, u64)| Row {
        run: run.name.clone(),
        point: run.point,
        agent: agent.clone(),
        seed: run.seed,
        status: AgentStatus::Finished,
        steps,
        deals: None,
        metrics: BTreeMap::new(),
    };
    let Experiment { train, trees, .. } = &run.experiment;
    let networks = train.iter().map(|(name, config)| (name, config.steps));
    let rows = networks.chain(trees.iter().map(|(name, config)| (name, config.stages))).map(row);
    let names = run.experiment.agents().map(|(name, ..)| name);
    names.chain(run.experiment.ensembles().map(|(name, ..)| name)).zip(rows).collect()
}

/// Returns the numbers among the results of an agent.
fn metrics(agent: &Map<String, Value>) -> BTreeMap<String, f64> {
    let mut metrics: BTreeMap<String, f64> =
        agent.iter().filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect();
    if let Some([low, high]) = agent.get("regret_ci").and_then(Value::as_array).map(Vec::as_slice) {
        for (name, end) in [("regret_low", low), ("regret_high", high)] {
            metrics.extend(end.as_f64().map(|end| (name.to_owned(), end)));
        }
    }
    metrics
}

pub(super) fn metric_names(rows: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().flat_map(|row| row.metrics.keys().cloned()).collect();
    let place = |name: &String| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len());
    names.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.cmp(b)));
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_the_numbers_of_an_agent() {
        let agent =
            json!({ "name": "a, seed 1", "plays": "x", "regret": 0.5, "regret_ci": [0.25, 0.75], "ev": -1.0, "z": 2 });
        let metrics = metrics(agent.as_object().unwrap());
        let row = Row {
            run: "r".to_owned(),
            point: 0,
            agent: "a".to_owned(),
            seed: 1,
            status: AgentStatus::Finished,
            steps: 3,
            deals: None,
            metrics,
        };
        assert_eq!(metric_names(&[row]), ["ev", "regret", "regret_low", "regret_high", "z"]);
    }
}
