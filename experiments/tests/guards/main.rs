//! Guards that check the workspace's sources for cycles between modules, upward imports and unusual language.
//!
//! They have no dependencies, so `rustc` can compile and run them without cargo within a second:
//! `CARGO_MANIFEST_DIR=experiments rustc --edition 2024 --test experiments/tests/guards/main.rs -o /tmp/guards &&
//! /tmp/guards`.

mod graph;
mod language;
mod layers;
mod lexer;
mod modules;
#[cfg(test)]
mod tests;

use std::path::Path;

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn modules_do_not_depend_on_each_other_in_cycles() {
    let dependencies = graph::dependencies(&layers::read_workspace(workspace()));
    assert!(dependencies.len() > 1_000, "only {} dependencies were found", dependencies.len());
    let cycles = graph::cycles(&dependencies);
    let messages: Vec<String> = cycles.iter().map(ToString::to_string).collect();
    assert!(messages.is_empty(), "\n{}", messages.join("\n"));
}

#[test]
fn imports_point_downwards_and_games_are_known_where_they_live() {
    let crates = layers::read_workspace(workspace());
    let breaches = layers::breaches(&crates, &graph::dependencies(&crates));
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn comments_messages_and_pages_are_in_plain_language() {
    let findings = language::findings(workspace());
    assert!(findings.is_empty(), "{} language violations:\n{}", findings.len(), findings.join("\n"));
}
