//! Mixed strategies tabulated over profiles, and exact evaluation of a hand against strategies that aren't pure.

use super::banker::BankerTable;
use super::hand::{HandCounts, count_weighted};
use super::known::KnownCards;
use super::outcomes::{RANDOM_WEIGHT, Side};
use super::table::setting_that_makes;
use crate::solver::{SolverError, invalid};
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

impl MixedTable {
    /// The total weight of a profile's set hands.
    pub const WHOLE: u32 = 1 << 12;

    /// Creates a strategy from the weighted set hands for each profile. Set hands with weight 0 are left out.
    ///
    /// # Errors
    /// Returns an error if the number of profiles is wrong, or if a profile's weights don't add up to
    /// [`MixedTable::WHOLE`].
    pub fn new<S>(name: &str, profiles: impl IntoIterator<Item = S>) -> Result<MixedTable, SolverError>
    where
        S: IntoIterator<Item = (SetHand, u16)>,
    {
        let mut table = MixedTable { name: name.to_owned(), starts: vec![0], sets: vec![] };
        for (i, sets) in profiles.into_iter().enumerate() {
            let first = table.sets.len();
            table.sets.extend(sets.into_iter().filter(|&(_, weight)| weight > 0));
            table.starts.push(table.sets.len() as u32);
            let sum: u32 = table.sets[first..].iter().map(|&(_, weight)| u32::from(weight)).sum();
            if sum != MixedTable::WHOLE && i < PROFILES {
                let (hand, whole) = (Hand::representative(Profile::from_index(i)), MixedTable::WHOLE);
                return Err(invalid!("invalid weights for {hand}: must add up to {whole}, found {sum}"));
            }
        }
        match table.starts.len() - 1 {
            PROFILES => Ok(table),
            len => Err(invalid!("invalid mixed strategy: expected {PROFILES} profiles, found {len}")),
        }
    }

    /// Checks that every set hand is legal and possible for the hands with its profile.
    ///
    /// # Errors
    /// Returns an error that names the first hand for which a set hand is a foul or can't be made.
    pub fn check_legal(&self, game: &Game) -> Result<(), SolverError> {
        let foul = |i: usize| {
            let profile = Profile::from_index(i);
            let hand = Hand::representative(profile);
            let possible = |chosen: SetHand| game.settings(hand).any(|(_, set)| set == chosen && game.is_legal(set));
            let fouls = !self.sets(profile).iter().all(|&(set, _)| possible(set));
            fouls.then(|| {
                let name = &self.name;
                invalid!("{name} fouls with {hand}; use a strategy that is legal under these rules")
            })
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
        let sets = self.sets(Profiles::get().of(hand.set())).iter();
        let setting = |&(set, weight): &(SetHand, u16)| (setting_that_makes(game, hand, set), weight);
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

/// Returns the legal set hands for every profile.
fn legal_sets(game: &Game) -> Vec<Vec<SetHand>> {
    let sets = |i: usize| {
        let hand = Hand::representative(Profile::from_index(i));
        game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set)).collect()
    };
    (0..PROFILES).into_par_iter().with_min_len(1024).map(sets).collect()
}

/// Evaluates every setting of a hand on `side` against all opposing hands, whose legal settings are all equally likely.
/// All counts are in units of 1 / [`RANDOM_WEIGHT`].
pub fn count_against_random(game: &Game, side: Side, hand: impl Into<KnownCards>) -> HandCounts {
    let legal = legal_sets(game);
    count_weighted(game, side, hand.into(), RANDOM_WEIGHT, |profile| {
        let sets = &legal[profile.index()];
        let weight = i64::from(RANDOM_WEIGHT) / sets.len() as i64;
        sets.iter().map(move |&set| (set, weight))
    })
}

/// Evaluates every setting of a hand on `side` against all opposing hands, which are set by a mixed strategy. All counts
/// are in units of 1 / [`MixedTable::WHOLE`].
pub fn count_against_mixed(game: &Game, side: Side, table: &MixedTable, hand: impl Into<KnownCards>) -> HandCounts {
    count_weighted(game, side, hand.into(), MixedTable::WHOLE, |profile| {
        table.sets(profile).iter().map(|&(set, weight)| (set, i64::from(weight)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::hand::HandEvaluator;
    use crate::pai_gow::slow::ProfileCounts;
    use houseway_env::cards::profile::Profiles;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{Dealt, ProfileTable, Rules};

    #[test]
    fn invalid_weights_are_rejected() {
        let game = Game::new(Rules::default());
        let table = BankerTable::new(&ProfileTable::max_back(&game));
        let with = |profiles: usize, weight: fn(usize) -> u16| {
            MixedTable::new("mixed", Profile::all().take(profiles).map(|it| [(table.set(it), weight(it.index()))]))
        };
        let error = with(100, |_| 4096).unwrap_err();
        assert!(error.to_string().contains("expected 292253 profiles, found 100"), "{error}");
        let error = with(PROFILES, |i| if i == 7 { 4095 } else { 4096 }).unwrap_err();
        assert!(error.to_string().contains("must add up to 4096, found 4095"), "{error}");
        let mixed = with(PROFILES, |_| 4096).unwrap();
        assert_eq!(mixed.check_legal(&game), Ok(()));
        // Other hands can't make this set hand.
        let last = table.set(Profile::from_index(PROFILES - 1));
        let foul = MixedTable::new("foul", Profile::all().map(|_| [(last, 4096)])).unwrap();
        let error = foul.check_legal(&game).unwrap_err();
        assert!(error.to_string().starts_with("foul fouls with "), "{error}");
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

    #[test]
    fn random_hands_match_plain_enumeration() {
        let mut rng = stream(5.into());
        let other = Rules::default().with("bank-pushes=nine_high_front").unwrap();
        for (side, rules) in [(Side::Player, Rules::default()), (Side::Banker, other)] {
            let (game, hand) = (Game::new(rules), Dealt::random(&mut rng).hand());
            let enumerated = ProfileCounts::enumerate(hand);
            assert_eq!(count_against_random(&game, side, hand), enumerated.count_random(&game, side), "{hand}");
        }
    }

    #[test]
    fn a_pure_strategy_counts_as_a_mixture_of_one_setting() {
        let other = Rules::default().with("bank-pushes=nine_high_front").unwrap();
        // The opponent of a hand without the joker and hearts can have every flush.
        let hand: Hand = "As Kd Qd 7c 7d 3s 2d".parse().unwrap();
        for rules in [Rules::default(), other] {
            let game = Game::new(rules);
            let table = BankerTable::new(&ProfileTable::max_back(&game));
            let mixed = MixedTable::from(&table);
            for side in [Side::Player, Side::Banker] {
                let counts = *HandEvaluator::new(&game, &table).count_for(side, hand).settings();
                let whole = u64::from(MixedTable::WHOLE);
                let expected = counts.map(|counts| counts.map(|counts| counts.times(whole)));
                assert_eq!(count_against_mixed(&game, side, &mixed, hand).settings(), &expected, "{side:?}");
            }
        }
    }

    #[test]
    fn the_legal_settings_depend_on_the_profile() {
        let (game, mut rng) = (Game::new(Rules::default()), stream(6.into()));
        let sorted = |hand: Hand| {
            let sets = game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set));
            let mut sets: Vec<(usize, usize)> = sets.map(|set| (set.back.index(), set.front.index())).collect();
            sets.sort_unstable();
            sets
        };
        for _ in 0..20_000 {
            let hand = Dealt::random(&mut rng).hand();
            let profile = Profiles::get().of(hand.set());
            let representative = Hand::representative(profile);
            assert_eq!(sorted(hand), sorted(representative), "{hand}");
        }
    }
}
