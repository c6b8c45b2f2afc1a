//! Dealing: exactly uniform hands from a shuffled deck, without ceremony and without allocation.
//!
//! Seven cards are drawn by a partial Fisher-Yates shuffle. Its seven bounded draws come out of one 64-bit random number
//! (the method of Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024): the number times n is
//! a draw below n in its upper half and fresh bits in its lower half, again and again. With the product p of the seven
//! bounds the draws are exactly uniform if numbers whose last lower half is below 2^64 mod p are thrown away, which
//! happens less than once in ten million deals.

use super::{Candidates, Game, Hand, ProfileStrategy, SetHand, Setting};
use crate::cards::key::Key;
use crate::cards::profile::{Profile, Profiles};
use crate::cards::{Card, CardSet};
use rand::Rng;

/// Cards in the deck.
const CARDS: usize = 53;
/// Hands that a whole deck gives.
pub const HANDS: usize = CARDS / Hand::CARDS;
/// Banker's hands that the deck gives beside the player's.
pub const BANKERS: usize = HANDS - 1;

/// A dealt hand and the key of its cards, which gives its profile with two look-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dealt {
    hand: Hand,
    key: Key,
}

impl Dealt {
    /// The hand.
    #[inline]
    pub const fn hand(&self) -> Hand {
        self.hand
    }

    /// The sum of the keys of its cards.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// Its profile.
    #[inline]
    pub fn profile(&self, profiles: &Profiles) -> Profile {
        profiles.of_key(self.key, || self.hand.set())
    }
}

impl From<Hand> for Dealt {
    fn from(hand: Hand) -> Dealt {
        Dealt { hand, key: Key::of_set(hand.set()) }
    }
}

/// The product of the seven bounds when this many cards are left.
const fn bounds(left: usize) -> u64 {
    let (mut product, mut i) = (1, 0);
    while i < Hand::CARDS {
        product *= (left - i) as u64;
        i += 1;
    }
    product
}

/// By the number of cards left, what is left of 2^64 by the product of the bounds.
const REMAINDERS: [u64; CARDS + 1] = {
    let mut remainders = [0; CARDS + 1];
    let mut left = Hand::CARDS;
    while left <= CARDS {
        remainders[left] = bounds(left).wrapping_neg() % bounds(left);
        left += 1;
    }
    remainders
};

/// The deck of 53, or what is left of it, in an order that only [`Deck::deal`] changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    cards: [u8; CARDS],
    left: usize,
    whole: usize,
}

impl Default for Deck {
    fn default() -> Deck {
        Deck::new()
    }
}

impl Deck {
    /// All 53 cards.
    pub fn new() -> Deck {
        const SORTED: [u8; CARDS] = {
            let mut cards = [0; CARDS];
            let mut i = 0;
            while i < CARDS {
                cards[i] = i as u8;
                i += 1;
            }
            cards
        };
        Deck { cards: SORTED, left: CARDS, whole: CARDS }
    }

    /// The 46 cards that are not in a hand.
    pub fn without(hand: Hand) -> Deck {
        let mut deck = Deck { cards: [0; CARDS], left: CARDS - Hand::CARDS, whole: CARDS - Hand::CARDS };
        let others = (0..CARDS as u8).filter(|&i| hand.set().bits() >> i & 1 == 0);
        deck.cards.iter_mut().zip(others).for_each(|(place, card)| *place = card);
        deck
    }

    /// How many cards are left.
    pub const fn left(&self) -> usize {
        self.left
    }

    /// Takes all dealt cards back. Hands dealt afterwards are uniform again, whatever was dealt before.
    pub const fn gather(&mut self) {
        self.left = self.whole;
    }

    /// Seven of the cards left, each set of seven with the same chance; `None` if fewer are left.
    #[inline]
    pub fn deal(&mut self, rng: &mut impl Rng) -> Option<Dealt> {
        if self.left < Hand::CARDS {
            return None;
        }
        let remainder = REMAINDERS[self.left];
        let draws = loop {
            let mut bits = rng.next_u64();
            let draws: [usize; Hand::CARDS] = std::array::from_fn(|i| {
                let wide = u128::from(bits) * (self.left - i) as u128;
                bits = wide as u64;
                (wide >> 64) as usize
            });
            if bits >= remainder {
                break draws;
            }
        };
        let (mut set, mut key) = (0, Key::default());
        for draw in draws {
            self.left -= 1;
            self.cards.swap(draw, self.left);
            let index = self.cards[self.left];
            set |= 1 << index;
            key = key + Card::from_index(index).map_or(Key::default(), Key::of);
        }
        Some(Dealt { hand: Hand::of_seven(CardSet::from_bits(set)), key })
    }
}

/// Deals rounds against one banker, for training and measuring without an environment around it.
///
/// ```
/// use houseway_env::gym::stream;
/// use houseway_env::pai_gow::{Candidates, Dealer, Game, ProfileTable, Rules, SetHand};
///
/// let game = Game::new(Rules::default());
/// let banker = ProfileTable::highest_front(&game);
/// let dealer = Dealer::new(&game, &banker);
/// let mut rng = stream(1.into());
/// let mut bankers = [SetHand::default(); 6];
/// let player = dealer.deal(&mut rng, &mut bankers);
/// let rewards = Candidates::of(&game, player.hand()).mean_rewards(&game, &bankers);
/// assert!(rewards.iter().any(|reward| !reward.is_nan()));
/// ```
#[derive(Clone, Copy)]
pub struct Dealer<'a, B: ?Sized> {
    game: &'a Game,
    banker: &'a B,
    profiles: &'static Profiles,
}

impl<'a, B: ProfileStrategy + ?Sized> Dealer<'a, B> {
    /// A dealer whose banker sets by a strategy made for the same game.
    pub fn new(game: &'a Game, banker: &'a B) -> Dealer<'a, B> {
        Dealer { game, banker, profiles: Profiles::get() }
    }

    /// The game.
    pub fn game(&self) -> &'a Game {
        self.game
    }

    /// Deals a hand to the player, and sets as many banker's hands as `bankers` has room for: each is uniform over the
    /// 53,524,680 hands of the cards that the player does not hold. Every six of them come from one shuffle and share no
    /// card, which makes their mean vary less than that of independent ones; more than six take the cards back first.
    #[inline]
    pub fn deal(&self, rng: &mut impl Rng, bankers: &mut [SetHand]) -> Dealt {
        let mut deck = Deck::new();
        loop {
            if let Some(player) = deck.deal(rng) {
                // The player's cards stay where they are, behind all others.
                deck.whole = deck.left;
                self.fill(&mut deck, rng, bankers);
                return player;
            }
        }
    }

    /// Sets banker's hands as [`Dealer::deal`] does, against a given hand.
    pub fn deal_against(&self, player: Hand, rng: &mut impl Rng, bankers: &mut [SetHand]) {
        self.fill(&mut Deck::without(player), rng, bankers);
    }

    /// What the banker makes of a hand, as [`Game::banker_set`] gives it.
    #[inline]
    pub fn set(&self, banker: Dealt) -> SetHand {
        self.game.banker_set(banker.hand(), self.banker.set_profile(banker.profile(self.profiles)))
    }

    /// The candidates of a player's hand and the mean reward of each setting over `hands` banker's hands, at most
    /// [`BANKERS`]: the target of learning by all actions. NaN for fouls.
    pub fn deal_rewards(&self, rng: &mut impl Rng, hands: usize) -> (Candidates, [f32; Setting::COUNT]) {
        let mut bankers = [SetHand::default(); BANKERS];
        let bankers = &mut bankers[..hands.min(BANKERS)];
        let player = self.deal(rng, bankers);
        let candidates = Candidates::of(self.game, player.hand());
        (candidates, candidates.mean_rewards(self.game, bankers))
    }

    #[inline]
    fn fill(&self, deck: &mut Deck, rng: &mut impl Rng, bankers: &mut [SetHand]) {
        for banker in bankers {
            if deck.left < Hand::CARDS {
                deck.gather();
            }
            if let Some(dealt) = deck.deal(rng) {
                *banker = self.set(dealt);
            }
        }
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
            let mut deck = Deck::new();
            let mut seen = CardSet::EMPTY;
            for _ in 0..HANDS {
                let dealt = deck.deal(&mut rng).unwrap();
                assert!(seen.intersection(dealt.hand().set()).is_empty());
                assert_eq!((dealt.hand().set().len(), dealt), (7, Dealt::from(dealt.hand())));
                seen = seen.union(dealt.hand().set());
            }
            assert_eq!((deck.left(), deck.deal(&mut rng)), (4, None));
        }
    }

    /// A generator that returns given numbers, to look at the ends of the range of random numbers.
    struct Given(Vec<u64>);

    impl rand::TryRng for Given {
        type Error = std::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            self.try_next_u64().map(|x| x as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(self.0.pop().expect("no more numbers than given"))
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
            unreachable!("deals draw whole numbers")
        }
    }

    #[test]
    fn numbers_that_would_favour_a_hand_are_thrown_away() {
        // 2^64 is not a multiple of the product of the bounds: 0 is the first of the numbers left over.
        let (product, remainder) = (bounds(53), REMAINDERS[53]);
        assert_eq!(product, 53 * 52 * 51 * 50 * 49 * 48 * 47);
        assert_eq!((u128::from(remainder) + (1u128 << 64) / u128::from(product) * u128::from(product)) >> 64, 1);
        let mut two = Given(vec![u64::MAX, 0]);
        assert!(Deck::new().deal(&mut two).is_some() && two.0.is_empty(), "0 was taken");
        let mut one = Given(vec![0, u64::MAX]);
        assert!(Deck::new().deal(&mut one).is_some() && one.0 == [0], "the highest number was thrown away");
    }

    #[test]
    fn draws_of_a_small_deck_are_exactly_uniform() {
        // The method on bounds 5, 4, 3 and 8-bit numbers, all 256 of them: 256 mod 60 = 16 are thrown away, and each of
        // the 60 results comes 4 times.
        let mut counts = [[[0; 3]; 4]; 5];
        for number in 0..=255u8 {
            let mut bits = number;
            let draws = [5u16, 4, 3].map(|bound| {
                let wide = u16::from(bits) * bound;
                bits = wide as u8;
                (wide >> 8) as usize
            });
            if bits >= (256u16 % 60) as u8 {
                counts[draws[0]][draws[1]][draws[2]] += 1;
            }
        }
        assert_eq!(counts, [[[4; 3]; 4]; 5]);
    }

    #[test]
    fn every_card_comes_as_often_in_every_hand() {
        // 53 cards by 7 hands of 300,000 shuffles: 371 counts, each binomial with mean 39,623 and deviation 185.4. The
        // highest of them is below 4.5 deviations but once in 400 seeds; this seed is fixed.
        let shuffles = 300_000;
        let mut counts = [[0u32; CARDS]; HANDS];
        let (mut rng, mut deck) = (stream(11.into()), Deck::new());
        for _ in 0..shuffles {
            deck.gather();
            for count in &mut counts {
                for card in deck.deal(&mut rng).unwrap().hand().cards() {
                    count[card.index()] += 1;
                }
            }
        }
        let p = 7.0 / 53.0;
        let (mean, deviation) = (f64::from(shuffles) * p, (f64::from(shuffles) * p * (1.0 - p)).sqrt());
        for count in counts.iter().flatten() {
            assert!((f64::from(*count) - mean).abs() < 4.5 * deviation, "{count} is not near {mean}");
        }
    }

    #[test]
    fn bankers_leave_the_player_alone() {
        let game = Game::new(Rules::default());
        let banker = ProfileTable::highest_front(&game);
        let dealer = Dealer::new(&game, &banker);
        let (mut rng, mut many) = (stream(5.into()), [SetHand::default(); 20]);
        for _ in 0..200 {
            let player = dealer.deal(&mut rng, &mut many);
            assert!(many.iter().all(|set| game.is_legal(*set)));
            // The same stream, dealt by hand.
            let mut deck = Deck::without(player.hand());
            assert_eq!(deck.left(), 46);
            for _ in 0..BANKERS {
                let dealt = deck.deal(&mut rng).unwrap();
                assert!(dealt.hand().set().intersection(player.hand().set()).is_empty());
            }
            assert_eq!((deck.left(), deck.deal(&mut rng)), (4, None));
            deck.gather();
            assert_eq!(deck.left(), 46);
        }
        let (candidates, rewards) = dealer.deal_rewards(&mut rng, 6);
        assert!(Setting::all().all(|setting| rewards[setting.index()].is_nan() != candidates.is_legal(setting)));
    }
}
