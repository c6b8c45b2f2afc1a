//! An arbitrary strategy for testing the engine.

use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, ProfileStrategy, SetHand, Setting, Strategy};

/// Plays an arbitrary legal setting for each profile. This has no structure that the engine could exploit, which makes
/// it useful in tests.
pub struct AnyLegal<'a> {
    game: &'a Game,
    seed: u64,
}

impl<'a> AnyLegal<'a> {
    /// Creates the strategy. Different seeds produce different settings.
    pub fn new(game: &'a Game, seed: u64) -> AnyLegal<'a> {
        AnyLegal { game, seed }
    }
}

/// Mixes the bits of a number with the SplitMix64 finalizer.
fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

impl Strategy for AnyLegal<'_> {
    fn name(&self) -> &str {
        "any legal"
    }

    fn set(&self, hand: Hand) -> Setting {
        let chosen = self.set_profile(Profiles::get().of(hand.set()));
        let mut settings = self.game.settings(hand);
        settings.find(|&(_, set)| set == chosen).expect("hands with the same profile have the same set hands").0
    }
}

impl ProfileStrategy for AnyLegal<'_> {
    fn set_profile(&self, profile: Profile) -> SetHand {
        let settings = self.game.settings(Hand::representative(profile));
        let mut legal: Vec<SetHand> = settings.map(|(_, set)| set).filter(|&set| self.game.is_legal(set)).collect();
        legal.sort_unstable_by_key(|set| (set.back, set.front));
        legal.dedup();
        legal[(mix(self.seed ^ mix(profile.index() as u64)) % legal.len() as u64) as usize]
    }
}
