//! Rules as conditions on a hand and filters of its legal settings.

use super::situation::HandFeatures;
use super::words::{Part, Shape};
use crate::pai_gow::Setting;
use crate::rank::TwoStrength;

/// Filter of settings; an empty filter passes all. It depends on ranks and set hands, never on suits, and is applied
/// only to legal settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Play {
    /// Parts that the two front cards belong to: any of these.
    pub(super) front: Option<Vec<(Part, Part)>>,
    /// Minimum front.
    pub(super) front_at_least: Option<TwoStrength>,
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
    fn allows(&self, hand: &HandFeatures<'_>, setting: Setting) -> bool {
        let (a, b) = setting.positions();
        let parts = (hand.parts[a].min(hand.parts[b]), hand.parts[a].max(hand.parts[b]));
        let front = hand.made[setting.index()].front;
        self.front.as_ref().is_none_or(|fronts| fronts.contains(&parts))
            && self.front_at_least.is_none_or(|least| front >= least)
            && self.back.is_none_or(|back| hand.category[setting.index()] & back != 0)
            && self.back_high.is_none_or(|ranks| ranks >> hand.back_high(setting) & 1 == 1)
            && self.front_above.as_ref().is_none_or(|other| other.highest_front(hand).is_none_or(|high| front > high))
            && !self.except.iter().any(|play| play.allows(hand, setting))
    }

    fn allowed<'a>(&'a self, hand: &'a HandFeatures<'_>) -> impl Iterator<Item = Setting> + 'a {
        hand.legal_settings().filter(|&setting| self.allows(hand, setting))
    }

    fn highest_front(&self, hand: &HandFeatures<'_>) -> Option<TwoStrength> {
        self.allowed(hand).map(|setting| hand.made[setting.index()].front).max()
    }
}

/// Condition on a hand; all parts must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct When {
    /// Bit mask of allowed shapes by [`Shape`]; `None` for any.
    pub(super) shapes: Option<u16>,
    /// Bit masks of allowed ranks, for restricted parts.
    pub(super) ranks: Vec<(Part, u16)>,
    /// Bit mask of allowed ranks of the second-highest single.
    pub(super) second_single: Option<u16>,
    /// Play that must match at least one legal setting.
    pub(super) possible: Option<Play>,
    /// Hands that match any of these are excluded.
    pub(super) except: Vec<When>,
}

impl When {
    fn holds(&self, hand: &HandFeatures<'_>) -> bool {
        let within = |rank: Option<u8>, ranks: u16| rank.is_some_and(|rank| ranks >> rank & 1 == 1);
        self.shapes.is_none_or(|shapes| shapes >> hand.shape as u16 & 1 == 1)
            && self.ranks.iter().all(|&(part, ranks)| within(hand.rank_of[part as usize], ranks))
            && self.second_single.is_none_or(|ranks| within(hand.second_single, ranks))
            && self.possible.as_ref().is_none_or(|play| play.allowed(hand).next().is_some())
            && !self.except.iter().any(|when| when.holds(hand))
    }

    fn may_have(&self, shape: Shape) -> bool {
        self.shapes.is_none_or(|shapes| shapes >> shape as u16 & 1 == 1)
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
        self.plays.iter().find_map(|play| play.allowed(hand).max_by_key(order))
    }
}
