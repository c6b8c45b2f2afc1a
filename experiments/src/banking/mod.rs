//! Studies banking at a Pai Gow table by comparing learned bankers with never banking, always banking, the exact rule,
//! and exact Kelly.
//!
//! [`BankingLab::open`] loads the strategies, trains settings, and enumerates all deals between the strategies.
//! [`BankingLab::train`] trains bankers with each seed. [`measure`] compares the bankers' answers with the exact rule,
//! plays sessions, and writes the numbers, plots, and report.

mod config;
mod exams;
mod lab;
mod population;
mod report;
mod sessions;

pub use config::{BankingExperiment, LEARNED, RANDOM, SessionConfig, SituationsConfig};
pub use exams::{AnswerScore, Examination, GrowthExam, GrowthScore, Role, RoleExam, SettingExam, SettingScore};
pub use lab::{Bankers, BankingLab, Exact};
pub use population::{LearnedSetting, Member};
pub use sessions::{Estimate, SessionScore, Sessions};

use crate::study::{Goal, Job, StudyKind, default_config, stopped};
use config::KIND;
use houseway_env::pai_gow::Game;
use houseway_env::rules::RuleSet;
use houseway_lab::console::{CommandResult, Failure};
use houseway_lab::run::{RESULTS, RunKind, RunSpec, config_text, parse_config, stop_flag};
use report::write_cards;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

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

/// Compares answers, plays sessions, and writes the numbers, plots, and report. Returns `None` if stopped.
pub fn measure(
    lab: &BankingLab,
    examination: &Examination,
    bankers: &Bankers,
    stop: &AtomicBool,
) -> anyhow::Result<Option<BankingResults>> {
    let count = examination.situations.len();
    let mut agents = vec![
        examination.score("never bank", &vec![false; count]),
        examination.score("always bank", &vec![true; count]),
        examination.score("exact rule", &examination.exact()),
    ];
    let mut answers = vec![];
    for (name, banker) in bankers.named(&lab.experiment.seeds) {
        answers.push(examination.answers(banker));
        agents.push(examination.score(&name, &answers[answers.len() - 1]));
    }
    answers.truncate(bankers.learned.len());
    let growth = GrowthExam::draw(lab);
    let Some(sessions) = sessions::play(lab, &bankers.learned, stop)? else { return Ok(None) };
    let results = BankingResults {
        scope: "sample".to_owned(),
        situations: count,
        take_share: examination.drawn_take as f64 / examination.drawn as f64,
        agents,
        growth_situations: growth.situations(),
        growth: growth.scores(lab, bankers),
        settings: lab.settings.clone(),
        sessions,
    };
    lab.run.write_json(RESULTS, &results)?;
    write_cards(lab)?;
    report::report(lab, &results, examination, &answers).save(&lab.run)?;
    Ok(Some(results))
}

/// The results of a banking experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BankingResults {
    /// Always "sample", because answers are compared in seeded situations.
    pub scope: String,
    /// The number of situations for comparing answers.
    pub situations: usize,
    /// The fraction of all drawn situations that favored banking.
    pub take_share: f64,
    /// Each agent's score for its answers.
    pub agents: Vec<AnswerScore>,
    /// The number of situations with one opponent.
    pub growth_situations: usize,
    /// The growth score of each agent's answers in these situations.
    pub growth: Vec<GrowthScore>,
    /// Each strategy's score for its settings, including learned ones.
    pub settings: Vec<SettingScore>,
    /// The session results.
    pub sessions: Vec<Sessions>,
}
