//! The registries of games and solvers as JSON.

use houseway_env::gym::{Env, GameEntry, MakeError};
use houseway_env::registry;
use houseway_env::rules::RuleReading;
use houseway_exact::registry::solvers;
use houseway_exact::solver::{OptionKind, OptionSpec, SolverEntry};
use serde_json::{Map, Value, json};

/// Makes the single-agent environment of a game, given its name or id and a JSON configuration.
pub(crate) fn make(id: &str, config: &str) -> Result<Box<dyn Env>, MakeError> {
    (registry::find(id)?.make)(config)
}

/// Returns all games with their environments, rules and solvers.
pub(crate) fn all() -> Value {
    registry::games().into_iter().map(game_json).collect()
}

fn game_json(game: &GameEntry) -> Value {
    let data = game
        .data
        .iter()
        .map(|(kind, files)| ((*kind).to_owned(), files.iter().map(|(name, _)| *name).collect::<Vec<_>>().into()));
    json!({
        "name": game.name,
        "id": game.id,
        "title": game.title,
        "source": game.source,
        "encodings": game.encodings,
        "actions": (game.action_names)(),
        "layout": game.layout(),
        "rules": (game.rules.defaults)(),
        "readings": choices(game.rules.readings),
        "variants": choices(game.rules.variants),
        "data": data.collect::<Map<_, _>>(),
        "solver": solvers().into_iter().find(|solver| solver.game == game.name).map(solver_json),
    })
}

/// Returns the options of each reading or variant by name, with the default first.
fn choices(choices: &[RuleReading]) -> Map<String, Value> {
    choices.iter().map(|choice| (choice.name.to_owned(), json!(choice.options))).collect()
}

fn solver_json(solver: &SolverEntry) -> Value {
    json!({
        "about": solver.about,
        "unit": solver.unit.name,
        "hands": solver.hands,
        "options": solver.options.iter().map(option_json).collect::<Vec<_>>(),
        "samples": solver.sample.map(|sample| sample.items),
    })
}

fn option_json(option: &OptionSpec) -> Value {
    let values = match option.kind {
        OptionKind::Flag => json!([true, false]),
        OptionKind::Text(placeholder) => json!(placeholder),
        OptionKind::Integer(_, min, max) => json!({ "min": min, "max": max }),
        OptionKind::Choice(values) => json!(values),
    };
    json!({
        "name": option.name,
        "values": values,
        "help": option.help,
        "in_solve": option.in_solve,
        "in_value": option.in_value,
    })
}
