//! Implementation of `houseway train`, `houseway bench`, `houseway sweep` and the main job, and the training device.

use crate::STUDY_KINDS;
use crate::study::{DEFAULT_CONFIG, Goal, Job};
use crate::sweep::{RunShard, SweepJob};
use clap::Args;
use houseway_exact::solver::Scope;
use houseway_lab::console::{CommandResult, Exact, Failure, ForceOptions, OutputOptions, ThreadOptions, parse_threads};
use houseway_lab::run::set_training_device;
use houseway_learned::device::TrainingDevice;
use std::num::NonZeroUsize;
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

/// The device for training.
#[derive(Args, Clone, Debug)]
pub(super) struct DeviceOptions {
    /// Train on the CPU (cpu) or on the GPU (gpu), which needs a program built with --features gpu
    #[arg(long, value_name = "NAME", default_value = "cpu", value_parser = parse_device)]
    pub(super) device: TrainingDevice,
}

/// Parses the value of the option for a device.
fn parse_device(text: &str) -> Result<TrainingDevice, String> {
    let found = TrainingDevice::ALL.into_iter().find(|device| device.name() == text);
    found.ok_or_else(|| format!("expected {}", TrainingDevice::ALL.map(TrainingDevice::name).join(" or ")))
}

impl DeviceOptions {
    /// Selects the device for this process. Must be called before any training.
    pub(super) fn start(&self) -> CommandResult {
        let name = self.device.name();
        self.device.select().map_err(|error| Failure::usage(format!("--device {name}: {error}")))?;
        if self.device != TrainingDevice::Cpu {
            set_training_device(name);
        }
        Ok(())
    }
}

/// Train and evaluate an experiment with many configurations and seeds, in parallel
///
/// The configuration names an experiment, the keys to change with their values or ranges, and the seeds, as in
/// experiments/configs/sweep.toml. Every combination of a point and a seed is a run of its own in the folder
/// points/NAME. Finished runs are kept and interrupted ones are resumed. To use several machines, start one shard on
/// each, put their folders together, and run the command without --shard to collect the results.
///
/// The results are in sweep.csv and sweep.parquet, in long form: one row per point, agent and seed, with a column for
/// each key and metric.
///
/// JSON: {"name", "game", "scope", "metric": "regret", or "ev" if the optimum is unknown, "points": [{"point", "agent",
/// "set", "rules_hash", "environment_hash", "runs", "missing", "iqm", "ci": [low, high] or null, "optimum": EV or null, "min", "max"}], best
/// first among those with the same rules, opponents and options, "runs": [{"name", "point", "agent", "seed", "set":
/// {KEY: value}, "status", "steps", "deals", "ev", "regret", ...}]}. With --shard: {"shard", "runs", "finished",
/// "diverged", "in_use"}.
#[derive(Args)]
pub(super) struct SweepArgs {
    /// The configuration of the sweep
    config: PathBuf,
    /// Evaluate on all hands or on the configured sample [default: whole, if the game has a solver]
    #[arg(long, value_enum)]
    exact: Option<Exact>,
    /// The number of runs to train at the same time [default: the number of threads]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    jobs: Option<NonZeroUsize>,
    /// Only train every n-th run, starting with run i, and don't collect results; i is from 1 to n
    #[arg(long, value_name = "I/N")]
    shard: Option<RunShard>,
    /// The sweep's folder [default: results/NAME, using the configuration's name]
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

impl SweepArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        self.device.start()?;
        let job = SweepJob {
            config: self.config,
            scope: self.exact.map(Scope::from),
            jobs: self.jobs,
            shard: self.shard,
            out: self.out,
            force: self.force.force,
            json: self.output.json,
        };
        job.run()
    }
}
