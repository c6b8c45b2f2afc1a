//! Experiments: agents are trained, measured by exact values, plotted and reported.
//!
//! [`Lab::open`] takes a configuration and a run folder; [`Lab::train`] trains every agent that is not trained yet,
//! [`Lab::score`] measures all agents and the baselines on common hands, and [`Results::save`] writes numbers, plots and
//! report. Everything that is cut off goes on when it is started again.

mod config;
mod figures;
mod sample;
mod score;
mod text;

pub use config::{Experiment, QUICK, SampleConfig};
pub use sample::ExactSample;
pub use score::{Mean, Score, ShapeScore};

use crate::metrics::training_sinks;
use crate::run::{RunFolder, make_folder};
use anyhow::Context;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, RandomLegal, Strategy};
use houseway_exact::pai_gow::whole::{OfStrategy, Optimum, Payoff, Run, Side, Whole};
use houseway_exact::pai_gow::{BankerTable, PowerRating};
use houseway_learned::{LearnedStrategy, Table, TrainConfig, Trained, train};
use score::regrets;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Name of the file of results in a run's folder.
pub const RESULTS: &str = "results.json";

/// An experiment ready to run.
pub struct Lab {
    experiment: Experiment,
    run: RunFolder,
    game: Arc<Game>,
    way: Arc<HouseWay>,
    banker: BankerTable,
    sample: ExactSample,
}

/// One trained agent.
struct Agent {
    /// "all-action, seed 1".
    name: String,
    config: TrainConfig,
    trained: Trained,
}

/// The trained agents of an experiment.
pub struct Agents(Vec<Agent>);

/// Exact EV of a strategy over all 8,250,459,031,214,400 deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WholeEv {
    /// Name of the strategy.
    pub name: String,
    /// Deals won.
    pub wins: String,
    /// Deals lost.
    pub losses: String,
    /// EV per unit staked.
    pub ev: f64,
}

/// What came of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// "sample": agents are measured on a sample of hands with exact values.
    pub scope: String,
    /// Hands of the sample.
    pub hands: usize,
    /// All agents, the baselines first, the optimum last.
    pub agents: Vec<Score>,
    /// The strategies that are counted over all deals.
    pub whole: Vec<WholeEv>,
}

/// Says what is being done, on standard error.
fn say(what: &str) {
    eprintln!("{what}");
}

impl Lab {
    /// Makes ready: compiles the banker's house way and counts the sample, or takes it from the cache beside the run's folder.
    ///
    /// # Errors
    /// If the cache cannot be written.
    pub fn open(experiment: Experiment, run: RunFolder, way: HouseWay, game: Game) -> anyhow::Result<Lab> {
        let banker = BankerTable::new(&way);
        let (game, way) = (Arc::new(game), Arc::new(way));
        let cache = run.path().parent().unwrap_or(Path::new(".")).join(".cache");
        say(&format!("exact values of {} hands against {}", experiment.sample.hands, way.name()));
        let sample = ExactSample::get(experiment.sample, &game, &banker, &way.hash(), &cache)?;
        Ok(Lab { experiment, run, game, way, banker, sample })
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
        let table = Table {
            game: Arc::clone(&self.game),
            banker: Arc::clone(&self.way),
            hash: format!("{} {}", self.game.rules().hash(), self.way.hash()),
        };
        let mut agents = Vec::new();
        for (name, config) in &self.experiment.train {
            for &seed in &self.experiment.seeds {
                let name = format!("{name}, seed {seed}");
                let folder = self.run.training(&name.replace(", ", "-").replace(' ', "-"));
                make_folder(&folder)?;
                let mut sinks = training_sinks(&folder, &name)?;
                let checkpoint = folder.join("checkpoint");
                let mut evaluator = &self.sample;
                let trained = train(config, seed, &table, &mut evaluator, &mut sinks, Some(&checkpoint), stop);
                let trained = trained.with_context(|| format!("training {name}"))?;
                if !trained.finished {
                    return Ok(None);
                }
                let strategy = LearnedStrategy::new(&name, &self.game, &trained.network, config.among);
                let metadata = [("config-hash", trained.state.config_hash.as_str())];
                strategy.save_weights(&folder.join("weights.safetensors"), &metadata).map_err(anyhow::Error::msg)?;
                agents.push(Agent { name, config: config.clone(), trained });
            }
        }
        Ok(Some(Agents(agents)))
    }

    /// Measures the baselines and the agents, the same hands for all.
    ///
    /// # Errors
    /// If it was asked to stop.
    pub fn score(&self, agents: &Agents, stop: &AtomicBool) -> anyhow::Result<Results> {
        say("the whole game, exactly");
        let power = PowerRating::new(&self.game, &self.banker);
        let whole = self.whole(&power, stop)?;
        let optimum = whole.last().map_or(0.0, |optimum| optimum.ev);
        let house_way = regrets(&self.sample, &*self.way);
        let score = |name: &str, regrets: &[f64]| Score::new(name, &self.sample, optimum, regrets, &house_way);
        let random = RandomLegal::new(&self.game, self.experiment.sample.seed);
        let mut scores = vec![
            score(random.name(), &regrets(&self.sample, &random)),
            score(self.way.name(), &house_way),
            score(power.name(), &regrets(&self.sample, &power)),
        ];
        for Agent { name, config, trained } in &agents.0 {
            let strategy = LearnedStrategy::new(name, &self.game, &trained.network, config.among);
            scores.push(score(name, &regrets(&self.sample, &strategy)));
        }
        scores.push(score("optimum", &vec![0.0; self.sample.hands().len()]));
        let hands = self.sample.hands().len();
        Ok(Results { scope: "sample".to_owned(), hands, agents: scores, whole })
    }

    /// House way, power rating and optimum over all deals, the optimum last.
    fn whole(&self, power: &PowerRating<'_>, stop: &AtomicBool) -> anyhow::Result<Vec<WholeEv>> {
        let payoff = Payoff::player(self.game.rules().commission);
        let run = Run { cancel: Some(stop), ..Run::default() };
        let optimum = Optimum(payoff);
        let whole = Whole::new(&self.game, Side::Player, &self.banker);
        let totals = whole.totals(&[&self.banker, &OfStrategy(power), &optimum], &run)?;
        let names = [self.way.name(), power.name(), "optimum"];
        let evs = names.iter().zip(totals).map(|(name, total)| WholeEv {
            name: (*name).to_owned(),
            wins: total.wins.to_string(),
            losses: total.losses.to_string(),
            ev: total.ev(payoff).value(),
        });
        Ok(evs.collect())
    }
}

impl Results {
    /// Writes numbers, plots and report into the run's folder, and the file that says that the run is whole.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn save(&self, lab: &Lab) -> anyhow::Result<()> {
        lab.run.write_json(RESULTS, self)?;
        figures::save(self, &lab.experiment, &lab.run)?;
        text::report(self, &lab.experiment).save(&lab.run)?;
        lab.run.finish()?;
        Ok(())
    }

    /// The comparison for a terminal.
    pub fn terminal(&self) -> String {
        text::comparison(self).terminal()
    }
}
