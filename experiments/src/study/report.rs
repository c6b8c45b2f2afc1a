//! Writes a study's report.

use super::curves::{CurveLabels, learning_figures};
use super::experiment::Experiment;
use super::seeds::merge_seeds;
use super::training_tables::training_section;
use houseway_env::registry;
use houseway_exact::format::grouped;
use houseway_exact::solver::{Evaluation, MeasuredBaselines, Scope, StakeUnit};
use houseway_lab::plot::Axis;
use houseway_lab::report::Report;
use houseway_lab::run::RunFolder;
use houseway_learned::task::Feedback;
use houseway_learned::trees::TreesConfig;

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

/// Explains the columns for games without a solver.
const ROUNDS: &str = "EV is the mean reward of a round, with its standard error. All agents play with the same seed. There is \
                      no regret and no learning curve, because the optimum is unknown.";

/// Explains the column for exploitability.
const EXPLOITABILITY: &str = " *Exploitability* is the EV that best responses gain against an agent, compared with the value of \
                              the game, summed over both seats; it is exact.";

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
