//! A banker's strategy as a table over profiles.

use houseway_env::cards::classes::Classes;
use houseway_env::cards::key::Key;
use houseway_env::cards::profile::{FLUSH_PROFILES, PROFILES, Profile, Profiles, RANK_PROFILES};
use houseway_env::cards::{Card, CardSet, Suit};
use houseway_env::pai_gow::{BankPushes, Game, Hand, ProfileStrategy, SetHand, Setting, Strategy};
use rayon::prelude::*;

/// Why a strategy cannot be counted against.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// It fouls.
    #[error("{strategy} sets {hand} foul")]
    Foul {
        /// Name of the strategy.
        strategy: String,
        /// A hand that it sets foul.
        hand: Hand,
    },
    /// It looks at more than the profile.
    #[error(
        "{strategy} makes different hands of {hand} and {other}, which differ only in suits that make no flush; \
         only strategies that look at profiles can be counted against"
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

/// What a strategy makes of the representative of each profile.
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
    Hand::new(Profiles::get().representative(profile)).expect("a profile is of seven cards")
}

/// For each flush profile, what is made of hands with the same ranks without five cards of a suit.
fn without_suits(sets: &[SetHand]) -> Vec<SetHand> {
    let profiles = Profiles::get();
    let same_ranks = |i| profiles.rank_profile(Key::of_set(profiles.representative(Profile::from_index(i))));
    (RANK_PROFILES..PROFILES).into_par_iter().with_min_len(1024).map(|i| sets[same_ranks(i).index()]).collect()
}

fn suits_reversed(cards: CardSet) -> CardSet {
    let reversed = cards.iter().map(|card| match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => Card::new(rank, Suit::ALL[3 - suit.index()]),
        _ => card,
    });
    reversed.collect()
}

/// How a banker sets each of the 292,253 profiles of hands (2.1 MB).
pub struct BankerTable {
    name: String,
    sets: Vec<SetHand>,
    without_suits: Vec<SetHand>,
}

impl BankerTable {
    /// Asks the strategy for every profile, on all threads of the current pool.
    pub fn new<S: ProfileStrategy + ?Sized>(strategy: &S) -> BankerTable {
        let indices = || (0..PROFILES).into_par_iter().with_min_len(1024);
        let sets: Vec<SetHand> = indices().map(|i| strategy.set_profile(Profile::from_index(i))).collect();
        BankerTable { name: strategy.name().to_owned(), without_suits: without_suits(&sets), sets }
    }

    /// The table of any strategy, if there is one: asks two hands of each of the 6,972,147 classes, the canonical one and the
    /// one with the suits the other way round (seconds).
    ///
    /// # Errors
    /// If one of these hands is set foul, or made into something else than another hand of its profile.
    pub fn of_strategy<S: Strategy + ?Sized>(game: &Game, strategy: &S) -> Result<BankerTable, ProfileError> {
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
        let hand = Hand::new(cards).expect("a class is of seven cards");
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

    /// The strategy's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the banker makes of a hand with this profile.
    #[inline]
    pub fn set(&self, profile: Profile) -> SetHand {
        self.sets[profile.index()]
    }

    /// What players' hands are compared with under the rules of this game if the table is a banker's: as
    /// [`Game::banker_set`] gives it, [`SetHand::PUSHES`] among it. Nothing if that is the table itself.
    pub(super) fn compared(&self, game: &Game) -> Option<BankerTable> {
        if game.rules().bank_pushes == BankPushes::None {
            return None;
        }
        let compared = |(i, &set): (usize, &SetHand)| game.banker_set(representative(Profile::from_index(i)), set);
        let sets: Vec<SetHand> = self.sets.iter().enumerate().map(compared).collect();
        Some(BankerTable { name: self.name.clone(), without_suits: without_suits(&sets), sets })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::HighestBack;
    use houseway_env::pai_gow::{RandomLegal, Rules};

    #[test]
    fn strategies_that_look_at_suits_are_refused() {
        let game = Game::new(Rules::default());
        let error = BankerTable::of_strategy(&game, &RandomLegal::new(&game, 1)).err().expect("it looks at suits");
        assert!(matches!(error, ProfileError::Suits { .. }), "{error}");
        assert!(error.to_string().contains("random legal makes different hands of"), "{error}");
    }

    #[test]
    fn fouls_are_refused() {
        /// Of seven different ranks the two highest in front, which is a foul unless they leave a straight or a flush.
        struct TwoHighest<'a>(HighestBack<'a>);
        impl Strategy for TwoHighest<'_> {
            fn name(&self) -> &str {
                "two highest"
            }
            fn set(&self, hand: Hand) -> Setting {
                let different = hand.cards().windows(2).all(|pair| pair[0].rank() != pair[1].rank());
                if different { Setting::of_positions(0, 1) } else { self.0.set(hand) }
            }
        }
        let game = Game::new(Rules::default());
        let error = BankerTable::of_strategy(&game, &TwoHighest(HighestBack::new(&game))).err().expect("it fouls");
        assert!(matches!(error, ProfileError::Foul { .. }), "{error}");
    }

    #[test]
    #[ignore = "10 s; asks two hands of every class"]
    fn a_profile_strategy_gives_the_same_table_either_way() {
        let game = Game::new(Rules::default());
        let strategy = HighestBack::new(&game);
        let table = BankerTable::of_strategy(&game, &strategy).unwrap();
        assert!(table.sets == BankerTable::new(&strategy).sets);
    }
}
