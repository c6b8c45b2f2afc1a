//! Parts of the game, numbered from 1 as users number them.

use crate::pai_gow::whole::Shard;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One of several parts of the game: `3/8`, the parts numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Part {
    index: usize,
    of: usize,
}

/// Invalid name of a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid shard '{0}': write i/n for shard i of n, numbered from 1: 1/8 to 8/8, at most {max} shards", max = Shard::MAX)]
pub struct PartError(String);

impl Part {
    /// Its number, from 1.
    pub fn index(self) -> usize {
        self.index
    }

    /// The number of parts.
    pub fn of(self) -> usize {
        self.of
    }

    /// The same for the engine, which numbers parts from 0.
    pub fn shard(self) -> Shard {
        Shard::new(self.index - 1, self.of).expect("a part is one of its parts")
    }
}

impl FromStr for Part {
    type Err = PartError;

    fn from_str(text: &str) -> Result<Part, PartError> {
        let parsed = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        let valid = parsed.filter(|(index, of)| (1..=*of).contains(index) && *of <= Shard::MAX);
        valid.map(|(index, of)| Part { index, of }).ok_or_else(|| PartError(text.to_owned()))
    }
}

impl TryFrom<String> for Part {
    type Error = PartError;

    fn try_from(text: String) -> Result<Part, PartError> {
        text.parse()
    }
}

impl From<Part> for String {
    fn from(part: Part) -> String {
        part.to_string()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_from_one() {
        let part: Part = "3/8".parse().unwrap();
        assert_eq!((part.index(), part.of(), part.shard()), (3, 8, Shard::new(2, 8).unwrap()));
        assert_eq!(part.to_string(), "3/8");
        for text in ["", "3", "0/8", "9/8", "1/0", "-1/8", "1/8/2", "a/b", "1.5/3", "1/9881", "1/18446744073709551615"]
        {
            let error = text.parse::<Part>().unwrap_err().to_string();
            assert!(error.contains("i/n"), "{error}");
        }
    }
}
