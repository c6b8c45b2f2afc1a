//! Merging the shards of a game.

use houseway_exact::pai_gow::matchup::{DEALS, PairTotals, Question};
use houseway_exact::pai_gow::whole::{DealCounts, Shard};
use serde_json::Value;
use std::collections::BTreeMap;

/// Errors when merging shards. Files are named as on the command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// No shards were given.
    #[error("there are no shards to merge")]
    Nothing,
    /// A file contains the entire game.
    #[error("{0} is the entire game, not a shard of it")]
    Whole(String),
    /// The questions differ.
    #[error("{first} and {other} do not belong together: {key} is {is} in one and {was} in the other")]
    Question {
        /// The first file.
        first: String,
        /// The file that differs.
        other: String,
        /// Key in which they differ.
        key: String,
        /// Value in the first file.
        is: String,
        /// Value in the other file.
        was: String,
    },
    /// The numbers of shards differ.
    #[error("{first} is shard {is} and {other} is shard {was}: their numbers of shards differ")]
    Cut {
        /// The first file.
        first: String,
        /// Shard of the first file.
        is: Shard,
        /// The file that differs.
        other: String,
        /// Shard of the other file.
        was: Shard,
    },
    /// A shard occurs more than once.
    #[error("shard {part} is there twice: {first} and {other}")]
    Twice {
        /// The shard.
        part: Shard,
        /// The first file that contains it.
        first: String,
        /// The other file.
        other: String,
    },
    /// Shards are missing.
    #[error("{count} of the shards are missing: {parts}")]
    Missing {
        /// Number of missing shards.
        count: usize,
        /// The first missing shards.
        parts: String,
    },
    /// The shards do not contain all deals.
    #[error("the shards have {0} deals, the game has {DEALS}; one of the files was changed")]
    Deals(u128),
}

/// Maximum number of missing shards listed in a message.
const MAX_LISTED: usize = 8;

/// Adds up all shards of a game, given with the names of their files in any order.
///
/// # Errors
/// Returns an error if the shards answer different questions, or if one is missing or occurs more than once.
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
    let deals = parts.iter().map(|(_, answer)| u128::from(answer.counts.deals())).sum();
    if deals != u128::from(DEALS) {
        return Err(MergeError::Deals(deals));
    }
    let counts = parts.iter().fold(DealCounts::default(), |sum, (_, answer)| sum.plus(answer.counts));
    Ok(PairTotals { question: head.question.clone(), part: None, counts })
}

fn part_of(file: &str, answer: &PairTotals) -> Result<Shard, MergeError> {
    answer.part.ok_or_else(|| MergeError::Whole(file.to_owned()))
}

/// Returns the first key in which two questions differ, with both values.
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
