//! Background jobs for work that takes seconds. The number of running jobs is limited, and jobs are canceled when
//! nobody asks for them anymore.

use super::lock;
use crate::run::spawn;
use houseway_exact::solver::{Control, Progress, SolverError};
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const MAX_RUNNING: usize = 2;
/// The maximum number of jobs to keep, including finished jobs and their results.
const KEPT: usize = 16;
/// The time that a job or a coach keeps computing if nobody asks for it.
pub const PATIENCE: Duration = Duration::from_secs(10);

enum State {
    Running { stage: String, done: u64, total: u64 },
    Done(Value),
    Failed(String),
    Cancelled,
}

struct Job {
    state: Mutex<State>,
    cancel: AtomicBool,
    asked: Mutex<Instant>,
}

#[derive(Default)]
pub struct Jobs {
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
    next: AtomicU64,
}

impl Job {
    fn is_running(&self) -> bool {
        matches!(*lock(&self.state), State::Running { .. })
    }

    fn run(&self, work: impl FnOnce(&Control<'_>) -> Result<Value, SolverError>) {
        let update = |progress: &Progress<'_>| {
            let mut state = lock(&self.state);
            if let State::Running { stage, done, .. } = &*state
                && (stage != progress.stage || *done < progress.done)
            {
                let Progress { stage, done, total, .. } = *progress;
                *state = State::Running { stage: stage.to_owned(), done, total };
            }
        };
        let answer = work(&Control { progress: Some(&update), cancel: Some(&self.cancel) });
        *lock(&self.state) = match answer {
            _ if self.cancel.load(Ordering::Relaxed) => State::Cancelled,
            Ok(value) => State::Done(value),
            Err(error) => State::Failed(error.to_string()),
        };
    }

    fn json(&self, id: u64) -> Value {
        let mut json = match &*lock(&self.state) {
            State::Running { stage, done, total } => {
                json!({ "state": "running", "stage": stage, "done": done, "total": total })
            }
            State::Done(result) => json!({ "state": "done", "result": result }),
            State::Failed(error) => json!({ "state": "failed", "error": error }),
            State::Cancelled => json!({ "state": "cancelled", "error": "the job was canceled" }),
        };
        json["job"] = id.to_string().into();
        json
    }
}

impl Jobs {
    pub fn start(
        &self,
        work: impl FnOnce(&Control<'_>) -> Result<Value, SolverError> + Send + 'static,
    ) -> Result<Value, String> {
        let mut jobs = lock(&self.jobs);
        if jobs.values().filter(|job| job.is_running()).count() >= MAX_RUNNING {
            return Err(format!("{MAX_RUNNING} jobs are already running; cancel one or try again later"));
        }
        while jobs.len() >= KEPT
            && let Some(oldest) = jobs.iter().find(|(_, job)| !job.is_running()).map(|(&id, _)| id)
        {
            jobs.remove(&oldest);
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let job = Arc::new(Job {
            state: Mutex::new(State::Running { stage: String::new(), done: 0, total: 0 }),
            cancel: AtomicBool::new(false),
            asked: Mutex::new(Instant::now()),
        });
        let started = Arc::clone(&job);
        // With threads of its own, a job doesn't hold up the short computations of other requests.
        let threads = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads());
        let threads = threads.build().map_err(|error| format!("cannot start threads: {error}"))?;
        spawn(move || threads.install(|| started.run(work))).map_err(|error| error.to_string())?;
        let description = job.json(id);
        jobs.insert(id, job);
        Ok(description)
    }

    /// Returns the state of a job, or `None` if there is no such job. Asking for a job extends its lifetime.
    pub fn ask(&self, id: &str) -> Option<Value> {
        let id = id.parse().ok()?;
        let job = Arc::clone(lock(&self.jobs).get(&id)?);
        *lock(&job.asked) = Instant::now();
        Some(job.json(id))
    }

    /// Cancels a job and returns its state, or `None` if there is no such job.
    pub fn cancel(&self, id: &str) -> Option<Value> {
        lock(&self.jobs).get(&id.parse().ok()?)?.cancel.store(true, Ordering::Relaxed);
        self.ask(id)
    }

    /// Cancels the jobs that nobody has asked for in a while.
    pub fn cancel_older_than(&self, age: Duration) {
        for job in lock(&self.jobs).values().filter(|job| lock(&job.asked).elapsed() >= age) {
            job.cancel.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Runs until the job is canceled.
    fn endless(control: &Control<'_>) -> Result<Value, SolverError> {
        control.stage("counting", "hands")(3, 10);
        while !control.is_cancelled() {
            thread::sleep(Duration::from_millis(1));
        }
        Err(SolverError::invalid("stopped"))
    }

    /// Waits until a job has reached a state and returns its description.
    fn wait(jobs: &Jobs, id: &str, state: &str) -> Value {
        let begun = Instant::now();
        loop {
            let found = jobs.ask(id).unwrap();
            if found["state"] == state {
                return found;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{found}");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn jobs_are_limited_cancelled_and_kept() {
        let jobs = Jobs::default();
        let id = |job: Result<Value, String>| job.unwrap()["job"].as_str().unwrap().to_owned();
        let ids = [id(jobs.start(endless)), id(jobs.start(endless))];
        assert!(jobs.start(endless).unwrap_err().contains("2 jobs are already running"));
        jobs.cancel_older_than(PATIENCE);
        assert_eq!(jobs.ask(&ids[0]).unwrap()["state"], "running");
        jobs.cancel(&ids[0]).unwrap();
        assert_eq!(wait(&jobs, &ids[0], "cancelled")["error"], "the job was canceled");
        let done = id(jobs.start(|_| Ok(json!(7))));
        assert_eq!(wait(&jobs, &done, "done")["result"], 7);
        let failed = id(jobs.start(|_| Err(SolverError::invalid("no such card"))));
        assert_eq!(wait(&jobs, &failed, "failed")["error"], "no such card");
        jobs.cancel_older_than(Duration::ZERO);
        wait(&jobs, &ids[1], "cancelled");
        for _ in 0..KEPT {
            let last = id(jobs.start(|_| Ok(Value::Null)));
            wait(&jobs, &last, "done");
        }
        assert!(jobs.ask(&done).is_none() && jobs.ask("x").is_none() && jobs.cancel("99").is_none());
    }
}
