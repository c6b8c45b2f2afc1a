//! The vocabulary of the rule language.

use super::file::{Reading, Way};
use super::rule::Rule;
use crate::cards::Rank;
use crate::names;
use crate::pai_gow::Hand;
use crate::rank::{Category, TwoStrength};
use std::collections::BTreeMap;

crate::named_enum! {
    /// The numbers of cards with the same rank in a hand, where the joker counts as an ace. Every hand has exactly one
    /// shape.
    #[derive(PartialOrd, Ord)]
    #[repr(u8)]
    #[allow(missing_docs)]
    pub enum Shape: words {
        NoPair,
        OnePair,
        TwoPairs,
        ThreePairs,
        ThreeOfAKind,
        FullHouse,
        FullHouseAndPair = "full house and a pair",
        TwoThreesOfAKind,
        FourOfAKind,
        FourOfAKindAndPair = "four of a kind and a pair",
        FourAndThreeOfAKind,
        FiveAces,
        FiveAcesAndPair = "five aces and a pair",
    }
}

impl Shape {
    /// Returns the shape of a hand.
    pub fn from_hand(hand: Hand) -> Shape {
        let mut counts = [0; 13];
        hand.cards().iter().for_each(|card| counts[card.rank().unwrap_or(Rank::Ace).index()] += 1);
        Shape::from_counts(&counts)
    }

    /// Returns the shape of a hand with the given rank counts. The joker must be counted as an ace.
    pub fn from_counts(counts: &[u8; 13]) -> Shape {
        let of_size = |size| counts.iter().filter(|&&n| n == size).count();
        match (of_size(5), of_size(4), of_size(3), of_size(2)) {
            (1, _, _, 0) => Shape::FiveAces,
            (1, ..) => Shape::FiveAcesAndPair,
            (_, 1, 1, _) => Shape::FourAndThreeOfAKind,
            (_, 1, _, 1) => Shape::FourOfAKindAndPair,
            (_, 1, ..) => Shape::FourOfAKind,
            (_, _, 2, _) => Shape::TwoThreesOfAKind,
            (_, _, 1, 2) => Shape::FullHouseAndPair,
            (_, _, 1, 1) => Shape::FullHouse,
            (_, _, 1, _) => Shape::ThreeOfAKind,
            (_, _, _, 3) => Shape::ThreePairs,
            (_, _, _, 2) => Shape::TwoPairs,
            (_, _, _, 1) => Shape::OnePair,
            _ => Shape::NoPair,
        }
    }
}

crate::named_enum! {
    /// A group of cards with the same rank, where the joker counts as an ace.
    #[derive(PartialOrd, Ord)]
    #[repr(u8)]
    #[allow(missing_docs)]
    pub enum Part: kebab_case {
        Aces,
        Quads,
        Trips,
        SecondTrips,
        Pair,
        HighPair,
        MiddlePair,
        LowPair,
        Single,
    }
}

crate::named_enum! {
    /// A single card in a hand. Singles are ordered by rank, and the joker counts as an ace.
    #[allow(missing_docs)]
    pub enum Position: kebab_case {
        FirstSingle,
        SecondSingle,
        ThirdSingle,
        FourthSingle,
        FifthSingle,
        SixthSingle,
        SeventhSingle,
    }
}

/// A group of cards with the same rank that rules can tell apart from the others. This is either a [`Part`] other than
/// the singles, or one single given by its [`Position`]. The first single has the same index as [`Part::Single`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u8);

impl Place {
    /// The number of places.
    pub(super) const COUNT: usize = Part::Single as usize + Position::ALL.len();

    /// Returns the place for a part. For singles, this is the place of the highest single.
    pub(super) const fn part(part: Part) -> Place {
        Place(part as u8)
    }

    /// Returns the place for the `nth` single, where 0 is the highest single.
    pub(super) const fn single(nth: usize) -> Place {
        Place(Part::Single as u8 + nth as u8)
    }

    /// Returns the index of the place. It's always less than [`Place::COUNT`].
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the index of an unordered pair of places. It's always less than 128.
    pub(super) fn pair_index(self, other: Place) -> u8 {
        PAIR_INDICES[self.index()][other.index()]
    }

    /// Returns the bit for an unordered pair of places, for use in sets of such pairs.
    pub(super) fn pair_bit(self, other: Place) -> u128 {
        1 << self.pair_index(other)
    }
}

/// The index of each unordered pair of places, in both orders. Compiling a house way looks up six million of them.
static PAIR_INDICES: [[u8; Place::COUNT]; Place::COUNT] = {
    let mut indices = [[0; Place::COUNT]; Place::COUNT];
    let (mut high, mut index) = (0, 0);
    while high < Place::COUNT {
        let mut low = 0;
        while low <= high {
            indices[high][low] = index;
            indices[low][high] = index;
            index += 1;
            low += 1;
        }
        high += 1;
    }
    indices
};

/// Formats the error for an unknown word and lists the known ones.
fn unknown<'a>(kind: &str, word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<String> = known.map(|name| format!("\"{name}\"")).collect();
    format!("unknown {kind} \"{word}\": {}", names::expected(word, known.iter().map(String::as_str)))
}

/// Parses the name of a shape or shape group into a bit mask.
pub(super) fn shapes(word: &str, groups: &BTreeMap<String, u16>) -> Result<u16, String> {
    let found = groups.get(word).copied().or_else(|| shape(word).map(|shape| 1 << shape as u16));
    let known = || Shape::NAMES.into_iter().chain(groups.keys().map(String::as_str));
    found.ok_or_else(|| match word.to_lowercase().as_str() {
        // Sheets use these words, but shapes only count ranks.
        "high card" | "pai gow" => format!("unknown shape \"{word}\": it is called \"no pair\""),
        "trips" | "set" => format!("unknown shape \"{word}\": it is called \"three of a kind\""),
        "five of a kind" => format!("unknown shape \"{word}\": only five aces exist, \"five aces\""),
        "straight" | "flush" | "straight flush" | "royal flush" => {
            format!("unknown shape \"{word}\": a shape only counts ranks; write back = \"{word}\" in a play")
        }
        _ => unknown("shape", word, known()),
    })
}

/// Returns the shape with the given name.
pub(super) fn shape(word: &str) -> Option<Shape> {
    Shape::ALL.into_iter().find(|shape| shape.name() == word)
}

/// Parses the two cards of a front into a set of [`Place::pair_bit`]. Each card is given as a part or position, in any
/// order.
pub(super) fn front_cards(words: &str) -> Result<u128, String> {
    match words.split_whitespace().collect::<Vec<_>>()[..] {
        [a, b] if a == b && Position::NAMES.contains(&a) => {
            Err(format!("invalid front \"{words}\": it names one card twice; expected two different cards"))
        }
        [a, b] => {
            let (a, b) = (places(a)?, places(b)?);
            Ok(a.flat_map(|a| b.clone().map(move |b| a.pair_bit(b))).fold(0, |mask, bit| mask | bit))
        }
        _ => Err(format!("invalid front \"{words}\": expected two parts of the hand, such as \"pair pair\"")),
    }
}

/// Parses a part or position and returns the places that it refers to.
fn places(word: &str) -> Result<impl Iterator<Item = Place> + Clone, String> {
    let (parts, all) = Part::NAMES.split_at(Part::Single as usize);
    let places = if all == [word] {
        Place::single(0).0..Place::COUNT as u8
    } else {
        // The names are in the same order as the places.
        let place = parts.iter().chain(&Position::NAMES).position(|&name| name == word);
        let known = Part::NAMES.into_iter().chain(Position::NAMES);
        let place = place.ok_or_else(|| unknown("part of a hand", word, known))? as u8;
        place..place + 1
    };
    Ok(places.map(Place))
}

/// Parses a list of values and ascending ranges into a bit mask. Error messages refer to the values as `kind` and show
/// the format with `example`.
fn ranges(words: &str, value: fn(&str) -> Option<usize>, kind: &str, example: &str) -> Result<u32, String> {
    let error = || format!("invalid {kind} \"{words}\": expected a form such as {example}");
    let mut mask = 0;
    for range in words.split(',') {
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let read = |word: &str| value(word.trim()).ok_or_else(error);
        let (low, high) = (read(low)?, read(high)?);
        if low > high {
            return Err(format!("invalid range \"{}\": expected the lower one first", range.trim()));
        }
        mask |= (low..=high).fold(0, |mask, value| mask | 1 << value);
    }
    Ok(mask)
}

/// Parses ranks, such as "2-6", "A" or "7-10, A", into a bit mask.
pub(super) fn ranks(words: &str) -> Result<u16, String> {
    let rank = |word: &str| word.parse::<Rank>().map(Rank::index).ok();
    ranges(words, rank, "ranks", "\"A\", \"J-K\" or \"2-6, A\"").map(|mask| mask as u16)
}

/// The minimum and maximum sum of the ranks of two pairs. Their ranks are always different.
const PAIR_SUMS: [usize; 2] = [2 + 3, 13 + 14];

/// Parses sums of two pairs' ranks, such as "5-16", "9" or "5-9, 20-27". In the returned bit mask, bit i represents the
/// sum i.
pub(super) fn pair_sums(words: &str) -> Result<u32, String> {
    let sum = |word: &str| word.parse().ok().filter(|sum| (4..=28).contains(sum));
    ranges(words, sum, "sums of two pairs", "\"9\", \"5-16\" or \"5-9, 20-27\", with sums from 5 to 27")
}

/// Returns the number of bounds in a set of ranks. Range ends at two and ace don't count.
pub(super) fn rank_bounds(ranks: u16) -> usize {
    ends_within(ranks.into(), 0, 12)
}

/// Returns the number of bounds in a set of sums of two pairs. Only range ends that exclude a possible sum count.
pub(super) fn pair_sum_bounds(sums: u32) -> usize {
    ends_within(sums, PAIR_SUMS[0], PAIR_SUMS[1])
}

/// Counts the pairs of adjacent values from `low` to `high` with exactly one of them in the set.
fn ends_within(set: u32, low: usize, high: usize) -> usize {
    (low..high).filter(|&value| (set >> value ^ set >> (value + 1)) & 1 == 1).count()
}

/// Parses a minimum front such as "K", "A J" or "10 10". A single rank means the lowest unpaired front with that rank
/// as its high card.
pub(super) fn min_front(words: &str) -> Result<TwoStrength, String> {
    front_strength(words, |_| Rank::Two)
}

/// Parses a maximum front such as "K", "A J" or "10 10". A single rank means the highest unpaired front with that rank
/// as its high card.
pub(super) fn max_front(words: &str) -> Result<TwoStrength, String> {
    front_strength(words, |high| Rank::from_index(high.index() - 1))
}

fn front_strength(words: &str, other: fn(Rank) -> Rank) -> Result<TwoStrength, String> {
    let ranks: Result<Vec<Rank>, _> = words.split_whitespace().map(str::parse).collect();
    match ranks.as_deref() {
        // A two can't be the high card of an unpaired front.
        Ok([high]) if *high > Rank::Two => Ok(TwoStrength::from_ranks(*high, other(*high))),
        Ok([a, b]) => Ok(TwoStrength::from_ranks(*a, *b)),
        _ => Err(format!("invalid front \"{words}\": expected its ranks, such as \"K\", \"A J\" or \"10 10\"")),
    }
}

/// Parses a category or "complete" into a bit mask.
pub(super) fn categories(word: &str) -> Result<u16, String> {
    let bits = |test: &dyn Fn(Category) -> bool| {
        Category::ALL.into_iter().filter(|&c| test(c)).fold(0u16, |mask, c| mask | 1 << c as u16)
    };
    let found = if word == "complete" { bits(&Category::is_complete) } else { bits(&|c| c.name() == word) };
    if found == 0 {
        let known = std::iter::once("complete").chain(Category::ALL.into_iter().map(Category::name));
        return Err(unknown("back", word, known));
    }
    Ok(found)
}

/// The maximum number of bounds in a rule that a dealer can be expected to read at the table.
const MAX_BOUNDS: usize = 4;

/// A warning about a rule that a dealer couldn't be expected to read, or about a reading without effect. It doesn't
/// affect how the rules work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleWarning {
    /// The rule's name, or `None` if the warning is about a reading.
    pub rule: Option<String>,
    /// The line where the rule or reading starts, counting from 1.
    pub line: usize,
    /// A description of the problem and how to fix it.
    pub message: String,
}

impl Way {
    /// Returns the total number of bounds in all active rules. See [`Rule::bounds`].
    pub fn bounds(&self) -> usize {
        self.active_rules().map(Rule::bounds).sum()
    }

    /// Returns a warning for every reading that no rule uses, and for every active rule that has nested exceptions or
    /// more than four bounds, in order.
    pub fn style_warnings(&self) -> Vec<StyleWarning> {
        let mut warnings = Vec::new();
        for Reading { name, line, .. } in &self.readings {
            if !self.rules.iter().any(|rule| rule.readings.iter().any(|(reading, _)| reading == name)) {
                let message = format!("no rule depends on the reading \"{name}\"; use it in a rule or remove it");
                warnings.push(StyleWarning { rule: None, line: *line, message });
            }
        }
        for rule in self.active_rules() {
            let warning = |message| StyleWarning { rule: Some(rule.name.clone()), line: rule.line, message };
            warnings.extend(problems(rule).into_iter().map(warning));
        }
        warnings
    }
}

fn problems(rule: &Rule) -> Vec<String> {
    let mut problems = Vec::new();
    if rule.has_nested_exceptions() {
        let remedy = "move the inner exception to a separate rule before this one";
        problems.push(format!("an exception within an exception; {remedy}"));
    }
    let bounds = rule.bounds();
    if bounds > MAX_BOUNDS {
        problems.push(format!("{bounds} bounds, more than {MAX_BOUNDS}; drop a condition or split the rule"));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_sets() {
        assert_eq!(ranks("2-6").unwrap(), 0b1_1111);
        assert_eq!(ranks("7-10, A").unwrap(), 1 << 12 | 0b1111 << 5);
        assert_eq!(ranks("K").unwrap(), 1 << 11);
        for bad in ["", "K-J", "1", "2-", "2 6", "joker"] {
            assert!(ranks(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sums_of_pairs() {
        assert_eq!(pair_sums("5-16").unwrap(), (1 << 17) - (1 << 5));
        assert_eq!(pair_sums("9, 27").unwrap(), 1 << 9 | 1 << 27);
        for bad in ["", "3", "29", "16-5", "A", "5-", "99999999999999999999"] {
            assert!(pair_sums(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn bounds_are_the_ends_that_exclude_something() {
        let of_ranks = |words| rank_bounds(ranks(words).unwrap());
        for (words, bounds) in
            [("2-A", 0), ("2-6", 1), ("A", 1), ("2", 1), ("7-A", 1), ("7-10", 2), ("9", 2), ("2-6, A", 2)]
        {
            assert_eq!(of_ranks(words), bounds, "{words}");
        }
        // Only the resulting set matters, not how it's written.
        assert_eq!(of_ranks("2-6, 7-10"), of_ranks("2-10"));
        let of_sums = |words| pair_sum_bounds(pair_sums(words).unwrap());
        for (words, bounds) in
            [("4-28", 0), ("5-27", 0), ("5-16", 1), ("4-16", 1), ("17-28", 1), ("6-16", 2), ("9", 2), ("27", 1)]
        {
            assert_eq!(of_sums(words), bounds, "{words}");
        }
    }

    #[test]
    fn fronts() {
        assert_eq!(min_front("K").unwrap().to_string(), "K2");
        assert_eq!(max_front("K").unwrap().to_string(), "KQ");
        assert_eq!(max_front("A").unwrap().to_string(), "AK");
        assert_eq!(max_front("3").unwrap().to_string(), "32");
        for read in [min_front, max_front] {
            assert_eq!(read("A J").unwrap().to_string(), "AJ");
            assert_eq!(read("10 10").unwrap().to_string(), "TT");
            assert!(read("2").is_err() && read("A K Q").is_err() && read("").is_err());
        }
    }

    #[test]
    fn cards_of_fronts() {
        let first = Place::part(Part::Single);
        assert_eq!(first, Place::single(0));
        assert_eq!(
            front_cards("low-pair trips").unwrap(),
            Place::part(Part::Trips).pair_bit(Place::part(Part::LowPair))
        );
        assert_eq!(front_cards("fifth-single second-single").unwrap(), Place::single(1).pair_bit(Place::single(4)));
        assert_eq!(front_cards("pair first-single").unwrap(), Place::part(Part::Pair).pair_bit(first));
        assert_eq!(front_cards("trips single").unwrap().count_ones(), 7);
        assert_ne!(front_cards("single first-single").unwrap() & first.pair_bit(Place::single(6)), 0);
        let error = front_cards("pair kings").unwrap_err();
        assert!(error.contains("high-pair") && error.contains("third-single"), "{error}");
    }

    #[test]
    fn every_pair_of_places_has_a_bit_of_its_own() {
        let places = (0..Place::COUNT as u8).map(Place);
        let mut bits = 0;
        for a in places.clone() {
            for b in places.clone().take(a.index() + 1) {
                assert_eq!((bits & a.pair_bit(b), a.pair_bit(b)), (0, b.pair_bit(a)));
                bits |= a.pair_bit(b);
            }
        }
        assert_eq!(bits.count_ones(), 120);
    }

    #[test]
    fn backs() {
        assert_eq!(categories("complete").unwrap().count_ones(), 4);
        assert_eq!(categories("full house").unwrap(), 1 << Category::FullHouse as u16);
        assert!(categories("fullhouse").unwrap_err().contains("full house"));
    }

    fn rule(body: &str) -> Rule {
        let head = "name = \"x\"\ntitle = \"x\"\nsource = \"x\"\n[[rule]]\nname = \"r\"\ntext = \"One, two  three.\"\n";
        Way::parse(&format!("{head}{body}"), "style.toml").unwrap().rules()[0].clone()
    }

    #[test]
    fn bounds_are_those_of_every_condition_and_play() {
        for (body, bounds) in [
            ("play = {}", 0),
            (
                "when = { shape = \"one pair\", single = \"2-A\" }\nplay = { front = \"pair pair\", back = \"flush\" }",
                0,
            ),
            ("when = [{ high-pair = \"2-10\", low-pair = \"7\" }, { fifth-single = \"A\" }]\nplay = {}", 4),
            ("when = { pair-sum = \"5-16\", except = { third-single = \"7-10\" } }\nplay = {}", 3),
            ("when = { possible = { back-high = \"A\", front-at-most = \"K\" } }\nplay = {}", 2),
            ("play = [{ front-at-least = \"A J\", except = { back-high = \"9\" } }, { front-at-most = \"10 10\" }]", 4),
            ("play = { front-above = { front-at-least = \"K\", back-high = \"2-A\" } }", 1),
        ] {
            assert_eq!(rule(body).bounds(), bounds, "{body}");
        }
        assert_eq!(rule("play = {}").words(), 3);
    }

    #[test]
    fn exceptions_are_nested_where_one_is_within_another() {
        let above = "front-above = { back = \"complete\" }";
        for (body, nested) in [
            ("when = { except = { single = \"A\" } }\nplay = { except = { back = \"flush\" } }".to_owned(), false),
            (
                "when = { possible = { back = \"straight\", except = { back-high = \"A\" } } }\nplay = {}".to_owned(),
                false,
            ),
            (format!("play = {{ front = \"single single\", {above} }}"), false),
            ("when = { except = { single = \"A\", except = { pair = \"K\" } } }\nplay = {}".to_owned(), true),
            ("play = { except = { back = \"straight\", except = { back-high = \"A\" } } }".to_owned(), true),
            (format!("when = {{ possible = {{ {above} }} }}\nplay = {{}}"), true),
            (format!("play = {{ except = {{ {above} }} }}"), true),
            (format!("play = {{ front-above = {{ {above} }} }}"), true),
            ("play = { front-above = { except = { back = \"flush\" } } }".to_owned(), true),
            (
                "when = { except = { possible = { back = \"straight\", except = { back-high = \"A\" } } } }\nplay = {}"
                    .to_owned(),
                true,
            ),
        ] {
            assert_eq!(rule(&body).has_nested_exceptions(), nested, "{body}");
        }
    }

    #[test]
    fn rules_that_are_hard_to_read_are_named_with_their_line() {
        let way = |reading: &str| {
            let text = format!(
                "name = \"x\"\ntitle = \"x\"\nsource = \"x\"\n[readings.r]\ntext = \"x\"\noptions = [\"a\", \"b\"]\n\
                 [[rule]]\nname = \"plain\"\ntext = \"x\"\nwhen = {{ single = \"K-A\" }}\nplay = {{}}\n\
                 [[rule]]\nname = \"hard\"\ntext = \"x\"\nreading = {{ r = \"{reading}\" }}\n\
                 when = {{ pair = \"3-9\", single = \"3-9\", second-single = \"9\", \
                 except = {{ single = \"A\", except = {{ pair = \"A\" }} }} }}\nplay = {{}}\n\
                 [[rule]]\nname = \"rest\"\ntext = \"x\"\nplay = {{}}\n"
            );
            Way::parse(&text, "style.toml").unwrap()
        };
        let warnings = way("a").style_warnings();
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        for (warning, part) in warnings.iter().zip(["exception within", "8 bounds, more than 4"]) {
            assert_eq!((warning.rule.as_deref(), warning.line), (Some("hard"), 12));
            assert!(warning.message.contains(part), "{warning:?}");
        }
        assert_eq!((way("a").bounds(), way("b").bounds()), (9, 1));
        assert_eq!(way("b").style_warnings(), []);
    }
}
