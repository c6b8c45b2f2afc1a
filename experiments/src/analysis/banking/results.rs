//! Results of a banking experiment.

use super::agreement::AnswerScore;
use super::exam::SettingScore;
use super::growth::GrowthScore;
use super::sessions::Sessions;
use serde::{Deserialize, Serialize};

/// Results of a banking experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BankingResults {
    /// Always "sample": answers are compared in seeded situations.
    pub scope: String,
    /// Number of situations in which answers are compared.
    pub situations: usize,
    /// Fraction of all drawn situations in which the bank had the higher EV.
    pub take_share: f64,
    /// Scores of each agent's answers.
    pub agents: Vec<AnswerScore>,
    /// Number of situations with one opponent.
    pub growth_situations: usize,
    /// Growth scores of each agent's answers in these situations.
    pub growth: Vec<GrowthScore>,
    /// Scores of each strategy's settings, including learned ones.
    pub settings: Vec<SettingScore>,
    /// Results of the sessions.
    pub sessions: Vec<Sessions>,
}
