//! The current process's thread pool.
//!
//! Threads don't survive a fork, so a child process gets its own pool when it first needs one. All parallel work in
//! this crate runs on this pool and never on rayon's global one, which can't be replaced.

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// A pool and the process that created it.
struct Owned {
    process: u32,
    pool: Arc<ThreadPool>,
}

/// A thread pool that is recreated after a fork.
pub(crate) struct ForkSafePool {
    /// The number of threads, or `None` for rayon's default.
    threads: Option<usize>,
    owned: Mutex<Option<Owned>>,
}

/// The pool shared by everything that doesn't have a pool of its own.
static SHARED: ForkSafePool = ForkSafePool::new(None);

impl ForkSafePool {
    pub(crate) const fn new(threads: Option<usize>) -> ForkSafePool {
        ForkSafePool { threads, owned: Mutex::new(None) }
    }

    /// Returns a new pool with the same number of threads.
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
            // Leak the parent's pool. Dropping it would wait for threads that don't exist in this process.
            other => std::mem::forget(other),
        }
        let builder = ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0));
        let pool = Arc::new(builder.thread_name(|i| format!("houseway-{i}")).build()?);
        *owned = Some(Owned { process, pool: Arc::clone(&pool) });
        Ok(pool)
    }

    /// Runs a closure on the pool.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self.get() {
            Ok(pool) => pool.install(work),
            // If no threads can be started, run on this one.
            Err(_) => work(),
        }
    }
}

/// Runs a closure on the shared pool without holding the GIL.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| SHARED.install(work))
}

/// Runs a closure on the shared pool.
pub(crate) fn install<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    SHARED.install(work)
}
