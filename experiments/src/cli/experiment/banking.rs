//! Banking experiments, as `houseway train` and `houseway bench` run them.

use super::{ExperimentOptions, stopped};
use crate::banking::{BankingExperiment, BankingLab, Examination, measure};
use crate::bench::RESULTS;
use crate::cli::{Failure, OrUsage, Outcome, print, print_json};
use crate::run::{Provenance, RunFolder, Started, config_text, load_config, stop_flag};
use houseway_env::rules::RuleSet;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Trains the bankers.
pub(super) fn train(options: &ExperimentOptions) -> Outcome {
    let (lab, stop) = open(options)?;
    if lab.train(&Examination::draw(&lab), &stop)?.is_none() {
        return Err(stopped(lab.run.path()));
    }
    if options.output.json {
        return print_json(&json!({ "run": lab.run.path(), "trained": true }));
    }
    let folder = lab.run.path().display();
    print(&format!("trained; houseway bench {} --out {folder} measures the bankers\n", options.config))
}

/// Trains what is not trained yet, measures all bankers, and writes the report.
pub(super) fn bench(options: &ExperimentOptions) -> Outcome {
    let (lab, stop) = open(options)?;
    let examination = Examination::draw(&lab);
    let stopped = || stopped(lab.run.path());
    let bankers = lab.train(&examination, &stop)?.ok_or_else(stopped)?;
    let results = measure(&lab, &examination, &bankers, &stop)?.ok_or_else(stopped)?;
    if options.output.json {
        return print_json(&serde_json::to_value(&results).map_err(Failure::work)?);
    }
    let (report, numbers) = (lab.run.file("report.md"), lab.run.file(RESULTS));
    print(&format!("{}\nreport:  {}\nnumbers: {}\n", results.terminal(), report.display(), numbers.display()))
}

fn open(options: &ExperimentOptions) -> Outcome<(BankingLab, Arc<AtomicBool>)> {
    options.threads.start()?;
    let experiment: BankingExperiment = load_config(Path::new(&options.config)).or_usage()?;
    experiment.check().map_err(|text| Failure::usage(format!("{}: {text}", options.config)))?;
    let config = config_text(&experiment)?;
    let rules = format!("{} {}", experiment.game.hash(), experiment.rules.hash());
    let provenance = Provenance::new(&config, experiment.seeds.clone(), rules);
    let default = Path::new("results").join(&experiment.name);
    let (run, started) = RunFolder::start(options.out.as_deref().unwrap_or(&default), provenance, &config)?;
    if started == Started::Resumed {
        eprintln!("going on with the run in {}", run.path().display());
    }
    let stop = stop_flag()?;
    let path = run.path().to_owned();
    let lab = BankingLab::open(experiment, run, &stop)?.ok_or_else(|| stopped(&path))?;
    Ok((lab, stop))
}
