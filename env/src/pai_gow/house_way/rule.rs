//! Rules as conditions on a hand and filters of its legal settings.

use super::situation::Situation;
use super::words::{Part, Shape};
use crate::pai_gow::Setting;
use crate::rank::TwoStrength;

/// A filter of settings; an empty one lets all pass. It looks at ranks and at what the settings make, never at suits, and is
/// asked about legal settings alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Play {
    /// What the two front cards are part of: any of these.
    pub(super) front: Option<Vec<(Part, Part)>>,
    /// The front is at least this.
    pub(super) front_at_least: Option<TwoStrength>,
    /// The front is above that of every legal setting that this play allows.
    pub(super) front_above: Option<Box<Play>>,
    /// Categories of the back, as bits.
    pub(super) back: Option<u16>,
    /// Ranks of what orders the back first within its category, as bits.
    pub(super) back_high: Option<u16>,
    /// Settings that any of these allows are left out.
    pub(super) except: Vec<Play>,
}

impl Play {
    fn allows(&self, hand: &Situation<'_>, setting: Setting) -> bool {
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

    fn allowed<'a>(&'a self, hand: &'a Situation<'_>) -> impl Iterator<Item = Setting> + 'a {
        hand.legal_settings().filter(|&setting| self.allows(hand, setting))
    }

    fn highest_front(&self, hand: &Situation<'_>) -> Option<TwoStrength> {
        self.allowed(hand).map(|setting| hand.made[setting.index()].front).max()
    }
}

/// A condition on a hand; all its parts must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct When {
    /// Allowed shapes, as bits by [`Shape`]; `None` for any.
    pub(super) shapes: Option<u16>,
    /// Allowed ranks of the parts, as bits, where restricted.
    pub(super) ranks: Vec<(Part, u16)>,
    /// Allowed ranks of the second-highest single.
    pub(super) second_single: Option<u16>,
    /// Plays for which there must be a legal setting.
    pub(super) possible: Option<Play>,
    /// Hands that meet any of these are left out.
    pub(super) except: Vec<When>,
}

impl When {
    fn holds(&self, hand: &Situation<'_>) -> bool {
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

/// Which half decides first among the settings that a play allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Prefer {
    #[default]
    Front,
    Back,
}

/// One rule of a house way.
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
    /// The rule's name, unique within its house way.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rule in words.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The options of readings under which the rule counts, as (reading, option); all of them must be chosen.
    pub fn readings(&self) -> &[(String, String)] {
        &self.readings
    }

    /// Whether a hand of this shape may fall under the rule.
    pub(super) fn may_have(&self, shape: Shape) -> bool {
        self.when.is_empty() || self.when.iter().any(|when| when.may_have(shape))
    }

    /// Whether the rule is for this hand.
    pub(super) fn is_for(&self, hand: &Situation<'_>) -> bool {
        self.when.is_empty() || self.when.iter().any(|when| when.holds(hand))
    }

    /// The setting that the rule makes: of the first play that any legal setting fits, the best one, and of equal ones the
    /// first.
    pub(super) fn choose(&self, hand: &Situation<'_>) -> Option<Setting> {
        let order = |setting: &Setting| {
            let made = hand.made[setting.index()];
            let (front, back) = (made.front.index(), made.back.index());
            let halves = if self.prefer == Prefer::Front { (front, back) } else { (back, front) };
            (halves, std::cmp::Reverse(setting.index()))
        };
        self.plays.iter().find_map(|play| play.allowed(hand).max_by_key(order))
    }
}
