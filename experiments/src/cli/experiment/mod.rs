//! `houseway train` and `houseway bench`, and the main job: experiments from a configuration.

mod banking;
mod ultimate_holdem;

use super::ways::compile;
use super::{Failure, Offer, OrUsage, Outcome, OutputOptions, ThreadOptions, offers, print, print_json};
use crate::bench::{Exact, Experiment, Lab, QUICK, RESULTS};
use crate::run::{Provenance, RunFolder, Started, config_text, load_config, stop_flag};
use clap::Args;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Options of an experiment.
#[derive(Args)]
struct ExperimentOptions {
    /// The configuration: a file like experiments/configs/quick.toml, or "quick" for that one
    config: String,
    /// The run's folder; results/NAME by default, NAME as the configuration says
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The game of the configuration
    #[arg(short, long, value_name = "NAME", default_value = PAI_GOW)]
    game: String,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// What each game does with an experiment.
const TRAIN: &[Offer<Train>] = &[
    Offer { game: PAI_GOW, options: &[], run: Train::pai_gow },
    Offer { game: ultimate_holdem::GAME, options: &[], run: |train| ultimate_holdem::train(&train.options) },
];
const BENCH: &[Offer<Bench>] = &[
    Offer { game: PAI_GOW, options: &[], run: Bench::pai_gow },
    Offer {
        game: ultimate_holdem::GAME,
        options: &[],
        run: |bench| ultimate_holdem::bench(&bench.options, bench.exact),
    },
];

/// The game of an experiment that names none.
const PAI_GOW: &str = "pai-gow-poker";

/// Train the agents of an experiment; cut off, it goes on when started again
#[derive(Args)]
pub(super) struct Train {
    #[command(flatten)]
    options: ExperimentOptions,
}

/// Train what is not trained yet, measure all agents by exact values, draw the plots and write the report
#[derive(Args)]
pub(super) struct Bench {
    #[command(flatten)]
    options: ExperimentOptions,
    /// Measure on all hands or boards of the game, or on the sample of the configuration
    #[arg(long, value_enum, default_value_t)]
    exact: Exact,
}

impl Train {
    pub(super) fn run(self) -> Outcome {
        if self.options.is_banking() {
            return banking::train(&self.options);
        }
        offers::find("train", TRAIN, &self.options.game, &[])?(&self)
    }

    fn pai_gow(&self) -> Outcome {
        let (lab, stop) = self.options.open()?;
        let done = lab.train(&stop)?.is_some();
        let folder = lab.run().path().display();
        if !done {
            return Err(stopped(lab.run().path()));
        }
        if self.options.output.json {
            return print_json(&json!({ "run": lab.run().path(), "trained": true }));
        }
        print(&format!("trained; houseway bench {} --out {folder} measures the agents\n", self.options.config))
    }
}

impl Bench {
    pub(super) fn run(self) -> Outcome {
        if self.options.is_banking() {
            return banking::bench(&self.options);
        }
        offers::find("bench", BENCH, &self.options.game, &[])?(&self)
    }

    fn pai_gow(&self) -> Outcome {
        let (lab, stop) = self.options.open()?;
        bench(&lab, self.exact, &stop, self.options.output.json)
    }
}

/// The main job: the quick experiment into `results/quick`.
pub(super) fn main_job() -> Outcome {
    let options = ExperimentOptions {
        config: "quick".to_owned(),
        game: PAI_GOW.to_owned(),
        out: None,
        threads: ThreadOptions { threads: None },
        output: OutputOptions { json: false },
    };
    let (lab, stop) = options.open()?;
    bench(&lab, Exact::default(), &stop, false)
}

fn stopped(folder: &Path) -> Failure {
    Failure::work(format!("stopped; the same command goes on from the last step, kept in {}", folder.display()))
}

fn bench(lab: &Lab, exact: Exact, stop: &AtomicBool, json: bool) -> Outcome {
    let Some(agents) = lab.train(stop)? else { return Err(stopped(lab.run().path())) };
    let results = lab.score(&agents, exact, stop)?;
    results.save(lab)?;
    if json {
        return print_json(&serde_json::to_value(&results).map_err(Failure::work)?);
    }
    let (report, numbers) = (lab.run().file("report.md"), lab.run().file(RESULTS));
    print(&format!("{}\nreport:  {}\nnumbers: {}\n", results.terminal(), report.display(), numbers.display()))
}

impl ExperimentOptions {
    /// Whether the configuration is of a banking experiment; one that cannot be read is none.
    fn is_banking(&self) -> bool {
        let text = std::fs::read_to_string(&self.config).unwrap_or_default();
        let kind = text.parse::<toml::Table>().ok().and_then(|table| table.get("kind").cloned());
        kind.is_some_and(|kind| kind.as_str() == Some(crate::banking::KIND))
    }

    fn open(&self) -> Outcome<(Lab, Arc<AtomicBool>)> {
        self.threads.start()?;
        let experiment: Experiment = match self.config.as_str() {
            "quick" => toml::from_str(QUICK).or_usage()?,
            path => load_config(Path::new(path)).or_usage()?,
        };
        experiment.check().map_err(|text| Failure::usage(format!("{}: {text}", self.config)))?;
        let game = Game::new(experiment.rules);
        let way = self.way(&experiment, &game)?;
        let config = config_text(&experiment)?;
        let seeds = experiment.seeds.clone();
        let provenance = Provenance::new(&config, seeds, game.rules().hash());
        let default = Path::new("results").join(&experiment.name);
        let (run, started) = RunFolder::start(self.out.as_deref().unwrap_or(&default), provenance, &config)?;
        if started == Started::Resumed {
            eprintln!("going on with the run in {}", run.path().display());
        }
        let stop = stop_flag()?;
        let lab = Lab::open(experiment, run, way, game, &stop)?;
        Ok((lab, stop))
    }

    fn way(&self, experiment: &Experiment, game: &Game) -> Outcome<HouseWay> {
        let mut way = Way::load(&experiment.banker).or_usage()?;
        for (reading, option) in &experiment.way_readings {
            way.choose(reading, option).or_usage()?;
        }
        compile(way, game)
    }
}
