//! Computes the settings that plays choose for every profile, and groups hands that no rule can tell apart.

use super::condition::{Quantity, Ranges};
use super::gains::Slots;
use super::vocabulary::{Play, plays, ways};
use super::words::Word;
use houseway_env::cards::profile::Profile;
use houseway_env::pai_gow::house_way::{HandParts, Shape, Way};
use houseway_env::pai_gow::{Game, SetHand, Setting};
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

/// One entry per profile. `None` marks profiles where the play fits no setting.
pub(super) type Settings = Vec<Option<Setting>>;

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
    pub fn new(game: &Game, slots: &Slots, words: &[Word], sheet: Option<&Way>) -> Choices {
        let (single, double): (Vec<Play>, Vec<Play>) =
            plays(words).into_iter().partition(|play| play.parts().1.is_none());
        let place = |play: Play| single.iter().position(|it| *it == play).expect("every filter is also a play");
        let pair = |play: &Play| {
            let (first, second) = play.parts();
            (place(first), place(second.expect("these plays have two filters")))
        };
        let pairs = double.iter().map(pair).collect();
        let settings: Vec<Settings> = ways(&single).iter().flat_map(|way| by_rule(slots, way.choices(game))).collect();
        let sheet: Vec<Settings> = sheet.into_iter().flat_map(|sheet| by_rule(slots, sheet.settings(game))).collect();
        let profiles: Vec<Profile> = Profile::all().collect();
        let parts: Vec<HandParts> =
            profiles.into_par_iter().map(|profile| HandParts::of_profile(game, profile)).collect();
        let fits = |profile: Profile| settings.iter().chain(&sheet).map(|it| it[profile.index()].is_some()).collect();
        let shapes =
            Shape::ALL.into_par_iter().map(|shape| Arc::new(Groups::new(shape, &parts, words, fits))).collect();
        Choices { plays: [single, double].concat(), pairs, settings, sheet, shapes }
    }
}

/// Returns the settings chosen by each rule, given the set hands for each profile.
fn by_rule(slots: &Slots, choices: Vec<Vec<Option<SetHand>>>) -> Vec<Settings> {
    let setting = |profile: Profile, rule: usize| Some(slots.slot(profile, choices[profile.index()][rule]?));
    let rule = |rule: usize| Profile::all().map(|profile| setting(profile, rule)).collect();
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
    pub fn within(&self, ranges: &Ranges) -> Vec<bool> {
        let quantities = Quantity::of_shape(self.shape);
        let axis = |of: Quantity| quantities.iter().position(|it| *it == of).expect("the shape has this quantity");
        let axes: Vec<(usize, u8, u8)> = ranges.0.iter().map(|range| (axis(range.of), range.low, range.high)).collect();
        let is_within = |cell: &Vec<u8>| axes.iter().all(|&(axis, low, high)| (low..=high).contains(&cell[axis]));
        self.cells.iter().map(is_within).collect()
    }
}
