//! A sweep run as a command: the runs that are missing, the threads that train them, and the collection of results.

use super::config::SweepConfig;
use super::plan::{Plan, SweepRun};
use super::report::{Summary, collect, report};
use super::table;
use crate::metrics::SharedProgress;
use crate::study::{Diverged, Ending, RunControl, Study, StudyEvaluator, check_size};
use anyhow::Context;
use houseway_exact::solver::{Control, Scope, SolverError};
use houseway_lab::console::{CommandResult, Failure, print, print_json};
use houseway_lab::run::{
    Destination, RESULTS, RunFolder, RunSpec, RunState, StartError, cannot_write, notice, read_inside, stop_flag_with,
    write_atomic,
};
use serde_json::{Value, json};
use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the folder with the runs in a sweep's folder.
const POINTS: &str = "points";

const STOPPING: &str = "stopping after these steps; run the same command to resume (press again to stop immediately)";
/// The name of the file that records why a run can't be evaluated.
const DIVERGED: &str = "diverged.txt";

/// A part of a sweep's runs. All shards together contain each run once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunShard {
    index: usize,
    of: usize,
}

impl FromStr for RunShard {
    type Err = String;

    fn from_str(text: &str) -> Result<RunShard, String> {
        let parsed = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match parsed {
            Some((index, of)) if (1..=of).contains(&index) => Ok(RunShard { index, of }),
            _ => Err("expected i/n, e.g. 1/8 to 8/8 for eight shards".to_owned()),
        }
    }
}

impl std::fmt::Display for RunShard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A sweep to run.
pub struct SweepJob {
    /// The path to the configuration.
    pub config: PathBuf,
    /// The hands that agents are evaluated on, if they differ from the default.
    pub scope: Option<Scope>,
    /// The number of runs to train at the same time, if it differs from the number of threads.
    pub jobs: Option<NonZeroUsize>,
    /// The runs to train, without collecting any results. `None` for all of them.
    pub shard: Option<RunShard>,
    /// The sweep's folder, if it differs from the default.
    pub out: Option<PathBuf>,
    /// `true` to replace results from a different configuration.
    pub force: bool,
    /// `true` to print the answer as JSON.
    pub json: bool,
}

/// The runs of a sweep by state.
struct Progress {
    missing: Vec<usize>,
    diverged: usize,
}

impl SweepJob {
    /// Trains the runs that aren't finished. If all runs are finished then, collects their results.
    pub fn run(&self) -> CommandResult {
        let invalid = |error: anyhow::Error| Failure::usage(format!("{error:#}"));
        let config = SweepConfig::read(&self.config).map_err(invalid)?;
        let named = |error: anyhow::Error| invalid(error.context(self.config.display().to_string()));
        let plan = Plan::new(config, self.scope).map_err(named)?;
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
        let default = Path::new("results").join(&plan.config.name);
        let path = self.out.as_deref().unwrap_or(&default);
        let strings = plan.runs[0].experiment.strings().into_iter().map(PathBuf::from);
        let inputs: Vec<PathBuf> =
            [self.config.clone()].into_iter().chain(plan.config.base_file.clone()).chain(strings).collect();
        // The runs of an unfinished sweep are kept if its configuration changes, so no work is lost.
        let continues = |_: &Path| Ok(());
        let to = Destination { continues: &continues, waits: true, ..Destination::new(path, &inputs, self.force) };
        Ok(RunFolder::start(spec, &to)?.0)
    }

    /// Returns the indices of the runs in the shard.
    fn shard_of(&self, plan: &Plan) -> Vec<usize> {
        let RunShard { index, of } = self.shard.unwrap_or(RunShard { index: 1, of: 1 });
        (0..plan.runs.len()).skip(index - 1).step_by(of).collect()
    }

    fn progress(&self, plan: &Plan, runs: &[usize], points: &Path) -> CommandResult<Progress> {
        let mut progress = Progress { missing: vec![], diverged: 0 };
        for &run in runs {
            let SweepRun { name, .. } = &plan.runs[run];
            match RunStatus::read(plan, &plan.runs[run], points)? {
                RunStatus::Finished => {}
                RunStatus::Diverged => progress.diverged += 1,
                RunStatus::Missing => progress.missing.push(run),
                RunStatus::Other if self.force => progress.missing.push(run),
                RunStatus::Other => {
                    return Err(Failure::usage(format!(
                        "{} contains a run with another configuration; choose another folder with --out or replace it \
                         with --force",
                        points.join(name).display()
                    )));
                }
            }
        }
        Ok(progress)
    }

    fn train(&self, plan: &Plan, runs: &[usize], points: &Path) -> CommandResult {
        if runs.is_empty() {
            return Ok(());
        }
        let jobs = self.jobs.map_or_else(rayon::current_num_threads, NonZeroUsize::get).min(runs.len());
        let estimate = check_size(&plan.trainings(runs), 1, jobs);
        if let Some(estimate) =
            estimate.map_err(|error| Failure::usage(format!("{}: {error}", self.config.display())))?
        {
            notice(&estimate.replace("this study", "this sweep"));
        }
        let stop = stop_flag_with(STOPPING)?;
        train(plan, runs, &Training { folder: points, jobs, force: self.force, stop: &stop })?;
        if stop.load(Ordering::SeqCst) {
            let text = "stopped; run the same command to resume from the last step of each run, saved in";
            return Err(Failure::work(format!("{text} {}", points.display())));
        }
        Ok(())
    }

    fn answer_shard(&self, shard: RunShard, runs: &[usize], progress: &Progress) -> CommandResult {
        let Progress { missing, diverged } = progress;
        let finished = runs.len() - missing.len() - diverged;
        if self.json {
            return print_json(&json!({
                "shard": shard.to_string(),
                "runs": runs.len(),
                "finished": finished,
                "diverged": diverged,
                "in_use": missing.len(),
            }));
        }
        let config = self.config.display();
        print(&format!(
            "shard {shard}: {finished} of {} runs are finished and {diverged} diverged; when all\nshards are finished, run \
             houseway sweep {config} to collect the results\n",
            runs.len()
        ))
    }

    /// Writes the results of all runs and prints a summary.
    fn collect(&self, plan: &Plan, spec: &RunSpec, points: &Path) -> CommandResult {
        let summary = Summary::new(plan, collect(plan, points)?);
        let folder = self.start(plan, spec)?;
        let json = summary.json();
        table::write(plan, &summary.rows, &folder)?;
        folder.write_json(RESULTS, &json)?;
        report(&summary).save(&folder)?;
        let folder = folder.finish()?;
        if self.json {
            return print_json(&json);
        }
        let [report, csv, parquet] =
            ["report.md", "sweep.csv", "sweep.parquet"].map(|name| folder.file(name).display().to_string());
        print(&format!("{}\nreport:  {report}\nresults: {csv}\n         {parquet}\n", summary.text()))
    }
}

/// The state of a run's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunStatus {
    /// The run isn't finished.
    Missing,
    /// The run has results.
    Finished,
    /// A training run diverged, so there are no results.
    Diverged,
    /// The folder contains something else.
    Other,
}

impl RunStatus {
    /// Returns the state of a run's folder.
    pub(super) fn read(plan: &Plan, run: &SweepRun, folder: &Path) -> io::Result<RunStatus> {
        let folder = folder.join(&run.name);
        Ok(match RunFolder::state(&folder, &run.spec)? {
            RunState::Finished if has_scope(plan, &folder) => RunStatus::Finished,
            RunState::Unfinished if folder.join(DIVERGED).exists() => RunStatus::Diverged,
            RunState::Unfinished | RunState::Absent => RunStatus::Missing,
            RunState::Finished | RunState::Other => RunStatus::Other,
        })
    }
}

/// Returns `true` if the results in a run's folder are for the hands that the sweep evaluates agents on.
fn has_scope(plan: &Plan, folder: &Path) -> bool {
    let text = read_inside(folder, RESULTS).unwrap_or_default();
    serde_json::from_str::<Value>(&text).is_ok_and(|results| results["scope"] == json!(plan.scope))
}

/// The result of working on a run.
enum Outcome {
    Done,
    Diverged,
    /// Another process is working on the run.
    Busy,
    Stopped,
}

/// The options for training.
pub(super) struct Training<'a> {
    /// The folder that contains the run folders.
    pub(super) folder: &'a Path,
    /// The number of runs to train at the same time.
    pub(super) jobs: usize,
    /// `true` to replace results from a different configuration.
    pub(super) force: bool,
    /// A flag that stops training.
    pub(super) stop: &'a AtomicBool,
}

/// Trains runs, given by their indices. Runs that another process is working on are skipped.
pub(super) fn train(plan: &Plan, runs: &[usize], training: &Training<'_>) -> anyhow::Result<()> {
    let worker = Worker {
        plan,
        runs,
        training,
        evaluators: plan.bases.iter().map(|_| Mutex::new(None)).collect(),
        progress: SharedProgress::new(&format!("0 of {} runs", runs.len()), plan.steps(runs)),
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        failed: Mutex::new(None),
    };
    if training.jobs == 1 {
        worker.work();
    } else {
        // Several small runs are faster on one thread each than on all threads together.
        let threads = (rayon::current_num_threads() / training.jobs).max(1);
        let pools = (0..training.jobs).map(|_| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        let pools = pools.collect::<Result<Vec<_>, _>>()?;
        std::thread::scope(|scope| {
            for pool in &pools {
                scope.spawn(|| pool.install(|| worker.work()));
            }
        });
    }
    worker.failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// The state shared by all threads.
struct Worker<'a> {
    plan: &'a Plan,
    runs: &'a [usize],
    training: &'a Training<'a>,
    /// The evaluator of each base, once a run has needed it.
    evaluators: Vec<Mutex<Option<Arc<StudyEvaluator<'a>>>>>,
    progress: SharedProgress,
    /// The number of runs that a thread has started with.
    next: AtomicUsize,
    /// The number of runs that have ended.
    done: AtomicUsize,
    failed: Mutex<Option<anyhow::Error>>,
}

impl<'a> Worker<'a> {
    /// Trains one run after another until none are left.
    fn work(&self) {
        while let Some(&run) = self.runs.get(self.next.fetch_add(1, Ordering::Relaxed))
            && !self.training.stop.load(Ordering::SeqCst)
        {
            let run = &self.plan.runs[run];
            match self.train(run).with_context(|| run.name.clone()) {
                Ok(outcome) => self.report(run, &outcome),
                Err(error) => {
                    self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    self.training.stop.store(true, Ordering::SeqCst);
                }
            }
        }
    }

    /// Reports the end of a run, on the progress bar or as a line if standard error isn't a terminal.
    fn report(&self, run: &SweepRun, outcome: &Outcome) {
        let what = match outcome {
            Outcome::Done => "finished",
            Outcome::Diverged => "diverged",
            Outcome::Busy => "in use by another process",
            Outcome::Stopped => return,
        };
        let (done, total) = (self.done.fetch_add(1, Ordering::SeqCst) + 1, self.runs.len());
        self.progress.label(&format!("{done} of {total} runs"));
        if !io::stderr().is_terminal() {
            notice(&format!("run {done} of {total}: {} {what}", run.name));
        }
    }

    fn train(&self, run: &SweepRun) -> anyhow::Result<Outcome> {
        let Training { folder, force, stop, .. } = *self.training;
        let path = folder.join(&run.name);
        let to = Destination { repeats: &|_| false, ..Destination::new(&path, &[], force) };
        let folder = match RunFolder::start(&run.spec, &to) {
            Ok((folder, _)) => folder,
            Err(StartError::Io(error)) if error.kind() == io::ErrorKind::ResourceBusy => return Ok(Outcome::Busy),
            // Another process has finished the run in the meantime.
            Err(_) if RunStatus::read(self.plan, run, folder)? == RunStatus::Finished => return Ok(Outcome::Done),
            Err(error) => return Err(error.into()),
        };
        let diverged = folder.file(DIVERGED);
        if diverged.exists() {
            fs::remove_file(&diverged).map_err(|error| cannot_write(&diverged, error))?;
        }
        let study = Study::with_base(&self.plan.bases[run.base], run.experiment.clone())?;
        let control = RunControl { stop, shared: Some(&self.progress) };
        let evaluator = match self.evaluator(run) {
            Err(SolverError::Cancelled) => return Ok(Outcome::Stopped),
            evaluator => evaluator?,
        };
        match study.run_with(&evaluator, &folder, Some(self.plan.scope), control) {
            Ok(Ending::Stopped) => Ok(Outcome::Stopped),
            Ok(Ending::Trained | Ending::Evaluated(_)) => {
                folder.finish()?;
                Ok(Outcome::Done)
            }
            Err(error) if error.is::<Diverged>() => {
                write_atomic(&diverged, format!("{error}\n"))?;
                folder.publish()?;
                Ok(Outcome::Diverged)
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
        let cache = self.training.folder.join(".cache");
        let control = Control { progress: None, cancel: Some(self.training.stop) };
        let evaluator = Arc::new(self.plan.bases[run.base].evaluator(&run.experiment, cache, &control)?);
        *shared = Some(Arc::clone(&evaluator));
        Ok(evaluator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_numbered_from_one() {
        assert_eq!("2/8".parse(), Ok(RunShard { index: 2, of: 8 }));
        assert_eq!("8/8".parse::<RunShard>().unwrap().to_string(), "8/8");
        for text in ["0/8", "9/8", "1/0", "1", "a/b", "1/2/3", ""] {
            assert!(text.parse::<RunShard>().unwrap_err().contains("expected i/n"), "{text}");
        }
    }
}
