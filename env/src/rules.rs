//! Rules represented as plain data, with parameters, readings, variants and their defaults.
//!
//! A *reading* is one interpretation of an ambiguous sentence in the source, and a *variant* is a rule that
//! deliberately differs from the source. Both are fields with named options. [`rules!`](crate::rules!) declares a
//! game's rules as a list, so that every rule appears only once, together with its options and documentation.
//! [`RuleSet`] applies changes written as text, e.g. on the command line, and identifies a set of rules by a hash that
//! is included in every result.

use crate::gym::MakeError;
use crate::names::{self, InvalidText, NUMBER_TYPES};
use crate::seal::hex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// A rule. Readings and variants have named options, and parameters have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleReading {
    /// The rule's name in kebab-case.
    pub name: &'static str,
    /// The rule's documentation, with the line breaks of the source code.
    pub doc: &'static str,
    /// The names of the options, starting with the default.
    pub options: &'static [&'static str],
    /// The documentation of the options in the same order. Empty if the options are file names.
    pub option_docs: &'static [&'static str],
}

/// The rules of a game without their type.
#[derive(Clone, Copy, Debug)]
pub struct RuleTable {
    /// The rules that are plain parameters.
    pub parameters: &'static [RuleReading],
    /// The rules that interpret an ambiguous source. The first option of each is the default.
    pub readings: &'static [RuleReading],
    /// The rules that deliberately differ from the source. The first option of each is the default.
    pub variants: &'static [RuleReading],
    /// Returns the default rules as JSON.
    pub defaults: fn() -> Map<String, Value>,
    /// Returns the [hash](RuleSet::hash) of rules given as a JSON object. Rules that aren't listed keep their defaults.
    ///
    /// # Errors
    /// Returns an error that names the invalid rule.
    pub hash: fn(&Value) -> Result<String, MakeError>,
    /// Returns the [changes](RuleSet::changes) of rules given as a JSON object.
    ///
    /// # Errors
    /// Returns an error that names the invalid rule.
    pub changes: fn(&Value) -> Result<Vec<String>, MakeError>,
}

impl RuleTable {
    /// Returns the table of a type of rules.
    pub const fn of<R: RuleSet>() -> RuleTable {
        RuleTable {
            parameters: R::PARAMETERS,
            readings: R::READINGS,
            variants: R::VARIANTS,
            defaults: R::defaults,
            hash: |rules| Ok(R::deserialize(rules)?.hash()),
            changes: |rules| Ok(R::deserialize(rules)?.changes()),
        }
    }
}

/// Defines the options of a rule as an enum with `snake_case` names. The first variant is the default.
///
/// In addition to the items defined by [`named_enum!`](crate::named_enum), the enum has a constant `DOCS` with the
/// documentation of each variant.
#[macro_export]
macro_rules! options {
    ($(#[doc = $doc:literal])* $vis:vis enum $name:ident {
        $(#[doc = $first_doc:literal])* $first:ident,
        $($(#[doc = $other_doc:literal])* $other:ident),+ $(,)?
    }) => {
        $crate::named_enum! {
            $(#[doc = $doc])*
            #[derive(Default)]
            $vis enum $name: snake_case {
                $(#[doc = $first_doc])*
                #[default]
                $first,
                $($(#[doc = $other_doc])* $other,)+
            }
        }

        #[allow(dead_code)]
        impl $name {
            /// The documentation of all variants in order.
            $vis const DOCS: [&'static str; $name::ALL.len()] =
                [concat!($($first_doc, "\n"),*), $(concat!($($other_doc, "\n"),*)),+];
        }
    };
}

/// Defines the rules of a game as a struct with one field per rule.
///
/// Each rule is a `parameter` with its default value, a `reading`, or a `variant`. The options of a reading or variant
/// follow in braces, starting with the default. Alternatively, the options can be an enum defined elsewhere with
/// [`options!`](crate::options!), or file names. The struct derives `Clone`, `Debug`, `PartialEq`, `Eq` and serde's
/// traits, so the calling crate must depend on `serde`. It also implements `Default` and [`RuleSet`].
///
/// ```
/// use houseway_env::rules::RuleSet;
///
/// houseway_env::rules! {
///     /// Rules of a game.
///     #[derive(Copy)]
///     pub struct Rules {
///         /// Chips that a player stakes.
///         parameter ante: u32 = 1;
///         /// Result of equal hands.
///         reading equal_hands: EqualHands {
///             /// Stakes are returned.
///             Push,
///             /// The dealer wins.
///             DealerWins,
///         }
///     }
/// }
/// let rules = Rules::default().with("equal-hands=dealer_wins")?;
/// assert_eq!(rules, Rules { ante: 1, equal_hands: EqualHands::DealerWins });
/// assert_eq!(Rules::READINGS[0].options, ["push", "dealer_wins"]);
/// # Ok::<(), houseway_env::names::InvalidText>(())
/// ```
#[macro_export]
macro_rules! rules {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($body:tt)* }) => {
        $crate::rules! { @rule [$(#[$meta])* $vis struct] $name {} {} [] [] [] $($body)* }
    };
    (@rule $head:tt $name:ident {$($fields:tt)*} {$($defaults:tt)*} [$($parameters:tt)*] $readings:tt $variants:tt
        $(#[doc = $doc:literal])* parameter $rule:ident: $type:ty = $value:expr $(, deserialize_with $with:literal)?;
        $($rest:tt)*) => {
        $crate::rules! { @rule $head $name
            {$($fields)* $(#[doc = $doc])* $(#[serde(deserialize_with = $with)])? pub $rule: $type,}
            {$($defaults)* $rule: $value,}
            [$($parameters)* $crate::rules! { @entry $rule [$($doc)*] &[], &[] },] $readings $variants $($rest)* }
    };
    (@rule $head:tt $name:ident $fields:tt $defaults:tt $parameters:tt $readings:tt $variants:tt
        $(#[doc = $doc:literal])* $kind:ident $rule:ident: $type:ident { $($options:tt)* } $($rest:tt)*) => {
        $crate::options! { $(#[doc = $doc])* pub enum $type { $($options)* } }
        $crate::rules! { @rule $head $name $fields $defaults $parameters $readings $variants
            $(#[doc = $doc])* $kind $rule: $type; $($rest)* }
    };
    (@rule $head:tt $name:ident $fields:tt $defaults:tt $parameters:tt $readings:tt $variants:tt
        $(#[doc = $doc:literal])* $kind:ident $rule:ident: $type:ident; $($rest:tt)*) => {
        $crate::rules! { @choice $kind $head $name $fields $defaults $parameters $readings $variants
            [$(#[doc = $doc])*] $rule $type {$type::default()}
            {$crate::rules! { @entry $rule [$($doc)*] &$type::NAMES, &$type::DOCS }} $($rest)* }
    };
    (@rule $head:tt $name:ident $fields:tt $defaults:tt $parameters:tt $readings:tt $variants:tt
        $(#[doc = $doc:literal])* $kind:ident $rule:ident: $type:ty = $value:expr, options $options:expr; $($rest:tt)*) => {
        $crate::rules! { @choice $kind $head $name $fields $defaults $parameters $readings $variants
            [$(#[doc = $doc])*] $rule $type {$value}
            {$crate::rules! { @entry $rule [$($doc)*] $options, &[] }} $($rest)* }
    };
    (@choice reading $head:tt $name:ident {$($fields:tt)*} {$($defaults:tt)*} $parameters:tt [$($readings:tt)*]
        $variants:tt [$($doc:tt)*] $rule:ident $type:ty {$value:expr} {$entry:expr} $($rest:tt)*) => {
        $crate::rules! { @rule $head $name
            {$($fields)* $($doc)* pub $rule: $type,} {$($defaults)* $rule: $value,}
            $parameters [$($readings)* $entry,] $variants $($rest)* }
    };
    (@choice variant $head:tt $name:ident {$($fields:tt)*} {$($defaults:tt)*} $parameters:tt $readings:tt
        [$($variants:tt)*] [$($doc:tt)*] $rule:ident $type:ty {$value:expr} {$entry:expr} $($rest:tt)*) => {
        $crate::rules! { @rule $head $name
            {$($fields)* $($doc)* pub $rule: $type,} {$($defaults)* $rule: $value,}
            $parameters $readings [$($variants)* $entry,] $($rest)* }
    };
    (@entry $rule:ident [$($doc:literal)*] $options:expr, $option_docs:expr) => {
        $crate::rules::RuleReading {
            name: $crate::spelled!($rule, b'-'),
            doc: concat!($($doc, "\n"),*),
            options: $options,
            option_docs: $option_docs,
        }
    };
    (@rule [$($head:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*} [$($parameters:tt)*] [$($readings:tt)*]
        [$($variants:tt)*]) => {
        #[derive(Clone, Debug, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        $($head)* $name { $($fields)* }

        impl Default for $name {
            fn default() -> $name {
                $name { $($defaults)* }
            }
        }

        impl $crate::rules::RuleSet for $name {
            const PARAMETERS: &'static [$crate::rules::RuleReading] = &[$($parameters)*];
            const READINGS: &'static [$crate::rules::RuleReading] = &[$($readings)*];
            const VARIANTS: &'static [$crate::rules::RuleReading] = &[$($variants)*];
        }
    };
}

/// Returns the first 16 hex digits of the SHA-256 hash of the concatenated parts.
pub fn short_hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let sha = parts.into_iter().fold(Sha256::new(), Sha256::chain_update);
    hex(&sha.finalize()[..8])
}

/// The rules of a game, stored as a flat struct that has a default for every field and rejects unknown fields.
pub trait RuleSet: Clone + Default + Serialize + DeserializeOwned {
    /// The fields that are parameters.
    const PARAMETERS: &'static [RuleReading];
    /// The fields that are readings.
    const READINGS: &'static [RuleReading];
    /// The fields that are variants.
    const VARIANTS: &'static [RuleReading];

    /// Returns the rules with a `key=value` change applied. The value is written as in a rules file, but without
    /// quotation marks.
    ///
    /// # Errors
    /// Returns an error if the rule or option is unknown.
    fn with(self, assignment: &str) -> Result<Self, InvalidText> {
        let no_pair = || {
            let first = [Self::PARAMETERS, Self::READINGS, Self::VARIANTS].into_iter().flatten().next();
            let pair = |rule: &RuleReading| format!(", such as {}={}", rule.name, Self::defaults()[rule.name]);
            let example = first.map_or_else(String::new, pair).replace('"', "");
            InvalidText(format!("invalid rule '{assignment}': expected key=value{example}"))
        };
        let (key, value) = assignment.split_once('=').ok_or_else(no_pair)?;
        let table = toml::Table::try_from(self).map_err(|error| InvalidText(error.to_string()))?;
        let set = |value| -> Result<Self, toml::de::Error> {
            let mut table = table.clone();
            table.insert(key.trim().to_owned(), value);
            table.try_into()
        };
        let unknown = |error: toml::de::Error| {
            let numbers = NUMBER_TYPES.iter();
            let message = numbers.fold(error.message().to_owned(), |text, (rust, words)| text.replace(rust, words));
            InvalidText(format!("cannot set the rule '{assignment}': {}", names::with_hint(&message)))
        };
        let text = value.trim();
        // Other types than texts, such as integers, switches and lists, are written as in a file.
        let other = || toml::from_str::<toml::Table>(&format!("value = {text}")).ok()?.remove("value");
        set(toml::Value::String(text.to_owned())).or_else(|error| match other() {
            Some(value) if !value.is_float() => set(value).map_err(unknown),
            _ => Err(unknown(error)),
        })
    }

    /// Returns the rules with each option of the given readings or variants, one changed at a time, along with the rule
    /// and the option. Options that are in force are included.
    fn with_each(&self, choices: &'static [RuleReading]) -> Vec<(&'static str, &'static str, Self)> {
        let mut changed = Vec::new();
        for RuleReading { name, options, .. } in choices {
            for option in *options {
                let rules = self.clone().with(&format!("{name}={option}"));
                changed.push((*name, *option, rules.expect("every option of a rule is valid")));
            }
        }
        changed
    }

    /// Returns the rules that differ from their defaults as `key=value` strings in alphabetical order. A value with parts,
    /// such as a paytable, is given by its name.
    fn changes(&self) -> Vec<String> {
        let table = |rules| toml::Table::try_from(rules).expect("rules are plain data");
        let (own, default) = (table(self.clone()), table(Self::default()));
        let named = |value: &toml::Value| value.get("name")?.as_str().map(str::to_owned);
        let plain = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let text = |value: &toml::Value| named(value).unwrap_or_else(|| plain(value));
        let changed = own.iter().filter(|&(key, value)| default.get(key) != Some(value));
        changed.map(|(key, value)| format!("{key}={}", text(value))).collect()
    }

    /// Returns the JSON form that identifies the rules. Variants with their default value are left out, so adding a variant
    /// doesn't change any hashes.
    fn identity(&self) -> String {
        let json = serde_json::to_string(self).expect("rules are plain data");
        Self::VARIANTS.iter().fold(json, |json, variant| {
            let entry = format!("\"{}\":\"{}\"", variant.name, variant.options[0]);
            let others = json.replacen(&format!(",{entry}"), "", 1);
            others.replacen(&format!("{{{entry},"), "{", 1)
        })
    }

    /// Returns a stable identifier for the rules: the first 16 hex digits of the SHA-256 hash of their
    /// [identity](RuleSet::identity).
    fn hash(&self) -> String {
        short_hash([self.identity().as_bytes()])
    }

    /// Describes the rules by their hash, the commission if there is one, and everything else that differs from the
    /// defaults, such as `9adcfb12d8db2a82 (commission=0.05)`.
    fn described(&self) -> String {
        let (mut words, defaults) = (self.changes(), Self::defaults());
        let is_unchanged = words.iter().all(|word| !word.starts_with("commission="));
        let commission = defaults.get("commission").filter(|_| is_unchanged);
        words.extend(commission.map(|value| format!("commission={value}").replace('"', "")));
        let words = if words.is_empty() { "the defaults".to_owned() } else { words.join(", ") };
        format!("{} ({words})", self.hash())
    }

    /// Returns a stable identifier for the rules combined with other data that affects results, such as the rows of a
    /// paytable. It's a hash of [`RuleSet::hash`] and the JSON form of the data.
    fn hash_with(&self, data: &impl Serialize) -> String {
        let json = serde_json::to_string(data).expect("rules and data are plain data");
        short_hash([self.hash().as_bytes(), json.as_bytes()])
    }

    /// Returns the default values of all rules as JSON, in the order of the fields.
    fn defaults() -> Map<String, Value> {
        match serde_json::to_value(Self::default()) {
            Ok(Value::Object(rules)) => rules,
            _ => Map::new(),
        }
    }
}

#[cfg(test)]
#[allow(unreachable_pub)]
mod tests {
    use super::*;

    rules! {
        /// Rules of a sample game.
        #[derive(Copy)]
        struct Sample {
            /// Chips that
            /// a player stakes.
            parameter ante: u32 = 2;
            /// Result of equal hands.
            reading equal_hands: EqualHands {
                /// Stakes are returned.
                Push,
                /// The dealer wins.
                DealerWins,
                /// The player wins.
                PlayerWins,
            }
            /// Cards in the deck.
            variant deck: DeckSize {
                /// All.
                Whole,
                /// From the seven up.
                Short,
            }
        }
    }

    #[test]
    fn rules_are_described_by_their_changes() {
        let rules = Sample::default();
        assert_eq!(rules.described(), format!("{} (the defaults)", rules.hash()));
        let rules = rules.with("deck=short").unwrap().with("ante=5").unwrap();
        assert_eq!(rules.described(), format!("{} (ante=5, deck=short)", rules.hash()));
        let poker = crate::pai_gow::Rules::default();
        assert_eq!(poker.described(), format!("{} (commission=0.05)", poker.hash()));
        let poker = poker.with("commission=0.04").unwrap();
        assert_eq!(poker.described(), format!("{} (commission=0.04)", poker.hash()));
        let holdem = crate::ultimate_holdem::Rules::default().with("trips-table=ultimate-trips-20-7-6-5-3").unwrap();
        assert_eq!(holdem.described(), format!("{} (trips-table=ultimate-trips-20-7-6-5-3)", holdem.hash()));
    }

    #[test]
    fn a_list_of_rules_is_a_rule_set() {
        let [parameter] = Sample::PARAMETERS else { panic!("there is one parameter") };
        assert_eq!((parameter.name, parameter.doc), ("ante", " Chips that\n a player stakes.\n"));
        let reading = Sample::READINGS[0];
        assert_eq!(
            (Sample::READINGS.len(), reading.name, reading.doc),
            (1, "equal-hands", " Result of equal hands.\n")
        );
        assert_eq!(reading.options, ["push", "dealer_wins", "player_wins"]);
        assert_eq!(reading.option_docs[1], " The dealer wins.\n");
        assert_eq!((Sample::VARIANTS[0].name, Sample::VARIANTS[0].options), ("deck", &["whole", "short"][..]));
        for RuleReading { name, options, .. } in Sample::READINGS.iter().chain(Sample::VARIANTS) {
            assert_eq!(Sample::default().with(&format!("{name}={}", options[0])).unwrap(), Sample::default());
            for option in &options[1..] {
                let changed = Sample::default().with(&format!("{name}={option}")).unwrap();
                assert_eq!(changed.changes(), [format!("{name}={option}")]);
            }
            let error = Sample::default().with(&format!("{name}=nonsense")).unwrap_err().to_string();
            assert!(options.iter().all(|option| error.contains(option)), "{error}");
        }
    }

    #[test]
    fn variants_at_their_default_do_not_change_the_hash() {
        let json = |rules: &Sample| serde_json::to_string(rules).unwrap();
        assert_eq!(json(&Sample::default()), r#"{"ante":2,"equal-hands":"push","deck":"whole"}"#);
        assert_eq!(Sample::default().hash(), short_hash([&br#"{"ante":2,"equal-hands":"push"}"#[..]]));
        let short = Sample::default().with("deck=short").unwrap();
        assert_eq!(serde_json::from_str::<Sample>(&json(&short)).unwrap(), short);
        assert_eq!(short.hash(), short_hash([json(&short).as_bytes()]));
    }

    rules! {
        /// Rules with a variant in front and a switch.
        #[derive(Copy)]
        struct Switched {
            /// Result of ties.
            variant ties: Ties {
                /// Stakes are returned.
                Push,
                /// The dealer wins.
                Lose,
            }
            /// Wild deuces.
            parameter wild: bool = false;
        }
    }

    #[test]
    fn variants_can_come_first_and_rules_can_be_switches() {
        assert_eq!(Switched::default().identity(), r#"{"wild":false}"#);
        assert_eq!(Switched::default().with("wild=true").unwrap().changes(), ["wild=true"]);
        let error = Switched::default().with("wild=perhaps").unwrap_err().to_string();
        assert!(error.contains("wild=perhaps"), "{error}");
    }

    #[test]
    fn unknown_rules_are_refused() {
        for (change, part) in [
            ("ante", "expected key=value, such as ante=2"),
            ("blind=1", "equal-hands"),
            ("ante=x", "ante"),
            ("ante=5.0", "expected an integer of 0 or more"),
        ] {
            let error = Sample::default().with(change).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(Sample::default().with(" ante = 5 ").unwrap().ante, 5);
    }
}
