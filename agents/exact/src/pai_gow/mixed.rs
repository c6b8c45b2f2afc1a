//! Mixed strategies tabulated over profiles.

use super::BankerTable;
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, SetHand};

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
                return Err(MixedTableError::Sum { hand: representative(Profile::from_index(i)), sum });
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
        for profile in Profile::all() {
            let hand = representative(profile);
            let possible = |chosen: SetHand| game.settings(hand).any(|(_, set)| set == chosen && game.is_legal(set));
            if !self.sets(profile).iter().all(|&(set, _)| possible(set)) {
                return Err(MixedTableError::Foul { table: self.name.clone(), hand });
            }
        }
        Ok(())
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
}

impl From<&BankerTable> for MixedTable {
    fn from(table: &BankerTable) -> MixedTable {
        let sets = Profile::all().map(|profile| [(table.set(profile), MixedTable::WHOLE as u16)]);
        MixedTable::new(table.name(), sets).expect("a table sets every profile")
    }
}

fn representative(profile: Profile) -> Hand {
    Hand::new(Profiles::get().representative(profile)).expect("a profile has seven cards")
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
}
