//! The only list of games: one row an environment.

use crate::rules::{RuleReading, RuleSet};
use crate::{asian_stud, joker_seven, pai_gow, ultimate_holdem};
use serde_json::{Map, Value};

/// A game of the list.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// Name on the command line and in configs.
    pub name: &'static str,
    /// Versioned id of the environment, as [`EnvSpec::id`](crate::gym::EnvSpec::id).
    pub id: &'static str,
    /// Folder of the game in this crate's sources.
    pub folder: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// Where its rules come from.
    pub source: &'static str,
    /// The readings among its rules.
    pub readings: &'static [RuleReading],
    /// The variants among its rules.
    pub variants: &'static [RuleReading],
    /// Its rules by default, as JSON.
    pub default_rules: fn() -> Map<String, Value>,
    /// Data that comes with the game: what kind, and the name and text of each file.
    pub data: &'static [(&'static str, &'static [(&'static str, &'static str)])],
}

impl GameEntry {
    /// The rules that are neither readings nor variants, with their defaults.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut rules = (self.default_rules)();
        rules.retain(|name, _| self.readings.iter().all(|reading| reading.name != name));
        rules
    }
}

/// All games.
pub const GAMES: &[GameEntry] = &[
    GameEntry {
        name: "pai-gow-poker",
        id: "PaiGowPoker-v0",
        folder: "pai_gow",
        title: "Pai Gow Poker, one player against the banker",
        source: "rules of play of an online casino: Pai Gow Poker with the Jokolor side bet",
        readings: pai_gow::Rules::READINGS,
        variants: pai_gow::Rules::VARIANTS,
        default_rules: pai_gow::Rules::defaults,
        data: &[("house ways", pai_gow::house_way::BUILT_IN), ("paytables", &pai_gow::PAYTABLES)],
    },
    GameEntry {
        name: "pai-gow-table",
        id: pai_gow::table::ID,
        folder: "pai_gow/table",
        title: "Pai Gow Poker at a table of two to seven seats, with player banking",
        source: "rules of play of an online casino: Pai Gow Poker with player banking",
        readings: pai_gow::table::TableRules::READINGS,
        variants: &[],
        default_rules: pai_gow::table::TableRules::defaults,
        data: &[("house ways", pai_gow::house_way::BUILT_IN), ("paytables", &pai_gow::PAYTABLES)],
    },
    GameEntry {
        name: "ultimate-holdem",
        id: "UltimateHoldem-v0",
        folder: "ultimate_holdem",
        title: "Ultimate Texas Hold'em, one player against the dealer",
        source: "rules of play of an online casino: Ultimate Texas Hold'em, its lost digits restored from the published game",
        readings: ultimate_holdem::Rules::READINGS,
        variants: &[],
        default_rules: ultimate_holdem::Rules::defaults,
        data: &[("paytables", &ultimate_holdem::PAYTABLES)],
    },
    GameEntry {
        name: "joker-seven",
        id: "JokerSeven-v0",
        folder: "joker_seven",
        title: "Joker Seven, wagers on seven cards",
        source: "rules for playing Joker Seven; New Jersey Administrative Code 13:47-20.26",
        readings: joker_seven::Rules::READINGS,
        variants: &[],
        default_rules: joker_seven::Rules::defaults,
        data: &[("paytables", &joker_seven::PAYTABLES)],
    },
    GameEntry {
        name: "asian-stud",
        id: "AsianStud-v0",
        folder: "asian_stud",
        title: "Asian Stud, five cards in three and two against the dealer",
        source: "a text on Asian Stud, its lost paragraph restored from wizardofodds.com/games/asian-stud",
        readings: asian_stud::Rules::READINGS,
        variants: &[],
        default_rules: asian_stud::Rules::defaults,
        data: &[("paytables", &asian_stud::PAYTABLES)],
    },
];

/// A name or id that is not in the list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game '{name}'; choose among {}", GAMES.iter().map(|game| game.name).collect::<Vec<_>>().join(", "))]
pub struct NoSuchGame {
    /// What was asked for.
    pub name: String,
}

/// The game with this name or versioned id.
///
/// # Errors
/// If there is none; the message lists the names.
pub fn find(name: &str) -> Result<&'static GameEntry, NoSuchGame> {
    let found = GAMES.iter().find(|game| game.name == name || game.id == name);
    found.ok_or_else(|| NoSuchGame { name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_by_name_and_id() {
        assert_eq!(find("pai-gow-poker").unwrap().id, find("PaiGowPoker-v0").unwrap().id);
        let error = find("baccarat").unwrap_err().to_string();
        assert!(error.contains("'baccarat'") && error.contains("pai-gow-poker"), "{error}");
    }

    #[test]
    fn names_and_ids_are_unique_and_folders_exist() {
        for (i, game) in GAMES.iter().enumerate() {
            assert!(GAMES[..i].iter().all(|other| other.name != game.name && other.id != game.id));
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(game.folder);
            assert!(folder.is_dir(), "{}", game.folder);
            let rules = (game.default_rules)();
            for RuleReading { name: reading, options, .. } in game.readings {
                assert!(!options.is_empty() && rules.contains_key(*reading), "{}: {reading}", game.name);
            }
            for RuleReading { name: variant, options, .. } in game.variants {
                assert!(options.len() > 1 && !rules.contains_key(*variant), "{}: {variant}", game.name);
            }
            assert!(game.id.split_once("-v").is_some_and(|(_, version)| version.parse::<u32>().is_ok()));
        }
    }
}
