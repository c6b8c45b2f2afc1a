//! The command-line entry point for banking studies.

use super::agreement::Examination;
use super::config::{BankingExperiment, KIND};
use super::lab::BankingLab;
use super::measure::measure;
use super::population::Member;
use crate::study::{Goal, Job, StudyKind, default_config, stopped};
use houseway_env::pai_gow::Game;
use houseway_env::rules::RuleSet;
use houseway_lab::console::{CommandResult, Failure};
use houseway_lab::run::{RunKind, RunSpec, config_text, parse_config, stop_flag};

/// This module's kind of study.
pub const STUDY: StudyKind = StudyKind { name: KIND, game: Some(GAME), run };

/// The game's name.
const GAME: &str = "pai-gow-table";

/// Trains the bankers. For `bench`, also evaluates and reports them.
fn run(job: &Job) -> CommandResult {
    let text = job.file()?.unwrap_or_else(|| default_config(GAME).unwrap_or_default().to_owned());
    let experiment: BankingExperiment = parse_config(&text).map_err(|error| job.invalid(error))?;
    experiment.check().map_err(|error| job.invalid(error))?;
    if let Goal::Bench(Some(_)) = job.goal {
        return Err(Failure::usage("bankers are evaluated on the situations in the configuration; remove --exact"));
    }
    let mut trainings = vec![("setting".to_owned(), &experiment.setting), ("train".to_owned(), &experiment.train)];
    trainings.extend(experiment.raw_features.then(|| ("train".to_owned(), &experiment.train)));
    job.check_size(&trainings, experiment.seeds.len())?;
    let run = job.folder(&experiment.name, &spec(&experiment)?, &experiment.ways(), &|_| Err(String::new()))?;
    let stop = stop_flag()?;
    let end = stopped(&run);
    let Some(lab) = BankingLab::open(experiment, run, &stop)? else { return Err(end) };
    let examination = Examination::draw(lab.experiment.situations, &lab.table, &lab.exact);
    let Some(bankers) = lab.train(&examination, &stop)? else { return Err(end) };
    let Goal::Bench(_) = job.goal else { return job.trained(GAME, lab.run) };
    let Some(results) = measure(&lab, &examination, &bankers, &stop)? else { return Err(end) };
    job.answer(lab.run, &serde_json::to_value(&results).map_err(Failure::work)?, &results.terminal())
}

/// Returns the run specification for an experiment.
fn spec(experiment: &BankingExperiment) -> CommandResult<RunSpec> {
    let game = Game::new(experiment.game);
    let mut ids = vec![];
    for name in experiment.ways() {
        ids.push(Member::load(name, &game).map_err(Failure::usage)?.id().to_owned());
    }
    Ok(RunSpec {
        kind: RunKind::Study,
        config: config_text(experiment)?,
        seeds: experiment.seeds.clone(),
        rules_hash: format!("{} {}", experiment.game.hash(), experiment.rules.hash()),
        environment_hash: None,
        task_hash: Some(ids.join(" ")),
    })
}
