//! A list of the files in a results folder that can be requested by name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The path for requests about results.
pub(super) const RESULTS: &str = "/results/";
/// The maximum depth of the listed folders.
const MAX_DEPTH: usize = 5;
/// The maximum number of listed files.
pub(super) const MAX_FILES: usize = 5_000;
/// The extensions of the files that are served, with their content types.
const KINDS: [(&str, &str); 3] = [("md", "text/html"), ("png", "image/png"), ("svg", "image/svg+xml")];
/// The name of the metrics file. Every folder that contains one is a training run.
pub(super) const METRICS: &str = "metrics.csv";
/// The suffix that turns a folder's path into the path for its learning curves.
pub(super) const CURVES: &str = "/curves";
/// The training runs in one folder, keyed by name.
pub(super) type Group = BTreeMap<String, PathBuf>;

/// The reports, plots and training runs in a folder. Their names are relative paths with forward slashes.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) files: BTreeMap<String, PathBuf>,
    /// The training runs, keyed by folder and name.
    pub(super) trainings: BTreeMap<String, Group>,
    /// The number of reports and plots beyond [`MAX_FILES`], which are left out.
    pub(super) left_out: usize,
}

impl List {
    /// Lists a folder. Hidden files, links and files with unusual names are skipped.
    pub(super) fn read(folder: &Path) -> List {
        let mut list = List::default();
        list.add(folder, "", 0);
        list
    }

    fn add(&mut self, folder: &Path, prefix: &str, depth: usize) {
        let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let Ok(kind) = entry.file_type() else { continue };
            let Some(name) = entry.file_name().to_str().filter(|name| is_plain(name)).map(str::to_owned) else {
                continue;
            };
            if kind.is_file() && name == METRICS {
                self.add_training(folder, prefix);
            }
            let name = format!("{prefix}{name}");
            if kind.is_dir() && depth < MAX_DEPTH {
                self.add(&entry.path(), &format!("{name}/"), depth + 1);
            } else if kind.is_file() && kind_of(&name).is_some() {
                match self.files.len() < MAX_FILES {
                    true => drop(self.files.insert(name, entry.path())),
                    false => self.left_out += 1,
                }
            }
        }
    }

    /// Returns the plots that have no report in their folder or, if it is named `plots`, in its parent folder. If a plot
    /// exists as PNG and SVG, only the SVG is returned.
    pub(super) fn other_plots(&self) -> Vec<&str> {
        let names = || self.files.keys().map(String::as_str);
        let reported: BTreeSet<&str> = names().filter(|name| name.ends_with(".md")).map(folder_of).collect();
        let has_report = |name: &str| {
            let folder = folder_of(name);
            let is_plots = folder.rsplit('/').next() == Some("plots");
            reported.contains(folder) || is_plots && reported.contains(folder_of(folder))
        };
        let has_svg =
            |name: &str| name.strip_suffix(".png").is_some_and(|stem| self.files.contains_key(&format!("{stem}.svg")));
        names().filter(|name| !name.ends_with(".md") && !has_report(name) && !has_svg(name)).collect()
    }

    /// Adds a training run. `prefix` is the folder's path relative to the results folder, with a trailing slash.
    fn add_training(&mut self, folder: &Path, prefix: &str) {
        if let Some((group, name)) = prefix.trim_end_matches('/').rsplit_once('/') {
            self.trainings.entry(group.to_owned()).or_default().insert(name.to_owned(), folder.to_owned());
        }
    }

    /// Finds the training runs whose learning curves are requested under a name. Returns their folder, the training
    /// runs and the rest of the name.
    pub(super) fn trainings_of<'a>(&self, name: &'a str) -> Option<(String, Group, &'a str)> {
        self.trainings.iter().find_map(|(folder, group)| {
            let rest = name.strip_prefix(folder.as_str())?.strip_prefix(CURVES)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| (folder.clone(), group.clone(), rest))
        })
    }
}

/// Returns the folder of a file or folder. Empty for names at the top level.
pub(super) fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns `true` if a name consists of ASCII letters, digits and `._-` and isn't hidden. Such a name can be part of a
/// URL without escaping.
pub(super) fn is_plain(name: &str) -> bool {
    !name.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// Returns the content type for a file name, or `None` if such files aren't served.
pub(super) fn kind_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}
