//! Banking studies as a command.

use super::agreement::Examination;
use super::config::{BankingExperiment, KIND};
use super::lab::BankingLab;
use super::measure::measure;
use crate::console::{CommandResult, Failure};
use crate::run::{config_text, stop_flag};
use crate::study::{Goal, Job, StudyKind, default_config, stopped};
use houseway_env::rules::RuleSet;

/// The kind of these studies.
pub const STUDY: StudyKind = StudyKind { name: KIND, game: GAME, run };

/// The game.
const GAME: &str = "pai-gow-table";

/// Trains the bankers; to bench, evaluates and reports them too.
fn run(job: &Job) -> CommandResult {
    let text = job.file()?.unwrap_or_else(|| default_config(GAME).unwrap_or_default().to_owned());
    let experiment: BankingExperiment = toml::from_str(&text).map_err(|error| job.invalid(error))?;
    experiment.check().map_err(|error| job.invalid(error))?;
    if let Goal::Bench(Some(_)) = job.goal {
        return Err(Failure::usage("bankers are evaluated on the situations of the configuration: leave out --exact"));
    }
    let config = config_text(&experiment)?;
    let rules = format!("{} {}", experiment.game.hash(), experiment.rules.hash());
    let run = job.folder(&experiment.name, &config, &experiment.seeds, rules)?;
    let stop = stop_flag()?;
    let path = run.path().to_owned();
    let stopped = || stopped(&path);
    let lab = BankingLab::open(experiment, run, &stop)?.ok_or_else(stopped)?;
    let examination = Examination::draw(lab.experiment.situations, &lab.table, &lab.exact);
    let bankers = lab.train(&examination, &stop)?.ok_or_else(stopped)?;
    let Goal::Bench(_) = job.goal else { return job.trained(GAME, lab.run.path()) };
    let results = measure(&lab, &examination, &bankers, &stop)?.ok_or_else(stopped)?;
    job.answer(&lab.run, &serde_json::to_value(&results).map_err(Failure::work)?, &results.terminal())
}
