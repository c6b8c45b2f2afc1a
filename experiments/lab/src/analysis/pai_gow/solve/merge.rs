//! Merging a game's shards.

use houseway_exact::pai_gow::DEALS;
use houseway_exact::pai_gow::matchup::{PairTotals, Question};
use houseway_exact::pai_gow::whole::{OutcomeWeights, Shard};
use serde_json::Value;
use std::collections::BTreeMap;

/// The maximum number of missing shards listed in a message.
const MAX_LISTED: usize = 8;

/// Adds up a game's shards, given in any order with their file names.
pub fn merge(parts: &[(String, PairTotals)]) -> Result<PairTotals, String> {
    let (first, head) = parts.first().ok_or("no shards to merge")?;
    let cut = part_of(first, head)?;
    let mut files: BTreeMap<usize, &str> = BTreeMap::new();
    for (other, answer) in parts {
        let part = part_of(other, answer)?;
        if let Some((key, is, was)) = difference(&head.question, &answer.question) {
            return Err(format!(
                "{first} and {other} do not belong together: {key} is {is} in one and {was} in the other"
            ));
        }
        if part.count() != cut.count() {
            return Err(format!("{first} is shard {cut} and {other} is shard {part}: their numbers of shards differ"));
        }
        if let Some(first) = files.insert(part.index() + 1, other) {
            return Err(format!("duplicate shard {part}: {first} and {other}"));
        }
    }
    check_complete(cut, &files)?;
    let deals: u128 = parts.iter().map(|(_, answer)| u128::from(answer.deals())).sum();
    if deals != u128::from(DEALS) {
        return Err(format!("the shards have {deals} deals, but the game has {DEALS}; one of the files was modified"));
    }
    let counts = parts.iter().fold(OutcomeWeights::default(), |sum, (_, answer)| sum.plus(answer.counts));
    Ok(PairTotals { part: None, counts, ..head.clone() })
}

fn part_of(file: &str, answer: &PairTotals) -> Result<Shard, String> {
    answer.part.ok_or_else(|| format!("{file} has the full game, not a shard"))
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

fn check_complete(cut: Shard, files: &BTreeMap<usize, &str>) -> Result<(), String> {
    let count = cut.count() - files.len();
    if count == 0 {
        return Ok(());
    }
    let missing = (1..=cut.count()).filter(|index| !files.contains_key(index)).take(MAX_LISTED);
    let mut parts: Vec<String> = missing.map(|index| format!("{index}/{}", cut.count())).collect();
    if count > MAX_LISTED {
        parts.push("...".to_owned());
    }
    Err(format!("{count} of the shards are missing: {}", parts.join(", ")))
}
