//! The report of a study with tables of its training configurations, and the model cards of its agents.

use super::curves::{CurveAxis, Trained, learning_figures, merge_seeds, round};
use super::experiment::{Experiment, WEIGHTS, digest, read_weights};
use crate::metrics::MetricHistory;
use anyhow::{Context, anyhow};
use houseway_env::registry;
use houseway_exact::answer::{Section, TextTable};
use houseway_exact::format::{grouped, percent};
use houseway_exact::solver::{Evaluation, MeasuredBaselines, PolicyScore, Scope, StakeUnit};
use houseway_lab::report::{Report, and_list};
use houseway_lab::run::{RunFolder, write_atomic};
use houseway_learned::task::Feedback;
use houseway_learned::trees::TreesConfig;
use houseway_learned::{TrainConfig, explain_metric};
use safetensors::SafeTensors;
use serde_json::Value;

const CARD: &str = "card.md";
/// Explains the columns for games without a solver.
const ROUNDS: &str = "EV is the mean reward of a round, with its standard error. All agents play with the same seed. There is \
                      no regret and no learning curve, because the optimum is unknown.";
/// Explains the column for exploitability.
const EXPLOITABILITY: &str = " *Exploitability* is the EV that best responses gain against an agent, compared with the value of \
                              the game, summed over both seats; it is exact.";
const BUDGETS: &str = "The amount of training of an agent, as a mean over the seeds. A deal is settled once for each deal of \
                       the unseen cards, and rewards are counted before they are averaged over these. An exact label counts \
                       as one reward, and the solver has settled its deals.";
const METRICS: &str = "The metrics reported during training, each as a mean over the steps between the last two measurements \
                       and over the seeds.";

/// Returns the sections of a study's results: the comparison of the agents, their learning curves, and the sections of
/// the game's solver. In the terminal, only the comparison is shown.
pub fn report(
    experiment: &Experiment,
    run: &RunFolder,
    unit: StakeUnit,
    evaluation: Evaluation,
    baselines: &MeasuredBaselines,
) -> anyhow::Result<Vec<Section>> {
    let has_regret = evaluation.scores.iter().any(|score| !score.regret.is_nan());
    let Evaluation { preface, comparison, plots, sections, scope, .. } = evaluation;
    let explanation = if has_regret { explanation(experiment, unit, scope) } else { ROUNDS.to_owned() };
    let notes = experiment.notes.iter().map(|(name, note)| format!("*{name}*: {note}"));
    let agents = notes.fold(Section::default().detail(), Section::text);
    let mut all = vec![
        Section::default().text(preface + &changed_rules(experiment)?).detail(),
        Section::new("Agents").text(explanation).detail(),
        Section::default().table(comparison),
        plots.into_iter().map(merge_seeds).fold(agents, Section::figure),
    ];
    if experiment.trainings().next().is_some() {
        let trained = Trained::read(experiment, run)?;
        if has_regret {
            let game = registry::find(experiment.game)?.title.split(',').next().unwrap_or(experiment.game);
            let figures = learning_figures(&trained, experiment.axes.as_deref(), game, unit, baselines);
            all.push(figures.into_iter().fold(Section::new("Learning").detail(), Section::figure));
        }
        all.push(training_section(&trained, round(unit)));
    }
    all.extend(sections.into_iter().map(Section::detail));
    Ok(all)
}

/// Returns a sentence with the rules that differ from their defaults, or nothing if there are none.
fn changed_rules(experiment: &Experiment) -> anyhow::Result<String> {
    let Some(rules) = experiment.task.get("rules") else { return Ok(String::new()) };
    let changes = (registry::find(experiment.game)?.rules.changes)(rules).map_err(|error| anyhow!("rules: {error}"))?;
    Ok(if changes.is_empty() { String::new() } else { format!(" Rules: {}.", changes.join(", ")) })
}

/// Explains the columns when agents are compared with the optimum.
fn explanation(experiment: &Experiment, unit: StakeUnit, scope: Scope) -> String {
    let amounts = if unit.percent { format!("% of the {}", unit.name) } else { format!("{}s", unit.name) };
    let accuracy = match scope {
        Scope::Whole => "both are exact",
        Scope::Sample => "intervals, also those written with ±, have a confidence of 95%",
    };
    format!(
        "EV and *regret* (the EV of the optimum less that of the agent) of a {}, in {amounts}; {accuracy}. *Agrees* is the \
         fraction of hands decided as well as by the optimum.{}{}",
        round(unit),
        if experiment.exploitability { EXPLOITABILITY } else { "" },
        feedback(experiment)
    )
}

fn feedback(experiment: &Experiment) -> String {
    let mut kinds: Vec<(Feedback, Vec<&str>)> = vec![];
    for (name, training) in experiment.trainings() {
        match kinds.iter_mut().find(|(known, _)| *known == training.feedback()) {
            Some((_, names)) => names.push(name),
            None => kinds.push((training.feedback(), vec![name])),
        }
    }
    let sentence = |(feedback, names): (Feedback, Vec<&str>)| {
        let is_named = matches!(&names[..], [name] if feedback.is_named(name));
        let verb = if names.len() == 1 { "learns" } else { "learn" };
        let names = and_list(&names.iter().map(|name| format!("*{name}*")).collect::<Vec<_>>());
        let from = feedback.explanation();
        match is_named {
            true => format!(" {names} {verb} from {from}."),
            false => format!(" {names} {verb} from *{}* feedback, {from}.", feedback.name()),
        }
    };
    let ensembles = |(name, config): (&String, &TreesConfig)| {
        let trees = grouped(config.stages * config.trees as u64);
        format!(" *{name}* is an ensemble of {trees} boosted trees with a depth of up to {}.", config.depth)
    };
    kinds.into_iter().map(sentence).chain(experiment.trees.iter().map(ensembles)).collect()
}

/// Returns the section with the budget of each training configuration and the metrics that its method reports. `round`
/// is the name of the unit of play.
fn training_section(trained: &[Trained], round: &str) -> Section {
    let axes = CurveAxis::ALL.into_iter().filter(|axis| !axis.is_time());
    let axes: Vec<CurveAxis> = axes.filter(|&axis| trained.iter().any(|it| it.total(axis).is_some())).collect();
    let header = ["agent".to_owned(), "feedback".to_owned()].into_iter();
    let mut budgets = TextTable::new(header.chain(axes.iter().map(|axis| axis.noun(round)))).right_from(2);
    for it in trained {
        let total = |&axis: &CurveAxis| it.total(axis).map_or_else(String::new, |total| grouped(total.round() as u64));
        let cells = [it.name.clone(), it.feedback.name().to_owned()].into_iter().chain(axes.iter().map(total));
        budgets = budgets.row(cells);
    }
    let mut names: Vec<&str> = vec![];
    for name in trained.iter().flat_map(Trained::metrics) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut metrics = TextTable::new(std::iter::once("agent").chain(names.iter().copied())).right_from(1);
    for it in trained {
        let value = |name: &&str| it.metric(name).map_or_else(String::new, significant);
        metrics = metrics.row(std::iter::once(it.name.clone()).chain(names.iter().map(value)));
    }
    let explanations = names.iter().filter_map(|name| Some(format!("*{name}*: {}", explain_metric(name)?)));
    let explanations = explanations.collect::<Vec<_>>().join("; ");
    let section = Section::new("Training").detail().text(BUDGETS).table(budgets);
    match names.is_empty() {
        true => section,
        false => section.text(format!("{METRICS} {explanations}.")).table(metrics),
    }
}

fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let places = (2.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.places$}")
}

/// The parts of a model card that depend on the kind of study.
pub struct ModelCard<'a> {
    pub title: String,
    /// A description of the agent in a sentence.
    pub description: String,
    /// A description of the hands that the agent was evaluated on.
    pub scope: String,
    pub scores: TextTable,
    pub config: &'a TrainConfig,
    pub seed: u64,
    /// The training configuration as it is written in the study's configuration.
    pub training_config: Value,
    /// The identity of the task.
    pub task: TextTable,
    pub task_config: Value,
}

impl ModelCard<'_> {
    pub fn write(self, run: &RunFolder, folder: &str) -> anyhow::Result<()> {
        let method = &self.config.method;
        let feedback = method.feedback();
        let about = format!(
            "{} It was trained with the method `{}`. Its feedback is *{}*: {}.",
            self.description,
            method.name(),
            feedback.name(),
            feedback.explanation()
        );
        let (training, task) =
            (toml::to_string_pretty(&self.training_config)?, toml::to_string_pretty(&self.task_config)?);
        let sections = [
            Section::default().text(about),
            Section::new("Evaluation").text(self.scope).table(self.scores),
            Section::new("Training").table(trained(run, folder, self.config, self.seed)?).lines(training),
            Section::new("Task").table(self.task).lines(task),
            Section::new("Weights").table(weights(run, folder)?),
        ];
        let card = Report::new(self.title, sections);
        let path = run.training(folder).join(CARD);
        write_atomic(&path, card.markdown() + &links(run)).with_context(|| path.display().to_string())
    }
}

/// Returns the agent's scores. The exact EV and counts of deals are included if the results have them.
pub fn score_table(score: &PolicyScore, unit: StakeUnit, results: &Value) -> TextTable {
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
    let counted = results["whole"].as_array().into_iter().flatten().find(|row| row["name"] == score.name.as_str());
    let counts = [("wins", "deals won"), ("pushes", "deals pushed"), ("losses", "deals lost")];
    let count = |(key, label): (&str, &str)| Some([label.to_owned(), grouped(counted?[key].as_str()?.parse().ok()?)]);
    // Without a solver, neither is known.
    if score.regret.is_finite() {
        table = table
            .row(["regret", &(digits(score.regret) + &interval.unwrap_or_default() + &of)])
            .row(["decided as well as by the optimum", &percent(score.agreement, 3)]);
    }
    if let Some(error) = score.details.get("standard_error").and_then(Value::as_f64) {
        table = table.row(["standard error", &(digits(error) + &of)]);
    }
    table.rows(counts.into_iter().filter_map(count))
}

fn trained(run: &RunFolder, folder: &str, config: &TrainConfig, seed: u64) -> anyhow::Result<TextTable> {
    let history = MetricHistory::read(&run.training(folder))?;
    let last = history.last();
    let updates = last.and_then(|last| last.updates).unwrap_or(config.steps);
    let mut table = TextTable::new(["", ""])
        .row(["seed", &seed.to_string()])
        .row(["gradient steps", &grouped(updates)])
        .row(["deals seen", &grouped(last.map_or(0, |last| last.hands))]);
    let counts = last.map_or([None; 2], |last| [last.settled, last.rewards]);
    for (label, count) in ["deals settled", "rewards used"].into_iter().zip(counts) {
        if let Some(count) = count {
            table = table.row([label, &grouped(count)]);
        }
    }
    Ok(table)
}

fn weights(run: &RunFolder, folder: &str) -> anyhow::Result<TextTable> {
    let (path, bytes) = read_weights(&run.training(folder).join(WEIGHTS))?;
    let failed = || format!("{} is damaged; remove its folder and train again", path.display());
    let (_, metadata) = SafeTensors::read_metadata(&bytes).with_context(failed)?;
    let parameters: usize = metadata.tensors().values().map(|tensor| tensor.shape.iter().product::<usize>()).sum();
    let table = TextTable::new(["", ""])
        .row(["file", &format!("`{WEIGHTS}` (safetensors, 32-bit floats)")])
        .row(["parameters", &grouped(parameters as u64)])
        .row(["SHA-256", &format!("`{}`", digest(&bytes))]);
    let mut stored: Vec<_> = metadata.metadata().iter().flatten().collect();
    stored.sort();
    // The checksum of the contents and the writer of the file would be taken for those of the file and of the program.
    stored.retain(|(key, _)| !["format", "producer", "sha256", "version"].contains(&key.as_str()));
    Ok(table.rows(stored.into_iter().map(|(key, value)| [format!("`{key}`"), format!("`{value}`")])))
}

fn links(run: &RunFolder) -> String {
    let provenance = &run.provenance;
    format!(
        "\n## Provenance\n\nCreated by `{}` with houseway {}; rules `{}`. See the run's [report](../../report.md),\n\
         [configuration](../../config.toml) and [provenance](../../provenance.json).\n",
        provenance.command, provenance.version, provenance.rules_hash
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{MetricHistory, Point};
    use houseway_exact::answer::Block;

    fn history(reports: &[(Point, &[(&str, f64)])]) -> MetricHistory {
        let mut history = MetricHistory::default();
        for &(at, values) in reports {
            for &(name, value) in values {
                history.add(name, Point { value, ..at });
            }
        }
        history
    }

    fn at(step: u64, hands: u64) -> Point {
        let (settled, updates) = (Some(3 * hands), Some(4 * step));
        Point { step, hands, settled, rewards: Some(0), updates, seconds: None, processor_seconds: None, value: 0.0 }
    }

    fn ppo(hands: u64, kl: f64) -> MetricHistory {
        history(&[
            (at(0, 0), &[("regret", 1.0)]),
            (at(1, hands), &[("loss", 9.0), ("kl", 9.0), ("regret", 0.5), ("agreement", 0.1)]),
            (at(2, 2 * hands), &[("loss", 0.0), ("kl", kl), ("regret", 0.25), ("agreement", 0.2)]),
        ])
    }

    #[test]
    fn tables_contain_the_means_of_the_last_measurement() {
        let plain = history(&[(Point { updates: Some(0), ..at(5, 0) }, &[("loss", 1234.5), ("ev", 1.0)])]);
        let trained = [
            Trained {
                name: "ppo".to_owned(),
                feedback: Feedback::Bandit,
                seeds: vec![ppo(500, 0.001), ppo(502, 0.0025)],
            },
            Trained { name: "other".to_owned(), feedback: Feedback::ExactLabels, seeds: vec![plain] },
        ];
        let section = training_section(&trained, "hand");
        let tables: Vec<&TextTable> = section
            .blocks
            .iter()
            .filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None })
            .collect();
        let rows = |table: &TextTable| table.rows.iter().map(|row| row.join("|")).collect::<Vec<_>>();
        assert_eq!(rows(tables[0]), ["ppo|bandit|1,002|3,006|0|8", "other|exact labels|0|0|0|0"]);
        assert_eq!(rows(tables[1]), ["ppo|0|0.00175", "other|1234|"]);
        assert!(section.blocks.iter().any(|block| matches!(block, Block::Text(text) if text.contains("*kl*: "))));
    }

    #[test]
    fn numbers_have_three_significant_digits() {
        for (number, text) in
            [(0.0, "0"), (0.123456, "0.123"), (-0.00012345, "-0.000123"), (12.345, "12.3"), (1234.6, "1235")]
        {
            assert_eq!(significant(number), text);
        }
    }
}
