//! Fictitious self-play with networks as the player and as the banker.
//!
//! In each round, a network for each side is trained against the average of the other side's past strategies, and its
//! greedy strategy enters the average of its own side. This is fictitious play with learned responses. The averages are
//! kept as tables, so that best responses to them can be computed exactly after every round. The bracket around the
//! value of the game is compared with the one that exact responses reach in the same number of rounds.
//!
//! A [`SelfPlayExperiment`] is the configuration of such a study. A [`Learner`] plays the rounds of a training
//! configuration with one seed.

mod learner;
mod report;
#[cfg(test)]
mod tests;

use crate::study::{JobStudy, Opened, RunControl, StudyKind};
use anyhow::{anyhow, bail};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::registry;
use houseway_exact::answer::Answer;
use houseway_exact::equilibrium::{Algorithm, Method, SolverState};
use houseway_exact::pai_gow::equilibrium::{Actions, Certificate};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::Run;
use houseway_exact::solver::Scope;
use houseway_lab::analysis::pai_gow::equilibrium::{FOLDER, Question, Solving, averages, rounds, save_rows};
use houseway_lab::analysis::pai_gow::progress::with_progress;
use houseway_lab::run::{
    ProgressBar, RunFolder, RunKind, RunSpec, agent_name, check_names, check_seeds, config_text, parse_config,
};
use houseway_learned::TrainConfig;
use houseway_learned::task::Feedback;
use houseway_learned::tasks::pai_gow;
use learner::Learner;
use report::{Played, SelfPlayFindings};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// This module's kind of study.
pub const STUDY: StudyKind = StudyKind { name: KIND, game: None, open };

/// The game's name.
const GAME: &str = "pai-gow-poker";
/// The folder for the rounds with exact responses.
const EXACT: &str = "exact";
/// The `kind` key's value in these configurations.
const KIND: &str = "self-play";
/// The maximum number of rounds.
const MAX_ROUNDS: u32 = 1_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SelfPlayExperiment {
    /// Always `self-play`.
    pub kind: String,
    /// The experiment's name. By default, its folder under `runs/` has the same name.
    pub name: String,
    /// The number of rounds. In each round, both sides respond to each other's average.
    pub rounds: u32,
    /// The seeds. Every training configuration is run with each of them.
    pub seeds: Vec<u64>,
    /// The game rules. The house is the banker.
    #[serde(default)]
    pub rules: Rules,
    /// The training configurations by name. The steps are those of a single round and side.
    #[serde(deserialize_with = "trainings")]
    pub train: BTreeMap<String, TrainConfig>,
}

fn trainings<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeMap<String, TrainConfig>, D::Error> {
    let mut trainings = BTreeMap::new();
    for (name, table) in BTreeMap::<String, Map<String, Value>>::deserialize(source)? {
        let config = TrainConfig::with_overrides(pai_gow::defaults, &table);
        let config = config.map_err(|error| D::Error::custom(format!("train.{name}: {error}")))?;
        trainings.insert(name, config);
    }
    Ok(trainings)
}

impl SelfPlayExperiment {
    /// Checks that all values are valid.
    pub fn check(&self) -> Result<(), String> {
        if self.kind != KIND {
            return Err(format!("kind = \"{}\": must be \"{KIND}\"", self.kind));
        }
        check_names(std::iter::once(&self.name).chain(self.train.keys()))?;
        check_seeds(&self.seeds, self.train.len())?;
        if !(1..=MAX_ROUNDS).contains(&self.rounds) {
            return Err(format!("rounds = {}: must be between 1 and {MAX_ROUNDS}", self.rounds));
        }
        for (name, config) in &self.train {
            if config.method.feedback() == Feedback::Bandit {
                return Err(format!(
                    "train.{name}.method: \"{}\" isn't supported in self-play, which rewards several settings of a hand; \
                     use \"all-action\", \"paired\" or \"distillation\"",
                    config.method.name()
                ));
            }
            if !config.restarts.is_empty() {
                return Err(format!("train.{name}.restarts: every round restarts the schedule; remove the key"));
            }
            until_round(config, self.rounds)
                .check()
                .map_err(|error| format!("train.{name}, in all rounds: {error}"))?;
        }
        Ok(())
    }

    /// Returns the question whose rounds are played. Its method is fictitious play.
    fn question(&self) -> Question {
        let method = Method { algorithm: Algorithm::FictitiousPlay, ..Method::default() };
        Question { game: Game::new(self.rules), bank: BankedBy::House, rounds: self.rounds, class_rounds: 0, method }
    }

    /// Iterates over the names of all learners, each with its training configuration and seed.
    fn learners(&self) -> impl Iterator<Item = (String, &TrainConfig, u64)> {
        self.train
            .iter()
            .flat_map(|(name, config)| self.seeds.iter().map(move |&seed| (agent_name(name, seed), config, seed)))
    }
}

/// Returns the training configuration for the first `round` rounds of one side. The learning rate restarts in every
/// round.
fn until_round(config: &TrainConfig, round: u32) -> TrainConfig {
    let rounds = u64::from(round);
    let restarts = (1..rounds).map(|round| round.saturating_mul(config.steps)).collect();
    TrainConfig { steps: config.steps.saturating_mul(rounds), restarts, ..config.clone() }
}

fn open(text: Option<&str>, game: Option<&str>) -> Opened {
    let text = text.ok_or_else(|| anyhow!("there is no bundled configuration for self-play"))?;
    let experiment: SelfPlayExperiment = parse_config(text)?;
    experiment.check().map_err(anyhow::Error::msg)?;
    match game.map(registry::find).transpose()? {
        Some(game) if game.name != GAME => bail!("kind = \"{KIND}\" is for {GAME}, not {}; remove -g", game.name),
        _ => Ok(Box::new(experiment)),
    }
}

impl JobStudy for SelfPlayExperiment {
    fn name(&self) -> &str {
        &self.name
    }

    fn game(&self) -> &'static str {
        GAME
    }

    fn trainings(&self) -> Vec<(String, TrainConfig)> {
        let of_all_rounds = |(name, config)| {
            let config = until_round(config, self.rounds);
            ["player", "banker"].map(|side| (format!("train.{name}, {side}"), config.clone()))
        };
        self.train.iter().flat_map(of_all_rounds).collect()
    }

    fn check_scope(&self, scope: Option<Scope>) -> Result<Scope, String> {
        match scope {
            Some(Scope::Sample) => {
                Err("self-play is always evaluated over all deals; remove --exact sample".to_owned())
            }
            _ => Ok(Scope::Whole),
        }
    }

    fn spec(&self) -> anyhow::Result<RunSpec> {
        Ok(RunSpec {
            kind: RunKind::Study,
            config: config_text(self)?,
            seeds: self.seeds.clone(),
            rules_hash: self.rules.hash(),
            environment_hash: None,
            task_hash: None,
        })
    }

    fn inputs(&self) -> Vec<&str> {
        vec![]
    }

    /// Plays the rounds of all learners. If a scope is given, also plays all rounds with exact responses, and computes
    /// the best responses to all averages. Finished rounds are read from the run's folder.
    fn run(&self, run: &RunFolder, scope: Option<Scope>, control: RunControl<'_>) -> anyhow::Result<Option<Answer>> {
        let (question, stop) = (self.question(), control.stop);
        let actions = Actions::new(&question.game);
        let mut learners = vec![];
        for (name, config, seed) in self.learners() {
            let mut learner = Learner::open(run, &question, name, (config, seed))?;
            let state = learner.play(run, &question, &actions, stop)?;
            learners.push((learner, state));
        }
        if scope.is_none() {
            return Ok(None);
        }
        let bar = ProgressBar::new("exact responses", "hands");
        let folder = run.file(FOLDER).join(EXACT);
        let solving = Solving { bar: &bar, stop };
        let (history, state) = rounds(&question, &actions, &folder, None, &solving, &mut |_| Ok(None))?;
        drop(bar);
        let certificate = certify(&question, &actions, &state, stop)?;
        let exact = Played { name: "exact responses".to_owned(), certificate, values: history.values, learning: None };
        let mut findings = SelfPlayFindings { experiment: self, exact, learners: vec![] };
        for (learner, state) in learners {
            let certificate = certify(&question, &actions, &state, stop)?;
            findings.learners.push(learner.played(run, certificate)?);
        }
        save_rows(run, "rounds.csv", &findings.rows())?;
        Ok(Some(findings.answer()))
    }
}

/// Computes the exact best responses to both averages.
fn certify(
    question: &Question,
    actions: &Actions,
    state: &SolverState,
    stop: &AtomicBool,
) -> anyhow::Result<Certificate> {
    let [player, banker] = averages(actions, state)?;
    let Question { game, bank, .. } = question;
    let certify = |run: &Run<'_>| Certificate::compute(game, actions, *bank, [&player, &banker], run);
    Ok(with_progress("best responses", stop, certify)?)
}
