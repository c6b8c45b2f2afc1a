//! Tables with weighted set hands for each profile.

use crate::pai_gow::{BankerTable, MixedTable};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::SetHand;

/// The set hands for each profile, with integer weights. The weights have the same total in every profile.
#[derive(Clone)]
pub(super) struct WeightedTable {
    /// The index of each profile's first set hand, followed by the total number of set hands.
    starts: Vec<u32>,
    sets: Vec<(SetHand, i8)>,
    weight: i32,
}

/// The total weight per hand in a mixed strategy's high digits, small enough for sums over all hands to fit in 32 bits.
pub(super) const DIGIT: i32 = 64;
/// The exclusive upper bound for the absolute values of signed sums.
const SIGNED_SUMS: u64 = 1 << 31;

impl WeightedTable {
    fn new(weight: i32) -> WeightedTable {
        WeightedTable { starts: vec![0], sets: vec![], weight }
    }

    fn push(&mut self, sets: impl IntoIterator<Item = (SetHand, i32)>) {
        let weighted = sets.into_iter().filter(|&(_, weight)| weight != 0);
        self.sets.extend(weighted.map(|(set, weight)| (set, i8::try_from(weight).expect("a digit fits into a byte"))));
        self.starts.push(self.sets.len() as u32);
    }

    /// Skips ahead to a profile. The profiles in between have no set hands.
    fn skip_to(&mut self, profile: usize) {
        self.starts.resize(profile + 1, self.sets.len() as u32);
    }

    /// Returns a pure strategy's set hands, each with weight 1.
    pub(super) fn pure(table: &BankerTable) -> WeightedTable {
        let mut weighted = WeightedTable::new(1);
        Profile::all().for_each(|profile| weighted.push([(table.set(profile), 1)]));
        weighted
    }

    /// Splits a mixed strategy into tables, each with a factor. The tables' weights times their factors add up to the
    /// strategy's weights. The first table contains the high digits, with a total weight of [`DIGIT`]. The weights in
    /// all other tables total 0.
    pub(super) fn digits(table: &MixedTable) -> Vec<(i64, WeightedTable)> {
        const { assert!(MixedTable::WHOLE == DIGIT as u32 * DIGIT as u32) };
        let mut high = WeightedTable::new(DIGIT);
        let mut low = Signed::default();
        let mut digits = vec![];
        for profile in Profile::all() {
            let sets = table.sets(profile);
            digits.clear();
            digits.extend(sets.iter().map(|&(_, weight)| i32::from(weight) / DIGIT));
            // Round up the largest remainders until the high digits add up to their total.
            let rest = |i: usize, digits: &[i32]| i32::from(sets[i].1) - DIGIT * digits[i];
            for _ in digits.iter().sum()..DIGIT {
                let most = (0..sets.len()).rev().max_by_key(|&i| rest(i, &digits)).expect("a profile has a setting");
                digits[most] += 1;
            }
            low.push(profile, (0..sets.len()).map(|i| (sets[i].0, rest(i, &digits))));
            high.push(sets.iter().zip(&digits).map(|(&(set, _), &digit)| (set, digit)));
        }
        let low = low.finish().into_iter().map(|table| (1, table));
        [(DIGIT.into(), high)].into_iter().chain(low).collect()
    }

    /// Returns tables whose weights add up to the difference between two mixed strategies, in units of the high digits.
    /// The weights in each table total 0. Returns `None` if any changed weight has low digits.
    pub(super) fn changes_of(from: &MixedTable, to: &MixedTable) -> Option<Vec<WeightedTable>> {
        let mut changes = Signed::default();
        let mut of_profile: Vec<(SetHand, i32)> = vec![];
        for profile in Profile::all() {
            let (from, to) = (from.sets(profile), to.sets(profile));
            if from == to {
                continue;
            }
            of_profile.clear();
            for (sets, sign) in [(to, 1), (from, -1)] {
                for &(set, weight) in sets {
                    if i32::from(weight) % DIGIT != 0 {
                        return None;
                    }
                    add(&mut of_profile, set, sign * i32::from(weight) / DIGIT);
                }
            }
            changes.push(profile, of_profile.iter().copied());
        }
        Some(changes.finish())
    }

    /// Returns a profile's set hands and their weights.
    pub(super) fn of(&self, profile: usize) -> &[(SetHand, i8)] {
        &self.sets[self.starts[profile] as usize..self.starts[profile + 1] as usize]
    }

    /// Subtracts the set hands for `other` from the set hands for `profile` and writes the nonzero differences to
    /// `changes`.
    pub(super) fn changes(&self, profile: usize, other: usize, changes: &mut Vec<(SetHand, i16)>) {
        changes.clear();
        for &(set, weight) in self.of(profile) {
            add(changes, set, i16::from(weight));
        }
        for &(set, weight) in self.of(other) {
            add(changes, set, -i16::from(weight));
        }
        changes.retain(|&(_, weight)| weight != 0);
    }

    /// Returns the total weight per profile.
    pub(super) fn weight(&self) -> i32 {
        self.weight
    }

    /// Converts every set hand, and drops the ones for which `convert` returns `None`.
    pub(super) fn map_sets(&self, convert: impl Fn(Profile, SetHand) -> Option<SetHand>) -> WeightedTable {
        let mut converted = WeightedTable::new(self.weight);
        for profile in Profile::all() {
            let sets = self.of(profile.index()).iter();
            converted.push(sets.filter_map(|&(set, weight)| Some((convert(profile, set)?, i32::from(weight)))));
        }
        converted
    }
}

fn add<W: Copy + std::ops::AddAssign>(sets: &mut Vec<(SetHand, W)>, set: SetHand, weight: W) {
    match sets.iter_mut().find(|(other, _)| *other == set) {
        Some((_, sum)) => *sum += weight,
        None => sets.push((set, weight)),
    }
}

/// A builder for tables with signed weights that total 0. To avoid overflow, a new table is started whenever sums over
/// a table's hands might no longer fit in an `i32`.
#[derive(Default)]
struct Signed {
    finished: Vec<WeightedTable>,
    last: Option<WeightedTable>,
    /// An upper bound for the absolute values of sums over the last table.
    sums: u64,
}

impl Signed {
    fn push(&mut self, profile: Profile, sets: impl Iterator<Item = (SetHand, i32)> + Clone) {
        let positive: u64 = sets.clone().map(|(_, weight)| weight.max(0) as u64).sum();
        if positive == 0 {
            return;
        }
        let sums = positive * Profiles::get().hands(profile);
        if self.sums + sums >= SIGNED_SUMS {
            self.finished.extend(self.last.take());
            self.sums = 0;
        }
        self.sums += sums;
        let table = self.last.get_or_insert_with(|| WeightedTable::new(0));
        table.skip_to(profile.index());
        table.push(sets);
    }

    fn finish(self) -> Vec<WeightedTable> {
        let mut tables: Vec<WeightedTable> = self.finished.into_iter().chain(self.last).collect();
        tables.iter_mut().for_each(|table| table.skip_to(PROFILES));
        tables
    }
}
