//! Experiments of Pai Gow Poker.

use super::{Job, Task, stopped};
use crate::analysis::pai_gow::commands::ways::compile;
use crate::bench::{Experiment, Lab, QUICK};
use crate::console::{Failure, OrUsage, Outcome, print, print_json};
use crate::run::{RESULTS, stop_flag};
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Trains the agents; to bench, measures and reports them too.
pub(super) fn run(job: &Job) -> Outcome {
    let (lab, stop) = open(job)?;
    let Some(agents) = lab.train(&stop)? else { return Err(stopped(lab.run().path())) };
    let Task::Bench(exact) = job.task else { return job.trained(lab.run().path()) };
    let results = lab.score(&agents, exact, &stop)?;
    results.save(&lab)?;
    if job.options.output.json {
        return print_json(&serde_json::to_value(&results).map_err(Failure::work)?);
    }
    let (report, numbers) = (lab.run().file("report.md"), lab.run().file(RESULTS));
    print(&format!("{}\nreport:  {}\nnumbers: {}\n", results.terminal(), report.display(), numbers.display()))
}

fn open(job: &Job) -> Outcome<(Lab, Arc<AtomicBool>)> {
    job.options.threads.start()?;
    let experiment: Experiment = job.config(QUICK)?;
    experiment.check().map_err(|text| job.wrong(text))?;
    let game = Game::new(experiment.rules);
    let way = way(&experiment, &game)?;
    let run = job.folder(&experiment.name, &experiment, &experiment.seeds, game.rules().hash())?;
    let stop = stop_flag()?;
    let lab = Lab::open(experiment, run, way, game, &stop)?;
    Ok((lab, stop))
}

fn way(experiment: &Experiment, game: &Game) -> Outcome<HouseWay> {
    let mut way = Way::load(&experiment.banker).or_usage()?;
    for (reading, option) in &experiment.way_readings {
        way.choose(reading, option).or_usage()?;
    }
    compile(way, game)
}
