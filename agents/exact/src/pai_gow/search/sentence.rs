//! Writes rules in the house way language, with sentences that dealers and players can follow.
//!
//! The sentence of a rule depends on which hands reach it, and on how well its plays fit them.

use super::beam::Search;
use super::list::{FoundRule, Quantity, Range, Ranges};
use super::space::NO_PLAY;
use super::vocabulary::{Fit, Play, Wording};
use houseway_env::cards::Rank;
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::rank::plural;
use std::fmt::Write;

/// Groups of shapes that have a shorter name.
const GROUPS: [(&[Shape], &str); 3] = [
    (&[Shape::FourOfAKind, Shape::FourOfAKindAndPair, Shape::FourAndThreeOfAKind], "any four of a kind"),
    (&[Shape::FiveAces, Shape::FiveAcesAndPair], "five aces"),
    (&[Shape::TwoPairs, Shape::ThreePairs], "two or three pairs"),
];

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

/// Lists the names of shapes, using group names where they are shorter.
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

/// Returns the word that precedes a rule's hands: nothing for the first rule, and "other " for all later ones.
fn others(is_first: bool) -> &'static str {
    if is_first { "" } else { "other " }
}

/// Formats a rule's condition, as in "one pair; or two pairs adding up to 17 or less, higher pair queens or lower".
fn condition(cases: &[(Vec<Shape>, &Ranges)], is_first: bool) -> String {
    let cases: Vec<String> = cases.iter().map(|(set, ranges)| case(set, ranges, others(is_first))).collect();
    cases.join("; or ")
}

/// Formats one case of a condition. A part that names the hand comes first.
fn case(set: &[Shape], ranges: &[Range], others: &str) -> String {
    let part = match set {
        [Shape::OnePair] => Quantity::Pair,
        [Shape::ThreeOfAKind] => Quantity::Trips,
        [Shape::FourOfAKind] => Quantity::Quads,
        _ => Quantity::PairSum,
    };
    let (named, rest): (Vec<Range>, Vec<Range>) = ranges.iter().partition(|range| range.of == part);
    let head = match named[..] {
        [range] if part == Quantity::Pair => format!("a pair of {}", values(range)),
        [range] if part == Quantity::Trips => of_a_kind("three", range),
        [range] if part == Quantity::Quads => of_a_kind("four", range),
        [range] => format!("two {}", quantity(range, set)),
        _ => shapes(set, others),
    };
    let rest = rest.into_iter().map(|range| format!(", {}", quantity(range, set)));
    head + &rest.collect::<String>()
}

fn of_a_kind(number: &str, range: Range) -> String {
    let of_a_kind = if range.low == range.high { "" } else { " of a kind," };
    format!("{number}{of_a_kind} {}", values(range))
}

/// Formats the condition of a draft, naming every part.
fn draft_condition(rule: &FoundRule, is_first: bool) -> String {
    let case = |(set, ranges): &(Vec<Shape>, &Ranges)| {
        let ranges = ranges.iter().map(|range| format!(", {} {}", name_of(range.of, set), draft_values(*range)));
        shapes(set, others(is_first)) + &ranges.collect::<String>()
    };
    let cases: Vec<String> = rule.by_ranges().iter().map(case).collect();
    cases.join("; or ")
}

/// Returns a quantity's name, as used for hands with these shapes.
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

/// Returns a value of a quantity in words, such as "queens", "queen" (without its article) or a sum.
pub(super) fn value_of(quantity: Quantity, value: u8) -> String {
    let rank = || Rank::from_index(value.into());
    match quantity {
        Quantity::PairSum => (value + Quantity::MIN_SUM).to_string(),
        Quantity::Single | Quantity::SecondSingle | Quantity::ThirdSingle | Quantity::FourthSingle => {
            rank().name().to_owned()
        }
        _ => plural(rank()),
    }
}

/// Formats the values of a range for a draft.
fn draft_values(range: Range) -> String {
    let last = range.of.values() as u8 - 1;
    let (more, less) = if range.of == Quantity::PairSum { ("more", "less") } else { ("higher", "lower") };
    let value = |it| value_of(range.of, it);
    match (range.low, range.high) {
        (low, high) if low == high => value(low),
        (0, high) => format!("{} or {less}", value(high)),
        (low, high) if high == last => format!("{} or {more}", value(low)),
        (low, high) => format!("{} to {}", value(low), value(high)),
    }
}

/// Formats the values of a range, such as "queens or lower" or "kings or aces".
fn values(range: Range) -> String {
    let last = range.of.values() as u8 - 1;
    let value = |it| value_of(range.of, it);
    match (range.of, range.low, range.high) {
        (Quantity::PairSum, low, high) if low > 0 && low < high && high < last => {
            format!("between {} and {}", value(low), value(high))
        }
        (Quantity::PairSum, ..) => draft_values(range),
        (_, low, high) if low + 1 == high && (low == 0 || high == last) => format!("{} or {}", value(low), value(high)),
        _ => draft_values(range),
    }
}

/// Formats a part of the hand and its values, such as "highest single ace".
fn quantity(range: Range, shapes: &[Shape]) -> String {
    let last = range.of.values() as u8 - 1;
    let is_high_card = range.of == Quantity::Single && shapes == [Shape::NoPair] && range.high == last;
    match last - range.low {
        0 if is_high_card => "ace-high".to_owned(),
        1 if is_high_card => "king- or ace-high".to_owned(),
        _ => format!("{} {}", name_of(range.of, shapes), values(range)),
    }
}

/// Formats the draft of a rule's sentence. The word limit applies to this draft. `always` must be true if the first
/// play fits every hand that reaches the rule.
pub(super) fn draft(rule: &FoundRule, play: &Play, is_first: bool, always: bool) -> String {
    format!("{}: {}.", draft_condition(rule, is_first), play.draft(always))
}

/// Formats a rule's sentence. If the plays fit hands of different shapes differently, there is a separate sentence for
/// each kind of hand, unless that takes more words than the draft.
pub(super) fn sentence(rule: &FoundRule, play: &Play, is_first: bool, fits: &[Fits]) -> String {
    let all: Vec<[Fit; 2]> = fits.iter().copied().flatten().collect();
    let always = all.iter().all(|[first, _]| *first == Fit::All);
    let most = word_count(&draft(rule, play, is_first, always));
    let by_play = by_play(rule, play, fits);
    let settings = |(words, rule): &(String, FoundRule)| {
        capitalized(&format!("{}: {words}.", condition(&rule.by_ranges(), is_first)))
    };
    let separate: Vec<String> = by_play.iter().map(settings).collect();
    let separate = separate.join(" ");
    if rule.cases.len() < Shape::ALL.len() && word_count(&separate) <= most {
        return separate;
    }
    let fits = [0, 1].map(|play| Fit::of_all(all.iter().map(|fits| fits[play])));
    let second = if fits[1] == Fit::None { Fit::None } else { Fit::All };
    let words = play.sentence([fits[0], second], wording(&rule.cases));
    capitalized(&format!("{}: {words}.", condition(&rule.by_ranges(), is_first)))
}

/// Groups a rule's cases by the words for their settings, in order. Shapes with no hands that reach the rule are
/// omitted.
fn by_play(rule: &FoundRule, play: &Play, fits: &[Fits]) -> Vec<(String, FoundRule)> {
    let mut groups: Vec<([Fit; 2], FoundRule)> = Vec::new();
    for (case, fits) in rule.cases.iter().zip(fits) {
        let Some(fits) = *fits else { continue };
        let words = |fits| play.sentence(fits, Wording::Plain);
        match groups.iter_mut().find(|group| words(group.0) == words(fits)) {
            Some((_, group)) => group.cases.push(case.clone()),
            None => groups.push((fits, FoundRule { play: rule.play, cases: vec![case.clone()] })),
        }
    }
    groups.into_iter().map(|(fits, group)| (play.sentence(fits, wording(&group.cases)), group)).collect()
}

fn wording(cases: &[(Shape, Ranges)]) -> Wording {
    match cases {
        [(Shape::NoPair, _)] => Wording::Cards,
        [(Shape::TwoPairs, _)] => Wording::BothPairs,
        _ => Wording::Plain,
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// Returns the number of words in a text.
pub(super) fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Returns the text of a rule in the house way language. `number` makes its name unique, and `fits` contains the fits
/// of its plays for each case.
pub(super) fn rule_toml(rule: &FoundRule, play: &Play, number: usize, fits: &[Fits]) -> String {
    let is_first = number == 1;
    let text = sentence(rule, play, is_first, fits);
    let name = condition(&rule.by_ranges(), is_first);
    let mut toml = format!("[[rule]]\nname = \"{number}. {name}\"\ntext = \"{text}\"\n");
    let cases: Vec<String> = rule.by_ranges().iter().map(|(shapes, ranges)| when(shapes, ranges)).collect();
    match &cases[..] {
        [all] if all.is_empty() => {}
        [one] => {
            let _ = writeln!(toml, "when = {{ {one} }}");
        }
        many => {
            let lines: String = many.iter().map(|case| format!("    {{ {case} }},\n")).collect();
            let _ = write!(toml, "when = [\n{lines}]\n");
        }
    }
    let _ = writeln!(toml, "play = {}", play.toml());
    if play.prefer_back {
        toml += "prefer = \"back\"\n";
    }
    toml
}

/// Formats a condition without its braces. Empty for all hands.
fn when(shapes: &[Shape], ranges: &[Range]) -> String {
    let mut parts = Vec::new();
    if shapes.len() < Shape::ALL.len() {
        let names: Vec<String> = shapes.iter().map(|shape| format!("\"{}\"", shape.name())).collect();
        parts.push(match &names[..] {
            [one] => format!("shape = {one}"),
            many => format!("shape = [{}]", many.join(", ")),
        });
    }
    parts.extend(ranges.iter().map(|&range| format!("{} = \"{}\"", range.of.name(), value(range))));
    parts.join(", ")
}

fn value(range: Range) -> String {
    let word = |value: u8| match range.of {
        Quantity::PairSum => (value + Quantity::MIN_SUM).to_string(),
        _ => match Rank::from_index(value.into()) {
            Rank::Ten => "10".to_owned(),
            rank => rank.to_string(),
        },
    };
    if range.low == range.high { word(range.low) } else { format!("{}-{}", word(range.low), word(range.high)) }
}

/// The fit of a rule's two plays among the hands of a shape that reach the rule. The second play is only considered for
/// hands that the first doesn't fit. `None` if no hand of the shape reaches the rule.
type Fits = Option<[Fit; 2]>;

impl Search<'_> {
    /// Returns how well a rule's plays fit the hands of each of its cases.
    pub(super) fn fits(&self, rules: &[FoundRule], rule: usize) -> Vec<Fits> {
        let plays = self.space().plays();
        let index = |wanted: Play| plays.iter().position(|play| *play == wanted);
        let (first, second) = plays[rules[rule].play].parts();
        let (first, second) = (index(first), second.and_then(index));
        let of_case = |(shape, ranges): &(Shape, Ranges)| {
            let own = &self.space().shapes[*shape as usize];
            let (state, numbers) = self.state(rules, *shape);
            let place = numbers.iter().position(|&number| number == rule)?;
            let within = own.groups.within(ranges);
            let reaches = |&i: &usize| usize::from(state.by[i]) >= place && within[own.groups.cell[i] as usize];
            let groups: Vec<usize> = (0..own.groups.count()).filter(reaches).collect();
            let fits = |play: Option<usize>, group: usize| {
                let loss = play.and_then(|play| own.losses(play).get(group));
                if loss.is_some_and(|&loss| loss != NO_PLAY) { Fit::All } else { Fit::None }
            };
            let others = groups.iter().filter(|&&group| fits(first, group) == Fit::None);
            let second = Fit::of_all(others.map(|&group| fits(second, group)));
            let first = Fit::of_all(groups.iter().map(|&group| fits(first, group)));
            (!groups.is_empty()).then_some([first, second])
        };
        rules[rule].cases.iter().map(of_case).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::search::list::Word;
    use crate::pai_gow::search::vocabulary::plays;
    use proptest::prelude::*;

    const ALL: Fits = Some([Fit::All, Fit::All]);

    fn play(toml: &str) -> Play {
        plays(&Word::ALL).into_iter().find(|play| play.toml() == toml && !play.prefer_back).unwrap()
    }

    fn range(of: Quantity, low: u8, high: u8) -> Range {
        Range { of, low, high }
    }

    fn ranges(mut ranges: Vec<Range>) -> Ranges {
        ranges.sort();
        ranges
    }

    #[test]
    fn a_rule_says_what_it_does_with_each_kind_of_hand() {
        let low_pair = ranges(vec![range(Quantity::Pair, 0, 9), range(Quantity::Single, 0, 11)]);
        let sum = ranges(vec![range(Quantity::PairSum, 0, 5), range(Quantity::Single, 11, 12)]);
        let cases = vec![(Shape::OnePair, low_pair), (Shape::TwoPairs, sum)];
        let rule = FoundRule { play: 0, cases };
        let play = play("[{ back = \"two pairs\" }, { back = \"complete\" }]");
        let fits = [Some([Fit::None, Fit::Some]), ALL];
        assert_eq!(
            sentence(&rule, &play, true, &fits),
            "A pair of jacks or lower, highest single king or lower: a complete hand in back if possible. Two pairs adding up \
             to 10 or less, highest single king or ace: both pairs in back."
        );
    }

    #[test]
    fn hands_without_a_pair_have_cards_and_not_singles() {
        let high = ranges(vec![range(Quantity::Single, 12, 12), range(Quantity::ThirdSingle, 0, 8)]);
        let rule = FoundRule { play: 0, cases: vec![(Shape::NoPair, high)] };
        let play = play("[{ back = \"complete\" }, { front = \"second-single fifth-single\" }]");
        assert_eq!(
            sentence(&rule, &play, true, &[Some([Fit::Some, Fit::All])]),
            "No pair, ace-high, third card ten or lower: a complete hand in back if possible, otherwise the second and the \
             fifth card in front."
        );
    }

    #[test]
    fn parts_that_name_the_hand_stand_first() {
        let named = |shape: Shape, all: Vec<Range>| case(&[shape], &ranges(all), "");
        assert_eq!(named(Shape::ThreeOfAKind, vec![range(Quantity::Trips, 12, 12)]), "three aces");
        assert_eq!(named(Shape::ThreeOfAKind, vec![range(Quantity::Trips, 11, 12)]), "three of a kind, kings or aces");
        assert_eq!(named(Shape::FourOfAKind, vec![range(Quantity::Quads, 0, 1)]), "four of a kind, twos or threes");
        assert_eq!(
            named(Shape::TwoPairs, vec![range(Quantity::HighPair, 0, 10), range(Quantity::PairSum, 6, 9)]),
            "two pairs adding up to between 11 and 14, higher pair queens or lower"
        );
        assert_eq!(named(Shape::NoPair, vec![range(Quantity::Single, 11, 12)]), "no pair, king- or ace-high");
        assert_eq!(
            named(Shape::FullHouse, vec![range(Quantity::Trips, 5, 12), range(Quantity::Pair, 12, 12)]),
            "full house, the three sevens or higher, the pair aces"
        );
    }

    #[test]
    fn the_last_rule_is_for_any_other_hand() {
        let play = play("[{ front = \"single single\", back = \"complete\" }, {}]");
        let fits: Vec<Fits> = (0..Shape::ALL.len()).map(|i| (i > 1).then_some([Fit::Some, Fit::All])).collect();
        assert_eq!(
            sentence(&FoundRule::for_all(0), &play, false, &fits),
            "Any other hand: the two highest singles in front of a complete hand if possible, otherwise the highest front."
        );
    }

    /// Generates a case for a shape, with a random range for each quantity.
    fn any_case(shape: Shape) -> impl Strategy<Value = (Shape, Ranges)> {
        let quantities = Quantity::of_shape(shape);
        let ends = proptest::collection::vec((0..40u8, 0..40u8), quantities.len());
        ends.prop_map(move |ends| {
            let ends = quantities.iter().zip(ends).map(|(&of, (low, high))| {
                let last = of.values() as u8 - 1;
                let (low, high) = (low % (last + 1), if high > last { last } else { high });
                Range { of, low: low.min(high), high: high.max(low) }
            });
            (shape, ends.filter(|range| range.bounds() > 0).collect())
        })
    }

    fn any_fit() -> impl Strategy<Value = Fit> {
        prop_oneof![Just(Fit::None), Just(Fit::Some), Just(Fit::All)]
    }

    proptest! {
        /// A sentence never has more words than the draft that the word limit applies to.
        #[test]
        fn sentences_are_no_longer_than_drafts(
            shapes in proptest::sample::subsequence(Shape::ALL.to_vec(), 1..4),
            play in 0..plays(&Word::ALL).len(),
            is_first in any::<bool>(),
            cases in Shape::ALL.into_iter().map(any_case).collect::<Vec<_>>(),
            fits in proptest::collection::vec((any_fit(), any_fit()), Shape::ALL.len()),
        ) {
            let cases: Vec<(Shape, Ranges)> = cases.into_iter().filter(|case| shapes.contains(&case.0)).collect();
            let fits: Vec<Fits> = cases.iter().map(|case| Some(fits[case.0 as usize].into())).collect();
            let rule = FoundRule { play: 0, cases };
            let play = &plays(&Word::ALL)[play];
            let always = fits.iter().flatten().all(|fits| fits[0] == Fit::All);
            let (text, draft) = (sentence(&rule, play, is_first, &fits), draft(&rule, play, is_first, always));
            prop_assert!(word_count(&text) <= word_count(&draft), "{text}\n{draft}");
            prop_assert!(text.ends_with('.') && text.starts_with(char::is_uppercase));
        }
    }
}
