//! Guards over the sources of the workspace: no cycle between modules, no import that points upwards,
//! plain language.
//!
//! They have no dependencies, so `rustc` alone compiles and runs them in a second:
//! `CARGO_MANIFEST_DIR=experiments rustc --edition 2024 --test experiments/tests/guards/main.rs -o /tmp/guards && /tmp/guards`.

mod graph;
mod language;
mod layers;
mod lexer;
mod modules;
#[cfg(test)]
mod tests;

use std::path::Path;

/// Modules whose parts depend on each other, to be taken apart.
const KNOWN_CYCLES: &[&str] = &["houseway_python"];
/// Breaches of the language that are left to be rewritten.
const LANGUAGE_BUDGET: usize = 134;
/// Modules with imports that point upwards, or that name a game and should not.
const KNOWN_BREACHES: &[&str] = &[
    "houseway_python",
    "houseway_python::asian_stud",
    "houseway_python::audit",
    "houseway_python::banking",
    "houseway_python::cards",
    "houseway_python::exact",
    "houseway_python::joker_seven",
    "houseway_python::table",
    "houseway_python::ultimate_holdem",
    "houseway_python::way",
];

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn modules_do_not_depend_on_each_other_in_cycles() {
    let dependencies = graph::dependencies(&layers::read_workspace(workspace()));
    assert!(dependencies.len() > 1_000, "only {} dependencies were found", dependencies.len());
    let cycles = graph::cycles(&dependencies);
    let unknown = cycles.iter().filter(|cycle| !KNOWN_CYCLES.contains(&graph::name(&cycle.module).as_str()));
    let messages: Vec<String> = unknown.map(ToString::to_string).collect();
    assert!(messages.is_empty(), "\n{}", messages.join("\n"));
}

#[test]
fn imports_point_downwards_and_games_are_known_where_they_live() {
    let crates = layers::read_workspace(workspace());
    let breaches = layers::breaches(&crates, &graph::dependencies(&crates));
    let unknown = breaches.iter().filter(|breach| !KNOWN_BREACHES.contains(&breach.module.as_str()));
    let messages: Vec<&str> = unknown.map(|breach| breach.message.as_str()).collect();
    assert!(messages.is_empty(), "\n{}", messages.join("\n"));
}

#[test]
fn comments_messages_and_pages_are_in_plain_language() {
    let findings = language::findings(workspace());
    assert!(
        findings.len() <= LANGUAGE_BUDGET,
        "{} breaches of the language, {LANGUAGE_BUDGET} are left:\n{}",
        findings.len(),
        findings.join("\n")
    );
}
