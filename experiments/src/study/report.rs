//! Writes a study's report, with tables of the training configurations.

use super::curves::{AXES, CurveAxis, CurveLabels, learning_figures, merge_seeds};
use super::experiment::Experiment;
use crate::metrics::MetricHistory;
use houseway_env::registry;
use houseway_exact::answer::{Section, TextTable};
use houseway_exact::format::grouped;
use houseway_exact::solver::{Evaluation, MeasuredBaselines, Scope, StakeUnit};
use houseway_lab::plot::Axis;
use houseway_lab::report::Report;
use houseway_lab::run::RunFolder;
use houseway_learned::explain_metric;
use houseway_learned::task::Feedback;
use houseway_learned::trees::TreesConfig;

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

/// Creates a study's report, which compares the agents, shows their learning curves, and ends with the sections
/// provided by the game's solver.
pub(super) fn report(
    experiment: &Experiment,
    run: &RunFolder,
    unit: StakeUnit,
    evaluation: Evaluation,
    baselines: &MeasuredBaselines,
) -> anyhow::Result<Report> {
    let has_regret = evaluation.scores.iter().any(|score| !score.regret.is_nan());
    let Evaluation { preface, comparison, plots, sections, scope, .. } = evaluation;
    let mut report = Report::new(format!("Experiment {}", experiment.name))
        .text(preface)
        .heading("Agents")
        .text(if has_regret { explanation(experiment, unit, scope) } else { ROUNDS.to_owned() })
        .table(comparison);
    report = experiment.notes.iter().fold(report, |report, (name, note)| report.text(format!("*{name}*: {note}")));
    report = plots.into_iter().map(merge_seeds).fold(report, Report::plot);
    if experiment.feedback().next().is_some() {
        if has_regret {
            report = add_curves(report, experiment, run, unit, baselines)?;
        }
        report = report.section(training_section(experiment, run, round(unit))?);
    }
    Ok(sections.into_iter().fold(report, Report::section))
}

/// Explains the columns when agents are compared with the optimum.
fn explanation(experiment: &Experiment, unit: StakeUnit, scope: Scope) -> String {
    let amounts = if unit.percent { format!("% of the {}", unit.name) } else { format!("{}s", unit.name) };
    let accuracy = match scope {
        Scope::Whole => "both are exact",
        Scope::Sample => "± is half the width of a 95% confidence interval",
    };
    format!(
        "EV and *regret* (the EV of the optimum less that of the agent) of a {}, in {amounts}; {accuracy}. *Agrees* is the \
         fraction of hands decided as well as by the optimum.{}{}",
        round(unit),
        if experiment.exploitability { EXPLOITABILITY } else { "" },
        feedback(experiment)
    )
}

/// Returns a sentence about the feedback of each configuration.
fn feedback(experiment: &Experiment) -> String {
    let mut kinds: Vec<(Feedback, Vec<&str>)> = vec![];
    for (name, feedback) in experiment.feedback() {
        match kinds.iter_mut().find(|(known, _)| *known == feedback) {
            Some((_, names)) => names.push(name),
            None => kinds.push((feedback, vec![name])),
        }
    }
    let sentence = |(feedback, names): (Feedback, Vec<&str>)| {
        let is_named = matches!(&names[..], [name] if feedback.is_named(name));
        let names: Vec<String> = names.iter().map(|name| format!("*{name}*")).collect();
        let (names, verb) = match &names[..] {
            [name] => (name.clone(), "learns"),
            [first @ .., last] => (format!("{} and {last}", first.join(", ")), "learn"),
            [] => (String::new(), "learns"),
        };
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

fn add_curves(
    report: Report,
    experiment: &Experiment,
    run: &RunFolder,
    unit: StakeUnit,
    baselines: &MeasuredBaselines,
) -> anyhow::Result<Report> {
    let game = registry::find(experiment.game)?.title.split(',').next().unwrap_or(experiment.game);
    let (title, round) = (format!("Learning {game}"), round(unit));
    let labels = CurveLabels { title, round, regret: regret_axis(unit).log() };
    let figures = learning_figures(experiment, run, &labels, baselines)?;
    Ok(figures.into_iter().fold(report.heading("Learning"), |report, (axis, figure)| {
        let alt = format!("regret of the learning agents by {}", axis.noun(round));
        report.figure(axis.figure_name(round), alt, figure)
    }))
}

/// Returns a linear axis for regrets.
pub fn regret_axis(unit: StakeUnit) -> Axis {
    match unit.percent {
        true => Axis::new(format!("regret, in % of the {}", unit.name)).percent(),
        false => Axis::new(format!("regret, in {}s", unit.name)),
    }
}

/// Returns the word for a unit of play, i.e. for what one stake covers.
fn round(unit: StakeUnit) -> &'static str {
    if unit.percent { "hand" } else { "round" }
}

/// The training runs of a configuration.
struct Trained<'a> {
    name: &'a str,
    feedback: &'static str,
    seeds: Vec<MetricHistory>,
}

/// Returns the section with the budget of each training configuration and the metrics that its method reports. `round`
/// is the name of the unit of play.
pub(super) fn training_section<'a>(
    experiment: &'a Experiment,
    run: &RunFolder,
    round: &str,
) -> anyhow::Result<Section> {
    let read = |(name, feedback): (&'a String, Feedback)| {
        let history = |seed: &u64| MetricHistory::read(&run.training(&format!("{name}-seed-{seed}")));
        let seeds = experiment.seeds.iter().map(history).collect::<Result<_, _>>()?;
        Ok(Trained { name, feedback: feedback.name(), seeds })
    };
    let trained = experiment.feedback().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(section(&trained, round))
}

impl Trained<'_> {
    /// Returns the mean over the seeds of a number at the end of training, or `None` if a seed doesn't have it.
    fn mean(&self, last: impl Fn(&MetricHistory) -> Option<f64>) -> Option<f64> {
        let values = self.seeds.iter().map(last).collect::<Option<Vec<f64>>>()?;
        Some(values.iter().sum::<f64>() / values.len() as f64)
    }

    /// Returns the amount of training.
    fn total(&self, axis: CurveAxis) -> Option<f64> {
        self.mean(|history| axis.amount(&history.last()?))
    }

    /// Returns the names of the method's metrics.
    fn metrics(&self) -> Vec<&str> {
        self.seeds.first().map(method_metrics).unwrap_or_default()
    }

    /// Returns a metric at the end of training.
    fn metric(&self, name: &str) -> Option<f64> {
        self.mean(|history| Some(history.curve(name).last()?.value))
    }
}

/// Returns the metrics that the method reports. Those of the evaluator have no explanation.
fn method_metrics(history: &MetricHistory) -> Vec<&str> {
    let Some(last) = history.last() else { return vec![] };
    history.at(last.step).into_iter().filter(|name| explain_metric(name).is_some()).collect()
}

fn section(trained: &[Trained<'_>], round: &str) -> Section {
    let axes = AXES.into_iter().filter(|axis| !axis.is_time());
    let axes: Vec<CurveAxis> = axes.filter(|&axis| trained.iter().any(|it| it.total(axis).is_some())).collect();
    let header = ["agent".to_owned(), "feedback".to_owned()].into_iter();
    let mut budgets = TextTable::new(header.chain(axes.iter().map(|axis| axis.noun(round)))).right_from(2);
    for it in trained {
        let total = |&axis: &CurveAxis| it.total(axis).map_or_else(String::new, |total| grouped(total.round() as u64));
        let cells = [it.name.to_owned(), it.feedback.to_owned()].into_iter().chain(axes.iter().map(total));
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
        metrics = metrics.row(std::iter::once(it.name.to_owned()).chain(names.iter().map(value)));
    }
    let explanations = names.iter().filter_map(|name| Some(format!("*{name}*: {}", explain_metric(name)?)));
    let explanations = explanations.collect::<Vec<_>>().join("; ");
    let section = Section::new("Training").text(BUDGETS).table(budgets);
    match names.is_empty() {
        true => section,
        false => section.text(format!("{METRICS} {explanations}.")).table(metrics),
    }
}

/// Formats a number with three significant digits.
fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let places = (2.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Point;
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
            Trained { name: "ppo", feedback: "bandit", seeds: vec![ppo(500, 0.001), ppo(502, 0.0025)] },
            Trained { name: "other", feedback: "exact labels", seeds: vec![plain] },
        ];
        let section = section(&trained, "hand");
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
