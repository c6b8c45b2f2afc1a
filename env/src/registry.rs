//! The registry of games, with one entry per environment.
//!
//! [`games`] lists all games in this crate and all games that downstream crates have added with [`register`]. Code that
//! iterates over games should always use it, so that registered games are included.

pub use crate::gym::GameEntry;

use crate::names::{self, InvalidText};
use crate::{asian_stud, joker_seven, pai_gow, pai_gow_tiles, ultimate_holdem};
use std::sync::{PoisonError, RwLock};

/// The games in this crate.
const BUILT_IN: &[GameEntry] = &[
    pai_gow::GAME,
    pai_gow::table::GAME,
    ultimate_holdem::GAME,
    joker_seven::GAME,
    asian_stud::GAME,
    pai_gow::face_up::GAME,
    pai_gow::known_cards::GAME,
    pai_gow_tiles::GAME,
];

/// The games registered by downstream crates.
static REGISTERED: RwLock<Vec<&'static GameEntry>> = RwLock::new(Vec::new());

/// Returns all games. The games in this crate come first, followed by registered games in the order of registration.
pub fn games() -> Vec<&'static GameEntry> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter().copied()).collect()
}

/// Registers a game for the lifetime of the process. Once registered, the game is returned by [`find`] and [`games`].
///
/// # Errors
/// Returns an error if a game with the same name or id is already registered.
pub fn register(game: &'static GameEntry) -> Result<(), InvalidText> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let taken = |other: &&'static GameEntry| {
        let names = [other.name, other.id];
        names.contains(&game.name) || names.contains(&game.id)
    };
    match BUILT_IN.iter().chain(registered.iter().copied()).find(taken) {
        Some(GameEntry { name, id, .. }) => Err(InvalidText(format!(
            "a game '{name}' with the id '{id}' is already registered; names and ids must be unique"
        ))),
        None => {
            registered.push(game);
            Ok(())
        }
    }
}

/// Returns the game with the given name or versioned id.
///
/// # Errors
/// Returns an error that lists the known names if no game matches.
pub fn find(name: &str) -> Result<&'static GameEntry, InvalidText> {
    let found = games().into_iter().find(|game| game.name == name || game.id == name);
    let expected = || names::expected(name, games().iter().map(|game| game.name));
    found.ok_or_else(|| InvalidText(format!("unknown game '{name}'; {}", expected())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleReading;

    #[test]
    fn games_are_found_by_name_and_id() {
        assert_eq!(find("pai-gow-poker").unwrap().id, find("PaiGowPoker-v0").unwrap().id);
        let error = find("baccarat").unwrap_err().to_string();
        assert!(error.contains("'baccarat'") && error.contains("pai-gow-poker"), "{error}");
        assert!(find("paigow").unwrap_err().to_string().contains("did you mean pai-gow-poker?"));
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
        for (game, name) in [(&OWN, "'own-game'"), (&SAME_ID, "'asian-stud'")] {
            assert!(register(game).unwrap_err().to_string().contains(name));
        }
    }

    #[test]
    fn names_and_ids_are_unique_and_folders_exist() {
        for (i, game) in BUILT_IN.iter().enumerate() {
            assert!(BUILT_IN[..i].iter().all(|other| other.name != game.name && other.id != game.id));
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(game.folder);
            assert!(folder.is_dir(), "{}", game.folder);
            let rules = (game.rules.defaults)();
            for RuleReading { name: reading, options, .. } in game.rules.readings {
                assert!(!options.is_empty() && rules.contains_key(*reading), "{}: {reading}", game.name);
            }
            for RuleReading { name: variant, options, .. } in game.rules.variants {
                assert_eq!(rules[*variant], options[0], "{}: {variant}", game.name);
            }
            assert!(game.id.split_once("-v").is_some_and(|(_, version)| version.parse::<u32>().is_ok()));
        }
    }
}
