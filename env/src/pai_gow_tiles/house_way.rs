//! House ways as data: ordered rules that choose among the three settings of a hand.
//!
//! A house way is a TOML file. Its rules are tried in order, beginning with all three settings. A rule that applies to
//! the hand keeps some of the settings that are left. Once all that are left have equally strong halves, the hand is set,
//! and the last rule that applied is reported with the setting. The last rule of a file must apply to every hand and
//! prefer a half.
//!
//! ```toml
//! name = "example"
//! title = "An example"
//! source = "where the rules are published"
//!
//! [[rule]]
//! name = "split eights"
//! text = "Eights are split to make 7/9 or 8/8 or better, or with 9 and 11."
//! hand = ["H8 H8", "L8 L8"]
//! keep = { split = true, points = ["7/9+", "8/8+"] }
//!
//! [[rule]]
//! name = "best low"
//! text = "All other hands: the best low half."
//! prefer = "low"
//! ```
//!
//! | word of a rule | meaning |
//! |---|---|
//! | `name`, `text` | the rule's name, and the rule in the words of the source |
//! | `reading` | `only-way` or `fox-last`: the reading of the game's rules that must be `on` |
//! | `hand` | tiles that the hand must hold; with a list, those of any entry |
//! | `possible` | a filter that a setting must pass; with a list, each of the filters must be passed by some setting |
//! | `impossible` | a filter, or several, that no setting may pass |
//! | `twice` | a filter that at least two settings must pass |
//! | `keep` | the filter for the settings to keep, of which there must be one; the others in a list are preferences that are skipped if no setting passes |
//! | `prefer` | then keeps only the best: `low` for the best low half and then the best high half, `high` for the reverse, and `low-points` or `high-points` if only points count |
//! | `provided` | a filter that what is kept must pass, or else the rule doesn't apply |
//!
//! | word of a filter | meaning |
//! |---|---|
//! | `points` | the low and the high half, such as `"7/9"`: numbers, `gong`, `wong`, `pair`, `high-nine`, or `*` for any; `"6/8+"` means at least these points in both, where a Gong has 10, a Wong 11 and a pair 12; with a list, any entry |
//! | `low-at-least` | the weakest low half, as points and the better tile, such as `"3 H6"` |
//! | `high-has` | a tile in the high half |
//! | `split` | no half is a pair |
//! | `parted` | the two best single tiles, in the order of the tiles, are in different halves |
//! | `only-way` | both halves are at least as good as in all other settings |
//! | `most-points` | no other setting has more points in total |
//!
//! Tiles are written by their codes, such as `H8`, or by a number for all tiles that count it, such as `8` for `H8` and
//! `L8`, or `2` for Teen and Day. `2/10` is a tile that is one of these, and `Gee` is any Gee Joon tile.

use super::tiles::kinds;
use super::{FoxLast, Game, Half, Hand, OnlyWay, Rules, SetHand};
use crate::files::{self, NamedText, line_of};
use crate::names;
use crate::pai_gow::house_way::{WayError, text_in};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// The names and contents of the built-in house ways.
pub const WAYS: [NamedText; 3] = files::built_in!("house-ways/tiles": "traditional", "foxwoods", "canberra");

/// A house way with its rules.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    name: String,
    title: String,
    source: String,
    #[serde(rename = "rule")]
    rules: Vec<Spanned<Rule>>,
}

/// A rule of a house way. The module documentation explains the keys.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The unique name, which is reported with every setting that the rule chooses.
    pub name: String,
    /// The rule in the words of the source.
    pub text: String,
    reading: Option<Reading>,
    #[serde(default, deserialize_with = "one_or_many")]
    hand: Vec<Tiles>,
    #[serde(default, deserialize_with = "one_or_many")]
    possible: Vec<Filter>,
    #[serde(default, deserialize_with = "one_or_many")]
    impossible: Vec<Filter>,
    twice: Option<Filter>,
    #[serde(default, deserialize_with = "one_or_many")]
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
    enum Prefer: kebab_case { Low, High, LowPoints, HighPoints }
}

/// The conditions on a setting.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Filter {
    #[serde(deserialize_with = "one_or_many")]
    points: Vec<Points>,
    low_at_least: Option<Bound>,
    high_has: Option<Kinds>,
    split: bool,
    parted: bool,
    only_way: bool,
    most_points: bool,
}

/// The classes of a low and a high half, as sets of bits: 0 to 12 for points, and [`HIGH_NINE`].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
struct Points([u16; 2]);

/// The bit of a high nine, which also has the bit of nine points.
const HIGH_NINE: u16 = 1 << 13;

/// A half given by its points and a tile.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
struct Bound(u8, u16);

/// A tile, as the set of its kinds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
struct Kinds(u16);

/// Tiles that must all be in a hand.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
struct Tiles(Vec<Kinds>);

/// Deserializes a list that can also be written as a single value.
fn one_or_many<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let list = if let toml::Value::Array(list) = value { list } else { vec![value] };
    list.into_iter()
        .map(|one| one.try_into().map_err(|error: toml::de::Error| serde::de::Error::custom(error.message())))
        .collect()
}

impl TryFrom<String> for Kinds {
    type Error = String;

    fn try_from(text: String) -> Result<Kinds, String> {
        let one = |word: &str| {
            let unknown = || format!("invalid tile \"{word}\": expected a code such as H8, or a number such as 8");
            kinds(word).ok_or_else(unknown)
        };
        text.split('/').map(one).try_fold(0, |set, kinds| Ok(set | kinds?)).map(Kinds)
    }
}

impl TryFrom<String> for Tiles {
    type Error = String;

    fn try_from(text: String) -> Result<Tiles, String> {
        let tiles: Vec<Kinds> =
            text.split_whitespace().map(|word| word.to_owned().try_into()).collect::<Result<_, _>>()?;
        if (1..=Hand::TILES).contains(&tiles.len()) {
            return Ok(Tiles(tiles));
        }
        Err(format!("invalid hand \"{text}\": expected one to four tiles"))
    }
}

impl TryFrom<String> for Bound {
    type Error = String;

    fn try_from(text: String) -> Result<Bound, String> {
        let parts = text.split_once(' ').and_then(|(points, tile)| Some((points.parse().ok()?, kinds(tile)?)));
        let (points, tile) = parts.filter(|(points, _)| *points < Half::GONG).ok_or_else(|| {
            format!("invalid half \"{text}\": expected points from 0 to 9 and a tile, such as \"3 H6\"")
        })?;
        Ok(Bound(points, tile))
    }
}

impl TryFrom<String> for Points {
    type Error = String;

    fn try_from(text: String) -> Result<Points, String> {
        let (halves, at_least) = text.strip_suffix('+').map_or((&text[..], false), |halves| (halves, true));
        let class = |word: &str| match (word, word.parse::<u8>()) {
            ("*", _) => Some(u16::MAX),
            (_, Ok(points)) if points > Half::PAIR => None,
            (_, Ok(points)) if at_least => Some((HIGH_NINE - 1) >> points << points),
            (_, Ok(points)) => Some(1 << points),
            _ if at_least => None,
            ("gong", _) => Some(1 << Half::GONG),
            ("wong", _) => Some(1 << Half::WONG),
            ("pair", _) => Some(1 << Half::PAIR),
            ("high-nine", _) => Some(HIGH_NINE),
            _ => None,
        };
        let parts = halves.split_once('/').and_then(|(low, high)| Some([class(low)?, class(high)?]));
        parts.map(Points).ok_or_else(|| {
            format!(
                "invalid points \"{text}\": expected a low and a high half such as \"7/9\", \"*/wong\" or \"6/8+\", of \
                 numbers, gong, wong, pair, high-nine and *"
            )
        })
    }
}

/// Returns the classes of a half as a set of bits.
fn classes(half: Half) -> u16 {
    1 << half.points() | if half.is_high_nine() { HIGH_NINE } else { 0 }
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
    hand: Hand,
    sets: [SetHand; Hand::SETTINGS],
}

/// Returns the settings in a set of bits.
fn members(settings: u8) -> impl Iterator<Item = usize> + Clone {
    (0..Hand::SETTINGS).filter(move |setting| settings >> setting & 1 == 1)
}

impl Candidates<'_> {
    /// Returns the settings that pass a filter.
    fn passing(&self, filter: &Filter, left: u8) -> u8 {
        let total = |setting: usize| self.sets[setting].low.points() + self.sets[setting].high.points();
        let most = members(left).map(total).max();
        let passes = |setting: &usize| {
            let SetHand { low, high } = self.sets[*setting];
            let fits = |Points([lows, highs]): &Points| lows & classes(low) != 0 && highs & classes(high) != 0;
            let has = |Kinds(set): Kinds| {
                self.game.ordered(self.hand, *setting)[1].iter().any(|tile| set >> tile.kind() & 1 == 1)
            };
            let reaches = |Bound(points, kinds)| low >= Half::lowest(self.game.rules(), points, kinds);
            let beaten = |other: usize| self.sets[other].low > low || self.sets[other].high > high;
            (filter.points.is_empty() || filter.points.iter().any(fits))
                && filter.low_at_least.is_none_or(reaches)
                && filter.high_has.is_none_or(has)
                && !(filter.split && high.points() == Half::PAIR)
                // The hand's first two tiles are the best ones, and the first setting puts them together.
                && !(filter.parted && *setting == 0)
                && !(filter.only_way && members(left).any(beaten))
                && !(filter.most_points && Some(total(*setting)) != most)
        };
        members(left).filter(passes).fold(0, |settings, setting| settings | 1 << setting)
    }

    /// Returns the best settings.
    fn best(&self, prefer: Prefer, left: u8) -> u8 {
        let key = |setting: usize| {
            let SetHand { low, high } = self.sets[setting];
            match prefer {
                Prefer::Low => (low, high),
                Prefer::High => (high, low),
                Prefer::LowPoints => (low.only_points(), high.only_points()),
                Prefer::HighPoints => (high.only_points(), low.only_points()),
            }
        };
        let best = members(left).map(key).max();
        members(left).filter(|&setting| Some(key(setting)) == best).fold(0, |set, setting| set | 1 << setting)
    }
}

impl Rule {
    /// Returns the settings that the rule keeps, or `None` if it doesn't apply.
    fn apply(&self, hand: &Candidates<'_>, mut left: u8) -> Option<u8> {
        let passing = |filter: &Filter| hand.passing(filter, left);
        let applies = self.reading.is_none_or(|reading| reading.is_on(hand.game.rules()))
            && (self.hand.is_empty() || self.hand.iter().any(|Tiles(tiles)| holds(hand.hand, tiles, 0)))
            && self.possible.iter().all(|filter| passing(filter) != 0)
            && self.impossible.iter().all(|filter| passing(filter) == 0)
            && self.twice.as_ref().is_none_or(|filter| passing(filter).count_ones() > 1);
        if !applies {
            return None;
        }
        for (place, filter) in self.keep.iter().enumerate() {
            match hand.passing(filter, left) {
                0 if place == 0 => return None,
                0 => {}
                kept => left = kept,
            }
        }
        if let Some(prefer) = self.prefer {
            left = hand.best(prefer, left);
        }
        if let Some(filter) = &self.provided {
            left = hand.passing(filter, left);
        }
        (left != 0).then_some(left)
    }

    /// Returns `true` if the rule applies to every hand and settles it.
    fn is_final(&self) -> bool {
        let settles = matches!(self.prefer, Some(Prefer::Low | Prefer::High));
        let always = self.hand.is_empty() && self.possible.is_empty() && self.impossible.is_empty();
        let keeps_all = self.twice.is_none() && self.keep.is_empty() && self.provided.is_none();
        settles && always && keeps_all && self.reading.is_none()
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

/// Returns `true` if the hand holds different tiles for all the kinds. The bits in `used` mark tiles that are taken.
fn holds(hand: Hand, tiles: &[Kinds], used: u8) -> bool {
    let Some((&Kinds(set), others)) = tiles.split_first() else { return true };
    let fits = |place: &usize| used >> place & 1 == 0 && set >> hand.tiles()[*place].kind() & 1 == 1;
    (0..Hand::TILES).filter(fits).any(|place| holds(hand, others, used | 1 << place))
}

impl Way {
    /// Parses a house way. `origin` is the name used for the text in error messages.
    ///
    /// # Errors
    /// Returns an error with a line number if the text is invalid.
    pub fn parse(text: &str, origin: &str) -> Result<Way, WayError> {
        let error = |start: usize, message: String| WayError::Line {
            origin: origin.to_owned(),
            line: line_of(text, start),
            message,
        };
        let way: Way = toml::from_str(text)
            .map_err(|e| error(e.span().map_or(0, |span| span.start), e.message().trim().replace('\n', " ")))?;
        names::check(&way.name).map_err(|problem| error(0, problem.to_string()))?;
        for line in [&way.title, &way.source] {
            names::check_line(line).map_err(|problem| error(0, problem.to_string()))?;
        }
        for (place, rule) in way.rules.iter().enumerate() {
            let (start, Rule { name, text, .. }) = (rule.span().start, rule.get_ref());
            for line in [name, text] {
                names::check_line(line).map_err(|problem| error(start, problem.to_string()))?;
            }
            if way.rules[..place].iter().any(|other| other.get_ref().name == *name) {
                return Err(error(start, format!("the rule name \"{name}\" is already taken")));
            }
        }
        match way.rules.last() {
            Some(last) if last.get_ref().is_final() => Ok(way),
            last => {
                let message =
                    "the last rule must apply to all hands: only a name, a text and prefer = \"low\" or \"high\"";
                Err(error(last.map_or(0, |last| last.span().start), message.to_owned()))
            }
        }
    }

    /// Loads a house way, given as the name of a built-in house way, the path to a file, or the text of such a file,
    /// which is any string with a line break.
    ///
    /// # Errors
    /// Returns an error if neither a house way nor a file is found, or if the file is invalid.
    pub fn load(given: &str) -> Result<Way, WayError> {
        Way::parse(&text_in(&WAYS, given)?, if given.contains('\n') { "text" } else { given })
    }

    /// Returns the built-in house way with the given name, or `None` if there is none.
    pub fn named(name: &str) -> Option<Way> {
        files::text_of(&WAYS, name).map(|text| Way::parse(text, name).expect("the built-in house ways are valid"))
    }

    /// Returns the name used in commands and tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the casino, or the origin of the rules.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the publication that contains the rules.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the rule with this index.
    ///
    /// # Panics
    /// Panics if there is no such rule.
    pub fn rule(&self, index: usize) -> &Rule {
        self.rules[index].get_ref()
    }

    /// Returns the number of rules.
    pub const fn rules(&self) -> usize {
        self.rules.len()
    }

    /// Returns the setting for a hand.
    pub fn choose(&self, game: &Game, hand: Hand) -> Choice {
        let hand = Candidates { game, hand, sets: game.sets(hand) };
        let (mut left, mut chosen) = ((1u8 << Hand::SETTINGS) - 1, 0);
        for (index, rule) in self.rules.iter().enumerate() {
            let Some(kept) = rule.get_ref().apply(&hand, left) else { continue };
            (left, chosen) = (kept, index);
            let mut sets = members(left).map(|setting| hand.sets[setting]);
            let first = sets.next();
            if sets.all(|set| Some(set) == first) {
                break;
            }
        }
        Choice { setting: left.trailing_zeros() as usize, rule: chosen }
    }
}
