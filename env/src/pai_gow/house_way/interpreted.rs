//! House ways that set hands one by one, without a table.

use super::compile::{Entry, set_profile};
use super::file::Way;
use crate::cards::key::Key;
use crate::cards::profile::{Profile, Profiles};
use crate::pai_gow::{Game, Hand, ProfileStrategy, Rules, SetHand, Setting, Strategy};
use std::sync::Arc;

/// A built-in house way that tries its rules on each hand. No table has to be built first, which is faster for players
/// who only set a few hands. The settings are the same as those of the compiled [`HouseWay`](super::HouseWay).
pub struct InterpretedWay {
    way: Way,
    game: Arc<Game>,
}

impl InterpretedWay {
    /// Creates the strategy. Returns `None` if there is no built-in house way with this name, or if the game doesn't
    /// have the default rules. Under other rules, a house way might not cover all hands, and only compiling it would
    /// tell.
    pub fn new(name: &str, game: &Arc<Game>) -> Option<InterpretedWay> {
        let way = Way::named(name).ok().filter(|_| game.rules() == Rules::default())?;
        Some(InterpretedWay { way, game: Arc::clone(game) })
    }
}

impl Way {
    fn entry(&self, game: &Game, profile: Profile) -> Entry {
        let (rules, by_shape) = self.active();
        set_profile(game, &rules, &by_shape, profile).0
    }

    /// Returns how the active rules set hands with this profile. Hands without a rule are set as a foul.
    pub fn set_profile(&self, game: &Game, profile: Profile) -> SetHand {
        self.entry(game, profile).made()
    }
}

impl Strategy for InterpretedWay {
    fn name(&self) -> &str {
        self.way.name()
    }

    fn set(&self, hand: Hand) -> Setting {
        let key = Key::from_set(hand.set());
        self.way.entry(&self.game, Profiles::get().of_key(key, || hand.set())).setting(hand, key)
    }
}

impl ProfileStrategy for InterpretedWay {
    fn set_profile(&self, profile: Profile) -> SetHand {
        self.way.set_profile(&self.game, profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;
    use crate::pai_gow::Dealt;
    use crate::pai_gow::house_way::{BUILT_IN, HouseWay};

    #[test]
    fn hands_are_set_as_by_the_compiled_house_way() {
        let game = Arc::new(Game::new(Rules::default()));
        let mut rng = stream(1.into());
        for (name, _) in BUILT_IN {
            let compiled = HouseWay::compile(Way::named(name).unwrap(), &game).unwrap();
            let way = InterpretedWay::new(name, &game).unwrap();
            assert_eq!(way.name(), compiled.name());
            for _ in 0..300 {
                let dealt = Dealt::random(&mut rng);
                let profile = dealt.profile(Profiles::get());
                assert_eq!(way.set(dealt.hand()), compiled.set(dealt.hand()), "{name}: {}", dealt.hand());
                assert_eq!(way.set_profile(profile), compiled.set_profile(profile));
            }
        }
        assert!(InterpretedWay::new("no-such-way", &game).is_none());
        let other = Arc::new(Game::new(Rules::default().with("equal-setting=foul").unwrap()));
        assert!(InterpretedWay::new("wong", &other).is_none());
    }
}
