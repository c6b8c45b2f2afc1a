//! The report of an experiment, its comparison of agents and its figures.

use super::{DecisionLab, DecisionResults, Judge, Score, Table as GameTable};
use crate::bench::learning_curves;
use crate::metrics::Point;
use crate::plot::{Axis, BarChart, Figure, Value, save_figure};
use crate::report::{Report, Table};

/// File names of the figures that every game has.
const BY_ROUNDS: &str = "regret-by-rounds";
const BY_TIME: &str = "regret-by-time";
const EV: &str = "ev-by-agent";

/// All agents side by side.
pub(super) fn comparison(results: &DecisionResults, unit: &str) -> Table {
    let regret = format!("regret, {unit}s");
    let mut table = Table::new(["agent", "EV", &regret, "agrees", "plays"]).right(1).right(2).right(3);
    for agent in &results.agents {
        table = table.row([
            agent.name.as_str(),
            &format!("{:+.6}", agent.ev),
            &format!("{:.6}", agent.regret),
            &format!("{:.2}%", 100.0 * agent.agreement),
            &agent.plays,
        ]);
    }
    table
}

/// Draws the figures and writes the report.
pub(super) fn save<T: GameTable>(lab: &DecisionLab<T>, results: &DecisionResults) -> anyhow::Result<()> {
    let (experiment, run) = (&lab.experiment, &lab.run);
    let mut report = Report::new(format!("Experiment {}", experiment.name))
        .text(lab.judge.preface())
        .heading("Agents")
        .text(format!(
            "EV and *regret* (the optimum's EV less the agent's) of a round, in {unit}s; both are exact: the whole policy is \
             counted over all hands. *Agrees* is the share of decisions that are as good as the optimum's. *all-action* \
             learns from the rewards of all actions on the same cards, *policy-gradient* from that of the action played.",
            unit = T::UNIT
        ))
        .table(comparison(results, T::UNIT))
        .saved_figure(EV, "EV of each agent");
    save_figure(run, EV, &ev_by_agent(results, T::UNIT))?;
    if !experiment.train.is_empty() {
        report = report
            .heading("Learning")
            .saved_figure(BY_ROUNDS, "regret of the learning agents against the rounds they have seen")
            .saved_figure(BY_TIME, "regret of the learning agents against the seconds of training");
        save_figure(run, BY_ROUNDS, &curves(lab, results, "rounds seen, in thousands", |p| p.hands as f64 / 1e3)?)?;
        save_figure(run, BY_TIME, &curves(lab, results, "seconds of training", |p| p.seconds)?)?;
    }
    let (report, figures) = lab.judge.chapters(report);
    for (name, figure) in &figures {
        save_figure(run, name, figure)?;
    }
    report.save(run)?;
    Ok(())
}

fn ev_by_agent(results: &DecisionResults, unit: &str) -> Figure {
    let names = results.agents.iter().map(|agent| agent.name.clone()).collect();
    let values = results.agents.iter().map(|agent| Value::from(agent.ev)).collect();
    let chart = BarChart::new(Axis::new(format!("EV of a round, in {unit}s")), names).with("EV", values).places(5);
    Figure::new("Expected value by agent", chart).note("exact, over all hands")
}

fn curves<T: GameTable>(
    lab: &DecisionLab<T>,
    results: &DecisionResults,
    label: &str,
    x: impl Fn(&Point) -> f64,
) -> anyhow::Result<Figure> {
    let axes = (Axis::new(label).from_zero(), Axis::new(format!("regret, in {}s", T::UNIT)).log());
    let experiment = &lab.experiment;
    let names = experiment.train.keys().map(String::as_str);
    let mut chart = learning_curves(&lab.run, names, &experiment.seeds, axes, x)?;
    let learned = |agent: &Score| experiment.train.keys().any(|name| agent.name.starts_with(&format!("{name}, seed ")));
    for baseline in results.agents.iter().filter(|agent| !learned(agent) && agent.regret > 0.0) {
        chart = chart.reference(baseline.name.as_str(), baseline.regret);
    }
    let seeds = experiment.seeds.len();
    let note =
        format!("exact regret; mean of {seeds} seeds, band from the lowest to the highest; no regret has no place");
    Ok(Figure::new("Learning to decide", chart).note(note))
}
