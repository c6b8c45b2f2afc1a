//! The results of a banking experiment.

use super::agreement::AnswerScore;
use super::exam::SettingScore;
use super::growth::GrowthScore;
use super::sessions::Sessions;
use serde::{Deserialize, Serialize};

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
