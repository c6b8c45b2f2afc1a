//! Banking experiments at the table of Pai Gow Poker.

use super::{Job, Task, stopped};
use crate::analysis::banking::{BankingExperiment, BankingLab, Examination, QUICK, measure};
use crate::console::{Failure, Outcome, print, print_json};
use crate::run::{RESULTS, stop_flag};
use houseway_env::rules::RuleSet;

/// Trains the bankers; to bench, measures and reports them too.
pub(super) fn run(job: &Job) -> Outcome {
    job.options.threads.start()?;
    let experiment: BankingExperiment = job.config(QUICK)?;
    experiment.check().map_err(|text| job.wrong(text))?;
    let rules = format!("{} {}", experiment.game.hash(), experiment.rules.hash());
    let run = job.folder(&experiment.name, &experiment, &experiment.seeds, rules)?;
    let stop = stop_flag()?;
    let path = run.path().to_owned();
    let stopped = || stopped(&path);
    let lab = BankingLab::open(experiment, run, &stop)?.ok_or_else(stopped)?;
    let examination = Examination::draw(lab.experiment.situations, &lab.table, &lab.exact);
    let bankers = lab.train(&examination, &stop)?.ok_or_else(stopped)?;
    let Task::Bench(_) = job.task else { return job.trained(lab.run.path()) };
    let results = measure(&lab, &examination, &bankers, &stop)?.ok_or_else(stopped)?;
    if job.options.output.json {
        return print_json(&serde_json::to_value(&results).map_err(Failure::work)?);
    }
    let (report, numbers) = (lab.run.file("report.md"), lab.run.file(RESULTS));
    print(&format!("{}\nreport:  {}\nnumbers: {}\n", results.terminal(), report.display(), numbers.display()))
}
