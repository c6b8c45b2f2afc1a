//! Implementation of `houseway train`, `houseway bench` and the main job. All of them run a study from a configuration.

use super::device::DeviceOptions;
use crate::STUDY_KINDS;
use crate::study::{DEFAULT_CONFIG, Goal, Job};
use clap::Args;
use houseway_exact::solver::Scope;
use houseway_lab::console::{CommandResult, Exact, ForceOptions, OutputOptions, ThreadOptions};
use houseway_learned::device::TrainingDevice;
use std::path::PathBuf;

/// The options of a study.
#[derive(Args)]
struct StudyOptions {
    /// The configuration, either a file like those in experiments/configs or "quick" for the game's bundled one
    #[arg(default_value = DEFAULT_CONFIG)]
    config: String,
    /// The game, if the configuration doesn't name one [default: pai-gow-poker]
    #[arg(short, long, value_name = "NAME")]
    game: Option<String>,
    /// The run's folder [default: results/NAME, using the configuration's name]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Train the agents of an experiment, or resume an interrupted run
#[derive(Args)]
pub(super) struct TrainArgs {
    #[command(flatten)]
    options: StudyOptions,
}

/// Train any missing agents, evaluate all agents, and write the plots and the report
///
/// If the configuration contains `exploitability = true`, this also computes the exact best responses to each agent, as
/// the player and as the banker. They are available for Pai Gow Poker and take about a minute per agent on one core.
#[derive(Args)]
pub(super) struct BenchArgs {
    #[command(flatten)]
    options: StudyOptions,
    /// Evaluate on all hands or on the configured sample [default: whole, if the game has a solver]
    #[arg(long, value_enum)]
    exact: Option<Exact>,
}

impl TrainArgs {
    pub(super) fn run(self) -> CommandResult {
        self.options.run(Goal::Train)
    }
}

impl BenchArgs {
    pub(super) fn run(self) -> CommandResult {
        self.options.run(Goal::Bench(self.exact.map(Scope::from)))
    }
}

/// Runs the main job, the bundled study of the first game in the registry.
pub(super) fn main_job() -> CommandResult {
    let options = StudyOptions {
        config: DEFAULT_CONFIG.to_owned(),
        game: None,
        out: None,
        force: ForceOptions { force: false },
        device: DeviceOptions { device: TrainingDevice::Cpu },
        threads: ThreadOptions { threads: None },
        output: OutputOptions { json: false },
    };
    options.run(Goal::Bench(None))
}

impl StudyOptions {
    fn run(self, goal: Goal) -> CommandResult {
        self.threads.start()?;
        self.device.start()?;
        let (force, json) = (self.force.force, self.output.json);
        let job = Job { config: self.config, game: self.game, out: self.out, force, json, goal };
        match STUDY_KINDS.iter().find(|kind| job.is_of(kind)) {
            Some(kind) => (kind.run)(&job),
            None => job.run(),
        }
    }
}
