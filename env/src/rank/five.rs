//! The strength of five-card hands, with or without a joker, which may be half-wild or wild.
//!
//! [`Ranking::new`] describes every five-card hand by a category and up to five tie-breaking ranks, sorts these
//! descriptions, and stores their positions in tables, so that hands can be compared as integers. The rules are
//! interpreted only in [`natural`] and [`with_joker`].

use super::{Category, TwoStrength};
use crate::cards::key::{Key, RankIndex};
use crate::cards::{Card, CardSet, Rank};
use std::sync::OnceLock;

crate::options! {
    /// The rank of a suited A-2-3-4-5 among straight flushes.
    pub enum WheelStraightFlush {
        /// The second highest straight flush, just below the royal flush.
        Second,
        /// The lowest straight flush, below 6-5-4-3-2.
        Lowest,
    }
}

crate::options! {
    /// The rank that the joker takes in a flush.
    pub enum JokerInFlush {
        /// The highest rank that the flush doesn't already contain.
        HighestMissing,
        /// An ace, even if the flush already contains one.
        Ace,
    }
}

crate::options! {
    /// The rank of an unsuited A-2-3-4-5 among straights.
    pub enum WheelStraight {
        /// The second highest straight, between A-K-Q-J-10 and K-Q-J-10-9.
        Second,
        /// The lowest straight, below 6-5-4-3-2, as in other poker games.
        Lowest,
    }
}

crate::options! {
    /// The cards that the joker can stand for.
    pub enum JokerUse {
        /// An ace, or any card that completes a straight, a flush, a straight flush or a royal flush.
        HalfWild,
        /// An ace, a king, a queen or a jack of any suit, which may complete a flush, or any card that completes a straight
        /// or a straight flush, as at Casino Filipino.
        FaceCard,
        /// Any card, in either half. With one other card it makes a pair, and with four of a kind it makes five of a
        /// kind.
        Wild,
    }
}

impl JokerUse {
    /// Returns the index of the lowest rank that the joker can have without completing a hand. All higher ranks are possible
    /// as well.
    #[inline]
    pub(crate) const fn lowest(self) -> usize {
        match self {
            JokerUse::HalfWild => Rank::Ace.index(),
            JokerUse::FaceCard => Rank::Jack.index(),
            JokerUse::Wild => Rank::Two.index(),
        }
    }
}

/// The readings and variants that determine how hands are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FiveRules {
    /// The cards that the joker can stand for.
    pub joker: JokerUse,
    /// The rank of A-2-3-4-5 among straights.
    pub wheel_straight: WheelStraight,
    /// The rank of A-2-3-4-5 among straight flushes.
    pub wheel_straight_flush: WheelStraightFlush,
    /// The rank that the joker takes in a flush.
    pub joker_in_flush: JokerInFlush,
}

impl FiveRules {
    /// The standard poker ranking, in which A-2-3-4-5 is the lowest straight.
    pub const POKER: FiveRules = FiveRules {
        joker: JokerUse::HalfWild,
        wheel_straight: WheelStraight::Lowest,
        wheel_straight_flush: WheelStraightFlush::Lowest,
        joker_in_flush: JokerInFlush::HighestMissing,
    };

    /// The number of different sets of rules.
    const COUNT: usize =
        JokerUse::ALL.len() * WheelStraight::ALL.len() * WheelStraightFlush::ALL.len() * JokerInFlush::ALL.len();

    /// Returns the place among all sets of rules.
    fn index(self) -> usize {
        let digits = [
            (self.joker as usize, JokerUse::ALL.len()),
            (self.wheel_straight as usize, WheelStraight::ALL.len()),
            (self.wheel_straight_flush as usize, WheelStraightFlush::ALL.len()),
            (self.joker_in_flush as usize, JokerInFlush::ALL.len()),
        ];
        digits.into_iter().fold(0, |index, (digit, radix)| index * radix + digit)
    }
}

/// The strength of a five-card hand under a given [`Ranking`]. Higher strengths win, and equal strengths tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FiveStrength(u16);

impl FiveStrength {
    /// Returns the index of the strength, starting from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the strength with the given index.
    #[inline]
    pub const fn from_index(index: usize) -> FiveStrength {
        FiveStrength(index as u16)
    }
}

/// A description of a five-card hand by its category and its tie-breaking values. The most important value comes first,
/// and unused values are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    category: Category,
    ties: [u8; 5],
}

/// Returns an iterator over all straights. Each item holds a value that orders the straights and the five ranks as a
/// bit mask. The wheel's value depends on the rules.
fn straights(wheel: u8) -> impl Iterator<Item = (u8, u16)> {
    let regular = (4..13u8).map(|top| (2 * top, 0b11111 << (top - 4)));
    regular.chain([(wheel, 1 << 12 | 0b1111)])
}

/// The value of an ace in a description.
const ACE: u8 = 12;

/// The value of a wheel that ranks between A-K-Q-J-10 and K-Q-J-10-9.
const WHEEL_SECOND: u8 = 2 * 12 - 1;
/// The value of a wheel that ranks below 6-5-4-3-2.
const WHEEL_LOWEST: u8 = 2 * 3;

fn straight_name(ranks: u16, suited: bool, rules: FiveRules) -> Option<Name> {
    let lowest = match suited {
        false => rules.wheel_straight == WheelStraight::Lowest,
        true => rules.wheel_straight_flush == WheelStraightFlush::Lowest,
    };
    let wheel = if lowest { WHEEL_LOWEST } else { WHEEL_SECOND };
    let (value, _) = straights(wheel).find(|&(_, mask)| mask == ranks)?;
    let category = match (suited, value == 2 * 12) {
        (false, _) => Category::Straight,
        (true, false) => Category::StraightFlush,
        (true, true) => Category::RoyalFlush,
    };
    Some(Name { category, ties: [value, 0, 0, 0, 0] })
}

/// Describes five cards given by the counts for two to ace. If there is a joker, it must have been replaced by a rank.
fn natural(counts: [u8; 13], suited: bool, rules: FiveRules) -> Name {
    let mut groups: Vec<(u8, u8)> =
        (0..13).filter(|&r| counts[r as usize] > 0).map(|r| (counts[r as usize], r)).collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let mask = groups.iter().fold(0u16, |mask, &(_, rank)| mask | 1 << rank);
    if groups.len() == 5
        && let Some(straight) = straight_name(mask, suited, rules)
    {
        return straight;
    }
    let category = match (groups[0].0, groups.get(1).map_or(0, |group| group.0)) {
        (5, _) => Category::FiveAces,
        (4, _) => Category::FourOfAKind,
        (3, 2) => Category::FullHouse,
        _ if suited => Category::Flush,
        (3, _) => Category::ThreeOfAKind,
        (2, 2) => Category::TwoPairs,
        (2, _) => Category::OnePair,
        _ => Category::HighCard,
    };
    let mut ties = [0; 5];
    if suited {
        // Flushes compare all five ranks in descending order. Two ranks are equal only if the joker is a second ace.
        let ranks = (0..13u8).rev().flat_map(|rank| std::iter::repeat_n(rank, counts[rank as usize].into()));
        ties.iter_mut().zip(ranks).for_each(|(tie, rank)| *tie = rank);
    } else {
        ties.iter_mut().zip(&groups).for_each(|(tie, group)| *tie = group.1);
    }
    Name { category, ties }
}

/// Describes four cards and the joker as the best possible hand. A half-wild joker is an ace or completes a straight, a
/// flush, a straight flush or a royal flush. Other jokers can also be face cards, or any card.
fn with_joker(counts: [u8; 13], suited: bool, rules: FiveRules) -> Name {
    let add = |rank: usize| {
        let mut five = counts;
        five[rank] += 1;
        five
    };
    let mask = (0..13).filter(|&r| counts[r] > 0).fold(0u16, |mask, r| mask | 1 << r);
    let straight = (0..13)
        .filter(|rank| mask.count_ones() == 4 && mask >> rank & 1 == 0)
        .filter_map(|rank| straight_name(mask | 1 << rank, suited, rules))
        .max();
    let named = |rank| natural(add(rank), suited, rules);
    let otherwise = match (suited, rules.joker_in_flush, rules.joker) {
        (true, JokerInFlush::HighestMissing, _) => named((0..13).rfind(|&rank| counts[rank] == 0).unwrap_or(12)),
        // Four cards in the same suit have different ranks, so even a wild joker can't make anything better than a
        // flush.
        (true, JokerInFlush::Ace, _) => named(12),
        (false, _, joker) => (joker.lowest()..13).map(named).fold(named(12), Name::max),
    };
    straight.into_iter().fold(otherwise, Name::max)
}

/// The category of a strength and its position within the category.
#[derive(PartialEq)]
struct Order {
    /// The position within the category, where 0 is the lowest strength and 1 is the highest.
    place: f32,
    category: Category,
    /// The ranks returned by [`Ranking::order_ranks`].
    ranks: [Option<Rank>; 5],
}

/// A ranking of five-card hands under a given set of rules, stored as tables.
pub struct Ranking {
    rank_index: [RankIndex; 2],
    /// The strengths of unsuited hands with five natural cards, and with four natural cards and the joker.
    plain: [Vec<FiveStrength>; 2],
    /// The strengths of suited hands with five natural cards, or with four natural cards and the joker, indexed by the
    /// set of ranks.
    suited: Vec<FiveStrength>,
    orders: Vec<Order>,
    /// The index of the first strength in each category, followed by the total number of strengths.
    first_of_category: [u16; 12],
    like_part: Vec<TwoStrength>,
    pub(super) joker: JokerUse,
}

impl Ranking {
    /// Returns the ranking under the given rules. Its tables are only built once per process.
    pub fn shared(rules: FiveRules) -> &'static Ranking {
        static RANKINGS: [OnceLock<Ranking>; FiveRules::COUNT] = [const { OnceLock::new() }; FiveRules::COUNT];
        RANKINGS[rules.index()].get_or_init(|| Ranking::new(rules))
    }

    /// Builds the tables. This takes a few milliseconds, and the tables occupy about 0.3 MB.
    pub fn new(rules: FiveRules) -> Ranking {
        let rank_index = [RankIndex::new(5), RankIndex::new(4)];
        let plain_names = [
            rank_index[0].multisets().map(|counts| natural(counts, false, rules)).collect::<Vec<_>>(),
            rank_index[1].multisets().map(|counts| with_joker(counts, false, rules)).collect(),
        ];
        let suited_names: Vec<Option<Name>> = (0..1u16 << 13)
            .map(|mask| {
                let counts = std::array::from_fn(|rank| (mask >> rank & 1) as u8);
                match mask.count_ones() {
                    5 => Some(natural(counts, true, rules)),
                    4 => Some(with_joker(counts, true, rules)),
                    _ => None,
                }
            })
            .collect();
        let mut names: Vec<Name> = plain_names.iter().flatten().chain(suited_names.iter().flatten()).copied().collect();
        names.sort_unstable();
        names.dedup();
        let place = |name: &Name| FiveStrength(names.partition_point(|other| other < name) as u16);
        let plain = plain_names.each_ref().map(|names| names.iter().map(place).collect());
        let suited = suited_names.iter().map(|name| name.as_ref().map_or(FiveStrength(0), place)).collect();
        let first_of_category: [u16; 12] =
            std::array::from_fn(|i| names.partition_point(|name| (name.category as usize) < i) as u16);
        let like_part = names.iter().map(like_part).collect();
        let order = |(index, name): (usize, &Name)| {
            let [start, end] = [0, 1].map(|after| usize::from(first_of_category[name.category as usize + after]));
            let place = (index - start) as f32 / (end - start - 1).max(1) as f32;
            Order { place, category: name.category, ranks: order_ranks(name) }
        };
        let orders = names.iter().enumerate().map(order).collect();
        Ranking { rank_index, plain, suited, orders, first_of_category, like_part, joker: rules.joker }
    }

    /// Returns the strength of two cards from the 53-card deck.
    pub fn two(&self, a: Card, b: Card) -> TwoStrength {
        self.two_of_ranks(a.rank(), b.rank())
    }

    /// Like [`Ranking::two`], but takes the ranks, where `None` is the joker.
    #[inline]
    pub fn two_of_ranks(&self, a: Option<Rank>, b: Option<Rank>) -> TwoStrength {
        let joker = a.or(b).filter(|rank| rank.index() >= self.joker.lowest()).unwrap_or(Rank::Ace);
        TwoStrength::from_ranks(a.unwrap_or(joker), b.unwrap_or(joker))
    }

    /// Returns the strength of five cards from the 53-card deck.
    pub fn five(&self, cards: CardSet) -> FiveStrength {
        debug_assert_eq!(cards.len(), 5);
        self.five_of_key(Key::from_set(cards), || cards)
    }

    /// Like [`Ranking::five`], but takes the key of the cards. `cards` is only called if the cards share a suit.
    #[inline]
    pub fn five_of_key(&self, key: Key, cards: impl FnOnce() -> CardSet) -> FiveStrength {
        if key.flush_suit().is_some() {
            let natural = cards().iter().filter_map(|card| card.rank());
            return self.suited[natural.fold(0, |mask, rank| mask | 1 << rank.index())];
        }
        let joker = key.has_joker() as usize;
        self.plain[joker][self.rank_index[joker].index(key)]
    }

    /// Returns the number of distinct strengths.
    #[inline]
    pub fn strengths(&self) -> usize {
        self.orders.len()
    }

    /// Returns the category of a strength.
    #[inline]
    pub fn category(&self, strength: FiveStrength) -> Category {
        self.orders[strength.index()].category
    }

    /// Returns the position of a strength within its category, from 0 for the lowest strength to 1 for the highest. If
    /// the category has only one strength, the position is 0.
    #[inline]
    pub fn place_in_category(&self, strength: FiveStrength) -> f32 {
        self.orders[strength.index()].place
    }

    /// Returns the highest two-card hand that doesn't outrank the five cards. This is their pair or their two highest
    /// cards, or a pair of aces if they have two pairs or better.
    #[inline]
    pub fn like_part(&self, strength: FiveStrength) -> TwoStrength {
        self.like_part[strength.index()]
    }

    /// Returns the highest strength of any five of the given cards. There must be at least five cards.
    pub fn best(&self, cards: CardSet) -> FiveStrength {
        let mut best = FiveStrength(0);
        crate::cards::combinations::for_each_subset(cards, 5, |five| best = best.max(self.five(five)));
        best
    }

    /// Describes a strength in words, such as "two pairs K 7 2".
    pub fn describe(&self, strength: FiveStrength) -> String {
        let (category, ranks) = (self.category(strength), self.order_ranks(strength));
        let high = if matches!(category, Category::Straight | Category::StraightFlush) { " high" } else { "" };
        let shown = if category == Category::RoyalFlush { 0 } else { 5 };
        let name = match (category, ranks[0]) {
            (Category::FiveAces, Some(_)) => "five of a kind",
            _ => category.name(),
        };
        let ranks = ranks.into_iter().take(shown).flatten().map(|rank| format!(" {rank}"));
        std::iter::once(name.to_owned()).chain(ranks).chain([high.to_owned()]).collect()
    }

    /// Returns the ranks that order hands within their category, most important first. For a pair, these are the pair's
    /// rank and then the other cards. For a straight, only the top card is returned, which is five for A-2-3-4-5 no
    /// matter how it ranks. For five of a kind, only its rank is returned, or nothing for five aces.
    #[inline]
    pub fn order_ranks(&self, strength: FiveStrength) -> [Option<Rank>; 5] {
        self.orders[strength.index()].ranks
    }

    /// Returns the index range of all strengths in a category.
    #[inline]
    pub fn strengths_of(&self, category: Category) -> std::ops::Range<usize> {
        let [start, end] = [0, 1].map(|after| self.first_of_category[category as usize + after].into());
        start..end
    }
}

/// Returns the ranks that order hands within their category. See [`Ranking::order_ranks`].
fn order_ranks(name: &Name) -> [Option<Rank>; 5] {
    let Name { category, ties } = *name;
    let mut ranks = [None; 5];
    let count = match category {
        Category::FiveAces => usize::from(ties[0] != ACE),
        Category::Straight | Category::StraightFlush | Category::RoyalFlush => {
            // A straight's value is twice its top rank, except for the wheel.
            let wheel = ties[0] == WHEEL_SECOND || ties[0] == WHEEL_LOWEST;
            ranks[0] = Some(if wheel { Rank::Five } else { Rank::from_index((ties[0] / 2).into()) });
            return ranks;
        }
        Category::FourOfAKind | Category::FullHouse => 2,
        Category::TwoPairs | Category::ThreeOfAKind => 3,
        Category::OnePair => 4,
        Category::HighCard | Category::Flush => 5,
    };
    ranks.iter_mut().zip(&ties[..count]).for_each(|(rank, &tie)| *rank = Some(Rank::from_index(tie.into())));
    ranks
}

fn like_part(name: &Name) -> TwoStrength {
    let rank = |i: usize| Rank::from_index(name.ties[i].into());
    match name.category {
        Category::HighCard => TwoStrength::from_ranks(rank(0), rank(1)),
        Category::OnePair => TwoStrength::from_ranks(rank(0), rank(0)),
        _ => TwoStrength::MAX,
    }
}

#[cfg(test)]
mod tests;
