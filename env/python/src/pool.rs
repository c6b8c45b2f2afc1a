//! The threads of this process.
//!
//! Threads do not survive a fork, so a child process gets a pool of its own at its first use. Everything here that works in
//! parallel runs on this pool and never on rayon's global one, which cannot be replaced.

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// The pool of a process.
struct Owned {
    process: u32,
    pool: Arc<ThreadPool>,
}

/// Thread pool that a forked process creates again.
pub(crate) struct ForkSafePool {
    /// `None` for as many threads as rayon takes by default.
    threads: Option<usize>,
    owned: Mutex<Option<Owned>>,
}

/// The pool that everything without threads of its own uses.
static SHARED: ForkSafePool = ForkSafePool::new(None);

impl ForkSafePool {
    pub(crate) const fn new(threads: Option<usize>) -> ForkSafePool {
        ForkSafePool { threads, owned: Mutex::new(None) }
    }

    /// A pool with as many threads.
    pub(crate) fn another(&self) -> ForkSafePool {
        ForkSafePool::new(self.threads)
    }

    fn get(&self) -> Result<Arc<ThreadPool>, ThreadPoolBuildError> {
        let process = std::process::id();
        let mut owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner);
        match owned.take() {
            Some(found) if found.process == process => {
                let pool = Arc::clone(&found.pool);
                *owned = Some(found);
                return Ok(pool);
            }
            // The threads of the parent's pool are not there to be stopped.
            other => std::mem::forget(other),
        }
        let builder = ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0));
        let pool = Arc::new(builder.thread_name(|i| format!("houseway-{i}")).build()?);
        *owned = Some(Owned { process, pool: Arc::clone(&pool) });
        Ok(pool)
    }

    /// Runs work on the pool.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self.get() {
            Ok(pool) => pool.install(work),
            // Without threads, everything is done by this one.
            Err(_) => work(),
        }
    }
}

/// Runs work on the threads of this process, without the interpreter's lock.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| SHARED.install(work))
}

/// Runs work on the threads of this process.
pub(crate) fn install<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    SHARED.install(work)
}
