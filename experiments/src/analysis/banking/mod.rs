//! When to take the bank: learned bankers compared with never, always, the exact rule and exact Kelly.
//!
//! [`BankingLab::open`] loads the ways, trains how to set and counts all deals between them, [`BankingLab::train`] trains a
//! banker with each seed, [`measure`] compares answers with the exact rule, plays sessions, and writes numbers, plots and
//! report.

mod agreement;
mod config;
mod exact;
mod exam;
mod figures;
mod growth;
mod lab;
mod population;
mod seats;
mod sessions;
mod text;

pub use agreement::{AnswerScore, Examination};
pub use config::{BankingExperiment, KIND, LEARNED, QUICK, RANDOM, SessionConfig, SituationsConfig};
pub use exact::Exact;
pub use exam::{Role, RoleExam, SettingExam, SettingScore};
pub use growth::{GrowthExam, GrowthScore};
pub use lab::BankingLab;
pub use population::{LearnedSetting, Member};
pub use sessions::{Estimate, SessionScore, Sessions};

use crate::run::RESULTS;
use houseway_learned::banking::LearnedBanker;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// What came of a banking experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BankingResults {
    /// "sample": answers are compared on seeded situations.
    pub scope: String,
    /// How many these are.
    pub situations: usize,
    /// In what share of all situations drawn the bank was worth more.
    pub take_share: f64,
    /// How each agent answers.
    pub agents: Vec<AnswerScore>,
    /// Situations with one opponent.
    pub growth_situations: usize,
    /// What answers do for growth there.
    pub growth: Vec<GrowthScore>,
    /// How each way sets, learned ones among them.
    pub settings: Vec<SettingScore>,
    /// What came of the sessions.
    pub sessions: Vec<Sessions>,
}

/// Compares answers and plays sessions, and writes numbers, plots and report. `None` if it was asked to stop.
///
/// # Errors
/// If a table cannot be opened or a file cannot be written.
pub fn measure(
    lab: &BankingLab,
    examination: &Examination,
    bankers: &[LearnedBanker],
    stop: &AtomicBool,
) -> anyhow::Result<Option<BankingResults>> {
    let count = examination.situations.len();
    let mut agents = vec![
        examination.score("never bank", &vec![false; count]),
        examination.score("always bank", &vec![true; count]),
        examination.score("exact rule", &examination.exact()),
    ];
    let learned: Vec<Vec<bool>> = bankers.iter().map(|banker| examination.answers(banker)).collect();
    for (seed, takes) in lab.experiment.seeds.iter().zip(&learned) {
        agents.push(examination.score(&format!("learned, seed {seed}"), takes));
    }
    let growth = GrowthExam::draw(lab);
    let Some(sessions) = sessions::play(lab, bankers, stop)? else { return Ok(None) };
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
    figures::save(lab, &results, examination, &learned)?;
    text::report(lab, &results).save(&lab.run)?;
    lab.run.finish()?;
    Ok(Some(results))
}

impl BankingResults {
    /// The comparison for a terminal.
    pub fn terminal(&self) -> String {
        let sessions =
            self.sessions.iter().map(|played| format!("\n{}\n{}", played.name, text::sessions(played).terminal()));
        text::answers(self).terminal()
            + "\n"
            + &text::growth(self).terminal()
            + "\n"
            + &text::settings(self).terminal()
            + "\n"
            + &sessions.collect::<Vec<_>>().join("\n")
    }
}
