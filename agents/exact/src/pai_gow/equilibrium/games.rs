//! The games between sides that see profiles or suits, with passes over all deals, and their values as labels for agents
//! that learn to respond.

use super::actions::{Actions, InformationSets, ProfileClasses};
use crate::equilibrium::{HandGame, Position, UNITS};
use crate::pai_gow::labels::{SettingValues, ValuedHand};
use crate::pai_gow::matchup::BankedBy;
use crate::pai_gow::mixed::MixedTable;
use crate::pai_gow::outcomes::{DEALS, HANDS, Payoff, Side};
use crate::pai_gow::table::ClassTable;
use crate::pai_gow::whole::{Cancelled, ClassCounts, Pass, ProfileSums, Run};
use crate::solver::SolverError;
use houseway_env::cards::classes::Classes;
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::money::Rate;
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The wins and losses for each action, summed over the hands of its information set.
pub(super) struct ActionSums {
    wins: Vec<AtomicI64>,
    losses: Vec<AtomicI64>,
}

impl ActionSums {
    pub(super) fn new(actions: usize) -> ActionSums {
        let zeros = || (0..actions).map(|_| AtomicI64::new(0)).collect();
        ActionSums { wins: zeros(), losses: zeros() }
    }

    /// Returns the number of actions.
    pub(super) fn len(&self) -> usize {
        self.wins.len()
    }

    /// Adds a class that faces a mixed strategy. The actions are those of all profiles.
    pub(super) fn add(&self, actions: &Actions, class: &ClassCounts<i64>) {
        let orbit = i64::from(class.orbit);
        let making = |set| class.setting_that_makes(set);
        actions.each(class.hand, making, |action, setting| {
            self.put(action, orbit * class.wins[setting], orbit * class.losses[setting]);
        });
    }

    /// Adds a profile that faces a mixed strategy. The actions are those of all profiles.
    fn add_profile(&self, actions: &Actions, profile: &ProfileSums) {
        let making = |set| profile.setting_that_makes(set);
        actions.each(profile.hand, making, |action, setting| {
            self.put(action, profile.wins[setting], profile.losses[setting]);
        });
    }

    /// Adds a class that faces a pure strategy to the actions that make the given set hands, starting with the action
    /// `first`.
    pub(super) fn add_class(&self, sets: &[SetHand], first: usize, class: &ClassCounts) {
        let orbit = i64::from(class.orbit);
        for (action, &set) in (first..).zip(sets) {
            let setting = class.setting_that_makes(set).expect("hands with the same profile have the same set hands");
            let [wins, losses] = [&class.wins, &class.losses].map(|counts| i64::from(counts[setting.index()]));
            self.put(action, orbit * wins, orbit * losses);
        }
    }

    fn put(&self, action: usize, wins: i64, losses: i64) {
        self.wins[action].fetch_add(wins, Ordering::Relaxed);
        self.losses[action].fetch_add(losses, Ordering::Relaxed);
    }

    /// Returns an action's total gain over all deals with its information set, in millionths of the stake times the
    /// total weight of an opposing hand.
    pub(super) fn gain(&self, action: usize, payoff: Payoff) -> i128 {
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
        let (game, actions) = (self.game, self.actions);
        // A complete evaluation takes a single pass.
        let changes = self.last[side].as_ref().and_then(|(last, sums)| {
            let changes = Pass::of_changes(game, Side::ALL[side], [last, &other], 1)?;
            Some((changes.without_dominated(), sums))
        });
        if let Some((changes, _)) = changes {
            // Take the sums out of `last`, because they are incomplete if the pass is canceled.
            let (_, sums) = self.last[side].take().expect("there are results to change");
            changes.fold_profiles(&self.run, || (), |(), profile| sums.add_profile(actions, profile), |(), ()| ())?;
            self.last[side] = Some((other, sums));
            return Ok(());
        }
        let sums = ActionSums::new(actions.all().len());
        let whole = Pass::against_mixed(game, Side::ALL[side], &other).without_dominated();
        whole.fold_profiles(&self.run, || (), |(), profile| sums.add_profile(actions, profile), |(), ()| ())?;
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
                sums.add_class(&self.actions.all()[self.actions.range(profile)], first, class);
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
