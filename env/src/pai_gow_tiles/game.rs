//! The game compiled from its rules.

use super::house_way::{Choice, Way};
use super::{Bank, Commission, Copies, Half, Hand, Rules, SetHand, Tile};
use crate::pai_gow::Outcome;
use std::cmp::Ordering;
use std::sync::Arc;

/// The game, compiled from its rules.
#[derive(Clone)]
pub struct Game {
    rules: Rules,
    way: Arc<Way>,
    /// The strength of every two tiles, by the index of the first one times 32 plus the index of the second one.
    halves: Arc<[Half]>,
}

impl Game {
    /// Creates a game with these rules. The house plays the built-in house way that they name.
    pub fn new(rules: Rules) -> Game {
        let tiles = || (0..Tile::COUNT).map(Tile::from_index);
        let halves = tiles().flat_map(|a| tiles().map(move |b| Half::new(&rules, [a, b]))).collect();
        let way = Way::load(rules.way.name()).expect("the built-in house ways are valid");
        Game { rules, way: Arc::new(way), halves }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the house way of the house.
    pub const fn way(&self) -> &Arc<Way> {
        &self.way
    }

    /// Returns the strength of two tiles.
    #[inline]
    pub fn half(&self, tiles: [Tile; 2]) -> Half {
        self.halves[tiles[0].index() * Tile::COUNT + tiles[1].index()]
    }

    /// Returns the tiles of a setting's low half, followed by those of its high half. Between equal halves, the one
    /// with the best single tile is the high one.
    ///
    /// # Panics
    /// Panics if the setting is greater than 2.
    pub fn ordered(&self, hand: Hand, setting: usize) -> [[Tile; 2]; 2] {
        let [first, second] = hand.split(setting);
        if self.half(first) < self.half(second) { [first, second] } else { [second, first] }
    }

    /// Returns the faces of a setting's low half, followed by those of its high half.
    ///
    /// # Panics
    /// Panics if the setting is greater than 2.
    pub fn faces(&self, hand: Hand, setting: usize) -> [String; 2] {
        self.ordered(hand, setting).map(|tiles| tiles.map(Tile::face).join(" "))
    }

    /// Returns the strengths of the two halves in a setting.
    ///
    /// # Panics
    /// Panics if the setting is greater than 2.
    #[inline]
    pub fn set(&self, hand: Hand, setting: usize) -> SetHand {
        let [first, second] = hand.split(setting).map(|tiles| self.half(tiles));
        SetHand { low: first.min(second), high: first.max(second) }
    }

    /// Returns the strengths of all settings.
    pub fn sets(&self, hand: Hand) -> [SetHand; Hand::SETTINGS] {
        std::array::from_fn(|setting| self.set(hand, setting))
    }

    /// Returns the setting that the house way chooses.
    pub fn house_choice(&self, hand: Hand) -> Choice {
        self.way.choose(self, hand)
    }

    /// Compares the player's set hand with the opponent's. The opponent is the bank unless the player banks.
    #[inline]
    pub fn outcome(&self, player: SetHand, other: SetHand) -> Outcome {
        match (self.won(player.low, other.low), self.won(player.high, other.high)) {
            (Ordering::Greater, Ordering::Greater) => Outcome::Win,
            (Ordering::Less, Ordering::Less) => Outcome::Loss,
            _ => Outcome::Push,
        }
    }

    /// Returns the winner of a comparison of halves, where `Greater` is the player.
    #[inline]
    pub(super) fn won(&self, own: Half, other: Half) -> Ordering {
        match (own.cmp(&other), self.rules.copies) {
            (Ordering::Equal, Copies::Push) => Ordering::Equal,
            (Ordering::Equal, Copies::Bank) if self.rules.bank == Bank::Player => Ordering::Greater,
            (Ordering::Equal, Copies::Bank) => Ordering::Less,
            (different, _) => different,
        }
    }

    /// Returns the number of parts that a stake is divided into, and how many of them the commission on a win takes.
    const fn parts(&self) -> (i64, i64) {
        match self.rules.commission {
            Commission::FivePercent => (20, 1),
            Commission::Prepaid => (21, 1),
            Commission::Rounded => (25, 1),
            Commission::None => (1, 0),
        }
    }

    /// Returns the number of parts that a stake is divided into, so that every result is a whole number of them.
    pub const fn unit(&self) -> i64 {
        self.parts().0
    }

    /// Returns the player's net result in parts of the stake.
    #[inline]
    pub const fn net(&self, outcome: Outcome) -> i64 {
        let (unit, commission) = self.parts();
        match outcome {
            Outcome::Win => unit - commission,
            Outcome::Push => 0,
            Outcome::Loss => -unit,
        }
    }
}
