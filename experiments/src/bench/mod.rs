//! Experiments: agents are trained, measured by exact values, plotted and reported.
//!
//! [`Lab::open`] takes a configuration and a run folder; [`Lab::train`] trains every agent that is not trained yet,
//! [`Lab::score`] measures all agents and the baselines, on all hands or on a common sample, and [`Results::save`] writes numbers, plots and
//! report. Everything that is cut off goes on when it is started again.

mod config;
mod figures;
mod sample;
mod score;
mod text;
mod whole;

pub use config::{Experiment, QUICK, SampleConfig};
pub(crate) use figures::learning_curves;
pub use sample::ExactSample;
pub use score::{Mean, Score, ShapeScore};

use crate::analysis::pai_gow::progress::with_progress;
use crate::metrics::training_sinks;
use crate::report::terminal;
use crate::run::{RESULTS, RunFolder, make_folder};
use anyhow::Context;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{BankedGame, Game, RandomLegal, Strategy};
use houseway_exact::pai_gow::whole::{DealCounts, OfStrategy, Optimum, Payoff, Run, Side, Whole};
use houseway_exact::pai_gow::{BankerTable, PowerRating};
use houseway_learned::task::TrainingTask;
use houseway_learned::tasks::pai_gow::{LearnedStrategy, SettingTask};
use houseway_learned::{Agent, train};
use score::regrets;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use whole::Agent as Scored;

/// An experiment ready to run.
pub struct Lab {
    experiment: Experiment,
    run: RunFolder,
    game: Arc<Game>,
    way: Arc<HouseWay>,
    banker: BankerTable,
    sample: ExactSample,
}

/// The trained agents of an experiment, named like "all-action, seed 1".
pub struct Agents(Vec<Box<dyn Agent>>);

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

/// On which hands agents are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Exact {
    /// All of them: nothing is left to chance.
    #[default]
    Whole,
    /// A sample that is dealt once, with exact values.
    Sample,
}

/// What came of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// "whole": agents are measured on all hands; "sample": on a sample of hands with exact values.
    pub scope: String,
    /// How many hands these are.
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

/// A trained agent as a strategy.
fn strategy(agent: &dyn Agent) -> &LearnedStrategy {
    agent.downcast_ref().expect("agents that set hands are strategies")
}

impl Lab {
    /// Makes ready: compiles the banker's house way and counts the sample, or takes it from the cache beside the run's folder.
    ///
    /// # Errors
    /// If the cache cannot be written, or it was asked to stop.
    pub fn open(
        experiment: Experiment,
        run: RunFolder,
        way: HouseWay,
        game: Game,
        stop: &AtomicBool,
    ) -> anyhow::Result<Lab> {
        let banker = BankerTable::new(&way);
        let (game, way) = (Arc::new(game), Arc::new(way));
        let cache = run.path().parent().unwrap_or(Path::new(".")).join(".cache");
        say(&format!("exact values of {} hands against {}", experiment.sample.hands, way.name()));
        let sample = ExactSample::get(experiment.sample, &game, &banker, &way.hash(), &cache, stop)?;
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
        let game = BankedGame::new(Arc::clone(&self.game), Arc::clone(&self.way));
        let task = SettingTask::player(game, self.experiment.among);
        let mut agents = Vec::new();
        for (name, config) in &self.experiment.train {
            for &seed in &self.experiment.seeds {
                let name = format!("{name}, seed {seed}");
                let folder = self.run.training(&name.replace(", ", "-").replace(' ', "-"));
                make_folder(&folder)?;
                let mut sinks = training_sinks(&folder, &name)?;
                let checkpoint = folder.join("checkpoint");
                let mut evaluator = |agent: &dyn Agent| self.sample.measure(strategy(agent));
                let trained = train(config, seed, &task, &mut evaluator, &mut sinks, Some(&checkpoint), stop);
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

    /// Measures the baselines and the agents, the same hands for all.
    ///
    /// # Errors
    /// If it was asked to stop.
    pub fn score(&self, agents: &Agents, exact: Exact, stop: &AtomicBool) -> anyhow::Result<Results> {
        let power = PowerRating::new(&self.game, &self.banker);
        let learned: Vec<&LearnedStrategy> = agents.0.iter().map(|agent| strategy(&**agent)).collect();
        match exact {
            Exact::Whole => self.score_whole(&power, &learned, stop),
            Exact::Sample => self.score_sample(&power, &learned, stop),
        }
    }

    fn score_whole(
        &self,
        power: &PowerRating<'_>,
        learned: &[&LearnedStrategy],
        stop: &AtomicBool,
    ) -> anyhow::Result<Results> {
        say("all hands, exactly");
        let agents: Vec<Scored<'_>> = std::iter::once(Scored::Plain(power))
            .chain(learned.iter().map(|&learned| Scored::Learned(learned)))
            .collect();
        let begun = Instant::now();
        let whole = Whole::new(&self.game, Side::Player, &self.banker);
        let all = with_progress("all hands", stop, |run| whole::score(&whole, &self.banker, &agents, run))?;
        let (seconds, threads) = (begun.elapsed().as_secs_f64(), rayon::current_num_threads());
        let share = 100.0 * all.of_agents.as_secs_f64() / (seconds * threads as f64);
        say(&format!(
            "{seconds:.1} s on {threads} threads, {share:.0}% of it for the agents' settings, the rest to count"
        ));
        let names = std::iter::once(self.way.name()).chain(agents.iter().map(Scored::name)).chain(["optimum"]);
        let tallies = std::iter::once(&all.house_way).chain(&all.agents).chain([&all.optimum]);
        let payoff = Payoff::player(self.game.rules().commission);
        let whole: Vec<WholeEv> =
            names.clone().zip(tallies.clone()).map(|(name, tally)| WholeEv::new(name, &tally.deals, payoff)).collect();
        let optimum = all.optimum.deals.ev(payoff).value();
        let random = RandomLegal::new(&self.game, self.experiment.sample.seed);
        let mut scores = vec![all.of(random.name(), &all.random, optimum)];
        scores.extend(names.zip(tallies).map(|(name, tally)| all.of(name, tally, optimum)));
        Ok(Results { scope: "whole".to_owned(), hands: whole::HANDS as usize, agents: scores, whole })
    }

    fn score_sample(
        &self,
        power: &PowerRating<'_>,
        learned: &[&LearnedStrategy],
        stop: &AtomicBool,
    ) -> anyhow::Result<Results> {
        say("the whole game, exactly");
        let whole = self.whole(power, stop)?;
        let optimum = whole.last().map_or(0.0, |optimum| optimum.ev);
        let house_way = regrets(&self.sample, &*self.way);
        let score = |name: &str, regrets: &[f64]| Score::new(name, &self.sample, optimum, regrets, &house_way);
        let random = RandomLegal::new(&self.game, self.experiment.sample.seed);
        let mut scores = vec![
            score(random.name(), &regrets(&self.sample, &random)),
            score(self.way.name(), &house_way),
            score(power.name(), &regrets(&self.sample, power)),
        ];
        scores.extend(learned.iter().map(|learned| score(Strategy::name(*learned), &regrets(&self.sample, *learned))));
        let hands = self.sample.hands().len();
        scores.push(score("optimum", &vec![0.0; hands]));
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
        Ok(names.iter().zip(totals).map(|(name, total)| WholeEv::new(name, &total, payoff)).collect())
    }
}

impl WholeEv {
    fn new(name: &str, deals: &DealCounts, payoff: Payoff) -> WholeEv {
        WholeEv {
            name: name.to_owned(),
            wins: deals.wins.to_string(),
            losses: deals.losses.to_string(),
            ev: deals.ev(payoff).value(),
        }
    }
}

impl Results {
    /// Whether agents are measured on all hands.
    fn is_whole(&self) -> bool {
        self.scope == "whole"
    }

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
        terminal(&text::comparison(self))
    }
}
