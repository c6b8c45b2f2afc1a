//! The choices of a search: the settings that plays choose for every profile and their EVs, the groups of hands that
//! no rule can tell apart, and the box of ranges with the best total gain over them.
//!
//! The search for boxes is exact. It covers all boxes in up to three quantities, using prefix sums.

use super::list::{Quantity, Range, Word};
use super::vocabulary::{Play, plays, ways};
use crate::pai_gow::equilibrium::{ActionSums, Actions};
use crate::pai_gow::outcomes::Payoff;
use crate::pai_gow::whole::{ClassCounts, Pass, Run};
use crate::solver::{Cancelled, Control};
use houseway_env::cards::profile::Profile;
use houseway_env::pai_gow::house_way::{HandParts, Shape, Way};
use houseway_env::pai_gow::{Game, SetHand};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// All plays from a vocabulary and a sheet's rules, along with the settings they choose.
pub struct Choices {
    /// The plays in the vocabulary. Plays with one filter come before plays with two.
    pub(super) plays: Vec<Play>,
    /// For each play with two filters, the indices of the plays for its filters.
    pub(super) pairs: Vec<(usize, usize)>,
    /// For each play with one filter, the settings it chooses.
    pub(super) settings: Vec<Settings>,
    /// For each rule of the sheet, the settings it chooses.
    pub(super) sheet: Vec<Settings>,
    /// The groups of hands, indexed by [`Shape`].
    pub(super) shapes: Vec<Arc<Groups>>,
}

/// The place of the chosen set hand among the profile's [`Actions`], with one entry per profile. `None` marks profiles where
/// the play fits no setting.
pub(super) type Settings = Vec<Option<u8>>;

/// The hands of one shape, divided into groups that no rule can tell apart. All hands in a group have equal quantities
/// and are fitted by the same plays. Any list sets all of them with the same rule, so only sums over groups matter.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The shape.
    pub shape: Shape,
    /// The index of each group's cell. All hands in a cell have equal quantities.
    pub cell: Vec<u32>,
    /// The values of the [`Quantity::of_shape`] quantities for each cell.
    pub cells: Vec<Vec<u8>>,
    /// The quantities that conditions may bound.
    pub axes: Vec<Axis>,
    /// The profiles and their group indices.
    pub(super) profiles: Vec<(Profile, usize)>,
}

/// A quantity and the range of values it takes for a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The index in [`Quantity::of_shape`].
    pub quantity: usize,
    /// The lowest value.
    pub low: u8,
    /// The number of values between the lowest and the highest, inclusive.
    pub size: usize,
}

impl Choices {
    /// Sets every profile with all plays that use only the given words, and with the rules of a sheet.
    ///
    /// # Errors
    /// Returns an error if the computation was canceled.
    pub fn new(
        game: &Game,
        actions: &Actions,
        words: &[Word],
        sheet: Option<&Way>,
        control: &Control<'_>,
    ) -> Result<Choices, Cancelled> {
        let (single, double): (Vec<Play>, Vec<Play>) =
            plays(words).into_iter().partition(|play| play.parts().1.is_none());
        let place = |play: Play| single.iter().position(|it| *it == play).expect("every filter is also a play");
        let pair = |play: &Play| {
            let (first, second) = play.parts();
            (place(first), place(second.expect("these plays have two filters")))
        };
        let pairs = double.iter().map(pair).collect();
        let mut settings: Vec<Settings> = vec![];
        for way in ways(&single) {
            control.check()?;
            settings.extend(by_rule(actions, way.choices(game)));
        }
        let sheet: Vec<Settings> = sheet.into_iter().flat_map(|sheet| by_rule(actions, sheet.settings(game))).collect();
        control.check()?;
        let profiles: Vec<Profile> = Profile::all().collect();
        let parts: Vec<HandParts> =
            profiles.into_par_iter().map(|profile| HandParts::of_profile(game, profile)).collect();
        let fits = |profile: Profile| settings.iter().chain(&sheet).map(|it| it[profile.index()].is_some()).collect();
        let shapes =
            Shape::ALL.into_par_iter().map(|shape| Arc::new(Groups::new(shape, &parts, words, fits))).collect();
        Ok(Choices { plays: [single, double].concat(), pairs, settings, sheet, shapes })
    }
}

/// Returns the settings chosen by each rule, given the set hands for each profile.
fn by_rule(actions: &Actions, choices: Vec<Vec<Option<SetHand>>>) -> Vec<Settings> {
    let place = |profile: Profile, rule: usize| {
        let action = actions.index(profile, choices[profile.index()][rule]?);
        Some((action.expect("the set hand is legal for the profile") - actions.range(profile).start) as u8)
    };
    let rule = |rule: usize| Profile::all().map(|profile| place(profile, rule)).collect();
    (0..choices[0].len()).into_par_iter().map(rule).collect()
}

impl Groups {
    fn new(shape: Shape, parts: &[HandParts], words: &[Word], fits: impl Fn(Profile) -> Vec<bool>) -> Groups {
        let quantities = Quantity::of_shape(shape);
        let mut cell_of: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut group_of: HashMap<(u32, Vec<bool>), usize> = HashMap::new();
        let (mut cells, mut cell) = (Vec::new(), Vec::new());
        let mut group = |profile: Profile| {
            let parts = &parts[profile.index()];
            let values: Vec<u8> =
                quantities.iter().map(|it| it.value(parts).expect("the shape has this quantity")).collect();
            let own = *cell_of.entry(values.clone()).or_insert_with(|| {
                cells.push(values);
                cells.len() as u32 - 1
            });
            let group = *group_of.entry((own, fits(profile))).or_insert_with(|| {
                cell.push(own);
                cell.len() - 1
            });
            (profile, group)
        };
        let profiles = Profile::all().filter(|it| parts[it.index()].shape == shape).map(&mut group).collect();
        let is_allowed = |it: Quantity| it.word().is_none_or(|word| words.contains(&word));
        let axis = |quantity: usize| {
            let values = || cells.iter().map(|cell: &Vec<u8>| cell[quantity]);
            let (low, high) = (values().min()?, values().max()?);
            Some(Axis { quantity, low, size: usize::from(high - low) + 1 })
        };
        let axes = (0..quantities.len()).filter(|&axis| is_allowed(quantities[axis])).filter_map(axis).collect();
        Groups { shape, cell, cells, axes, profiles }
    }

    /// Returns the number of groups.
    pub fn count(&self) -> usize {
        self.cell.len()
    }

    /// Returns, for every cell, whether it lies within the given ranges.
    ///
    /// # Panics
    /// Panics if a quantity doesn't belong to the shape.
    pub fn within(&self, ranges: &[Range]) -> Vec<bool> {
        let quantities = Quantity::of_shape(self.shape);
        let axis = |of: Quantity| quantities.iter().position(|it| *it == of).expect("the shape has this quantity");
        let axes: Vec<(usize, u8, u8)> = ranges.iter().map(|range| (axis(range.of), range.low, range.high)).collect();
        let is_within = |cell: &Vec<u8>| axes.iter().all(|&(axis, low, high)| (low..=high).contains(&cell[axis]));
        self.cells.iter().map(is_within).collect()
    }
}

/// The gain of every legal set hand for every profile against one opponent, in millionths of a stake, summed over all
/// deals with the profile's hands. The total gain of a profile strategy is exactly the sum of the gains of its set hands.
pub struct SettingGains {
    /// The gain of each action.
    pub of_actions: Vec<i64>,
    /// The total gain of the best response.
    pub best: i128,
}

impl SettingGains {
    /// Evaluates all settings in one pass over all deals. This takes about 13 s on two cores.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    pub fn compute(
        whole: &Pass<'_>,
        payoff: Payoff,
        actions: &Actions,
        run: &Run<'_>,
    ) -> Result<SettingGains, Cancelled> {
        let sums = ActionSums::new(actions.all().len());
        let visit = |best: &mut i128, classes: &[ClassCounts]| {
            for class in classes {
                sums.add(actions, class);
                *best += i128::from(class.orbit) * i128::from(class.gain(class.best(payoff), payoff));
            }
        };
        let best = whole.fold(run, || 0, visit, |a, b| a + b)?;
        let of_actions = (0..sums.len()).map(|action| sums.gain(action, payoff) as i64).collect();
        Ok(SettingGains { of_actions, best })
    }
}

/// The maximum number of bounds in a rule.
pub(super) const MAX_BOUNDS: usize = 4;

/// A grid of gains with up to three axes. An unused axis has size 1.
pub(super) struct Grid {
    sizes: [usize; 3],
    /// The gains, which [`accumulate`](Grid::accumulate) replaces with prefix sums. Each axis has one extra row.
    sums: Vec<i64>,
}

/// A box, given as an inclusive range for each axis.
pub(super) type Box3 = [(u8, u8); 3];

/// The best box for each number of bounds, if it beats every box with fewer bounds.
type Best = [Option<(i64, Box3)>; MAX_BOUNDS + 1];

/// An inclusive range on one axis and its number of bounds.
#[derive(Clone, Copy)]
struct AxisRange {
    low: usize,
    high: usize,
    bounds: usize,
}

impl Grid {
    /// Creates a grid without gains.
    pub(super) fn new(sizes: [usize; 3]) -> Grid {
        Grid { sizes, sums: vec![0; sizes.iter().map(|size| size + 1).product()] }
    }

    fn at(&self, a: usize, b: usize, c: usize) -> usize {
        (a * (self.sizes[1] + 1) + b) * (self.sizes[2] + 1) + c
    }

    /// Adds a gain to a cell.
    pub(super) fn add(&mut self, cell: [u8; 3], gain: i64) {
        let place = self.at(cell[0] as usize + 1, cell[1] as usize + 1, cell[2] as usize + 1);
        self.sums[place] += gain;
    }

    /// Returns the sum of all positive gains. No box can gain more than this.
    pub(super) fn potential(&self) -> i64 {
        self.sums.iter().filter(|&&gain| gain > 0).sum()
    }

    /// Returns a copy that contains only the positive gains.
    fn positive(&self) -> Grid {
        Grid { sizes: self.sizes, sums: self.sums.iter().map(|&gain| gain.max(0)).collect() }
    }

    /// Replaces the gains with prefix sums. Must be called once, after all gains have been added.
    fn accumulate(&mut self) {
        let [a, b, c] = self.sizes;
        for x in 1..=a {
            for y in 1..=b {
                let [here, left, up, both] =
                    [(x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1)].map(|(x, y)| self.at(x, y, 0));
                let mut row = 0;
                for z in 1..=c {
                    row += self.sums[here + z];
                    self.sums[here + z] = row + self.sums[left + z] + self.sums[up + z] - self.sums[both + z];
                }
            }
        }
    }

    /// Returns the sum over the cells within `a` and `b` on the first two axes and below `c` on the last axis, from the
    /// prefix sums at the four corners of the rectangle.
    fn below(&self, a: AxisRange, b: AxisRange, c: usize) -> i64 {
        let sum = |a: usize, b: usize| self.sums[self.at(a, b, c)];
        sum(a.high + 1, b.high + 1) - sum(a.low, b.high + 1) - sum(a.high + 1, b.low) + sum(a.low, b.low)
    }

    /// Returns the best box with a positive gain for each number of bounds from 0 to `max`.
    pub(super) fn best(mut self, max: usize) -> Best {
        let mut positive = self.positive();
        positive.accumulate();
        self.accumulate();
        let mut best = BestBoxes::default();
        let [by_bounds_a, by_bounds_b] = [self.sizes[0], self.sizes[1]].map(ranges_by_bounds);
        // Try boxes with fewer bounds first. Such boxes cover more cells, so their gains rule out most of the rest.
        for used in 0..=max {
            for (bounds_a, ranges_a) in by_bounds_a.iter().enumerate().take(used + 1) {
                let Some(ranges_b) = by_bounds_b.get(used - bounds_a) else { continue };
                for &a in ranges_a {
                    for &b in ranges_b {
                        if positive.below(a, b, self.sizes[2]) > best.least[used] {
                            self.best_on_last(a, b, max, &mut best);
                        }
                    }
                }
            }
        }
        best.finish()
    }

    /// Tries all ranges on the last axis in one pass, given those on the first two. A range is the difference of two
    /// prefix sums, so the best one up to `z` starts at the lowest prefix sum so far.
    fn best_on_last(&self, a: AxisRange, b: AxisRange, max: usize, best: &mut BestBoxes) {
        let size = self.sizes[2];
        let used = a.bounds + b.bounds;
        let planes = [(a.high + 1, b.high + 1), (a.low, b.high + 1), (a.high + 1, b.low), (a.low, b.low)]
            .map(|(a, b)| &self.sums[self.at(a, b, 0)..][..=size]);
        let below = |z: usize| planes[0][z] - planes[1][z] - planes[2][z] + planes[3][z];
        let sides = [(a.low as u8, a.high as u8), (b.low as u8, b.high as u8)];
        let mut put = |bounds: usize, gain: i64, low: usize, high: usize| {
            if used + bounds <= max {
                best.put(used + bounds, gain, [sides[0], sides[1], (low as u8, high as u8)]);
            }
        };
        let all = below(size);
        put(0, all, 0, size - 1);
        let mut lowest = None;
        for z in 1..size {
            let sum = below(z);
            // Try everything below z, everything from z on, and the range from the lowest prefix sum to z.
            put(1, sum, 0, z - 1);
            put(1, all - sum, z, size - 1);
            if let Some((least, from)) = lowest {
                put(2, sum - least, from, z - 1);
            }
            if lowest.is_none_or(|(least, _)| sum < least) {
                lowest = Some((sum, z));
            }
        }
    }
}

/// The best boxes found during a search.
#[derive(Default)]
struct BestBoxes {
    best: Best,
    /// The best gain with at most this many bounds, or zero.
    least: [i64; MAX_BOUNDS + 1],
}

impl BestBoxes {
    fn put(&mut self, bounds: usize, gain: i64, found: Box3) {
        if gain > self.least[bounds] {
            self.best[bounds] = Some((gain, found));
            self.least[bounds..].iter_mut().for_each(|least| *least = gain.max(*least));
        }
    }

    /// Drops boxes whose gain doesn't exceed the gain of a box with fewer bounds. Such a box may have been found later.
    fn finish(mut self) -> Best {
        let mut least = 0;
        for best in &mut self.best {
            *best = best.filter(|best| best.0 > least);
            least = best.map_or(least, |best| best.0);
        }
        self.best
    }
}

/// Returns all ranges on an axis, grouped by their number of bounds.
fn ranges_by_bounds(size: usize) -> [Vec<AxisRange>; 3] {
    let mut all: [Vec<AxisRange>; 3] = Default::default();
    for low in 0..size {
        for high in low..size {
            let bounds = usize::from(low > 0) + usize::from(high + 1 < size);
            all[bounds].push(AxisRange { low, high, bounds });
        }
    }
    all
}
