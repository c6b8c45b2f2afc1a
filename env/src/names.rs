//! Names of enum variants, files and folders.
//!
//! [`named_enum!`](crate::named_enum) declares an enum whose variants have names that can be used in files, options and
//! command lines. The names are derived from the identifiers at compile time, so they never have to be repeated. Every
//! name that becomes part of a file or folder name must be checked with [`check()`], and all text from files must be
//! passed through [`escaped`] before it's printed to a terminal.

use std::borrow::Cow;

/// An error for a text that isn't a valid name, number or list of cards, for example. The message says what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidText(pub String);

/// The numbers in messages from `serde`, and their names in messages for people.
pub const NUMBER_TYPES: [(&str, &str); 6] = [
    ("expected f64", "expected a number"),
    ("expected u8", "expected an integer of 0 or more"),
    ("expected u32", "expected an integer of 0 or more"),
    ("expected u64", "expected an integer of 0 or more"),
    ("expected usize", "expected an integer of 0 or more"),
    ("expected i64", "expected an integer"),
];

/// Lists the known names for a message about an unknown one, such as "expected one of a, b". The list begins with the
/// most similar name if there is one, because long lists aren't read to their end.
pub fn expected<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let list = known.join(", ");
    match similar(name, &known) {
        Some(similar) => format!("did you mean {similar}? Expected one of {list}"),
        None => format!("expected one of {list}"),
    }
}

/// Adds the most similar known name to an error from a parser that ends with "unknown field `a`, expected one of `b`,
/// `c`" or the same about a variant. All other errors stay as they are.
pub fn with_hint(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let name = ["unknown field", "unknown variant"].iter().any(|start| message.contains(start)).then(|| words.next());
    let message = message.trim_end();
    match name.flatten().and_then(|name| similar(name, &words.collect::<Vec<_>>())) {
        Some(similar) => format!("{message} (did you mean {similar}?)"),
        None => message.to_owned(),
    }
}

/// Returns an error in a line of JSON without its place, which is within the line.
pub fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// Rewrites an error from `serde` about a value in JSON for people who wrote a dict or an object. It has no Rust types.
pub fn plain(message: &str) -> String {
    const TYPES: [(&str, &str); 6] = [
        ("invalid type: map", "invalid type: an object"),
        ("invalid type: sequence", "invalid type: a list"),
        ("expected a map", "expected an object"),
        ("expected a sequence", "expected a list"),
        ("expected string or map", "expected a text"),
        ("expected unit", "expected nothing"),
    ];
    if message.starts_with("unknown field") {
        return with_hint(message);
    }
    if let Some((name, known)) = message.strip_prefix("unknown variant `").and_then(|it| it.split_once("`, expected "))
    {
        return format!("unknown value '{name}'; {}", expected(name, known.split('`').skip(1).step_by(2)));
    }
    let plain =
        NUMBER_TYPES.iter().chain(&TYPES).fold(message.to_owned(), |text, (rust, words)| text.replace(rust, words));
    match plain.split_once("expected struct ") {
        Some((start, _)) => format!("{start}expected an object"),
        None => plain,
    }
}

/// Returns the known name that is most similar to an unknown one, or `None` if none is similar. Words may be separated in
/// any way.
pub fn similar<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    /// The least similarity, from 0 to 1, at which a name is suggested.
    const SIMILAR: f64 = 0.84;
    let plain = |name: &str| name.to_lowercase().replace(['-', '_'], " ").replace('"', "");
    let name = plain(name);
    let similarity = |known: &str| strsim::jaro_winkler(&name, &plain(known));
    // Of equally similar names, the first one is the most usual.
    let best = known.iter().rev().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    best.copied().filter(|best| similarity(best) >= SIMILAR)
}

/// The maximum length of a name in characters.
pub const MAX_NAME: usize = 64;
/// The maximum length of a single-line text in characters.
pub const MAX_LINE: usize = 300;
/// The maximum length of a multi-line text in characters.
pub const MAX_PROSE: usize = 4_000;

/// Checks a name that may become part of a file or folder name. Valid names consist of at most [`MAX_NAME`] ASCII
/// letters, digits, `-`, `_` and `.`, and start with a letter or digit.
///
/// # Errors
/// Returns an error if the name is invalid.
pub fn check(name: &str) -> Result<(), InvalidText> {
    check_length(name, MAX_NAME)?;
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(allowed) {
        true => Ok(()),
        false => Err(InvalidText(format!(
            "invalid name {name:?}: must start with a letter or digit and contain only letters, digits, -, _ and ."
        ))),
    }
}

/// Checks a single-line text, such as a title.
///
/// # Errors
/// Returns an error if the text is longer than [`MAX_LINE`], begins like a formula or contains a character that isn't
/// [printable](is_printable).
pub fn check_line(text: &str) -> Result<(), InvalidText> {
    check_length(text, MAX_LINE)?;
    if text.starts_with(['=', '+', '-', '@']) {
        return Err(InvalidText(format!(
            "{text:?} must not begin with =, +, - or @, because spreadsheets take such a cell for a formula"
        )));
    }
    check_characters(text, is_printable)
}

/// Returns the source of a house way, or "unknown" if it is empty.
pub(crate) fn source_or_unknown(source: &str) -> &str {
    if source.trim().is_empty() { "unknown" } else { source }
}

/// Checks a text that may have multiple lines.
///
/// # Errors
/// Returns an error if the text is longer than [`MAX_PROSE`] or contains a character that is neither
/// [printable](is_printable) nor white space.
pub fn check_prose(text: &str) -> Result<(), InvalidText> {
    check_length(text, MAX_PROSE)?;
    check_characters(text, |c| is_printable(c) || matches!(c, '\n' | '\r' | '\t'))
}

fn check_characters(text: &str, is_allowed: impl Fn(char) -> bool) -> Result<(), InvalidText> {
    match text.chars().all(is_allowed) {
        true => Ok(()),
        false => Err(InvalidText(format!("{text:?} must not contain control characters"))),
    }
}

fn check_length(text: &str, limit: usize) -> Result<(), InvalidText> {
    let length = text.chars().count();
    if length <= limit {
        return Ok(());
    }
    let start: String = text.chars().take(20).collect();
    Err(InvalidText(format!("{start:?}... has {length} characters; the maximum is {limit}")))
}

/// Returns `true` unless the character controls the terminal, changes the writing direction or is a space without width.
pub fn is_printable(character: char) -> bool {
    let directs = matches!(
        character,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
    );
    !character.is_control() && !directs
}

/// Returns the text with characters that aren't [printable](is_printable) escaped, e.g. as `\u001b`. Line feeds and
/// tabs are kept.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let stays = |c: char| is_printable(c) || matches!(c, '\n' | '\t');
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| if stays(c) { c.to_string() } else { format!("\\u{:04x}", u32::from(c)) };
    Cow::Owned(text.chars().map(escape).collect())
}

/// Returns the length of the name that [`spell`] derives from an identifier.
#[doc(hidden)]
pub const fn spelled_len(identifier: &str) -> usize {
    let bytes = identifier.as_bytes();
    let (mut len, mut i) = (bytes.len(), 1);
    while i < bytes.len() {
        len += bytes[i].is_ascii_uppercase() as usize;
        i += 1;
    }
    len
}

/// Derives a name from an identifier in `PascalCase` or `snake_case` by converting its words to lower case and joining
/// them with `separator`. `N` must be the identifier's [`spelled_len`]. As in serde's `rename_all`, digits don't start
/// a new word.
#[doc(hidden)]
pub const fn spell<const N: usize>(identifier: &str, separator: u8) -> [u8; N] {
    let bytes = identifier.as_bytes();
    let (mut name, mut len, mut i) = ([0; N], 0, 0);
    while i < bytes.len() {
        if i > 0 && bytes[i].is_ascii_uppercase() {
            name[len] = separator;
            len += 1;
        }
        name[len] = if bytes[i] == b'_' { separator } else { bytes[i].to_ascii_lowercase() };
        len += 1;
        i += 1;
    }
    name
}

/// Derives a name from an identifier as a constant string. See [`spell`](crate::names::spell).
#[doc(hidden)]
#[macro_export]
macro_rules! spelled {
    ($identifier:ident, $separator:literal, $name:literal) => {
        $name
    };
    ($identifier:ident, $separator:literal) => {{
        const IDENTIFIER: &str = stringify!($identifier);
        const NAME: [u8; $crate::names::spelled_len(IDENTIFIER)] = $crate::names::spell(IDENTIFIER, $separator);
        match ::core::str::from_utf8(&NAME) {
            Ok(name) => name,
            Err(_) => panic!("identifiers with names are in ASCII"),
        }
    }};
}

/// Defines a fieldless enum whose variants have names.
///
/// The enum's name is followed by a naming style: `kebab_case`, `snake_case` or `words`. With `words`, the words are
/// separated by spaces, although serde still writes them in kebab-case, and a variant can be named explicitly, as in
/// `Variant = "name"`. The enum derives `Clone`, `Copy`, `Debug`, `PartialEq`, `Eq`, `Hash` and serde's traits, so the
/// calling crate must depend on `serde`. Attributes can be used to derive more traits. The macro also defines `ALL`,
/// `NAMES`, `name()` and `Display`, as well as `FromStr` unless the style is `words`.
///
/// ```
/// houseway_env::named_enum! {
///     /// A color of cards.
///     #[derive(Default)]
///     pub enum Colour: kebab_case {
///         #[default]
///         Black,
///         EitherColour,
///     }
/// }
/// assert_eq!(Colour::NAMES, ["black", "either-colour"]);
/// assert_eq!("either-colour".parse(), Ok(Colour::EitherColour));
/// assert_eq!(Colour::default().to_string(), "black");
/// assert!("red".parse::<Colour>().unwrap_err().to_string().contains("black, either-colour"));
/// ```
#[macro_export]
macro_rules! named_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident: kebab_case $body:tt) => {
        $crate::named_enum! { @define "kebab-case" b'-' [$(#[$meta])*] $vis $name $body }
        $crate::named_enum! { @parse $name }
    };
    ($(#[$meta:meta])* $vis:vis enum $name:ident: snake_case $body:tt) => {
        $crate::named_enum! { @define "snake_case" b'_' [$(#[$meta])*] $vis $name $body }
        $crate::named_enum! { @parse $name }
    };
    ($(#[$meta:meta])* $vis:vis enum $name:ident: words $body:tt) => {
        $crate::named_enum! { @define "kebab-case" b' ' [$(#[$meta])*] $vis $name $body }
    };
    (@define $case:literal $separator:literal [$(#[$meta:meta])*] $vis:vis $name:ident {
        $($(#[$variant_meta:meta])* $variant:ident $(= $written:literal)?),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(rename_all = $case)]
        $vis enum $name {
            $($(#[$variant_meta])* $variant,)+
        }

        #[allow(dead_code)]
        impl $name {
            /// All variants in order.
            $vis const ALL: [$name; [$(stringify!($variant)),+].len()] = [$($name::$variant),+];

            /// The names of all variants in the same order.
            $vis const NAMES: [&'static str; $name::ALL.len()] = [$($crate::spelled!($variant, $separator $(, $written)?)),+];

            /// Returns the variant's name.
            $vis const fn name(self) -> &'static str {
                $name::NAMES[self as usize]
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
    (@parse $name:ident) => {
        impl ::core::str::FromStr for $name {
            type Err = $crate::names::InvalidText;

            fn from_str(text: &str) -> Result<$name, Self::Err> {
                let found = $name::ALL.into_iter().find(|variant| variant.name() == text);
                let expected = || $crate::names::expected(text, $name::NAMES);
                found.ok_or_else(|| $crate::names::InvalidText(format!("unknown name '{text}'; {}", expected())))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        let shapes = ["\"two pairs\"", "\"full house\"", "\"no pair\""];
        for (name, hint) in [
            ("two pair", Some("\"two pairs\"")),
            ("full-house", Some("\"full house\"")),
            ("Full House", Some("\"full house\"")),
            ("flush", None),
            ("", None),
        ] {
            let list = shapes.join(", ");
            let message = hint.map_or(format!("expected one of {list}"), |hint| {
                format!("did you mean {hint}? Expected one of {list}")
            });
            assert_eq!(expected(name, shapes), message, "{name}");
        }
        let message = "unknown field `comission`, expected `copies` or `commission`";
        assert_eq!(with_hint(message), format!("{message} (did you mean commission?)"));
        for message in ["invalid rate `1`", "unknown field `x`, there are no fields", "unknown field `"] {
            assert_eq!(with_hint(message), message);
        }
    }

    #[test]
    fn messages_have_no_rust_types() {
        for (message, words) in [
            ("unknown field `a`, expected `b`", "unknown field `a`, expected `b`"),
            ("unknown variant `a`, expected `b` or `c`", "unknown value 'a'; expected one of b, c"),
            (
                "unknown variant `on`, expected one of `one`, `two`",
                "unknown value 'on'; did you mean one? Expected one of one, two",
            ),
            (
                "invalid type: string \"a\", expected usize",
                "invalid type: string \"a\", expected an integer of 0 or more",
            ),
            ("invalid type: integer `5`, expected struct Rules", "invalid type: integer `5`, expected an object"),
            ("invalid type: sequence, expected a map", "invalid type: a list, expected an object"),
            ("invalid rate '2'", "invalid rate '2'"),
        ] {
            assert_eq!(plain(message), words);
        }
    }

    named_enum! {
        /// A variant with two words, one with a digit, and a plain one.
        #[derive(Default)]
        enum Kebab: kebab_case {
            TwoWords,
            #[default]
            Play1,
            Plain,
        }
    }
    named_enum! {
        /// The same variants with a different style.
        enum Snake: snake_case { TwoWords, Play1, Plain }
    }
    named_enum! {
        /// The same variants as readable words.
        enum Readable: words { TwoWords, Play1, Plain }
    }
    named_enum! {
        /// A variant with a name that can't be derived.
        enum Given: words { SevenCard = "seven-card hand", Plain }
    }

    #[test]
    fn names_are_those_of_serde() {
        assert_eq!(Kebab::NAMES, ["two-words", "play1", "plain"]);
        assert_eq!(Snake::NAMES, ["two_words", "play1", "plain"]);
        assert_eq!(Readable::NAMES, ["two words", "play1", "plain"]);
        assert_eq!(Kebab::default(), Kebab::Play1);
        for i in 0..3 {
            assert_eq!(serde_json::to_string(&Kebab::ALL[i]).unwrap(), format!("\"{}\"", Kebab::NAMES[i]));
            assert_eq!(serde_json::to_string(&Snake::ALL[i]).unwrap(), format!("\"{}\"", Snake::NAMES[i]));
            assert_eq!(serde_json::to_string(&Readable::ALL[i]).unwrap(), format!("\"{}\"", Kebab::NAMES[i]));
            assert_eq!(Kebab::NAMES[i].parse(), Ok(Kebab::ALL[i]));
        }
        assert_eq!(Given::NAMES, ["seven-card hand", "plain"]);
        assert_eq!(serde_json::to_string(&Given::SevenCard).unwrap(), "\"seven-card\"");
        let error = "two".parse::<Snake>().unwrap_err().to_string();
        assert!(error.contains("'two'") && error.contains("two_words, play1, plain"), "{error}");
    }

    #[test]
    fn file_names_are_plain() {
        for name in ["a", "foxwoods-2026_b", "7", "v1.2"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for name in
            ["", "a b", "../x", "/etc/passwd", "ä", "..", ".hidden", "-rf", "a|b", "<script>", "a\u{1b}[2J", "a\n"]
        {
            let error = check(name).unwrap_err().to_string();
            assert!(error.contains("letters, digits") && error.chars().all(is_printable), "{error}");
        }
        let error = check(&"a".repeat(MAX_NAME + 1)).unwrap_err().to_string();
        assert!(error.contains("65 characters; the maximum is 64"), "{error}");
    }

    #[test]
    fn lines_are_no_formulas() {
        for text in ["=1+1|cmd", "+1", "-A1", "@SUM(A1)"] {
            assert!(check_line(text).unwrap_err().to_string().contains("formula"), "{text}");
        }
        assert_eq!(check_line("two pairs = split"), Ok(()));
        assert!(check_line("a\u{200b}").is_err());
    }

    #[test]
    fn texts_control_no_terminal() {
        assert_eq!(check_line("Foxwoods, Connecticut — 2013"), Ok(()));
        assert_eq!(check_prose("one\ntwo\tthree"), Ok(()));
        for text in ["\u{1b}[31mred", "bell\u{7}", "\u{9b}2J", "abc\u{202e}fed", "\u{2066}x"] {
            assert!(check_line(text).is_err() && check_prose(text).is_err(), "{text:?}");
            let shown = escaped(text);
            assert!(shown.chars().all(is_printable) && shown.contains("\\u"), "{shown}");
        }
        assert!(check_line("one\ntwo").is_err());
        assert_eq!(escaped("one\ntwo\u{1b}"), "one\ntwo\\u001b");
        assert!(check_prose(&"a".repeat(MAX_PROSE + 1)).is_err());
    }
}
