//! Mixed strategies tabulated over profiles.

use super::banker::BankerTable;
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use houseway_env::rules::short_hash;
use rayon::prelude::*;
use std::cmp::Reverse;

/// A mixed strategy over the 292,253 profiles. For each profile, every set hand has a probability. Probabilities are
/// stored in units of 1/4096, so EVs are exact ratios of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedTable {
    name: String,
    /// The index of each profile's first set hand, followed by the total number of set hands.
    starts: Vec<u32>,
    sets: Vec<(SetHand, u16)>,
}

/// An error in a mixed strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MixedTableError {
    /// The number of profiles is wrong.
    #[error("invalid mixed strategy: expected {PROFILES} profiles, found {0}")]
    Length(usize),
    /// A profile's probabilities don't add up to 1.
    #[error("invalid weights for {hand}: must add up to {}, found {sum}", MixedTable::WHOLE)]
    Sum {
        /// A hand with the profile.
        hand: Hand,
        /// The sum of its weights.
        sum: u32,
    },
    /// A set hand is a foul, or the hand can't be set that way.
    #[error("{table} fouls with {hand}; use a strategy that is legal under these rules")]
    Foul {
        /// The name of the strategy.
        table: String,
        /// A hand with the profile.
        hand: Hand,
    },
}

/// The error for a mixed strategy where only pure ones are supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{name}' is a mixed strategy, which is not supported here because it has no single setting for a hand; use a pure \
     strategy, such as the strategy table (.safetensors) that 'houseway equilibrium' writes beside it"
)]
pub struct MixedStrategyError {
    /// The name of the strategy.
    pub name: String,
}

impl MixedTable {
    /// The total weight of a profile's set hands.
    pub const WHOLE: u32 = 1 << 12;

    /// Creates a strategy from the weighted set hands for each profile. Set hands with weight 0 are left out.
    ///
    /// # Errors
    /// Returns an error if the number of profiles is wrong, or if a profile's weights don't add up to
    /// [`MixedTable::WHOLE`].
    pub fn new<S>(name: &str, profiles: impl IntoIterator<Item = S>) -> Result<MixedTable, MixedTableError>
    where
        S: IntoIterator<Item = (SetHand, u16)>,
    {
        let mut table = MixedTable { name: name.to_owned(), starts: vec![0], sets: vec![] };
        for (i, sets) in profiles.into_iter().enumerate() {
            let first = table.sets.len();
            table.sets.extend(sets.into_iter().filter(|&(_, weight)| weight > 0));
            table.starts.push(table.sets.len() as u32);
            let sum = table.sets[first..].iter().map(|&(_, weight)| u32::from(weight)).sum();
            if sum != MixedTable::WHOLE && i < PROFILES {
                return Err(MixedTableError::Sum { hand: Hand::representative(Profile::from_index(i)), sum });
            }
        }
        match table.starts.len() - 1 {
            PROFILES => Ok(table),
            len => Err(MixedTableError::Length(len)),
        }
    }

    /// Checks that every set hand is legal and possible for the hands with its profile.
    ///
    /// # Errors
    /// Returns an error that names the first hand for which a set hand is a foul or can't be made.
    pub fn check_legal(&self, game: &Game) -> Result<(), MixedTableError> {
        let foul = |i: usize| {
            let profile = Profile::from_index(i);
            let hand = Hand::representative(profile);
            let possible = |chosen: SetHand| game.settings(hand).any(|(_, set)| set == chosen && game.is_legal(set));
            let fouls = !self.sets(profile).iter().all(|&(set, _)| possible(set));
            fouls.then(|| MixedTableError::Foul { table: self.name.clone(), hand })
        };
        (0..PROFILES).into_par_iter().with_min_len(1024).find_map_first(foul).map_or(Ok(()), Err)
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the set hands with positive weights for a profile.
    #[inline]
    pub fn sets(&self, profile: Profile) -> &[(SetHand, u16)] {
        &self.sets[self.starts[profile.index()] as usize..self.starts[profile.index() + 1] as usize]
    }

    /// Returns the settings of a hand with positive weights, in order. If several settings make the same set hand, this
    /// is the first one.
    ///
    /// # Panics
    /// Panics if the hand can't be set that way, which [`MixedTable::check_legal`] rules out.
    pub fn settings(&self, game: &Game, hand: Hand) -> Vec<(Setting, u16)> {
        let first = |chosen: SetHand| game.settings(hand).find(|&(_, set)| set == chosen).map(|(setting, _)| setting);
        let sets = self.sets(Profiles::get().of(hand.set())).iter();
        let setting = |&(set, weight): &(SetHand, u16)| (first(set).expect("every set hand is possible"), weight);
        let mut settings: Vec<(Setting, u16)> = sets.map(setting).collect();
        settings.sort_by_key(|&(setting, _)| setting.index());
        settings
    }

    /// Returns the most probable setting of a hand. Ties go to the lowest index.
    ///
    /// # Panics
    /// Panics under the same condition as [`MixedTable::settings`].
    pub fn most_probable(&self, game: &Game, hand: Hand) -> Setting {
        // Unlike `max_by_key`, `min_by_key` returns the first of several equal elements.
        let most = self.settings(game, hand).into_iter().min_by_key(|&(_, weight)| Reverse(weight));
        most.expect("the weights add up to a positive number").0
    }

    /// Returns the first 16 hex digits of the SHA-256 hash of all set hands and weights.
    pub fn hash(&self) -> String {
        let mut bytes = Vec::with_capacity(8 * self.sets.len());
        for profile in Profile::all() {
            let sets = self.sets(profile).iter();
            let mut sets: Vec<[u32; 3]> =
                sets.map(|&(set, weight)| [set.back.index() as u32, set.front.index() as u32, weight.into()]).collect();
            sets.sort_unstable();
            bytes.push(sets.len() as u8);
            bytes.extend(sets.as_flattened().iter().flat_map(|number| number.to_le_bytes()));
        }
        short_hash([&bytes[..]])
    }
}

impl From<&BankerTable> for MixedTable {
    fn from(table: &BankerTable) -> MixedTable {
        let sets = Profile::all().map(|profile| [(table.set(profile), MixedTable::WHOLE as u16)]);
        MixedTable::new(table.name(), sets).expect("a table sets every profile")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::{ProfileTable, Rules};

    #[test]
    fn invalid_weights_are_rejected() {
        let game = Game::new(Rules::default());
        let table = BankerTable::new(&ProfileTable::max_back(&game));
        let with = |profiles: usize, weight: fn(usize) -> u16| {
            MixedTable::new("mixed", Profile::all().take(profiles).map(|it| [(table.set(it), weight(it.index()))]))
        };
        assert_eq!(with(100, |_| 4096), Err(MixedTableError::Length(100)));
        let error = with(PROFILES, |i| if i == 7 { 4095 } else { 4096 }).unwrap_err();
        assert!(error.to_string().contains("must add up to 4096, found 4095"), "{error}");
        let mixed = with(PROFILES, |_| 4096).unwrap();
        assert_eq!(mixed.check_legal(&game), Ok(()));
        // Other hands can't make this set hand.
        let last = table.set(Profile::from_index(PROFILES - 1));
        let foul = MixedTable::new("foul", Profile::all().map(|_| [(last, 4096)])).unwrap();
        assert!(matches!(foul.check_legal(&game), Err(MixedTableError::Foul { .. })));
    }

    #[test]
    fn settings_are_sorted_and_the_hash_depends_on_the_weights_only() {
        let game = Game::new(Rules::default());
        let tables = [ProfileTable::max_back(&game), ProfileTable::max_front(&game)].map(|it| BankerTable::new(&it));
        let mix = |order: [usize; 2], first: u16| {
            let sets = |profile: Profile| match tables.each_ref().map(|table| table.set(profile)) {
                [one, other] if one == other => vec![(one, 4096)],
                sets => order.map(|i| (sets[i], if i == 0 { first } else { 4096 - first })).to_vec(),
            };
            MixedTable::new("mixed", Profile::all().map(sets)).unwrap()
        };
        let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse().unwrap();
        let made = tables.each_ref().map(|table| table.set(Profiles::get().of(hand.set())));
        assert_ne!(made[0], made[1]);
        for (order, first, most) in [([0, 1], 4000, made[0]), ([1, 0], 4000, made[0]), ([0, 1], 96, made[1])] {
            let table = mix(order, first);
            let settings = table.settings(&game, hand);
            assert!(settings.len() == 2 && settings[0].0.index() < settings[1].0.index());
            assert_eq!(settings.iter().map(|&(_, weight)| weight).sum::<u16>(), 4096);
            assert_eq!(game.set(hand, table.most_probable(&game, hand)), most);
        }
        let even = mix([0, 1], 2048);
        assert_eq!(even.most_probable(&game, hand), even.settings(&game, hand)[0].0, "ties go to the lowest index");
        assert_eq!(mix([0, 1], 4000).hash(), mix([1, 0], 4000).hash());
        assert_ne!(mix([0, 1], 4000).hash(), mix([0, 1], 4001).hash());
    }
}
