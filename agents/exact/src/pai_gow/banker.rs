//! Tabulates opponent strategies by profile.

use crate::solver::SolverError;
use houseway_env::cards::classes::Classes;
use houseway_env::cards::key::Key;
use houseway_env::cards::profile::{FLUSH_PROFILES, PROFILES, Profile, Profiles, RANK_PROFILES};
use houseway_env::cards::{Card, CardSet, Suit};
use houseway_env::kept::Kept;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{BankPushes, Game, Hand, ProfileStrategy, SetHand, Strategy};
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

fn suits_reversed(cards: CardSet) -> CardSet {
    let reversed = cards.iter().map(|card| match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => Card::new(rank, Suit::ALL[3 - suit.index()]),
        _ => card,
    });
    reversed.collect()
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

    /// Tabulates any strategy that depends only on profiles. To check this, it asks the strategy to set two hands from
    /// each of the 6,972,147 classes: the canonical hand, and the same hand with the suits reversed. This takes a few
    /// seconds.
    ///
    /// # Errors
    /// Returns an error if the strategy fouls with one of these hands, or sets it differently from another hand with
    /// the same profile.
    pub fn from_strategy<S: Strategy + ?Sized>(game: &Game, strategy: &S) -> Result<BankerTable, SolverError> {
        let table = BankerTable::from_fn(strategy.name(), |profile| {
            let hand = Hand::representative(profile);
            game.set(hand, strategy.set(hand))
        });
        let classes = Classes::seven();
        let wrong = |i: usize| {
            let hand = classes.hand(i);
            [hand, suits_reversed(hand)].into_iter().find_map(|cards| table.check(game, strategy, cards).err())
        };
        match (0..classes.len()).into_par_iter().with_min_len(4096).find_map_first(wrong) {
            Some(error) => Err(error),
            None => Ok(table),
        }
    }

    fn check<S: Strategy + ?Sized>(&self, game: &Game, strategy: &S, cards: CardSet) -> Result<(), SolverError> {
        let hand = Hand::new(cards).expect("a class has seven cards");
        let profile = Profiles::get().of(cards);
        let (set, strategy) = (game.set(hand, strategy.set(hand)), strategy.name());
        if !game.is_legal(set) {
            return Err(SolverError::Invalid(format!("{strategy} fouls with {hand}")));
        }
        if set != self.set(profile) {
            let other = Hand::representative(profile);
            return Err(SolverError::Invalid(format!(
                "{strategy} sets {hand} and {other} differently, although they differ only in suits that make no flush; an \
                 opponent's strategy must depend only on profiles"
            )));
        }
        Ok(())
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
    use houseway_env::pai_gow::house_way::Way;
    use houseway_env::pai_gow::{ProfileTable, RandomLegal, Rules, Setting};

    #[test]
    fn strategies_that_depend_on_suits_are_rejected() {
        let game = Game::new(Rules::default());
        let error = BankerTable::from_strategy(&game, &RandomLegal::new(&game, 1))
            .err()
            .expect("the strategy depends on suits");
        assert!(error.to_string().starts_with("random legal sets "), "{error}");
    }

    #[test]
    fn tables_of_house_ways_are_kept() {
        let game = Game::new(Rules::default());
        let way = |name: &str| HouseWay::shared(Way::named(name).unwrap(), &game).unwrap();
        let [one, other] = [way("foxwoods"), way("trump-plaza")];
        let table = BankerTable::shared(&one);
        assert!(Arc::ptr_eq(&table, &BankerTable::shared(&one)) && table.sets == BankerTable::new(&*one).sets);
        assert!(BankerTable::shared(&other).sets != table.sets);
    }

    #[test]
    fn fouls_are_rejected() {
        /// Plays the two highest cards in front if all seven ranks differ. This is a foul unless the back is a straight
        /// or a flush.
        struct TwoHighest(ProfileTable);
        impl Strategy for TwoHighest {
            fn name(&self) -> &str {
                "two highest"
            }
            fn set(&self, hand: Hand) -> Setting {
                let different = hand.cards().windows(2).all(|pair| pair[0].rank() != pair[1].rank());
                if different { Setting::from_positions(0, 1) } else { self.0.set(hand) }
            }
        }
        let game = Game::new(Rules::default());
        let error = BankerTable::from_strategy(&game, &TwoHighest(ProfileTable::max_back(&game)))
            .err()
            .expect("the strategy fouls");
        assert!(error.to_string().starts_with("two highest fouls with "), "{error}");
    }

    #[test]
    #[ignore = "takes 10 s to set two hands from every class"]
    fn both_constructors_agree_on_a_profile_strategy() {
        let game = Game::new(Rules::default());
        let strategy = ProfileTable::max_back(&game);
        let table = BankerTable::from_strategy(&game, &strategy).unwrap();
        assert!(table.sets == BankerTable::new(&strategy).sets);
    }
}
