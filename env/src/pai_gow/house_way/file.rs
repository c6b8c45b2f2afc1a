//! House ways with their rules, readings and selected options.

use super::rule::Rule;
use crate::files::{self, NamedText};
use crate::names;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The names and contents of the built-in house ways. They come from casinos, published strategies, searches with
/// `houseway search`, a card room, and a dealers' school.
pub const BUILT_IN: &[NamedText] = &files::built_in!(
    "house-ways": "trump-plaza",
    "claridge",
    "ballys-atlantic-city",
    "foxwoods",
    "golden-nugget",
    "flamingo-hilton",
    "mgm-style",
    "wizard-two-pair",
    "balance-of-power",
    "wong",
    "houseway-4",
    "houseway-6",
    "houseway-8",
    "houseway-12",
    "houseway-20",
    "casino-real-california",
    "gold-star-school",
);

/// The number of house ways in [`CASINOS`]. They come first in [`BUILT_IN`].
const CASINO_WAYS: usize = 7;

/// The built-in house ways of the casinos that comparisons include by default.
pub const CASINOS: &[NamedText] = BUILT_IN.split_at(CASINO_WAYS).0;

/// The number of house ways from casinos and published strategies. They come first in [`BUILT_IN`].
const PUBLISHED_WAYS: usize = CASINO_WAYS + 3;

/// The built-in house ways from casinos and published strategies.
pub const PUBLISHED: &[NamedText] = BUILT_IN.split_at(PUBLISHED_WAYS).0;

/// An error that occurs when loading or compiling a house way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WayError {
    /// There is neither a built-in house way nor a file with this name.
    #[error("unknown house way \"{name}\": {known}, or a file ({reason})")]
    NotFound {
        /// The requested name.
        name: String,
        /// The names that are expected instead.
        known: String,
        /// The reason why no file was found.
        reason: String,
    },
    /// The text is invalid.
    #[error("{origin}, line {line}: {message}")]
    Line {
        /// The name of the file.
        origin: String,
        /// The line number, starting from 1.
        line: usize,
        /// A description of the problem and how to fix it.
        message: String,
    },
    /// The file cannot be read, a reading or option is unknown, or no rule matches some hands.
    #[error("{0}")]
    Invalid(String),
}

/// A named ambiguity in a rule sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The reading's name. Unique within the house way.
    pub name: String,
    /// A description of the ambiguity.
    pub text: String,
    /// The line where the reading is defined, counting from 1.
    pub line: usize,
    /// The options, starting with the default.
    pub options: Vec<String>,
    /// The index of the selected option.
    pub chosen: usize,
}

/// A parsed house way with its rules, readings and selected options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub(super) origin: String,
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) readings: Vec<Reading>,
    pub(super) rules: Vec<Rule>,
}

impl Way {
    /// The name of the default house way, taken from the source text.
    pub const DEFAULT: &str = "trump-plaza";

    /// Returns `true` if a built-in house way has this name.
    pub fn is_built_in(name: &str) -> bool {
        files::text_of(BUILT_IN, name).is_some()
    }

    /// Returns the built-in house way with the given name.
    ///
    /// # Errors
    /// Returns an error if there is no built-in house way with this name.
    pub fn named(name: &str) -> Result<Way, WayError> {
        match files::text_of(BUILT_IN, name) {
            Some(text) => Way::parse(text, &format!("{name}.toml")),
            None => Err(not_found(BUILT_IN, name, "files are not supported here")),
        }
    }

    /// Loads a house way, given as the name of a built-in house way, the path to a file, or the text of such a file,
    /// which is any string with a line break.
    ///
    /// # Errors
    /// Returns an error if neither a house way nor a file is found, or if the file is invalid.
    pub fn load(given: &str) -> Result<Way, WayError> {
        let text = Way::text(given)?;
        let origin = match given {
            _ if given.contains('\n') => "text".to_owned(),
            _ if Way::is_built_in(given) => format!("{given}.toml"),
            _ => given.to_owned(),
        };
        Way::parse(&text, &origin)
    }

    /// Returns the text of a house way, given in the same forms as for [`Way::load`].
    ///
    /// # Errors
    /// Returns an error if neither a house way nor a file is found, or if the file cannot be read.
    pub fn text(name_or_path: &str) -> Result<String, WayError> {
        text_in(BUILT_IN, name_or_path)
    }

    /// Returns the name used in file names and tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the house way as an argument of a command: its name if it's built in, and its file otherwise.
    pub fn argument(&self) -> &str {
        if Way::is_built_in(&self.name) { &self.name } else { &self.origin }
    }

    /// Returns the casino and its location, or the author of the strategy.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the publication that contains the rules, with its author and date, or "unknown".
    pub fn source(&self) -> &str {
        names::source_or_unknown(&self.source)
    }

    /// Returns the readings with their selected options.
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Returns the name of each reading with its selected option.
    pub fn chosen_options(&self) -> BTreeMap<String, String> {
        let option = |reading: &Reading| (reading.name.clone(), reading.options[reading.chosen].clone());
        self.readings.iter().map(option).collect()
    }

    /// Returns all rules in the order in which they are tried, including inactive ones.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Selects an option for a reading.
    ///
    /// # Errors
    /// Returns an error that lists the valid values if the reading or option is unknown.
    pub fn choose(&mut self, reading: &str, option: &str) -> Result<(), WayError> {
        let names: Vec<&str> = self.readings.iter().map(|reading| reading.name.as_str()).collect();
        let none = || "it has no readings; leave this one out".to_owned();
        let expected = if names.is_empty() { none() } else { names::expected(reading, names) };
        let message = format!("unknown reading \"{reading}\" of house way \"{}\": {expected}", self.name);
        let found = self.readings.iter_mut().find(|known| known.name == reading);
        let found = found.ok_or(WayError::Invalid(message))?;
        found.chosen = found.options.iter().position(|known| known == option).ok_or_else(|| {
            let expected = names::expected(option, found.options.iter().map(String::as_str));
            WayError::Invalid(format!("unknown option \"{option}\" of reading \"{reading}\": {expected}"))
        })?;
        Ok(())
    }

    /// Returns `true` if the rule is active with the selected options.
    pub fn is_active(&self, rule: &Rule) -> bool {
        rule.readings.iter().all(|(name, option)| self.is_selected(name, option))
    }

    /// Returns `true` if this option of a reading is selected.
    pub(super) fn is_selected(&self, name: &str, option: &str) -> bool {
        self.readings.iter().any(|reading| reading.name == name && reading.options[reading.chosen] == option)
    }

    /// Returns an iterator over the rules that are active with the selected options, in order.
    pub fn active_rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules().iter().filter(|rule| self.is_active(rule))
    }
}

/// Returns the text of a house way of any game, given as the name of one of its built-in house ways, the path to a file,
/// or the text itself.
pub(crate) fn text_in(built_in: &[NamedText], given: &str) -> Result<String, WayError> {
    if given.contains('\n') {
        return Ok(given.to_owned());
    }
    if let Some(text) = files::text_of(built_in, given) {
        return Ok(text.to_owned());
    }
    let path = Path::new(given);
    let extension = path.extension().and_then(|extension| extension.to_str());
    if path.join("weights.safetensors").exists() || matches!(extension, Some("safetensors" | "parquet")) {
        return Err(WayError::Invalid(format!(
            "{given} isn't a house way: trained agents and strategy tables have no rules; use a house way here"
        )));
    }
    files::read_text(path, files::MAX_TEXT).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if given.ends_with(".toml") => {
            WayError::Invalid(format!("there is no house way file {given}; check its path"))
        }
        io::ErrorKind::NotFound => not_found(built_in, given, "no file has this name"),
        _ => WayError::Invalid(format!("cannot read the house way {given}: {error}")),
    })
}

fn not_found(built_in: &[NamedText], name: &str, reason: &str) -> WayError {
    let known = names::expected(name, built_in.iter().map(|(name, _)| *name));
    WayError::NotFound { name: name.to_owned(), known, reason: reason.to_owned() }
}
