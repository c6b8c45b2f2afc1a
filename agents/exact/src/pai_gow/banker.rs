//! Tabulates opponent strategies by profile.

use houseway_env::cards::key::Key;
use houseway_env::cards::profile::{FLUSH_PROFILES, PROFILES, Profile, Profiles, RANK_PROFILES};
use houseway_env::kept::Kept;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{BankPushes, Game, Hand, ProfileStrategy, SetHand};
use rayon::prelude::*;
use std::convert::Infallible;
use std::sync::Arc;

/// The tables of compiled house ways.
static TABULATED: Kept<Arc<HouseWay>, BankerTable, 8> = Kept::new();

/// Returns the profile of a flush profile's ranks if there were no flush.
pub(super) fn without_suits(flush: Profile) -> Profile {
    let profiles = Profiles::get();
    profiles.rank_profile(Key::from_set(profiles.representative(flush)))
}

/// A strategy's set hand for each of the 292,253 profiles. It occupies 2.1 MB.
#[derive(Clone)]
pub struct BankerTable {
    name: String,
    sets: Vec<SetHand>,
    without_suits: Vec<SetHand>,
}

impl BankerTable {
    /// Tabulates a profile strategy in parallel, using the current thread pool.
    pub fn new<S: ProfileStrategy + ?Sized>(strategy: &S) -> BankerTable {
        BankerTable::from_fn(strategy.name(), |profile| strategy.set_profile(profile))
    }

    /// Tabulates a function that sets profiles in parallel, using the current thread pool.
    pub(super) fn from_fn(name: &str, set: impl Fn(Profile) -> SetHand + Sync) -> BankerTable {
        let indices = (0..PROFILES).into_par_iter().with_min_len(1024);
        let sets: Vec<SetHand> = indices.map(|i| set(Profile::from_index(i))).collect();
        BankerTable::from_sets(name, sets)
    }

    fn from_sets(name: &str, sets: Vec<SetHand>) -> BankerTable {
        let flushes = (RANK_PROFILES..PROFILES).into_par_iter().with_min_len(1024);
        let without_suits = flushes.map(|i| sets[without_suits(Profile::from_index(i)).index()]).collect();
        BankerTable { name: name.to_owned(), without_suits, sets }
    }

    /// Returns the table for a compiled house way. The last few tables are kept for the whole process, because it takes
    /// about ten times as long to make one as to evaluate a hand.
    pub fn shared(way: &Arc<HouseWay>) -> Arc<BankerTable> {
        let tabulate = || Ok::<_, Infallible>((Arc::clone(way), BankerTable::new(&**way)));
        let Ok(table) = TABULATED.get(|other| Arc::ptr_eq(other, way), tabulate);
        table
    }

    /// Returns the strategy's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the set hand for a profile.
    #[inline]
    pub fn set(&self, profile: Profile) -> SetHand {
        self.sets[profile.index()]
    }

    /// Returns the table that players' hands are compared with under this game's rules, or `None` if it's the same as
    /// the banker's table. The set hands come from [`Game::banker_set`] and can be the sentinel from
    /// [`houseway_env::pai_gow::BankerSet::PUSHES`].
    pub(super) fn compared(&self, game: &Game) -> Option<BankerTable> {
        if game.rules().bank_pushes == BankPushes::None {
            return None;
        }
        let compared = |(i, &set): (usize, &SetHand)| {
            game.banker_set(Hand::representative(Profile::from_index(i)), set).strengths()
        };
        Some(BankerTable::from_sets(&self.name, self.sets.iter().enumerate().map(compared).collect()))
    }

    /// Returns the set hand for each rank profile, in the order of [`Profile::index`].
    pub(super) fn ranks(&self) -> &[SetHand] {
        &self.sets[..RANK_PROFILES]
    }

    /// Returns two set hands for each flush profile, in the order of [`Profile::index`]: its own set hand, and the one
    /// for the same ranks without a flush.
    pub(super) fn flushes(&self) -> (&[SetHand], &[SetHand]) {
        debug_assert_eq!(self.without_suits.len(), FLUSH_PROFILES);
        (&self.sets[RANK_PROFILES..], &self.without_suits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;
    use houseway_env::pai_gow::house_way::Way;

    #[test]
    fn tables_of_house_ways_are_kept() {
        let game = Game::new(Rules::default());
        let way = |name: &str| HouseWay::shared(Way::named(name).unwrap(), &game).unwrap();
        let [one, other] = [way("foxwoods"), way("trump-plaza")];
        let table = BankerTable::shared(&one);
        assert!(Arc::ptr_eq(&table, &BankerTable::shared(&one)) && table.sets == BankerTable::new(&*one).sets);
        assert!(BankerTable::shared(&other).sets != table.sets);
    }
}
