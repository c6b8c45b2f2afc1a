//! Rules as conditions on a hand and filters of its legal settings.

use super::situation::{HandFeatures, SettingMask};
use super::words::{self, Place, Shape};
use crate::pai_gow::Setting;
use crate::rank::TwoStrength;

/// Filter of settings; an empty filter passes all. It depends on ranks and set hands, never on suits, and is applied
/// only to legal settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Play {
    /// Places of the two front cards, see [`Place::pair_bit`]: any of these.
    pub(super) front: Option<u128>,
    /// Minimum front.
    pub(super) front_at_least: Option<TwoStrength>,
    /// Maximum front.
    pub(super) front_at_most: Option<TwoStrength>,
    /// The front outranks that of every legal setting that this play allows.
    pub(super) front_above: Option<Box<Play>>,
    /// Bit mask of categories of the back.
    pub(super) back: Option<u16>,
    /// Bit mask of ranks of the back's first tie-breaker.
    pub(super) back_high: Option<u16>,
    /// Settings matched by any of these are excluded.
    pub(super) except: Vec<Play>,
}

impl Play {
    /// Returns the legal settings that the play allows. Each nested play is evaluated at most once for a hand, so that the
    /// cost of a file is proportional to its size.
    fn allowed(&self, hand: &HandFeatures<'_>) -> SettingMask {
        let mut allowed = hand.legal;
        if let Some(fronts) = self.front {
            allowed = allowed.filter(|setting| hand.front_places[setting.index()] & fronts != 0);
        }
        if let Some(back) = self.back {
            allowed = allowed.filter(|setting| hand.category[setting.index()] & back != 0);
        }
        if let Some(least) = self.front_at_least {
            allowed = allowed.filter(|setting| hand.front(setting) >= least);
        }
        if let Some(most) = self.front_at_most {
            allowed = allowed.filter(|setting| hand.front(setting) <= most);
        }
        if let Some(ranks) = self.back_high {
            allowed = allowed.filter(|setting| ranks >> hand.back_high(setting) & 1 == 1);
        }
        if let (Some(other), false) = (&self.front_above, allowed.is_empty()) {
            let highest = other.allowed(hand).iter().map(|setting| hand.front(setting)).max();
            allowed = allowed.filter(|setting| highest.is_none_or(|highest| hand.front(setting) > highest));
        }
        for play in &self.except {
            if allowed.is_empty() {
                break;
            }
            allowed = allowed.without(play.allowed(hand));
        }
        allowed
    }

    fn bounds(&self) -> usize {
        let fronts = [self.front_at_least, self.front_at_most];
        fronts.into_iter().flatten().count()
            + self.back_high.map_or(0, words::rank_bounds)
            + self.front_above.as_ref().map_or(0, |other| other.bounds())
            + self.except.iter().map(Play::bounds).sum::<usize>()
    }

    /// Returns `true` if an exception or a comparison is in another one, of which this play is a part if `within`.
    fn is_nested(&self, within: bool) -> bool {
        let mut others = self.front_above.as_deref().into_iter().chain(&self.except).peekable();
        within && others.peek().is_some() || others.any(|other| other.is_nested(true))
    }
}

/// Condition on a hand; all parts must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct When {
    /// Bit mask of allowed shapes by [`Shape`]; `None` for any.
    pub(super) shapes: Option<u16>,
    /// Bit masks of allowed ranks, for restricted places.
    pub(super) ranks: Vec<(Place, u16)>,
    /// Bit mask of allowed sums of the ranks of the highest and the lowest pair.
    pub(super) pair_sum: Option<u32>,
    /// Play that must match at least one legal setting.
    pub(super) possible: Option<Play>,
    /// Hands that match any of these are excluded.
    pub(super) except: Vec<When>,
}

impl When {
    fn holds(&self, hand: &HandFeatures<'_>) -> bool {
        let within = |value: Option<u8>, set: u32| value.is_some_and(|value| set >> value & 1 == 1);
        self.shapes.is_none_or(|shapes| shapes >> hand.shape as u16 & 1 == 1)
            && self.ranks.iter().all(|&(place, ranks)| within(hand.rank_of(place), ranks.into()))
            && self.pair_sum.is_none_or(|sums| within(hand.pair_sum(), sums))
            && self.possible.as_ref().is_none_or(|play| !play.allowed(hand).is_empty())
            && !self.except.iter().any(|when| when.holds(hand))
    }

    fn may_have(&self, shape: Shape) -> bool {
        self.shapes.is_none_or(|shapes| shapes >> shape as u16 & 1 == 1)
    }

    fn bounds(&self) -> usize {
        self.ranks.iter().map(|&(_, ranks)| words::rank_bounds(ranks)).sum::<usize>()
            + self.pair_sum.map_or(0, words::pair_sum_bounds)
            + self.possible.as_ref().map_or(0, Play::bounds)
            + self.except.iter().map(When::bounds).sum::<usize>()
    }

    /// Returns `true` if an exception or a comparison is in another one, of which this condition is a part if `within`,
    /// or if a comparison is in `possible`.
    fn is_nested(&self, within: bool) -> bool {
        within && !self.except.is_empty()
            || self.possible.as_ref().is_some_and(|play| play.front_above.is_some() || play.is_nested(within))
            || self.except.iter().any(|when| when.is_nested(true))
    }
}

/// Half that is maximized first among the settings that a play allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Prefer {
    #[default]
    Front,
    Back,
}

/// Rule of a house way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) line: usize,
    pub(super) readings: Vec<(String, String)>,
    pub(super) when: Vec<When>,
    pub(super) plays: Vec<Play>,
    pub(super) prefer: Prefer,
}

impl Rule {
    /// Returns the name, unique within its house way.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the wording of the rule.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the options of readings that must be selected for the rule to apply, as (reading, option).
    pub fn readings(&self) -> &[(String, String)] {
        &self.readings
    }

    /// Returns the number of bounds in its conditions and plays, the measure of how many limits a dealer must remember.
    ///
    /// A bound is an end of a range that excludes something: `"2-6"` has one, `"7-10"` and `"9"` have two, `"A"` and
    /// `"7-A"` have one, `"2-A"` has none, and a list has those of the set that it describes. The same holds for the sums
    /// of `pair-sum`, of which 5 is the lowest and 27 the highest. `front-at-least` and `front-at-most` are one bound
    /// each. Those of exceptions, of `possible` and of `front-above` count as well; shapes, parts and categories do not.
    pub fn bounds(&self) -> usize {
        self.when.iter().map(When::bounds).sum::<usize>() + self.plays.iter().map(Play::bounds).sum::<usize>()
    }

    /// Returns the number of words of its text.
    pub fn words(&self) -> usize {
        self.text.split_whitespace().count()
    }

    /// Returns `true` if the rule has an exception within an exception, or a comparison (`front-above`) within either of
    /// them or within `possible`.
    pub fn has_nested_exceptions(&self) -> bool {
        self.when.iter().any(|when| when.is_nested(false)) || self.plays.iter().any(|play| play.is_nested(false))
    }

    /// Returns `true` if the rule may apply to a hand of this shape.
    pub(super) fn may_have(&self, shape: Shape) -> bool {
        self.when.is_empty() || self.when.iter().any(|when| when.may_have(shape))
    }

    /// Returns `true` if the rule's condition holds for a hand.
    pub(super) fn is_for(&self, hand: &HandFeatures<'_>) -> bool {
        self.when.is_empty() || self.when.iter().any(|when| when.holds(hand))
    }

    /// Returns the rule's setting: the best one of the first play that matches a legal setting; ties go to the lowest
    /// index.
    pub(super) fn choose(&self, hand: &HandFeatures<'_>) -> Option<Setting> {
        let order = |setting: &Setting| {
            let made = hand.made[setting.index()];
            let (front, back) = (made.front.index(), made.back.index());
            let halves = if self.prefer == Prefer::Front { (front, back) } else { (back, front) };
            (halves, std::cmp::Reverse(setting.index()))
        };
        self.plays.iter().find_map(|play| play.allowed(hand).iter().max_by_key(order))
    }
}
