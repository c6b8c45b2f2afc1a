//! Uniformly random seven-card hands, dealt from a [`Pack`] without an environment and without allocating.

use super::{BankerSet, Game, Hand, ProfileStrategy};
use crate::cards::key::Key;
use crate::cards::profile::{Profile, Profiles};
use crate::cards::{Card, CardSet, Pack};
use rand::Rng;

/// The number of cards in the pack: the 52 standard cards and one joker.
pub const CARDS: usize = 53;
/// The number of hands that can be dealt from one pack.
pub const HANDS: usize = CARDS / Hand::CARDS;

/// A dealt hand and the key of its cards. Keeping the key makes it cheap to find the hand's profile, as this only takes
/// two lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dealt {
    hand: Hand,
    key: Key,
}

impl Dealt {
    /// Draws seven of the remaining cards from a pack that has no second joker. All sets of seven cards are equally
    /// likely. Returns `None` if fewer than seven cards are left.
    #[inline(always)]
    pub fn draw(pack: &mut Pack, rng: &mut impl Rng) -> Option<Dealt> {
        let cards: [Card; Hand::CARDS] = pack.draw(rng)?;
        let (mut set, mut key) = (CardSet::EMPTY, Key::default());
        cards.into_iter().for_each(|card| (set, key) = (set.with(card), key + Key::from_card(card)));
        Some(Dealt { hand: Hand::from_seven(set), key })
    }

    /// Draws a hand from a full pack.
    #[inline]
    pub fn random(rng: &mut impl Rng) -> Dealt {
        Dealt::draw(&mut Pack::new(CARDS), rng).expect("a full pack has a hand")
    }

    /// Returns the hand.
    #[inline]
    pub const fn hand(&self) -> Hand {
        self.hand
    }

    /// Returns the hand's profile.
    #[inline]
    pub fn profile(&self, profiles: &Profiles) -> Profile {
        profiles.of_key(self.key, || self.hand.set())
    }
}

impl From<Hand> for Dealt {
    fn from(hand: Hand) -> Dealt {
        Dealt { hand, key: Key::from_set(hand.set()) }
    }
}

/// Deals rounds against a banker without an environment, for training and evaluation.
///
/// ```
/// use houseway_env::gym::stream;
/// use houseway_env::pai_gow::{BankerSet, Candidates, Dealer, Game, ProfileTable, Rules};
///
/// let game = Game::new(Rules::default());
/// let banker = ProfileTable::max_front(&game);
/// let dealer = Dealer::new(&game, &banker);
/// let mut rng = stream(1.into());
/// let mut bankers = [BankerSet::default(); 6];
/// let player = dealer.deal(&mut rng, &mut bankers);
/// let rewards = Candidates::new(&game, player.hand()).mean_rewards(&game, &bankers);
/// assert!(rewards.iter().any(|reward| !reward.is_nan()));
/// ```
#[derive(Clone, Copy)]
pub struct Dealer<'a, B: ?Sized> {
    game: &'a Game,
    banker: &'a B,
    profiles: &'static Profiles,
}

impl<'a, B: ProfileStrategy + ?Sized> Dealer<'a, B> {
    /// Creates a dealer. The banker's strategy must be for the same game.
    pub fn new(game: &'a Game, banker: &'a B) -> Dealer<'a, B> {
        Dealer { game, banker, profiles: Profiles::get() }
    }

    /// Deals a hand to the player and fills `bankers` with the banker's set hands. Each of them is uniform over the
    /// 53,524,680 hands that can be made from the cards the player doesn't hold. Six at a time come from the same
    /// shuffle and share no cards, so their mean varies less than the mean of independent hands would. After every six
    /// hands, their cards go back into the pack.
    #[inline]
    pub fn deal(&self, rng: &mut impl Rng, bankers: &mut [BankerSet]) -> Dealt {
        let mut pack = Pack::new(CARDS);
        let player = Dealt::draw(&mut pack, rng).expect("a full pack has a hand");
        pack.set_aside();
        for banker in bankers {
            if pack.left() < Hand::CARDS {
                pack.gather();
            }
            if let Some(dealt) = Dealt::draw(&mut pack, rng) {
                *banker = self.set(dealt);
            }
        }
        player
    }

    /// Sets a banker's hand. See [`Game::banker_set`].
    #[inline]
    pub fn set(&self, banker: Dealt) -> BankerSet {
        self.game.banker_set(banker.hand(), self.banker.set_profile(banker.profile(self.profiles)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;
    use crate::pai_gow::{ProfileTable, Rules};

    #[test]
    fn hands_are_disjoint_and_their_keys_right() {
        let mut rng = stream(3.into());
        for _ in 0..1_000 {
            let mut pack = Pack::new(CARDS);
            let mut seen = CardSet::EMPTY;
            for _ in 0..HANDS {
                let dealt = Dealt::draw(&mut pack, &mut rng).unwrap();
                assert!(seen.intersection(dealt.hand().set()).is_empty());
                assert_eq!((dealt.hand().set().len(), dealt), (7, Dealt::from(dealt.hand())));
                seen = seen.union(dealt.hand().set());
            }
            assert_eq!((pack.left(), Dealt::draw(&mut pack, &mut rng)), (4, None));
        }
    }

    #[test]
    fn bankers_leave_the_player_alone() {
        let game = Game::new(Rules::default());
        let banker = ProfileTable::max_front(&game);
        let dealer = Dealer::new(&game, &banker);
        let (mut rng, mut many) = (stream(5.into()), [BankerSet::default(); 20]);
        for _ in 0..200 {
            let mut same = rng.clone();
            let player = dealer.deal(&mut rng, &mut many);
            assert!(many.iter().all(|set| game.is_legal(set.strengths())));
            // Deal the same stream card by card.
            let mut pack = Pack::new(CARDS);
            assert_eq!(Dealt::draw(&mut pack, &mut same), Some(player));
            for banker in &many[..HANDS - 1] {
                let dealt = Dealt::draw(&mut pack, &mut same).unwrap();
                assert_eq!(dealer.set(dealt), *banker);
            }
            pack = Pack::without(CARDS, player.hand().set());
            while let Some(dealt) = Dealt::draw(&mut pack, &mut same) {
                assert!(dealt.hand().set().intersection(player.hand().set()).is_empty());
            }
            assert_eq!(pack.left(), 4);
        }
    }
}
