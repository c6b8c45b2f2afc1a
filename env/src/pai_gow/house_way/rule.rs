//! Rules with conditions on a hand and filters on its legal settings.

use super::situation::{HandFeatures, SettingMask};
use super::words::{self, Place, Shape};
use crate::pai_gow::Setting;
use crate::rank::TwoStrength;

/// A filter on settings. An empty filter accepts all settings. Filters depend on ranks and set hands but never on
/// suits, and they are only applied to legal settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Play {
    /// The allowed places for the two front cards. See [`Place::pair_bit`].
    pub(super) front: Option<u128>,
    /// The lowest allowed front.
    pub(super) front_at_least: Option<TwoStrength>,
    /// The highest allowed front.
    pub(super) front_at_most: Option<TwoStrength>,
    /// A play whose fronts must all be beaten.
    pub(super) front_above: Option<Box<Play>>,
    /// The allowed categories for the back, as a bit mask.
    pub(super) back: Option<u16>,
    /// The allowed ranks for the back's first tie-breaker, as a bit mask.
    pub(super) back_high: Option<u16>,
    /// Plays whose settings are excluded.
    pub(super) except: Vec<Play>,
}

impl Play {
    /// Returns the legal settings that the play allows. Each nested play is evaluated at most once per hand, so the
    /// total cost is proportional to the size of the file.
    fn allowed(&self, hand: &HandFeatures<'_>) -> SettingMask {
        let mut allowed = hand.legal;
        if let Some(fronts) = self.front {
            allowed = allowed.filter(|setting| fronts >> hand.front_places[setting.index()] & 1 == 1);
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

    /// Returns `true` if an exception or comparison is nested inside another one. `within` is `true` if this play is
    /// itself part of an exception or comparison.
    fn is_nested(&self, within: bool) -> bool {
        let mut others = self.front_above.as_deref().into_iter().chain(&self.except).peekable();
        within && others.peek().is_some() || others.any(|other| other.is_nested(true))
    }
}

/// A condition on a hand. It holds if all of its parts hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct When {
    /// The allowed shapes as a bit mask indexed by [`Shape`], or `None` to allow all shapes.
    pub(super) shapes: Option<u16>,
    /// The places that are restricted, each with a bit mask of allowed ranks.
    pub(super) ranks: Vec<(Place, u16)>,
    /// The allowed sums of the highest pair's rank and the lowest pair's rank, as a bit mask.
    pub(super) pair_sum: Option<u32>,
    /// A play that at least one legal setting must match.
    pub(super) possible: Option<Play>,
    /// Conditions whose hands are excluded.
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

    /// Returns `true` if an exception or comparison is nested inside another one, or if `possible` contains a
    /// comparison. `within` is `true` if this condition is itself part of an exception.
    fn is_nested(&self, within: bool) -> bool {
        within && !self.except.is_empty()
            || self.possible.as_ref().is_some_and(|play| play.front_above.is_some() || play.is_nested(within))
            || self.except.iter().any(|when| when.is_nested(true))
    }
}

/// The half to maximize first when a play allows several settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Prefer {
    #[default]
    Front,
    Back,
}

/// A rule in a house way.
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
    /// Returns the rule's name. Names are unique within a house way.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the line where the rule starts in its file, counting from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the rule's wording.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the reading options that must be selected for the rule to be active, as pairs of reading and option.
    pub fn readings(&self) -> &[(String, String)] {
        &self.readings
    }

    /// Returns the number of bounds in the rule's conditions and plays. This measures how many limits a dealer has to
    /// remember.
    ///
    /// A bound is an end of a range that excludes something. `"2-6"` has one bound, `"7-10"` and `"9"` have two, `"A"`
    /// and `"7-A"` have one, and `"2-A"` has none. A list has the bounds of the set that it describes. The same applies
    /// to the sums in `pair-sum`, which range from 5 to 27. `front-at-least` and `front-at-most` count as one bound
    /// each. Bounds in exceptions, `possible` and `front-above` are included, but shapes, parts and categories don't
    /// count.
    pub fn bounds(&self) -> usize {
        self.when.iter().map(When::bounds).sum::<usize>() + self.plays.iter().map(Play::bounds).sum::<usize>()
    }

    /// Returns the number of words in the rule's text.
    pub fn words(&self) -> usize {
        self.text.split_whitespace().count()
    }

    /// Returns `true` if the rule has nested exceptions, or if a comparison (`front-above`) is part of an exception,
    /// another comparison or `possible`.
    pub fn has_nested_exceptions(&self) -> bool {
        self.when.iter().any(|when| when.is_nested(false)) || self.plays.iter().any(|play| play.is_nested(false))
    }

    /// Returns `true` if the rule might apply to hands with the given shape.
    pub(super) fn may_have(&self, shape: Shape) -> bool {
        self.when.is_empty() || self.when.iter().any(|when| when.may_have(shape))
    }

    /// Returns `true` if the rule's condition holds for the hand.
    pub(super) fn is_for(&self, hand: &HandFeatures<'_>) -> bool {
        self.when.is_empty() || self.when.iter().any(|when| when.holds(hand))
    }

    /// Returns the setting that the rule chooses. It's the best setting allowed by the first play that allows any legal
    /// setting. If several settings are equally good, the one with the lowest index is chosen.
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
