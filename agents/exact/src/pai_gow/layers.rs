//! Exact evaluation of a hand against strategies that aren't pure.
//!
//! Such a strategy is split into layers. A layer sets some of the profiles in one way each and excludes all others. The
//! counts against the layers, multiplied by their weights, add up to the counts against the strategy.

use super::banker::BankerTable;
use super::hand::{HandCounts, HandEvaluator};
use super::known::KnownCards;
use super::outcomes::{DealCounts, Side};
use houseway_env::cards::profile::Profile;
use houseway_env::pai_gow::{BankerSet, Game, Hand, ProfileStrategy, SetHand, Setting, Strategy};
use rayon::prelude::*;

/// A table that sets a profile only if a function returns a set hand for it.
struct Layer<F>(F);

impl<F: Fn(Profile) -> Option<SetHand> + Sync> Strategy for Layer<F> {
    fn name(&self) -> &str {
        "layer"
    }

    /// # Panics
    /// Always panics, because excluded hands have no setting.
    fn set(&self, _: Hand) -> Setting {
        unreachable!("a layer is evaluated by profiles")
    }
}

impl<F: Fn(Profile) -> Option<SetHand> + Sync> ProfileStrategy for Layer<F> {
    fn set_profile(&self, profile: Profile) -> SetHand {
        // The engines exclude hands with this set hand.
        (self.0)(profile).unwrap_or_else(|| BankerSet::PUSHES.strengths())
    }
}

/// Evaluates every setting of a hand on `side` against the layers of a strategy, each with its weight. `set` returns the
/// set hand of a profile in a layer, or `None` if the layer excludes the profile. The weights of a hand add up to `whole`
/// and all counts are in units of its inverse.
pub(super) fn count_in_layers<L: Sync>(
    (game, side): (&Game, Side),
    known: KnownCards,
    whole: u32,
    layers: &[(L, u64)],
    set: impl Fn(&L, Profile) -> Option<SetHand> + Sync,
) -> HandCounts {
    let counts = layers.par_iter().map(|(layer, weight)| {
        let table = BankerTable::new(&Layer(|profile| set(layer, profile)));
        let counts = *HandEvaluator::new(game, &table).count_for(side, known).settings();
        // A layer pushes against the hands that it excludes, so pushes are only known in the end.
        counts.map(|counts| counts.map(|counts| DealCounts { pushes: 0, ..counts.times(*weight) }))
    });
    let sum = |a: [Option<DealCounts>; Setting::COUNT], b: [Option<DealCounts>; Setting::COUNT]| {
        std::array::from_fn(|i| Some(a[i]?.plus(b[i]?)))
    };
    let sums = counts.reduce(|| [Some(DealCounts::default()); Setting::COUNT], sum);
    let pushes = |counts: DealCounts| {
        let all = known.other_hands() * u64::from(whole);
        DealCounts { pushes: all - counts.wins - counts.losses, ..counts }
    };
    HandCounts::new(game, sums.map(|counts| counts.map(pushes)))
}
