//! Experiments on Ultimate Texas Hold'em: agents are trained, scored against the exact optimum, plotted and reported.
//!
//! [`Lab::open`] takes a configuration and a run folder and counts every river once; [`Lab::train`] trains what is not
//! trained yet; [`Lab::score`] measures baselines and agents; [`Results::save`] writes numbers, plots and report.

mod config;
mod player;
mod report;

pub use config::{BoardSample, Experiment, QUICK};
pub use player::Player;

use crate::metrics::training_sinks;
use crate::report::terminal;
use crate::run::{ProgressBar, RESULTS, RunFolder, make_folder};
use anyhow::Context;
use houseway_env::cards::CardSet;
use houseway_env::gym::{Policy, stream};
use houseway_env::rules::RuleSet;
use houseway_env::ultimate_holdem::{Deal, Game, UltimateHoldem};
use houseway_exact::Ratio;
use houseway_exact::ultimate_holdem::{Before, BestRivers, Boards, Optimum, Simple, Strategy, Whole};
use houseway_learned::task::TrainingTask;
use houseway_learned::tasks::ultimate_holdem::HoldemTask;
use houseway_learned::{Agent, Named, train};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Boards by which an agent is measured while it learns; at most as many as the sample has.
const BOARDS_WHILE_LEARNING: usize = 400;

/// An experiment ready to run.
pub struct Lab<'a> {
    experiment: Experiment,
    run: RunFolder,
    game: &'a Arc<Game>,
    rivers: BestRivers<'a>,
    optimum: Before,
    boards: Vec<CardSet>,
}

/// The trained agents of an experiment, named like "all-action, seed 1".
pub struct Agents(Vec<Box<dyn Agent>>);

/// How good one player is. Everything is per ante.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Who plays.
    pub name: String,
    /// The optimum's exact EV less the regret.
    pub ev: f64,
    /// What is lost against the optimum.
    pub regret: f64,
    /// Its 95% interval, from the boards of the sample; none if it is exact.
    pub regret_ci: Option<[f64; 2]>,
    /// The exact part of the regret: what is lost before the flop and on it.
    pub regret_before_river: f64,
    /// Share of deals in which every decision is the optimum's.
    pub agreement: f64,
    /// Share of starting hands, of 1,326, that play before the flop.
    pub plays_at_start: f64,
}

/// What came of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The game.
    pub game: String,
    /// "whole": rivers are measured on all boards; "sample": on a sample of them.
    pub scope: String,
    /// How many boards are looked at.
    pub boards: usize,
    /// The optimum's EV: numerator, denominator.
    pub optimum: [String; 2],
    /// The baselines, the agents, the optimum last.
    pub agents: Vec<Score>,
}

/// The boards of a sample: those of deals from its seed.
fn deal_boards(sample: BoardSample) -> Vec<CardSet> {
    let mut rng = stream(sample.seed.into());
    (0..sample.boards).map(|_| Deal::new(&mut rng).board(5)).collect()
}

fn say(what: &str) {
    eprintln!("{what}");
}

impl<'a> Lab<'a> {
    /// Makes ready: counts every river.
    ///
    /// # Errors
    /// If it was asked to stop.
    pub fn open(
        experiment: Experiment,
        run: RunFolder,
        game: &'a Arc<Game>,
        stop: &AtomicBool,
    ) -> anyhow::Result<Lab<'a>> {
        say("the exact value of every decision");
        let bar = ProgressBar::new("rivers", "boards");
        let rivers = BestRivers::new(Whole::new(game, 0), Some(&|done, all| bar.update(done, all)), Some(stop))?;
        let optimum = rivers.before(&Optimum);
        let boards = deal_boards(experiment.sample);
        Ok(Lab { experiment, run, game, rivers, optimum, boards })
    }

    /// The run's folder.
    pub fn run(&self) -> &RunFolder {
        &self.run
    }

    /// Trains each training with each seed, or goes on where it was cut off. `None` if it was asked to stop before the end.
    ///
    /// # Errors
    /// If a checkpoint or the metrics cannot be read or written.
    pub fn train(&self, stop: &AtomicBool) -> anyhow::Result<Option<Agents>> {
        let task = HoldemTask::new(UltimateHoldem::new(Arc::clone(self.game)))?;
        let mut agents = Vec::new();
        for (name, config) in &self.experiment.train {
            for &seed in &self.experiment.seeds {
                let name = format!("{name}, seed {seed}");
                let folder = self.run.training(&name.replace(", ", "-").replace(' ', "-"));
                make_folder(&folder)?;
                let mut sinks = training_sinks(&folder, &name)?;
                let checkpoint = folder.join("checkpoint");
                let mut evaluate = |agent: &dyn Agent| self.measure(agent);
                let trained = train(config, seed, &task, &mut evaluate, &mut sinks, Some(&checkpoint), stop);
                let trained = trained.with_context(|| format!("training {name}"))?;
                if !trained.finished {
                    return Ok(None);
                }
                let metadata = [("config-hash", trained.state.config_hash.as_str())];
                let weights = folder.join("weights.safetensors");
                trained.networks.save_weights(&weights, &metadata).map_err(anyhow::Error::msg)?;
                agents.push(task.agent(&name, &trained.networks));
            }
        }
        Ok(Some(Agents(agents)))
    }

    /// The regret of an agent that is still learning, on the first boards of the sample.
    fn measure(&self, policy: &dyn Policy) -> Named {
        let few = self.boards.iter().copied().take(BOARDS_WHILE_LEARNING);
        match self.of(policy.name(), &Player::new(policy, self.game), &Boards::sample(few), &AtomicBool::new(false)) {
            Ok(score) => vec![("regret", score.regret), ("regret-before-river", score.regret_before_river)],
            // Nobody raises the flag.
            Err(_) => vec![],
        }
    }

    /// Measures the simple strategy, the agents and the optimum; on all boards, or on the sample.
    ///
    /// # Errors
    /// If it was asked to stop.
    pub fn score(&self, agents: &Agents, all: bool, stop: &AtomicBool) -> anyhow::Result<Results> {
        let boards = if all { Boards::all() } else { Boards::sample(self.boards.iter().copied()) };
        let mut scores = vec![self.of("simple strategy", &Simple::new(self.game), &boards, stop)?];
        for agent in &agents.0 {
            scores.push(self.of(agent.name(), &Player::new(&**agent, self.game), &boards, stop)?);
        }
        scores.push(self.of("optimum", &Optimum, &boards, stop)?);
        let ev = self.optimum.totals.ev;
        Ok(Results {
            game: "ultimate-holdem".to_owned(),
            scope: if all { "whole" } else { "sample" }.to_owned(),
            boards: boards.len(),
            optimum: [ev.numerator().to_string(), ev.denominator().to_string()],
            agents: scores,
        })
    }

    fn of(&self, name: &str, player: &impl Strategy, boards: &Boards, stop: &AtomicBool) -> anyhow::Result<Score> {
        let before = self.rivers.before(player);
        let bar = ProgressBar::new(name, "boards");
        let tell = |done, all| bar.update(done, all);
        let river = self.rivers.river_loss(player, &before, &self.optimum, boards, Some(&tell), Some(stop))?;
        let best = self.optimum.totals.ev;
        let lost_before: Ratio = best - before.totals.ev;
        let regret = lost_before.value() + river.mean.value();
        let played = before.totals.hands.iter().filter(|hand| hand.chosen > 0).map(|hand| hand.combinations).sum();
        Ok(Score {
            name: name.to_owned(),
            ev: best.value() - regret,
            regret,
            regret_ci: (!boards.are_all()).then(|| [-1.0, 1.0].map(|side| regret + side * river.half_width)),
            regret_before_river: lost_before.value(),
            agreement: river.agreement,
            plays_at_start: Ratio::new(played, 1_326).value(),
        })
    }
}

impl Results {
    /// Writes numbers, plots and report into the run's folder, and the file that says that the run is whole.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn save(&self, lab: &Lab<'_>) -> anyhow::Result<()> {
        lab.run.write_json(RESULTS, self)?;
        report::figures(self, &lab.experiment, &lab.run)?;
        report::report(self, &lab.experiment).save(&lab.run)?;
        lab.run.finish()?;
        Ok(())
    }

    /// The comparison for a terminal.
    pub fn terminal(&self) -> String {
        terminal(&report::comparison(self))
    }
}

impl Experiment {
    /// A name for its rules.
    pub fn rules_hash(&self) -> String {
        self.rules.hash()
    }
}
