//! The games between sides that see profiles or suits, with passes over all deals, their values as labels for agents that
//! learn to respond, and exact bounds for the value of the game.

use super::actions::{Actions, InformationSets, ProfileClasses};
use crate::Ratio;
use crate::equilibrium::{Bounds, HandGame, PairEvs, Position, UNITS};
use crate::pai_gow::matchup::BankedBy;
use crate::pai_gow::mixed::MixedTable;
use crate::pai_gow::outcomes::{DEALS, HANDS, Payoff, Side};
use crate::pai_gow::policy::{SettingValues, ValuedHand};
use crate::pai_gow::table::ClassTable;
use crate::pai_gow::whole::{Cancelled, ClassCounts, Pass, ProfileSums, Run, Shard};
use crate::solver::SolverError;
use houseway_env::cards::classes::Classes;
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The wins and losses for each action, summed over the hands of its information set.
pub(in crate::pai_gow) struct ActionSums {
    wins: Vec<AtomicI64>,
    losses: Vec<AtomicI64>,
}

const SAME_SETS: &str = "hands with the same profile have the same set hands";

impl ActionSums {
    pub(in crate::pai_gow) fn new(actions: usize) -> ActionSums {
        let zeros = || (0..actions).map(|_| AtomicI64::new(0)).collect();
        ActionSums { wins: zeros(), losses: zeros() }
    }

    /// Returns the number of actions.
    pub(in crate::pai_gow) fn len(&self) -> usize {
        self.wins.len()
    }

    /// Adds a class. The actions are those of all profiles.
    pub(in crate::pai_gow) fn add<N>(&self, actions: &Actions, class: &ClassCounts<N>)
    where
        N: Copy + Default + Into<i64>,
    {
        let range = actions.range(Profiles::get().of(class.hand.set()));
        self.add_to_set(&actions.all()[range.clone()], range.start, class);
    }

    /// Adds a class to the actions that make the given set hands, starting with the action `first`.
    fn add_to_set<N: Copy + Default + Into<i64>>(&self, sets: &[SetHand], first: usize, class: &ClassCounts<N>) {
        let orbit = i64::from(class.orbit);
        for (action, &set) in (first..).zip(sets) {
            let setting = class.setting_that_makes(set).expect(SAME_SETS).index();
            self.put(action, orbit * class.wins[setting].into(), orbit * class.losses[setting].into());
        }
    }

    /// Adds a profile. The actions are those of all profiles.
    fn add_profile(&self, actions: &Actions, sums: &ProfileSums) {
        for action in actions.range(Profiles::get().of(sums.hand.set())) {
            let setting = sums.setting_that_makes(actions.all()[action]).expect(SAME_SETS).index();
            self.put(action, sums.wins[setting], sums.losses[setting]);
        }
    }

    fn put(&self, action: usize, wins: i64, losses: i64) {
        self.wins[action].fetch_add(wins, Ordering::Relaxed);
        self.losses[action].fetch_add(losses, Ordering::Relaxed);
    }

    /// Returns an action's total gain over all deals with its information set, in millionths of the stake times the
    /// total weight of an opposing hand.
    pub(in crate::pai_gow) fn gain(&self, action: usize, payoff: Payoff) -> i128 {
        let [wins, losses] = [&self.wins, &self.losses].map(|sums| i128::from(sums[action].load(Ordering::Relaxed)));
        wins * i128::from(payoff.win_millionths()) - losses * i128::from(payoff.loss_millionths())
    }
}

/// The game between player and banker if both only look at profiles. If the house banks, it wins what the player loses
/// and keeps a commission on what the player wins. If a player banks, both sides pay the commission.
///
/// A pass only evaluates the profiles whose mixture has changed since the previous pass for the same side.
pub struct ProfileGame<'a> {
    game: &'a Game,
    actions: &'a Actions,
    payoffs: [Payoff; 2],
    probabilities: Vec<f64>,
    run: Run<'a>,
    /// The mixture that each side was last evaluated against, and the results.
    last: [Option<(MixedTable, ActionSums)>; 2],
}

impl<'a> ProfileGame<'a> {
    /// Creates the game. Each pass reports its progress to `run` and can be canceled through it.
    pub fn new(game: &'a Game, actions: &'a Actions, bank: BankedBy, run: Run<'a>) -> ProfileGame<'a> {
        let profiles = Profiles::get();
        let probabilities = Profile::all().map(|profile| profiles.hands(profile) as f64 / HANDS as f64).collect();
        ProfileGame { game, actions, payoffs: bank.payoffs(&game.rules()), probabilities, run, last: [None, None] }
    }

    fn count(&mut self, side: usize, other: MixedTable) -> Result<(), Cancelled> {
        // Take the sums out of `last`, because they are incomplete if the pass is canceled.
        let known = self.last[side].take().and_then(|(last, sums)| {
            // A complete evaluation takes a single pass.
            let changes = Pass::of_changes(self.game, Side::ALL[side], [&last, &other], 1)?;
            Some((changes, sums))
        });
        let (pass, sums) = known.unwrap_or_else(|| {
            let whole = Pass::against_mixed(self.game, Side::ALL[side], &other);
            (whole, ActionSums::new(self.actions.all().len()))
        });
        let visit = |(): &mut (), profile: &ProfileSums| sums.add_profile(self.actions, profile);
        pass.without_dominated().fold_profiles(&self.run, || (), visit, |(), ()| ())?;
        self.last[side] = Some((other, sums));
        Ok(())
    }
}

impl HandGame for ProfileGame<'_> {
    type Error = Cancelled;

    fn starts(&self, _: usize) -> &[u32] {
        self.actions.starts()
    }

    fn probabilities(&self, _: usize) -> &[f64] {
        &self.probabilities
    }

    fn values(&mut self, side: usize, other: &[u8]) -> Result<Vec<f64>, Cancelled> {
        let weights: Vec<u16> = other.iter().map(|&units| units.into()).collect();
        let mixed = self.actions.mixed("played", &weights, MixedTable::WHOLE as u16 / u16::from(UNITS));
        self.count(side, mixed.expect("each profile's units add up"))?;
        let (_, sums) = self.last[side].as_ref().expect("the pass was complete");
        let payoff = self.payoffs[side];
        let whole = DEALS as f64 * f64::from(MixedTable::WHOLE) * f64::from(Rate::WHOLE);
        Ok((0..self.actions.all().len()).map(|action| sums.gain(action, payoff) as f64 / whole).collect())
    }
}

/// The game between player and banker if each of them sees the exact suits of some hands.
///
/// A pass takes longer than one of [`ProfileGame`](super::ProfileGame), because it evaluates all hands against a table
/// over classes. The classes of the other side take turns to play its mixture ([`InformationSets::table`]).
pub struct ClassGame<'a> {
    game: &'a Game,
    actions: &'a Actions,
    classes: &'a ProfileClasses,
    sets: &'a [InformationSets; 2],
    payoffs: [Payoff; 2],
    run: Run<'a>,
}

impl<'a> ClassGame<'a> {
    /// Creates the game with the information sets of both sides. Each pass reports its progress to `run` and can be
    /// canceled through it.
    ///
    /// # Errors
    /// Returns an error if the rules don't support tables over classes.
    pub fn new(
        game: &'a Game,
        (actions, classes): (&'a Actions, &'a ProfileClasses),
        sets: &'a [InformationSets; 2],
        bank: BankedBy,
        run: Run<'a>,
    ) -> Result<ClassGame<'a>, SolverError> {
        ClassTable::check_rules(game)?;
        Ok(ClassGame { game, actions, classes, sets, payoffs: bank.payoffs(&game.rules()), run })
    }

    fn count(&self, side: usize, table: &ClassTable) -> Result<ActionSums, Cancelled> {
        let own = &self.sets[side];
        let sums = ActionSums::new(*own.starts().last().expect("there is a last index") as usize);
        let whole = Pass::against_table(self.game, Side::ALL[side], table).expect("the mixture consists of legal sets");
        let visit = |(): &mut (), classes: &[ClassCounts]| {
            for class in classes {
                let (profile, first) = own.of_class(Classes::seven().index(class.hand.set()));
                sums.add_to_set(&self.actions.all()[self.actions.range(profile)], first, class);
            }
        };
        whole.without_dominated().fold(&self.run, || (), visit, |(), ()| ())?;
        Ok(sums)
    }
}

impl HandGame for ClassGame<'_> {
    type Error = Cancelled;

    fn starts(&self, side: usize) -> &[u32] {
        self.sets[side].starts()
    }

    fn probabilities(&self, side: usize) -> &[f64] {
        self.sets[side].probabilities()
    }

    fn values(&mut self, side: usize, other: &[u8]) -> Result<Vec<f64>, Cancelled> {
        let table = self.sets[1 - side].table(self.game, (self.actions, self.classes), "played", other);
        let sums = self.count(side, &table)?;
        let (payoff, whole) = (self.payoffs[side], DEALS as f64 * f64::from(Rate::WHOLE));
        Ok((0..sums.len()).map(|action| sums.gain(action, payoff) as f64 / whole).collect())
    }
}

/// Computes the EVs of all actions for each profile against the other side's average strategy, from a solver's position
/// in a round. They take about 30 MB.
pub fn response_values(game: &Arc<Game>, actions: &Actions, position: &Position<'_>) -> SettingValues {
    let row = |i: usize| {
        let profile = Profile::from_index(i);
        let (hand, hands) = (Hand::representative(profile), Profiles::get().hands(profile) as u32);
        let mut row = ValuedHand { hand, hands, settings: 0, evs: [0.0; Setting::COUNT] };
        let unit = position.weight as f64 * f64::from(hands) / HANDS as f64;
        for (setting, set) in game.settings(hand) {
            if let Some(action) = actions.index(profile, set) {
                row.settings |= 1 << setting.index();
                row.evs[setting.index()] = (position.sums[action] / unit) as f32;
            }
        }
        row
    };
    let rows = (0..PROFILES).into_par_iter().with_min_len(1024).map(row).collect();
    SettingValues { game: Arc::clone(game), rows }
}

impl PairEvs<Ratio> {
    /// Returns how much EV the player or the banker gains from the best response to the other side's strategy. If the house
    /// banks, this is the exploitability of the other side's strategy.
    pub fn gain(self, side: Side) -> Ratio {
        self.gain_of(usize::from(side == Side::Banker))
    }
}

/// Exact EVs for a pair of mixed strategies and for the best responses to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The EVs of the player and the banker if best responses see every suit. They bound the value if the house banks.
    pub evs: PairEvs<Ratio>,
    /// The EV of each side's best response if it only looks at profiles, for the player and the banker.
    pub profile_best: [Ratio; 2],
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
    /// Evaluates a pair of strategies in two passes. Also returns the profiles whose hands each side's best response sets
    /// in different ways, depending on suits.
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
                own: evs(|side| side.own, unit * i128::from(MixedTable::WHOLE)),
                best: evs(|side| side.best.iter().sum(), unit),
            },
            profile_best: evs(|side| side.profile_best.iter().sum(), unit),
        }
    }

    /// Returns the bounds of the value, as the player's EV, for best responses that only look at profiles. They are bounds
    /// if the house banks.
    pub fn profile_bounds(&self) -> Bounds<Ratio> {
        PairEvs { best: self.profile_best, ..self.evs }.bounds()
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
    let most = |profile| actions.range(profile).map(|action| sums.gain(action, payoff)).max();
    let profile_best = Profile::all().map(|it| most(it).expect("every hand has a legal setting")).collect();
    let mut results = SideResults { best, profile_best, own: 0 };
    for profile in Profile::all() {
        for &(set, weight) in own.sets(profile) {
            let action = actions.index(profile, set).expect("strategies only use set hands among the actions");
            results.own += i128::from(weight) * sums.gain(action, payoff);
        }
    }
    Ok(results)
}
