//! Rule lists: the conditions of their rules, how much each list loses, and what its length costs.
//!
//! A condition combines a set of shapes with ranges for the ranks of a hand's parts.

use super::space::{NO_PLAY, ShapeSpace, Space};
use houseway_env::cards::Rank;
use houseway_env::pai_gow::house_way::{HandParts, Part, Shape};
use serde::{Deserialize, Serialize};

/// A rule in a list. It applies a play to hands with certain shapes, provided that they are within the ranges for their
/// shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FoundRule {
    /// The index of the play in the vocabulary.
    pub play: usize,
    /// The shapes in order, with their ranges.
    pub cases: Vec<(Shape, Ranges)>,
}

impl FoundRule {
    /// Creates a rule for hands of all shapes.
    pub fn for_all(play: usize) -> FoundRule {
        FoundRule { play, cases: Shape::ALL.map(|shape| (shape, Ranges::default())).into() }
    }

    /// Groups the shapes that have equal ranges, in the order of each group's first shape.
    pub fn by_ranges(&self) -> Vec<(Vec<Shape>, &Ranges)> {
        let mut groups: Vec<(Vec<Shape>, &Ranges)> = Vec::new();
        for (shape, ranges) in &self.cases {
            match groups.iter_mut().find(|group| group.1 == ranges) {
                Some(group) => group.0.push(*shape),
                None => groups.push((vec![*shape], ranges)),
            }
        }
        groups
    }

    /// Returns the total number of bounds, counting those built into the play.
    pub fn bounds(&self, space: &Space) -> usize {
        let groups = self.by_ranges();
        groups.iter().map(|group| bounds(group.1)).sum::<usize>() + space.bounds(self.play)
    }

    /// Returns the ranges for a shape, or `None` if the rule doesn't apply to it.
    pub fn ranges(&self, shape: Shape) -> Option<&Ranges> {
        self.cases.iter().find(|case| case.0 == shape).map(|case| &case.1)
    }
}

impl Space {
    /// Returns the sheet as a list. Each sheet rule is a fixed play that already includes its own conditions.
    pub fn sheet(&self) -> Vec<FoundRule> {
        let rule = |play: usize| {
            let fits = |shape: &Shape| !self.shapes[*shape as usize].losses[play].is_empty();
            let cases = Shape::ALL.into_iter().filter(fits).map(|shape| (shape, Ranges::default()));
            FoundRule { play, cases: cases.collect() }
        };
        (0..self.choices.sheet.len()).map(|i| rule(self.plays().len() + i)).collect()
    }
}

/// The part of a rule that matters for one shape.
pub(super) type Clause = (usize, Ranges);

/// The result of evaluating a list on one shape.
pub(super) struct ShapeState {
    /// The index of the clause that sets each group, or the number of clauses if none of them does.
    pub by: Vec<u8>,
    /// Each group's loss.
    pub loss: Vec<i64>,
    /// The total loss.
    pub total: i64,
}

/// The loss for a group that no rule sets, chosen to exceed the loss from any setting.
const UNSET: i64 = 1 << 45;

impl ShapeSpace {
    /// Evaluates a list's clauses.
    pub(super) fn state(&self, clauses: &[Clause]) -> ShapeState {
        let len = self.groups.count();
        let mut state = ShapeState { by: vec![clauses.len() as u8; len], loss: vec![UNSET; len], total: 0 };
        for (number, (play, ranges)) in clauses.iter().enumerate() {
            let losses = self.losses(*play);
            let within = self.groups.within(ranges);
            if losses.is_empty() {
                continue;
            }
            for i in 0..len {
                if usize::from(state.by[i]) == clauses.len()
                    && losses[i] != NO_PLAY
                    && within[self.groups.cell[i] as usize]
                {
                    (state.by[i], state.loss[i]) = (number as u8, losses[i]);
                }
            }
        }
        state.total = state.loss.iter().sum();
        state
    }
}

/// Returns a list's clauses for one shape, and the rule index of each clause.
pub(super) fn clauses(list: &[FoundRule], shape: Shape) -> (Vec<Clause>, Vec<usize>) {
    let rules = list.iter().enumerate();
    rules.filter_map(|(i, rule)| Some(((rule.play, rule.ranges(shape)?.clone()), i))).unzip()
}

/// Options for a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of bounds in all rules together.
    pub bounds: usize,
    /// The price of a bound, in units of loss. Naming a shape costs a fifth as much.
    pub bound_price: i64,
    /// The maximum mean number of words per rule.
    pub words: usize,
    /// The number of lists kept for each length.
    pub width: usize,
    /// The number of single-shape insertions from which new rules are built.
    pub seeds: usize,
    /// The number of lists created from each list by insertion.
    pub branches: usize,
}

impl Limits {
    /// Returns the price of naming a shape in a rule.
    pub(super) fn shape_price(&self) -> i64 {
        self.bound_price / 5
    }

    /// Returns the price of a list's bounds and shapes.
    pub(super) fn price_of(&self, list: &[FoundRule], space: &Space) -> i64 {
        let price = |rule: &FoundRule| {
            let named = if rule.cases.len() < Shape::ALL.len() { rule.cases.len() } else { 0 };
            self.bound_price * rule.bounds(space) as i64 + self.shape_price() * named as i64
        };
        list.iter().map(price).sum()
    }
}

houseway_env::named_enum! {
    /// A number that conditions may bound. Its name is the word used in the house way language.
    #[derive(PartialOrd, Ord)]
    pub enum Quantity: kebab_case {
        /// The rank of the four of a kind.
        Quads,
        /// The rank of the three of a kind, or of the higher one if there are two.
        Trips,
        /// The rank of the lower three of a kind if there are two.
        SecondTrips,
        /// The only pair's rank.
        Pair,
        /// The highest pair's rank.
        HighPair,
        /// The middle pair's rank.
        MiddlePair,
        /// The lowest pair's rank.
        LowPair,
        /// The sum of both pairs' ranks.
        PairSum,
        /// The highest single's rank.
        Single,
        /// The second highest single's rank.
        SecondSingle,
        /// The third highest single's rank.
        ThirdSingle,
        /// The fourth highest single's rank.
        FourthSingle,
    }
}

impl Quantity {
    /// The lowest possible sum for two pairs (twos and threes).
    pub const MIN_SUM: u8 = 5;

    /// Returns the quantities that conditions may bound for a shape.
    pub fn of_shape(shape: Shape) -> &'static [Quantity] {
        use Quantity::*;
        match shape {
            Shape::NoPair => &[Single, SecondSingle, ThirdSingle, FourthSingle],
            Shape::OnePair => &[Pair, Single, SecondSingle, ThirdSingle],
            Shape::TwoPairs => &[HighPair, LowPair, PairSum, Single, SecondSingle],
            Shape::ThreePairs => &[HighPair, MiddlePair, LowPair, Single],
            Shape::ThreeOfAKind => &[Trips, Single, SecondSingle],
            Shape::FullHouse => &[Trips, Pair, Single, SecondSingle],
            Shape::FullHouseAndPair => &[Trips, HighPair, LowPair],
            Shape::TwoThreesOfAKind => &[Trips, SecondTrips, Single],
            Shape::FourOfAKind => &[Quads, Single, SecondSingle],
            Shape::FourOfAKindAndPair => &[Quads, Pair, Single],
            Shape::FourAndThreeOfAKind => &[Quads, Trips],
            Shape::FiveAces => &[Single],
            Shape::FiveAcesAndPair => &[Pair],
        }
    }

    /// Returns the vocabulary word required to use the quantity, or `None` if it is always allowed.
    pub fn word(self) -> Option<Word> {
        match self {
            Quantity::PairSum => Some(Word::PairSum),
            Quantity::SecondSingle | Quantity::ThirdSingle | Quantity::FourthSingle => Some(Word::LowerSingles),
            _ => None,
        }
    }

    /// Returns the number of possible values.
    pub const fn values(self) -> usize {
        match self {
            Quantity::PairSum => 23,
            _ => 13,
        }
    }

    /// Returns the quantity's value for a hand, or `None` if the hand lacks the part.
    pub fn value(self, parts: &HandParts) -> Option<u8> {
        let rank = |part: Part| parts.ranks[part as usize].map(|rank| rank.index() as u8);
        let single = |i: usize| parts.singles.get(i).map(|rank: &Rank| rank.index() as u8);
        match self {
            Quantity::Quads => rank(Part::Quads),
            Quantity::Trips => rank(Part::Trips),
            Quantity::SecondTrips => rank(Part::SecondTrips),
            Quantity::Pair => rank(Part::Pair),
            Quantity::HighPair => rank(Part::HighPair),
            Quantity::MiddlePair => rank(Part::MiddlePair),
            Quantity::LowPair => rank(Part::LowPair),
            Quantity::PairSum => Some(rank(Part::HighPair)? + rank(Part::LowPair)? + 4 - Quantity::MIN_SUM),
            Quantity::Single => single(0),
            Quantity::SecondSingle => single(1),
            Quantity::ThirdSingle => single(2),
            Quantity::FourthSingle => single(3),
        }
    }
}

/// An inclusive range of values for a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Range {
    /// The quantity.
    pub of: Quantity,
    /// The lowest value.
    pub low: u8,
    /// The highest value.
    pub high: u8,
}

impl Range {
    /// Returns the number of ends that exclude some values.
    pub fn bounds(self) -> usize {
        usize::from(self.low > 0) + usize::from(usize::from(self.high) + 1 < self.of.values())
    }
}

/// A set of ranges that must all hold, sorted by quantity. Unbounded ranges are omitted.
pub(super) type Ranges = Vec<Range>;

/// Returns the total number of bounds.
pub(super) fn bounds(ranges: &[Range]) -> usize {
    ranges.iter().map(|range| range.bounds()).sum()
}

houseway_env::named_enum! {
    /// A kind of word in the house way language that goes beyond shapes, ranks of parts, fronts and backs.
    #[derive(PartialOrd, Ord)]
    pub enum Word: kebab_case {
        /// Sums of two pairs' ranks.
        PairSum,
        /// The ranks of the second, third and fourth single.
        LowerSingles,
        /// Fronts chosen by the position of singles.
        Positions,
        /// Minimum fronts.
        FrontAtLeast,
        /// A second play for when the first fits no setting.
        Otherwise,
        /// The highest back instead of the highest front.
        PreferBack,
    }
}
