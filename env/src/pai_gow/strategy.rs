//! Strategies for setting hands.

use super::{Game, Hand, SetHand, Setting};
use crate::cards::profile::{PROFILES, Profile};
use crate::rules::short_hash;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

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
        let mask = self.game.legal_mask(hand);
        let legal: Vec<Setting> = Setting::all().filter(|setting| mask >> setting.index() & 1 == 1).collect();
        let mut rng = Pcg64::seed_from_u64(self.seed ^ hand.set().bits().wrapping_mul(0x9e37_79b9_7f4a_7c15));
        legal[rng.random_range(0..legal.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::Rules;

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
}
