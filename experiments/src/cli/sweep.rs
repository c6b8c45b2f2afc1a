//! Implementation of `houseway sweep`.

use super::device::DeviceOptions;
use crate::sweep::{RunShard, SweepJob};
use clap::Args;
use houseway_exact::solver::Scope;
use houseway_lab::console::{CommandResult, Exact, ForceOptions, OutputOptions, ThreadOptions, parse_threads};
use std::num::NonZeroUsize;
use std::path::PathBuf;

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
