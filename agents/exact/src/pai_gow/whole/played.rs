//! Leaves out settings that a strategy never plays.

use super::classes::hands;
use super::multiset::Multiset;
use crate::pai_gow::BankerTable;
use houseway_env::cards::profile::Profiles;

/// Makes all settings illegal that a strategy doesn't play with any suiting of the multiset.
pub(super) fn keep_played(multiset: &mut Multiset<'_>, strategy: &BankerTable) {
    let (profiles, mut played) = (Profiles::get(), Vec::new());
    let mut has_ranks = false;
    for (suiting, hand) in hands(multiset) {
        // Suitings without a flush have the same profile.
        if suiting.flush || !std::mem::replace(&mut has_ranks, true) {
            let set = strategy.set(profiles.of(hand));
            if !played.contains(&set) {
                played.push(set);
            }
        }
    }
    multiset.keep(&played);
}
