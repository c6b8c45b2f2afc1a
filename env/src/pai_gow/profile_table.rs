//! Strategies that are stored as tables over all profiles.

use super::{Candidates, Game, Hand, ProfileStrategy, Rules, SetHand, Setting, Strategy, settings_in};
use crate::cards::profile::{Profile, Profiles};
use std::cmp::Reverse;
use std::sync::Arc;

/// A strategy stored as one set hand for each of the 292,253 profiles. The table occupies 1.2 MB, and
/// [`ProfileStrategy::set_profile`] is a single lookup.
#[derive(Clone)]
pub struct ProfileTable {
    name: String,
    game: Arc<Game>,
    sets: Vec<SetHand>,
}

impl ProfileTable {
    /// Creates a table by calling `choose` once per profile with the candidates of a representative hand. `choose` must
    /// return a legal setting, and its choice may only depend on strengths, not on the representative's suits.
    ///
    /// # Errors
    /// Returns the hand if `choose` returns a foul for it. If there are several such hands, returns the first one.
    pub fn new(rules: Rules, name: &str, choose: impl Fn(&Candidates) -> Setting) -> Result<ProfileTable, Hand> {
        let (game, profiles) = (Arc::new(Game::new(rules)), Profiles::get());
        let sets = Profile::all().map(|profile| {
            let candidates = Candidates::new(&game, Hand::from_seven(profiles.representative(profile)));
            let setting = choose(&candidates);
            if candidates.is_legal(setting) { Ok(candidates.set(setting)) } else { Err(candidates.hand()) }
        });
        let sets = sets.collect::<Result<_, Hand>>()?;
        Ok(ProfileTable { name: name.to_owned(), game, sets })
    }

    /// Creates a strategy that chooses the highest legal front and, if fronts are equal, the highest back. This is a
    /// simple baseline.
    pub fn max_front(game: &Game) -> ProfileTable {
        ProfileTable::maximize(game, "highest front", |set| (set.front, set.back))
    }

    /// Creates a strategy that chooses the highest legal back and, if backs are equal, the highest front.
    pub fn max_back(game: &Game) -> ProfileTable {
        ProfileTable::maximize(game, "highest back", |set| (set.back, set.front))
    }

    /// Creates a strategy that chooses the lowest legal front and, if fronts are equal, the lowest back.
    pub fn min_front(game: &Game) -> ProfileTable {
        ProfileTable::maximize(game, "lowest front", |set| Reverse((set.front, set.back)))
    }

    fn maximize<V: Ord>(game: &Game, name: &str, value: impl Fn(SetHand) -> V) -> ProfileTable {
        let choose = |candidates: &Candidates| {
            let best = settings_in(candidates.legal()).max_by_key(|&setting| value(candidates.set(setting)));
            best.expect("every hand has a legal setting")
        };
        ProfileTable::new(game.rules(), name, choose).expect("the choice is among legal settings")
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.sets[..])
    }
}

impl Strategy for ProfileTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&self, hand: Hand) -> Setting {
        let set = self.set_profile(Profiles::get().of(hand.set()));
        Candidates::new(&self.game, hand).find(set).expect("hands of one profile have the same candidates")
    }
}

impl ProfileStrategy for ProfileTable {
    #[inline]
    fn set_profile(&self, profile: Profile) -> SetHand {
        self.sets[profile.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;
    use crate::pai_gow::Dealt;

    #[test]
    fn a_hand_is_set_as_its_profile_says() {
        for joker in ["joker=half_wild", "joker=wild"] {
            let game = Game::new(Rules::default().with(joker).unwrap());
            let table = ProfileTable::max_front(&game);
            assert_eq!((table.name(), table.bytes()), ("highest front", 292_253 * 4));
            let mut rng = stream(2.into());
            for _ in 0..20_000 {
                let dealt = Dealt::random(&mut rng);
                let set = game.set(dealt.hand(), table.set(dealt.hand()));
                assert_eq!(set, table.set_profile(dealt.profile(Profiles::get())));
                let legal = game.settings(dealt.hand()).map(|(_, set)| set).filter(|&set| game.is_legal(set));
                assert_eq!(Some(set.front), legal.map(|set| set.front).max());
            }
        }
    }

    #[test]
    fn fouls_are_rejected() {
        let first = ProfileTable::new(Rules::default(), "first", |_| Setting::from_positions(0, 1));
        assert!(first.is_err());
    }
}
