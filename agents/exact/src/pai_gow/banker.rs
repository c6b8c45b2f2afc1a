//! Opponent strategies tabulated over profiles.

use houseway_env::cards::classes::Classes;
use houseway_env::cards::key::Key;
use houseway_env::cards::profile::{FLUSH_PROFILES, PROFILES, Profile, Profiles, RANK_PROFILES};
use houseway_env::cards::{Card, CardSet, Suit};
use houseway_env::pai_gow::{BankPushes, Game, Hand, ProfileStrategy, SetHand, Setting, Strategy};
use rayon::prelude::*;

/// An error tabulating a strategy over profiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The strategy fouls.
    #[error("{strategy} fouls with {hand}")]
    Foul {
        /// Name of the strategy.
        strategy: String,
        /// A hand that the strategy sets foul.
        hand: Hand,
    },
    /// The strategy depends on suits beyond the profile.
    #[error(
        "{strategy} sets {hand} and {other} differently although they differ only in suits that make no flush; \
         the opponent's strategy must depend on profiles only"
    )]
    Suits {
        /// Name of the strategy.
        strategy: String,
        /// A hand.
        hand: Hand,
        /// Another hand of the same profile.
        other: Hand,
    },
}

/// A profile strategy that sets each profile as another strategy sets its representative.
struct ByRepresentative<'a, S: ?Sized> {
    game: &'a Game,
    strategy: &'a S,
}

impl<S: Strategy + ?Sized> Strategy for ByRepresentative<'_, S> {
    fn name(&self) -> &str {
        self.strategy.name()
    }

    fn set(&self, hand: Hand) -> Setting {
        self.strategy.set(hand)
    }
}

impl<S: Strategy + ?Sized> ProfileStrategy for ByRepresentative<'_, S> {
    fn set_profile(&self, profile: Profile) -> SetHand {
        let hand = representative(profile);
        self.game.set(hand, self.strategy.set(hand))
    }
}

fn representative(profile: Profile) -> Hand {
    Hand::new(Profiles::get().representative(profile)).expect("a profile has seven cards")
}

/// Returns, for each flush profile, the set hand of the rank profile with the same ranks.
fn without_suits(sets: &[SetHand]) -> Vec<SetHand> {
    let profiles = Profiles::get();
    let same_ranks = |i| profiles.rank_profile(Key::from_set(profiles.representative(Profile::from_index(i))));
    (RANK_PROFILES..PROFILES).into_par_iter().with_min_len(1024).map(|i| sets[same_ranks(i).index()]).collect()
}

fn suits_reversed(cards: CardSet) -> CardSet {
    let reversed = cards.iter().map(|card| match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => Card::new(rank, Suit::ALL[3 - suit.index()]),
        _ => card,
    });
    reversed.collect()
}

/// The set hand of each of the 292,253 profiles under one strategy (2.1 MB).
pub struct BankerTable {
    name: String,
    sets: Vec<SetHand>,
    without_suits: Vec<SetHand>,
}

impl BankerTable {
    /// Tabulates a profile strategy in parallel on the current thread pool.
    pub fn new<S: ProfileStrategy + ?Sized>(strategy: &S) -> BankerTable {
        let indices = || (0..PROFILES).into_par_iter().with_min_len(1024);
        let sets: Vec<SetHand> = indices().map(|i| strategy.set_profile(Profile::from_index(i))).collect();
        BankerTable { name: strategy.name().to_owned(), without_suits: without_suits(&sets), sets }
    }

    /// Tabulates any strategy that depends on profiles only. To verify this, the strategy sets two hands of each of the
    /// 6,972,147 classes: the canonical hand and the same hand with the suits reversed (a few seconds).
    ///
    /// # Errors
    /// Returns an error if the strategy sets one of these hands foul or differently from another hand of the same
    /// profile.
    pub fn from_strategy<S: Strategy + ?Sized>(game: &Game, strategy: &S) -> Result<BankerTable, ProfileError> {
        let table = BankerTable::new(&ByRepresentative { game, strategy });
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

    fn check<S: Strategy + ?Sized>(&self, game: &Game, strategy: &S, cards: CardSet) -> Result<(), ProfileError> {
        let hand = Hand::new(cards).expect("a class has seven cards");
        let profile = Profiles::get().of(cards);
        let (set, strategy) = (game.set(hand, strategy.set(hand)), strategy.name());
        if !game.is_legal(set) {
            return Err(ProfileError::Foul { strategy: strategy.to_owned(), hand });
        }
        if set != self.set(profile) {
            let other = representative(profile);
            return Err(ProfileError::Suits { strategy: strategy.to_owned(), hand, other });
        }
        Ok(())
    }

    /// Returns the strategy's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the set hand of a profile.
    #[inline]
    pub fn set(&self, profile: Profile) -> SetHand {
        self.sets[profile.index()]
    }

    /// Returns the table with which players' hands are compared under the rules of this game, as given by
    /// [`Game::banker_set`] (including the sentinel of [`houseway_env::pai_gow::BankerSet::PUSHES`]), or `None` if it
    /// equals the banker's table itself.
    pub(super) fn compared(&self, game: &Game) -> Option<BankerTable> {
        if game.rules().bank_pushes == BankPushes::None {
            return None;
        }
        let compared =
            |(i, &set): (usize, &SetHand)| game.banker_set(representative(Profile::from_index(i)), set).strengths();
        let sets: Vec<SetHand> = self.sets.iter().enumerate().map(compared).collect();
        Some(BankerTable { name: self.name.clone(), without_suits: without_suits(&sets), sets })
    }

    /// Returns the set hand of each rank profile, in the order of [`Profile::index`].
    pub(super) fn ranks(&self) -> &[SetHand] {
        &self.sets[..RANK_PROFILES]
    }

    /// Returns, for each flush profile in the order of [`Profile::index`], the set hand and the set hand of the same
    /// ranks without a flush.
    pub(super) fn flushes(&self) -> (&[SetHand], &[SetHand]) {
        debug_assert_eq!(self.without_suits.len(), FLUSH_PROFILES);
        (&self.sets[RANK_PROFILES..], &self.without_suits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::ProfileTable;
    use houseway_env::pai_gow::{RandomLegal, Rules};

    #[test]
    fn strategies_that_depend_on_suits_are_rejected() {
        let game = Game::new(Rules::default());
        let error = BankerTable::from_strategy(&game, &RandomLegal::new(&game, 1))
            .err()
            .expect("the strategy depends on suits");
        assert!(matches!(error, ProfileError::Suits { .. }), "{error}");
        assert!(error.to_string().contains("random legal sets"), "{error}");
    }

    #[test]
    fn fouls_are_rejected() {
        /// A strategy that plays the two highest of seven different ranks in front, which is a foul unless the back is
        /// a straight or a flush.
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
        assert!(matches!(error, ProfileError::Foul { .. }), "{error}");
    }

    #[test]
    #[ignore = "10 s; sets two hands of every class"]
    fn both_constructors_agree_on_a_profile_strategy() {
        let game = Game::new(Rules::default());
        let strategy = ProfileTable::max_back(&game);
        let table = BankerTable::from_strategy(&game, &strategy).unwrap();
        assert!(table.sets == BankerTable::new(&strategy).sets);
    }
}
