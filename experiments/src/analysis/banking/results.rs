//! The results of a banking experiment.

use super::agreement::AnswerScore;
use super::exam::SettingScore;
use super::growth::GrowthScore;
use super::sessions::Sessions;
use serde::{Deserialize, Serialize};

/// Results of a banking experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BankingResults {
    /// "sample": answers are compared on seeded situations.
    pub scope: String,
    /// Number of these situations.
    pub situations: usize,
    /// Fraction of all situations drawn in which the bank had the higher EV.
    pub take_share: f64,
    /// Answers of each agent.
    pub agents: Vec<AnswerScore>,
    /// Number of situations with one opponent.
    pub growth_situations: usize,
    /// Growth by the answers of each agent there.
    pub growth: Vec<GrowthScore>,
    /// Settings of each strategy, learned ones among them.
    pub settings: Vec<SettingScore>,
    /// Results of the sessions.
    pub sessions: Vec<Sessions>,
}
