//! The dependencies between the modules of the workspace's crates, and the cycles among them.

use crate::modules::{Import, Mention, Module, Modules};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

/// The crates of the workspace by the names that code uses.
pub(crate) type Crates = BTreeMap<String, Modules>;

/// A module's place: crate and path.
pub(crate) type Place = (String, Vec<String>);

/// A dependency of one file on another: a use of an item that is defined there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dependency {
    pub(crate) from: Place,
    pub(crate) to: Place,
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    /// The path as written.
    pub(crate) path: String,
}

impl fmt::Display for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {} depends on {} ({})",
            self.file.display(),
            self.line,
            name(&self.from),
            name(&self.to),
            self.path
        )
    }
}

/// Returns a place as a path.
pub(crate) fn name((root, path): &Place) -> String {
    [std::slice::from_ref(root), path].concat().join("::")
}

/// An inner module and the name looked up in it, to stop at imports that lead back to themselves.
type Seen = BTreeSet<(Place, String)>;

/// Where a path leads.
enum Target {
    Module(Place),
    /// An item of this module.
    Item(Place),
    /// Out of the workspace.
    Outside,
}

/// Follows paths through modules and imports.
struct Resolver<'a>(&'a Crates);

impl Resolver<'_> {
    fn module(&self, (root, path): &Place) -> &Module {
        &self.0[root][path]
    }

    /// Resolves a path as seen from a module.
    fn path(&self, from: &Place, path: &[String], seen: &mut Seen) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let root = |name: &str| (name.to_owned(), Vec::new());
        let start = match first.as_str() {
            "crate" => Target::Module(root(&from.0)),
            "self" => Target::Module(from.clone()),
            "super" => Target::Module((from.0.clone(), from.1.split_last()?.1.to_vec())),
            first => match self.name(from, first, seen) {
                Some(target) => target,
                None if self.0.contains_key(first) => Target::Module(root(first)),
                None => return None,
            },
        };
        self.rest(start, rest, seen)
    }

    fn rest(&self, start: Target, rest: &[String], seen: &mut Seen) -> Option<Target> {
        let mut target = start;
        for segment in rest {
            let Target::Module(place) = &target else { break };
            if segment == "super" {
                target = Target::Module((place.0.clone(), place.1.split_last()?.1.to_vec()));
            } else {
                // A name that macros make belongs to the module where the path says that it is.
                target = self.name(place, segment, seen).unwrap_or_else(|| Target::Item(place.clone()));
            }
        }
        Some(target)
    }

    /// Resolves a name in a module.
    fn name(&self, place: &Place, name: &str, seen: &mut Seen) -> Option<Target> {
        if !seen.insert((place.clone(), name.to_owned())) {
            return None;
        }
        let module = self.module(place);
        if module.children.iter().any(|child| child == name) {
            return Some(Target::Module((place.0.clone(), [&place.1[..], &[name.to_owned()]].concat())));
        }
        if module.items.contains_key(name) {
            return Some(Target::Item((place.0.clone(), module.owner.clone())));
        }
        if place.1.is_empty()
            && let Some(macros) =
                self.0[&place.0].values().find(|module| module.root_macros.iter().any(|own| own == name))
        {
            return Some(Target::Item((place.0.clone(), macros.owner.clone())));
        }
        let mut named = module.imports.iter().filter(|import| import.name == name).peekable();
        if named.peek().is_some() {
            return Some(named.find_map(|import| self.path(place, &import.path, seen)).unwrap_or(Target::Outside));
        }
        let mut globs = module.imports.iter().filter(|import| import.name == "*");
        globs.find_map(|import| match self.path(place, &import.path, seen)? {
            Target::Module(glob) => self.name(&glob, name, seen),
            Target::Item(_) | Target::Outside => None,
        })
    }
}

/// Returns all dependencies between different files, each with the first line that shows it.
pub(crate) fn dependencies(crates: &Crates) -> Vec<Dependency> {
    let resolver = Resolver(crates);
    let mut found: BTreeMap<(Place, Place), Dependency> = BTreeMap::new();
    for (root, modules) in crates {
        for module in modules.values() {
            let place = (root.clone(), module.path.clone());
            let from = (root.clone(), module.owner.clone());
            let names = mentioned(module);
            let imports =
                module.imports.iter().filter(|import| !import.exported || names.contains(import.name.as_str()));
            let imports = imports.filter(|import| import.name != "*").map(as_mention);
            for Mention { path, line } in imports.chain(module.mentions.iter().cloned()) {
                let Some(Target::Item(to)) = resolver.path(&place, &path, &mut Seen::new()) else { continue };
                let to = (to.0.clone(), resolver.module(&to).owner.clone());
                if to != from {
                    let dependency =
                        Dependency { from: from.clone(), to, file: module.file.clone(), line, path: path.join("::") };
                    let first =
                        found.entry((from.clone(), dependency.to.clone())).or_insert_with(|| dependency.clone());
                    if line < first.line {
                        *first = dependency;
                    }
                }
            }
        }
    }
    found.into_values().collect()
}

fn as_mention(import: &Import) -> Mention {
    Mention { path: import.path.clone(), line: import.line }
}

/// Returns the first segments of the paths in a module's code.
fn mentioned(module: &Module) -> BTreeSet<&str> {
    module.mentions.iter().map(|mention| mention.path[0].as_str()).collect()
}

/// A cycle among the parts of one module: its own file and the subtrees below it.
#[derive(Debug)]
pub(crate) struct Cycle {
    /// The module.
    pub(crate) module: Place,
    /// The dependencies between its parts that lie on cycles.
    pub(crate) dependencies: Vec<Dependency>,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "modules in {} depend on each other:", name(&self.module))?;
        self.dependencies.iter().try_for_each(|dependency| writeln!(f, "  {dependency}"))
    }
}

/// Returns the part of a module to which a place below it belongs: a child's name, or nothing for the module's own
/// file.
fn part<'a>(module: &Place, place: &'a Place) -> Option<&'a str> {
    let below = place.0 == module.0 && place.1.starts_with(&module.1);
    below.then(|| place.1.get(module.1.len()).map_or("", String::as_str))
}

/// Returns the cycles of every module. Files that depend on each other belong to a cycle of the innermost module around
/// them, so where there are none, the files have an order, and so have the folders.
pub(crate) fn cycles(dependencies: &[Dependency]) -> Vec<Cycle> {
    let prefixes =
        |place: &Place| (0..=place.1.len()).map(|len| (place.0.clone(), place.1[..len].to_vec())).collect::<Vec<_>>();
    let modules: BTreeSet<Place> = dependencies.iter().flat_map(|dependency| prefixes(&dependency.from)).collect();
    modules
        .into_iter()
        .filter_map(|module| {
            let mut edges: BTreeMap<(&str, &str), Vec<&Dependency>> = BTreeMap::new();
            for dependency in dependencies {
                if let (Some(from), Some(to)) = (part(&module, &dependency.from), part(&module, &dependency.to))
                    && from != to
                {
                    edges.entry((from, to)).or_default().push(dependency);
                }
            }
            let on_cycle = edges.iter().filter(|((from, to), _)| reaches(&edges, to, from));
            let dependencies: Vec<Dependency> =
                on_cycle.flat_map(|(_, all)| all.iter().map(|&one| one.clone())).collect();
            (!dependencies.is_empty()).then_some(Cycle { module, dependencies })
        })
        .collect()
}

/// Returns true if edges lead from one part to another.
fn reaches<T>(edges: &BTreeMap<(&str, &str), T>, from: &str, to: &str) -> bool {
    let (mut reached, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(part) = open.pop() {
        for (_, next) in edges.keys().filter(|(start, _)| *start == part) {
            if reached.insert(*next) {
                open.push(next);
            }
        }
    }
    reached.contains(to)
}
