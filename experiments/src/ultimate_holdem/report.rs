//! The report of an experiment on Ultimate Texas Hold'em, and its figures.

use super::{BOARDS_WHILE_LEARNING, Experiment, Results, Score};
use crate::bench::learning_curves;
use crate::metrics::Point;
use crate::plot::{Axis, BarChart, Figure, Value, save_figure};
use crate::report::{Report, Table};
use crate::run::RunFolder;

/// Learning curves: file name and what it shows.
const BY_HANDS: (&str, &str) = ("regret-by-hands", "regret of the learning agents against the hands they have seen");
const BY_TIME: (&str, &str) = ("regret-by-time", "regret of the learning agents against the time of training");
const REGRET: (&str, &str) = ("regret-by-agent", "regret of each agent, before the river and on it");

/// All agents side by side.
pub(super) fn comparison(results: &Results) -> Table {
    let header = ["agent", "edge", "regret", "before river", "agrees"];
    let mut table = Table::new(header).right(1).right(2).right(3).right(4);
    for agent in &results.agents {
        let half = agent.regret_ci.map_or(0.0, |[low, high]| (high - low) / 2.0);
        let regret = format!("{:.4}", 100.0 * agent.regret);
        table = table.row([
            agent.name.as_str(),
            &format!("{:.4}%", -100.0 * agent.ev),
            &if half == 0.0 { format!("{regret}%") } else { format!("{regret}±{:.4}%", 100.0 * half) },
            &format!("{:.4}%", 100.0 * agent.regret_before_river),
            &format!("{:.2}%", 100.0 * agent.agreement),
        ]);
    }
    table
}

/// Draws all figures into the run's folder.
pub(super) fn figures(results: &Results, experiment: &Experiment, run: &RunFolder) -> anyhow::Result<()> {
    if !experiment.train.is_empty() {
        let by_hands = curves(results, experiment, run, "hands seen, in thousands", |point| point.hands as f64 / 1e3)?;
        save_figure(run, BY_HANDS.0, &by_hands)?;
        let by_time = curves(results, experiment, run, "seconds of training", |point| point.seconds)?;
        save_figure(run, BY_TIME.0, &by_time)?;
    }
    let shown: Vec<&Score> = results.agents.iter().filter(|agent| agent.name != "optimum").collect();
    let names = shown.iter().map(|agent| agent.name.clone()).collect();
    let before = shown.iter().map(|agent| Value::from(agent.regret_before_river)).collect();
    let river = shown.iter().map(|agent| Value::from(agent.regret - agent.regret_before_river)).collect();
    let chart = BarChart::new(Axis::new("regret, in % of the ante").percent(), names);
    let chart = chart.with("before the river", before).with("on the river", river).places(4);
    let figure = Figure::new("What is lost against the optimum", chart).note(note(results));
    save_figure(run, REGRET.0, &figure)?;
    Ok(())
}

fn note(results: &Results) -> String {
    match results.scope.as_str() {
        "whole" => "exact, over all deals".to_owned(),
        _ => format!("exact before the river; on the river exact values on {} boards", results.boards),
    }
}

/// The regret of the trainings, mean over seeds with the band from the lowest to the highest.
fn curves(
    results: &Results,
    experiment: &Experiment,
    run: &RunFolder,
    label: &str,
    x: impl Fn(&Point) -> f64,
) -> anyhow::Result<Figure> {
    let axes = (Axis::new(label).from_zero(), Axis::new("regret, in % of the ante").log().percent());
    let names = experiment.train.keys().map(String::as_str);
    let mut chart = learning_curves(run, names, &experiment.seeds, axes, x)?;
    if let Some(simple) = results.agents.first() {
        chart = chart.reference(simple.name.as_str(), simple.regret);
    }
    let boards = experiment.sample.boards.min(BOARDS_WHILE_LEARNING);
    let note = format!(
        "exact before the river; on the river {boards} boards; mean of {} seeds, band from the lowest to the highest",
        experiment.seeds.len()
    );
    Ok(Figure::new("Learning Ultimate Texas Hold'em", chart).note(note))
}

/// The report.
pub(super) fn report(results: &Results, experiment: &Experiment) -> Report {
    let measured = match results.scope.as_str() {
        "whole" => "Every number is exact, over all 27,813,810,024,000 deals.".to_owned(),
        _ => format!(
            "What is lost before the flop and on it is exact, over all deals. What is lost on the river is the mean over \
             {} boards, dealt once by a fixed seed, with all hands and all dealer hands on each; ± is half of its 95% \
             interval, and the only error.",
            results.boards
        ),
    };
    let [numerator, denominator] = &results.optimum;
    let report = Report::new(format!("Experiment {}", experiment.name))
        .text(format!(
            "Agents play Ultimate Texas Hold'em. The best play has an EV of exactly {numerator} / {denominator} antes. \
             *Regret* is what a player's decisions lose against it, in per cent of the ante; *before river* is the part \
             of it lost before the flop and on it. *Agrees* is the share of deals in which every decision is the best \
             one. {measured}"
        ))
        .heading("Agents")
        .table(comparison(results))
        .saved_figure(REGRET.0, REGRET.1);
    let learned = !experiment.train.is_empty();
    let report = if learned { report.heading("Learning") } else { report };
    report.saved_figure_if(learned, BY_HANDS.0, BY_HANDS.1).saved_figure_if(learned, BY_TIME.0, BY_TIME.1)
}
