//! Measures how well trained bankers answer and play.

use super::agreement::Examination;
use super::card::write_cards;
use super::growth::GrowthExam;
use super::lab::{Bankers, BankingLab};
use super::results::BankingResults;
use super::{sessions, text};
use houseway_lab::run::RESULTS;
use std::sync::atomic::AtomicBool;

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
    text::report(lab, &results, examination, &answers).save(&lab.run)?;
    Ok(Some(results))
}
