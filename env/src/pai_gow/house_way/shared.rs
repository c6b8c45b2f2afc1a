//! Cache of compiled house ways, shared within the process.

use super::compile::HouseWay;
use super::file::{Way, WayError};
use crate::pai_gow::{Game, Rules};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of cached house ways.
const KEPT: usize = 32;

/// A house way with its selected options, the rules of the game, and the compiled result.
type Compiled = (Way, Rules, Arc<HouseWay>);

/// Most recently compiled house ways, the oldest first.
static COMPILED: Mutex<Vec<Compiled>> = Mutex::new(Vec::new());

impl HouseWay {
    /// Compiles a house way, or returns the cached result for an equal house way and the same rules.
    ///
    /// # Errors
    /// Returns the errors of [`HouseWay::compile`].
    pub fn shared(way: Way, game: &Game) -> Result<Arc<HouseWay>, WayError> {
        let rules = game.rules();
        let kept = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            kept().iter().find(|(other, others, _)| *other == way && *others == rules).map(|it| Arc::clone(&it.2));
        if let Some(found) = found {
            return Ok(found);
        }
        // Compile without holding the lock, so that other house ways do not have to wait.
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
