//! A process-wide cache of compiled house ways.

use super::file::{Way, WayError};
use super::rule::HandFeatures;
use super::rule::Rule;
use super::words::{Part, Place, Position, Shape};
use crate::cards::key::Key;
use crate::cards::profile::{Profile, Profiles};
use crate::cards::{Card, Rank, Suit};
use crate::kept::Kept;
use crate::money::grouped;
use crate::pai_gow::{Game, Hand, ProfileStrategy, Rules, SetHand, Setting, Strategy, strategy_hash};
use crate::rank::{FiveStrength, TwoStrength};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The compiled house ways, by house way with its selected options and the rules of the game.
static COMPILED: Kept<(Way, Rules), HouseWay, 32> = Kept::new();

impl HouseWay {
    /// Returns the cached result if an equal house way has already been compiled with the same rules. Compiles the
    /// house way otherwise.
    ///
    /// # Errors
    /// Returns an error if [`HouseWay::compile`] does.
    pub fn shared(way: Way, game: &Game) -> Result<Arc<HouseWay>, WayError> {
        let rules = game.rules();
        let is_same = |(other, others): &(Way, Rules)| *other == way && *others == rules;
        COMPILED.get(is_same, || Ok(((way.clone(), rules), HouseWay::compile(way.clone(), game)?)))
    }
}

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
        let choose = |profile: Profile| {
            let features = HandFeatures::new(game, Hand::representative(profile));
            let made = |rule: &&Rule| {
                let setting = applies(rule, &features).then(|| rule.choose(&features))?;
                setting.map(|setting| features.made[setting.index()])
            };
            rules.iter().map(made).collect()
        };
        Profile::all_parallel().map(choose).collect()
    }

    /// For every profile in [`Profile::index`] order, returns the set hand that would result if the rule that sets the
    /// profile were removed and the next matching rule took its place. The entry is `None` if there is no such rule.
    /// Computing all entries takes 0.3 s.
    pub fn fallbacks(&self, game: &Game) -> Vec<Option<SetHand>> {
        let (rules, by_shape) = self.active();
        let fallback = |profile: Profile| {
            let situation = HandFeatures::new(game, Hand::representative(profile));
            let fitting = by_shape[situation.shape as usize].iter().map(|&i| rules[usize::from(i)]);
            let mut choices = fitting.filter(|rule| rule.is_for(&situation)).filter_map(|rule| rule.choose(&situation));
            choices.nth(1).map(|setting| situation.made[setting.index()])
        };
        Profile::all_parallel().map(fallback).collect()
    }
}

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
    /// An example of a hand that no rule matches for each shape that has one.
    pub uncovered_examples: Vec<Hand>,
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

    /// Sets a representative hand for every profile. All hands with the same profile are set alike. Also returns the rules
    /// that were tried as a bit mask.
    fn table(&self, game: &Game) -> (Vec<Entry>, u64) {
        let (rules, by_shape) = self.active();
        let set = |profile: Profile| set_profile(game, &rules, &by_shape, profile);
        let (table, asked): (Vec<Entry>, Vec<u64>) = Profile::all_parallel().map(set).unzip();
        (table, asked.into_iter().fold(0, |all, asked| all | asked))
    }

    /// Collects statistics over all hands and checks that every active rule sets at least one of them, or would under the
    /// default rules of the game.
    ///
    /// # Errors
    /// Returns an error with the rule's line if an active rule is never reached or never applies. Hands that no rule
    /// matches are counted but don't cause an error.
    pub fn survey(&self, game: &Game) -> Result<Survey, WayError> {
        self.survey_and_table(game).map(|(survey, _)| survey)
    }

    fn survey_and_table(&self, game: &Game) -> Result<(Survey, Vec<Entry>), WayError> {
        let (rules, _) = self.active();
        let (table, asked) = self.table(game);
        let hands = hands_by_rule(&table);
        let mut idle: Vec<usize> = (0..rules.len()).filter(|&i| hands[i] == 0).collect();
        if !idle.is_empty() && game.rules() != Rules::default() {
            // Nothing is wrong with a rule for hands that only these rules of the game never leave to it.
            let (usual, _) = self.table(&Game::new(Rules::default()));
            let usual = hands_by_rule(&usual);
            idle.retain(|&i| usual[i] == 0);
        }
        if let Some(&i) = idle.first() {
            return Err(self.idle_rule(game, rules[i], &rules[..i], asked >> i & 1 == 1));
        }
        let rules = rules.iter().enumerate().map(|(i, rule)| RuleSurvey {
            name: rule.name.clone(),
            text: rule.text.clone(),
            hands: hands[i],
        });
        let mut uncovered_examples: Vec<Hand> = Vec::new();
        for (profile, _) in Profile::all().zip(&table).filter(|(_, entry)| entry.rule == NO_RULE) {
            let hand = Hand::representative(profile);
            if uncovered_examples.iter().all(|&other| Shape::from_hand(other) != Shape::from_hand(hand)) {
                uncovered_examples.push(hand);
            }
        }
        let fouls =
            Profile::all().zip(&table).filter(|(_, entry)| entry.rule != NO_RULE && !game.is_legal(entry.made()));
        let survey = Survey {
            hands: hands.iter().sum(),
            uncovered: hands[usize::from(NO_RULE)],
            uncovered_examples,
            fouls: fouls.map(|(profile, _)| Profiles::get().hands(profile)).sum(),
            rules: rules.collect(),
        };
        Ok((survey, table))
    }

    /// Returns the error for a rule that doesn't set any hand. `earlier` are the active rules before it, and `reached`
    /// is `true` if the rule was tried on some hand.
    fn idle_rule(&self, game: &Game, rule: &Rule, earlier: &[&Rule], reached: bool) -> WayError {
        let name = &rule.name;
        let line = |message| WayError::Line { origin: self.origin.clone(), line: rule.line, message };
        if reached {
            return line(format!(
                "rule \"{name}\" never applies: no hand that reaches it has a legal setting that its play allows; \
                 change its play or remove it"
            ));
        }
        // The earlier rules that set the hands of this one.
        let mut setters = vec![false; earlier.len()];
        let features = Profile::all().map(|profile| HandFeatures::new(game, Hand::representative(profile)));
        for hand in features.filter(|hand| rule.is_for(hand)) {
            let setter = earlier.iter().position(|rule| rule.is_for(&hand) && rule.choose(&hand).is_some());
            setter.into_iter().for_each(|setter| setters[setter] = true);
        }
        let setters: Vec<&Rule> =
            earlier.iter().zip(setters).filter(|&(_, sets)| sets).map(|(rule, _)| *rule).collect();
        if setters.is_empty() {
            return line(format!(
                "rule \"{name}\" contradicts itself: no hand meets all of its conditions; change them or remove it"
            ));
        }
        let names: Vec<String> = setters.iter().map(|rule| format!("\"{}\"", rule.name)).collect();
        let names = names.join(", ");
        let options: BTreeSet<String> =
            setters.iter().flat_map(|rule| &rule.readings).map(|(name, option)| format!("{name} = {option}")).collect();
        let options: Vec<String> = options.into_iter().collect();
        line(if options.is_empty() {
            format!(
                "rule \"{name}\" is never reached: earlier rules set every hand that matches it ({names}); move it up \
                 or remove it"
            )
        } else {
            format!(
                "rule \"{name}\" is never reached with {}: the rules for these options set every hand that matches \
                 it ({names}); give it a reading too, move it up, or remove it",
                options.join(", ")
            )
        })
    }
}

/// Returns the entry for a profile and a bit mask of the rules that were tried. All rules whose condition holds are
/// tried in order until one of them has a legal setting.
pub(super) fn set_profile(game: &Game, rules: &[&Rule], by_shape: &[Vec<u8>], profile: Profile) -> (Entry, u64) {
    let hand = Hand::representative(profile);
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

/// Returns the number of hands that each rule sets, and the number of those without a rule at [`NO_RULE`].
fn hands_by_rule(table: &[Entry]) -> [u64; 256] {
    let mut hands = [0; 256];
    for (profile, entry) in Profile::all().zip(table) {
        hands[usize::from(entry.rule)] += Profiles::get().hands(profile);
    }
    hands
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
        if let Some(example) = survey.uncovered_examples.first() {
            return Err(WayError::Invalid(format!(
                "house way \"{}\" has no rule for {} of {} hands, for example {example}; add a rule for them at the end, \
                 or use a way that has one, such as houseway-4",
                way.name(),
                grouped(survey.uncovered),
                grouped(survey.hands)
            )));
        }
        Ok(HouseWay { way, survey, table })
    }

    /// Returns a stable identifier for the settings. It consists of the first 16 hex digits of a SHA-256 hash over the
    /// set hands for all profiles, so house ways that set all hands identically have the same hash, even if their rules
    /// differ.
    pub fn hash(&self) -> String {
        strategy_hash(self)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::profile::Profiles;
    use crate::pai_gow::house_way::HouseWay;
    use crate::pai_gow::{ProfileStrategy, Rules};

    #[test]
    fn equal_house_ways_are_compiled_once() {
        let game = Game::new(Rules::default());
        let way = || Way::named("foxwoods").unwrap();
        let first = HouseWay::shared(way(), &game).unwrap();
        assert!(Arc::ptr_eq(&first, &HouseWay::shared(way(), &game).unwrap()));
        let other = Game::new(Rules::default().with("commission=0.04").unwrap());
        assert!(!Arc::ptr_eq(&first, &HouseWay::shared(way(), &other).unwrap()));
        let way = Way::named("trump-plaza").unwrap();
        assert!(!Arc::ptr_eq(&first, &HouseWay::shared(way, &game).unwrap()));
    }

    const TEXT: &str = include_str!("../../../house-ways/trump-plaza.toml");

    /// Parses the house way's text after removing one rule.
    fn without(name: &str) -> Way {
        let (start, end) = {
            let name = TEXT.find(&format!("name = \"{name}\"")).unwrap();
            let start = TEXT[..name].rfind("[[rule]]").unwrap();
            (start, TEXT[name..].find("[[rule]]").map_or(TEXT.len(), |end| name + end))
        };
        let text = TEXT[..start].to_owned() + &TEXT[end..];
        Way::parse(&text.replacen("\"trump-plaza\"", "\"changed\"", 1), "test").unwrap()
    }

    #[test]
    fn a_rule_may_wait_for_hands_that_a_variant_does_not_leave_to_it() {
        let wild = Game::new(Rules::default().with("joker=wild").unwrap());
        let survey = Way::named("wong").unwrap().survey(&wild).unwrap();
        assert!(survey.rules.iter().any(|rule| rule.hands == 0));
        // The second of two equal rules has no hands under any rules of the game.
        let first = TEXT[TEXT.find("[[rule]]").unwrap()..].split("[[rule]]").nth(1).unwrap();
        let name = first.split('"').nth(1).unwrap();
        let text = format!("{TEXT}\n[[rule]]{}", first.replacen(name, "the same again", 1));
        let way = Way::parse(&text.replacen("\"trump-plaza\"", "\"changed\"", 1), "test").unwrap();
        for game in [&wild, &Game::new(Rules::default())] {
            assert!(way.survey(game).unwrap_err().to_string().contains("\"the same again\""));
        }
    }

    #[test]
    fn fallbacks_match_ways_with_the_rule_removed() {
        let game = Game::new(Rules::default());
        let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
        let fallbacks = way.way().fallbacks(&game);
        let mut compiled = 0;
        // Tests every third rule, some of which are required.
        for (rule, survey) in way.survey().rules.iter().enumerate().step_by(3) {
            let other = without(&survey.name);
            let is_its = |profile: &Profile| way.rule_index(*profile) == rule;
            let unset = Profile::all().filter(is_its).filter(|profile| fallbacks[profile.index()].is_none());
            let uncovered: u64 = unset.map(|profile| Profiles::get().hands(profile)).sum();
            assert_eq!(other.survey(&game).unwrap().uncovered, uncovered, "{}", survey.name);
            if uncovered == 0 {
                let other = HouseWay::compile(other, &game).unwrap();
                for profile in Profile::all() {
                    let expected =
                        if is_its(&profile) { fallbacks[profile.index()].unwrap() } else { way.set_profile(profile) };
                    assert_eq!(other.set_profile(profile), expected, "{}", survey.name);
                }
                compiled += 1;
            }
        }
        assert!(compiled >= 2, "{compiled}");
    }
}
