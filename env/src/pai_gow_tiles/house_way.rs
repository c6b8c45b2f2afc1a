//! House ways as data: ordered rules that choose among the three settings of a hand. `env/house-ways/tiles/LANGUAGE.md`
//! explains their words.

use super::tiles::kinds;
use super::{FoxLast, Game, Half, Hand, OnlyWay, Rules, SetHand};
use crate::files::{self, NamedText, line_of};
use crate::names;
use crate::pai_gow::house_way::{WayError, text_in};
use serde::Deserialize;
use toml::Spanned;

/// The names and contents of the built-in house ways. Those of casinos come first, followed by published strategies for
/// players.
pub const WAYS: [NamedText; 5] =
    files::built_in!("house-ways/tiles": "traditional", "foxwoods", "canberra", "wizard-basic", "jb-player");

/// A house way with its rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    name: String,
    title: String,
    source: String,
    #[serde(default)]
    rating: Vec<Rated>,
    #[serde(rename = "rule")]
    rules: Vec<Spanned<Rule>>,
}

/// The values of a half and all better ones in either place, up to the next half that is listed.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rated {
    half: Bound,
    low: i32,
    high: i32,
}

/// A rule of a house way.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The unique name, which is reported with every setting that the rule chooses.
    pub name: String,
    /// The rule in the words of the source.
    pub text: String,
    /// The line where the rule starts in its file.
    #[serde(skip)]
    pub line: usize,
    reading: Option<Reading>,
    #[serde(default)]
    hand: Vec<Tiles>,
    #[serde(default)]
    possible: Vec<Filter>,
    #[serde(default)]
    impossible: Vec<Filter>,
    twice: Option<Filter>,
    #[serde(default)]
    keep: Vec<Filter>,
    prefer: Option<Prefer>,
    provided: Option<Filter>,
}

crate::named_enum! {
    /// A reading of the game's rules that decides whether a rule is active.
    enum Reading: kebab_case { OnlyWay, FoxLast }
}

crate::named_enum! {
    /// The order in which a rule prefers settings.
    enum Prefer: kebab_case { Low, High, LowPoints, HighPoints, Rating }
}

/// Tiles that must all be in a hand, each as the set of its kinds.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
struct Tiles(Vec<u16>);

/// The conditions on a setting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct Filter {
    /// The bounds of the low and the high half.
    halves: Vec<[Bound; 2]>,
    /// The kinds of a tile in the high half.
    high: Option<u16>,
    split: bool,
    parted: bool,
    only_way: bool,
    most_points: bool,
}

/// A condition on a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct Bound {
    /// The classes, as a set of bits: 0 to 12 for points, and [`HIGH_NINE`].
    classes: u16,
    /// The points of the weakest half, and the kinds of its better tile.
    least: Option<(u8, u16)>,
}

impl Bound {
    /// Any half.
    const ANY: Bound = Bound { classes: u16::MAX, least: None };

    fn allows(self, rules: &Rules, half: Half) -> bool {
        let class = 1 << half.points() | if half.is_high_nine() { HIGH_NINE } else { 0 };
        self.classes & class != 0 && self.least.is_none_or(|(points, kinds)| half >= Half::lowest(rules, points, kinds))
    }

    /// Returns the weakest half of a lower bound.
    fn weakest(self, rules: &Rules) -> Half {
        match self.least {
            Some((points, kinds)) => Half::lowest(rules, points, kinds),
            None => Half::from_parts(self.classes.trailing_zeros() as u8, 0, 0),
        }
    }
}

/// The bit of a high nine, which also has the bit of nine points.
const HIGH_NINE: u16 = 1 << 13;

/// Returns the kinds that a word such as `H8`, `8` or `H2,10` stands for.
fn tile(word: &str) -> Result<u16, String> {
    let unknown = |part: &str| format!("invalid tile \"{part}\": expected a code such as H8, or a number such as 8");
    word.split(',').try_fold(0, |set, part| Ok(set | kinds(part).ok_or_else(|| unknown(part))?))
}

impl TryFrom<String> for Tiles {
    type Error = String;

    fn try_from(text: String) -> Result<Tiles, String> {
        text.split_whitespace().map(tile).collect::<Result<_, _>>().map(Tiles)
    }
}

impl TryFrom<String> for Bound {
    type Error = String;

    fn try_from(text: String) -> Result<Bound, String> {
        lower_bound(&text).ok_or_else(|| format!("invalid half \"{text}\": expected a half such as 0, 9:H8 or pair:H2"))
    }
}

impl TryFrom<String> for Filter {
    type Error = String;

    fn try_from(text: String) -> Result<Filter, String> {
        let mut filter = Filter::default();
        for word in text.split_whitespace() {
            match word.split(':').collect::<Vec<_>>()[..] {
                ["split"] => filter.split = true,
                ["parted"] => filter.parted = true,
                ["only-way"] => filter.only_way = true,
                ["most-points"] => filter.most_points = true,
                ["high", _] if filter.high.is_some() => {
                    return Err(format!("invalid filter \"{text}\": it has two words 'high'; use two filters"));
                }
                ["high", word] => filter.high = Some(tile(word)?),
                _ => filter.halves.push(halves(word).ok_or_else(|| {
                    format!(
                        "invalid filter \"{word}\": expected points such as 7/9, */wong, 6/8+ or 3:H6/*+, of numbers, gong, \
                         wong, pair, high-nine (without +) and *; or high:H2, split, parted, only-way or most-points"
                    )
                })?),
            }
        }
        Ok(filter)
    }
}

/// Returns the bounds of the low and the high half in points such as `7/9` or `3:H6/*+`.
fn halves(text: &str) -> Option<[Bound; 2]> {
    let (halves, at_least) = text.strip_suffix('+').map_or((text, false), |halves| (halves, true));
    let (low, high) = halves.split_once('/')?;
    let bound = if at_least { lower_bound } else { exactly };
    Some([bound(low)?, bound(high)?])
}

/// Returns the numbers that the words for points stand for.
fn points(word: &str) -> Option<u8> {
    match word {
        "gong" => Some(Half::GONG),
        "wong" => Some(Half::WONG),
        "pair" => Some(Half::PAIR),
        _ => word.parse().ok().filter(|points| *points <= Half::PAIR),
    }
}

fn exactly(word: &str) -> Option<Bound> {
    match word {
        "*" => Some(Bound::ANY),
        "high-nine" => Some(Bound { classes: HIGH_NINE, least: None }),
        _ => Some(Bound { classes: 1 << points(word)?, least: None }),
    }
}

fn lower_bound(word: &str) -> Option<Bound> {
    if word == "*" {
        return Some(Bound::ANY);
    }
    let (word, code) = word.split_once(':').map_or((word, None), |(word, code)| (word, Some(code)));
    let points = points(word)?;
    let least = match code {
        Some(code) => Some((points, tile(code).ok()?)),
        None => None,
    };
    Some(Bound { classes: (HIGH_NINE - 1) >> points << points, least })
}

/// The setting that a house way chooses, and the index of the rule that chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The setting. Of equally strong ones it is the first.
    pub setting: usize,
    /// The index of the rule.
    pub rule: usize,
}

/// A hand with the strengths of its settings. Subsets of the settings are sets of three bits.
struct Candidates<'a> {
    game: &'a Game,
    rating: &'a [Rated],
    hand: Hand,
    sets: [SetHand; Hand::SETTINGS],
}

impl Candidates<'_> {
    /// Returns the settings that are left and fulfil a condition.
    fn filter(&self, left: u8, condition: impl Fn(usize) -> bool) -> u8 {
        let fits = |setting: &usize| left >> setting & 1 == 1 && condition(*setting);
        (0..Hand::SETTINGS).filter(fits).fold(0, |settings, setting| settings | 1 << setting)
    }

    /// Returns the settings that pass a filter.
    fn passing(&self, filter: &Filter, left: u8) -> u8 {
        let total = |setting: usize| self.sets[setting].low.points() + self.sets[setting].high.points();
        self.filter(left, |setting| {
            let SetHand { low, high } = self.sets[setting];
            let rules = self.game.rules();
            let fits = |bounds: &[Bound; 2]| bounds[0].allows(rules, low) && bounds[1].allows(rules, high);
            let has =
                |kinds: u16| self.game.ordered(self.hand, setting)[1].iter().any(|tile| kinds >> tile.kind() & 1 == 1);
            let is_beaten = |other: usize| self.sets[other].low > low || self.sets[other].high > high;
            (filter.halves.is_empty() || filter.halves.iter().any(fits))
                && filter.high.is_none_or(has)
                && !(filter.split && high.points() == Half::PAIR)
                // The hand's first two tiles are the best ones, and the first setting puts them together.
                && !(filter.parted && setting == 0)
                && !(filter.only_way && self.filter(left, is_beaten) != 0)
                && !(filter.most_points && self.filter(left, |other| total(other) > total(setting)) != 0)
        })
    }

    /// Returns the best settings.
    fn best(&self, prefer: Prefer, left: u8) -> u8 {
        let key = |setting: usize| {
            let SetHand { low, high } = self.sets[setting];
            match prefer {
                Prefer::Low => (0, low, high),
                Prefer::High => (0, high, low),
                Prefer::LowPoints => (0, low.only_points(), high.only_points()),
                Prefer::HighPoints => (0, high.only_points(), low.only_points()),
                Prefer::Rating => (self.value(low, |it| it.low) + self.value(high, |it| it.high), low, high),
            }
        };
        self.filter(left, |setting| self.filter(left, |other| key(other) > key(setting)) == 0)
    }

    /// Returns what a half is worth in one place. The halves of a rating are listed from the worst to the best.
    fn value(&self, half: Half, place: impl Fn(&Rated) -> i32) -> i64 {
        let reaches = |rated: &&Rated| rated.half.allows(self.game.rules(), half);
        self.rating.iter().rev().find(reaches).map_or(0, |rated| place(rated).into())
    }

    /// Returns `true` if the hand holds different tiles for all the kinds. The bits in `used` mark tiles that are taken.
    fn holds(&self, tiles: &[u16], used: u8) -> bool {
        let Some((kinds, others)) = tiles.split_first() else { return true };
        let fits = |place: &usize| used >> place & 1 == 0 && kinds >> self.hand.tiles()[*place].kind() & 1 == 1;
        (0..Hand::TILES).filter(fits).any(|place| self.holds(others, used | 1 << place))
    }
}

impl Rule {
    /// Returns the settings that the rule keeps, or `None` if it doesn't apply.
    fn apply(&self, hand: &Candidates<'_>, mut left: u8) -> Option<u8> {
        let passing = |filter: &Filter| hand.passing(filter, left).count_ones();
        let applies = self.reading.is_none_or(|reading| reading.is_on(hand.game.rules()))
            && (self.hand.is_empty() || self.hand.iter().any(|Tiles(tiles)| hand.holds(tiles, 0)))
            && self.possible.iter().all(|filter| passing(filter) > 0)
            && self.impossible.iter().all(|filter| passing(filter) == 0)
            && self.twice.iter().all(|filter| passing(filter) > 1)
            && self.keep.iter().take(1).all(|filter| passing(filter) > 0);
        if !applies {
            return None;
        }
        for filter in &self.keep {
            left = Some(hand.passing(filter, left)).filter(|kept| *kept != 0).unwrap_or(left);
        }
        left = self.prefer.map_or(left, |prefer| hand.best(prefer, left));
        left = self.provided.as_ref().map_or(left, |filter| hand.passing(filter, left));
        (left != 0).then_some(left)
    }

    /// Returns `true` if the rule applies to every hand and settles it.
    fn is_final(&self) -> bool {
        let conditions = [&self.possible, &self.impossible];
        let most_points = Filter { most_points: true, ..Filter::default() };
        matches!(self.prefer, Some(Prefer::Low | Prefer::High | Prefer::Rating))
            && (self.reading.is_none() && self.hand.is_empty() && conditions.iter().all(|list| list.is_empty()))
            && (self.twice.is_none() && self.provided.is_none())
            // Some setting always has the most points.
            && self.keep.iter().all(|filter| *filter == most_points)
    }
}

impl Reading {
    fn is_on(self, rules: &Rules) -> bool {
        match self {
            Reading::OnlyWay => rules.only_way == OnlyWay::On,
            Reading::FoxLast => rules.fox_last == FoxLast::On,
        }
    }
}

impl Way {
    /// Loads a house way, given as the name of a built-in house way, the path to a file, or the text of such a file,
    /// which is any string with a line break.
    ///
    /// # Errors
    /// Returns an error if neither a house way nor a file is found, or if the file is invalid, with the line number.
    pub fn load(given: &str) -> Result<Way, WayError> {
        let text = &text_in(&WAYS, given)?;
        let origin = if given.contains('\n') { "text" } else { given };
        let error = |start: usize, message: &str| {
            let (line, message) = (line_of(text, start), message.trim().replace('\n', " "));
            WayError::Line { origin: origin.to_owned(), line, message }
        };
        let mut way: Way =
            toml::from_str(text).map_err(|e| error(e.span().map_or(0, |span| span.start), e.message()))?;
        let check = |start: usize, checked: Result<(), names::InvalidText>| {
            checked.map_err(|problem| error(start, &problem.to_string()))
        };
        check(0, names::check(&way.name).and(names::check_line(&way.title)).and(names::check_line(&way.source)))?;
        for (place, rule) in way.rules.iter().enumerate() {
            let (start, Rule { name, text, .. }) = (rule.span().start, rule.get_ref());
            check(start, names::check_line(name).and(names::check_line(text)))?;
            if way.rules[..place].iter().any(|other| other.get_ref().name == *name) {
                return Err(error(start, &format!("the rule name \"{name}\" is already taken")));
            }
            if rule.get_ref().prefer == Some(Prefer::Rating) && way.rating.is_empty() {
                let message =
                    "prefer = \"rating\" needs a list of halves above the rules: rating = [{ half, low, high }, ...]";
                return Err(error(start, message));
            }
        }
        let weakest: Vec<Half> = way.rating.iter().map(|rated| rated.half.weakest(&Rules::default())).collect();
        if let Some(place) = weakest.windows(2).position(|halves| halves[0] >= halves[1]) {
            let message = format!(
                "the halves of the rating must be listed from the worst to the best, but number {} isn't better than the one before",
                place + 2
            );
            return Err(error(text.find("rating").unwrap_or_default(), &message));
        }
        if way.rules.last().is_some_and(|last| last.get_ref().is_final()) {
            way.rules.iter_mut().for_each(|rule| rule.get_mut().line = line_of(text, rule.span().start));
            return Ok(way);
        }
        let message = "the last rule must apply to all hands: at most keep = [\"most-points\"], and prefer = \"low\", \"high\" or \"rating\"";
        Err(error(way.rules.last().map_or(0, |last| last.span().start), message))
    }

    /// Returns the built-in house ways.
    pub fn built_in() -> Vec<Way> {
        WAYS.iter().map(|(name, _)| Way::load(name).expect("the built-in house ways are valid")).collect()
    }

    /// Returns the name used in commands and tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the publication that contains the rules, with its author and date, or "unknown".
    pub fn source(&self) -> &str {
        names::source_or_unknown(&self.source)
    }

    /// Returns the house way without a rule. Returns `None` for the last rule, without which hands would not be set.
    pub fn without(&self, rule: usize) -> Option<Way> {
        let mut other = self.clone();
        (rule + 1 < self.rules.len()).then(|| other.rules.remove(rule))?;
        Some(other)
    }

    /// Returns an iterator over the rules in order.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.rules.iter().map(Spanned::get_ref)
    }

    /// Returns the rule that a choice names.
    pub fn rule(&self, choice: Choice) -> &Rule {
        self.rules[choice.rule].get_ref()
    }

    /// Returns the setting for a hand.
    pub fn choose(&self, game: &Game, hand: Hand) -> Choice {
        self.choose_with(game, hand, |_| ())
    }

    /// Returns the setting for a hand, and calls a function with the index of each rule that discards settings or settles
    /// the hand.
    pub fn choose_with(&self, game: &Game, hand: Hand, mut used: impl FnMut(usize)) -> Choice {
        let hand = Candidates { game, rating: &self.rating, hand, sets: game.sets(hand) };
        let (mut left, mut chosen) = (0b111, 0);
        for (index, rule) in self.rules().enumerate() {
            let Some(kept) = rule.apply(&hand, left) else { continue };
            if kept != left {
                used(index);
            }
            (left, chosen) = (kept, index);
            let first = hand.sets[left.trailing_zeros() as usize];
            if hand.filter(left, |setting| hand.sets[setting] != first) == 0 {
                break;
            }
        }
        used(chosen);
        Choice { setting: left.trailing_zeros() as usize, rule: chosen }
    }
}
