//! Options and errors of a pass.

use std::sync::atomic::AtomicBool;

/// Part of the work: every `of`-th set of ranks, starting from the `index`-th (zero-based). Results of all shards add
/// up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub(super) index: usize,
    pub(super) of: usize,
}

impl Shard {
    /// All of the work.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Creates shard `index` (zero-based) of `of`, or returns `None` if the index is out of range.
    pub const fn new(index: usize, of: usize) -> Option<Shard> {
        if index < of { Some(Shard { index, of }) } else { None }
    }
}

/// Options of a pass over the game.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Shard to evaluate.
    pub shard: Shard,
    /// Callback for progress, called occasionally from any thread with the number of hands done and the total (of this
    /// shard).
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    /// Flag that cancels the pass soon after it becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run { shard: Shard::WHOLE, progress: None, cancel: None }
    }
}

/// Error of a pass that was canceled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the evaluation was canceled")]
pub struct Cancelled;
