//! Certifies exact bounds for the game's value.

use super::actions::Actions;
use super::games::ActionSums;
use crate::Ratio;
use crate::equilibrium::Bounds;
use crate::pai_gow::matchup::BankedBy;
use crate::pai_gow::mixed::MixedTable;
use crate::pai_gow::outcomes::{DEALS, Payoff, Side};
use crate::pai_gow::whole::{Cancelled, ClassCounts, Pass, Run, Shard};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::money::Rate;
use houseway_env::pai_gow::Game;

/// Exact EVs for a pair of strategies and for the best responses to them, each for the player and the banker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairEvs {
    /// The EVs if both sides play their strategies.
    pub ev: [Ratio; 2],
    /// The EV of each side's best response to the other side's strategy.
    pub best: [Ratio; 2],
}

impl PairEvs {
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

    /// Returns the bounds for the value of the game, as the player's EV. They only hold if the house banks.
    pub fn bounds(&self) -> Bounds<Ratio> {
        bounds(self.best)
    }
}

/// Exact EVs for a pair of mixed strategies and for the best responses to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The EVs if best responses see every suit.
    pub evs: PairEvs,
    /// The EV of each side's best response if it only looks at profiles, for the player and the banker.
    pub profile_best: [Ratio; 2],
}

fn bounds([player, banker]: [Ratio; 2]) -> Bounds<Ratio> {
    Bounds { lower: -banker, upper: player }
}

/// The results for one side's hands against the other side's strategy, over all deals. Gains are in millionths of the
/// stake times the total weight of an opposing hand.
struct SideResults {
    /// The best response's gain for each profile.
    best: Vec<i128>,
    /// The same gains for a best response that can only look at profiles.
    profile_best: Vec<i128>,
    /// The gain from the side's own strategy, in the same unit multiplied by the total weight of an own hand.
    own: i128,
}

impl SideResults {
    fn new(best: Vec<i128>, actions: &Actions, sums: &ActionSums, payoff: Payoff) -> SideResults {
        let most = |profile| actions.range(profile).map(|action| sums.gain(action, payoff)).max();
        let profile_best = Profile::all().map(|it| most(it).expect("every hand has a legal setting")).collect();
        SideResults { best, profile_best, own: 0 }
    }

    /// Returns the profiles whose hands the best response sets in different ways, depending on suits.
    fn sees_suits(&self) -> Vec<bool> {
        self.best.iter().zip(&self.profile_best).map(|(best, profile_best)| best > profile_best).collect()
    }
}

/// Adds one thread's gains for all profiles to those of another.
fn plus(mut gains: Vec<i128>, more: Vec<i128>) -> Vec<i128> {
    gains.iter_mut().zip(more).for_each(|(gain, more)| *gain += more);
    gains
}

impl Certificate {
    /// Evaluates a pair of strategies in two passes.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
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
        Ok(Certificate::with_suits(game, actions, bank, [player, banker], run)?.0)
    }

    /// Evaluates a pair of strategies like [`Certificate::compute`]. Also returns the profiles whose hands each side's
    /// best response sets in different ways, depending on suits.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if the run is restricted to a shard, or if a strategy uses a set hand that isn't among the actions.
    pub fn with_suits(
        game: &Game,
        actions: &Actions,
        bank: BankedBy,
        [player, banker]: [&MixedTable; 2],
        run: &Run<'_>,
    ) -> Result<(Certificate, [Vec<bool>; 2]), Cancelled> {
        let [for_player, for_banker] = bank.payoffs(&game.rules());
        let of_player = side_results(game, actions, (Side::Player, for_player), [player, banker], run)?;
        let of_banker = side_results(game, actions, (Side::Banker, for_banker), [banker, player], run)?;
        let sides = [of_player, of_banker];
        let sees_suits = sides.each_ref().map(SideResults::sees_suits);
        Ok((Certificate::new(&sides, [for_player, for_banker], bank), sees_suits))
    }

    fn new(sides: &[SideResults; 2], payoffs: [Payoff; 2], bank: BankedBy) -> Certificate {
        if bank == BankedBy::House {
            assert_eq!(sides[0].own, -sides[1].own, "the deals are the same from both sides of the table");
        }
        let unit = i128::from(DEALS) * i128::from(Rate::WHOLE) * i128::from(MixedTable::WHOLE);
        let evs = |gain: fn(&SideResults) -> i128, unit: i128| {
            [0, 1].map(|side| Ratio::new(gain(&sides[side]), unit) - payoffs[side].fee())
        };
        Certificate {
            evs: PairEvs {
                ev: evs(|side| side.own, unit * i128::from(MixedTable::WHOLE)),
                best: evs(|side| side.best.iter().sum(), unit),
            },
            profile_best: evs(|side| side.profile_best.iter().sum(), unit),
        }
    }

    /// Returns the bounds for best responses that only look at profiles.
    pub fn profile_bounds(&self) -> Bounds<Ratio> {
        bounds(self.profile_best)
    }
}

fn side_results(
    game: &Game,
    actions: &Actions,
    (side, payoff): (Side, Payoff),
    [own, other]: [&MixedTable; 2],
    run: &Run<'_>,
) -> Result<SideResults, Cancelled> {
    assert_eq!(run.shard, Shard::WHOLE, "bounds require all classes");
    let sums = ActionSums::new(actions.all().len());
    let visit = |best: &mut Vec<i128>, classes: &[ClassCounts<i64>]| {
        for class in classes {
            sums.add(actions, class);
            let profile = Profiles::get().of(class.hand.set());
            best[profile.index()] += i128::from(class.orbit) * i128::from(class.gain(class.best(payoff), payoff));
        }
    };
    let best = Pass::against_mixed(game, side, other).without_dominated().fold_weights(
        run,
        || vec![0; PROFILES],
        visit,
        plus,
    )?;
    let mut results = SideResults::new(best, actions, &sums, payoff);
    for profile in Profile::all() {
        for &(set, weight) in own.sets(profile) {
            let action = actions.index(profile, set).expect("strategies only use set hands among the actions");
            results.own += i128::from(weight) * sums.gain(action, payoff);
        }
    }
    Ok(results)
}
