//! Computes how much each play loses on every group of hands.

use super::choices::{Choices, Groups, SettingGains, Settings};
use super::vocabulary::Play;
use crate::pai_gow::equilibrium::Actions;
use crate::pai_gow::outcomes::BANKER_HANDS;
use houseway_env::cards::profile::Profile;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// The loss that marks a group of hands for which a play fits no setting.
pub(super) const NO_PLAY: i64 = i64::MAX;

/// Everything the search knows about a game, namely the loss of every play for every group of hands.
pub struct Space {
    /// The plays and their settings.
    pub choices: Arc<Choices>,
    /// The losses for each [`Shape`](houseway_env::pai_gow::house_way::Shape).
    pub shapes: Vec<ShapeSpace>,
    /// The amount by which the best response beats the best setting for every profile, in units of loss. A best
    /// response can be better because it also sees the suits that profiles ignore.
    pub within_profiles: i64,
}

/// The losses of all plays on hands with one shape.
pub struct ShapeSpace {
    /// The groups of hands.
    pub groups: Arc<Groups>,
    /// Each play's losses by group relative to the best setting for each profile, in millionths of a stake summed over
    /// hands. Empty if the play fits no hand of the shape or does the same as an earlier play.
    pub losses: Vec<Vec<i64>>,
    /// For each play, the first play that does the same on this shape.
    pub same_as: Vec<usize>,
    /// The loss if every group uses its best play.
    pub floor: i64,
    /// The first play with these losses.
    known: HashMap<Vec<i64>, usize>,
}

impl Space {
    /// Computes the losses of all plays against one opponent.
    pub fn new(choices: &Arc<Choices>, actions: &Actions, gains: &SettingGains) -> Space {
        let best = best_gains(actions, gains);
        let losses = |settings: &Settings| -> Vec<i64> {
            let loss = |profile: Profile| match settings[profile.index()] {
                None => NO_PLAY,
                Some(place) => {
                    let action = actions.range(profile).start + usize::from(place);
                    units(best[profile.index()] - gains.of_actions[action])
                }
            };
            Profile::all().map(loss).collect()
        };
        let [plays, sheet] = [&choices.settings, &choices.sheet]
            .map(|settings| settings.par_iter().map(losses).collect::<Vec<Vec<i64>>>());
        let shape = |groups: &Arc<Groups>| {
            let sums = |losses: &Vec<i64>| {
                let mut sums = vec![0; groups.count()];
                for &(profile, group) in &groups.profiles {
                    match losses[profile.index()] {
                        NO_PLAY => sums[group] = NO_PLAY,
                        loss => sums[group] += loss,
                    }
                }
                sums
            };
            ShapeSpace::new(choices, groups, plays.iter().map(sums), sheet.iter().map(sums))
        };
        let shapes = choices.shapes.par_iter().map(shape).collect();
        let all_best: i128 = best.iter().map(|&gain| i128::from(gain)).sum();
        let within = (gains.best - all_best) / i128::from(BANKER_HANDS);
        Space { choices: choices.clone(), shapes, within_profiles: within as i64 }
    }

    /// Returns the weighted mean of the losses against several opponents.
    ///
    /// # Panics
    /// Panics if there are no spaces or if they don't share the same choices.
    pub fn mean(spaces: &[Space], weights: &[i64]) -> Space {
        let choices = &spaces[0].choices;
        assert!(
            spaces.iter().all(|space| Arc::ptr_eq(&space.choices, choices)),
            "all spaces must share the same choices"
        );
        let sum: i128 = weights.iter().map(|&weight| i128::from(weight)).sum();
        let mean = |values: &mut dyn Iterator<Item = i64>| {
            let total: i128 = values.zip(weights).map(|(value, &weight)| i128::from(value) * i128::from(weight)).sum();
            ((total + sum / 2).div_euclid(sum)) as i64
        };
        let shape = |(i, groups): (usize, &Arc<Groups>)| {
            let losses = |play: usize| {
                let own: Vec<&[i64]> = spaces.iter().map(|space| space.shapes[i].losses(play)).collect();
                let loss = |group: usize| match own[0].get(group) {
                    None | Some(&NO_PLAY) => NO_PLAY,
                    Some(_) => mean(&mut own.iter().map(|losses| losses[group])),
                };
                (0..groups.count()).map(loss).collect::<Vec<i64>>()
            };
            let plays = choices.plays.len();
            let sheet = (plays..plays + choices.sheet.len()).map(losses);
            ShapeSpace::new(choices, groups, (0..choices.settings.len()).map(losses), sheet)
        };
        let shapes = choices.shapes.par_iter().enumerate().map(shape).collect();
        let within_profiles = mean(&mut spaces.iter().map(|space| space.within_profiles));
        Space { choices: choices.clone(), shapes, within_profiles }
    }

    /// Returns the plays in the vocabulary.
    pub fn plays(&self) -> &[Play] {
        &self.choices.plays
    }

    /// Returns the index of the sheet rule that a play represents, or `None` for a play in the vocabulary.
    pub fn sheet_rule(&self, play: usize) -> Option<usize> {
        play.checked_sub(self.plays().len())
    }
}

impl Space {
    /// Returns the loss if every hand uses its best play. No list can do better than this.
    pub fn floor(&self) -> i64 {
        self.within_profiles + self.shapes.iter().map(|shape| shape.floor).sum::<i64>()
    }

    /// Returns the number of bounds in a play. Bounds in sheet rules aren't counted.
    pub fn bounds(&self, play: usize) -> usize {
        self.plays().get(play).map_or(0, Play::bounds)
    }

    /// Returns lower bounds on the losses of all lists made from the vocabulary. No list with `i + 1` rules loses less
    /// than entry `i`, whatever its conditions are.
    ///
    /// If a list has a single rule, the rule must fit all hands. For a longer list, the bound assumes that the list has
    /// every play that fits all hands, plus one play for each of its rules, and that every hand uses the best of these
    /// plays. The loss reduction is a submodular function of the set of plays. For any given set, adding the greatest
    /// reductions from single additional plays to the set's own reduction therefore gives a bound for all sets of that
    /// size (Nemhauser, Wolsey and Fisher 1978).
    pub fn bounds_by_rules(&self, max: usize) -> Vec<i64> {
        let plays = self.plays().len();
        let universal: Vec<usize> = (0..plays).filter(|&play| self.is_universal(play)).collect();
        let min_losses = |shape: &ShapeSpace| -> Vec<i64> {
            let least = |i: usize| universal.iter().map(|&play| shape.losses(play)[i]).min().unwrap_or(i64::MAX);
            (0..shape.groups.count()).map(least).collect()
        };
        let mut loss: Vec<Vec<i64>> = self.shapes.iter().map(min_losses).collect();
        let mut bounds = vec![i64::MIN; max];
        for _ in 0..max {
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
            for (i, bound) in bounds.iter_mut().enumerate() {
                let further = if i == 0 { 0 } else { i + 1 };
                *bound = (*bound).max(total - sorted.iter().take(further).sum::<i64>());
            }
            let best = (0..plays).max_by_key(|&play| (gains[play], plays - play)).expect("there is at least one play");
            for (shape, loss) in self.shapes.iter().zip(&mut loss) {
                shape.losses(best).iter().zip(loss).for_each(|(&a, b)| *b = a.min(*b));
            }
        }
        bounds.into_iter().map(|bound| bound.max(0)).collect()
    }

    /// Returns `true` if a play fits at least one setting of every hand.
    pub fn is_universal(&self, play: usize) -> bool {
        self.shapes.iter().all(|shape| {
            let losses = shape.losses(play);
            !losses.is_empty() && !losses.contains(&NO_PLAY)
        })
    }
}

/// Returns the gain of each profile's best setting.
fn best_gains(actions: &Actions, gains: &SettingGains) -> Vec<i64> {
    let best = |profile: Profile| gains.of_actions[actions.range(profile)].iter().copied().max();
    Profile::all().map(|profile| best(profile).expect("every hand has a legal setting")).collect()
}

/// Converts a gain summed over a profile's deals to millionths of a stake summed over its hands, rounding to nearest.
fn units(gain: i64) -> i64 {
    (gain + BANKER_HANDS as i64 / 2) / BANKER_HANDS as i64
}

impl ShapeSpace {
    /// Collects the losses by group for the plays with one filter and for the rules of a sheet.
    fn new(
        choices: &Choices,
        groups: &Arc<Groups>,
        plays: impl Iterator<Item = Vec<i64>>,
        sheet: impl Iterator<Item = Vec<i64>>,
    ) -> ShapeSpace {
        let mut shape = ShapeSpace {
            groups: groups.clone(),
            losses: Vec::new(),
            same_as: Vec::new(),
            floor: 0,
            known: HashMap::new(),
        };
        plays.for_each(|losses| shape.add(losses));
        choices.pairs.iter().for_each(|&(first, second)| shape.add_pair(first, second));
        shape.known = HashMap::new();
        let own = &shape.losses;
        let least = |i: usize| own.iter().filter(|it| !it.is_empty()).map(|it| it[i]).min().unwrap_or(0);
        shape.floor = (0..groups.count()).map(least).sum();
        for losses in sheet {
            let fits = losses.iter().any(|&loss| loss != NO_PLAY);
            shape.same_as.push(shape.losses.len());
            shape.losses.push(if fits { losses } else { Vec::new() });
        }
        shape
    }

    fn add(&mut self, losses: Vec<i64>) {
        let play = self.losses.len();
        let fits = losses.iter().any(|&loss| loss != NO_PLAY);
        let first = if fits { *self.known.entry(losses.clone()).or_insert(play) } else { play };
        self.same_as.push(first);
        self.losses.push(if first == play && fits { losses } else { Vec::new() });
    }

    /// Adds a play that uses `second` where `first` fits no setting.
    fn add_pair(&mut self, first: usize, second: usize) {
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

    /// Returns the losses of a play by group. Empty if it fits no hand.
    pub fn losses(&self, play: usize) -> &[i64] {
        &self.losses[self.same_as[play]]
    }
}
