//! A process-wide cache of compiled house ways.

use super::compile::HouseWay;
use super::file::{Way, WayError};
use crate::pai_gow::{Game, Rules};
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of cached house ways.
const KEPT: usize = 32;

/// A house way with its selected options, the rules of the game, and the compiled result.
type Compiled = (Way, Rules, Arc<HouseWay>);

/// The most recently compiled house ways, oldest first.
static COMPILED: Mutex<Vec<Compiled>> = Mutex::new(Vec::new());

impl HouseWay {
    /// Returns the cached result if an equal house way has already been compiled with the same rules. Compiles the
    /// house way otherwise.
    ///
    /// # Errors
    /// Returns an error if [`HouseWay::compile`] does.
    pub fn shared(way: Way, game: &Game) -> Result<Arc<HouseWay>, WayError> {
        let rules = game.rules();
        let kept = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            kept().iter().find(|(other, others, _)| *other == way && *others == rules).map(|it| Arc::clone(&it.2));
        if let Some(found) = found {
            return Ok(found);
        }
        // Don't hold the lock while compiling, so that other house ways don't have to wait.
        let compiled = Arc::new(HouseWay::compile(way.clone(), game)?);
        let mut kept = kept();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((way, rules, Arc::clone(&compiled)));
        Ok(compiled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_house_ways_are_compiled_once() {
        let game = Game::new(Rules::default());
        let way = || Way::named("foxwoods").unwrap();
        let first = HouseWay::shared(way(), &game).unwrap();
        assert!(Arc::ptr_eq(&first, &HouseWay::shared(way(), &game).unwrap()));
        let other = Game::new(Rules::default().with("commission=0.04").unwrap());
        assert!(!Arc::ptr_eq(&first, &HouseWay::shared(way(), &other).unwrap()));
        let way = Way::named("trump-plaza").unwrap();
        assert!(!Arc::ptr_eq(&first, &HouseWay::shared(way, &game).unwrap()));
    }
}
