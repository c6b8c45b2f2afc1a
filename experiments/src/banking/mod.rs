//! Studies banking at a Pai Gow table by comparing learned bankers with never banking, always banking, the exact rule,
//! and exact Kelly.
//!
//! A [`BankingExperiment`] is the configuration of such a study. [`BankingLab::open`] loads the strategies, trains
//! settings, and enumerates all deals between the strategies, and [`BankingLab::train`] trains bankers with each seed.
//! [`exams`] compares their answers with the exact rule, and [`sessions`] plays at the table.

mod exams;
mod lab;
mod report;
mod sessions;

use crate::study::{JobStudy, Opened, RunControl, StudyKind, default_config};
use exams::{Examination, GrowthExam};
use houseway_env::gym::{EVALUATION, StreamSeed, stream_in};
use houseway_env::money::{Chips, Collection, CommissionBet};
use houseway_env::pai_gow::table::{CommissionOnBanker, HouseHand, TableRules};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rules::RuleSet;
use houseway_exact::answer::Answer;
use houseway_exact::solver::Scope;
use houseway_lab::console::Failure;
use houseway_lab::run::{RunFolder, RunKind, RunSpec, check_names, parse_config, spec};
use houseway_learned::TrainConfig;
use houseway_learned::methods::AllAction;
use houseway_learned::task::Feedback;
use houseway_learned::tasks::banking::{self, MAX_OTHERS, MAX_WAYS};
use houseway_learned::tasks::pai_gow;
use lab::{BankingLab, Member};
use rand_pcg::Pcg64;
use report::{BankingResults, write_cards};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Map;

pub const STUDY: StudyKind = StudyKind { name: KIND, game: Some(GAME), open };

const GAME: &str = "pai-gow-table";

/// The `kind` key's value in these configurations.
const KIND: &str = "banking";

/// The name for players who choose legal settings uniformly at random.
const RANDOM: &str = "random";

/// The name for players who use the settings learned with the first seed.
const LEARNED: &str = "learned";

/// The maximum number of situations, and also of hands for comparing settings.
const MAX_SITUATIONS: usize = 1_000_000;
const MAX_ROUNDS: u64 = 1_000_000;
const MAX_SESSIONS: usize = 10_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BankingExperiment {
    /// Always `banking`.
    pub kind: String,
    /// The experiment's name. By default, its folder under `runs/` has the same name.
    pub name: String,
    /// The seeds, at least two. Each of them trains a banker, which then plays its own sessions.
    pub seeds: Vec<u64>,
    /// The house way that the learner uses against a bank.
    pub way: String,
    /// The house way that the learner uses as the bank.
    pub banker_way: String,
    /// The house way of the house.
    pub house_way: String,
    /// The other players' strategies. Each is a house way's name or file, or one of `highest-front`, `lowest-front`,
    /// `random` and `learned`.
    pub others: Vec<String>,
    /// If `true`, each seed also trains a banker with raw features. These bankers are scored, but don't play sessions.
    /// By default `false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raw_features: bool,
    /// The rules of the table.
    #[serde(default)]
    pub rules: TableRules,
    /// The rules of Pai Gow Poker.
    #[serde(default)]
    pub game: Rules,
    /// The situations used to compare answers with the exact rule.
    #[serde(default)]
    pub situations: SituationsConfig,
    /// The training configuration for settings, both as the player and as the bank. Its method is `all-action`.
    #[serde(deserialize_with = "setting")]
    pub setting: TrainConfig,
    /// The training configuration for bankers, whose method is `all-action`. By default, with the parameters of the game.
    #[serde(default = "default_banker", deserialize_with = "banker")]
    pub train: TrainConfig,
    /// The sessions to play. By default, there are none.
    #[serde(default, rename = "session")]
    pub sessions: Vec<SessionConfig>,
}

fn setting<'de, D: Deserializer<'de>>(source: D) -> Result<TrainConfig, D::Error> {
    TrainConfig::with_overrides(pai_gow::defaults, &Map::deserialize(source)?).map_err(D::Error::custom)
}

fn banker<'de, D: Deserializer<'de>>(source: D) -> Result<TrainConfig, D::Error> {
    TrainConfig::with_overrides(banking::defaults, &Map::deserialize(source)?).map_err(D::Error::custom)
}

fn default_banker() -> TrainConfig {
    banking::defaults(AllAction::default().into())
}

/// The situations used to compare answers with the exact rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SituationsConfig {
    /// The number of situations. Banking has the higher EV in one half of them, and the player's own bet in the other.
    pub number: usize,
    /// The number of hands for comparing settings with the best ones.
    pub hands: usize,
    /// The seed for drawing situations and hands. Training never uses its [streams](SituationsConfig::stream).
    pub seed: u64,
    /// Situations that are closer to indifference than this fraction of the stake are excluded.
    pub margin: f64,
}

impl SituationsConfig {
    /// Returns one of the random streams for situations and hands.
    pub fn stream(self, lane: u64) -> Pcg64 {
        stream_in(EVALUATION, StreamSeed { seed: self.seed, lane })
    }
}

impl Default for SituationsConfig {
    fn default() -> SituationsConfig {
        SituationsConfig { number: 10_000, hands: 2_000, seed: 20_261_121, margin: 0.0005 }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SessionConfig {
    /// The name used in file names.
    pub name: String,
    /// The maximum number of other players who never bank. There is always at least one at the table.
    pub opponents: usize,
    /// The number of learned bankers from other seeds at the table. They use learned settings and take the bank to
    /// maximize profit. By default, there are none.
    #[serde(default)]
    pub rivals: usize,
    /// The player's initial bankroll in chips.
    pub bankroll: Chips,
    /// The bet made by players who don't choose one.
    pub bet: Chips,
    /// The number of rounds per session.
    pub rounds: u64,
    /// The number of sessions per player and seed.
    pub sessions: usize,
}

impl BankingExperiment {
    pub fn check(&self) -> Result<(), String> {
        self.rules.check()?;
        self.train.check().map_err(|error| format!("train.{error}"))?;
        if self.kind != KIND {
            return Err(format!("kind = \"{}\": must be \"{KIND}\"", self.kind));
        }
        self.setting.check().map_err(|error| format!("setting.{error}"))?;
        for (key, config) in [("setting", &self.setting), ("train", &self.train)] {
            if !matches!(config.method.feedback(), Feedback::FullInformation | Feedback::Redealing) {
                return Err(format!("{key}.method: must be \"all-action\"; the table rewards all answers"));
            }
        }
        for (key, way) in [("way", &self.way), ("banker-way", &self.banker_way), ("house-way", &self.house_way)] {
            if [RANDOM, LEARNED].contains(&way.as_str()) {
                return Err(format!("{key} = \"{way}\": must be a house way; {RANDOM} and {LEARNED} are for others"));
            }
        }
        check_names(std::iter::once(&self.name).chain(self.sessions.iter().map(|session| &session.name)))?;
        if self.seeds.len() < 2 {
            return Err("seeds: an interval requires at least two seeds".to_owned());
        }
        if self.rules.commission_on_banker == CommissionOnBanker::NetWin {
            return Err("rules.commission-on-banker = \"net_win\" has no exact EV for several bets; use \"per_bet\" \
                        or \"none\""
                .to_owned());
        }
        if [self.rules.bank_collection, self.game.collection] != [Collection::NONE; 2] {
            return Err("fees for each hand are not supported; leave out collection and bank-collection".to_owned());
        }
        if self.game.commission_bet != CommissionBet::NONE {
            return Err("game.commission-bet: a table rounds the commission anyway; leave it out".to_owned());
        }
        if self.rules.house_hand_when_player_banks == HouseHand::Dealt {
            return Err("rules.house-hand-when-player-banks = \"dealt\" is not supported; use \"not_dealt\"".to_owned());
        }
        if self.others.is_empty() || self.others.len() + 3 > MAX_WAYS {
            return Err(format!("others: expected 1 to {} ways", MAX_WAYS - 3));
        }
        let SituationsConfig { number, hands, margin, .. } = self.situations;
        if ![number, hands].iter().all(|size| (2..=MAX_SITUATIONS).contains(size)) || !(0.0..0.01).contains(&margin) {
            return Err(format!(
                "situations: expected number and hands from 2 to {MAX_SITUATIONS}, margin from 0 to below 0.01"
            ));
        }
        if self.fixed().next().is_none() {
            return Err(format!("others: expected a way other than {RANDOM} and {LEARNED}"));
        }
        let knows = [&self.way, LEARNED].iter().all(|way| self.others.iter().any(|other| other == way));
        if let (false, Some(session)) = (knows, self.sessions.iter().find(|session| session.rivals > 0)) {
            let (name, way) = (&session.name, &self.way);
            return Err(format!("session {name}: rivals only know the ways in others; add {way} and {LEARNED}"));
        }
        self.sessions.iter().try_for_each(|session| session.check(&self.rules, self.seeds.len()))
    }

    /// Returns the other players' strategies that are known before training.
    pub fn fixed(&self) -> impl Iterator<Item = &String> {
        self.others.iter().filter(|way| ![RANDOM, LEARNED].contains(&way.as_str()))
    }
}

impl SessionConfig {
    fn check(&self, rules: &TableRules, seeds: usize) -> Result<(), String> {
        let (name, most) = (&self.name, MAX_OTHERS.min(rules.seats.players() - 1));
        if !(1..=most).contains(&self.opponents) {
            return Err(format!("session {name}: opponents = {}: must be between 1 and {most}", self.opponents));
        }
        if self.opponents + self.rivals > most || self.rivals >= seeds {
            let most = (most - self.opponents).min(seeds - 1);
            return Err(format!("session {name}: rivals = {}: must be at most {most}", self.rivals));
        }
        if !(1..=MAX_ROUNDS).contains(&self.rounds) || !(1..=MAX_SESSIONS).contains(&self.sessions) {
            return Err(format!(
                "session {name}: expected rounds from 1 to {MAX_ROUNDS}, sessions from 1 to {MAX_SESSIONS}"
            ));
        }
        if !(rules.bet_minimum..=rules.bet_maximum).contains(&self.bet) || self.bankroll < self.bet {
            return Err(format!("session {name}: the bet must be within the limits and at most the bankroll"));
        }
        Ok(())
    }
}

fn open(text: Option<&str>, _: Option<&str>) -> Opened {
    let text = text.or(default_config(GAME)).unwrap_or_default();
    let experiment: BankingExperiment = parse_config(text)?;
    experiment.check().map_err(anyhow::Error::msg)?;
    Ok(Box::new(experiment))
}

impl JobStudy for BankingExperiment {
    fn name(&self) -> &str {
        &self.name
    }

    fn game(&self) -> &'static str {
        GAME
    }

    fn trainings(&self) -> Vec<(String, TrainConfig)> {
        let train = ("train".to_owned(), self.train.clone());
        let mut trainings = vec![("setting".to_owned(), self.setting.clone()), train.clone()];
        trainings.extend(self.raw_features.then_some(train));
        trainings
    }

    fn check_scope(&self, scope: Option<Scope>) -> Result<Scope, String> {
        match scope {
            Some(_) => Err("bankers are evaluated on the situations in the configuration; remove --exact".to_owned()),
            None => Ok(Scope::Sample),
        }
    }

    fn spec(&self) -> anyhow::Result<RunSpec> {
        let game = Game::new(self.game);
        let mut ids = vec![];
        for name in self.inputs() {
            ids.push(Member::load(name, &game).map_err(Failure::usage)?.id().to_owned());
        }
        let (seeds, task_hash) = (self.seeds.clone(), Some(ids.join(" ")));
        let rules_hash = format!("{} {}", self.game.hash(), self.rules.hash());
        Ok(RunSpec { seeds, task_hash, ..spec(RunKind::Study, self, rules_hash)? })
    }

    /// Returns the strategies that are known before training, starting with the learner's and the house's.
    fn inputs(&self) -> Vec<&str> {
        let own = [&self.way, &self.banker_way, &self.house_way];
        let others = self.others.iter().filter(|way| **way != LEARNED);
        own.into_iter().chain(others).map(String::as_str).collect()
    }

    /// Trains settings and bankers. If a scope is given, also compares answers and plays sessions.
    fn run(&self, run: &RunFolder, scope: Option<Scope>, control: RunControl<'_>) -> anyhow::Result<Option<Answer>> {
        let lab = BankingLab::open(self, run, control)?;
        let examination = Examination::draw(self.situations, &lab.table, &lab.exact, control.stop)?;
        let bankers = lab.train(&examination, control)?;
        if scope.is_none() {
            return Ok(None);
        }
        let count = examination.situations.len();
        let mut agents = vec![
            examination.score("never bank", &vec![false; count]),
            examination.score("always bank", &vec![true; count]),
            examination.score("exact rule", &examination.exact()),
        ];
        let mut answers = vec![];
        for (name, banker) in lab.names().zip(&bankers) {
            answers.push(examination.answers(banker));
            agents.push(examination.score(&name, &answers[answers.len() - 1]));
        }
        answers.truncate(self.seeds.len());
        let growth = GrowthExam::draw(&lab);
        let results = BankingResults {
            lab: &lab,
            examination: &examination,
            answers,
            agents,
            growth_situations: growth.situations.len(),
            growth: growth.scores(&lab, &bankers),
            sessions: sessions::play(&lab, &bankers[..self.seeds.len()], control.stop)?,
        };
        write_cards(&lab)?;
        Ok(Some(results.answer()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BANKING: &str = include_str!("../../configs/pai-gow-table.toml");

    #[test]
    fn the_committed_experiment_is_sound_and_mistakes_are_named() {
        let banking: BankingExperiment = toml::from_str(BANKING).unwrap();
        assert_eq!(banking.check(), Ok(()));
        assert!(banking.seeds.len() >= 5 && banking.situations.number >= 10_000 && banking.sessions.len() >= 2);
        assert_eq!(toml::from_str::<BankingExperiment>(&toml::to_string(&banking).unwrap()).unwrap(), banking);
        let broken = |from: &str, to: &str| {
            assert!(BANKING.contains(from), "{from}");
            match toml::from_str::<BankingExperiment>(&BANKING.replacen(from, to, 1)) {
                Ok(banking) => banking.check().unwrap_err(),
                Err(error) => error.to_string(),
            }
        };
        for (from, to, part) in [
            ("\"per_bet\"", "\"net_win\"", "no exact EV"),
            ("name = \"banking\"", "name = \"a/b\"", "letters, digits"),
            ("seeds = [1, 2, 3, 4, 5]", "seeds = [1]", "at least two"),
            ("opponents = 5", "opponents = 6", "must be between 1 and 5"),
            ("margin = 0.0005", "margin = 0.5", "below 0.01"),
            ("learning-rate", "learning-speed", "learning-speed"),
            ("rivals = 2", "rivals = 3", "must be at most 2"),
            ("number = 10000", "number = 10000000000", "from 2 to 1000000"),
            ("raw-features = true", "raw-features = \"yes\"", "expected a boolean"),
            ("raw-features = true", "raw-feature = true", "unknown field `raw-feature`"),
            ("rounds = 1000", "rounds = 0", "rounds from 1 to 1000000"),
            ("sessions = 20", "sessions = 100000000", "sessions from 1 to 10000"),
            (", \"learned\"]", "]", "add trump-plaza and learned"),
            ("house-way = \"trump-plaza\"", "house-way = \"random\"", "must be a house way"),
            ("{ name = \"all-action\", reward-samples = 6 }", "\"policy-gradient\"", "must be \"all-action\""),
        ] {
            let error = broken(from, to);
            assert!(error.contains(part), "{to}: {error}");
        }
    }

    #[test]
    fn raw_features_are_off_by_default_and_only_then_left_out() {
        let on: BankingExperiment = toml::from_str(BANKING).unwrap();
        assert!(on.raw_features && toml::to_string(&on).unwrap().contains("raw-features = true"));
        let off: BankingExperiment = toml::from_str(&BANKING.replace("raw-features = true", "")).unwrap();
        assert!(!off.raw_features && !toml::to_string(&off).unwrap().contains("raw-features"));
    }
}
