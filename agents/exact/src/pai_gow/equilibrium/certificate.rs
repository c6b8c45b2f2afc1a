//! Certifies exact bounds for the game's value.

use super::Actions;
use super::profile_game::{ActionSums, SIDES, payoff};
use crate::Ratio;
use crate::pai_gow::MixedTable;
use crate::pai_gow::matchup::DEALS;
use crate::pai_gow::whole::{Cancelled, MixedCounts, MixedGame, Run, Side};
use houseway_env::cards::profile::Profile;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Game;

/// The player's exact EVs for a pair of mixed strategies and for the best responses to them. The house banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The EV if both sides play their strategies.
    pub ev: Ratio,
    /// The EV of the player's strategy against the banker's best response. The value of the game can't be lower.
    pub lower: Ratio,
    /// The EV of the player's best response to the banker's strategy. The value of the game can't be higher.
    pub upper: Ratio,
    /// The lower bound if the banker only looks at profiles.
    pub profile_lower: Ratio,
    /// The upper bound if the player only looks at profiles.
    pub profile_upper: Ratio,
}

/// The results for one side's hands against the other side's strategy, over all deals.
struct SideResults {
    /// The best response's gain, in millionths of the stake times [`MixedTable::WHOLE`].
    best: i128,
    /// The same gain for a best response that can only look at profiles.
    profile_best: i128,
    /// The gain from the side's own strategy, in the same unit multiplied by another [`MixedTable::WHOLE`].
    own: i128,
}

impl Certificate {
    /// Evaluates a pair of strategies in two passes.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    ///
    /// # Panics
    /// Panics if the run is restricted to a shard, or if a strategy uses a set hand that isn't among the actions.
    pub fn compute(
        game: &Game,
        actions: &Actions,
        [player, banker]: [&MixedTable; 2],
        run: &Run<'_>,
    ) -> Result<Certificate, Cancelled> {
        assert_eq!(run.shard, super::super::whole::Shard::WHOLE, "bounds require all classes");
        let of_player = side_results(game, actions, Side::Player, [player, banker], run)?;
        let of_banker = side_results(game, actions, Side::Banker, [banker, player], run)?;
        assert_eq!(of_player.own, -of_banker.own, "the deals are the same from both sides of the table");
        let unit = i128::from(DEALS) * i128::from(Rate::WHOLE) * i128::from(MixedTable::WHOLE);
        Ok(Certificate {
            ev: Ratio::new(of_player.own, unit * i128::from(MixedTable::WHOLE)),
            lower: Ratio::new(-of_banker.best, unit),
            upper: Ratio::new(of_player.best, unit),
            profile_lower: Ratio::new(-of_banker.profile_best, unit),
            profile_upper: Ratio::new(of_player.profile_best, unit),
        })
    }

    /// Returns the distance between the bounds. This is also the sum of both strategies' exploitabilities.
    pub fn width(&self) -> Ratio {
        self.upper - self.lower
    }

    /// Returns how much EV the side's strategy loses to a best response, compared with the EV of the pair.
    pub fn exploitability(&self, side: Side) -> Ratio {
        match side {
            Side::Player => self.ev - self.lower,
            Side::Banker => self.upper - self.ev,
        }
    }
}

fn side_results(
    game: &Game,
    actions: &Actions,
    side: Side,
    [own, other]: [&MixedTable; 2],
    run: &Run<'_>,
) -> Result<SideResults, Cancelled> {
    debug_assert!(SIDES.contains(&side));
    let (payoff, sums) = (payoff(game, side), ActionSums::new(actions));
    let visit = |best: &mut i128, classes: &[MixedCounts]| {
        for class in classes {
            sums.add(actions, class);
            *best += i128::from(class.orbit) * i128::from(class.best(payoff));
        }
    };
    let best = MixedGame::new(game, side, other).fold(run, || 0, visit, |a, b| a + b)?;
    let mut results = SideResults { best, profile_best: 0, own: 0 };
    for profile in Profile::all() {
        let gains = actions.range(profile).map(|action| (actions.all()[action], sums.gain(action, payoff)));
        results.profile_best += gains.clone().map(|(_, gain)| gain).max().expect("every hand has a legal setting");
        for &(set, weight) in own.sets(profile) {
            let (_, gain) = gains
                .clone()
                .find(|(action, _)| *action == set)
                .expect("strategies only use set hands among the actions");
            results.own += i128::from(weight) * gain;
        }
    }
    Ok(results)
}
