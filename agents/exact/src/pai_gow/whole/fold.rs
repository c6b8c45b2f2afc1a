//! The parallel loop over the pieces of a pass.

use super::pieces::{Patterns, Piece, pieces};
use super::run::Run;
use crate::solver::Cancelled;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The state of a pass: how many of its hands have been evaluated, and whether it was cancelled.
pub(super) struct Fold<'a> {
    run: &'a Run<'a>,
    patterns: &'a Patterns,
    done: AtomicU64,
    hands: u64,
}

impl<'a> Fold<'a> {
    /// Starts a pass over the run's shard. Also returns the pieces in the shard.
    pub(super) fn new(run: &'a Run<'a>, patterns: &'a Patterns) -> (Fold<'a>, Vec<Piece>) {
        let pieces: Vec<Piece> = pieces().into_iter().skip(run.shard.index()).step_by(run.shard.count()).collect();
        let hands = pieces.iter().map(|piece| piece.hands(patterns)).sum();
        (Fold { run, patterns, done: AtomicU64::new(0), hands }, pieces)
    }

    /// Returns `true` if the pass was cancelled.
    pub(super) fn cancelled(&self) -> bool {
        self.run.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Evaluates some of the pieces in parallel and adds them to the per-thread results. `count` also receives its
    /// thread's buffers. Stops early if the pass is cancelled.
    pub(super) fn add<A: Send, S: Default>(
        &self,
        pieces: &[Piece],
        results: Vec<A>,
        count: impl Fn(&Piece, &mut S, &mut A) + Sync,
    ) -> Vec<A> {
        let next = AtomicUsize::new(0);
        let work = |mut result| {
            let mut scratch = S::default();
            while !self.cancelled()
                && let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed))
            {
                count(piece, &mut scratch, &mut result);
                let hands = piece.hands(self.patterns);
                let done = hands + self.done.fetch_add(hands, Ordering::Relaxed);
                self.run.progress.inspect(|progress| progress(done, self.hands));
            }
            result
        };
        results.into_par_iter().with_max_len(1).map(work).collect()
    }

    /// Combines the per-thread results.
    ///
    /// # Errors
    /// Returns an error if the pass was cancelled.
    pub(super) fn finish<A>(&self, results: Vec<A>, merge: impl Fn(A, A) -> A) -> Result<A, Cancelled> {
        if self.cancelled() {
            return Err(Cancelled);
        }
        Ok(results.into_iter().reduce(merge).expect("a pool has at least one thread"))
    }
}

/// Returns an initial result for each thread in the current pool.
pub(super) fn of_threads<A>(init: impl Fn() -> A) -> Vec<A> {
    (0..rayon::current_num_threads()).map(|_| init()).collect()
}
