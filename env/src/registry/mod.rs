//! The registry of games: one entry per environment.
//!
//! [`games`] lists the games of this crate and those that a library user adds with [`register`]; everything that loops over
//! games reads it.

mod page;

pub use page::Documentation;

use crate::gym::{AnyEnv, Example, MakeError};
use crate::rules::{RuleParameter, RuleReading, RuleSet};
use crate::{asian_stud, joker_seven, pai_gow, ultimate_holdem};
use serde_json::{Map, Value};
use std::sync::{PoisonError, RwLock};

/// Entry of a game.
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
    /// The parameters among its rules.
    pub parameter_docs: &'static [RuleParameter],
    /// The readings among its rules.
    pub readings: &'static [RuleReading],
    /// The variants among its rules.
    pub variants: &'static [RuleReading],
    /// Its rules by default, as JSON.
    pub default_rules: fn() -> Map<String, Value>,
    /// Data that comes with the game: what kind, and the name and text of each file.
    pub data: &'static [(&'static str, &'static [(&'static str, &'static str)])],
    /// Names of its observation encodings, the values of the key `observation` of its configurations; empty if there is one
    /// only, which has no name.
    pub encodings: &'static [&'static str],
    /// Examples.
    pub examples: &'static [Example],
    /// Makes the environment for one agent from a configuration, a JSON object; `{}` is the game with all defaults. Rules
    /// are under the key `rules`; the other keys depend on the game.
    ///
    /// # Errors
    /// If a key or a value is invalid; the message names it.
    pub make: fn(config: &str) -> Result<Box<dyn AnyEnv>, MakeError>,
}

impl GameEntry {
    /// Makes the environment with another encoding of observations.
    ///
    /// # Errors
    /// Those of [`GameEntry::make`].
    pub fn make_with_encoding(&self, config: &str, encoding: &str) -> Result<Box<dyn AnyEnv>, MakeError> {
        let mut config: Map<String, Value> = serde_json::from_str(config)?;
        config.insert("observation".to_owned(), encoding.into());
        (self.make)(&Value::from(config).to_string())
    }

    /// The rules that are neither readings nor variants, with their defaults.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut rules = (self.default_rules)();
        rules.retain(|name, _| self.readings.iter().all(|reading| reading.name != name));
        rules
    }
}

/// The games of this crate.
const BUILT_IN: &[GameEntry] = &[
    GameEntry {
        name: "pai-gow-poker",
        id: "PaiGowPoker-v0",
        folder: "pai_gow",
        title: "Pai Gow Poker, one player against the banker",
        source: "rules of play of an online casino: Pai Gow Poker with the Jokolor side bet",
        parameter_docs: pai_gow::Rules::PARAMETERS,
        readings: pai_gow::Rules::READINGS,
        variants: pai_gow::Rules::VARIANTS,
        default_rules: pai_gow::Rules::defaults,
        data: &[("house ways", pai_gow::house_way::BUILT_IN), ("paytables", &pai_gow::PAYTABLES)],
        encodings: &pai_gow::observe::Observation::NAMES,
        examples: pai_gow::EXAMPLES,
        make: pai_gow::make,
    },
    GameEntry {
        name: "pai-gow-table",
        id: pai_gow::table::ID,
        folder: "pai_gow/table",
        title: "Pai Gow Poker at a table of two to seven seats, with player banking",
        source: "rules of play of an online casino: Pai Gow Poker with player banking",
        parameter_docs: pai_gow::table::TableRules::PARAMETERS,
        readings: pai_gow::table::TableRules::READINGS,
        variants: &[],
        default_rules: pai_gow::table::TableRules::defaults,
        data: &[("house ways", pai_gow::house_way::BUILT_IN), ("paytables", &pai_gow::PAYTABLES)],
        encodings: &[],
        examples: pai_gow::table::EXAMPLES,
        make: pai_gow::table::make,
    },
    GameEntry {
        name: "ultimate-holdem",
        id: "UltimateHoldem-v0",
        folder: "ultimate_holdem",
        title: "Ultimate Texas Hold'em, one player against the dealer",
        source: "rules of play of an online casino: Ultimate Texas Hold'em, its lost digits restored from the published game",
        parameter_docs: ultimate_holdem::Rules::PARAMETERS,
        readings: ultimate_holdem::Rules::READINGS,
        variants: &[],
        default_rules: ultimate_holdem::Rules::defaults,
        data: &[("paytables", &ultimate_holdem::PAYTABLES)],
        encodings: &ultimate_holdem::observe::Observation::NAMES,
        examples: ultimate_holdem::EXAMPLES,
        make: ultimate_holdem::make,
    },
    GameEntry {
        name: "joker-seven",
        id: "JokerSeven-v0",
        folder: "joker_seven",
        title: "Joker Seven, wagers on seven cards",
        source: "rules for playing Joker Seven; New Jersey Administrative Code 13:47-20.26",
        parameter_docs: joker_seven::Rules::PARAMETERS,
        readings: joker_seven::Rules::READINGS,
        variants: &[],
        default_rules: joker_seven::Rules::defaults,
        data: &[("paytables", &joker_seven::PAYTABLES)],
        encodings: &joker_seven::Observation::NAMES,
        examples: joker_seven::EXAMPLES,
        make: joker_seven::make,
    },
    GameEntry {
        name: "asian-stud",
        id: "AsianStud-v0",
        folder: "asian_stud",
        title: "Asian Stud, five cards in three and two against the dealer",
        source: "a text on Asian Stud, its lost paragraph restored from wizardofodds.com/games/asian-stud",
        parameter_docs: asian_stud::Rules::PARAMETERS,
        readings: asian_stud::Rules::READINGS,
        variants: &[],
        default_rules: asian_stud::Rules::defaults,
        data: &[("paytables", &asian_stud::PAYTABLES)],
        encodings: &asian_stud::Observation::NAMES,
        examples: asian_stud::EXAMPLES,
        make: asian_stud::make,
    },
];

/// Games of library users.
static REGISTERED: RwLock<Vec<&'static GameEntry>> = RwLock::new(Vec::new());

/// All games: those of this crate, then those registered, in order.
pub fn games() -> Vec<&'static GameEntry> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter().copied()).collect()
}

/// A name or an id that is taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game '{name}' with the id '{id}' is registered already; names and ids must be unique")]
pub struct DuplicateGame {
    /// Name of the game that has either.
    pub name: &'static str,
    /// Id of the game that has either.
    pub id: &'static str,
}

/// Adds a game for the rest of the process. [`find`] and [`games`] return it from then on.
///
/// # Errors
/// If a game with the same name or id is registered already.
pub fn register(game: &'static GameEntry) -> Result<(), DuplicateGame> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let taken = |other: &&'static GameEntry| {
        let names = [other.name, other.id];
        names.contains(&game.name) || names.contains(&game.id)
    };
    match BUILT_IN.iter().chain(registered.iter().copied()).find(taken) {
        Some(other) => Err(DuplicateGame { name: other.name, id: other.id }),
        None => {
            registered.push(game);
            Ok(())
        }
    }
}

/// An unknown name or id of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game '{name}'; choose among {}", games().iter().map(|game| game.name).collect::<Vec<_>>().join(", "))]
pub struct NoSuchGame {
    /// The unknown name.
    pub name: String,
}

/// The game with this name or versioned id.
///
/// # Errors
/// If there is none; the message lists the names.
pub fn find(name: &str) -> Result<&'static GameEntry, NoSuchGame> {
    let found = games().into_iter().find(|game| game.name == name || game.id == name);
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
    fn every_game_is_made_from_json() {
        for game in BUILT_IN {
            let env = (game.make)("{}").unwrap();
            assert_eq!(env.spec().id, game.id);
            let error = (game.make)(r#"{"rules": {"nobody": 1}}"#).err().unwrap().to_string();
            assert!(error.contains("nobody"), "{error}");
            assert!((game.make)(r#"{"nobody": 1}"#).is_err());
        }
    }

    #[test]
    fn users_register_games_of_their_own() {
        static OWN: GameEntry = GameEntry { name: "own-game", id: "OwnGame-v0", ..BUILT_IN[0] };
        static SAME_ID: GameEntry = GameEntry { name: "other-game", id: "AsianStud-v0", ..BUILT_IN[0] };
        register(&OWN).unwrap();
        assert_eq!(find("OwnGame-v0").unwrap().name, "own-game");
        assert!(games().iter().any(|game| game.name == "own-game"));
        assert_eq!(register(&OWN), Err(DuplicateGame { name: "own-game", id: "OwnGame-v0" }));
        assert_eq!(register(&SAME_ID).unwrap_err().name, "asian-stud");
    }

    #[test]
    fn names_and_ids_are_unique_and_folders_exist() {
        for (i, game) in BUILT_IN.iter().enumerate() {
            assert!(BUILT_IN[..i].iter().all(|other| other.name != game.name && other.id != game.id));
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
