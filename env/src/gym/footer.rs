//! The last line of a history, which shows that the history is complete and unchanged.

use crate::seal;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The first few characters of a footer.
pub(crate) const FOOTER: &[u8] = b"{\"end\"";

/// The last line of a complete history, `{"end": {"rounds": …, "sha256": "…"}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Footer {
    pub(crate) end: End,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct End {
    /// The number of rounds.
    pub(crate) rounds: u64,
    /// The SHA-256 of all lines before the footer, in hexadecimal.
    pub(crate) sha256: String,
}

impl Footer {
    /// Creates the footer for a number of rounds after the lines that have been hashed.
    pub(crate) fn new(rounds: u64, lines: &Sha256) -> Footer {
        Footer { end: End { rounds, sha256: hex(lines) } }
    }
}

pub(crate) fn hex(digest: &Sha256) -> String {
    seal::hex(&digest.clone().finalize())
}

/// Returns a history without its footer, if any.
pub(crate) fn without_footer(history: &[u8]) -> &[u8] {
    let body = history.strip_suffix(b"\n").unwrap_or(history);
    let last = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if history[last..].starts_with(FOOTER) { &history[..last] } else { history }
}
