//! Parsing and validation of house-way files.

use super::rule::{Play, Prefer, Rule, When};
use super::words::{self, Part};
use crate::files::{self, NamedText, line_of};
use serde::Deserialize;
use serde::de::{self, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use toml::Spanned;

/// Names and texts of the built-in house ways.
pub const BUILT_IN: &[NamedText] = &files::built_in!(
    "house-ways": "trump-plaza",
    "claridge",
    "ballys-atlantic-city",
    "foxwoods",
    "golden-nugget",
    "flamingo-hilton",
    "mgm-style",
);

/// Maximum number of rules; the longest published sheets need about forty.
const MAX_RULES: usize = 64;

/// Error in a house way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WayError {
    /// Neither a built-in name nor a readable file.
    #[error("unknown house way \"{name}\": expected a file ({reason}) or one of {known}")]
    NotFound {
        /// Name that was requested.
        name: String,
        /// Built-in names.
        known: String,
        /// Reason why the file could not be read.
        reason: String,
    },
    /// Invalid text.
    #[error("{origin}, line {line}: {message}")]
    Line {
        /// Name of the file.
        origin: String,
        /// Line number, from 1.
        line: usize,
        /// Problem and remedy.
        message: String,
    },
    /// Unknown reading or option.
    #[error("{0}")]
    Reading(String),
    /// Hands that match no rule.
    #[error(
        "house way \"{way}\" has no rule for {hands} of 154143080 hands, for example {example}; add a rule for them at the end"
    )]
    Uncovered {
        /// Name of the house way.
        way: String,
        /// Number of hands.
        hands: u64,
        /// Example of such a hand.
        example: String,
    },
}

/// Named ambiguity of a rule sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Name, unique within the house way.
    pub name: String,
    /// Description of the ambiguity.
    pub text: String,
    /// Options, the default first.
    pub options: Vec<String>,
    /// Index of the selected option.
    pub chosen: usize,
}

/// Parsed house way: rules, readings, and selected options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub(super) origin: String,
    name: String,
    title: String,
    source: String,
    readings: Vec<Reading>,
    rules: Vec<Rule>,
}

impl Way {
    /// Name of the default house way, which comes from the source text.
    pub const DEFAULT: &str = "trump-plaza";

    /// Returns `true` if there is a built-in house way with this name.
    pub fn is_built_in(name: &str) -> bool {
        files::text_of(BUILT_IN, name).is_some()
    }

    /// Returns a built-in house way.
    ///
    /// # Errors
    /// If there is none with this name.
    pub fn named(name: &str) -> Result<Way, WayError> {
        match files::text_of(BUILT_IN, name) {
            Some(text) => Way::parse(text, &format!("{name}.toml")),
            None => Err(not_found(name, "files are not read here")),
        }
    }

    /// Loads a built-in house way by name, or a file by path.
    ///
    /// # Errors
    /// If there is neither, or if the file is invalid.
    pub fn load(name_or_path: &str) -> Result<Way, WayError> {
        if Way::is_built_in(name_or_path) {
            return Way::named(name_or_path);
        }
        let text = std::fs::read_to_string(Path::new(name_or_path));
        Way::parse(&text.map_err(|error| not_found(name_or_path, &error.to_string()))?, name_or_path)
    }

    /// Parses a house way; `origin` names the text in errors.
    ///
    /// # Errors
    /// With line and remedy, if the text is invalid.
    pub fn parse(text: &str, origin: &str) -> Result<Way, WayError> {
        let error = |start: usize, message: String| WayError::Line {
            origin: origin.to_owned(),
            line: line_of(text, start),
            message,
        };
        let file: WayFile = toml::from_str(text)
            .map_err(|e| error(e.span().map_or(0, |span| span.start), e.message().trim().replace('\n', " ")))?;
        file.check(text, origin).map_err(|At(start, message)| error(start, message))
    }

    /// Returns the name, as used in file names and tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the casino and location.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the publication of the rules.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the readings with their selected options.
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Returns the selected option of each reading, by name of the reading.
    pub fn chosen_options(&self) -> BTreeMap<String, String> {
        let option = |reading: &Reading| (reading.name.clone(), reading.options[reading.chosen].clone());
        self.readings.iter().map(option).collect()
    }

    /// Returns all rules in the order in which they are tested, including inactive ones.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Selects an option of a reading.
    ///
    /// # Errors
    /// If the reading or option is unknown; the message lists the valid ones.
    pub fn choose(&mut self, reading: &str, option: &str) -> Result<(), WayError> {
        let names: Vec<&str> = self.readings.iter().map(|reading| reading.name.as_str()).collect();
        let message = format!(
            "unknown reading \"{reading}\" of house way \"{}\": expected one of {}",
            self.name,
            names.join(", ")
        );
        let found = self.readings.iter_mut().find(|known| known.name == reading);
        let found = found.ok_or(WayError::Reading(message))?;
        found.chosen = found.options.iter().position(|known| known == option).ok_or_else(|| {
            let options = found.options.join(", ");
            WayError::Reading(format!(
                "unknown option \"{option}\" of reading \"{reading}\": expected one of {options}"
            ))
        })?;
        Ok(())
    }

    /// Returns `true` if the rule applies with the selected options.
    pub fn is_active(&self, rule: &Rule) -> bool {
        rule.readings.iter().all(|(name, option)| {
            self.readings.iter().any(|reading| reading.name == *name && reading.options[reading.chosen] == *option)
        })
    }
}

fn not_found(name: &str, reason: &str) -> WayError {
    WayError::NotFound { name: name.to_owned(), known: files::list(BUILT_IN), reason: reason.to_owned() }
}

/// Error message with its byte offset in the file.
struct At(usize, String);

/// A single value or a list.
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
    name: String,
    title: String,
    source: String,
    #[serde(default)]
    readings: BTreeMap<String, Spanned<ReadingFile>>,
    #[serde(rename = "rule")]
    rules: Vec<Spanned<RuleFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadingFile {
    text: String,
    options: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    name: String,
    text: String,
    #[serde(default)]
    reading: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    when: OneOrMany<WhenFile>,
    play: Spanned<OneOrMany<PlayFile>>,
    #[serde(default)]
    prefer: Prefer,
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
    possible: Option<PlayFile>,
    except: Option<Spanned<OneOrMany<WhenFile>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PlayFile {
    front: Option<Words>,
    front_at_least: Option<Spanned<String>>,
    front_above: Option<Spanned<Box<PlayFile>>>,
    back: Option<Words>,
    back_high: Option<Spanned<String>>,
    except: Option<Spanned<OneOrMany<PlayFile>>>,
}

/// Parses a value; errors carry its position.
fn read<T>(value: &Option<Spanned<String>>, read: fn(&str) -> Result<T, String>) -> Result<Option<T>, At> {
    let value = value.as_ref();
    value.map(|v| read(v.get_ref()).map_err(|message| At(v.span().start, message))).transpose()
}

/// Parses each value of a list; errors carry the position.
fn read_all<T>(values: &Option<Words>, read: fn(&str) -> Result<T, String>) -> Result<Option<Vec<T>>, At> {
    let Some(values) = values else { return Ok(None) };
    let at = |message| At(values.span().start, message);
    values.get_ref().0.iter().map(|value| read(value)).collect::<Result<Vec<T>, String>>().map(Some).map_err(at)
}

/// Checks the entries of `except`. Empty entries are rejected because they match everything.
fn check_except<F, T: Default + PartialEq>(
    entries: &Option<Spanned<OneOrMany<F>>>,
    check: fn(&F) -> Result<T, At>,
    all: &str,
) -> Result<Vec<T>, At> {
    let Some(entries) = entries else { return Ok(Vec::new()) };
    let checked: Vec<T> = entries.get_ref().0.iter().map(check).collect::<Result<_, _>>()?;
    if checked.is_empty() || checked.contains(&T::default()) {
        let message = format!("empty \"except\": it excludes no {all} or all of them; add a condition, or remove it");
        return Err(At(entries.span().start, message));
    }
    Ok(checked)
}

impl PlayFile {
    fn check(&self) -> Result<Play, At> {
        let front_above = self.front_above.as_ref();
        Ok(Play {
            front: read_all(&self.front, words::front_parts)?,
            front_at_least: read(&self.front_at_least, words::front_strength)?,
            front_above: front_above.map(PlayFile::check_front_above).transpose()?,
            back: read_all(&self.back, words::categories)?.map(|bits| bits.into_iter().fold(0, |all, bit| all | bit)),
            back_high: read(&self.back_high, words::ranks)?,
            except: check_except(&self.except, PlayFile::check, "setting")?,
        })
    }

    fn check_front_above(other: &Spanned<Box<PlayFile>>) -> Result<Box<Play>, At> {
        let play = other.get_ref().check()?;
        if play == Play::default() {
            let message = "empty \"front-above\": no front is above all others; give a play whose fronts it must beat";
            return Err(At(other.span().start, message.to_owned()));
        }
        Ok(Box::new(play))
    }
}

impl WhenFile {
    fn check(&self) -> Result<When, At> {
        let shapes = read_all(&self.shape, words::shape)?;
        let parts = [
            (Part::Aces, &self.aces),
            (Part::Quads, &self.quads),
            (Part::Trips, &self.trips),
            (Part::SecondTrips, &self.second_trips),
            (Part::Pair, &self.pair),
            (Part::HighPair, &self.high_pair),
            (Part::MiddlePair, &self.middle_pair),
            (Part::LowPair, &self.low_pair),
            (Part::Single, &self.single),
        ];
        let mut ranks = Vec::new();
        for (part, value) in parts {
            ranks.extend(read(value, words::ranks)?.map(|mask| (part, mask)));
        }
        Ok(When {
            shapes: shapes.map(|shapes| shapes.into_iter().fold(0, |mask, shape| mask | 1 << shape as u16)),
            ranks,
            second_single: read(&self.second_single, words::ranks)?,
            possible: self.possible.as_ref().map(PlayFile::check).transpose()?,
            except: check_except(&self.except, WhenFile::check, "hand")?,
        })
    }
}

impl WayFile {
    fn check(self, text: &str, origin: &str) -> Result<Way, At> {
        let mut readings = Vec::new();
        for (name, reading) in self.readings {
            let start = reading.span().start;
            let ReadingFile { text, options } = reading.into_inner();
            if options.len() < 2 {
                return Err(At(start, format!("reading \"{name}\" must have at least two options")));
            }
            readings.push(Reading { name, text, options, chosen: 0 });
        }
        let mut rules: Vec<Rule> = Vec::new();
        for rule in &self.rules {
            let at = |message| At(rule.span().start, message);
            let checked = check_rule(rule, text, &readings)?;
            if rules.iter().any(|other| other.name == checked.name) {
                return Err(at(format!("duplicate rule name \"{}\"", checked.name)));
            }
            rules.push(checked);
        }
        if rules.len() > MAX_RULES {
            let message = format!("{} rules exceed the maximum of {MAX_RULES}", rules.len());
            return Err(At(0, message));
        }
        let (name, title, source) = (self.name, self.title, self.source);
        Ok(Way { origin: origin.to_owned(), name, title, source, readings, rules })
    }
}

fn check_rule(rule: &Spanned<RuleFile>, text: &str, readings: &[Reading]) -> Result<Rule, At> {
    let file = rule.get_ref();
    for (name, option) in &file.reading {
        let at = |message| At(option.span().start, message);
        let reading = readings.iter().find(|reading| reading.name == *name);
        let reading =
            reading.ok_or_else(|| at(format!("unknown reading \"{name}\"; add [readings.{name}] with its options")))?;
        if !reading.options.contains(option.get_ref()) {
            let options = reading.options.join(", ");
            return Err(at(format!(
                "unknown option \"{}\" of reading \"{name}\": expected one of {options}",
                option.get_ref()
            )));
        }
    }
    let plays: Vec<Play> = file.play.get_ref().0.iter().map(PlayFile::check).collect::<Result<_, _>>()?;
    if plays.is_empty() {
        return Err(At(file.play.span().start, format!("rule \"{}\" has no play", file.name)));
    }
    Ok(Rule {
        name: file.name.clone(),
        text: file.text.clone(),
        line: line_of(text, rule.span().start),
        readings: file.reading.iter().map(|(name, option)| (name.clone(), option.get_ref().clone())).collect(),
        when: file.when.0.iter().map(WhenFile::check).collect::<Result<_, _>>()?,
        plays,
        prefer: file.prefer,
    })
}
