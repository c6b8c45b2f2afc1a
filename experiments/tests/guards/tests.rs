//! Tests for the guards on small artificial workspaces.

use crate::graph::{Crates, cycles, dependencies, name};
use crate::language::file_findings;
use crate::layers::breaches;
use crate::modules::read_crate;
use std::path::Path;

/// Creates crates from files, where `env: lib.rs` is the root of `houseway_env`.
fn crates(files: &[(&str, &str)]) -> Crates {
    let mut crates = Crates::new();
    for name in ["houseway_env", "houseway_exact", "houseway_learned", "houseway", "houseway_python"] {
        let read = |path: &Path| {
            let wanted = path.to_str()?;
            let own = files.iter().find(|(file, _)| file.strip_prefix(name) == Some(&format!("/{wanted}")));
            own.map(|(_, text)| (*text).to_owned()).or_else(|| (wanted == "lib.rs").then(String::new))
        };
        crates.insert(name.to_owned(), read_crate(Path::new("lib.rs"), &read));
    }
    crates
}

/// Returns the dependencies as `from -> to`, and the modules with cycles.
fn graph(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let found = dependencies(&crates(files));
    let cycles = cycles(&found).iter().map(|cycle| name(&cycle.module)).collect();
    (found.iter().map(|one| format!("{} -> {}", name(&one.from), name(&one.to))).collect(), cycles)
}

#[test]
fn a_cycle_through_reexports_is_found_with_its_lines() {
    let files = [
        ("houseway/lib.rs", "pub mod a;\npub mod b;"),
        ("houseway/a/mod.rs", "mod inner;\npub use inner::A;"),
        ("houseway/a/inner.rs", "\npub struct A;\nfn f() { crate::b::g::<u8>(); }"),
        ("houseway/b.rs", "use crate::a::{self, A};\npub fn g<T>() -> A { a::A }"),
    ];
    let found = cycles(&dependencies(&crates(&files)));
    assert_eq!(found.len(), 1);
    let message = found[0].to_string();
    assert!(message.contains("a/inner.rs:3: houseway::a::inner depends on houseway::b (crate::b::g)"), "{message}");
    assert!(message.contains("b.rs:1: houseway::b depends on houseway::a::inner (crate::a::A)"), "{message}");
}

#[test]
fn a_parent_that_only_reexports_is_no_part_of_a_cycle() {
    let reexporting = [
        ("houseway/lib.rs", "pub mod a;"),
        ("houseway/a.rs", "mod low;\nmod high;\npub use low::Low;\npub(crate) use high::*;\nuse std::fmt;"),
        ("houseway/a/low.rs", "use super::fmt::Display;\npub struct Low;"),
        (
            "houseway/a/high.rs",
            "use super::Low;\npub fn high(low: Low) {}\n// crate::a::high\nconst T: &str = \"use super::a\";",
        ),
    ];
    let (edges, cycles) = graph(&reexporting);
    assert_eq!((edges, cycles), (vec!["houseway::a::high -> houseway::a::low".to_owned()], vec![]));
    // The same holds for an item defined in the parent that both modules use.
    let mut using = reexporting;
    using[1].1 = "mod low;\nmod high;\npub use low::Low;\nuse std::fmt;\npub struct Own(Low);";
    using[3].1 = "use super::{Low, Own};";
    let (edges, cycles) = graph(&using);
    assert_eq!(edges.len(), 3, "{edges:?}");
    assert!(cycles.is_empty(), "{cycles:?}");
    using[2].1 = "use super::Own;\npub struct Low;";
    assert_eq!(graph(&using).1, ["houseway::a"]);
}

#[test]
fn folders_are_ordered_as_well_as_files() {
    let files = [
        ("houseway/lib.rs", "mod a { pub mod x; pub mod y; }\nmod b { pub mod x; pub mod y; }"),
        ("houseway/a/x.rs", "pub fn f() { crate::b::y::g(); }"),
        ("houseway/a/y.rs", "pub struct Y;"),
        ("houseway/b/x.rs", "pub(super) fn h(y: crate::a::y::Y) {}"),
        ("houseway/b/y.rs", "pub fn g() {}"),
    ];
    let (edges, cycles) = graph(&files);
    assert_eq!(edges, ["houseway::a::x -> houseway::b::y", "houseway::b::x -> houseway::a::y"]);
    assert_eq!(cycles, ["houseway"]);
}

#[test]
fn tests_globs_macros_and_other_crates_are_understood() {
    let files = [
        ("houseway_env/lib.rs", "pub mod cards;\npub mod macros;\n#[cfg(test)]\nmod toy;"),
        ("houseway_env/macros.rs", "#[macro_export]\nmacro_rules! make { () => { $crate::cards::Card } }"),
        (
            "houseway_env/cards.rs",
            "pub struct Card;\n#[cfg(test)]\nmod tests { use crate::nothing::X; }\nfn r#type() {}",
        ),
        ("houseway/lib.rs", "mod a;\nmod b;\nmod c;"),
        ("houseway/a.rs", "houseway_env::make! { pub enum Made { X } }\n#[test]\nfn t() { crate::b::B; }"),
        ("houseway/b.rs", "use super::a::*;\nuse houseway_env::cards as pack;\nstruct B(Made, [pack::Card; 2]);"),
        (
            "houseway/c.rs",
            "impl C { fn f(&self) { self.b.g(); let b = 0..b::N; } }\nuse crate::a::Generated;\nuse crate::b;",
        ),
    ];
    let (edges, cycles) = graph(&files);
    let expected = [
        "a -> houseway_env::macros",
        "b -> houseway::a",
        "b -> houseway_env::cards",
        "c -> houseway::a",
        "c -> houseway::b",
    ];
    let expected = expected.iter().map(|edge| format!("houseway::{edge}"));
    let all: Vec<String> = expected.chain(["houseway_env::macros -> houseway_env::cards".to_owned()]).collect();
    assert_eq!(edges, all);
    assert!(cycles.is_empty(), "{cycles:?}");
}

#[test]
fn breaches_of_the_layers_are_found() {
    let files = [
        ("houseway_env/lib.rs", "pub mod cards;\npub mod gym;\npub mod old_maid;\npub mod snap;\npub mod registry;"),
        ("houseway_env/cards.rs", "pub struct Card;\nfn f() { crate::gym::env(); }"),
        ("houseway_env/gym.rs", "pub fn env() {}\nconst NAME: &str = \"OldMaid-v0\";"),
        ("houseway_env/old_maid.rs", "use crate::{cards::Card, gym::env};\npub fn deal() {}"),
        ("houseway_env/snap.rs", "use crate::old_maid::deal;"),
        ("houseway_env/registry.rs", "use crate::{old_maid::deal, snap};"),
        ("houseway_exact/lib.rs", "mod answer;\nmod old_maid;\nconst SOLVERS: &str = \"old-maid\";"),
        ("houseway_exact/answer.rs", "use houseway_env::old_maid::deal;"),
        ("houseway_exact/old_maid.rs", "use houseway_env::{old_maid::deal, registry};"),
        ("houseway/lib.rs", "mod cli;\nmod analysis;\nmod play;"),
        ("houseway/cli.rs", "fn f() { run(\"old maid\"); }"),
        ("houseway/play.rs", "// old maid\n/// Plays snap.\nfn f() {}"),
        ("houseway/analysis.rs", "use houseway_env::old_maid::deal;"),
        ("houseway_learned/lib.rs", "fn f() { houseway_exact::solve(); }"),
    ];
    let crates = crates(&files);
    let found = breaches(&crates, &dependencies(&crates));
    let starts = [
        "cli.rs:1: names a game",
        "cards.rs:2: houseway_env::cards depends on houseway_env::gym",
        "gym.rs:2: names a game",
        "snap.rs:1: houseway_env::snap depends on houseway_env::old_maid",
        "answer.rs:1: houseway_exact::answer depends on houseway_env::old_maid",
        "answer.rs:1: names a game",
        "lib.rs:1: houseway_learned depends on houseway_exact",
    ];
    for start in starts {
        assert!(found.iter().any(|breach| breach.starts_with(start)), "{start}\n{found:#?}");
    }
    assert_eq!(found.len(), starts.len(), "{found:#?}");
}

#[test]
fn a_root_names_the_modules_of_its_games_and_nothing_else_does() {
    let files = [
        ("houseway_env/lib.rs", "pub mod pai_gow;\npub mod snap;"),
        ("houseway_env/pai_gow.rs", ""),
        ("houseway_env/snap.rs", ""),
        ("houseway_python/lib.rs", "mod env;\nmod pai_gow;\nfn f() { pai_gow::add(); }\nfn g() { pai_gow::snap(); }"),
        ("houseway_python/pai_gow.rs", "pub(crate) fn add() {}\npub(crate) fn snap() {}"),
        ("houseway_python/env.rs", "fn f() { crate::pai_gow::add(); }"),
    ];
    let crates = crates(&files);
    let found = breaches(&crates, &dependencies(&crates));
    let expected =
        ["env.rs:1: names a game: crate::pai_gow::add".to_owned(), "lib.rs:4: names a game: pai_gow::snap".to_owned()];
    assert_eq!(found, expected);
}

#[test]
fn breaches_of_the_language_are_found() {
    let text = "//! Whether it is odd.\n\n/// What is told.\n/// How it goes on.\nconst MOST_SEATS: u8 = 0; // of hers and his\n\
                /// The hand. Which one: see below.\nfn f() { fail(\"'x' is no card\", \"there is no card\", `what`) }";
    let found = file_findings(Path::new("a.rs"), text);
    let rules: Vec<String> = found.iter().map(|one| one.split(" (").next().unwrap().to_owned()).collect();
    let expected = [
        "a.rs:1: a summary that begins with Whether: Whether it is odd.",
        "a.rs:3: a summary that begins with What: What is told.",
        "a.rs:3: 'is told'",
        "a.rs:5: 'his'",
        "a.rs:7: '' is no'",
        "a.rs:5: MOST_",
    ];
    assert_eq!(rules, expected);
    let text = "_MOST_SEATS: int = 6\ndef f():\n    \"\"\"Which of them.\"\"\"\n# made ready, or `made ready`\nALMOST_ALL = 1\n";
    let found = file_findings(Path::new("a.py"), text);
    let rules: Vec<&str> = found.iter().map(|one| one.split(" (").next().unwrap()).collect();
    assert_eq!(
        rules,
        ["a.py:3: a summary that begins with Which: Which of them.\"\"\"", "a.py:4: 'made ready'", "a.py:1: MOST_"]
    );
}
