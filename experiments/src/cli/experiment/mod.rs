//! `houseway train` and `houseway bench`, and the main job: experiments from a configuration.
//!
//! Each game has a line in [`OFFERS`]. One with a fixed list of actions needs a [`Table`](crate::decide::Table) and nothing
//! here but that line: `run: decisions::run::<MyTable>`.

mod banking;
mod decisions;
mod pai_gow;
mod ultimate_holdem;

use crate::bench::Exact;
use crate::cli::offers::{self, Offer};
use crate::console::{Failure, OrUsage, Outcome, OutputOptions, ThreadOptions};
use crate::decide::asian_stud::AsianStudTable;
use crate::decide::joker_seven::JokerSevenTable;
use crate::run::{Provenance, RunFolder, Started, config_text, load_config};
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// What each game answers.
const OFFERS: &[Offer<Job>] = &[
    Offer { game: "pai-gow-poker", options: &["--exact"], run: pai_gow::run },
    Offer { game: TABLE, options: &[], run: banking::run },
    Offer { game: "ultimate-holdem", options: &["--exact"], run: ultimate_holdem::run },
    Offer { game: "joker-seven", options: &[], run: decisions::run::<JokerSevenTable> },
    Offer { game: "asian-stud", options: &[], run: decisions::run::<AsianStudTable> },
];

/// The game of banking experiments.
const TABLE: &str = "pai-gow-table";

/// Name of the configuration that comes with the program.
const QUICK: &str = "quick";

/// Options of an experiment.
#[derive(Args)]
struct ExperimentOptions {
    /// The configuration: a file like experiments/configs/quick.toml, or "quick" for the one that comes with the program
    #[arg(default_value = QUICK)]
    config: String,
    /// The game
    #[arg(short, long, value_name = "NAME", default_value = "pai-gow-poker")]
    game: String,
    /// The run's folder; results/NAME by default, NAME as the configuration says
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

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
    /// Pai Gow Poker and Ultimate Texas Hold'em: measure on all hands or boards, or on the sample of the configuration
    /// [default: whole]
    #[arg(long, value_enum)]
    exact: Option<Exact>,
}

/// What is asked for.
#[derive(Clone, Copy)]
enum Task {
    Train,
    Bench(Exact),
}

/// An experiment of any game.
struct Job {
    options: ExperimentOptions,
    task: Task,
}

impl Train {
    pub(super) fn run(self) -> Outcome {
        let answer = offers::find("train", OFFERS, self.options.game(), &[])?;
        answer(&Job { options: self.options, task: Task::Train })
    }
}

impl Bench {
    pub(super) fn run(self) -> Outcome {
        let answer = offers::find("bench", OFFERS, self.options.game(), &[("--exact", self.exact.is_some())])?;
        answer(&Job { options: self.options, task: Task::Bench(self.exact.unwrap_or_default()) })
    }
}

/// The main job: the quick experiment into `results/quick`.
pub(super) fn main_job() -> Outcome {
    let options = ExperimentOptions {
        config: QUICK.to_owned(),
        game: "pai-gow-poker".to_owned(),
        out: None,
        threads: ThreadOptions { threads: None },
        output: OutputOptions { json: false },
    };
    pai_gow::run(&Job { options, task: Task::Bench(Exact::default()) })
}

impl ExperimentOptions {
    /// The game: a banking experiment says by itself that it is one of the table.
    fn game(&self) -> &str {
        let text = std::fs::read_to_string(&self.config).unwrap_or_default();
        let kind = text.parse::<toml::Table>().ok().and_then(|table| table.get("kind").cloned());
        match kind.is_some_and(|kind| kind.as_str() == Some(crate::analysis::banking::KIND)) {
            true => TABLE,
            false => &self.game,
        }
    }
}

impl Job {
    /// The configuration; `quick` is the one that comes with the program.
    fn config<C: DeserializeOwned>(&self, quick: &str) -> Outcome<C> {
        match self.options.config.as_str() {
            QUICK => toml::from_str(quick).or_usage(),
            path => load_config(Path::new(path)).or_usage(),
        }
    }

    /// What a configuration says is wrong.
    fn wrong(&self, text: impl std::fmt::Display) -> Failure {
        Failure::usage(format!("{}: {text}", self.options.config))
    }

    /// The run's folder, begun or gone on with.
    fn folder(&self, name: &str, config: &impl Serialize, seeds: &[u64], rules_hash: String) -> Outcome<RunFolder> {
        let config = config_text(config)?;
        let provenance = Provenance::new(&config, seeds.to_vec(), rules_hash);
        let default = Path::new("results").join(name);
        let out = self.options.out.as_deref().unwrap_or(&default);
        let (run, started) = RunFolder::start(out, provenance, &config)?;
        if started == Started::Resumed {
            eprintln!("going on with the run in {}", run.path().display());
        }
        Ok(run)
    }

    /// What to say when a training is through and nothing more was asked for.
    fn trained(&self, folder: &Path) -> Outcome {
        if self.options.output.json {
            return crate::console::print_json(&serde_json::json!({ "run": folder, "trained": true }));
        }
        let (config, game) = (&self.options.config, self.options.game());
        let game = if game == "pai-gow-poker" { String::new() } else { format!("-g {game} ") };
        crate::console::print(&format!(
            "trained; houseway bench {game}{config} --out {} measures the agents\n",
            folder.display()
        ))
    }
}

/// What to say when it was asked to stop.
fn stopped(folder: &Path) -> Failure {
    Failure::work(format!("stopped; the same command goes on from the last step, kept in {}", folder.display()))
}
