//! The fuzz targets of this crate. Each of them checks a property that holds for every input.
//!
//! `tests/fuzz` runs them on a limited number of generated inputs, and `fuzz/` lets cargo-fuzz search for inputs.

use houseway_env::asian_stud::{self, AsianStud};
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::{Card, CardSet};
use houseway_env::gym::{Episode, HistoryError, Verified, read_episodes, replay, write_episodes};
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::table::{HistoryReader, Players, Setup, Table, TableRules};
use houseway_env::pai_gow::{Game, Hand, Paytable, ProfileTable, Rules};
use houseway_env::rank::{BestOfSeven, FiveRules};
use std::sync::{Arc, LazyLock};

/// Checks that a text either parses as a set of cards, which has one canonical text, or fails with an error that quotes
/// the text.
pub(crate) fn hand_text(text: &str) {
    match text.parse::<CardSet>() {
        Ok(set) => {
            assert_eq!(set.to_string().parse(), Ok(set), "{text:?}");
            // The order, the case and the separators don't matter.
            let mut cards: Vec<String> = set.iter().map(|card| card.to_string().to_lowercase()).collect();
            cards.reverse();
            assert_eq!(cards.join(",").parse(), Ok(set), "{text:?}");
        }
        Err(error) => assert!(error.to_string().contains(text), "{text:?}: {error}"),
    }
    if let Ok(hand) = text.parse::<Hand>() {
        assert_eq!((hand.set().len(), text.parse()), (7, Ok(hand.set())), "{text:?}");
    }
    if let Ok(card) = text.parse::<Card>() {
        assert_eq!(text.parse(), Ok(CardSet::EMPTY.with(card)), "{text:?}");
    }
}

/// Checks that every set of cards can be parsed from its own text.
pub(crate) fn hand_round_trip(bits: u64) {
    let set = CardSet::from_bits(bits);
    assert_eq!(set.to_string().parse(), Ok(set));
}

/// Checks that a house way is either rejected with an error that names a line or sets all of its hands legally.
pub(crate) fn house_way(text: &str) {
    static GAME: LazyLock<Game> = LazyLock::new(|| Game::new(Rules::default()));
    let message = match Way::parse(text, "way.toml") {
        Err(error) => error.to_string(),
        Ok(way) => {
            assert!(!way.name().is_empty() && !way.rules().is_empty());
            match way.survey(&GAME) {
                Err(error) => error.to_string(),
                Ok(survey) => {
                    assert_eq!((survey.hands, survey.fouls), (154_143_080, 0));
                    let set: u64 = survey.rules.iter().map(|rule| rule.hands).sum();
                    assert_eq!(set + survey.uncovered, survey.hands);
                    assert_eq!(survey.uncovered > 0, !survey.uncovered_examples.is_empty());
                    return;
                }
            }
        }
    };
    let line = message.strip_prefix("way.toml, line ").and_then(|rest| rest.split_once(": "));
    let line: Option<usize> = line.and_then(|(line, _)| line.parse().ok());
    assert!(line.is_some_and(|line| (1..=text.matches('\n').count() + 1).contains(&line)), "{message}\n{text}");
}

/// Checks that the rank of seven cards equals the rank of the best five among them. The bytes determine the seven
/// cards.
pub(crate) fn best_of_seven(draws: [u8; 7]) {
    static BEST: LazyLock<BestOfSeven> = LazyLock::new(|| BestOfSeven::new(FiveRules::POKER));
    let mut left: Vec<Card> = CardSet::DECK_52.iter().collect();
    let cards: CardSet = draws.iter().map(|&draw| left.remove(usize::from(draw) % left.len())).collect();
    let mut best = None;
    for_each_subset(cards, 5, |five| best = best.max(Some(BEST.ranking().five(five))));
    assert_eq!(Some(BEST.of(cards)), best, "{cards}");
}

/// Returns the environment for replaying the recorded [`episodes`].
pub(crate) fn recorded_env() -> AsianStud {
    AsianStud::new(asian_stud::Game::new(asian_stud::Rules::default()))
}

/// Checks that recorded episodes are either rejected with a reason or written back unchanged. In the second case, they
/// either replay or differ from the game.
pub(crate) fn episodes(text: &str) {
    let read = |text: &str| read_episodes(text.as_bytes());
    let episodes: Vec<Episode> = match read(text) {
        Ok(episodes) => episodes,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(episodes.len(), text.lines().filter(|line| !line.trim().is_empty()).count());
    let mut written = Vec::new();
    write_episodes(&mut written, &episodes).expect("writing to memory succeeds");
    assert_eq!(read(&String::from_utf8_lossy(&written)).ok().as_ref(), Some(&episodes));
    if let Err(error) = replay(&mut recorded_env(), &episodes) {
        let is_of_others = matches!(error, HistoryError::OtherRules { .. });
        assert!(is_of_others || error.to_string().contains("episode"), "{error}");
    }
}

/// Returns the table for verifying the recorded [`table_history`].
pub(crate) fn recorded_table() -> Table {
    static SETUP: LazyLock<Arc<Setup>> = LazyLock::new(|| {
        let game = Arc::new(Game::new(Rules::default()));
        let way = Arc::new(ProfileTable::max_front(&game));
        Arc::new(
            Setup::new(TableRules::default(), game, way, Paytable::default()).expect("the defaults are consistent"),
        )
    });
    Table::new(Arc::clone(&SETUP), &[3_000, 2_000, 0, 500, 8_000, 50]).expect("the table has six player seats")
}

/// Checks that a table history is either rejected with a reason or contains only rounds that happened as recorded.
pub(crate) fn table_history(text: &str) {
    let mut table = recorded_table();
    match HistoryReader::read(text.as_bytes()).and_then(|history| history.verify(&mut table, &mut Players::default())) {
        Ok(Verified { rounds, closed }) => {
            let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
            let lines = whole.lines().filter(|line| !line.trim_ascii().is_empty()).count();
            assert_eq!(rounds as usize, lines - 1 - usize::from(closed));
            assert!(!closed || whole == text);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
