//! Classes of hands by points, with the distribution of the dealer's hands against each class.

use houseway_env::asian_stud::{Game, Hand, JokerPoints, Points, Rules, Value};
use houseway_env::cards::combinations::binomial;
use rayon::prelude::*;

/// Maximum number of cards with equal points. Sixteen cards are worth ten points.
const MAX_EQUAL: usize = 16;

/// Number of ways to pick up to five of up to sixteen cards.
const WAYS: [[u64; 6]; MAX_EQUAL + 1] = {
    let mut ways = [[0; 6]; MAX_EQUAL + 1];
    let mut n = 0;
    while n <= MAX_EQUAL {
        let mut k = 0;
        while k < 6 {
            ways[n][k] = binomial(n as u64, k as u64);
            k += 1;
        }
        n += 1;
    }
    ways
};

/// A class of hands that differ only in suits or in the choice among tens and court cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Number of cards worth 1, 2, ... 10 points, and of jokers.
    pub counts: [u8; Points::COUNT],
    /// Value of the hand.
    pub value: Value,
    /// Number of hands in the class.
    pub hands: u64,
    /// Number of dealer's hands of each value, given a hand of the class, starting with hands without a set.
    pub dealers: [u64; Value::COUNT],
}

impl Class {
    /// Returns an example of the class, made of the first cards by rank and suit with the required points.
    pub fn example(&self) -> Hand {
        let deck = houseway_env::cards::CardSet::DECK_53;
        let of = |index: usize| deck.iter().filter(move |&card| Points::from_card(card).index() == index);
        let cards = self.counts.iter().enumerate().flat_map(|(index, &n)| of(index).take(n.into()));
        Hand::new(cards.collect()).expect("a class has five cards")
    }
}

/// All classes under one reading of the joker.
#[derive(Clone, Debug)]
pub struct HandClasses {
    joker: JokerPoints,
    classes: Vec<Class>,
}

/// The point values of a dealer's five cards, as pairs of points and number of cards.
struct Held {
    kinds: Vec<(usize, usize)>,
    value: Value,
}

impl HandClasses {
    /// Enumerates the classes, with the dealer's hands against each (0.1 s).
    pub fn new(joker: JokerPoints) -> HandClasses {
        let pack = joker.cards();
        let game = Game::new(Rules { joker, ..Rules::default() });
        let cards: [usize; Points::COUNT] = std::array::from_fn(|index| Points::from_index(index).cards(pack));
        let mut multisets = Vec::new();
        add_multisets(&cards, 0, 5, &mut [0; Points::COUNT], &mut multisets);
        let held: Vec<Held> = multisets.iter().map(|counts| Held::new(counts, &game)).collect();
        let class = |counts: &[u8; Points::COUNT]| {
            let hands = counts.iter().zip(cards).map(|(&n, cards)| WAYS[cards][usize::from(n)]).product();
            let left = std::array::from_fn(|index| cards[index] - usize::from(counts[index]));
            Class { counts: *counts, value: game.value_of_counts(counts), hands, dealers: dealers(&left, &held) }
        };
        HandClasses { joker, classes: multisets.par_iter().map(class).collect() }
    }

    /// Returns the reading of the joker that the classes are based on.
    pub const fn joker(&self) -> JokerPoints {
        self.joker
    }

    /// Returns the classes.
    pub fn all(&self) -> &[Class] {
        &self.classes
    }

    /// Returns the class of a hand, or `None` if the hand has a joker and the pack does not.
    pub fn find(&self, hand: Hand) -> Option<&Class> {
        let counts = hand.counts();
        // Classes are sorted by their counts in descending order.
        let place = self.classes.binary_search_by(|class| counts.cmp(&class.counts)).ok()?;
        Some(&self.classes[place])
    }

    /// Returns the number of five-card hands: 2,869,685 with a joker.
    pub const fn hands(&self) -> u64 {
        binomial(self.joker.cards() as u64, 5)
    }

    /// Returns the number of dealer's hands given the player's: 1,712,304 with a joker.
    pub const fn dealer_hands(&self) -> u64 {
        binomial(self.joker.cards() as u64 - 5, 5)
    }

    /// Returns the number of deals of a player's and a dealer's hand.
    pub const fn deals(&self) -> u64 {
        self.hands() * self.dealer_hands()
    }
}

/// Adds all multisets of `left` more cards with points from `index` on, in descending lexicographic order.
fn add_multisets(
    cards: &[usize; Points::COUNT],
    index: usize,
    left: usize,
    counts: &mut [u8; Points::COUNT],
    to: &mut Vec<[u8; Points::COUNT]>,
) {
    if index == Points::COUNT {
        if left == 0 {
            to.push(*counts);
        }
        return;
    }
    for n in (0..=left.min(cards[index])).rev() {
        counts[index] = n as u8;
        add_multisets(cards, index + 1, left - n, counts, to);
    }
    counts[index] = 0;
}

impl Held {
    fn new(counts: &[u8; Points::COUNT], game: &Game) -> Held {
        let kinds = counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(index, &n)| (index, n.into()));
        Held { kinds: kinds.collect(), value: game.value_of_counts(counts) }
    }
}

/// Returns the number of hands of each value among the remaining cards.
fn dealers(left: &[usize; Points::COUNT], held: &[Held]) -> [u64; Value::COUNT] {
    let mut dealers = [0; Value::COUNT];
    for hand in held {
        dealers[hand.value.index()] += hand.kinds.iter().map(|&(index, n)| WAYS[left[index]][n]).product::<u64>();
    }
    dealers
}
