//! Runs each fuzz target on a limited number of generated inputs.

mod targets;

use houseway_env::gym::{Env, Episode, StreamSeed, stream, write_episodes};
use houseway_env::pai_gow::house_way::BUILT_IN;
use houseway_env::pai_gow::table::{HistoryHeader, HistoryWriter, Player, Players, RoundRecord, play_round};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;
use std::sync::LazyLock;

/// Fragments of cards. They make generated texts look similar to hands.
const PIECES: [&str; 14] = ["As", "td", "10h", "Jk", "Jk2", "jk", "♣", "7♥\u{fe0f}", ", ", "", "1", "k", "2h", "é"];

/// Fragments of the house-way language, used for editing files.
const WORDS: [&str; 19] = [
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
    "pair-sum = \"5-16\"",
    "fifth-single = \"A\"",
    "{ front = \"pair first-single\" }",
    "front-at-most = \"K\"",
    "[groups]\nstrong = \"five aces\"\n",
    "\n",
];

/// Fragments of JSON, used for editing records.
const JSON: [&str; 12] = ["-1", "0", "7", "99999999999999999999", "0.5", "null", "[]", "{", "\"", "\"win\"", ",", "\n"];

/// Edits to a text. Each has a position, the number of characters to remove, and the index of the fragment to insert.
type Edits = Vec<(Index, usize, Index)>;

fn edits() -> impl Strategy<Value = Edits> {
    proptest::collection::vec((any::<Index>(), 0..40_usize, any::<Index>()), 1..4)
}

/// Returns the text with the edited spans replaced by fragments.
fn edited(text: &str, edits: Edits, pieces: &[&str]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (place, length, piece) in edits {
        let start = place.index(text.len() + 1);
        let end = (start + length).min(text.len());
        text.splice(start..end, piece.get(pieces).chars());
    }
    text.into_iter().collect()
}

/// A recording of four episodes.
static EPISODES: LazyLock<String> = LazyLock::new(|| {
    let mut env = targets::recorded_env();
    let episodes = [0, 1, 1, 0].map(|action| {
        let seed = (action == 0).then_some(StreamSeed::from(3));
        env.reset_stream(seed, None).unwrap();
        let mut episode = Episode::new(&env, seed, json!({}));
        episode.push(action, env.step(action).unwrap());
        episode
    });
    let mut written = Vec::new();
    write_episodes(&mut written, &episodes).unwrap();
    String::from_utf8(written).unwrap()
});

/// A recording of three rounds at a table.
static HISTORY: LazyLock<String> = LazyLock::new(|| {
    let mut table = targets::recorded_table();
    let seed = StreamSeed::from(5);
    let mut writer = HistoryWriter::new(vec![], &HistoryHeader::new(&table, seed, serde_json::Value::Null)).unwrap();
    let mut players: Players = std::array::from_fn(|seat| Some(Player::random((seat as u64).into())));
    let mut rng = stream(seed);
    for _ in 0..3 {
        assert!(play_round(&mut table, &mut players, &mut rng).unwrap());
        writer.write(&RoundRecord::new(&table)).unwrap();
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
});

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
        targets::episodes(&text);
        targets::table_history(&text);
    }

    #[test]
    fn episodes(edits in edits()) {
        targets::episodes(&EPISODES);
        targets::episodes(&edited(&EPISODES, edits, &JSON));
    }

    #[test]
    fn table_history(edits in edits()) {
        targets::table_history(&HISTORY);
        targets::table_history(&edited(&HISTORY, edits, &JSON));
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

    /// Tests built-in house ways that have only some of their rules, in a different order.
    #[test]
    fn house_way_of_some_rules(way in 0..BUILT_IN.len(),
                               rules in proptest::collection::vec(any::<prop::sample::Index>(), 1..12)) {
        let mut parts = BUILT_IN[way].1.split("[[rule]]");
        let head = parts.next().unwrap_or_default();
        let parts: Vec<&str> = parts.collect();
        let rules = rules.iter().map(|rule| format!("[[rule]]{}", rule.get(&parts)));
        targets::house_way(&rules.fold(head.to_owned(), |text, rule| text + &rule));
    }

    /// Tests built-in house ways in which some spans are replaced.
    #[test]
    fn house_way(way in 0..BUILT_IN.len(), edits in edits()) {
        targets::house_way(&edited(BUILT_IN[way].1, edits, &WORDS));
    }
}
