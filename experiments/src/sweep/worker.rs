//! Trains the runs of a sweep in parallel.

use super::plan::{Plan, SweepRun};
use crate::metrics::SharedProgress;
use crate::study::{Diverged, Ending, RunControl, Study, StudyEvaluator};
use anyhow::Context;
use houseway_exact::solver::{Control, SolverError};
use houseway_lab::run::{
    Destination, RESULTS, RunFolder, RunState, StartError, cannot_write, notice, read_inside, write_atomic,
};
use serde_json::{Value, json};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the file that records why a run can't be evaluated.
const DIVERGED: &str = "diverged.txt";

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
