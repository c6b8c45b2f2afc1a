//! Writes a model card for each trained agent.

use super::base::StudyBase;
use super::experiment::{Experiment, MAX_WEIGHTS, WEIGHTS, digest};
use super::train::folder_name;
use crate::metrics::MetricHistory;
use anyhow::{Context, anyhow};
use houseway_env::{files, registry};
use houseway_exact::answer::TextTable;
use houseway_exact::format::{grouped, percent};
use houseway_exact::solver::{Evaluation, PolicyScore, Scope, StakeUnit};
use houseway_lab::report::Report;
use houseway_lab::run::{RunFolder, cannot_read, split_agent_name, write_atomic};
use houseway_learned::TrainConfig;
use safetensors::SafeTensors;
use serde_json::{Value, json};

/// The file name of model cards.
const CARD: &str = "card.md";

/// Writes a model card next to the weights of each agent. It states what the agent was trained on and how it scores, so
/// that the weights can be published on their own. `encoding` is the name of the observation encoding, and `results` are
/// the run's results.
pub(super) fn write_cards(
    experiment: &Experiment,
    run: &RunFolder,
    (base, encoding): (&StudyBase, &str),
    evaluation: &Evaluation,
    results: &Value,
) -> anyhow::Result<()> {
    for (name, config, seed) in experiment.agents() {
        let score = evaluation.scores.iter().find(|score| score.name == name);
        let score = score.ok_or_else(|| anyhow!("{name} has no score"))?;
        let card = ModelCard {
            title: format!("{name} of {}", experiment.name),
            description: description(experiment, config)?,
            scope: scope(evaluation.scope).to_owned(),
            scores: scores(score, base.unit(), results),
            training: (config, seed),
            training_config: json!({ "train": { (name_of(&name)): config } }),
            task: task(base, encoding),
            task_config: json!(experiment.task),
        };
        card.write(run, &folder_name(&name))?;
    }
    Ok(())
}

/// The parts of a model card that depend on the kind of study.
pub struct ModelCard<'a> {
    pub title: String,
    /// A description of the agent in a sentence or two.
    pub description: String,
    /// A description of the hands that the agent was evaluated on.
    pub scope: String,
    pub scores: TextTable,
    /// The training configuration and the seed.
    pub training: (&'a TrainConfig, u64),
    /// The training configuration as it is written in the study's configuration.
    pub training_config: Value,
    /// The identity of the task.
    pub task: TextTable,
    /// The task's configuration.
    pub task_config: Value,
}

impl ModelCard<'_> {
    /// Writes the card to a training folder, next to the weights.
    pub fn write(self, run: &RunFolder, folder: &str) -> anyhow::Result<()> {
        let card = Report::new(self.title)
            .text(self.description)
            .heading("Evaluation")
            .text(self.scope)
            .table(self.scores)
            .heading("Training")
            .table(training(run, folder, self.training)?)
            .code(toml::to_string_pretty(&self.training_config)?)
            .heading("Task")
            .table(self.task)
            .code(toml::to_string_pretty(&self.task_config)?)
            .heading("Weights")
            .table(weights(run, folder)?);
        let path = run.training(folder).join(CARD);
        write_atomic(&path, card.markdown() + &links(run)).with_context(|| path.display().to_string())
    }
}

/// Returns the name of an agent's training configuration.
fn name_of(agent: &str) -> &str {
    split_agent_name(agent).map_or(agent, |(name, _)| name)
}

/// Describes the agent in a sentence or two.
fn description(experiment: &Experiment, config: &TrainConfig) -> anyhow::Result<String> {
    let game = registry::find(experiment.game)?;
    let feedback = config.method.feedback();
    Ok(format!(
        "An agent for {} (`{}`). It was trained with the method `{}`. Its feedback is *{}*: {}.",
        game.title,
        game.name,
        config.method.name(),
        feedback.name(),
        feedback.explanation()
    ))
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Whole => "Over all hands. These values are exact.",
        Scope::Sample => "On a sample of hands. The interval is the 95% confidence interval.",
    }
}

/// Returns the agent's scores. The exact EV and counts of deals are included if the results have them.
fn scores(score: &PolicyScore, unit: StakeUnit, results: &Value) -> TextTable {
    let (digits, of) = match unit.percent {
        true => ((|value| percent(value, 5)) as fn(f64) -> String, format!(" of the {}", unit.name)),
        false => ((|value| format!("{value:.7}")) as fn(f64) -> String, format!(" {}s", unit.name)),
    };
    let interval = score.regret_ci.map(|[low, high]| format!(" ({} to {})", digits(low), digits(high)));
    let mut table = TextTable::new(["", ""]).row(["EV", &(digits(score.ev) + &of)]);
    if let Some([Value::String(numerator), Value::String(denominator)]) =
        score.details.get(PolicyScore::EXACT_EV).and_then(Value::as_array).map(Vec::as_slice)
    {
        table = table.row(["exact EV", &format!("{numerator} / {denominator} {}s", unit.name)]);
    }
    table = table
        .row(["regret", &(digits(score.regret) + &interval.unwrap_or_default() + &of)])
        .row(["decided as well as by the optimum", &percent(score.agreement, 3)]);
    let counted = results["whole"].as_array().into_iter().flatten().find(|row| row["name"] == score.name.as_str());
    for (key, label) in [("wins", "deals won"), ("pushes", "deals pushed"), ("losses", "deals lost")] {
        let count = counted.and_then(|row| row[key].as_str()?.parse().ok());
        if let Some(count) = count {
            table = table.row([label, &grouped(count)]);
        }
    }
    table
}

/// Returns the identity of the task. The version of the encoding is that of the environment, because any change to an
/// encoding needs a new environment id.
fn task(base: &StudyBase, encoding: &str) -> TextTable {
    let table = TextTable::new(["", ""]).row(["environment", &format!("`{}`", base.env_id())]);
    let table = match encoding {
        "" => table,
        encoding => table.row(["observation encoding", &format!("`{encoding}` of `{}`", base.env_id())]),
    };
    table.row(["hash of the rules, opponents and paytables", &format!("`{}`", base.environment_hash())])
}

/// Returns the amount of training.
fn training(run: &RunFolder, folder: &str, (config, seed): (&TrainConfig, u64)) -> anyhow::Result<TextTable> {
    let history = MetricHistory::read(&run.training(folder))?;
    let last = history.last();
    let updates = last.and_then(|last| last.updates).unwrap_or(config.steps);
    let table = TextTable::new(["", ""])
        .row(["seed", &seed.to_string()])
        .row(["gradient steps", &grouped(updates)])
        .row(["deals seen", &grouped(last.map_or(0, |last| last.hands))]);
    let counts = last.map_or([None; 2], |last| [last.settled, last.rewards]);
    let rows = ["deals settled", "rewards used"].into_iter().zip(counts);
    Ok(rows.fold(table, |table, (label, count)| match count {
        Some(count) => table.row([label, &grouped(count)]),
        None => table,
    }))
}

/// Describes the weights file.
fn weights(run: &RunFolder, folder: &str) -> anyhow::Result<TextTable> {
    let path = run.training(folder).join(WEIGHTS);
    let bytes = files::read(&path, MAX_WEIGHTS).map_err(|error| cannot_read(&path, error))?;
    let failed = || format!("{} is damaged; remove its folder and train again", path.display());
    let (_, metadata) = SafeTensors::read_metadata(&bytes).with_context(failed)?;
    let parameters: usize = metadata.tensors().values().map(|tensor| tensor.shape.iter().product::<usize>()).sum();
    let mut table = TextTable::new(["", ""])
        .row(["file", &format!("`{WEIGHTS}` (safetensors, 32-bit floats)")])
        .row(["parameters", &grouped(parameters as u64)])
        .row(["SHA-256", &format!("`{}`", digest(&bytes))]);
    let mut stored: Vec<_> = metadata.metadata().iter().flatten().collect();
    stored.sort();
    for (key, value) in stored {
        table = table.row([&format!("`{key}`"), &format!("`{value}`")]);
    }
    Ok(table)
}

/// Returns the final section, which tells where the agent comes from.
fn links(run: &RunFolder) -> String {
    let provenance = run.provenance();
    format!(
        "\n## Provenance\n\nCreated by `{}` with houseway {}; rules `{}`. See the run's [report](../../report.md),\n\
         [configuration](../../config.toml) and [provenance](../../provenance.json).\n",
        provenance.command, provenance.version, provenance.rules_hash
    )
}
