//! The registry of solvers, with one entry per game.
//!
//! [`solvers`] lists the solvers in this crate and those that downstream crates add with [`register`]. All code that
//! iterates over solvers uses this list.

use crate::solver::{SolverEntry, SolverError, invalid};
use crate::{asian_stud, joker_seven, pai_gow, pai_gow_tiles, ultimate_holdem};
use houseway_env::gym::GameEntry;
use std::sync::{PoisonError, RwLock};

/// The built-in solvers.
const BUILT_IN: &[SolverEntry] = &[
    pai_gow::SOLVER,
    ultimate_holdem::SOLVER,
    joker_seven::SOLVER,
    asian_stud::SOLVER,
    pai_gow::face_up::SOLVER,
    pai_gow_tiles::SOLVER,
];

/// The solvers registered by downstream crates.
static REGISTERED: RwLock<Vec<&'static SolverEntry>> = RwLock::new(Vec::new());

/// Returns all solvers. The built-in ones come first, followed by registered ones in order of registration.
pub fn solvers() -> Vec<&'static SolverEntry> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter().copied()).collect()
}

/// Registers a solver for the rest of the process.
///
/// # Errors
/// Returns an error if the game already has a solver.
pub fn register(entry: &'static SolverEntry) -> Result<(), SolverError> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    if BUILT_IN.iter().chain(registered.iter().copied()).any(|other| other.game == entry.game) {
        return Err(invalid!("the game '{}' already has a solver", entry.game));
    }
    registered.push(entry);
    Ok(())
}

/// Returns the solver for a game, which is given by name or versioned id.
///
/// # Errors
/// Returns an error if there is no such game, or if it has no solver. In the second case, the message names the
/// games that have one.
pub fn find(game: &str) -> Result<&'static SolverEntry, SolverError> {
    let game = houseway_env::registry::find(game).map_err(SolverError::invalid)?;
    solvers().into_iter().find(|entry| entry.game == game.name).ok_or_else(|| {
        let others: Vec<&str> = solvers().iter().map(|entry| entry.game).collect();
        without(game, "solver", &others)
    })
}

/// Returns the error that a game lacks something that other games have.
pub(crate) fn without(game: &GameEntry, what: &str, others: &[&str]) -> SolverError {
    let name = game.name;
    match game.seated {
        Some(seated) => invalid!("'{name}' is a table of {0} and has no {what} of its own; use {0}", seated.game),
        None => invalid!("the game '{name}' has no {what}; these games have one: {}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ratio;
    use crate::asian_stud::{poker_hands, side_bet_ev};
    use crate::solver::{Control, DeadCards, SolverConfig};
    use houseway_env::asian_stud::{Paytable as AsianStudTable, Rules as AsianStudRules};
    use houseway_env::cards::CardSet;
    use serde_json::json;

    #[test]
    fn solvers_belong_to_games_and_have_distinct_options() {
        for entry in solvers() {
            assert_eq!(houseway_env::registry::find(entry.game).unwrap().name, entry.game);
            for (i, option) in entry.options.iter().enumerate() {
                assert!(entry.options[..i].iter().all(|other| other.name != option.name), "{}", option.name);
                assert!(option.in_solve || option.in_value, "{}", option.name);
            }
            assert!(entry.solver(&SolverConfig::default()).is_ok());
            let error = entry.solver(&SolverConfig::default().option("nonsense", "1")).err().unwrap().to_string();
            assert!(error.contains("no option 'nonsense'"), "{error}");
            assert!(register(entry).is_err());
        }
        assert_eq!(find("AsianStud-v0").unwrap().game, "asian-stud");
        assert!(find("baccarat").err().unwrap().to_string().contains("unknown game 'baccarat'"));
        assert!(find("pai-gow-table").err().unwrap().to_string().ends_with("no solver of its own; use pai-gow-poker"));
    }

    /// The published edges of the default side bets, in percent, with a view in which 8 chips are staked on each.
    #[test]
    fn decisions_have_the_ev_of_side_bets() {
        let asian_stud = side_bet_ev(&AsianStudTable::default(), &poker_hands(&AsianStudRules::default()));
        for (game, view, edge) in [
            ("pai-gow-poker", json!({ "hand": "As Kd Jk 7c 7d 2h 3s", "side_stake": 8 }), 0.077_656),
            ("asian-stud", json!({ "hand": "As Kd 7c 7d 2h", "side_stake": 8 }), -asian_stud.value()),
            ("ultimate-holdem", json!({ "hand": "As Kd", "board": "Ah Kc 7c 7d 2h", "trips": 8 }), 0.034_979),
        ] {
            let solver = find(game).unwrap().solver(&SolverConfig::default()).unwrap();
            let ev = |view| solver.decision(&view, &Control::default()).unwrap().unwrap().side_ev;
            let found = ev(view.clone());
            assert!((found + 8.0 * edge).abs() < 8.0 * 5e-7, "{game}: {found}");
            let mut without = view;
            let key = if without["trips"].is_null() { "side_stake" } else { "trips" };
            without[key] = 0.into();
            assert_eq!(ev(without), 0.0, "{game}");
        }
    }

    #[test]
    fn main_bets_have_the_ev_of_the_solved_game() {
        for (game, key, deals, money) in [
            ("asian-stud", "ev", 2_869_685 * 1_712_304, 3),
            // The parts after the commission are the probabilities of copies.
            ("pai-gow-tiles", "ev_exact", 736_281_000, 2),
        ] {
            let (entry, config) = (find(game).unwrap(), SolverConfig::default());
            let bet = entry.main_bet.unwrap()(&config, &Control::default()).unwrap();
            let solver = entry.solver(&config).unwrap();
            let solved = solver.solve(&Control::default()).unwrap().json;
            assert_eq!((bet.results.ev().to_json(), bet.results.deals()), (solved[key].clone(), deals), "{game}");
            assert!(bet.optimal_ev >= Some(bet.results.ev()));
            assert_eq!(bet.parts[..money].iter().map(|&(_, part)| part).sum::<Ratio>(), bet.results.ev(), "{game}");
            let (rules, rules_hash) = solver.rules();
            assert_eq!((&rules, rules_hash.as_str()), (&solved["rules"], solved["rules_hash"].as_str().unwrap()));
        }
    }

    #[test]
    fn every_game_with_a_hidden_hand_has_dead_cards() {
        // Tiles aren't cards.
        for entry in solvers().into_iter().filter(|entry| entry.game != "pai-gow-tiles") {
            assert_eq!(entry.hands.is_some(), entry.options.contains(&DeadCards::OPTION), "{}", entry.game);
        }
        let hands = [
            ("pai-gow-poker", "As Kd Jk 7c 7d 2h 3s"),
            ("ultimate-holdem", "As Kd"),
            ("asian-stud", "As Kd 7c 7d 2h"),
            ("face-up-pai-gow", "As Kd Jk 7c 7d 2h 3s"),
        ];
        for (game, hand) in hands {
            let most =
                CardSet::DECK_52.difference(hand.parse().unwrap()).difference("2c 3c".parse().unwrap()).to_string();
            for (dead, part) in [
                ("Qh Qh", "Qh occurs twice"),
                ("Qh 1x", "invalid card '1x'"),
                ("Qh Kd", "Kd is in play"),
                ("Qh Jk2", "Jk2 is not in the deck"),
                (most.as_str(), "leave too few"),
            ] {
                let config = SolverConfig::default().option("dead", dead);
                let solver = find(game).unwrap().solver(&config);
                let error = solver.and_then(|solver| solver.value(hand, &Control::default())).err().unwrap();
                assert!(matches!(error, SolverError::Invalid(_)), "{game}");
                assert!(error.to_string().contains(part) && error.to_string().contains("dead"), "{game}: {error}");
            }
        }
        let config = SolverConfig::default().option("dead", "Qh");
        let error = find("joker-seven").unwrap().solver(&config).err().unwrap().to_string();
        assert!(error.contains("no option 'dead'"), "{error}");
    }
}
