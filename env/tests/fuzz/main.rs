//! The bodies of the fuzz targets on generated inputs, a bounded number of each.

mod targets;

use houseway_env::pai_gow::house_way::BUILT_IN;
use proptest::prelude::*;

/// Pieces of card texts, so that generated texts come close to hands.
const PIECES: [&str; 14] = ["As", "td", "10h", "Jk", "Jk2", "jk", "♣", "7♥\u{fe0f}", ", ", "", "1", "k", "2h", "é"];

/// Pieces of the language of house ways, for changes of files.
const WORDS: [&str; 14] = [
    "play = [",
    "]",
    "{ front = \"pair\" }",
    "[[rule]]",
    "name = \"x\"",
    "when = { ",
    " }",
    "shape = \"two pair\"",
    "= ",
    "except = ",
    "\"",
    "A-K",
    "reading",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn hand_text(pieces in proptest::collection::vec(proptest::sample::select(&PIECES), 0..12)) {
        targets::hand_text(&pieces.concat());
        targets::hand_text(&pieces.join(" "));
    }

    #[test]
    fn any_text(text in any::<String>()) {
        targets::hand_text(&text);
        targets::house_way(&text);
    }

    #[test]
    fn hand_round_trip(bits in any::<u64>(), mask in any::<u64>()) {
        targets::hand_round_trip(bits & mask);
    }

    #[test]
    fn best_of_seven(draws in any::<[u8; 7]>()) {
        targets::best_of_seven(draws);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// House ways of the crate with only some of their rules, in another order.
    #[test]
    fn house_way_of_some_rules(way in 0..BUILT_IN.len(),
                               rules in proptest::collection::vec(any::<prop::sample::Index>(), 1..12)) {
        let mut parts = BUILT_IN[way].1.split("[[rule]]");
        let head = parts.next().unwrap_or_default();
        let parts: Vec<&str> = parts.collect();
        let rules = rules.iter().map(|rule| format!("[[rule]]{}", rule.get(&parts)));
        targets::house_way(&rules.fold(head.to_owned(), |text, rule| text + &rule));
    }

    /// House ways of the crate with spans replaced.
    #[test]
    fn house_way(way in 0..BUILT_IN.len(),
                 edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..40_usize, 0..=WORDS.len()), 1..3)) {
        let mut text: Vec<char> = BUILT_IN[way].1.chars().collect();
        for (place, length, word) in edits {
            let start = place.index(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, WORDS.get(word).unwrap_or(&"").chars());
        }
        targets::house_way(&text.into_iter().collect::<String>());
    }
}
