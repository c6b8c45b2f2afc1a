//! A process-wide cache of compiled house ways.

use super::compile::HouseWay;
use super::file::{Way, WayError};
use crate::kept::Kept;
use crate::pai_gow::{Game, Rules};
use std::sync::Arc;

/// The compiled house ways, by house way with its selected options and the rules of the game.
static COMPILED: Kept<(Way, Rules), HouseWay, 32> = Kept::new();

impl HouseWay {
    /// Returns the cached result if an equal house way has already been compiled with the same rules. Compiles the
    /// house way otherwise.
    ///
    /// # Errors
    /// Returns an error if [`HouseWay::compile`] does.
    pub fn shared(way: Way, game: &Game) -> Result<Arc<HouseWay>, WayError> {
        let rules = game.rules();
        let is_same = |(other, others): &(Way, Rules)| *other == way && *others == rules;
        COMPILED.get(is_same, || Ok(((way.clone(), rules), HouseWay::compile(way.clone(), game)?)))
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
