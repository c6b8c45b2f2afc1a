//! House ways: rules and readings, with the selected options.

use super::rule::Rule;
use crate::files::{self, NamedText};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Names and contents of the built-in house ways: those of casinos, published strategies, and lists found by
/// `houseway search`.
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
);

/// Number of casino house ways, which come first in [`BUILT_IN`].
const CASINO_WAYS: usize = 7;

/// Names and contents of the built-in casino house ways; the others are strategies for players.
pub const CASINOS: &[NamedText] = BUILT_IN.split_at(CASINO_WAYS).0;

/// Number of house ways from casinos and published strategies, which come first in [`BUILT_IN`].
const PUBLISHED_WAYS: usize = CASINO_WAYS + 3;

/// House ways from casinos and published strategies.
pub const PUBLISHED: &[NamedText] = BUILT_IN.split_at(PUBLISHED_WAYS).0;

/// An error in a house way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WayError {
    /// The name is neither that of a built-in house way nor an existing file.
    #[error("unknown house way \"{name}\": expected a file ({reason}) or one of {known}")]
    NotFound {
        /// Requested name.
        name: String,
        /// Names of the built-in house ways.
        known: String,
        /// Reason why no file was found.
        reason: String,
    },
    /// A file cannot be read.
    #[error("cannot read the house way {path}: {reason}")]
    Unreadable {
        /// Path of the file.
        path: String,
        /// Reason and remedy.
        reason: String,
    },
    /// The text is invalid.
    #[error("{origin}, line {line}: {message}")]
    Line {
        /// Name of the file.
        origin: String,
        /// Line number, starting from 1.
        line: usize,
        /// Problem and remedy.
        message: String,
    },
    /// A reading or option is unknown.
    #[error("{0}")]
    Reading(String),
    /// Some hands match no rule.
    #[error(
        "house way \"{way}\" has no rule for {hands} of 154143080 hands, for example {example}; add a rule for them at the end"
    )]
    Uncovered {
        /// Name of the house way.
        way: String,
        /// Number of such hands.
        hands: u64,
        /// Example of such a hand.
        example: String,
    },
}

/// A named ambiguity in a rule sheet.
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

/// A parsed house way: rules, readings, and selected options.
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
    /// Name of the default house way, which is taken from the source text.
    pub const DEFAULT: &str = "trump-plaza";

    /// Returns `true` if there is a built-in house way with this name.
    pub fn is_built_in(name: &str) -> bool {
        files::text_of(BUILT_IN, name).is_some()
    }

    /// Returns the built-in house way with this name.
    ///
    /// # Errors
    /// Returns an error if no built-in house way has this name.
    pub fn named(name: &str) -> Result<Way, WayError> {
        match files::text_of(BUILT_IN, name) {
            Some(text) => Way::parse(text, &format!("{name}.toml")),
            None => Err(not_found(name, "files are not read here")),
        }
    }

    /// Loads a built-in house way by name, or a file by path.
    ///
    /// # Errors
    /// Returns an error if there is no such house way or file, or if the file is invalid.
    pub fn load(name_or_path: &str) -> Result<Way, WayError> {
        let text = Way::text(name_or_path)?;
        let origin =
            if Way::is_built_in(name_or_path) { format!("{name_or_path}.toml") } else { name_or_path.to_owned() };
        Way::parse(&text, &origin)
    }

    /// Returns the text of a built-in house way by name, or of a file by path.
    ///
    /// # Errors
    /// Returns an error if there is no such house way or file, or if the file cannot be read.
    pub fn text(name_or_path: &str) -> Result<String, WayError> {
        if let Some(text) = files::text_of(BUILT_IN, name_or_path) {
            return Ok(text.to_owned());
        }
        files::read_text(Path::new(name_or_path), files::MAX_TEXT).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => not_found(name_or_path, &error.to_string()),
            _ => WayError::Unreadable { path: name_or_path.to_owned(), reason: error.to_string() },
        })
    }

    /// Returns the name used in file names and tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the casino and location, or the author of the strategy.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the publication that contains the rules.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the readings with their selected options.
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Returns the selected option of each reading, keyed by the reading's name.
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
    /// Returns an error if the reading or option is unknown. The message lists the valid ones.
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

    /// Returns the rules that apply with the selected options, in order.
    pub fn active_rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules().iter().filter(|rule| self.is_active(rule))
    }
}

fn not_found(name: &str, reason: &str) -> WayError {
    WayError::NotFound { name: name.to_owned(), known: files::list(BUILT_IN), reason: reason.to_owned() }
}
