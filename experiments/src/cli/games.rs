//! `houseway games`: the registry.

use super::{Outcome, OutputOptions, print, print_json};
use clap::Args;
use houseway_env::pai_gow::house_way::BUILT_IN;
use houseway_env::pai_gow::{READINGS, Rules};
use houseway_env::registry::{GAMES, GameEntry};
use serde_json::{Value, json};

/// List the games, their environments and their rules
#[derive(Args)]
pub(super) struct Games {
    #[command(flatten)]
    output: OutputOptions,
}

impl Games {
    pub(super) fn run(self) -> Outcome {
        if self.output.json {
            return print_json(&GAMES.iter().map(json_of).collect());
        }
        let texts: Vec<String> = GAMES.iter().map(text_of).collect();
        print(&texts.join("\n"))
    }
}

fn json_of(game: &GameEntry) -> Value {
    let readings =
        READINGS.iter().map(|(name, options)| json!({ "name": name, "options": options, "default": options[0] }));
    json!({
        "name": game.name,
        "id": game.id,
        "title": game.title,
        "source": game.source,
        "parameters": { "commission": Rules::default().commission },
        "readings": readings.collect::<Vec<_>>(),
        "house_ways": BUILT_IN.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
    })
}

fn text_of(game: &GameEntry) -> String {
    let mut text = format!(
        "{} ({})\n  {}\n  source: {}\n  --set commission=RATE, {} by default\n",
        game.name,
        game.id,
        game.title,
        game.source,
        Rules::default().commission
    );
    for (name, options) in READINGS {
        text += &format!("  --set {name}={}, the first by default\n", options.join("|"));
    }
    let ways: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    text + &format!("  house ways: {}\n", ways.join(", "))
}
