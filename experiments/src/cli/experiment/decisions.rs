//! Experiments of games with a fixed list of actions.

use super::{Job, Task, stopped};
use crate::console::{Failure, OrUsage, Outcome, print, print_json};
use crate::decide::{DecisionExperiment, DecisionLab, Table};
use crate::run::{RESULTS, stop_flag};

/// Trains the agents; to bench, scores and reports them too.
pub(super) fn run<T: Table>(job: &Job) -> Outcome {
    job.options.threads.start()?;
    let experiment: DecisionExperiment<T> = job.config(T::CONFIG)?;
    experiment.check().map_err(|text| job.wrong(text))?;
    let task = experiment.table.task().map_err(|error| job.wrong(format!("{error:#}")))?;
    let run = job.folder(&experiment.name, &experiment, &experiment.seeds, task.env().rules_hash())?;
    let stop = stop_flag()?;
    let lab = DecisionLab::open(experiment, run, task).or_usage()?;
    let Some(agents) = lab.train(&stop)? else { return Err(stopped(lab.run().path())) };
    if let Task::Train = job.task {
        return job.trained(lab.run().path());
    }
    let results = lab.results(agents);
    lab.save(&results)?;
    if job.options.output.json {
        return print_json(&serde_json::to_value(&results).map_err(Failure::work)?);
    }
    let (report, numbers) = (lab.run().file("report.md"), lab.run().file(RESULTS));
    let text = lab.terminal(&results);
    print(&format!("{text}\nreport:  {}\nnumbers: {}\n", report.display(), numbers.display()))
}
