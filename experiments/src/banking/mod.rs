//! Studies banking at a Pai Gow table by comparing learned bankers with never banking, always banking, the exact rule,
//! and exact Kelly.
//!
//! [`BankingLab::open`] loads the strategies, trains settings, and enumerates all deals between the strategies.
//! [`BankingLab::train`] trains bankers with each seed. [`measure`] compares the bankers' answers with the exact rule,
//! plays sessions, and writes the numbers, plots, and report.

mod agreement;
mod card;
mod command;
mod config;
mod exact;
mod exam;
mod figures;
mod growth;
mod lab;
mod measure;
mod population;
mod results;
mod seats;
mod sessions;
mod text;

pub use agreement::{AnswerScore, Examination};
pub use command::STUDY;
pub use config::{BankingExperiment, LEARNED, RANDOM, SessionConfig, SituationsConfig};
pub use exact::Exact;
pub use exam::{Role, RoleExam, SettingExam, SettingScore};
pub use growth::{GrowthExam, GrowthScore};
pub use lab::{Bankers, BankingLab};
pub use measure::measure;
pub use population::{LearnedSetting, Member};
pub use results::BankingResults;
pub use sessions::{Estimate, SessionScore, Sessions};
