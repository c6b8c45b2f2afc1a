//! Implementation of `houseway games`, a list of the registry.

use crate::console::{CommandResult, OutputOptions, print, print_json};
use crate::report::wrapped_lines;
use clap::Args;
use houseway_env::gym::GameEntry;
use houseway_env::registry::games;
use houseway_env::rules::RuleReading;
use serde_json::{Value, json};

/// List the games, their environments and their rules
#[derive(Args)]
pub struct GamesArgs {
    #[command(flatten)]
    output: OutputOptions,
}

impl GamesArgs {
    pub(super) fn run(self) -> CommandResult {
        if self.output.json {
            return print_json(&games().into_iter().map(json_of).collect());
        }
        let texts: Vec<String> = games().into_iter().map(text_of).collect();
        print(&wrapped_lines(&texts.join("\n")))
    }
}

fn json_of(game: &GameEntry) -> Value {
    let choices = |choices: &[RuleReading]| -> Value {
        choices
            .iter()
            .map(|RuleReading { name, options, .. }| json!({ "name": name, "options": options, "default": options[0] }))
            .collect()
    };
    let mut entry = json!({
        "name": game.name,
        "id": game.id,
        "title": game.title,
        "source": game.source,
        "parameters": game.parameters(),
        "readings": choices(game.readings),
        "variants": choices(game.variants),
    });
    for (kind, _) in game.data {
        entry[kind.replace(' ', "_")] = names(game, kind).into();
    }
    entry
}

/// Returns the names of all data files with the given kind.
fn names(game: &GameEntry, kind: &str) -> Vec<&'static str> {
    let files = game.data.iter().filter(|(other, _)| *other == kind).flat_map(|(_, files)| files.iter());
    files.map(|(name, _)| *name).collect()
}

fn text_of(game: &GameEntry) -> String {
    let mut text = format!("{} ({})\n  {}\n  source: {}\n", game.name, game.id, game.title, game.source);
    for (name, default) in game.parameters() {
        text += &format!("  --set {name}={}, {default} by default\n", name.to_uppercase());
    }
    for RuleReading { name, options, .. } in game.readings.iter().chain(game.variants) {
        text += &format!("  --set {name}={}, the first by default\n", options.join("|"));
    }
    for (kind, _) in game.data {
        text += &format!("  {kind}: {}\n", names(game, kind).join(", "));
    }
    text
}
