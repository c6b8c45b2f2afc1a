//! Certifies exact bounds for the game's value.

use super::Actions;
use super::profile_game::{ActionSums, payoffs};
use crate::Ratio;
use crate::pai_gow::MixedTable;
use crate::pai_gow::matchup::{BankedBy, DEALS};
use crate::pai_gow::whole::{Cancelled, MixedCounts, MixedGame, Payoff, Run, Side};
use houseway_env::cards::profile::Profile;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Game;

/// Exact EVs for a pair of mixed strategies and for the best responses to them, each for the player and the banker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The EVs if both sides play their strategies.
    pub ev: [Ratio; 2],
    /// The EV of each side's best response to the other side's strategy.
    pub best: [Ratio; 2],
    /// The EV of each side's best response if it only looks at profiles.
    pub profile_best: [Ratio; 2],
}

/// Exact bounds for the value of the game if the house banks, as the player's EV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueBounds {
    /// The EV of the player's strategy against the banker's best response.
    pub lower: Ratio,
    /// The EV of the player's best response to the banker's strategy.
    pub upper: Ratio,
}

impl ValueBounds {
    fn new([player, banker]: [Ratio; 2]) -> ValueBounds {
        ValueBounds { lower: -banker, upper: player }
    }

    /// Returns the distance between the bounds. This is also the sum of both strategies' exploitabilities.
    pub fn width(&self) -> Ratio {
        self.upper - self.lower
    }
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
        bank: BankedBy,
        [player, banker]: [&MixedTable; 2],
        run: &Run<'_>,
    ) -> Result<Certificate, Cancelled> {
        assert_eq!(run.shard, super::super::whole::Shard::WHOLE, "bounds require all classes");
        let [for_player, for_banker] = payoffs(game, bank);
        let of_player = side_results(game, actions, (Side::Player, for_player), [player, banker], run)?;
        let of_banker = side_results(game, actions, (Side::Banker, for_banker), [banker, player], run)?;
        if bank == BankedBy::House {
            assert_eq!(of_player.own, -of_banker.own, "the deals are the same from both sides of the table");
        }
        let unit = i128::from(DEALS) * i128::from(Rate::WHOLE) * i128::from(MixedTable::WHOLE);
        let sides = [of_player, of_banker];
        Ok(Certificate {
            ev: sides.each_ref().map(|side| Ratio::new(side.own, unit * i128::from(MixedTable::WHOLE))),
            best: sides.each_ref().map(|side| Ratio::new(side.best, unit)),
            profile_best: sides.each_ref().map(|side| Ratio::new(side.profile_best, unit)),
        })
    }

    /// Returns how much EV the side gains if it plays the best response to the other side's strategy. If the house
    /// banks, this is the exploitability of the other side's strategy.
    pub fn gain(&self, side: Side) -> Ratio {
        let index = usize::from(side == Side::Banker);
        self.best[index] - self.ev[index]
    }

    /// Returns the sum of both sides' gains from a best response.
    pub fn nash_conv(&self) -> Ratio {
        self.gain(Side::Player) + self.gain(Side::Banker)
    }

    /// Returns the bounds for the value of the game. They only hold if the house banks.
    pub fn bounds(&self) -> ValueBounds {
        ValueBounds::new(self.best)
    }

    /// Returns the bounds for best responses that only look at profiles.
    pub fn profile_bounds(&self) -> ValueBounds {
        ValueBounds::new(self.profile_best)
    }
}

fn side_results(
    game: &Game,
    actions: &Actions,
    (side, payoff): (Side, Payoff),
    [own, other]: [&MixedTable; 2],
    run: &Run<'_>,
) -> Result<SideResults, Cancelled> {
    let sums = ActionSums::new(actions);
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
