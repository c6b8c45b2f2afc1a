//! Sentences of rules, for dealers and players.

use super::condition::{Quantity, Range, Ranges};
use super::list::FoundRule;
use super::vocabulary::Play;
use houseway_env::pai_gow::house_way::Shape;

/// Groups of shapes with a shorter name.
const GROUPS: [(&[Shape], &str); 3] = [
    (&[Shape::FourOfAKind, Shape::FourOfAKindAndPair, Shape::FourAndThreeOfAKind], "any four of a kind"),
    (&[Shape::FiveAces, Shape::FiveAcesAndPair], "five aces"),
    (&[Shape::TwoPairs, Shape::ThreePairs], "two or three pairs"),
];

const PLURALS: [&str; 13] = [
    "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings",
    "aces",
];
const RANKS: [&str; 13] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];

/// Names a set of shapes.
fn shapes(set: &[Shape], others: &str) -> String {
    if set.len() == Shape::ALL.len() {
        return format!("any {others}hand");
    }
    let missing: Vec<Shape> = Shape::ALL.into_iter().filter(|shape| !set.contains(shape)).collect();
    let (listed, missing) = (names(set), names(&missing));
    let words = |text: &str| text.split_whitespace().count();
    if words(&missing) + 3 < words(&listed) { format!("any {others}hand but {missing}") } else { listed }
}

/// Lists shapes, by groups where that is shorter.
fn names(set: &[Shape]) -> String {
    let mut rest = set.to_vec();
    let mut groups = Vec::new();
    for (group, name) in GROUPS {
        if group.iter().all(|shape| rest.contains(shape)) {
            groups.push(name);
            rest.retain(|shape| !group.contains(shape));
        }
    }
    let names: Vec<&str> = rest.into_iter().map(Shape::name).chain(groups).collect();
    match &names[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The condition of a rule: "one pair; or two pairs, higher pair queens or lower".
pub(super) fn condition(rule: &FoundRule, is_first: bool) -> String {
    let case = |(set, ranges): &(Vec<Shape>, &Ranges)| {
        let ranges = ranges.0.iter().map(|range| format!(", {}", quantity(*range, set)));
        shapes(set, if is_first { "" } else { "other " }) + &ranges.collect::<String>()
    };
    let cases: Vec<String> = rule.by_ranges().iter().map(case).collect();
    cases.join("; or ")
}

/// The name of a quantity of hands of these shapes.
pub(super) fn name_of(quantity: Quantity, shapes: &[Shape]) -> &'static str {
    let three = shapes == [Shape::ThreePairs];
    let no_pair = shapes == [Shape::NoPair];
    match quantity {
        Quantity::Quads => "the four",
        Quantity::Trips if shapes == [Shape::TwoThreesOfAKind] => "the higher three",
        Quantity::Trips => "the three",
        Quantity::SecondTrips => "the lower three",
        Quantity::Pair => "the pair",
        Quantity::HighPair if three => "highest pair",
        Quantity::HighPair => "higher pair",
        Quantity::MiddlePair => "middle pair",
        Quantity::LowPair if three => "lowest pair",
        Quantity::LowPair => "lower pair",
        Quantity::PairSum => "pairs adding up to",
        Quantity::Single if no_pair => "highest card",
        Quantity::Single => "highest single",
        Quantity::SecondSingle if no_pair => "second card",
        Quantity::SecondSingle => "second single",
        Quantity::ThirdSingle if no_pair => "third card",
        Quantity::ThirdSingle => "third single",
        Quantity::FourthSingle if no_pair => "fourth card",
        Quantity::FourthSingle => "fourth single",
    }
}

/// A value of a quantity in words: "queens", "a queen" without its article, or a sum.
pub(super) fn value_of(quantity: Quantity, value: u8) -> String {
    let rank = usize::from(value);
    match quantity {
        Quantity::PairSum => (value + Quantity::MIN_SUM).to_string(),
        Quantity::Single | Quantity::SecondSingle | Quantity::ThirdSingle | Quantity::FourthSingle => {
            RANKS[rank].to_owned()
        }
        _ => PLURALS[rank].to_owned(),
    }
}

fn quantity(range: Range, shapes: &[Shape]) -> String {
    let last = range.of.values() as u8 - 1;
    let (more, less) = if range.of == Quantity::PairSum { ("more", "less") } else { ("higher", "lower") };
    let value = |it| value_of(range.of, it);
    let value = match (range.low, range.high) {
        (low, high) if low == high => value(low),
        (0, high) => format!("{} or {less}", value(high)),
        (low, high) if high == last => format!("{} or {more}", value(low)),
        (low, high) => format!("{} to {}", value(low), value(high)),
    };
    format!("{} {value}", name_of(range.of, shapes))
}

/// The sentence of a rule. `always` if its play fits every hand that reaches the rule.
pub(super) fn sentence(rule: &FoundRule, play: &Play, is_first: bool, always: bool) -> String {
    let text = format!("{}: {}.", condition(rule, is_first), play.sentence(always));
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
