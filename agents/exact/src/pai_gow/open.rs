//! The outcomes for a player who sees the banker's set hand before setting their own.
//!
//! The player wins if one of their settings beats both of the banker's halves, and only loses if no setting beats
//! either half. The banker hands that lose to some setting form a staircase. Each undominated setting is a step that
//! consists of the hands with a lower back and a lower front. To count the union of the steps, add up their sizes and
//! subtract the overlaps of adjacent steps. All of these are counts of the hands below certain limits. Copies go to the
//! banker.

use crate::Ratio;
use houseway_env::pai_gow::SetHand;
use houseway_env::rank::{FiveStrength, TwoStrength};
use std::cmp::Reverse;

/// The outcome counts for a player who sees the banker's set hand, either for a single hand or over all deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenCounts {
    /// The number of banker hands (or deals) for which some setting beats both halves.
    pub wins: u64,
    /// The number of banker hands (or deals) for which the player can only beat one half at a time, or for which every
    /// bet pushes.
    pub pushes: u64,
    /// The number of banker hands (or deals) for which the player can't beat either half.
    pub losses: u64,
}

impl OpenCounts {
    /// Returns the total number of banker hands or deals.
    pub const fn all(&self) -> u64 {
        self.wins + self.pushes + self.losses
    }

    /// Returns the sum of two counts.
    #[must_use]
    pub const fn plus(self, more: OpenCounts) -> OpenCounts {
        OpenCounts { wins: self.wins + more.wins, pushes: self.pushes + more.pushes, losses: self.losses + more.losses }
    }

    /// Returns the player's EV per unit staked, without commission.
    ///
    /// # Panics
    /// Panics if there are no banker hands.
    pub fn ev(&self) -> Ratio {
        Ratio::new(i128::from(self.wins) - i128::from(self.losses), self.all().into())
    }
}

/// A query for the banker hands below a back, a front, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Below {
    pub(super) back: Option<FiveStrength>,
    pub(super) front: Option<TwoStrength>,
}

/// A signed sum of query results.
pub(super) type Terms = Vec<(i64, Below)>;

/// A player's undominated legal set hands, sorted by descending back. This also sorts them by ascending front.
pub(super) struct Staircase(Vec<SetHand>);

impl Staircase {
    /// Keeps the undominated set hands.
    ///
    /// # Panics
    /// Panics if there are no set hands.
    pub(super) fn new(legal: impl Iterator<Item = SetHand>) -> Staircase {
        let mut sets: Vec<SetHand> = legal.collect();
        sets.sort_unstable_by_key(|set| Reverse((set.back, set.front)));
        let mut highest = None;
        sets.retain(|set| {
            let is_higher = highest.is_none_or(|front| set.front > front);
            highest = highest.max(Some(set.front));
            is_higher
        });
        assert!(!sets.is_empty(), "every hand has a legal setting");
        Staircase(sets)
    }

    /// Returns the set hands.
    pub(super) fn sets(&self) -> &[SetHand] {
        &self.0
    }

    /// Returns the terms for the number of banker hands for which some setting beats both halves.
    pub(super) fn wins(&self) -> Terms {
        let below = |back, front| Below { back: Some(back), front: Some(front) };
        let steps = self.0.iter().map(|set| (1, below(set.back, set.front)));
        let overlaps = self.0.windows(2).map(|pair| (-1, below(pair[1].back, pair[0].front)));
        steps.chain(overlaps).collect()
    }

    /// Returns the terms for the number of banker hands for which no setting beats either half.
    pub(super) fn losses(&self) -> Terms {
        let (back, front) = (Some(self.0[0].back), self.0.last().map(|set| set.front));
        let term = |sign, back, front| (sign, Below { back, front });
        vec![term(1, None, None), term(-1, back, None), term(-1, None, front), term(1, back, front)]
    }
}
