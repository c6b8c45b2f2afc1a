//! Options of a pass.

use super::shard::Shard;
use std::sync::atomic::AtomicBool;

/// Options of a pass over the game.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The shard to evaluate.
    pub shard: Shard,
    /// Progress callback, called occasionally from any thread with the number of hands done and the total number in
    /// this shard.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    /// A flag that cancels the pass soon after it becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run { shard: Shard::WHOLE, progress: None, cancel: None }
    }
}
