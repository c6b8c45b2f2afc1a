//! Options and errors of a pass.

use super::pieces::{SETS_OF_RANKS, sets_of_ranks};
use super::suitings::each_composition;
use crate::pai_gow::BANKER_HANDS;
use houseway_env::cards::combinations::binomial;
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

    /// Maximum number of shards that are not empty.
    pub const MAX: usize = SETS_OF_RANKS;

    /// Creates shard `index` (zero-based) of `of`, or returns `None` if the index is out of range.
    pub const fn new(index: usize, of: usize) -> Option<Shard> {
        if index < of { Some(Shard { index, of }) } else { None }
    }

    /// Returns the number of deals of the shard: each of its hands with every hand of the other side.
    pub fn deals(self) -> u64 {
        let sets = sets_of_ranks().into_iter().skip(self.index).step_by(self.of);
        // The number of hands depends on the size of the set alone.
        let hands: [[u64; 8]; 2] = [false, true].map(|joker| std::array::from_fn(|ranks| hands_of_ranks(ranks, joker)));
        let hands: u64 = sets.map(|(set, joker)| hands[usize::from(joker)][set.count_ones() as usize]).sum();
        hands * BANKER_HANDS
    }
}

/// Returns the number of hands that have one to four cards of each of so many ranks, and no others but the joker.
fn hands_of_ranks(ranks: usize, joker: bool) -> u64 {
    let mut hands = 0;
    let mut add = |counts: &[u8]| hands += counts.iter().map(|&count| binomial(4, count.into())).product::<u64>();
    each_composition(7 - usize::from(joker), ranks, &mut vec![], &mut add);
    hands
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
