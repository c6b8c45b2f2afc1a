//! The results of a banking experiment.

use super::agreement::AnswerScore;
use super::exam::SettingScore;
use super::growth::GrowthScore;
use super::sessions::Sessions;
use serde::{Deserialize, Serialize};

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
