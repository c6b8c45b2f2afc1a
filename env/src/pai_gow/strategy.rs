//! Strategies for setting hands.

use super::{Candidates, Game, Hand, Rules, SetHand, Setting, settings_in};
use crate::cards::profile::{PROFILES, Profile, Profiles};
use crate::rules::short_hash;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::cmp::Reverse;
use std::sync::Arc;

/// A function from hands to legal settings.
///
/// House ways, random play, tables, networks and optimal play are all strategies, so any of them can play either side,
/// be audited, and be evaluated exactly.
pub trait Strategy: Sync {
    /// Returns a short name to show in tables and plots.
    fn name(&self) -> &str;

    /// Sets a hand.
    fn set(&self, hand: Hand) -> Setting;

    /// Returns the name of the rule that sets a hand, if the strategy has named rules.
    fn rule_name(&self, _hand: Hand) -> Option<&str> {
        None
    }

    /// Sets a batch of hands and returns their settings in the same order. The default implementation sets one hand at
    /// a time. Strategies that are faster in batches, such as networks, should override it.
    fn set_batch(&self, hands: &[Hand]) -> Vec<Setting> {
        hands.iter().map(|&hand| self.set(hand)).collect()
    }
}

/// A strategy that only depends on a hand's [`Profile`], as every house way does. It can therefore be enumerated over
/// 292,253 profiles instead of 154,143,080 hands.
pub trait ProfileStrategy: Strategy {
    /// Returns the strategy's set hand for all hands with this profile.
    fn set_profile(&self, profile: Profile) -> SetHand;
}

/// A strategy that can play the banker in an environment. It is implemented for every [`ProfileStrategy`].
pub trait BankerStrategy: Strategy {
    /// Returns the strategy's set hand for a hand with the given profile.
    fn set_banker(&self, game: &Game, hand: Hand, profile: Profile) -> SetHand;

    /// Returns the bytes that represent the strategy in environment hashes. Different strategies must return different
    /// bytes.
    fn hash_bytes(&self) -> Vec<u8>;
}

impl<S: ProfileStrategy + ?Sized> BankerStrategy for S {
    #[inline]
    fn set_banker(&self, _: &Game, _: Hand, profile: Profile) -> SetHand {
        self.set_profile(profile)
    }

    /// Returns the set hands for all profiles, in four bytes each.
    fn hash_bytes(&self) -> Vec<u8> {
        let number = |set: SetHand| set.back.index() as u32 * 128 + set.front.index() as u32;
        Profile::all().flat_map(|profile| number(self.set_profile(profile)).to_le_bytes()).collect()
    }
}

/// Returns a stable identifier for a strategy: the first 16 hex digits of the SHA-256 of its set hands for all
/// profiles.
pub fn strategy_hash<S: ProfileStrategy + ?Sized>(strategy: &S) -> String {
    let mut bytes = Vec::with_capacity(3 * PROFILES);
    for set in Profile::all().map(|profile| strategy.set_profile(profile)) {
        bytes.extend((set.back.index() as u16).to_le_bytes());
        bytes.push(set.front.index() as u8);
    }
    short_hash([&bytes[..]])
}

/// A strategy that chooses uniformly among the legal settings. For a given seed, the same hand always gets the same
/// setting, so this is a function from hands to settings too.
pub struct RandomLegal<'a> {
    game: &'a Game,
    seed: u64,
}

impl<'a> RandomLegal<'a> {
    /// Creates a strategy. Different seeds give different settings.
    pub fn new(game: &'a Game, seed: u64) -> RandomLegal<'a> {
        RandomLegal { game, seed }
    }
}

impl Strategy for RandomLegal<'_> {
    fn name(&self) -> &str {
        "random legal"
    }

    fn set(&self, hand: Hand) -> Setting {
        let mut rng = Pcg64::seed_from_u64(self.seed ^ hand.set().bits().wrapping_mul(0x9e37_79b9_7f4a_7c15));
        self.game.random_setting(hand, &mut rng)
    }
}

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
    use crate::pai_gow::{Dealt, Rules};

    #[test]
    fn random_settings_are_legal_repeatable_and_varied() {
        let game = Game::new(Rules::default());
        let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse().unwrap();
        let chosen: Vec<Setting> = (0..200).map(|seed| RandomLegal::new(&game, seed).set(hand)).collect();
        for (seed, &setting) in chosen.iter().enumerate() {
            assert!(game.is_legal(game.set(hand, setting)));
            assert_eq!(RandomLegal::new(&game, seed as u64).set(hand), setting);
        }
        let different = Setting::all().filter(|setting| chosen.contains(setting)).count();
        assert_eq!(different as u32, game.legal_mask(hand).count_ones());
    }

    #[test]
    fn a_hand_is_set_as_its_profile_says() {
        for joker in ["joker=half_wild", "joker=face_card", "joker=wild"] {
            let game = Game::new(Rules::default().with(joker).unwrap());
            let table = ProfileTable::max_front(&game);
            assert_eq!(table.name(), "highest front");
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
