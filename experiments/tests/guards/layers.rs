//! The layers of the workspace, which define which crates and modules may depend on each other.

use crate::graph::{Crates, Dependency, Place};
use crate::modules::Module;
use std::collections::BTreeSet;
use std::path::Path;

/// A crate in the workspace.
pub(crate) struct Layer {
    /// The name used in code.
    pub(crate) name: &'static str,
    /// The crate's root file.
    pub(crate) root: &'static str,
    /// The crates that its code may use.
    pub(crate) below: &'static [&'static str],
    /// The modules in the crate that may name a game, or `*` for all of them in crates that contain games.
    pub(crate) knows_games: &'static [&'static str],
}

/// All crates in the workspace.
pub(crate) const LAYERS: [Layer; 5] = [
    Layer { name: "houseway_env", root: "env/src/lib.rs", below: &[], knows_games: ALL },
    Layer { name: "houseway_exact", root: "agents/exact/src/lib.rs", below: &["houseway_env"], knows_games: ALL },
    Layer {
        name: "houseway_learned",
        root: "agents/learned/src/lib.rs",
        below: &["houseway_env"],
        knows_games: &["tasks"],
    },
    Layer {
        name: "houseway",
        root: "experiments/src/lib.rs",
        below: &["houseway_env", "houseway_exact", "houseway_learned"],
        knows_games: &["analysis"],
    },
    Layer {
        name: "houseway_python",
        root: "env/python/src/lib.rs",
        below: &["houseway_env", "houseway_exact"],
        knows_games: &["pai_gow"],
    },
];

const ALL: &[&str] = &["*"];

/// The modules in `houseway_env` that don't define a game: the foundation, and the modules that build on it.
const FOUNDATION: &[&str] = &["cards", "files", "kept", "rank", "money", "names", "paytable", "rules", "seal"];
const ABOVE_FOUNDATION: &[&str] = &["gym"];
/// The modules in a crate that list its games, apart from its root.
const LISTS: &[&str] = &["registry", "solvers"];

/// Returns the games, which are the modules in `houseway_env` that are neither foundation nor gym nor a list.
pub(crate) fn games(crates: &Crates) -> BTreeSet<String> {
    let children = crates["houseway_env"][&Vec::new()].children.iter();
    let other = [FOUNDATION, ABOVE_FOUNDATION, LISTS].concat();
    children.filter(|child| !other.contains(&child.as_str())).cloned().collect()
}

/// Returns all layer violations with file, line and reason. They are found in dependencies and in names in code and
/// string literals.
pub(crate) fn breaches(crates: &Crates, dependencies: &[Dependency]) -> Vec<String> {
    let games = games(crates);
    let mut found = BTreeSet::new();
    for dependency in dependencies {
        if let Some(reason) = upwards(&games, dependency) {
            found.insert(format!("{dependency}: {reason}"));
        }
    }
    for (root, modules) in crates {
        for module in modules.values() {
            let place = (root.clone(), module.owner.clone());
            let lines = if may_name_games(&games, &place) { Vec::new() } else { named_games(&games, &place, module) };
            for (line, name) in lines {
                found.insert(format!("{}:{line}: names a game: {name}", module.file.display()));
            }
        }
    }
    found.into_iter().collect()
}

fn layer(root: &str) -> &'static Layer {
    LAYERS.iter().find(|layer| layer.name == root).expect("every crate has a layer")
}

/// Returns the layer of a module in the two crates that contain games.
fn height(games: &BTreeSet<String>, (root, path): &Place) -> usize {
    match path.first().map(String::as_str) {
        None => 4,
        Some(first) if LISTS.contains(&first) => 3,
        Some(first) if games.contains(first) => 2,
        Some(first) if root == "houseway_env" && FOUNDATION.contains(&first) => 0,
        Some(_) => 1,
    }
}

/// Returns the reason why a dependency points upwards or sideways, or `None` if it doesn't.
fn upwards(games: &BTreeSet<String>, Dependency { from, to, .. }: &Dependency) -> Option<String> {
    if from.0 != to.0 {
        let allowed = layer(&from.0).below.contains(&to.0.as_str());
        let foundation = height(games, from) < 2 && layer(&from.0).knows_games == ALL && height(games, to) >= 2;
        return match (allowed, foundation) {
            (false, _) => Some(format!("{} is not below {}", to.0, from.0)),
            (true, true) => Some("a module that serves every game knows one".to_owned()),
            (true, false) => None,
        };
    }
    if layer(&from.0).knows_games != ALL {
        return None;
    }
    let (low, high) = (height(games, from), height(games, to));
    if low < high {
        Some("it points upwards".to_owned())
    } else if low == 2 && high == 2 && from.1[0] != to.1[0] {
        Some("a game knows another game".to_owned())
    } else {
        None
    }
}

/// Returns `true` if code in this place may name a game.
fn may_name_games(games: &BTreeSet<String>, place: &Place) -> bool {
    let layer = layer(&place.0);
    if layer.knows_games == ALL {
        return height(games, place) >= 2;
    }
    place.1.first().is_some_and(|first| layer.knows_games.contains(&first.as_str()))
}

/// Returns the lines in a module that name a game, in any spelling. A crate's root may name the modules that may name
/// games, because it declares them.
fn named_games(games: &BTreeSet<String>, (root, path): &Place, module: &Module) -> Vec<(usize, String)> {
    let own = if path.is_empty() { layer(root).knows_games } else { &[] };
    let is_own = |segment: &str| own.contains(&segment);
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let games: Vec<String> = games.iter().map(|game| plain(game)).collect();
    let in_segment = |segment: &str| !is_own(segment) && games.iter().any(|game| plain(segment).contains(game));
    let names = |text: &str| text.split("::").any(in_segment);
    let imports = module.imports.iter().map(|import| (import.line, import.path.join("::")));
    let mentions = module.mentions.iter().map(|mention| (mention.line, mention.path.join("::")));
    let items = module.items.iter().map(|(name, &line)| (line, name.clone()));
    let children = module.children.iter().filter(|child| !is_own(child)).map(|child| (1, format!("mod {child}")));
    let texts = module.texts.iter().map(|(text, line)| (*line, format!("\"{text}\"")));
    imports.chain(mentions).chain(items).chain(children).chain(texts).filter(|(_, text)| names(text)).collect()
}

/// Reads all crates in the workspace. Paths in messages are relative to it.
pub(crate) fn read_workspace(workspace: &Path) -> Crates {
    let read = |file: &Path| std::fs::read_to_string(workspace.join(file)).ok();
    let crates = LAYERS.iter();
    crates.map(|layer| (layer.name.to_owned(), crate::modules::read_crate(Path::new(layer.root), &read))).collect()
}
