//! Options for a pass.

use super::shard::Shard;
use std::sync::atomic::AtomicBool;

/// Options for a pass over the game.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The shard to evaluate.
    pub shard: Shard,
    /// A progress callback. It can be called from any thread, and it receives the number of hands evaluated so far and
    /// the shard's total.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    /// A flag that cancels the pass. The pass checks it regularly and ends soon after it becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run { shard: Shard::WHOLE, progress: None, cancel: None }
    }
}
