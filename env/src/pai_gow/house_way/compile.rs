//! Compilation of a house way to a table over all hand profiles, and the survey of its rules.

use super::file::{Way, WayError};
use super::rule::Rule;
use super::situation::HandFeatures;
use super::words::Shape;
use crate::cards::key::Key;
use crate::cards::profile::{Profile, Profiles};
use crate::cards::{Card, Suit};
use crate::pai_gow::{Game, Hand, ProfileStrategy, SetHand, Setting, Strategy, strategy_hash};
use crate::rank::{FiveStrength, TwoStrength};
use rayon::prelude::*;

/// Marker for profiles without a matching rule.
const NO_RULE: u8 = u8::MAX;

/// Front card relative to a profile: rank 0 to 12 or [`PICK_JOKER`], plus [`PICK_SUITED`] for a card of the flush suit.
type Pick = u8;
const PICK_JOKER: Pick = 13;
const PICK_SUITED: Pick = 16;

fn pick(card: Card, flush_suit: Option<Suit>) -> Pick {
    match card.rank() {
        None => PICK_JOKER,
        Some(rank) if card.suit() == flush_suit => rank.index() as u8 | PICK_SUITED,
        Some(rank) => rank.index() as u8,
    }
}

/// Setting of all hands with the same profile.
#[derive(Clone, Copy)]
struct Entry {
    back: u16,
    front: u8,
    rule: u8,
    picks: [Pick; 2],
}

/// Number of hands set by one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSurvey {
    /// Name of the rule.
    pub name: String,
    /// Wording of the rule.
    pub text: String,
    /// Number of hands that the rule sets.
    pub hands: u64,
}

/// Statistics of a house way over all 154,143,080 hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Number of hands surveyed, which is the number of all hands.
    pub hands: u64,
    /// Number of hands that match no rule.
    pub uncovered: u64,
    /// Example of a hand that matches no rule, if any.
    pub uncovered_example: Option<Hand>,
    /// Number of hands set foul.
    pub fouls: u64,
    /// Active rules in order.
    pub rules: Vec<RuleSurvey>,
}

impl Way {
    /// Returns the active rules, and for each shape the indices of those that may apply to it.
    pub(super) fn active(&self) -> (Vec<&Rule>, Vec<Vec<u8>>) {
        let rules: Vec<&Rule> = self.active_rules().collect();
        let may_have = |shape| (0..rules.len() as u8).filter(|&i| rules[i as usize].may_have(shape)).collect();
        let by_shape = Shape::ALL.into_iter().map(may_have).collect();
        (rules, by_shape)
    }

    /// Sets a hand of every profile.
    fn table(&self, game: &Game, tallies: &mut Tallies) -> Vec<Entry> {
        let profiles = Profiles::get();
        let (rules, by_shape) = self.active();
        let set = |profile: Profile| -> (Entry, u64) {
            let cards = profiles.representative(profile);
            let hand = Hand::new(cards).expect("a representative has seven cards");
            let situation = HandFeatures::new(game, hand);
            let mut asked = 0u64;
            let none = Entry { back: 0, front: 0, rule: NO_RULE, picks: [0; 2] };
            for &i in &by_shape[situation.shape as usize] {
                let rule = rules[i as usize];
                if rule.is_for(&situation) {
                    asked |= 1 << i;
                    if let Some(setting) = rule.choose(&situation) {
                        return (entry(hand, setting, &situation, i), asked);
                    }
                }
            }
            (none, asked)
        };
        let indices: Vec<Profile> = Profile::all().collect();
        let (table, asked): (Vec<Entry>, Vec<u64>) = indices.into_par_iter().map(set).unzip();
        tallies.count(&table, &asked, game);
        table
    }

    /// Surveys all hands and checks that every rule sets at least one.
    ///
    /// # Errors
    /// Returns an error with line and remedy if an active rule is never reached or never applicable. Hands without a
    /// matching rule are not an error here; the survey counts them.
    pub fn survey(&self, game: &Game) -> Result<Survey, WayError> {
        self.survey_and_table(game).map(|(survey, _)| survey)
    }

    fn survey_and_table(&self, game: &Game) -> Result<(Survey, Vec<Entry>), WayError> {
        let (rules, _) = self.active();
        let mut tallies = Tallies::default();
        let table = self.table(game, &mut tallies);
        if let Some((i, rule)) = rules.iter().enumerate().find(|&(i, _)| tallies.hands[i] == 0) {
            return Err(self.idle_rule(rule, tallies.asked >> i & 1 == 1));
        }
        let rules = rules.iter().enumerate().map(|(i, rule)| RuleSurvey {
            name: rule.name.clone(),
            text: rule.text.clone(),
            hands: tallies.hands[i],
        });
        let survey = Survey {
            hands: tallies.hands.iter().sum(),
            uncovered: tallies.hands[usize::from(NO_RULE)],
            uncovered_example: tallies.uncovered_example,
            fouls: tallies.fouls,
            rules: rules.collect(),
        };
        Ok((survey, table))
    }

    /// Returns the error for a rule that does not set any hand.
    fn idle_rule(&self, rule: &Rule, reached: bool) -> WayError {
        let name = rule.name();
        let message = if reached {
            format!(
                "rule \"{name}\" never applies: no hand that reaches it has a legal setting that its play allows; \
                 change its play or remove it"
            )
        } else {
            format!(
                "rule \"{name}\" is never reached: earlier rules set every hand that matches it; move it up or \
                 remove it"
            )
        };
        WayError::Line { origin: self.origin.clone(), line: rule.line, message }
    }
}

fn entry(hand: Hand, setting: Setting, situation: &HandFeatures<'_>, rule: u8) -> Entry {
    let (cards, (a, b)) = (hand.cards(), setting.positions());
    let flush_suit = Key::from_set(hand.set()).flush_suit();
    let made = situation.made[setting.index()];
    Entry {
        back: made.back.index() as u16,
        front: made.front.index() as u8,
        rule,
        picks: [pick(cards[a], flush_suit), pick(cards[b], flush_suit)],
    }
}

/// Number of hands set by each rule, and the problems found.
struct Tallies {
    hands: Vec<u64>,
    asked: u64,
    fouls: u64,
    uncovered_example: Option<Hand>,
}

impl Default for Tallies {
    fn default() -> Tallies {
        Tallies { hands: vec![0; 256], asked: 0, fouls: 0, uncovered_example: None }
    }
}

impl Tallies {
    fn count(&mut self, table: &[Entry], asked: &[u64], game: &Game) {
        let profiles = Profiles::get();
        for (profile, entry) in Profile::all().zip(table) {
            let hands = profiles.hands(profile);
            self.hands[usize::from(entry.rule)] += hands;
            if entry.rule == NO_RULE {
                let hand = Hand::new(profiles.representative(profile)).ok();
                self.uncovered_example = self.uncovered_example.or(hand);
            } else if !game.is_legal(entry.made()) {
                self.fouls += hands;
            }
        }
        self.asked = asked.iter().fold(0, |all, asked| all | asked);
    }
}

impl Entry {
    #[inline]
    fn made(self) -> SetHand {
        SetHand { back: FiveStrength::from_index(self.back.into()), front: TwoStrength::from_index(self.front.into()) }
    }
}

/// A house way compiled to a table over the 292,253 hand profiles, which takes 1.8 MB and about 0.1 s.
///
/// If cards of equal rank allow several equivalent settings, the one with the lowest index is chosen.
pub struct HouseWay {
    way: Way,
    survey: Survey,
    table: Vec<Entry>,
}

impl HouseWay {
    /// Compiles a house way for a game.
    ///
    /// # Errors
    /// Returns the errors of [`Way::survey`], or an error if a hand matches no rule.
    pub fn compile(way: Way, game: &Game) -> Result<HouseWay, WayError> {
        let (survey, table) = way.survey_and_table(game)?;
        if let Some(example) = survey.uncovered_example {
            let (hands, way) = (survey.uncovered, way.name().to_owned());
            return Err(WayError::Uncovered { way, hands, example: example.to_string() });
        }
        Ok(HouseWay { way, survey, table })
    }

    /// Returns a stable identifier of the settings: the first 16 hex digits of the SHA-256 of the set hands of all
    /// profiles. Two house ways that set all hands identically have the same hash, whatever the names of their rules.
    pub fn hash(&self) -> String {
        strategy_hash(self)
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.table[..])
    }

    /// Returns the rules.
    pub fn way(&self) -> &Way {
        &self.way
    }

    /// Returns the survey of the rules.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Returns the index in [`Survey::rules`] of the rule that sets a hand.
    pub fn rule_index(&self, profile: Profile) -> usize {
        self.table[profile.index()].rule.into()
    }

    /// Returns the rule that sets a hand.
    pub fn rule(&self, hand: Hand) -> &RuleSurvey {
        &self.survey.rules[self.rule_index(Profiles::get().of(hand.set()))]
    }
}

impl Strategy for HouseWay {
    fn name(&self) -> &str {
        self.way.name()
    }

    fn rule_name(&self, hand: Hand) -> Option<&str> {
        Some(&self.rule(hand).name)
    }

    fn set(&self, hand: Hand) -> Setting {
        let key = Key::from_set(hand.set());
        let entry = self.table[Profiles::get().of_key(key, || hand.set()).index()];
        let (cards, flush_suit) = (hand.cards(), key.flush_suit());
        let find = |wanted: Pick, from: usize| (from..7).find(|&i| pick(cards[i], flush_suit) == wanted);
        let first = find(entry.picks[0], 0).unwrap_or(0);
        // Picks are in order of position, but the suits of this hand may order two cards of a rank differently.
        let second = find(entry.picks[1], first + 1).or_else(|| find(entry.picks[1], 0)).unwrap_or(1);
        Setting::from_positions(first, second)
    }
}

impl ProfileStrategy for HouseWay {
    #[inline]
    fn set_profile(&self, profile: Profile) -> SetHand {
        self.table[profile.index()].made()
    }
}
