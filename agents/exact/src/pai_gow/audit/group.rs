//! Groups of hands with readable names, such as "two pairs KK 66, single ace".

use crate::pai_gow::whole::ClassCounts;
use houseway_env::cards::Rank;
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Game, Hand};
use houseway_env::rank::Category;
use std::fmt;

/// The kinds of complete five-card hands that a hand can play in the back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Complete {
    /// No complete hand.
    #[default]
    None,
    /// A straight.
    Straight,
    /// A flush.
    Flush,
    /// Either a straight or, with different cards, a flush.
    StraightOrFlush,
    /// A straight flush or royal flush.
    StraightFlush,
}

/// A group of hands that have the same shape, the same ranks for pairs and sets, the same highest single cards and the
/// same complete hands. The joker counts as an ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    shape: u8,
    /// The repeated ranks, each as a rank and its number of cards. Sorted by number and then rank, both descending, and
    /// padded with zeros.
    parts: [(u8, u8); 3],
    /// The highest rank that occurs once, or the two highest if there is no pair.
    singles: [Option<u8>; 2],
    complete: Complete,
}

impl Group {
    /// Groups a hand by its ranks, ignoring complete hands.
    fn by_ranks(hand: Hand) -> Group {
        let mut counts = [0u8; 13];
        hand.cards().iter().for_each(|card| counts[card.rank().unwrap_or(Rank::Ace).index()] += 1);
        let shape = Shape::from_counts(&counts);
        let ranks = (0..13u8).rev().map(|rank| (counts[usize::from(rank)], rank));
        let mut parts = [(0, 0); 3];
        let mut many: Vec<(u8, u8)> = ranks.clone().filter(|&(n, _)| n > 1).collect();
        many.sort_by(|a, b| b.cmp(a));
        parts.iter_mut().zip(many).for_each(|(part, known)| *part = known);
        let mut single = ranks.filter(|&(n, _)| n == 1).map(|(_, rank)| rank);
        let highest = single.next();
        let second = if shape == Shape::NoPair { single.next() } else { None };
        Group { shape: shape as u8, parts, singles: [highest, second], complete: Complete::None }
    }

    /// Returns the group of each class. All classes must have the same ranks.
    pub(super) fn of_classes(game: &Game, classes: &[ClassCounts]) -> impl Iterator<Item = Group> {
        let by_ranks = classes.first().map(|class| Group::by_ranks(class.hand));
        let complete = move |class: &ClassCounts| {
            let backs = class.legal_settings().map(|setting| class.sets[setting.index()].back);
            complete(backs.map(|back| game.ranking().category(back)))
        };
        classes.iter().filter_map(move |class| Some(Group { complete: complete(class), ..by_ranks? }))
    }

    /// Returns the group of a hand.
    pub fn new(game: &Game, hand: Hand) -> Group {
        let legal = game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set));
        let backs = legal.map(|set| game.ranking().category(set.back));
        Group { complete: complete(backs), ..Group::by_ranks(hand) }
    }

    /// Returns the shape of the hands.
    pub fn shape(self) -> Shape {
        Shape::ALL[usize::from(self.shape)]
    }

    /// Returns the complete hands that can be played.
    pub fn complete(self) -> Complete {
        self.complete
    }
}

/// Returns the complete hands among the categories of all backs that can be played.
fn complete(backs: impl Iterator<Item = Category>) -> Complete {
    let (mut straight, mut flush) = (false, false);
    for back in backs {
        match back {
            Category::StraightFlush | Category::RoyalFlush => return Complete::StraightFlush,
            Category::Straight => straight = true,
            Category::Flush => flush = true,
            _ => {}
        }
    }
    match (straight, flush) {
        (false, false) => Complete::None,
        (true, false) => Complete::Straight,
        (false, true) => Complete::Flush,
        (true, true) => Complete::StraightOrFlush,
    }
}

/// Returns the name of a rank, given its index.
fn word(rank: u8) -> &'static str {
    ["2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"][usize::from(rank)]
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.shape().name().to_owned();
        for &(n, rank) in self.parts.iter().filter(|(n, _)| *n > 0) {
            text += " ";
            text += &Rank::from_index(rank.into()).to_string().repeat(n.into());
        }
        match self.singles {
            [Some(highest), Some(second)] => text += &format!(", {} {}", word(highest), word(second)),
            [Some(highest), None] => text += &format!(", single {}", word(highest)),
            _ => {}
        }
        text += match self.complete {
            Complete::None => "",
            Complete::Straight => ", with a straight",
            Complete::Flush => ", with a flush",
            Complete::StraightOrFlush => ", with a straight and a flush",
            Complete::StraightFlush => ", with a straight flush",
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;

    #[test]
    fn groups_have_readable_names() {
        for (hand, name) in [
            ("As Kd Kc 6d 6c 3s 2h", "two pairs KK 66, single ace"),
            ("Jk As Kd 7d 7c 3s 2h", "two pairs AA 77, single king"),
            ("As Kd Qh 9c 7d 5h 3s", "no pair, ace king"),
            ("Ts Td Tc 9h 9s 4d 4c", "full house and a pair TTT 99 44"),
            ("Jk As Ad Ah Ac 2s 2d", "five aces and a pair AAAAA 22"),
            ("9s 9d 9c 9h Ts Td Tc", "four and three of a kind 9999 TTT"),
            ("Qs Qd 8c 7h 5s 3d 2c", "one pair QQ, single 8"),
        ] {
            assert_eq!(Group::by_ranks(hand.parse().unwrap()).to_string(), name);
        }
        let game = Game::new(Rules::default());
        for (hand, name) in [
            ("As Kd Qh 9c 7d 5h 3s", "no pair, ace king"),
            ("As Ks Qs 9s 7s 5h 3d", "no pair, ace king, with a flush"),
            ("As Kd Qh Jc Td 5d 3d", "no pair, ace king, with a straight"),
            ("Jk 9s 8s 7s 6s 2d 2c", "one pair 22, single ace, with a straight flush"),
        ] {
            assert_eq!(Group::new(&game, hand.parse().unwrap()).to_string(), name);
        }
        let flush = Group { complete: Complete::Flush, ..Group::by_ranks("Qs Qd 8s 7s 5s 3s 2c".parse().unwrap()) };
        assert_eq!(flush.to_string(), "one pair QQ, single 8, with a flush");
    }
}
