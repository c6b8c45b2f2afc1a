//! Groups hands into classes by points, and finds the distribution of the dealer's hands against each class.

use houseway_env::asian_stud::{Game, Hand, JokerPoints, Points, Rules, Value};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::binomial;
use rayon::prelude::*;

/// The maximum number of cards with equal points. Sixteen cards are worth ten points.
const MAX_EQUAL: usize = 16;

/// The number of ways to choose up to five cards out of up to sixteen.
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

/// A class of hands that differ only in their suits, or in which tens and court cards they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The number of cards worth 1, 2, ... 10 points, followed by the number of jokers.
    pub counts: [u8; Points::COUNT],
    /// The value of the hands.
    pub value: Value,
    /// The number of hands in the class.
    pub hands: u64,
    /// The number of dealer hands with each value, given a hand in the class. The first entry counts hands without a
    /// set.
    pub dealers: [u64; Value::COUNT],
}

impl Class {
    /// Returns the total number of dealer hands, given a hand in the class.
    pub fn dealer_hands(&self) -> u64 {
        self.dealers.iter().sum()
    }

    /// Returns an example hand, made up of the first cards by rank and suit that have the required points.
    pub fn example(&self) -> Hand {
        let deck = CardSet::DECK_53;
        let of = |index: usize| deck.iter().filter(move |&card| Points::from_card(card).index() == index);
        let cards = self.counts.iter().enumerate().flat_map(|(index, &n)| of(index).take(n.into()));
        Hand::new(cards.collect()).expect("a class has five cards")
    }
}

/// All hand classes under one reading of the joker.
#[derive(Clone, Debug)]
pub struct HandClasses {
    joker: JokerPoints,
    classes: Vec<Class>,
}

/// The point values in a dealer's hand, stored as (point index, card count) pairs.
struct Held {
    kinds: Vec<(usize, usize)>,
    value: Value,
}

impl HandClasses {
    /// Enumerates the classes and the dealer's hands against each of them. This takes about 0.1 s.
    pub fn new(joker: JokerPoints) -> HandClasses {
        let game = Game::new(Rules { joker, ..Rules::default() });
        let (cards, multisets) = multisets(joker);
        let held: Vec<Held> = multisets.iter().map(|counts| Held::new(counts, &game)).collect();
        let class = |counts: &[u8; Points::COUNT]| {
            let hands = counts.iter().zip(cards).map(|(&n, cards)| WAYS[cards][usize::from(n)]).product();
            let left = std::array::from_fn(|index| cards[index] - usize::from(counts[index]));
            Class { counts: *counts, value: game.value_of_counts(counts), hands, dealers: dealers(&left, &held) }
        };
        HandClasses { joker, classes: multisets.par_iter().map(class).collect() }
    }

    /// Returns the joker reading behind these classes.
    pub const fn joker(&self) -> JokerPoints {
        self.joker
    }

    /// Returns the classes.
    pub fn all(&self) -> &[Class] {
        &self.classes
    }

    /// Returns the class of a hand, or `None` if the hand has a joker but the pack doesn't.
    pub fn find(&self, hand: Hand) -> Option<&Class> {
        let counts = hand.counts();
        // The classes are sorted by their counts in descending order.
        let place = self.classes.binary_search_by(|class| counts.cmp(&class.counts)).ok()?;
        Some(&self.classes[place])
    }

    /// Returns a copy of a class in which the dealer's hands contain no dead cards. The pack must hold the dead cards
    /// in addition to a hand from the class.
    pub(super) fn beside(&self, class: &Class, dead: CardSet) -> Class {
        let game = Game::new(Rules { joker: self.joker, ..Rules::default() });
        let (mut left, multisets) = multisets(self.joker);
        left.iter_mut().zip(class.counts).for_each(|(left, n)| *left -= usize::from(n));
        dead.iter().for_each(|card| left[Points::from_card(card).index()] -= 1);
        let held: Vec<Held> = multisets.iter().map(|counts| Held::new(counts, &game)).collect();
        Class { dealers: dealers(&left, &held), ..class.clone() }
    }

    /// Returns the number of five-card hands, which is 2,869,685 with a joker.
    pub const fn hands(&self) -> u64 {
        binomial(self.joker.cards() as u64, 5)
    }

    /// Returns the number of dealer hands given the player's hand, which is 1,712,304 with a joker.
    pub const fn dealer_hands(&self) -> u64 {
        binomial(self.joker.cards() as u64 - 5, 5)
    }

    /// Returns the number of deals, counting the player's and the dealer's hand.
    pub const fn deals(&self) -> u64 {
        self.hands() * self.dealer_hands()
    }
}

/// Returns the number of cards with each number of points, and all multisets of five of them in descending
/// lexicographic order.
fn multisets(joker: JokerPoints) -> ([usize; Points::COUNT], Vec<[u8; Points::COUNT]>) {
    let cards = std::array::from_fn(|index| Points::from_index(index).cards(joker.cards()));
    let mut multisets = Vec::new();
    add_multisets(&cards, 0, 5, &mut [0; Points::COUNT], &mut multisets);
    (cards, multisets)
}

/// Adds all multisets with `left` more cards whose point index is at least `index`, in descending lexicographic order.
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

/// Returns the number of hands with each value among the remaining cards.
fn dealers(left: &[usize; Points::COUNT], held: &[Held]) -> [u64; Value::COUNT] {
    let mut dealers = [0; Value::COUNT];
    for hand in held {
        dealers[hand.value.index()] += hand.kinds.iter().map(|&(index, n)| WAYS[left[index]][n]).product::<u64>();
    }
    dealers
}
