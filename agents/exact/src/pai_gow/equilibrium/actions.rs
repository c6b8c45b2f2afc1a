//! The settings available to both sides, and what the sides see: profiles, or the exact suits of some hands.

use crate::pai_gow::mixed::MixedTable;
use crate::pai_gow::outcomes::HANDS;
use crate::pai_gow::table::{ClassTable, canonical_hand, setting_that_makes};
use crate::pai_gow::whole::dominance_holds;
use crate::solver::SolverError;
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, SetHand};
use rayon::prelude::*;
use std::convert::Infallible;

/// The distinct legal set hands for each profile. Dominated set hands are left out, unless every bet pushes against
/// some banker hands under the rules.
pub struct Actions {
    starts: Vec<u32>,
    sets: Vec<SetHand>,
}

impl Actions {
    /// Finds the actions for all profiles.
    pub fn new(game: &Game) -> Actions {
        Actions::from_profiles(|profile| undominated_sets(game, profile))
    }

    /// Finds all legal set hands for all profiles, including the dominated ones.
    pub(in crate::pai_gow) fn with_dominated(game: &Game) -> Actions {
        Actions::from_profiles(|profile| legal_sets(game, profile))
    }

    fn from_profiles(sets: impl Fn(Profile) -> Vec<SetHand> + Sync) -> Actions {
        let profiles = (0..PROFILES).into_par_iter().with_min_len(1024);
        let all: Vec<Vec<SetHand>> = profiles.map(|i| sets(Profile::from_index(i))).collect();
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
    pub fn mixed(&self, name: &str, weights: &[u16], factor: u16) -> Result<MixedTable, SolverError> {
        let of_profile = |profile| self.range(profile).map(|action| (self.sets[action], factor * weights[action]));
        MixedTable::new(name, Profile::all().map(of_profile))
    }
}

fn legal_sets(game: &Game, profile: Profile) -> Vec<SetHand> {
    let hand = Hand::representative(profile);
    let mut sets: Vec<SetHand> = vec![];
    for (_, set) in game.settings(hand).filter(|&(_, set)| game.is_legal(set)) {
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    sets
}

fn undominated_sets(game: &Game, profile: Profile) -> Vec<SetHand> {
    let mut sets = legal_sets(game, profile);
    if dominance_holds(game) {
        let all = sets.clone();
        sets.retain(|&set| !all.iter().any(|other| other.dominates(set)));
    }
    sets
}

/// The classes of hands with each profile. They occupy about 60 MB.
pub struct ProfileClasses {
    /// The profile's index and the number of hands for each class.
    classes: Vec<(u32, u8)>,
    /// The classes in ascending order, one profile after another.
    members: Vec<u32>,
    /// The index of each profile's first member, followed by the number of classes.
    starts: Vec<u32>,
}

impl ProfileClasses {
    /// Groups all classes by profile.
    pub fn new() -> ProfileClasses {
        let (all, profiles) = (Classes::seven(), Profiles::get());
        let describe = |class| {
            let hand = all.hand(class);
            (profiles.of(hand).index() as u32, orbit(hand) as u8)
        };
        let classes: Vec<(u32, u8)> = (0..all.len()).into_par_iter().with_min_len(4096).map(describe).collect();
        let mut members: Vec<u32> = (0..all.len() as u32).collect();
        members.par_sort_unstable_by_key(|&class| (classes[class as usize].0, class));
        let mut starts = vec![0; PROFILES + 1];
        classes.iter().for_each(|&(profile, _)| starts[profile as usize + 1] += 1);
        (0..PROFILES).for_each(|profile| starts[profile + 1] += starts[profile]);
        ProfileClasses { classes, members, starts }
    }

    /// Returns the number of classes with a profile.
    pub fn classes(&self, profile: Profile) -> usize {
        self.members(profile).len()
    }

    /// Returns a profile's classes in ascending order.
    pub(super) fn members(&self, profile: Profile) -> &[u32] {
        &self.members[self.starts[profile.index()] as usize..self.starts[profile.index() + 1] as usize]
    }

    /// Returns the number of classes.
    pub(super) fn count(&self) -> usize {
        self.classes.len()
    }

    /// Returns the profile of a class.
    pub(super) fn profile(&self, class: u32) -> Profile {
        Profile::from_index(self.classes[class as usize].0 as usize)
    }

    /// Returns the number of hands in a class.
    pub(super) fn hands(&self, class: u32) -> u32 {
        self.classes[class as usize].1.into()
    }
}

impl Default for ProfileClasses {
    fn default() -> Self {
        ProfileClasses::new()
    }
}

/// The information sets of a side that sees the exact suits of some hands. All hands with the same profile share an
/// information set, except for split profiles, in which each class has its own.
pub struct InformationSets {
    /// The profile of each information set.
    profiles: Vec<Profile>,
    /// The index of the first action of each information set, followed by the number of actions.
    starts: Vec<u32>,
    probabilities: Vec<f64>,
    /// The information set of each class.
    of_class: Vec<u32>,
}

impl InformationSets {
    /// Creates the information sets, with one for each class of the profiles in `split`.
    ///
    /// # Panics
    /// Panics unless `split` has an element for each profile.
    pub fn new(actions: &Actions, classes: &ProfileClasses, split: &[bool]) -> InformationSets {
        assert_eq!(split.len(), PROFILES, "every profile is either split or not");
        let mut sets = InformationSets {
            profiles: vec![],
            starts: vec![0],
            probabilities: vec![],
            of_class: vec![0; classes.count()],
        };
        for profile in Profile::all() {
            let members = classes.members(profile);
            let parts = if split[profile.index()] { members.chunks(1) } else { members.chunks(members.len().max(1)) };
            for part in parts {
                part.iter().for_each(|&class| sets.of_class[class as usize] = sets.profiles.len() as u32);
                let hands: u32 = part.iter().map(|&class| classes.hands(class)).sum();
                let first = *sets.starts.last().expect("there is a first index");
                sets.starts.push(first + actions.range(profile).len() as u32);
                sets.probabilities.push(f64::from(hands) / HANDS as f64);
                sets.profiles.push(profile);
            }
        }
        sets
    }

    /// Returns the index of the first action of each information set, followed by the number of actions.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Returns the probability of each information set.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Returns the index of each information set's profile, which is an information set of a side that only sees
    /// profiles.
    pub fn parents(&self) -> Vec<u32> {
        self.profiles.iter().map(|profile| profile.index() as u32).collect()
    }

    /// Returns the profile of the information set of a class, and the index of its first action.
    pub(super) fn of_class(&self, class: usize) -> (Profile, usize) {
        let set = self.of_class[class] as usize;
        (self.profiles[set], self.starts[set] as usize)
    }

    /// Creates a table in which the classes with the same profile take turns, so that the table plays the actions as
    /// often as the given mixture. Each class only plays actions of its own information set. The weights of an
    /// information set's actions all have the same total.
    pub fn table<W: Copy + Into<u32> + Sync>(
        &self,
        game: &Game,
        (actions, classes): (&Actions, &ProfileClasses),
        name: &str,
        weights: &[W],
    ) -> ClassTable {
        pure_table(game, classes, name, |class, sets| {
            let (profile, first) = self.of_class(class as usize);
            let weights = weights[first..].iter().map(|&weight| weight.into());
            let weighted = actions.all()[actions.range(profile)].iter().copied().zip(weights);
            sets.extend(weighted.filter(|&(_, weight)| weight > 0));
        })
    }
}

/// Returns a table in which the classes with the same profile take turns, so that each set hand is played with the same
/// frequency as in the mixed strategy, up to the size of a class. The choice depends on suits, which opponents can't
/// see.
pub fn purify(game: &Game, classes: &ProfileClasses, mixed: &MixedTable, name: &str) -> ClassTable {
    let sets = |profile, sets: &mut Vec<_>| {
        sets.extend(mixed.sets(profile).iter().map(|&(set, weight)| (set, u32::from(weight))));
    };
    pure_table(game, classes, name, |class, all| sets(classes.profile(class), all))
}

/// Returns a table in which the classes with the same profile take turns. `mixture` adds the set hands that a class
/// plays to an empty list, with weights that have the same total for all classes.
pub(super) fn pure_table(
    game: &Game,
    classes: &ProfileClasses,
    name: &str,
    mixture: impl Fn(u32, &mut Vec<(SetHand, u32)>) + Sync,
) -> ClassTable {
    let filled = ClassTable::fill(name, |put| {
        let set_profile = |turns: &mut Turns, i: usize| {
            turns.lags.clear();
            for &class in classes.members(Profile::from_index(i)) {
                turns.sets.clear();
                mixture(class, &mut turns.sets);
                let chosen = turns.next(classes.hands(class));
                put(class as usize, setting_that_makes(game, canonical_hand(class as usize), chosen));
            }
        };
        (0..PROFILES).into_par_iter().with_min_len(256).for_each_init(Turns::default, set_profile);
        Ok::<(), Infallible>(())
    });
    let Ok(((), table)) = filled;
    table
}

/// The state while the classes of a profile take turns.
#[derive(Default)]
struct Turns {
    /// The weighted set hands of the current class.
    sets: Vec<(SetHand, u32)>,
    /// The number of hands, times their weights, by which each set hand has been played too rarely.
    lags: Vec<(SetHand, i64)>,
}

impl Turns {
    /// Returns the set hand for a class with the given number of hands.
    fn next(&mut self, hands: u32) -> SetHand {
        let Turns { sets, lags } = self;
        // Most profiles are set in a single way. Such a set hand never lags.
        if let [(only, _)] = sets[..]
            && lags.iter().all(|&(other, _)| other == only)
        {
            return only;
        }
        let place = |lags: &mut Vec<(SetHand, i64)>, set: SetHand| {
            lags.iter().position(|&(other, _)| other == set).unwrap_or_else(|| {
                lags.push((set, 0));
                lags.len() - 1
            })
        };
        let places: Vec<usize> = sets.iter().map(|&(set, _)| place(lags, set)).collect();
        let hands = i64::from(hands);
        places.iter().zip(sets.iter()).for_each(|(&at, &(_, weight))| lags[at].1 += hands * i64::from(weight));
        let most = places.iter().copied().rev().max_by_key(|&at| lags[at].1).expect("a class has a set hand");
        lags[most].1 -= hands * sets.iter().map(|&(_, weight)| i64::from(weight)).sum::<i64>();
        lags[most].0
    }
}
