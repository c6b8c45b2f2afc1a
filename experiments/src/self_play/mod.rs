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
#[cfg(test)]
mod tests;

use crate::study::{JobStudy, Opened, RunControl, StudyKind};
use anyhow::{anyhow, bail};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::registry;
use houseway_exact::answer::{Answer, Axis, Figure, LineChart, Section, Series, TextTable};
use houseway_exact::equilibrium::{Algorithm, Method, PairEvs, SolverState};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::equilibrium::{Actions, Certificate};
use houseway_exact::pai_gow::matchup::BankedBy;
use houseway_exact::pai_gow::whole::{Run, Side};
use houseway_exact::solver::Scope;
use houseway_lab::analysis::pai_gow::equilibrium::{
    FOLDER, Question, Solving, averages, exact_keys, rounds, save_rows,
};
use houseway_lab::analysis::pai_gow::runner::with_progress;
use houseway_lab::run::{
    ProgressBar, RunFolder, RunKind, RunSpec, agent_name, check_names, check_seeds, parse_config, spec,
};
use houseway_learned::TrainConfig;
use houseway_learned::task::Feedback;
use houseway_learned::tasks::pai_gow;
use learner::Learner;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

pub const STUDY: StudyKind = StudyKind { name: KIND, game: None, open };

const GAME: &str = "pai-gow-poker";
/// The folder for the rounds with exact responses.
const EXACT: &str = "exact";
/// The `kind` key's value in these configurations.
const KIND: &str = "self-play";
const MAX_ROUNDS: u32 = 1_000;

const INTRODUCTION: &str = "A network for the player and one for the banker, which is the house, learn to play against each \
                            other. In each round, both are trained further against the average of the other side's past \
                            strategies, first the player's and then the banker's, and the strategy that they have learned \
                            enters their own side's average (fictitious play, with more weight on later rounds). If the \
                            responses were exact, the averages would come arbitrarily close to an equilibrium. Networks \
                            only see dealt hands, and every response loses some EV compared with the best one.";
const EXPLANATION: &str = "Each row is a pair of averages after the last round, with probabilities rounded to multiples of \
                           1/4096. Those of tables/rounds.csv aren't rounded, and the responses to them only see \
                           profiles. All numbers are exact, over all deals. The \
                           lower bound is the player's EV if the banker plays the best response to the player's average, \
                           and the upper bound is the EV of the player's best response to the banker's average. Best \
                           responses consider every suit. The *bracket* between the bounds contains the value of the game. \
                           It is also the sum of what both averages lose to best responses, compared with playing each \
                           other.";

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
        Ok(RunSpec { seeds: self.seeds.clone(), ..spec(RunKind::Study, self, self.rules.hash())? })
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

fn certify(
    question: &Question,
    actions: &Actions,
    state: &SolverState,
    stop: &AtomicBool,
) -> anyhow::Result<Certificate> {
    let [player, banker] = averages(actions, state)?;
    let Question { game, bank, .. } = question;
    let certify = |run: &Run<'_>| Certificate::compute(game, actions, *bank, [&player, &banker], run);
    let (certificate, _) = with_progress("best responses", stop, certify)?;
    Ok(certificate)
}

pub struct Played {
    pub name: String,
    pub certificate: Certificate,
    /// The EVs after each round, for best responses that only see profiles.
    pub values: Vec<PairEvs>,
    /// The learned responses. `None` if all responses were exact.
    pub learning: Option<Learning>,
}

pub struct Learning {
    pub seed: u64,
    pub feedback: Feedback,
    /// The number of hands dealt to both sides.
    pub hands: u64,
    /// The EV lost by the player's and the banker's response in each round, compared with best responses.
    pub regrets: Vec<[f64; 2]>,
}

pub struct SelfPlayFindings<'a> {
    pub experiment: &'a SelfPlayExperiment,
    pub exact: Played,
    pub learners: Vec<Played>,
}

impl Played {
    pub fn widths(&self) -> Vec<f64> {
        self.values.iter().map(|values| values.bounds().width()).collect()
    }

    fn json(&self) -> Value {
        let mut keys = Map::from_iter([("name".to_owned(), json!(self.name))]);
        if let Some(Learning { seed, feedback, hands, .. }) = &self.learning {
            let learned = [("seed", json!(seed)), ("feedback", json!(feedback.name())), ("hands", json!(hands))];
            keys.extend(learned.map(|(key, value)| (key.to_owned(), value)));
        }
        keys.extend(exact_keys(&self.certificate, BankedBy::House));
        let round = |(i, values): (usize, &PairEvs)| {
            let mut round = json!(values.bounds());
            if let Some([player, banker]) = self.regret(i) {
                (round["player_regret"], round["banker_regret"]) = (json!(player), json!(banker));
            }
            round
        };
        keys.insert("by_round".to_owned(), self.values.iter().enumerate().map(round).collect());
        Value::Object(keys)
    }

    fn regret(&self, round: usize) -> Option<[f64; 2]> {
        self.learning.as_ref().and_then(|learning| learning.regrets.get(round).copied())
    }
}

impl SelfPlayFindings<'_> {
    /// Returns the results in the format of `houseway bench --json`. Each agent is a pair of averages. Its keys are
    /// those of `houseway equilibrium --json`, and it has the response's exact regret in every round.
    pub fn json(&self) -> Value {
        json!({
            "scope": "whole",
            "kind": self.experiment.kind,
            "rules_hash": self.experiment.rules.hash(),
            "rounds": self.experiment.rounds,
            "agents": self.all().map(Played::json).collect::<Vec<_>>(),
        })
    }

    /// Iterates over the learners and the exact responses, which come last.
    pub fn all(&self) -> impl Iterator<Item = &Played> + Clone {
        self.learners.iter().chain([&self.exact])
    }

    pub fn verdict(&self) -> String {
        let bounds = self.all().map(|played| played.certificate.evs.bounds());
        let lower = bounds.clone().map(|bounds| bounds.lower).max().expect("there are exact responses");
        let upper = bounds.map(|bounds| bounds.upper).min().expect("there are exact responses");
        let width = |played: &Played| played.certificate.evs.bounds().width();
        let best = self.learners.iter().min_by_key(|played| width(played));
        let learned = best.map_or_else(String::new, |best| {
            format!(
                "After {} {}, the best pair of networks' averages ({}) leaves a bracket of {:.2e} stakes around the \
                 value of the game. Exact responses reach {:.2e}. ",
                self.experiment.rounds,
                if self.experiment.rounds == 1 { "round" } else { "rounds" },
                best.name,
                width(best).value(),
                width(&self.exact).value(),
            )
        });
        format!(
            "{learned}All averages together show that the player's EV in an equilibrium is between {} and {} of the stake.",
            percent(lower.value(), 5),
            percent(upper.value(), 5),
        )
    }

    pub fn table(&self) -> TextTable {
        let header = ["agents", "hands", "lower bound", "upper bound", "bracket", "player loses", "banker loses"];
        self.all().fold(TextTable::new(header).right_from(1), |table, played| {
            let (certificate, bounds) = (&played.certificate, played.certificate.evs.bounds());
            table.row([
                played.name.clone(),
                played.learning.as_ref().map_or_else(String::new, |learning| grouped(learning.hands)),
                percent(bounds.lower.value(), 4),
                percent(bounds.upper.value(), 4),
                percent(bounds.width().value(), 4),
                // The other side's gain is what a side loses.
                percent(certificate.evs.gain(Side::Banker).value(), 4),
                percent(certificate.evs.gain(Side::Player).value(), 4),
            ])
        })
    }

    pub fn rows(&self) -> Vec<Vec<String>> {
        let header = ["agents", "round", "profile_lower", "profile_upper", "width", "player_regret", "banker_regret"];
        let row = |played: &Played, round: usize| {
            let bounds = played.values[round].bounds();
            let numbers = [bounds.lower, bounds.upper, bounds.width()].into_iter();
            let regrets = played.regret(round).unwrap_or([0.0; 2]);
            let numbers = numbers.chain(regrets).map(|number| number.to_string());
            [played.name.clone(), (round + 1).to_string()].into_iter().chain(numbers).collect::<Vec<String>>()
        };
        let rows = self.all().flat_map(|played| (0..played.values.len()).map(move |round| row(played, round)));
        [header.map(str::to_owned).to_vec()].into_iter().chain(rows).collect()
    }

    /// Returns the results. In the terminal, they are a summary and a table.
    pub fn answer(&self) -> Answer {
        let mut figures = Section::default().detail().text(format!("{EXPLANATION}{}", self.feedback()));
        figures = figures.figure(self.brackets());
        if !self.learners.is_empty() {
            figures = figures.figure(self.regrets());
        }
        let again = match self.experiment.rounds {
            ..=2 => "",
            _ => {
                " The averages start again after the second round, to remove the arbitrary initial strategies from them."
            }
        };
        let sections = [
            Section::default().detail().text(INTRODUCTION),
            Section::default().text(format!("**{}**", self.verdict())).table(self.table()),
            figures.text(format!(
                "Strategies look at a hand's *profile*, which consists of its ranks and the suit of any flush that it \
                 contains. In the figures, best responses do too. The numbers are in \
                 [tables/rounds.csv](tables/rounds.csv).{again}",
            )),
        ];
        Answer::new(self.json(), sections).titled(format!("Experiment {}", self.experiment.name))
    }

    fn feedback(&self) -> String {
        let sentence = |(name, config): (&String, &TrainConfig)| {
            let feedback = config.method.feedback();
            format!(
                " *{name}* trains for {} steps per round and side. Its feedback is *{}*: {}.",
                config.steps,
                feedback.name(),
                feedback.explanation()
            )
        };
        self.experiment.train.iter().map(sentence).collect()
    }

    fn seeds_of(&self, name: &str) -> Vec<&Played> {
        let prefix = format!("{name}, seed ");
        self.learners.iter().filter(|played| played.name.starts_with(&prefix)).collect()
    }

    fn brackets(&self) -> Figure {
        let y = Axis::new("bracket, stakes").log();
        let exact = Series::new(&self.exact.name, points(&self.exact.widths()));
        let chart = LineChart::new(Axis::new("rounds").log(), y).with(exact);
        let chart = self.experiment.train.keys().fold(chart, |chart, name| {
            let widths: Vec<Vec<f64>> = self.seeds_of(name).into_iter().map(Played::widths).collect();
            chart.with(mean_curve(name, &widths))
        });
        let note = format!(
            "Exact, for best responses that only see profiles; mean of {} seeds, band from the lowest to the highest.",
            self.experiment.seeds.len()
        );
        Figure::new("Bracket around the value of the game, by rounds of fictitious play", chart)
            .note(note)
            .named("bracket-by-rounds", "bracket around the value of the game by the number of rounds")
    }

    fn regrets(&self) -> Figure {
        let y = Axis::new("regret, in % of the stake").percent().log();
        let chart = LineChart::new(Axis::new("round"), y);
        let curves = self.experiment.train.keys().flat_map(|name| [(name, 0, "player"), (name, 1, "banker")]);
        let chart = curves.fold(chart, |chart, (name, side, label)| {
            let regrets = self.seeds_of(name).into_iter().filter_map(|played| played.learning.as_ref());
            let regrets: Vec<Vec<f64>> =
                regrets.map(|learning| learning.regrets.iter().map(|regret| regret[side]).collect()).collect();
            chart.with(mean_curve(&format!("{name}, {label}"), &regrets))
        });
        let note = format!(
            "Exact, against the other side's average in the same round; mean of {} seeds, band from the lowest to the \
             highest.",
            self.experiment.seeds.len()
        );
        Figure::new("EV that the networks lose compared with best responses", chart)
            .note(note)
            .named("regret-by-rounds", "regret of the learned responses by round")
    }
}

fn points(values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(i, &value)| ((i + 1) as f64, value)).collect()
}

/// Returns the mean over several curves of the same length, with a band from the lowest to the highest.
fn mean_curve(name: &str, curves: &[Vec<f64>]) -> Series {
    let rounds = curves.iter().map(Vec::len).min().unwrap_or_default();
    let at = |round: usize| curves.iter().map(move |curve| curve[round]);
    let mean: Vec<f64> = (0..rounds).map(|round| at(round).sum::<f64>() / curves.len() as f64).collect();
    let end = |round: usize, pick: fn(f64, f64) -> f64| at(round).reduce(pick).unwrap_or(f64::NAN);
    let band = (0..rounds).map(|round| (end(round, f64::min), end(round, f64::max))).collect();
    Series::new(name, points(&mean)).band(band)
}
