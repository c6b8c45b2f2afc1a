//! Strategies: functions from hands to settings.

use super::{Game, Hand, SetHand, Setting};
use crate::cards::profile::Profile;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A function from hands to settings. House way, random, table, network and optimum are all strategies, so any of them can
/// sit on either side of the table, be audited, and be evaluated exactly.
///
/// A strategy returns legal settings only.
pub trait Strategy: Sync {
    /// A short name for tables and plots.
    fn name(&self) -> &str;

    /// Sets one hand.
    fn set(&self, hand: Hand) -> Setting;

    /// Sets many hands; the settings stand in the order of the hands. Strategies that are faster in batches (networks)
    /// override it.
    fn set_batch(&self, hands: &[Hand]) -> Vec<Setting> {
        hands.iter().map(|&hand| self.set(hand)).collect()
    }
}

/// A strategy that depends on the [`Profile`] of a hand alone, so that 292,253 profiles can be enumerated instead of
/// 154,143,080 hands: every house way is one.
pub trait ProfileStrategy: Strategy {
    /// The strengths of the strategy's setting of every hand with this profile.
    fn set_profile(&self, profile: Profile) -> SetHand;
}

/// A legal setting uniformly at random: the same hand always gets the same one for the same seed, so that this too is a
/// function from hands to settings.
pub struct RandomLegal<'a> {
    game: &'a Game,
    seed: u64,
}

impl<'a> RandomLegal<'a> {
    /// A random strategy; different seeds give different settings.
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
