//! Groups the classes of hands by profile.

use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use rayon::prelude::*;

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
