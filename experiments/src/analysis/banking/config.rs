//! Configuration of a banking experiment.

use crate::run::check_names;
use houseway_env::money::Chips;
use houseway_env::pai_gow::Rules;
use houseway_env::pai_gow::table::{CommissionOnBanker, HouseHand, TableRules};
use houseway_learned::TrainConfig;
use houseway_learned::methods::AllAction;
use houseway_learned::task::Feedback;
use houseway_learned::tasks::banking::{self, MAX_OTHERS, MAX_WAYS};
use houseway_learned::tasks::pai_gow;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Map;

/// Value of the key `kind` in these configurations.
pub(super) const KIND: &str = "banking";

/// Name of players who choose legal settings uniformly at random.
pub const RANDOM: &str = "random";

/// Name of players who use the settings learned with the first seed.
pub const LEARNED: &str = "learned";

/// Maximum number of situations, and of hands, in which answers and settings are compared.
const MAX_SITUATIONS: usize = 1_000_000;
/// Maximum number of rounds in a session.
const MAX_ROUNDS: u64 = 1_000_000;
/// Maximum number of sessions per player and seed.
const MAX_SESSIONS: usize = 10_000;

/// A banking experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BankingExperiment {
    /// Always `banking`.
    pub kind: String,
    /// Name of the experiment, and by default of its folder under `results/`.
    pub name: String,
    /// Seeds, with each of which one banker is trained and plays its sessions.
    pub seeds: Vec<u64>,
    /// House way that the learner uses against a bank.
    pub way: String,
    /// House way that the learner uses as the bank.
    pub banker_way: String,
    /// House way used by the house.
    pub house_way: String,
    /// Strategies of the other players: house ways by name or file, `highest-front`, `lowest-front`, `random` or
    /// `learned`.
    pub others: Vec<String>,
    /// Rules of the table.
    #[serde(default)]
    pub rules: TableRules,
    /// Rules of the game.
    #[serde(default)]
    pub game: Rules,
    /// Situations for the comparison with the exact rule.
    #[serde(default)]
    pub situations: SituationsConfig,
    /// Training of settings, as the player and as the bank.
    #[serde(deserialize_with = "setting")]
    pub setting: TrainConfig,
    /// Training of bankers.
    #[serde(default = "default_banker", deserialize_with = "banker")]
    pub train: TrainConfig,
    /// Sessions to play.
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

/// Seeded situations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SituationsConfig {
    /// Number of situations. The bank has the higher EV in half of them, and the player's own bet in the other half.
    pub number: usize,
    /// Number of hands on which settings are compared with the best ones.
    pub hands: usize,
    /// Seed used only for drawing the situations.
    pub seed: u64,
    /// Situations closer to indifference than this fraction of the stake are excluded.
    pub margin: f64,
}

impl Default for SituationsConfig {
    fn default() -> SituationsConfig {
        SituationsConfig { number: 10_000, hands: 2_000, seed: 20_261_121, margin: 0.0005 }
    }
}

/// Sessions of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SessionConfig {
    /// Name used in file names.
    pub name: String,
    /// Maximum number of other players who never bank. At least one of them sits at the table.
    pub opponents: usize,
    /// Number of learned bankers from other seeds, with learned settings, who take the bank for profit.
    #[serde(default)]
    pub rivals: usize,
    /// The player's bankroll at the start, in chips.
    pub bankroll: Chips,
    /// Bet of players who do not choose one.
    pub bet: Chips,
    /// Number of rounds per session.
    pub rounds: u64,
    /// Number of sessions per player and seed.
    pub sessions: usize,
}

impl BankingExperiment {
    /// Checks the configuration.
    ///
    /// # Errors
    /// Returns an error for the first invalid value. The message says what to write instead.
    pub fn check(&self) -> Result<(), String> {
        self.rules.check().map_err(|error| error.to_string())?;
        self.train.check().map_err(|error| format!("train.{error}"))?;
        if self.kind != KIND {
            return Err(format!("kind = \"{}\": write \"{KIND}\"", self.kind));
        }
        self.setting.check().map_err(|error| format!("setting.{error}"))?;
        for (key, config) in [("setting", &self.setting), ("train", &self.train)] {
            if !matches!(config.method.feedback(), Feedback::FullInformation | Feedback::Redealing) {
                return Err(format!("{key}.method: write \"all-action\"; the table gives the rewards of all answers"));
            }
        }
        for (key, way) in [("way", &self.way), ("banker-way", &self.banker_way), ("house-way", &self.house_way)] {
            if [RANDOM, LEARNED].contains(&way.as_str()) {
                return Err(format!("{key} = \"{way}\": name a house way; {RANDOM} and {LEARNED} are for others"));
            }
        }
        check_names(std::iter::once(&self.name).chain(self.sessions.iter().map(|session| &session.name)))?;
        if self.seeds.len() < 2 {
            return Err("seeds: an interval requires at least two seeds".to_owned());
        }
        if self.rules.commission_on_banker == CommissionOnBanker::NetWin {
            return Err(
                "rules.commission-on-banker = \"net_win\" has no exact EV for several bets; write \"per_bet\" \
                        or \"none\""
                    .to_owned(),
            );
        }
        if self.rules.house_hand_when_player_banks == HouseHand::Dealt {
            return Err(
                "rules.house-hand-when-player-banks = \"dealt\" is not known here; write \"not_dealt\"".to_owned()
            );
        }
        if self.others.is_empty() || self.others.len() + 3 > MAX_WAYS {
            return Err(format!("others: name 1 to {} ways", MAX_WAYS - 3));
        }
        let SituationsConfig { number, hands, margin, .. } = self.situations;
        if ![number, hands].iter().all(|size| (2..=MAX_SITUATIONS).contains(size)) || !(0.0..0.01).contains(&margin) {
            return Err(format!("situations: number and hands are 2 to {MAX_SITUATIONS}, margin from 0 to below 0.01"));
        }
        if self.fixed().next().is_none() {
            return Err(format!("others: name a way other than {RANDOM} and {LEARNED}"));
        }
        let knows = [&self.way, LEARNED].iter().all(|way| self.others.iter().any(|other| other == way));
        if let (false, Some(session)) = (knows, self.sessions.iter().find(|session| session.rivals > 0)) {
            let (name, way) = (&session.name, &self.way);
            return Err(format!("session {name}: rivals know only the others' ways; name {way} and {LEARNED} there"));
        }
        self.sessions.iter().try_for_each(|session| session.check(&self.rules, self.seeds.len()))
    }

    /// Returns the strategies that are known before training, starting with those of the learner and the house.
    pub fn ways(&self) -> Vec<&str> {
        let own = [&self.way, &self.banker_way, &self.house_way];
        let others = self.others.iter().filter(|way| **way != LEARNED);
        own.into_iter().chain(others).map(String::as_str).collect()
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
            return Err(format!("session {name}: opponents = {}; write 1 to {most}", self.opponents));
        }
        if self.opponents + self.rivals > most || self.rivals >= seeds {
            let most = (most - self.opponents).min(seeds - 1);
            return Err(format!("session {name}: rivals = {}; write at most {most}", self.rivals));
        }
        if !(1..=MAX_ROUNDS).contains(&self.rounds) || !(1..=MAX_SESSIONS).contains(&self.sessions) {
            return Err(format!("session {name}: rounds are 1 to {MAX_ROUNDS}, sessions are 1 to {MAX_SESSIONS}"));
        }
        if !(rules.bet_minimum..=rules.bet_maximum).contains(&self.bet) || self.bankroll < self.bet {
            return Err(format!("session {name}: the bet must be within the limits and at most the bankroll"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BANKING: &str = include_str!("../../../configs/pai-gow-table.toml");

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
            ("opponents = 5", "opponents = 6", "write 1 to 5"),
            ("margin = 0.0005", "margin = 0.5", "below 0.01"),
            ("learning-rate", "learning-speed", "learning-speed"),
            ("rivals = 2", "rivals = 3", "write at most 2"),
            ("number = 10000", "number = 10000000000", "2 to 1000000"),
            ("rounds = 1000", "rounds = 0", "rounds are 1 to 1000000"),
            ("sessions = 20", "sessions = 100000000", "sessions are 1 to 10000"),
            (", \"learned\"]", "]", "name trump-plaza and learned"),
            ("house-way = \"trump-plaza\"", "house-way = \"random\"", "name a house way"),
            ("{ name = \"all-action\", reward-samples = 24 }", "\"policy-gradient\"", "write \"all-action\""),
        ] {
            let error = broken(from, to);
            assert!(error.contains(part), "{to}: {error}");
        }
    }
}
