//! What becomes of a hand if the rule that sets it is struck out.

use super::file::Way;
use super::rule::Rule;
use super::situation::Situation;
use crate::cards::profile::{Profile, Profiles};
use crate::pai_gow::{Game, Hand, SetHand};
use rayon::prelude::*;

impl Way {
    /// For every profile, in the order of [`Profile::index`]: what its hands make if the rule that sets them is struck out,
    /// so that they go to the next rule that fits; `None` if none does. A third of a second for all rules together.
    pub fn fallbacks(&self, game: &Game) -> Vec<Option<SetHand>> {
        let (rules, by_shape) = self.active();
        let profiles: Vec<Profile> = Profile::all().collect();
        profiles.into_par_iter().map(|profile| fallback(game, profile, &rules, &by_shape)).collect()
    }
}

fn fallback(game: &Game, profile: Profile, rules: &[&Rule], by_shape: &[Vec<u8>]) -> Option<SetHand> {
    let hand = Hand::new(Profiles::get().representative(profile)).expect("a representative has seven cards");
    let situation = Situation::new(game, hand);
    let fitting = by_shape[situation.shape as usize].iter().map(|&i| rules[usize::from(i)]);
    let mut choices = fitting.filter(|rule| rule.is_for(&situation)).filter_map(|rule| rule.choose(&situation));
    choices.nth(1).map(|setting| situation.made[setting.index()])
}
