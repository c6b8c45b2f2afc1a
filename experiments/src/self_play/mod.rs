//! Fictitious self-play with networks as the player and as the banker.
//!
//! In each round, a network for each side is trained against the average of the other side's past strategies, and its
//! greedy strategy enters the average of its own side. This is fictitious play with learned responses. The averages are
//! kept as tables, so that best responses to them can be computed exactly after every round. The bracket around the
//! value of the game is compared with the one that exact responses reach in the same number of rounds.
//!
//! - [`SelfPlayExperiment`] is the configuration. [`STUDY`] runs it as a kind of study.
//! - [`Learner`] plays the rounds of a training configuration with one seed.
//! - [`SelfPlayFindings`] holds the results and formats them as JSON, text and a report.

mod config;
mod learner;
mod report;
#[cfg(test)]
mod tests;

pub use config::SelfPlayExperiment;
pub use learner::Learner;
pub use report::{Played, SelfPlayFindings};

use crate::study::{Goal, Job, StudyKind, stopped};
use config::{KIND, until_round};
use houseway_env::registry;
use houseway_exact::equilibrium::SolverState;
use houseway_exact::pai_gow::equilibrium::{Actions, Certificate};
use houseway_exact::pai_gow::whole::Run;
use houseway_exact::solver::Scope;
use houseway_lab::analysis::pai_gow::equilibrium::{FOLDER, Question, Solving, averages, rounds, save_rows};
use houseway_lab::analysis::pai_gow::progress::{unless_stopped, with_progress};
use houseway_lab::console::{CommandResult, Failure};
use houseway_lab::run::{ProgressBar, RESULTS, RunFolder, RunKind, RunSpec, config_text, parse_config, stop_flag};
use std::sync::atomic::AtomicBool;

/// This module's kind of study.
pub const STUDY: StudyKind = StudyKind { name: KIND, game: None, run };

/// The game's name.
const GAME: &str = "pai-gow-poker";
/// The folder for the rounds with exact responses.
const EXACT: &str = "exact";

/// Plays all rounds. For `bench`, also evaluates the averages and writes the report.
fn run(job: &Job) -> CommandResult {
    let text = job.file()?.ok_or_else(|| job.invalid("there is no bundled configuration for self-play"))?;
    let experiment: SelfPlayExperiment = parse_config(&text).map_err(|error| job.invalid(error))?;
    experiment.check().map_err(|error| job.invalid(error))?;
    check_job(job)?;
    let of_all_rounds = experiment.train.iter().flat_map(|(name, config)| {
        let config = until_round(config, experiment.rounds);
        ["player", "banker"].map(|side| (format!("train.{name}, {side}"), config.clone()))
    });
    let trainings: Vec<_> = of_all_rounds.collect();
    let trainings: Vec<_> = trainings.iter().map(|(name, config)| (name.clone(), config)).collect();
    job.check_size(&trainings, experiment.seeds.len())?;
    let spec = RunSpec {
        kind: RunKind::Study,
        config: config_text(&experiment)?,
        seeds: experiment.seeds.clone(),
        rules_hash: experiment.rules.hash(),
        environment_hash: None,
        task_hash: None,
    };
    let run = job.folder(&experiment.name, &spec, &[], &|_| Err(String::new()))?;
    let (stop, end) = (stop_flag()?, stopped(&run));
    let study =
        SelfPlay { question: experiment.question(), actions: Actions::new(&experiment.question().game), experiment };
    match job.goal {
        Goal::Train => {
            let Some(_) = unless_stopped(study.learn(&run, &stop))? else { return Err(end) };
            job.trained(GAME, run)
        }
        Goal::Bench(_) => {
            let Some(findings) = unless_stopped(study.bench(&run, &stop))? else { return Err(end) };
            job.answer(run, &findings.json(), &findings.text())
        }
    }
}

/// Checks the options of the command.
fn check_job(job: &Job) -> CommandResult {
    if let Goal::Bench(Some(Scope::Sample)) = job.goal {
        return Err(Failure::usage("self-play is always evaluated over all deals; remove --exact sample"));
    }
    match job.game.as_deref().map(registry::find).transpose().map_err(Failure::usage)? {
        Some(game) if game.name != GAME => {
            Err(Failure::usage(format!("kind = \"{KIND}\" is for {GAME}, not {}; remove -g", game.name)))
        }
        _ => Ok(()),
    }
}

/// An experiment that is ready to be played.
struct SelfPlay {
    experiment: SelfPlayExperiment,
    question: Question,
    actions: Actions,
}

impl SelfPlay {
    /// Plays the rounds of all learners. Finished rounds are read from the run's folder.
    fn learn(&self, run: &RunFolder, stop: &AtomicBool) -> anyhow::Result<Vec<(Learner, SolverState)>> {
        let learners = self.experiment.learners().map(|(name, config, seed)| {
            let mut learner = Learner::open(run, &self.question, name, (config, seed))?;
            let state = learner.play(run, &self.question, &self.actions, stop)?;
            Ok((learner, state))
        });
        learners.collect()
    }

    /// Plays all rounds with learned and with exact responses, and computes the best responses to all averages.
    fn bench(&self, run: &RunFolder, stop: &AtomicBool) -> anyhow::Result<SelfPlayFindings> {
        let learners = self.learn(run, stop)?;
        let bar = ProgressBar::new("exact responses", "hands");
        let folder = run.file(FOLDER).join(EXACT);
        let solving = Solving { bar: &bar, stop };
        let (history, state) = rounds(&self.question, &self.actions, &folder, None, &solving, &mut |_| Ok(None))?;
        drop(bar);
        let mut findings = SelfPlayFindings::new(&self.experiment, self.certify(&state, stop)?, &history);
        for (learner, state) in learners {
            findings.add(learner.played(run, self.certify(&state, stop)?)?);
        }
        save_rows(run, "rounds.csv", &findings.rows())?;
        run.write_json(RESULTS, &findings.json())?;
        findings.report().save(run)?;
        Ok(findings)
    }

    /// Computes the exact best responses to both averages.
    fn certify(&self, state: &SolverState, stop: &AtomicBool) -> anyhow::Result<Certificate> {
        let [player, banker] = averages(&self.actions, state)?;
        let Question { game, bank, .. } = &self.question;
        let certify = |run: &Run<'_>| Certificate::compute(game, &self.actions, *bank, [&player, &banker], run);
        Ok(with_progress("best responses", stop, certify)?)
    }
}
