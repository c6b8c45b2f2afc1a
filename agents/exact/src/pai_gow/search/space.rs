//! Losses of all plays on all profiles, by shape.

use super::condition::{Quantity, Ranges};
use super::gains::{SettingGains, Slots};
use super::vocabulary::{Play, plays, ways};
use super::words::Word;
use crate::pai_gow::BANKER_HANDS;
use houseway_env::cards::profile::Profile;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HandParts, Shape};
use rayon::prelude::*;
use std::collections::HashMap;

/// Marker for a play that fits no setting.
pub(super) const NO_PLAY: i64 = i64::MAX;

/// Everything that the search knows of a game: the EVs of the plays on every profile.
pub struct Space {
    /// The plays.
    pub plays: Vec<Play>,
    /// By [`Shape`].
    pub shapes: Vec<ShapeSpace>,
    /// Gain of the best setting of every profile less that of the best response to the suits, in units of loss.
    pub within_profiles: i64,
}

/// The profiles of one shape.
pub struct ShapeSpace {
    /// The shape.
    pub shape: Shape,
    /// The profiles.
    pub profiles: Vec<Profile>,
    /// Index of the cell of each profile: hands of a cell have equal quantities.
    pub cell: Vec<u32>,
    /// Values of the quantities of [`Quantity::of_shape`] by cell.
    pub cells: Vec<Vec<u8>>,
    /// Indices of the quantities that conditions may bound.
    pub axes: Vec<usize>,
    /// By play: losses by profile, compared with the best setting of the profile, in millionths of a stake times hands.
    /// Empty if the play fits no hand of the shape or does the same as an earlier play.
    pub losses: Vec<Vec<i64>>,
    /// For each play the first play that does the same on this shape.
    pub same_as: Vec<usize>,
    /// Sum over all profiles of the least loss over the plays.
    pub floor: i64,
    known: HashMap<u64, Vec<usize>>,
}

impl Space {
    /// Computes the losses of all plays that need no other words than these.
    pub fn new(game: &Game, slots: &Slots, gains: &SettingGains, words: &[Word]) -> Space {
        let best = best_gains(slots, gains);
        let profiles: Vec<Profile> = Profile::all().collect();
        let parts: Vec<HandParts> =
            profiles.into_par_iter().map(|profile| HandParts::of_profile(game, profile)).collect();
        let mut shapes: Vec<ShapeSpace> =
            Shape::ALL.into_par_iter().map(|shape| ShapeSpace::new(shape, &parts, words)).collect();
        let (basic, lists): (Vec<Play>, Vec<Play>) =
            plays(words).into_iter().partition(|play| play.parts().1.is_none());
        for way in ways(&basic) {
            let choices = way.choices(game);
            let rules = choices[0].len();
            let losses: Vec<Vec<i64>> = (0..rules)
                .into_par_iter()
                .map(|rule| {
                    let loss = |profile: Profile| match choices[profile.index()][rule] {
                        None => NO_PLAY,
                        Some(set) => units(best[profile.index()] - gains.get(profile, slots.slot(profile, set))),
                    };
                    Profile::all().map(loss).collect()
                })
                .collect();
            shapes.par_iter_mut().for_each(|shape| {
                for losses in &losses {
                    let own = shape.profiles.iter().map(|profile| losses[profile.index()]).collect();
                    shape.add(own);
                }
            });
        }
        let place = |play: Play| basic.iter().position(|it| *it == play).expect("a basic play");
        let parts: Vec<(usize, usize)> = lists
            .iter()
            .map(|play| {
                let (first, second) = play.parts();
                (place(first), place(second.expect("a list has two parts")))
            })
            .collect();
        shapes.par_iter_mut().for_each(|shape| parts.iter().for_each(|&(first, second)| shape.add_list(first, second)));
        let plays = [basic, lists].concat();
        shapes.iter_mut().for_each(ShapeSpace::finish);
        let all_best: i128 = best.iter().map(|&gain| i128::from(gain)).sum();
        let within = (gains.best() - all_best) / i128::from(BANKER_HANDS);
        Space { plays, shapes, within_profiles: within as i64 }
    }
}

impl Space {
    /// Loss of the best play for each hand: no list loses less.
    pub fn floor(&self) -> i64 {
        self.within_profiles + self.shapes.iter().map(|shape| shape.floor).sum::<i64>()
    }

    /// Number of bounds of a play; rules of a sheet have none that count.
    pub fn bounds(&self, play: usize) -> usize {
        self.plays.get(play).map_or(0, Play::bounds)
    }

    /// Returns a bound on the loss of every list of `rules` rules with these plays, whatever their conditions are.
    ///
    /// A list is granted every play that fits all hands, as its last rule, and `rules - 1` further plays, each wherever it is
    /// better. The reduction of the loss is a submodular function of the set of plays, so that for any set the reduction by
    /// the set and the greatest reductions by single further plays bound that of every set of the size (Nemhauser, Wolsey
    /// and Fisher 1978).
    pub fn bounds_by_rules(&self, most: usize) -> Vec<i64> {
        let plays = self.plays.len();
        let universal: Vec<usize> = (0..plays).filter(|&play| self.is_universal(play)).collect();
        let least_losses = |shape: &ShapeSpace| -> Vec<i64> {
            let least = |i: usize| universal.iter().map(|&play| shape.losses(play)[i]).min().unwrap_or(i64::MAX);
            (0..shape.profiles.len()).map(least).collect()
        };
        let mut loss: Vec<Vec<i64>> = self.shapes.iter().map(least_losses).collect();
        let mut bounds = vec![i64::MIN; most];
        for _ in 0..most {
            let total: i64 = self.within_profiles + loss.iter().flatten().sum::<i64>();
            let by_shape: Vec<Vec<i64>> = self
                .shapes
                .par_iter()
                .zip(&loss)
                .map(|(shape, loss)| {
                    let gain = |own: &Vec<i64>| own.iter().zip(loss).map(|(a, b)| (b - a).max(0)).sum();
                    shape.losses.iter().map(gain).collect()
                })
                .collect();
            let gain =
                |play: usize| self.shapes.iter().zip(&by_shape).map(|(shape, gains)| gains[shape.same_as[play]]).sum();
            let gains: Vec<i64> = (0..plays).map(gain).collect();
            let mut sorted = gains.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            let mut below = total;
            for (others, bound) in bounds.iter_mut().enumerate() {
                *bound = (*bound).max(below);
                below -= sorted.get(others).copied().unwrap_or(0);
            }
            let best = (0..plays).max_by_key(|&play| (gains[play], plays - play)).expect("a play");
            for (shape, loss) in self.shapes.iter().zip(&mut loss) {
                shape.losses(best).iter().zip(loss).for_each(|(&a, b)| *b = a.min(*b));
            }
        }
        bounds.into_iter().map(|bound| bound.max(0)).collect()
    }

    /// Returns `true` if a play fits some setting of every hand.
    pub fn is_universal(&self, play: usize) -> bool {
        self.shapes.iter().all(|shape| {
            let losses = shape.losses(play);
            !losses.is_empty() && !losses.contains(&NO_PLAY)
        })
    }
}

/// Gain of the best setting of every profile.
pub(super) fn best_gains(slots: &Slots, gains: &SettingGains) -> Vec<i64> {
    let best = |profile: Profile| slots.get(profile).iter().map(|&(slot, _)| gains.get(profile, slot)).max();
    Profile::all().map(|profile| best(profile).expect("a legal setting")).collect()
}

/// Rounds a gain over all deals of a profile to millionths of a stake times hands.
pub(super) fn units(gain: i64) -> i64 {
    (gain + BANKER_HANDS as i64 / 2) / BANKER_HANDS as i64
}

impl ShapeSpace {
    fn new(shape: Shape, parts: &[HandParts], words: &[Word]) -> ShapeSpace {
        let profiles: Vec<Profile> = Profile::all().filter(|profile| parts[profile.index()].shape == shape).collect();
        let quantities = Quantity::of_shape(shape);
        let mut index: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut cells = Vec::new();
        let cell = |profile: &Profile| {
            let parts = &parts[profile.index()];
            let values: Vec<u8> =
                quantities.iter().map(|it| it.value(parts).expect("a quantity of the shape")).collect();
            *index.entry(values.clone()).or_insert_with(|| {
                cells.push(values);
                cells.len() as u32 - 1
            })
        };
        let cell: Vec<u32> = profiles.iter().map(cell).collect();
        let is_allowed = |it: &Quantity| it.word().is_none_or(|word| words.contains(&word));
        let axes = (0..quantities.len()).filter(|&axis| is_allowed(&quantities[axis])).collect();
        ShapeSpace {
            axes,
            shape,
            profiles,
            cell,
            cells,
            losses: Vec::new(),
            same_as: Vec::new(),
            floor: 0,
            known: HashMap::new(),
        }
    }

    fn add(&mut self, losses: Vec<i64>) {
        use std::hash::{Hash, Hasher};
        let mut hasher = std::hash::DefaultHasher::new();
        losses.hash(&mut hasher);
        let play = self.losses.len();
        let fits = losses.iter().any(|&loss| loss != NO_PLAY);
        let known = self.known.entry(hasher.finish()).or_default();
        let first = known.iter().copied().find(|&other| self.losses[other] == losses).unwrap_or(play);
        if first == play && fits {
            known.push(play);
        }
        self.same_as.push(first);
        self.losses.push(if first == play && fits { losses } else { Vec::new() });
    }

    /// Adds a play that is another one where the first fits no setting.
    fn add_list(&mut self, first: usize, second: usize) {
        let [first, second] = [first, second].map(|play| self.same_as[play]);
        let fits = |play: usize| !self.losses[play].is_empty();
        let same = match (fits(first), fits(second)) {
            (false, _) => Some(second),
            (true, false) => Some(first),
            _ if !self.losses[first].contains(&NO_PLAY) => Some(first),
            _ => None,
        };
        match same {
            Some(same) => {
                self.same_as.push(same);
                self.losses.push(Vec::new());
            }
            None => {
                let both = self.losses[first].iter().zip(&self.losses[second]);
                let losses = both.map(|(&a, &b)| if a == NO_PLAY { b } else { a }).collect();
                self.add(losses);
            }
        }
    }

    fn finish(&mut self) {
        self.known = HashMap::new();
        let own = &self.losses;
        let least = |i: usize| own.iter().filter(|it| !it.is_empty()).map(|it| it[i]).min().unwrap_or(0);
        self.floor = (0..self.profiles.len()).map(least).sum();
    }

    /// Losses of a play by profile; empty if it fits no hand.
    pub fn losses(&self, play: usize) -> &[i64] {
        &self.losses[self.same_as[play]]
    }

    /// Returns for every cell whether ranges contain it.
    ///
    /// # Panics
    /// If a quantity is not one of the shape.
    pub fn within(&self, ranges: &Ranges) -> Vec<bool> {
        let quantities = Quantity::of_shape(self.shape);
        let axis = |of: Quantity| quantities.iter().position(|it| *it == of).expect("a quantity of the shape");
        let axes: Vec<(usize, u8, u8)> = ranges.0.iter().map(|range| (axis(range.of), range.low, range.high)).collect();
        let is_within = |cell: &Vec<u8>| axes.iter().all(|&(axis, low, high)| (low..=high).contains(&cell[axis]));
        self.cells.iter().map(is_within).collect()
    }
}
