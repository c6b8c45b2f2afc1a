//! Seals for files that pass results from one program run to another. A seal consists of a kind, format, version and
//! checksum.
//!
//! An exact result is only as reliable as the files it was computed from. Sealed files record their kind and the
//! version of the program that wrote them, and files that were damaged, modified or written for another purpose are
//! rejected. A sealed JSON document is an object with the key `seal`. For other content, a one-line sealed document is
//! placed in front as a header. The checksum is the SHA-256 hash of the kind, format, version and canonical JSON form
//! of the content (sorted object keys and no white space). It protects against accidents and careless edits, but not
//! against forgery.
//!
//! ```
//! use houseway_env::seal::Seal;
//!
//! const COUNTS: Seal = Seal::new("example-counts", 1);
//! let text = COUNTS.seal(&serde_json::json!({ "wins": 3, "losses": 4 })).to_string();
//! let content: serde_json::Value = COUNTS.open(&text)?;
//! assert_eq!(content["wins"], 3);
//! assert!(COUNTS.open::<serde_json::Value>(&text.replace('3', "5")).is_err());
//! # Ok::<(), houseway_env::seal::SealError>(())
//! ```

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// The program version stored in seals.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The key of the seal in a document.
const KEY: &str = "seal";

/// The kind and format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seal {
    kind: &'static str,
    format: u32,
    same_version: bool,
}

/// A seal as stored in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stamp {
    kind: String,
    format: u32,
    version: String,
    sha256: String,
}

/// The header of a file that isn't JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header<A> {
    about: A,
    bytes: usize,
    bytes_sha256: String,
}

/// The reason why a file was rejected. Callers add the file's name and how to fix the problem.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The file is not a JSON object, e.g. because it was truncated.
    #[error("it is not a complete document ({0})")]
    Json(serde_json::Error),
    /// The file has no seal.
    #[error("it has no seal and may have been written by another program or an older version")]
    Unsealed,
    /// The file has a different kind.
    #[error("its kind is '{found}' instead of '{expected}'")]
    Kind {
        /// The kind stored in the file.
        found: String,
        /// The expected kind.
        expected: &'static str,
    },
    /// The file has a different format.
    #[error("its format is {found} instead of {expected}")]
    Format {
        /// The format stored in the file.
        found: u32,
        /// The expected format.
        expected: u32,
    },
    /// The content differs from the content that was sealed.
    #[error("its checksum does not match its content, which was damaged or modified")]
    Checksum,
    /// The file was written by a different version of the program, and its results are only valid for that version.
    #[error("it was written by version {found}, but this is version {VERSION}")]
    Version {
        /// The version that wrote the file.
        found: String,
    },
    /// The content doesn't have the expected structure.
    #[error("its content is invalid: {0}")]
    Content(serde_json::Error),
}

impl Seal {
    /// Creates a seal for a kind of file. The format number must be incremented whenever old files can no longer be
    /// read.
    pub const fn new(kind: &'static str, format: u32) -> Seal {
        Seal { kind, format, same_version: false }
    }

    /// Makes the seal reject files written by other versions of the program. Use this for results that depend on the
    /// program's code.
    #[must_use]
    pub const fn of_one_version(self) -> Seal {
        Seal { same_version: true, ..self }
    }

    /// Returns the content as a sealed document.
    ///
    /// # Panics
    /// Panics if the content is not an object or already has a key `seal`.
    pub fn seal(self, content: &impl Serialize) -> Value {
        let mut document = serde_json::to_value(content).expect("contents are plain data");
        let stamp = self.stamp(&document);
        let keys = document.as_object_mut().expect("content must be an object");
        let before = keys.insert(KEY.to_owned(), stamp);
        assert!(before.is_none(), "the key '{KEY}' is reserved for the seal");
        document
    }

    /// Returns only the seal for the content. Use this for files that store the seal in a separate place.
    pub fn stamp(self, content: &Value) -> Value {
        let sha256 = digest(self.kind, self.format, VERSION, content);
        json!(Stamp { kind: self.kind.to_owned(), format: self.format, version: VERSION.to_owned(), sha256 })
    }

    /// Returns the content of a sealed document.
    ///
    /// # Errors
    /// Returns an error if the document is incomplete, if it has a different kind or format, or if its content was
    /// modified.
    pub fn open<T: DeserializeOwned>(self, text: &str) -> Result<T, SealError> {
        self.open_document(serde_json::from_str(text).map_err(SealError::Json)?)
    }

    /// Like [`Seal::open`], but takes a document that has already been parsed.
    ///
    /// # Errors
    /// Returns an error if [`Seal::open`] would.
    pub fn open_document<T: DeserializeOwned>(self, mut document: Map<String, Value>) -> Result<T, SealError> {
        let stamp = document.remove(KEY).ok_or(SealError::Unsealed)?;
        let document = Value::Object(document);
        self.check(stamp, &document)?;
        serde_json::from_value(document).map_err(SealError::Content)
    }

    /// Checks a seal against the content.
    ///
    /// # Errors
    /// Returns an error if [`Seal::open`] would.
    pub fn check(self, stamp: Value, content: &Value) -> Result<(), SealError> {
        let Stamp { kind, format, version, sha256 } = serde_json::from_value(stamp).map_err(SealError::Content)?;
        if kind != self.kind {
            return Err(SealError::Kind { found: kind, expected: self.kind });
        }
        if format != self.format {
            return Err(SealError::Format { found: format, expected: self.format });
        }
        if sha256 != digest(&kind, format, &version, content) {
            return Err(SealError::Checksum);
        }
        if self.same_version && version != VERSION {
            return Err(SealError::Version { found: version });
        }
        Ok(())
    }

    /// Returns a file with a sealed header in front of the given bytes. `about` describes the bytes and is stored in
    /// the header.
    pub fn seal_bytes(self, about: &impl Serialize, bytes: &[u8]) -> Vec<u8> {
        let header = Header { about, bytes: bytes.len(), bytes_sha256: hex(&Sha256::digest(bytes)) };
        let mut file = self.seal(&header).to_string().into_bytes();
        file.push(b'\n');
        file.extend_from_slice(bytes);
        file
    }

    /// Returns the description stored in the header, and the bytes that follow it.
    ///
    /// # Errors
    /// Returns an error if [`Seal::open`] would.
    pub fn open_bytes<A: DeserializeOwned>(self, file: &[u8]) -> Result<(A, &[u8]), SealError> {
        let end = file.iter().position(|&byte| byte == b'\n').ok_or(SealError::Unsealed)?;
        let header = serde_json::from_slice(&file[..end]).map_err(SealError::Json)?;
        let Header { about, bytes, bytes_sha256 } = self.open_document(header)?;
        let body = &file[end + 1..];
        if body.len() != bytes || hex(&Sha256::digest(body)) != bytes_sha256 {
            return Err(SealError::Checksum);
        }
        Ok((about, body))
    }
}

/// Returns bytes such as a hash in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digest(kind: &str, format: u32, version: &str, content: &Value) -> String {
    let mut text = format!("{}\n", json!([kind, format, version]));
    put_canonical(content, &mut text);
    hex(&Sha256::digest(text))
}

/// Appends the JSON form of a value. Keys are sorted, no matter in which order `serde_json` stores them.
fn put_canonical(value: &Value, text: &mut String) {
    let separator = |i: usize| if i > 0 { "," } else { "" };
    match value {
        Value::Object(keys) => {
            let mut sorted: Vec<(&String, &Value)> = keys.iter().collect();
            sorted.sort_unstable_by_key(|&(key, _)| key);
            text.push('{');
            for (i, (key, value)) in sorted.into_iter().enumerate() {
                *text += &format!("{}{}:", separator(i), json!(key));
                put_canonical(value, text);
            }
            text.push('}');
        }
        Value::Array(values) => {
            text.push('[');
            for (i, value) in values.iter().enumerate() {
                *text += separator(i);
                put_canonical(value, text);
            }
            text.push(']');
        }
        plain => *text += &plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SEAL: Seal = Seal::new("test", 2);

    fn content() -> Value {
        json!({ "wins": "1234567890123", "rate": 0.1, "tiny": 3e-300, "list": [1, 2, {"b": null, "a": true}], "é\n": "\"" })
    }

    #[test]
    fn documents_round_trip_in_any_layout() {
        let sealed = SEAL.seal(&content());
        for text in [sealed.to_string(), format!("{sealed:#}\n")] {
            assert_eq!(SEAL.open::<Value>(&text).unwrap(), content());
        }
        assert_eq!(sealed["seal"]["version"], VERSION);
        // Other languages must be able to reproduce this format.
        let mut text = String::new();
        put_canonical(&json!({ "b": [1, 0.5, "x\n"], "a": {} }), &mut text);
        assert_eq!(text, r#"{"a":{},"b":[1,0.5,"x\n"]}"#);
    }

    #[test]
    fn every_flipped_bit_is_refused_or_harmless() {
        let text = format!("{:#}", SEAL.seal(&content()));
        let mut harmless = 0;
        for i in 0..8 * text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[i / 8] ^= 1 << (i % 8);
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            if let Ok(read) = SEAL.open::<Value>(&changed) {
                assert_eq!(read, content(), "{changed}");
                harmless += 1;
            }
        }
        // Some changes are harmless, e.g. replacing white space by other white space or an exponent's e by a capital
        // letter.
        assert!(harmless < text.len(), "{harmless}");
    }

    #[test]
    fn foreign_documents_are_refused_with_the_reason() {
        let text = SEAL.seal(&content()).to_string();
        let error = |seal: Seal, text: &str| seal.open::<Value>(text).unwrap_err().to_string();
        assert!(error(Seal::new("other", 2), &text).contains("kind is 'test' instead of 'other'"));
        assert!(error(Seal::new("test", 3), &text).contains("format is 2 instead of 3"));
        assert!(error(SEAL, &content().to_string()).contains("no seal"));
        assert!(error(SEAL, &text[..text.len() - 5]).contains("not a complete document"));
        assert!(error(SEAL, "[]").contains("not a complete document"));
        let later = text.replace(&format!("\"{VERSION}\""), "\"99.0.0\"");
        assert!(error(SEAL, &later).contains("checksum"));
        let mut later: Value = serde_json::from_str(&later).unwrap();
        later["seal"]["sha256"] = digest("test", 2, "99.0.0", &content()).into();
        assert_eq!(SEAL.open::<Value>(&later.to_string()).unwrap(), content());
        assert!(error(SEAL.of_one_version(), &later.to_string()).contains("written by version 99.0.0"));
        let of_other_type = SEAL.open::<Vec<u8>>(&text).unwrap_err();
        assert!(matches!(of_other_type, SealError::Content(_)), "{of_other_type}");
    }

    proptest! {
        #[test]
        fn bytes_round_trip_and_changes_are_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            place in any::<prop::sample::Index>(),
            bit in 0..8_u8,
            cut in any::<prop::sample::Index>(),
        ) {
            let file = SEAL.seal_bytes(&content(), &bytes);
            let open = |file: &[u8]| SEAL.open_bytes::<Value>(file).map(|(about, bytes)| (about, bytes.to_vec()));
            prop_assert_eq!(open(&file).unwrap(), (content(), bytes.clone()));
            prop_assert!(open(&file[..cut.index(file.len())]).is_err());
            let mut changed = file.clone();
            changed[place.index(file.len())] ^= 1 << bit;
            if let Ok(read) = open(&changed) {
                prop_assert_eq!(read, (content(), bytes));
            }
            prop_assert!(open(&[&file[..], b"x"].concat()).is_err());
        }
    }
}
