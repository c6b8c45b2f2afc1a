//! Enumerates the settings available to the strategies.

use crate::pai_gow::whole::dominance_holds;
use crate::pai_gow::{MixedTable, MixedTableError};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use rayon::prelude::*;

/// The distinct legal set hands for each profile. Dominated set hands are left out, unless every bet pushes against
/// some banker hands under the rules.
pub struct Actions {
    starts: Vec<u32>,
    sets: Vec<SetHand>,
}

impl Actions {
    /// Finds the actions for all profiles.
    pub fn new(game: &Game) -> Actions {
        let all: Vec<Vec<SetHand>> = (0..PROFILES)
            .into_par_iter()
            .with_min_len(1024)
            .map(|i| of_profile(game, Profile::from_index(i)))
            .collect();
        let mut actions = Actions { starts: vec![0], sets: vec![] };
        for sets in all {
            actions.sets.extend(sets);
            actions.starts.push(actions.sets.len() as u32);
        }
        actions
    }

    /// Returns the index of each profile's first action, followed by the total number of actions.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Returns the set hands for all profiles, one profile after another.
    pub fn all(&self) -> &[SetHand] {
        &self.sets
    }

    /// Returns the indices of a profile's actions.
    pub fn range(&self, profile: Profile) -> std::ops::Range<usize> {
        self.starts[profile.index()] as usize..self.starts[profile.index() + 1] as usize
    }

    /// Returns the index of the action that makes a set hand, or `None` if the profile has no such action.
    pub fn index(&self, profile: Profile, set: SetHand) -> Option<usize> {
        self.range(profile).find(|&action| self.sets[action] == set)
    }

    /// Creates a mixed strategy from the weights of all actions, multiplied by `factor`.
    ///
    /// # Errors
    /// Returns an error if a profile's weights don't add up to [`MixedTable::WHOLE`] after the multiplication.
    pub fn mixed(&self, name: &str, weights: &[u16], factor: u16) -> Result<MixedTable, MixedTableError> {
        let of_profile = |profile| self.range(profile).map(|action| (self.sets[action], factor * weights[action]));
        MixedTable::new(name, Profile::all().map(of_profile))
    }

    /// Calls `visit` for each action of a hand, with the index of a setting that makes its set hand.
    pub(super) fn each(
        &self,
        hand: Hand,
        setting_that_makes: impl Fn(SetHand) -> Option<Setting>,
        mut visit: impl FnMut(usize, usize),
    ) {
        for action in self.range(Profiles::get().of(hand.set())) {
            let setting = setting_that_makes(self.sets[action]);
            visit(action, setting.expect("hands with the same profile have the same set hands").index());
        }
    }
}

fn of_profile(game: &Game, profile: Profile) -> Vec<SetHand> {
    let hand = Hand::representative(profile);
    let mut sets: Vec<SetHand> = vec![];
    for (_, set) in game.settings(hand).filter(|&(_, set)| game.is_legal(set)) {
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    if dominance_holds(game) {
        let all = sets.clone();
        sets.retain(|&set| !all.iter().any(|other| other.dominates(set)));
    }
    sets
}
