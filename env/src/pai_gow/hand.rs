//! Seven-card hands, their 21 settings, and set hands.

use crate::cards::profile::{Profile, Profiles};
use crate::cards::{Card, CardSet, impl_hand_text};
use crate::names::InvalidText;
use crate::rank::{FiveStrength, TwoStrength};
use serde::{Deserialize, Serialize};

/// A hand of seven cards from the 53-card deck.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hand(CardSet);

impl Hand {
    /// The number of cards in a hand.
    pub const CARDS: usize = 7;

    /// Creates a hand from a set of cards.
    ///
    /// # Errors
    /// Returns an error if there are not exactly seven cards, or if one of them is the second joker.
    pub fn new(cards: CardSet) -> Result<Hand, InvalidText> {
        cards.check_hand(Hand::CARDS, CardSet::DECK_53).map(Hand)
    }

    /// Returns a hand with the given profile, which stands for all of them. The profile determines the strengths of all
    /// its settings.
    pub fn representative(profile: Profile) -> Hand {
        Hand::from_seven(Profiles::get().representative(profile))
    }

    /// Creates a hand from cards that are known to be seven cards from the 53-card deck.
    #[inline]
    pub(super) fn from_seven(cards: CardSet) -> Hand {
        debug_assert!(Hand::new(cards).is_ok());
        Hand(cards)
    }

    /// Returns the cards as a set.
    #[inline]
    pub const fn set(self) -> CardSet {
        self.0
    }

    /// Returns the cards by position. The joker comes first, followed by A, K, ... 2. Cards with the same rank are in
    /// the order s, h, d, c.
    pub fn cards(self) -> [Card; 7] {
        let mut cards = [Card::JOKER; 7];
        cards.iter_mut().zip(self.0.iter()).for_each(|(place, card)| *place = card);
        cards
    }
}

impl_hand_text!(Hand);

impl TryFrom<String> for Hand {
    type Error = InvalidText;

    fn try_from(text: String) -> Result<Hand, InvalidText> {
        text.parse()
    }
}

impl From<Hand> for String {
    fn from(hand: Hand) -> String {
        hand.to_string()
    }
}

/// One of the 21 settings of a hand, identified by the positions `(a, b)`, a < b, of the two cards in front.
///
/// Settings are numbered in lexicographic order: (0,1) = 0, (0,2) = 1, ... (5,6) = 20. Positions refer to the order of
/// [`Hand::cards`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting(u8);

const POSITIONS: [(u8, u8); Setting::COUNT] = {
    let mut positions = [(0, 0); Setting::COUNT];
    let (mut i, mut a) = (0, 0);
    while a < 7 {
        let mut b = a + 1;
        while b < 7 {
            positions[i] = (a, b);
            i += 1;
            b += 1;
        }
        a += 1;
    }
    positions
};

impl Setting {
    /// The number of settings per hand.
    pub const COUNT: usize = 21;

    /// Returns all settings in order.
    pub fn all() -> impl ExactSizeIterator<Item = Setting> + Clone {
        (0..Self::COUNT as u8).map(Setting)
    }

    /// Returns the setting with this index from 0 to 20, or `None` if the index is out of range.
    pub const fn from_index(index: usize) -> Option<Setting> {
        if index < Self::COUNT { Some(Setting(index as u8)) } else { None }
    }

    /// Returns the index, from 0 to 20.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the setting that puts the cards at two positions in front.
    ///
    /// # Panics
    /// Panics unless the positions are different numbers from 0 to 6.
    #[inline]
    pub const fn from_positions(a: usize, b: usize) -> Setting {
        assert!(a != b && a < 7 && b < 7, "the positions must be different numbers from 0 to 6");
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        Setting((a * (13 - a) / 2 + b - a - 1) as u8)
    }

    /// Returns the positions of the two cards in front, in ascending order.
    #[inline]
    pub const fn positions(self) -> (usize, usize) {
        let (a, b) = POSITIONS[self.index()];
        (a as usize, b as usize)
    }

    /// Returns a description such as `cards 1 and 2 in front`, where card 1 is the highest.
    pub fn meaning(self) -> String {
        let (a, b) = self.positions();
        format!("cards {} and {} in front", a + 1, b + 1)
    }

    /// Returns the setting that puts two specific cards in front, or `None` if the hand does not contain them.
    pub fn with_front(hand: Hand, front: CardSet) -> Option<Setting> {
        let cards = hand.cards();
        let mut places = (0..7).filter(|&i| front.contains(cards[i]));
        match (front.len(), places.next(), places.next()) {
            (2, Some(a), Some(b)) => Some(Setting::from_positions(a, b)),
            _ => None,
        }
    }

    /// Returns the two cards in front.
    pub fn front(self, hand: Hand) -> CardSet {
        let (cards, (a, b)) = (hand.cards(), self.positions());
        CardSet::EMPTY.with(cards[a]).with(cards[b])
    }

    /// Returns the five cards in back.
    pub fn back(self, hand: Hand) -> CardSet {
        hand.set().difference(self.front(hand))
    }
}

/// A set hand, represented by the strengths of its back and front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct SetHand {
    /// The strength of the five-card hand.
    pub back: FiveStrength,
    /// The strength of the two-card hand.
    pub front: TwoStrength,
}

impl SetHand {
    /// Returns `true` if this set hand is at least as strong as the other one in both back and front and stronger in
    /// one of them. A player then does at least as well with it against every banker, no matter what the rule for
    /// copies is. This is not true for a banker under a rule of [`BankPushes`](super::BankPushes) about fronts,
    /// where a stronger front can have a lower EV.
    pub fn dominates(self, other: SetHand) -> bool {
        self.back >= other.back && self.front >= other.front && self != other
    }
}

/// A banker's set hand in the form that bets are compared with. This is either its strengths or a marker that every bet
/// pushes.
///
/// [`Game::banker_set`](super::Game::banker_set) chooses between the two according to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct BankerSet(SetHand);

impl BankerSet {
    /// The marker that every bet pushes.
    pub const PUSHES: BankerSet =
        BankerSet(SetHand { back: FiveStrength::from_index(u16::MAX as usize), front: TwoStrength::from_index(0) });

    /// Creates a banker's set hand for rules without [`BankPushes`](super::BankPushes).
    pub const fn plain(set: SetHand) -> BankerSet {
        BankerSet(set)
    }

    /// Returns `true` if every bet pushes.
    #[inline]
    pub fn pushes(self) -> bool {
        self == BankerSet::PUSHES
    }

    /// Returns the strengths. For [`BankerSet::PUSHES`], these are sentinels that no cards have, and the back is above
    /// every real strength.
    #[inline]
    pub const fn strengths(self) -> SetHand {
        self.0
    }
}

/// A split of all hands by their ranks. Hands with the same ranks always belong to the same part. They often have
/// nearly the same EVs, so a split that ignored the ranks would let a model look up the answer in its training data.
///
/// `houseway.tables.is_held_out` in the Python package computes the same split.
///
/// ```
/// use houseway_env::pai_gow::{Hand, RankSplit};
///
/// let hand: Hand = "2d Jk As Qd Th 2c 8c".parse()?;
/// assert!(RankSplit::default().is_held_out(hand));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSplit {
    /// The fraction of all rank combinations in the validation part, from 0 to 1.
    pub held_out: f64,
    /// A number that selects one of many splits.
    pub seed: u64,
}

impl Default for RankSplit {
    /// Returns the split that holds out a tenth of all rank combinations.
    fn default() -> RankSplit {
        RankSplit { held_out: 0.1, seed: 0 }
    }
}

impl RankSplit {
    /// The number of ranks, where the joker counts as one.
    const RANKS: u64 = 14;

    /// Returns `true` if a hand belongs to the validation part.
    pub fn is_held_out(self, hand: Hand) -> bool {
        let mut ranks = hand.cards().map(|card| card.index() as u64 / 4);
        ranks.sort_unstable();
        let number = ranks.iter().rfold(0, |number, rank| number * RankSplit::RANKS + rank);
        let key = number.wrapping_add(RankSplit::RANKS.pow(7).wrapping_mul(self.seed));
        (mix(key) >> 11) as f64 * 2f64.powi(-53) < self.held_out
    }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014), which makes all bits depend on the key.
fn mix(mut key: u64) -> u64 {
    for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
        key = (key ^ (key >> shift)).wrapping_mul(factor);
    }
    key ^ (key >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_numbered_lexicographically() {
        let mut expected = 0;
        for a in 0..7 {
            for b in a + 1..7 {
                let setting = Setting::from_positions(b, a);
                assert_eq!((setting.index(), setting.positions()), (expected, (a, b)));
                expected += 1;
            }
        }
        assert_eq!(expected, Setting::COUNT);
    }

    #[test]
    fn front_and_back_partition_the_hand() {
        let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse().unwrap();
        assert_eq!(hand.to_string(), "Jk As Kd 7d 7c 3s 2h");
        let setting = Setting::from_index(0).unwrap();
        assert_eq!(setting.front(hand).to_string(), "Jk As");
        assert_eq!(setting.back(hand).to_string(), "Kd 7d 7c 3s 2h");
        for setting in Setting::all() {
            assert_eq!(Setting::with_front(hand, setting.front(hand)), Some(setting));
        }
        assert_eq!(Setting::with_front(hand, "As Ah".parse().unwrap()), None);
    }

    #[test]
    fn invalid_hands_are_rejected() {
        assert!("As Kd".parse::<Hand>().unwrap_err().to_string().contains("a hand has 7 cards"));
        assert!("As Kd Jk2 7c 7d 2h 3s".parse::<Hand>().unwrap_err().to_string().contains("not in the deck"));
    }

    /// The Python package tests the same examples.
    #[test]
    fn the_split_is_that_of_the_python_package() {
        for (hand, expected) in [
            ("As Kd Jk 7c 7d 2h 3s", [false, true, true]),
            ("Ad Kc Jk 7s 7h 2d 3c", [false, true, true]),
            ("Ks Kd Jh Jc 7d 7h 3s", [false, true, false]),
            ("As Ad Kh Kc Qs Qd 3c", [false, false, true]),
            ("Th 9h 8h 7h 6h 5h 4h", [false, true, false]),
            ("2d Jk As Qd Th 2c 8c", [true, true, true]),
            ("Tc Qh 5c 6s 6h Jd 9s", [true, true, true]),
        ] {
            let hand: Hand = hand.parse().unwrap();
            let splits = [(0.1, 0), (0.5, 0), (0.5, 1)].map(|(held_out, seed)| RankSplit { held_out, seed });
            assert_eq!(splits.map(|split| split.is_held_out(hand)), expected, "{hand}");
        }
    }

    #[test]
    fn all_or_no_hands_may_be_held_out() {
        let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse().unwrap();
        for seed in [0, 1, u64::MAX] {
            assert!(RankSplit { held_out: 1.0, seed }.is_held_out(hand));
            assert!(!RankSplit { held_out: 0.0, seed }.is_held_out(hand));
        }
    }
}
