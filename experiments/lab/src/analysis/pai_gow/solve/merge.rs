//! Merging a game's shards.

use houseway_exact::pai_gow::DEALS;
use houseway_exact::pai_gow::matchup::{PairTotals, Question};
use houseway_exact::pai_gow::whole::{OutcomeWeights, Shard};
use serde_json::Value;
use std::collections::BTreeMap;

/// An error from merging shards. Files are named as on the command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There are no shards.
    #[error("no shards to merge")]
    Nothing,
    /// A file has the full game.
    #[error("{0} has the full game, not a shard")]
    Whole(String),
    /// The shards answer different questions.
    #[error("{first} and {other} do not belong together: {key} is {is} in one and {was} in the other")]
    Question {
        /// The first file.
        first: String,
        /// The file that differs.
        other: String,
        /// The key in which the questions differ.
        key: String,
        /// The value in the first file.
        is: String,
        /// The value in the other file.
        was: String,
    },
    /// The numbers of shards differ.
    #[error("{first} is shard {is} and {other} is shard {was}: their numbers of shards differ")]
    Cut {
        /// The first file.
        first: String,
        /// The first file's shard.
        is: Shard,
        /// The file that differs.
        other: String,
        /// The other file's shard.
        was: Shard,
    },
    /// A shard occurs more than once.
    #[error("duplicate shard {part}: {first} and {other}")]
    Twice {
        part: Shard,
        /// The first file with this shard.
        first: String,
        /// The other file with this shard.
        other: String,
    },
    /// Shards are missing.
    #[error("{count} of the shards are missing: {parts}")]
    Missing {
        /// The number of missing shards.
        count: usize,
        /// The first few missing shards.
        parts: String,
    },
    /// The shards don't add up to all deals.
    #[error("the shards have {0} deals, but the game has {DEALS}; one of the files was modified")]
    Deals(u128),
}

/// The maximum number of missing shards listed in a message.
const MAX_LISTED: usize = 8;

/// Adds up a game's shards, given in any order with their file names.
pub fn merge(parts: &[(String, PairTotals)]) -> Result<PairTotals, MergeError> {
    let (first, head) = parts.first().ok_or(MergeError::Nothing)?;
    let cut = part_of(first, head)?;
    let mut files: BTreeMap<usize, &str> = BTreeMap::new();
    for (other, answer) in parts {
        let part = part_of(other, answer)?;
        if let Some((key, is, was)) = difference(&head.question, &answer.question) {
            return Err(MergeError::Question { first: first.clone(), other: other.clone(), key, is, was });
        }
        if part.count() != cut.count() {
            return Err(MergeError::Cut { first: first.clone(), is: cut, other: other.clone(), was: part });
        }
        if let Some(first) = files.insert(part.index() + 1, other) {
            return Err(MergeError::Twice { part, first: first.to_owned(), other: other.clone() });
        }
    }
    check_complete(cut, &files)?;
    let deals = parts.iter().map(|(_, answer)| u128::from(answer.deals())).sum();
    if deals != u128::from(DEALS) {
        return Err(MergeError::Deals(deals));
    }
    let counts = parts.iter().fold(OutcomeWeights::default(), |sum, (_, answer)| sum.plus(answer.counts));
    Ok(PairTotals { part: None, counts, ..head.clone() })
}

fn part_of(file: &str, answer: &PairTotals) -> Result<Shard, MergeError> {
    answer.part.ok_or_else(|| MergeError::Whole(file.to_owned()))
}

/// Returns the first key in which two questions differ, and both values.
pub(super) fn difference(one: &Question, other: &Question) -> Option<(String, String, String)> {
    let keys = |question| match serde_json::to_value(question) {
        Ok(Value::Object(keys)) => keys,
        _ => unreachable!("a question is an object"),
    };
    let (one, other) = (keys(one), keys(other));
    let (key, is) = one.iter().find(|(key, value)| other.get(*key) != Some(value))?;
    Some((key.clone(), is.to_string(), other[key].to_string()))
}

fn check_complete(cut: Shard, files: &BTreeMap<usize, &str>) -> Result<(), MergeError> {
    let count = cut.count() - files.len();
    if count == 0 {
        return Ok(());
    }
    let missing = (1..=cut.count()).filter(|index| !files.contains_key(index)).take(MAX_LISTED);
    let mut parts: Vec<String> = missing.map(|index| format!("{index}/{}", cut.count())).collect();
    if count > MAX_LISTED {
        parts.push("...".to_owned());
    }
    Err(MergeError::Missing { count, parts: parts.join(", ") })
}
