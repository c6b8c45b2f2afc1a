//! Markdown pages for games, generated from registry entries, environments and module documentation.

use super::Env;
use super::entry::MakeError;
use super::entry::{Documentation, GameEntry};
use crate::money::{Chips, chips};
use crate::rules::RuleReading;
use serde_json::Value;
use std::fmt::Write as _;

impl GameEntry {
    /// Returns the game's page. It contains the documentation of the game's modules (rules, environment and
    /// observations) and tables generated from the code. The tables list spaces, reset options, parameters, readings
    /// and variants with their defaults, data files and examples.
    ///
    /// # Errors
    /// Returns an error if the environment can't be created.
    pub fn page(&self) -> Result<String, MakeError> {
        let env = (self.make)("{}")?;
        let mut page = format!("# {}\n\n{}", self.title, self.summary(env.as_ref()));
        page += &sections(self.documentation);
        page += &self.encodings_section()?;
        page += &self.actions_section();
        page += &self.rules_sections(env.as_ref());
        page += &self.data_sections();
        Ok(page)
    }

    /// Returns the rules of the game in words, as Markdown.
    pub fn rules(&self) -> String {
        format!("# {}\n{}", self.title, sections(self.documentation.get(..1).unwrap_or_default()))
    }

    /// Returns the sections on actions and observations. Unlike the full page, they don't require an environment.
    pub fn layout(&self) -> String {
        let documentation = self.documentation.get(1..).unwrap_or_default();
        format!("# {}\n{}{}", self.title, sections(documentation), self.actions_section())
    }

    fn summary(&self, env: &dyn Env) -> String {
        let spec = env.spec();
        let counterfactual = if env.has_action_rewards() { "yes" } else { "no" };
        format!(
            "| | |\n|---|---|\n| name | `{}` |\n| environment | `{}` |\n| source of the rules | {} |\n| actions | {} |\n\
             | reward of a step | {} to {} with the default options |\n| steps of an episode | at most {} |\n\
             | rewards of all actions on the same cards | {counterfactual} |\n",
            self.name,
            spec.id,
            self.source,
            env.action_space().n(),
            spec.reward_range.0,
            spec.reward_range.1,
            spec.max_steps,
        )
    }

    /// Returns the section that explains each action. Four or more actions whose names only differ in numbers share a row.
    fn actions_section(&self) -> String {
        let mut text = "\n## Actions\n\n| action | meaning |\n|---:|---|\n".to_owned();
        let names = (self.action_names)();
        let without_digits = |name: &String| name.replace(|c: char| c.is_ascii_digit(), "");
        let mut action = 0;
        for similar in names.chunk_by(|a, b| without_digits(a) == without_digits(b)) {
            if let [first, _, _, .., last] = similar {
                let _ = writeln!(text, "| {action} to {} | {first}, ..., {last} |", action + similar.len() - 1);
            } else {
                for (i, name) in similar.iter().enumerate() {
                    let _ = writeln!(text, "| {} | {name} |", action + i);
                }
            }
            action += similar.len();
        }
        text
    }

    /// Returns the section that lists the observation space for each encoding.
    fn encodings_section(&self) -> Result<String, MakeError> {
        let mut rows = String::new();
        let mut add = |name: &str, env: Box<dyn Env>| {
            let space = env.observation_space();
            let _ = writeln!(rows, "| {name} | {} | {} to {} |", chips(space.len() as Chips), space.low, space.high);
        };
        let default = (self.make)("{}")?.observation_space();
        for encoding in self.encodings {
            let env = self.make_with_encoding("{}", encoding)?;
            let mark = if env.observation_space() == default { " (default)" } else { "" };
            add(&format!("`{encoding}`{mark}"), env);
        }
        if self.encodings.is_empty() {
            add("the only one", (self.make)("{}")?);
        }
        Ok(format!("\n| encoding | numbers | bounds |\n|---|---:|---|\n{rows}"))
    }

    /// Returns the sections on reset options, parameters, readings and variants.
    fn rules_sections(&self, env: &dyn Env) -> String {
        let rules = (self.default_rules)();
        let mut text = format!("\n## Reset options\n\nBy default:\n\n```json\n{}\n```\n", env.default_options());
        if !self.parameter_docs.is_empty() {
            text += "\n## Parameters\n\n| rule | default | meaning |\n|---|---|---|\n";
            for parameter in self.parameter_docs {
                let default = rules.get(parameter.name).map_or_else(String::new, Value::to_string);
                let meaning = plain(parameter.doc);
                let _ = writeln!(text, "| `{}` | {default} | {} |", parameter.name, without_default(&meaning));
            }
        }
        text += &choices(
            "Readings",
            "Interpretations of an ambiguous source; the first option is the default.",
            self.readings,
        );
        text += &choices(
            "Variants",
            "Rules that deliberately differ from the source; the first option is the default.",
            self.variants,
        );
        text
    }

    fn data_sections(&self) -> String {
        let mut text = String::new();
        for (kind, files) in self.data.iter().filter(|(kind, _)| *kind != "pages") {
            let _ = write!(text, "\n## Built-in {kind}\n\n");
            let rows: Vec<String> = files.iter().filter_map(|(name, file)| pay_rows(name, file)).collect();
            if rows.is_empty() {
                let names: Vec<String> = files.iter().map(|(name, _)| format!("`{name}`")).collect();
                let _ = writeln!(text, "{}", names.join(", "));
            } else {
                let _ = writeln!(text, "| name | odds |\n|---|---|\n{}", rows.concat().trim_end());
            }
        }
        if !self.examples.is_empty() {
            text += "\n## Examples\n\n| name | configuration | reset options |\n|---|---|---|\n";
            for example in self.examples {
                let options: Vec<String> = example.options.iter().map(|options| format!("`{options}`")).collect();
                let _ = writeln!(text, "| {} | `{}` | {} |", example.name, example.config, options.join(", "));
            }
        }
        text
    }
}

/// Returns a section for each heading, filled with module documentation.
fn sections(documentation: &[Documentation]) -> String {
    let mut text = String::new();
    for (heading, sources) in documentation {
        let _ = write!(text, "\n## {heading}\n");
        for (i, source) in sources.iter().enumerate() {
            let documentation = module_documentation(source);
            let (summary, rest) = split_summary(&documentation);
            // The summary of the first module says the same as the heading.
            if i > 0 {
                let _ = write!(text, "\n### {summary}\n");
            }
            text += "\n";
            text += rest;
        }
    }
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

/// Returns the `//!` comments of a source file as Markdown. Headings are moved down two levels, links become code, and
/// the list of the module's items is left out.
fn module_documentation(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let mut kept: Vec<String> = Vec::new();
    let mut in_items = false;
    for line in lines {
        in_items = line.starts_with("- [`") || in_items && line.starts_with("  ");
        if !in_items {
            let line = if line.starts_with("# ") { format!("##{line}") } else { line.to_owned() };
            kept.push(without_links(&line));
        }
    }
    // Removing the list leaves an empty section behind, so remove its heading too.
    while kept.last().is_some_and(|line| line.is_empty() || line.starts_with('#')) {
        kept.pop();
    }
    kept.iter().fold(String::new(), |text, line| text + line + "\n")
}

/// Splits the first sentence, without its period, from the text after it.
fn split_summary(text: &str) -> (String, &str) {
    let end = [". ", ".\n"].into_iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    let (summary, rest) = text.split_at(end);
    (summary.replace('\n', " "), rest.trim_start_matches('.').trim_start())
}

/// Returns a row with a paytable's name and its odds, or `None` if the file isn't a paytable.
fn pay_rows(name: &str, file: &str) -> Option<String> {
    let table: toml::Table = toml::from_str(file).ok()?;
    let rows = table.get("row")?.as_array()?;
    let odds = |row: &toml::Value| {
        let odds = row.get("odds")?;
        let odds = odds.as_str().map_or_else(|| odds.to_string(), str::to_owned);
        Some(format!("`{}` {odds}", row.get("hand")?.as_str()?))
    };
    let odds: Vec<String> = rows.iter().filter_map(odds).collect();
    Some(format!("| `{name}` | {} |\n", odds.join(", ")))
}

/// Leaves out a last sentence that only says the default.
fn without_default(doc: &str) -> &str {
    match doc.rsplit_once(" Defaults to ") {
        Some((meaning, default)) if !default.contains(' ') => meaning,
        _ => doc,
    }
}

/// Returns a rule's documentation as a single line.
fn plain(doc: &str) -> String {
    without_links(&doc.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Replaces links to items by code, e.g. `` [`Card::index`](crate::cards::Card::index) `` by `` `Card::index` ``.
fn without_links(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_loses_its_items_and_links() {
        let source = "//! A game.\n//!\n//! # Money\n//! Chips, see [`commission`](crate::money::commission) and [`Rules`].\n//!\n\
                      //! # Pieces\n//! - [`Rules`]: readings,\n//!   variants.\n//! - [`Game`].\n\nuse x;\n//! no";
        assert_eq!(module_documentation(source), "A game.\n\n### Money\nChips, see `commission` and `Rules`.\n");
        assert_eq!(without_links("a [b](c) and [`d"), "a [b](c) and [`d");
        assert_eq!(split_summary("The `x`\nencoding. It has\n1.\n"), ("The `x` encoding".to_owned(), "It has\n1.\n"));
        assert_eq!(without_default("The rate. Defaults to 0.05."), "The rate.");
        assert_eq!(without_default("The bet. Defaults to 20, as it should."), "The bet. Defaults to 20, as it should.");
        let paytable =
            "name = \"a\"\n[[row]]\nhand = \"flush\"\nodds = \"3/2\"\n[[row]]\nhand = \"straight\"\nodds = 1\n";
        assert_eq!(pay_rows("a", paytable).unwrap(), "| `a` | `flush` 3/2, `straight` 1 |\n");
        assert!(pay_rows("way", "[[rule]]\nname = \"a\"\n").is_none());
    }
}
