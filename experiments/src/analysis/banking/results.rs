//! Results of a banking experiment.

use super::agreement::AnswerScore;
use super::exam::SettingScore;
use super::growth::GrowthScore;
use super::sessions::Sessions;
use serde::{Deserialize, Serialize};

/// Results of a banking experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BankingResults {
    /// "sample": decisions are compared on seeded situations.
    pub scope: String,
    /// Number of situations.
    pub situations: usize,
    /// Fraction of all situations drawn in which banking had the higher EV.
    pub take_share: f64,
    /// Scores of each agent's decisions.
    pub agents: Vec<AnswerScore>,
    /// Number of situations with one opponent.
    pub growth_situations: usize,
    /// Scores by growth in these situations.
    pub growth: Vec<GrowthScore>,
    /// Scores of each way's settings, including learned ones.
    pub settings: Vec<SettingScore>,
    /// Results of the sessions.
    pub sessions: Vec<Sessions>,
}
