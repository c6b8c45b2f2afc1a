//! Text files that come with the crate, and helpers for reading such files.

use serde::Deserialize;

/// Name and text of a file.
pub type NamedText = (&'static str, &'static str);

/// Lists the names and texts of the files of a folder of `env/`, without their ending `.toml`.
macro_rules! built_in {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder, "/", $name, ".toml")))),+]
    };
}
pub(crate) use built_in;

/// Returns the text of the file with this name.
pub fn text_of(files: &[NamedText], name: &str) -> Option<&'static str> {
    files.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Returns the names of the files.
pub const fn names<const N: usize>(files: &[NamedText; N]) -> [&'static str; N] {
    let (mut names, mut i) = ([""; N], 0);
    while i < N {
        names[i] = files[i].0;
        i += 1;
    }
    names
}

/// Returns the names of the files as a list for messages.
pub(crate) fn list(files: &[NamedText]) -> String {
    files.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// Returns the line, from 1, of a byte offset in a text.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// An exact number as files write it: a number or a text.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum NumberText {
    Number(f64),
    Text(String),
}

impl From<NumberText> for String {
    /// The shortest decimal that reads back as the number is the one that was written.
    fn from(text: NumberText) -> String {
        match text {
            NumberText::Number(number) => number.to_string(),
            NumberText::Text(text) => text,
        }
    }
}
