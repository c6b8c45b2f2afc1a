//! Experiments on Ultimate Texas Hold'em.

use super::{Job, Task, stopped};
use crate::bench::Exact;
use crate::console::{Failure, Outcome, print, print_json};
use crate::run::{RESULTS, stop_flag};
use crate::ultimate_holdem::{Experiment, Lab, QUICK};
use houseway_env::ultimate_holdem::Game;
use std::sync::Arc;

/// Trains the agents; to bench, measures and reports them too.
pub(super) fn run(job: &Job) -> Outcome {
    job.options.threads.start()?;
    let experiment: Experiment = job.config(QUICK)?;
    experiment.check().map_err(|text| job.wrong(text))?;
    let run = job.folder(&experiment.name, &experiment, &experiment.seeds, experiment.rules_hash())?;
    let stop = stop_flag()?;
    let game = Arc::new(Game::new(experiment.rules.clone()));
    let lab = Lab::open(experiment, run, &game, &stop)?;
    let Some(agents) = lab.train(&stop)? else { return Err(stopped(lab.run().path())) };
    let Task::Bench(exact) = job.task else { return job.trained(lab.run().path()) };
    let results = lab.score(&agents, exact == Exact::Whole, &stop)?;
    results.save(&lab)?;
    if job.options.output.json {
        return print_json(&serde_json::to_value(&results).map_err(Failure::work)?);
    }
    let (report, numbers) = (lab.run().file("report.md"), lab.run().file(RESULTS));
    print(&format!("{}\nreport:  {}\nnumbers: {}\n", results.terminal(), report.display(), numbers.display()))
}
