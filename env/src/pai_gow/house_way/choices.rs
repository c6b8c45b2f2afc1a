//! The settings chosen by individual rules on every profile, and the hand features that conditions refer to.

use super::file::Way;
use super::rule::Rule;
use super::situation::HandFeatures;
use super::words::{Part, Place, Position, Shape};
use crate::cards::Rank;
use crate::cards::profile::Profile;
use crate::pai_gow::{Game, Hand, SetHand};
use rayon::prelude::*;

/// The features of a hand that rule conditions can refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandParts {
    /// The hand's shape.
    pub shape: Shape,
    /// The rank of each part, indexed by [`Part`], or `None` if the hand doesn't have the part. For singles, this is
    /// the highest single's rank.
    pub ranks: [Option<Rank>; Part::ALL.len()],
    /// The ranks of all singles in descending order.
    pub singles: Vec<Rank>,
}

impl HandParts {
    /// Returns the features shared by all hands with the given profile.
    pub fn of_profile(game: &Game, profile: Profile) -> HandParts {
        let features = HandFeatures::new(game, Hand::representative(profile));
        let rank = |place: Place| features.rank_of(place).map(|rank| Rank::from_index(rank.into()));
        HandParts {
            shape: features.shape,
            ranks: Part::ALL.map(|part| rank(Place::part(part))),
            singles: (0..Position::ALL.len()).map_while(|nth| rank(Place::single(nth))).collect(),
        }
    }
}

impl Way {
    /// For each profile, returns the set hands that the active rules would choose, even if their conditions don't hold.
    /// Profiles are in [`Profile::index`] order. An entry is `None` if no legal setting fits the rule's play.
    pub fn choices(&self, game: &Game) -> Vec<Vec<Option<SetHand>>> {
        self.by_profile(game, |_, _| true)
    }

    /// For each profile, returns the set hand that each active rule would choose if it were the only rule. An entry is
    /// `None` if the rule's condition doesn't hold or if no legal setting fits its play.
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
            let features = HandFeatures::new(game, Hand::representative(profile));
            let made = |rule: &&Rule| {
                let setting = applies(rule, &features).then(|| rule.choose(&features))?;
                setting.map(|setting| features.made[setting.index()])
            };
            rules.iter().map(made).collect()
        };
        profiles.into_par_iter().map(choose).collect()
    }
}
