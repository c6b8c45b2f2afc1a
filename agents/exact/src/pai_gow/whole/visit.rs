//! Visits all classes of hands without evaluating them.

use super::classes::{ClassCounts, put_classes};
use super::counted::PassOptions;
use super::pieces::pieces;
use super::run::Run;
use super::suitings::patterns;
use crate::pai_gow::Side;
use crate::solver::Cancelled;
use houseway_env::pai_gow::Game;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of seven-card hands, C(53,7).
const ALL_HANDS: u64 = 154_143_080;

/// Visits every set of ranks in the shard once, in no particular order and in parallel on the current thread pool.
/// `visit` receives one list of classes per multiset. The classes have set hands but no results.
///
/// # Errors
/// Returns an error if the run was cancelled.
pub(in crate::pai_gow) fn visit_classes(
    game: &Game,
    run: &Run<'_>,
    visit: impl Fn(&[Vec<ClassCounts>]) + Sync,
) -> Result<(), Cancelled> {
    let counted = PassOptions::new(game, Side::Player);
    let (patterns, pieces) = ([patterns(false), patterns(true)], pieces());
    let pieces: Vec<_> = pieces.iter().skip(run.shard.index()).step_by(run.shard.count()).collect();
    let cancelled = || run.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let hands = AtomicU64::new(0);
    pieces.into_par_iter().with_max_len(1).for_each(|piece| {
        if cancelled() {
            return;
        }
        let classes = |multiset| {
            let mut classes = vec![];
            put_classes(&counted, multiset, |_, _| Default::default(), &mut classes);
            classes
        };
        let multisets: Vec<Vec<ClassCounts>> = piece.multisets(&counted, &patterns).iter().map(classes).collect();
        visit(&multisets);
        let of_piece: u64 = multisets.iter().flatten().map(|class| u64::from(class.orbit)).sum();
        let done = of_piece + hands.fetch_add(of_piece, Ordering::Relaxed);
        run.progress.inspect(|progress| progress(done, ALL_HANDS / run.shard.count() as u64));
    });
    if cancelled() { Err(Cancelled) } else { Ok(()) }
}
