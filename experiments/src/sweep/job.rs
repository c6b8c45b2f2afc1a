//! A sweep run as a command: the runs that are missing, the threads that train them, and the collection of results.

use super::config::SweepConfig;
use super::plan::{Plan, SweepRun};
use super::report::answer;
use super::results::{Summary, collect, write_rows};
use crate::metrics::SharedProgress;
use crate::study::{
    DIVERGED, DeviceOptions, Diverged, RunControl, Study, StudyEvaluator, check_size, has_diverged, has_scope, save,
};
use anyhow::Context;
use clap::Args;
use houseway_exact::pai_gow::whole::Shard;
use houseway_exact::solver::{Control, Scope, SolverError};
use houseway_lab::analysis::pai_gow::runner::unless_stopped;
use houseway_lab::console::{CommandResult, Failure, ForceOptions, OutputOptions, finish, parse_threads, scopes};
use houseway_lab::run::{
    Destination, RESULTS, RUNS, RunFolder, RunSpec, RunState, StartError, notice, remove, stop_flag_with, total_memory,
    write_atomic,
};
use serde_json::json;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

const POINTS: &str = "points";

const STOPPING: &str = "stopping after these steps; run the same command to resume (press again to stop immediately)";

/// Train and evaluate an experiment with many configurations and seeds, in parallel
///
/// The configuration names an experiment, the keys to change with their values or ranges, and the seeds, as in
/// experiments/configs/sweep.toml. Every combination of a point and a seed is a run of its own in the folder
/// points/NAME. Finished runs are kept and interrupted ones are resumed. To use several machines, start one shard on
/// each, put their folders together, and run the command without --shard to collect the results.
///
/// The results are in sweep.csv and sweep.parquet, in long form: one row per point, agent and seed, with a column for
/// each key and metric.
#[derive(Args)]
pub struct SweepJob {
    /// The configuration of the sweep
    config: PathBuf,
    /// Evaluate on all hands or on the configured sample [default: whole, if the game has a solver]
    #[arg(long, value_parser = scopes())]
    exact: Option<Scope>,
    /// The number of runs to train at the same time [default: the number of threads]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    jobs: Option<NonZeroUsize>,
    /// Only train every n-th run, starting with run i, and don't collect results; i is from 1 to n
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// The sweep's folder [default: runs/NAME, using the configuration's name]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    output: OutputOptions,
}

struct Progress {
    missing: Vec<usize>,
    diverged: usize,
}

impl SweepJob {
    /// Trains the runs that aren't finished. If all runs are finished then, collects their results.
    pub fn run(&self) -> CommandResult {
        self.device.start()?;
        let invalid = |error: anyhow::Error| Failure::usage(format!("{error:#}"));
        let config = SweepConfig::read(&self.config).map_err(invalid)?;
        let named = |error: anyhow::Error| invalid(error.context(self.config.display().to_string()));
        let plan = Plan::new(config, self.exact).map_err(named)?;
        let spec = plan.spec()?;
        // The folder is marked as a sweep's, so that it isn't taken for a foreign one when the results are collected.
        let folder = self.start(&plan, &spec)?;
        let points = folder.path().join(POINTS);
        drop(folder);
        let mine = self.shard_of(&plan);
        let before = self.progress(&plan, &mine, &points)?;
        self.train(&plan, &before.missing, &points)?;
        let after = self.progress(&plan, &mine, &points)?;
        if let Some(shard) = self.shard {
            return self.answer_shard(shard, &mine, &after);
        }
        if !after.missing.is_empty() {
            return Err(Failure::work(format!(
                "{} of {} runs are in use by other processes; run the same command to collect the results when they are \
                 finished",
                after.missing.len(),
                mine.len()
            )));
        }
        self.collect(&plan, &spec, &points)
    }

    /// Starts working in the sweep's folder. It should only be used briefly, because other shards may wait for it.
    fn start(&self, plan: &Plan, spec: &RunSpec) -> CommandResult<RunFolder> {
        let default = Path::new(RUNS).join(&plan.config.name);
        let path = self.out.as_deref().unwrap_or(&default);
        let strings = plan.runs[0].experiment.strings().into_iter().map(PathBuf::from);
        let inputs: Vec<PathBuf> =
            [self.config.clone()].into_iter().chain(plan.config.base_file.clone()).chain(strings).collect();
        // The runs of an unfinished sweep are kept if its configuration changes, so no work is lost.
        let continues = |_: &Path| Ok(());
        let to =
            Destination { continues: &continues, waits: true, ..Destination::new(path, &inputs, self.force.force) };
        Ok(RunFolder::start(spec, &to)?)
    }

    fn shard_of(&self, plan: &Plan) -> Vec<usize> {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        (0..plan.runs.len()).skip(shard.index()).step_by(shard.count()).collect()
    }

    fn progress(&self, plan: &Plan, runs: &[usize], points: &Path) -> CommandResult<Progress> {
        let mut progress = Progress { missing: vec![], diverged: 0 };
        for &run in runs {
            let folder = points.join(&plan.runs[run].name);
            match state_of(plan, &plan.runs[run], points)? {
                RunState::Finished => {}
                RunState::Unfinished if has_diverged(&folder) => progress.diverged += 1,
                RunState::Other if !self.force.force => {
                    return Err(Failure::usage(format!(
                        "{} contains a run with another configuration; choose another folder with --out or replace it \
                         with --force",
                        folder.display()
                    )));
                }
                RunState::Absent | RunState::Unfinished | RunState::Other => progress.missing.push(run),
            }
        }
        Ok(progress)
    }

    /// Trains runs, given by their indices. Runs that another process is working on are skipped.
    fn train(&self, plan: &Plan, runs: &[usize], folder: &Path) -> CommandResult {
        if runs.is_empty() {
            return Ok(());
        }
        let jobs = self.jobs.map_or_else(rayon::current_num_threads, NonZeroUsize::get).min(runs.len());
        let invalid = |error: String| Failure::usage(format!("{}: {error}", self.config.display()));
        if let Some(estimate) = check_size(&plan.trainings(runs), 1, jobs, total_memory()).map_err(invalid)? {
            notice(&estimate.replace("this study", "this sweep"));
        }
        let worker = Worker {
            plan,
            runs,
            folder,
            force: self.force.force,
            stop: &*stop_flag_with(STOPPING)?,
            evaluators: plan.bases.iter().map(|_| Mutex::new(None)).collect(),
            progress: SharedProgress::new(&format!("0 of {} runs", runs.len()), plan.steps(runs)),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            failed: Mutex::new(None),
        };
        worker.work_on(jobs).map_err(anyhow::Error::from)?;
        if let Some(error) = worker.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        if worker.stop.load(Ordering::SeqCst) {
            let text = "stopped; run the same command to resume from the last step of each run, saved in";
            return Err(Failure::work(format!("{text} {}", folder.display())));
        }
        Ok(())
    }

    fn answer_shard(&self, shard: Shard, runs: &[usize], progress: &Progress) -> CommandResult {
        let Progress { missing, diverged } = progress;
        let finished = runs.len() - missing.len() - diverged;
        let json = json!({
            "shard": shard.to_string(),
            "runs": runs.len(),
            "finished": finished,
            "diverged": diverged,
            "in_use": missing.len(),
        });
        let config = self.config.display();
        let text = format!(
            "shard {shard}: {finished} of {} runs are finished and {diverged} diverged; when all\nshards are finished, run \
             houseway sweep {config} to collect the results\n",
            runs.len()
        );
        self.output.print(&json, &text)
    }

    fn collect(&self, plan: &Plan, spec: &RunSpec, points: &Path) -> CommandResult {
        let summary = Summary::new(plan, collect(plan, points)?);
        let folder = self.start(plan, spec)?;
        write_rows(plan, &summary.rows, &folder)?;
        let answer = answer(&summary);
        folder.write_json(RESULTS, &answer.json)?;
        finish(folder, answer, &self.output, |folder| {
            let [report, csv, parquet] =
                ["report.md", "sweep.csv", "sweep.parquet"].map(|name| folder.file(name).display().to_string());
            format!("report:  {report}\nresults: {csv}\n         {parquet}")
        })
    }
}

/// Returns the state of a run in a folder with runs. Results for other hands count as those of another run.
pub fn state_of(plan: &Plan, run: &SweepRun, folder: &Path) -> io::Result<RunState> {
    let folder = folder.join(&run.name);
    Ok(match RunFolder::state(&folder, &run.spec)? {
        RunState::Finished if !has_scope(&folder, plan.scope) => RunState::Other,
        state => state,
    })
}

struct Worker<'a> {
    plan: &'a Plan,
    runs: &'a [usize],
    folder: &'a Path,
    force: bool,
    stop: &'a AtomicBool,
    /// The evaluator of each base, once a run has needed it.
    evaluators: Vec<Mutex<Option<Arc<StudyEvaluator<'a>>>>>,
    progress: SharedProgress,
    /// The number of runs that a thread has started with.
    next: AtomicUsize,
    done: AtomicUsize,
    failed: Mutex<Option<anyhow::Error>>,
}

impl<'a> Worker<'a> {
    fn work_on(&self, jobs: usize) -> Result<(), rayon::ThreadPoolBuildError> {
        if jobs == 1 {
            self.work();
            return Ok(());
        }
        // Several small runs are faster on one thread each than on all threads together.
        let threads = (rayon::current_num_threads() / jobs).max(1);
        let pools = (0..jobs).map(|_| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        let pools = pools.collect::<Result<Vec<_>, _>>()?;
        std::thread::scope(|scope| {
            for pool in &pools {
                scope.spawn(|| pool.install(|| self.work()));
            }
        });
        Ok(())
    }

    fn work(&self) {
        while let Some(&run) = self.runs.get(self.next.fetch_add(1, Ordering::Relaxed))
            && !self.stop.load(Ordering::SeqCst)
        {
            let run = &self.plan.runs[run];
            match unless_stopped(self.train(run).with_context(|| run.name.clone())) {
                Ok(None) => {}
                Ok(Some(ending)) => self.report(run, ending),
                Err(error) => {
                    self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    self.stop.store(true, Ordering::SeqCst);
                }
            }
        }
    }

    /// Reports the end of a run, on the progress bar or as a line if standard error isn't a terminal.
    fn report(&self, run: &SweepRun, ending: &str) {
        let (done, total) = (self.done.fetch_add(1, Ordering::SeqCst) + 1, self.runs.len());
        self.progress.bar.label(&format!("{done} of {total} runs"));
        if !io::stderr().is_terminal() {
            notice(&format!("run {done} of {total}: {} {ending}", run.name));
        }
    }

    fn train(&self, run: &SweepRun) -> anyhow::Result<&'static str> {
        let path = self.folder.join(&run.name);
        let to = Destination { repeats: &|_| false, ..Destination::new(&path, &[], self.force) };
        let folder = match RunFolder::start(&run.spec, &to) {
            Ok(folder) => folder,
            Err(StartError::Io(error)) if error.kind() == io::ErrorKind::ResourceBusy => {
                return Ok("in use by another process");
            }
            // Another process has finished the run in the meantime.
            Err(_) if state_of(self.plan, run, self.folder)? == RunState::Finished => return Ok("finished"),
            Err(error) => return Err(error.into()),
        };
        let diverged = folder.file(DIVERGED);
        remove(&diverged)?;
        let study = Study::with_base(&self.plan.bases[run.base], run.experiment.clone())?;
        let control = RunControl { stop: self.stop, shared: Some(&self.progress) };
        match study.run_with(&*self.evaluator(run)?, &folder, Some(self.plan.scope), control) {
            Ok(answer) => {
                answer.map_or(Ok(()), |answer| save(&folder, &answer))?;
                folder.finish()?;
                Ok("finished")
            }
            Err(error) if error.is::<Diverged>() => {
                write_atomic(&diverged, format!("{error}\n"))?;
                folder.publish()?;
                Ok("diverged")
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the evaluator of a run. Runs with the same base share it.
    fn evaluator(&self, run: &SweepRun) -> Result<Arc<StudyEvaluator<'a>>, SolverError> {
        let mut shared = self.evaluators[run.base].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(evaluator) = &*shared {
            return Ok(Arc::clone(evaluator));
        }
        let control = Control { progress: None, cancel: Some(self.stop) };
        let evaluator = Arc::new(self.plan.bases[run.base].evaluator(&run.experiment, &control)?);
        *shared = Some(Arc::clone(&evaluator));
        Ok(evaluator)
    }
}
