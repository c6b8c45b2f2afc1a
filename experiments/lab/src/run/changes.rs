//! Describes the differences between two configurations for use in messages.

use std::collections::BTreeMap;
use toml::Value;

/// The maximum number of differences listed in a message. Any others are only counted.
const MAX_NAMED: usize = 4;
/// The maximum length of a value in a message, in characters. Longer values are cut off.
const MAX_VALUE: usize = 40;

/// Returns the keys whose values differ between two configurations, with both values, in parentheses. Returns an empty
/// string if there are none or if one of the texts isn't TOML.
pub(super) fn changes(old: &str, new: &str) -> String {
    let (Ok(old), Ok(new)) = (values(old), values(new)) else { return String::new() };
    let keys: BTreeMap<&String, ()> = old.keys().chain(new.keys()).map(|key| (key, ())).collect();
    let change = |key: &String| match (old.get(key), new.get(key)) {
        (Some(old), Some(new)) if old == new => None,
        (Some(old), Some(new)) => Some(format!("{key} is {old} there, {new} here")),
        (Some(old), None) => Some(format!("{key} is {old} there, absent here")),
        (None, Some(new)) => Some(format!("{key} is absent there, {new} here")),
        (None, None) => None,
    };
    let changes: Vec<String> = keys.into_keys().filter_map(change).collect();
    if changes.is_empty() {
        return String::new();
    }
    let more = changes.len().saturating_sub(MAX_NAMED);
    let more = if more == 0 { String::new() } else { format!("; and {more} more keys") };
    format!(" ({}{more})", changes[..changes.len().min(MAX_NAMED)].join("; "))
}

/// Returns a configuration's values as compact JSON, keyed by dotted path.
fn values(text: &str) -> Result<BTreeMap<String, String>, toml::de::Error> {
    let mut values = BTreeMap::new();
    collect(&Value::Table(text.parse()?), "", &mut values);
    Ok(values)
}

fn collect(value: &Value, key: &str, values: &mut BTreeMap<String, String>) {
    let below = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match value {
        Value::Table(table) => table.iter().for_each(|(name, value)| collect(value, &below(name), values)),
        Value::Array(items) if items.iter().any(Value::is_table) => {
            items.iter().enumerate().for_each(|(i, item)| collect(item, &below(&(i + 1).to_string()), values));
        }
        _ => {
            let text = serde_json::to_string(value).unwrap_or_default();
            let short = text.chars().take(MAX_VALUE).collect::<String>();
            values.insert(key.to_owned(), if short == text { text } else { short + "..." });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_keys_are_named_with_both_values() {
        let old = "seeds = [1, 2]\nname = \"quick\"\n[train.a]\nsteps = 3000\nbatch = 64\n[[player]]\nseat = 1\n";
        assert_eq!(changes(old, old), "");
        let new = old.replace("3000", "4000").replace("batch = 64\n", "").replace("seat = 1", "seat = 2\nbet = 5");
        assert_eq!(
            changes(old, &new),
            " (player.1.bet is absent there, 5 here; player.1.seat is 1 there, 2 here; train.a.batch is 64 there, absent \
             here; train.a.steps is 3000 there, 4000 here)"
        );
        let many: String = (0..6).map(|i| format!("key-{i} = \"{}\"\n", "x".repeat(99))).collect();
        let text = changes("", &many);
        assert!(text.ends_with("; and 2 more keys)") && text.contains("xxx...") && text.len() < 400, "{text}");
        assert_eq!(changes("not TOML", "seed = 1"), "");
    }
}
