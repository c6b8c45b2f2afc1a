//! Compilation of house ways into tables over all hand profiles, and statistics about their rules.

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

/// Marks profiles that no rule matches.
const NO_RULE: u8 = u8::MAX;

/// A front card in terms that apply to all hands with the same profile. It's the rank from 0 to 12 or [`PICK_JOKER`],
/// plus [`PICK_SUITED`] if the card belongs to the flush suit.
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

/// The setting for all hands with the same profile.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    back: u16,
    front: u8,
    rule: u8,
    picks: [Pick; 2],
}

/// Statistics about a single rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSurvey {
    /// The rule's name.
    pub name: String,
    /// The rule's wording.
    pub text: String,
    /// The number of hands set by the rule.
    pub hands: u64,
}

/// Statistics about a house way, collected over all 154,143,080 hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The total number of hands.
    pub hands: u64,
    /// The number of hands that no rule matches.
    pub uncovered: u64,
    /// An example of a hand that no rule matches, if there is one.
    pub uncovered_example: Option<Hand>,
    /// The number of hands that the rules set as fouls.
    pub fouls: u64,
    /// The active rules in order.
    pub rules: Vec<RuleSurvey>,
}

impl Way {
    /// Returns the active rules and, for each shape, the indices of the rules that may apply to it.
    pub(super) fn active(&self) -> (Vec<&Rule>, Vec<Vec<u8>>) {
        let rules: Vec<&Rule> = self.active_rules().collect();
        let may_have = |shape| (0..rules.len() as u8).filter(|&i| rules[i as usize].may_have(shape)).collect();
        let by_shape = Shape::ALL.into_iter().map(may_have).collect();
        (rules, by_shape)
    }

    /// Sets a representative hand for every profile. All hands with the same profile are set alike.
    fn table(&self, game: &Game, tallies: &mut Tallies) -> Vec<Entry> {
        let (rules, by_shape) = self.active();
        let set = |profile: Profile| set_profile(game, &rules, &by_shape, profile);
        let indices: Vec<Profile> = Profile::all().collect();
        let (table, asked): (Vec<Entry>, Vec<u64>) = indices.into_par_iter().map(set).unzip();
        tallies.count(&table, &asked, game);
        table
    }

    /// Collects statistics over all hands and checks that every active rule sets at least one of them.
    ///
    /// # Errors
    /// Returns an error with the rule's line if an active rule is never reached or never applies. Hands that no rule
    /// matches are counted but don't cause an error.
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

    /// Returns the error for a rule that doesn't set any hand. `reached` is `true` if the rule was tried on some hand.
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

/// Returns the entry for a profile and a bit mask of the rules that were tried. All rules whose condition holds are
/// tried in order until one of them has a legal setting.
pub(super) fn set_profile(game: &Game, rules: &[&Rule], by_shape: &[Vec<u8>], profile: Profile) -> (Entry, u64) {
    let cards = Profiles::get().representative(profile);
    let hand = Hand::new(cards).expect("a representative has seven cards");
    let situation = HandFeatures::new(game, hand);
    let mut asked = 0u64;
    for &i in &by_shape[situation.shape as usize] {
        let rule = rules[i as usize];
        if rule.is_for(&situation) {
            asked |= 1 << i;
            if let Some(setting) = rule.choose(&situation) {
                return (entry(hand, setting, &situation, i), asked);
            }
        }
    }
    (Entry { back: 0, front: 0, rule: NO_RULE, picks: [0; 2] }, asked)
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

/// Hand counts per rule, and the problems found.
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
    pub(super) fn made(self) -> SetHand {
        SetHand { back: FiveStrength::from_index(self.back.into()), front: TwoStrength::from_index(self.front.into()) }
    }

    /// Returns the setting for a hand with the entry's profile.
    pub(super) fn setting(self, hand: Hand, key: Key) -> Setting {
        let (cards, flush_suit) = (hand.cards(), key.flush_suit());
        let find = |wanted: Pick, from: usize| (from..7).find(|&i| pick(cards[i], flush_suit) == wanted);
        let first = find(self.picks[0], 0).unwrap_or(0);
        // Picks are sorted by position, but cards with the same rank may be in a different order in this hand due to
        // their suits.
        let second = find(self.picks[1], first + 1).or_else(|| find(self.picks[1], 0)).unwrap_or(1);
        Setting::from_positions(first, second)
    }
}

/// A house way compiled into a table over the 292,253 hand profiles. The table uses 1.8 MB and takes about 0.1 s to
/// build.
///
/// If several settings are equivalent because some cards have the same rank, the setting with the lowest index is used.
pub struct HouseWay {
    way: Way,
    survey: Survey,
    table: Vec<Entry>,
}

impl HouseWay {
    /// Compiles a house way for a game.
    ///
    /// # Errors
    /// Returns an error if [`Way::survey`] does, or if no rule matches some hand.
    pub fn compile(way: Way, game: &Game) -> Result<HouseWay, WayError> {
        let (survey, table) = way.survey_and_table(game)?;
        if let Some(example) = survey.uncovered_example {
            let (hands, way) = (survey.uncovered, way.name().to_owned());
            return Err(WayError::Uncovered { way, hands, example: example.to_string() });
        }
        Ok(HouseWay { way, survey, table })
    }

    /// Returns a stable identifier for the settings. It consists of the first 16 hex digits of a SHA-256 hash over the
    /// set hands for all profiles, so house ways that set all hands identically have the same hash, even if their rules
    /// differ.
    pub fn hash(&self) -> String {
        strategy_hash(self)
    }

    /// Returns the memory used by the table in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.table[..])
    }

    /// Returns the house way that was compiled.
    pub fn way(&self) -> &Way {
        &self.way
    }

    /// Returns the statistics about the rules.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Returns the index of the rule that sets hands with this profile in [`Survey::rules`].
    pub fn rule_index(&self, profile: Profile) -> usize {
        self.table[profile.index()].rule.into()
    }

    /// Returns the rule that sets the given hand.
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
        self.table[Profiles::get().of_key(key, || hand.set()).index()].setting(hand, key)
    }
}

impl ProfileStrategy for HouseWay {
    #[inline]
    fn set_profile(&self, profile: Profile) -> SetHand {
        self.table[profile.index()].made()
    }
}
