//! A banker's strategy as a table over profiles.

use houseway_env::cards::key::Key;
use houseway_env::cards::profile::{FLUSH_PROFILES, PROFILES, Profile, Profiles, RANK_PROFILES};
use houseway_env::pai_gow::{ProfileStrategy, SetHand};
use rayon::prelude::*;

/// How a banker sets each of the 292,253 profiles of hands (2.1 MB).
pub struct BankerTable {
    name: String,
    sets: Vec<SetHand>,
    without_suits: Vec<SetHand>,
}

impl BankerTable {
    /// Asks the strategy for every profile, on all threads of the current pool.
    pub fn new<S: ProfileStrategy + ?Sized>(strategy: &S) -> BankerTable {
        let profiles = Profiles::get();
        let indices = || (0..PROFILES).into_par_iter().with_min_len(1024);
        let sets: Vec<SetHand> = indices().map(|i| strategy.set_profile(Profile::from_index(i))).collect();
        let same_ranks = |i| profiles.rank_profile(Key::of_set(profiles.representative(Profile::from_index(i))));
        let without_suits = indices().skip(RANK_PROFILES).map(|i| sets[same_ranks(i).index()]).collect();
        BankerTable { name: strategy.name().to_owned(), sets, without_suits }
    }

    /// The strategy's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the banker makes of a hand with this profile.
    #[inline]
    pub fn set(&self, profile: Profile) -> SetHand {
        self.sets[profile.index()]
    }

    /// What the banker makes of each rank profile, in the order of [`Profile::index`].
    pub(super) fn ranks(&self) -> &[SetHand] {
        &self.sets[..RANK_PROFILES]
    }

    /// Each flush profile, in the order of [`Profile::index`]: what the banker makes of it, and what he would make of hands
    /// with the same ranks without five cards of a suit.
    pub(super) fn flushes(&self) -> (&[SetHand], &[SetHand]) {
        debug_assert_eq!(self.without_suits.len(), FLUSH_PROFILES);
        (&self.sets[RANK_PROFILES..], &self.without_suits)
    }
}
