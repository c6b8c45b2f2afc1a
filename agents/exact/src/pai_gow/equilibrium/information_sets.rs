//! Divides hands into information sets, which tell the classes of some profiles apart.

use super::purify::pure_table;
use super::{Actions, HANDS, ProfileClasses};
use crate::pai_gow::ClassTable;
use houseway_env::cards::profile::{PROFILES, Profile};
use houseway_env::pai_gow::Game;

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
                sets.probabilities.push(f64::from(hands) / HANDS);
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
