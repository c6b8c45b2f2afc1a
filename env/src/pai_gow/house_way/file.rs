//! House ways: rules and readings, with their selected options.

use super::rule::Rule;
use crate::files::{self, NamedText};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Names and texts of the built-in house ways: those of casinos, published strategies, and lists that `houseway search` found.
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

/// Number of house ways of casinos, the first of [`BUILT_IN`].
const CASINO_WAYS: usize = 7;

/// Names and texts of the built-in house ways of casinos; the other ones are strategies for players.
pub const CASINOS: &[NamedText] = BUILT_IN.split_at(CASINO_WAYS).0;

/// Number of house ways of casinos and of published strategies, the first of [`BUILT_IN`].
const PUBLISHED_WAYS: usize = CASINO_WAYS + 3;

/// House ways of casinos, and published strategies.
pub const PUBLISHED: &[NamedText] = BUILT_IN.split_at(PUBLISHED_WAYS).0;

/// Error in a house way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WayError {
    /// Neither a built-in name nor a file.
    #[error("unknown house way \"{name}\": expected a file ({reason}) or one of {known}")]
    NotFound {
        /// Name that was requested.
        name: String,
        /// Built-in names.
        known: String,
        /// Reason why there is no file.
        reason: String,
    },
    /// A file that cannot be read.
    #[error("cannot read the house way {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Reason and remedy.
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
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) readings: Vec<Reading>,
    pub(super) rules: Vec<Rule>,
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
    /// Returns an error if there is none with this name.
    pub fn named(name: &str) -> Result<Way, WayError> {
        match files::text_of(BUILT_IN, name) {
            Some(text) => Way::parse(text, &format!("{name}.toml")),
            None => Err(not_found(name, "files are not read here")),
        }
    }

    /// Loads a built-in house way by name, or a file by path.
    ///
    /// # Errors
    /// Returns an error if there is neither, or if the file is invalid.
    pub fn load(name_or_path: &str) -> Result<Way, WayError> {
        let text = Way::text(name_or_path)?;
        let origin =
            if Way::is_built_in(name_or_path) { format!("{name_or_path}.toml") } else { name_or_path.to_owned() };
        Way::parse(&text, &origin)
    }

    /// Returns the text of a built-in house way by name, or of a file by path.
    ///
    /// # Errors
    /// Returns an error if there is neither, or if the file cannot be read.
    pub fn text(name_or_path: &str) -> Result<String, WayError> {
        if let Some(text) = files::text_of(BUILT_IN, name_or_path) {
            return Ok(text.to_owned());
        }
        files::read_text(Path::new(name_or_path), files::MAX_TEXT).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => not_found(name_or_path, &error.to_string()),
            _ => WayError::Unreadable { path: name_or_path.to_owned(), reason: error.to_string() },
        })
    }

    /// Returns the name, as used in file names and tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the casino and location, or the author of the strategy.
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
    /// Returns an error if the reading or option is unknown; the message lists the valid ones.
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
