//! Plays of rules on every profile, whether or not their conditions hold, and the features used by conditions.

use super::file::Way;
use super::rule::Rule;
use super::situation::HandFeatures;
use super::words::{Part, Place, Position, Shape};
use crate::cards::Rank;
use crate::cards::profile::{Profile, Profiles};
use crate::pai_gow::{Game, Hand, SetHand};
use rayon::prelude::*;

/// Features of a hand that rule conditions refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandParts {
    /// Shape of the hand.
    pub shape: Shape,
    /// Rank of each part present in the hand, indexed by [`Part`]; for singles, the highest rank.
    pub ranks: [Option<Rank>; Part::ALL.len()],
    /// Ranks of the singles in descending order.
    pub singles: Vec<Rank>,
}

impl HandParts {
    /// Returns the features of the hands of a profile.
    pub fn of_profile(game: &Game, profile: Profile) -> HandParts {
        let features = HandFeatures::new(game, representative(profile));
        let rank = |place: Place| features.rank_of(place).map(|rank| Rank::from_index(rank.into()));
        HandParts {
            shape: features.shape,
            ranks: Part::ALL.map(|part| rank(Place::part(part))),
            singles: (0..Position::ALL.len()).map_while(|nth| rank(Place::single(nth))).collect(),
        }
    }
}

impl Way {
    /// Returns, for every profile in the order of [`Profile::index`], the set hand that each active rule would choose
    /// regardless of its condition. It is `None` if no legal setting fits the rule's play.
    pub fn choices(&self, game: &Game) -> Vec<Vec<Option<SetHand>>> {
        self.by_profile(game, |_, _| true)
    }

    /// Returns, for every profile, the set hand that each active rule would choose if no other rule came before it. It
    /// is `None` if the rule's condition does not hold or no legal setting fits its play.
    pub fn settings(&self, game: &Game) -> Vec<Vec<Option<SetHand>>> {
        self.by_profile(game, Rule::is_for)
    }

    fn by_profile(
        &self,
        game: &Game,
        applies: impl Fn(&Rule, &HandFeatures<'_>) -> bool + Sync,
    ) -> Vec<Vec<Option<SetHand>>> {
        let (rules, _) = self.active();
        let profiles: Vec<Profile> = Profile::all().collect();
        let choose = |profile: Profile| {
            let features = HandFeatures::new(game, representative(profile));
            let made = |rule: &&Rule| {
                let setting = applies(rule, &features).then(|| rule.choose(&features))?;
                setting.map(|setting| features.made[setting.index()])
            };
            rules.iter().map(made).collect()
        };
        profiles.into_par_iter().map(choose).collect()
    }
}

fn representative(profile: Profile) -> Hand {
    Hand::from_seven(Profiles::get().representative(profile))
}
