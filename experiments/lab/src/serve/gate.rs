//! A limit on the number of threads that compute at the same time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A gate that lets a limited number of threads through at a time.
pub(super) struct Gate {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A permit to compute. Dropping it lets the next thread through.
pub(super) struct Permit<'a>(&'a Gate);

impl Gate {
    pub(super) fn new(permits: usize) -> Gate {
        Gate { free: Mutex::new(permits), freed: Condvar::new() }
    }

    /// Waits for a permit. Returns `None` if none becomes available within the time limit.
    pub(super) fn enter(&self, limit: Duration) -> Option<Permit<'_>> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_timeout_while(free, limit, |free| *free == 0);
        let (mut free, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *free == 0 {
            return None;
        }
        *free -= 1;
        Some(Permit(self))
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_returned() {
        let (gate, short) = (Gate::new(2), Duration::from_millis(5));
        let first = gate.enter(short).unwrap();
        let _second = gate.enter(short).unwrap();
        assert!(gate.enter(short).is_none());
        drop(first);
        assert!(gate.enter(short).is_some());
    }
}
