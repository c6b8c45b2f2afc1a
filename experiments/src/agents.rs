//! Trained agents as strategies, from their files or built into the program.

use crate::study::{TRAININGS, WEIGHTS, read_weights};
use houseway_env::pai_gow::Game;
use houseway_env::{files, names};
use houseway_exact::pai_gow::{NamedStrategy, StrategyFormat, register_strategy_format};
use houseway_lab::analysis::pai_gow::solve::strategy_table;
use houseway_learned::tasks::pai_gow::LearnedStrategy;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// The number of bytes at the start of a weights file in which to look for the name of its last layer.
const HEADER: u64 = 1 << 16;
const LAST_LAYER: &[u8] = b"\"head.weight\"";
/// The file that a training's folder has from its first step on.
const METRICS: &str = "metrics.csv";

const BUILT_IN_PREFIX: &str = "agent:";
/// The names and weights of the built-in agents. They are copies of committed results.
const BUILT_IN: [(&str, &[u8]); 1] = [("distillation", include_bytes!("../agents/distillation.safetensors"))];

static BUILT_IN_AGENT: StrategyFormat =
    StrategyFormat { about: "agent:distillation, a built-in agent", is_one: is_built_in, read: read_built_in };
static AGENT: StrategyFormat = StrategyFormat {
    about: "a trained agent (weights.safetensors, or its folder)",
    is_one: is_agent,
    read: read_agent,
};
/// Registers these formats, so that agents can be used wherever a strategy is expected.
pub(crate) fn register() {
    register_strategy_format(&BUILT_IN_AGENT);
    register_strategy_format(&AGENT);
}

fn is_built_in(path: &Path) -> bool {
    path.to_str().is_some_and(|name| name.starts_with(BUILT_IN_PREFIX))
}

fn read_built_in(path: &Path, game: &Game) -> Result<NamedStrategy, String> {
    let name = path.to_str().and_then(|name| name.strip_prefix(BUILT_IN_PREFIX)).unwrap_or_default();
    let Some((name, weights)) = BUILT_IN.into_iter().find(|(known, _)| *known == name) else {
        let known = BUILT_IN.map(|(known, _)| format!("{BUILT_IN_PREFIX}{known}")).join(", ");
        return Err(format!("there is no built-in agent {name}; use {known}, or the path to a trained agent"));
    };
    let agent = LearnedStrategy::from_weights(name, &Arc::new(Game::new(game.rules())), weights);
    Ok(NamedStrategy::Policy(Arc::new(agent.map_err(|error| format!("{}: {error}", path.display()))?)))
}

/// Returns `true` for a training's or a run's folder, and for a file whose header names a network's last layer.
fn is_agent(path: &Path) -> bool {
    let names_layer = |path: &Path| {
        let mut header = Vec::new();
        let read = files::open(path).and_then(|file| file.take(HEADER).read_to_end(&mut header));
        read.is_ok() && header.windows(LAST_LAYER.len()).any(|name| name == LAST_LAYER)
    };
    let is_folder = [WEIGHTS, METRICS, TRAININGS].iter().any(|name| path.join(name).exists());
    is_folder || strategy_table::is_one(path) && names_layer(path)
}

fn read_agent(path: &Path, game: &Game) -> Result<NamedStrategy, String> {
    let (file, bytes) = read_weights(path).map_err(|error| error.to_string())?;
    let name = if path.join(TRAININGS).is_dir() { name_of(path) } else { agent_name(&file) };
    let game = Arc::new(Game::new(game.rules()));
    let agent = LearnedStrategy::from_weights(&name, &game, &bytes).map_err(|error| {
        let file = file.display();
        format!("{file} does not contain an agent for Pai Gow Poker: {error}; train one with houseway train")
    })?;
    Ok(NamedStrategy::Policy(Arc::new(agent)))
}

/// Returns an agent's name. This is the name of its folder or, if the weights file has been renamed, the name of the
/// file.
fn agent_name(file: &Path) -> String {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    match file.parent().filter(|_| file.file_name().is_some_and(|name| name == WEIGHTS)) {
        Some(folder) => name_of(folder),
        None => name_of(&file.with_extension("")),
    }
}

/// Returns the name of a file or folder, if it can be the name of a strategy.
fn name_of(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if names::check(&name).is_ok() { name.into_owned() } else { "agent".to_owned() }
}
