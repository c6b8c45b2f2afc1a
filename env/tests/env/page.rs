//! Markdown pages for games, generated from their documentation, registry entries and environments.

use houseway_env::gym::{Env, GameEntry};
use houseway_env::money::{Chips, chips};
use houseway_env::rules::RuleReading;
use serde_json::Value;
use std::fmt::Write as _;

/// Returns a game's page. It contains the documentation of the rules, the environment and the observations, and tables
/// generated from the code. The tables list spaces, reset options, parameters, readings and variants with their
/// defaults, data files and examples.
pub(crate) fn page(game: &GameEntry) -> String {
    let env = (game.make)("{}").unwrap();
    let title = format!("# {}\n", game.title);
    let (rules, layout) = (game.rules_text(), game.layout());
    let actions = layout.find("\n## Actions\n").unwrap();
    [
        title.as_str(),
        &summary(game, env.as_ref()),
        &rules[title.len()..],
        &layout[title.len()..actions],
        &encodings(game),
        &layout[actions..],
        &rule_sections(game, env.as_ref()),
        &data(game),
        &examples(game),
    ]
    .concat()
}

fn summary(game: &GameEntry, env: &dyn Env) -> String {
    let spec = env.spec();
    let counterfactual = if env.has_action_rewards() { "yes" } else { "no" };
    format!(
        "\n| | |\n|---|---|\n| name | `{}` |\n| environment | `{}` |\n| source of the rules | {} |\n| actions | {} |\n\
         | reward of a step | {} to {} with the default options |\n| steps of an episode | at most {} |\n\
         | rewards of all actions on the same cards | {counterfactual} |\n",
        game.name,
        spec.id,
        game.source,
        env.actions(),
        spec.reward_range.0,
        spec.reward_range.1,
        spec.max_steps,
    )
}

/// Returns the section that lists the observation space for each encoding.
fn encodings(game: &GameEntry) -> String {
    let mut text = "\n| encoding | numbers | bounds |\n|---|---:|---|\n".to_owned();
    let mut add = |name: &str, env: &dyn Env| {
        let space = env.observation_space();
        let _ = writeln!(text, "| {name} | {} | {} to {} |", chips(space.len() as Chips), space.low, space.high);
    };
    let default = (game.make)("{}").unwrap();
    for encoding in game.encodings {
        let env = game.make_with_encoding("{}", encoding).unwrap();
        let mark = if env.observation_space() == default.observation_space() { " (default)" } else { "" };
        add(&format!("`{encoding}`{mark}"), env.as_ref());
    }
    if game.encodings.is_empty() {
        add("the only one", default.as_ref());
    }
    text
}

/// Returns the sections on reset options, parameters, readings and variants.
fn rule_sections(game: &GameEntry, env: &dyn Env) -> String {
    let rules = (game.rules.defaults)();
    let mut text = format!("\n## Reset options\n\nBy default:\n\n```json\n{}\n```\n", env.default_options());
    if !game.rules.parameters.is_empty() {
        text += "\n## Parameters\n\n| rule | default | meaning |\n|---|---|---|\n";
        for parameter in game.rules.parameters {
            let default = rules.get(parameter.name).map_or_else(String::new, Value::to_string);
            let meaning = plain(parameter.doc);
            let _ = writeln!(text, "| `{}` | {default} | {} |", parameter.name, without_default(&meaning));
        }
    }
    text += &choices(
        "Readings",
        "Interpretations of an ambiguous source; the first option is the default.",
        game.rules.readings,
    );
    text += &choices(
        "Variants",
        "Rules that deliberately differ from the source; the first option is the default.",
        game.rules.variants,
    );
    text
}

/// Returns a section that lists readings or variants with their options.
fn choices(heading: &str, meaning: &str, choices: &[RuleReading]) -> String {
    if choices.is_empty() {
        return String::new();
    }
    let mut text = format!("\n## {heading}\n\n{meaning}\n");
    for choice in choices {
        let _ = write!(text, "\n### `{}`\n\n{}\n\n", choice.name, plain(choice.doc));
        for (i, option) in choice.options.iter().enumerate() {
            let doc = choice.option_docs.get(i).map(|doc| format!(": {}", plain(doc))).unwrap_or_default();
            let _ = writeln!(text, "- `{option}`{doc}");
        }
    }
    text
}

fn data(game: &GameEntry) -> String {
    let mut text = String::new();
    for (kind, files) in game.data.iter().filter(|(kind, _)| *kind != "pages") {
        let _ = write!(text, "\n## Built-in {kind}\n\n");
        let rows: Vec<String> = files.iter().filter_map(|(name, file)| pay_rows(name, file)).collect();
        if rows.is_empty() {
            let names: Vec<String> = files.iter().map(|(name, _)| format!("`{name}`")).collect();
            let _ = writeln!(text, "{}", names.join(", "));
        } else {
            let _ = writeln!(text, "| name | odds |\n|---|---|\n{}", rows.concat().trim_end());
        }
    }
    text
}

/// Returns a row with a paytable's name and its odds, or `None` if the file isn't a paytable.
fn pay_rows(name: &str, file: &str) -> Option<String> {
    let table: toml::Table = toml::from_str(file).ok()?;
    let rows = table.get("row")?.as_array()?;
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let odds = |row: &toml::Value| {
        let envy = row.get("envy").map_or_else(String::new, |envy| format!(" (envy {})", text(envy)));
        Some(format!("`{}` {}{envy}", row.get("hand")?.as_str()?, text(row.get("odds")?)))
    };
    let odds: Vec<String> = rows.iter().filter_map(odds).collect();
    // What else decides about the bet, such as another hand.
    let terms = ["cards", "for-one", "needs-win", "on"].into_iter();
    let terms: String = terms.filter_map(|key| Some(format!("; {key} = {}", text(table.get(key)?)))).collect();
    Some(format!("| `{name}` | {}{terms} |\n", odds.join(", ")))
}

fn examples(game: &GameEntry) -> String {
    if game.examples.is_empty() {
        return String::new();
    }
    let mut text = "\n## Examples\n\n| name | configuration | reset options |\n|---|---|---|\n".to_owned();
    for example in game.examples {
        let options: Vec<String> = example.options.iter().map(|options| format!("`{options}`")).collect();
        let _ = writeln!(text, "| {} | `{}` | {} |", example.name, example.config, options.join(", "));
    }
    text
}

/// Leaves out a last sentence that only says the default.
fn without_default(doc: &str) -> &str {
    match doc.rsplit_once(" Defaults to ") {
        Some((meaning, default)) if !default.contains(' ') => meaning,
        _ => doc,
    }
}

/// Returns a rule's documentation as a single line, in which links to items, such as
/// `` [`Card::index`](crate::cards::Card::index) ``, are code.
fn plain(doc: &str) -> String {
    let doc = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = String::new();
    let mut rest = doc.as_str();
    while let Some(start) = rest.find("[`") {
        let Some(end) = rest[start..].find("`]").map(|end| start + end) else { break };
        text += &rest[..start];
        text += &rest[start + 1..=end];
        rest = &rest[end + 2..];
        if rest.starts_with('(') {
            rest = rest.find(')').map_or(rest, |close| &rest[close + 1..]);
        }
    }
    text + rest
}
