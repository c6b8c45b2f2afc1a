//! Parsing and validation of house-way files.
//!
//! Limits ensure that every file is either rejected or compiled within a few seconds. Compilation time is proportional
//! to the number of plays and conditions, including nested ones. A file can have at most [`MAX_ENTRIES`] of them.

use super::file::{Reading, Way, WayError};
use super::rule::{Half, Play, Rule, When};
use super::words::{self, Part, Place};
use crate::files::{self, line_of};
use crate::names::{self, InvalidText};
use serde::Deserialize;
use serde::de::{self, SeqAccess, Visitor};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;
use toml::Spanned;

/// The maximum number of rules. The longest published sheets need about forty.
const MAX_RULES: usize = 64;
/// The maximum number of plays and conditions in a file, including nested ones. The longest published sheets need about
/// 150.
const MAX_ENTRIES: usize = 500;
/// The maximum nesting depth for plays and conditions.
const MAX_DEPTH: usize = 8;
/// The maximum number of readings per file and options per reading.
const MAX_READINGS: usize = 32;
/// The maximum number of shape groups.
const MAX_GROUPS: usize = 32;

/// The names of strategies that aren't stored in files.
const RESERVED: [&str; 4] = ["optimal", "random", "highest-front", "lowest-front"];

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
        if text.len() as u64 > files::MAX_TEXT {
            let message = format!("{} bytes exceed the maximum of {}", text.len(), files::MAX_TEXT);
            return Err(error(files::MAX_TEXT as usize, message));
        }
        let file: WayFile = toml::from_str(text).map_err(|e| {
            let start = e.span().map_or(0, |span| span.start);
            let message = names::with_hint(&e.message().trim().replace('\n', " "));
            let is_second_rule = text[..start].ends_with('[') && text[start..].starts_with("rule]");
            error(start, if is_second_rule { message + "; begin each rule with [[rule]], not [rule]" } else { message })
        })?;
        let mut checker = Checker { text, entries: 0, groups: BTreeMap::new(), used_groups: BTreeSet::new() };
        checker.way(file, origin).map_err(|At(start, message)| error(start, message))
    }

    /// Returns `true` if both house ways are the same except for the origin of their text.
    fn has_content_of(&self, other: &Way) -> bool {
        let rules = self.rules.iter().zip(&other.rules);
        let mut readings = self.readings.iter().zip(&other.readings);
        self.readings.len() == other.readings.len()
            && readings.all(|(a, b)| Reading { line: b.line, ..a.clone() } == *b)
            && self.rules.len() == other.rules.len()
            && rules.into_iter().all(|(a, b)| Rule { line: b.line, ..a.clone() } == *b)
    }
}

/// An error message and the byte offset that it refers to.
struct At(usize, String);

/// A list that can also be written as a single value.
#[derive(Debug)]
struct OneOrMany<T>(Vec<T>);

impl<T> Default for OneOrMany<T> {
    fn default() -> OneOrMany<T> {
        OneOrMany(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<OneOrMany<T>, D::Error> {
        struct OneOrManyVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrManyVisitor<T> {
            type Value = OneOrMany<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an entry or a list of entries")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<OneOrMany<T>, E> {
                T::deserialize(de::value::StrDeserializer::new(text)).map(|one| OneOrMany(vec![one]))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<OneOrMany<T>, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(|one| OneOrMany(vec![one]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OneOrMany<T>, A::Error> {
                let mut many = Vec::new();
                while let Some(entry) = list.next_element()? {
                    if many.len() == MAX_ENTRIES {
                        return Err(de::Error::custom(format!("a list must not have more than {MAX_ENTRIES} entries")));
                    }
                    many.push(entry);
                }
                Ok(OneOrMany(many))
            }
        }
        deserializer.deserialize_any(OneOrManyVisitor(PhantomData))
    }
}

type Words = Spanned<OneOrMany<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WayFile {
    name: Spanned<String>,
    title: Spanned<String>,
    source: Spanned<String>,
    #[serde(default)]
    readings: BTreeMap<String, Spanned<ReadingFile>>,
    #[serde(default)]
    groups: BTreeMap<String, Words>,
    #[serde(rename = "rule")]
    rules: Vec<Spanned<RuleFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadingFile {
    text: Spanned<String>,
    options: Spanned<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    name: Spanned<String>,
    text: Spanned<String>,
    #[serde(default)]
    reading: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    when: OneOrMany<WhenFile>,
    play: Spanned<OneOrMany<PlayFile>>,
    #[serde(default)]
    prefer: Half,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WhenFile {
    shape: Option<Words>,
    aces: Option<Spanned<String>>,
    quads: Option<Spanned<String>>,
    trips: Option<Spanned<String>>,
    second_trips: Option<Spanned<String>>,
    pair: Option<Spanned<String>>,
    high_pair: Option<Spanned<String>>,
    middle_pair: Option<Spanned<String>>,
    low_pair: Option<Spanned<String>>,
    single: Option<Spanned<String>>,
    second_single: Option<Spanned<String>>,
    third_single: Option<Spanned<String>>,
    fourth_single: Option<Spanned<String>>,
    fifth_single: Option<Spanned<String>>,
    pair_sum: Option<Spanned<String>>,
    joker: Option<bool>,
    possible: Option<PlayFile>,
    except: Option<Spanned<OneOrMany<WhenFile>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PlayFile {
    front: Option<Words>,
    front_at_least: Option<Spanned<String>>,
    front_at_most: Option<Spanned<String>>,
    front_above: Option<Spanned<Box<PlayFile>>>,
    back: Option<Words>,
    back_high: Option<Spanned<String>>,
    joker: Option<Half>,
    except: Option<Spanned<OneOrMany<PlayFile>>>,
}

/// Parses an optional value. Errors include its position.
fn read<T>(value: &Option<Spanned<String>>, read: fn(&str) -> Result<T, String>) -> Result<Option<T>, At> {
    let value = value.as_ref();
    value.map(|v| read(v.get_ref()).map_err(|message| At(v.span().start, message))).transpose()
}

/// Parses a list of values and combines them into a bit mask. Errors include the position of the list.
fn read_mask<T: Copy + Default + std::ops::BitOr<Output = T>>(
    values: Option<&Words>,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, At> {
    let Some(values) = values else { return Ok(None) };
    let at = |message| At(values.span().start, message);
    let mut mask = T::default();
    for value in &values.get_ref().0 {
        mask = mask | read(value).map_err(at)?;
    }
    Ok(Some(mask))
}

/// Validates a name or text.
fn checked(text: &Spanned<String>, check: fn(&str) -> Result<(), InvalidText>) -> Result<String, At> {
    check(text.get_ref()).map_err(|error| At(text.span().start, error.to_string()))?;
    Ok(text.get_ref().clone())
}

/// The state of the validation. It keeps track of how many plays and conditions there are and which groups are used.
struct Checker<'a> {
    text: &'a str,
    entries: usize,
    /// The shapes in each group as a bit mask.
    groups: BTreeMap<String, u16>,
    used_groups: BTreeSet<String>,
}

impl Checker<'_> {
    /// Counts a play or condition. `at` is the position of the enclosing rule or key.
    fn enter(&mut self, depth: usize, at: usize) -> Result<(), At> {
        self.entries += 1;
        if self.entries > MAX_ENTRIES {
            let message =
                format!("more than {MAX_ENTRIES} plays and conditions, including nested ones; simplify the rules");
            return Err(At(at, message));
        }
        if depth > MAX_DEPTH {
            return Err(At(at, format!("plays and conditions must not be nested more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    /// Checks the entries of an `except` key. Empty entries are rejected, as they would match everything.
    fn except<F, T: Default + PartialEq>(
        &mut self,
        entries: &Option<Spanned<OneOrMany<F>>>,
        check: fn(&mut Self, &F, usize, usize) -> Result<T, At>,
        depth: usize,
        all: &str,
    ) -> Result<Vec<T>, At> {
        let Some(entries) = entries else { return Ok(Vec::new()) };
        let at = entries.span().start;
        let list = entries.get_ref().0.iter();
        let checked: Vec<T> = list.map(|entry| check(self, entry, depth + 1, at)).collect::<Result<_, _>>()?;
        if checked.is_empty() || checked.contains(&T::default()) {
            let message = format!("empty \"except\" excludes no {all} or all of them; add a condition or remove it");
            return Err(At(at, message));
        }
        Ok(checked)
    }

    fn play(&mut self, file: &PlayFile, depth: usize, at: usize) -> Result<Play, At> {
        self.enter(depth, at)?;
        let front_above = file.front_above.as_ref();
        Ok(Play {
            front: read_mask(file.front.as_ref(), words::front_cards)?,
            front_at_least: read(&file.front_at_least, words::min_front)?,
            front_at_most: read(&file.front_at_most, words::max_front)?,
            front_above: front_above.map(|other| self.front_above(other, depth)).transpose()?,
            back: read_mask(file.back.as_ref(), words::categories)?,
            back_high: read(&file.back_high, words::ranks)?,
            joker: file.joker,
            except: self.except(&file.except, Self::play, depth, "setting")?,
        })
    }

    fn front_above(&mut self, other: &Spanned<Box<PlayFile>>, depth: usize) -> Result<Box<Play>, At> {
        let at = other.span().start;
        let play = self.play(other.get_ref(), depth + 1, at)?;
        if play == Play::default() {
            let message = "empty \"front-above\" can never match; add a play whose fronts must be beaten";
            return Err(At(at, message.to_owned()));
        }
        Ok(Box::new(play))
    }

    fn when(&mut self, file: &WhenFile, depth: usize, at: usize) -> Result<When, At> {
        self.enter(depth, at)?;
        let places = [
            (Place::part(Part::Aces), &file.aces),
            (Place::part(Part::Quads), &file.quads),
            (Place::part(Part::Trips), &file.trips),
            (Place::part(Part::SecondTrips), &file.second_trips),
            (Place::part(Part::Pair), &file.pair),
            (Place::part(Part::HighPair), &file.high_pair),
            (Place::part(Part::MiddlePair), &file.middle_pair),
            (Place::part(Part::LowPair), &file.low_pair),
            (Place::single(0), &file.single),
            (Place::single(1), &file.second_single),
            (Place::single(2), &file.third_single),
            (Place::single(3), &file.fourth_single),
            (Place::single(4), &file.fifth_single),
        ];
        let mut ranks = Vec::new();
        for (place, value) in places {
            ranks.extend(read(value, words::ranks)?.map(|mask| (place, mask)));
        }
        for word in file.shape.iter().flat_map(|shapes| &shapes.get_ref().0) {
            if self.groups.contains_key(word) {
                self.used_groups.insert(word.clone());
            }
        }
        Ok(When {
            shapes: read_mask(file.shape.as_ref(), |word| words::shapes(word, &self.groups))?,
            ranks,
            pair_sum: read(&file.pair_sum, words::pair_sums)?,
            joker: file.joker,
            possible: file.possible.as_ref().map(|play| self.play(play, depth + 1, at)).transpose()?,
            except: self.except(&file.except, Self::when, depth, "hand")?,
        })
    }

    fn rule(&mut self, rule: &Spanned<RuleFile>, readings: &[Reading]) -> Result<Rule, At> {
        let (file, at) = (rule.get_ref(), rule.span().start);
        check_reading_of(file, readings)?;
        let name = checked(&file.name, names::check_line)?;
        let plays = file.play.get_ref().0.iter().map(|play| self.play(play, 1, file.play.span().start));
        let plays: Vec<Play> = plays.collect::<Result<_, _>>()?;
        if plays.is_empty() {
            return Err(At(file.play.span().start, format!("rule \"{name}\" must have at least one play")));
        }
        Ok(Rule {
            name,
            text: checked(&file.text, names::check_prose)?,
            line: line_of(self.text, at),
            readings: file.reading.iter().map(|(name, option)| (name.clone(), option.get_ref().clone())).collect(),
            when: file.when.0.iter().map(|when| self.when(when, 1, at)).collect::<Result<_, _>>()?,
            plays,
            prefer: file.prefer,
        })
    }

    fn way(&mut self, file: WayFile, origin: &str) -> Result<Way, At> {
        let name = way_name(&file.name)?;
        let readings = self.readings(&file.readings)?;
        if let Some(rule) = file.rules.get(MAX_RULES) {
            let message = format!("{} rules exceed the maximum of {MAX_RULES}", file.rules.len());
            return Err(At(rule.span().start, message));
        }
        self.groups = checked_groups(&file.groups)?;
        let mut rules: Vec<Rule> = Vec::new();
        for rule in &file.rules {
            let checked = self.rule(rule, &readings)?;
            if rules.iter().any(|other| other.name == checked.name) {
                return Err(At(rule.span().start, format!("duplicate rule name \"{}\"", checked.name)));
            }
            rules.push(checked);
        }
        if let Some((name, group)) = file.groups.iter().find(|(name, _)| !self.used_groups.contains(*name)) {
            return Err(At(group.span().start, format!("unused group \"{name}\"; use it in a rule or remove it")));
        }
        let [title, source] = [&file.title, &file.source].map(|text| checked(text, names::check_line));
        let (title, source) = (title?, source?);
        let way = Way { origin: origin.to_owned(), name, title, source, readings, rules };
        match files::text_of(super::BUILT_IN, &way.name) {
            // A file may use the name of a built-in house way if its content is the same.
            Some(built_in)
                if built_in != self.text && Way::named(&way.name).is_ok_and(|own| !own.has_content_of(&way)) =>
            {
                let message = format!("the name \"{}\" is used by a built-in house way; choose another name", way.name);
                Err(At(file.name.span().start, message))
            }
            _ => Ok(way),
        }
    }

    fn readings(&self, files: &BTreeMap<String, Spanned<ReadingFile>>) -> Result<Vec<Reading>, At> {
        let mut readings = Vec::new();
        for (name, reading) in files {
            let at = |message| At(reading.span().start, message);
            if readings.len() == MAX_READINGS {
                return Err(at(format!("{} readings exceed the maximum of {MAX_READINGS}", files.len())));
            }
            let ReadingFile { text, options } = reading.get_ref();
            let of_options = |message| At(options.span().start, message);
            let options = options.get_ref().clone();
            if options.len() < 2 {
                return Err(at(format!("reading \"{name}\" must have at least two options")));
            }
            if options.len() > MAX_READINGS {
                return Err(of_options(format!("{} options exceed the maximum of {MAX_READINGS}", options.len())));
            }
            if let Some(twice) = (1..options.len()).find(|&i| options[..i].contains(&options[i])) {
                return Err(of_options(format!("option \"{}\" is listed twice", options[twice])));
            }
            names::check(name).map_err(|error| at(error.to_string()))?;
            options
                .iter()
                .try_for_each(|option| names::check(option))
                .map_err(|error| of_options(error.to_string()))?;
            let line = line_of(self.text, reading.span().start);
            let text = checked(text, names::check_prose)?;
            readings.push(Reading { name: name.clone(), text, line, options, chosen: 0 });
        }
        Ok(readings)
    }
}

fn way_name(name: &Spanned<String>) -> Result<String, At> {
    let plain = checked(name, names::check)?;
    match RESERVED.into_iter().find(|reserved| plain.eq_ignore_ascii_case(reserved)) {
        Some(reserved) => {
            Err(At(name.span().start, format!("the name \"{reserved}\" is reserved; choose another name")))
        }
        None => Ok(plain),
    }
}

/// Parses shape groups into bit masks. Groups can't refer to other groups.
fn checked_groups(files: &BTreeMap<String, Words>) -> Result<BTreeMap<String, u16>, At> {
    let mut groups = BTreeMap::new();
    for (name, shapes) in files {
        let at = |message| At(shapes.span().start, message);
        if groups.len() == MAX_GROUPS {
            return Err(at(format!("{} groups exceed the maximum of {MAX_GROUPS}", files.len())));
        }
        if words::shape(name).is_some() {
            return Err(at(format!("the name \"{name}\" is used by a shape; choose another name")));
        }
        names::check(name).map_err(|error| at(error.to_string()))?;
        let shapes = read_mask(Some(shapes), |word| words::shapes(word, &BTreeMap::new()))?.unwrap_or_default();
        if shapes == 0 {
            return Err(at(format!("empty group \"{name}\"; add shapes or remove it")));
        }
        groups.insert(name.clone(), shapes);
    }
    Ok(groups)
}

fn check_reading_of(rule: &RuleFile, readings: &[Reading]) -> Result<(), At> {
    for (name, option) in &rule.reading {
        let at = |message| At(option.span().start, message);
        let reading = readings.iter().find(|reading| reading.name == *name);
        let reading =
            reading.ok_or_else(|| at(format!("unknown reading \"{name}\"; add [readings.{name}] with its options")))?;
        if !reading.options.contains(option.get_ref()) {
            let expected = names::expected(option.get_ref(), reading.options.iter().map(String::as_str));
            return Err(at(format!("unknown option \"{}\" of reading \"{name}\": {expected}", option.get_ref())));
        }
    }
    Ok(())
}
