//! The command `houseway references`, which computes the reference results again and says which ones are current.

use crate::console::{CommandResult, Failure, OutputOptions};
use crate::run::{
    MODIFIED, Machine, PROVENANCE, Provenance, REFERENCES, cannot_read, commit, notice, read_inside, stop_flag_with,
    verify_run, write_atomic,
};
use clap::Args;
use houseway_exact::answer::{Answer, Section, TextTable};
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::{fs, io};

const MANIFEST: &str = "manifest.toml";
const INDEX: &str = "README.md";
/// The lines of the index between which the table of folders is written.
const TABLE: [&str; 2] = ["<!-- Written by houseway references. -->", "<!-- End of the folders. -->"];
const SHORT_COMMIT: usize = 8;

/// Compute the reference results in results/ again, or say which ones are current
///
/// The manifest, results/manifest.toml, lists the folders with their commands in the order in which they need each other, and
/// the commit that they come from. The program must have been built from a clean commit. Without FOLDER, this commit becomes the
/// manifest's. With FOLDER, it becomes the commit of these folders if it is another one. Folders that are current are skipped,
/// so repeat the command after an interruption.
///
/// A folder is current if the commit in the manifest computed it with the manifest's command and its files are as recorded.
/// With --check, the exit status is 1 if one of the folders isn't current.
#[derive(Args)]
pub struct ReferencesArgs {
    /// The folders to compute, such as search/player [default: all in the manifest]
    #[arg(value_name = "FOLDER")]
    folders: Vec<String>,
    /// Only say which folders are current
    #[arg(long)]
    check: bool,
    /// The folder that contains the manifest and the results
    #[arg(long, value_name = "DIR", default_value = REFERENCES)]
    results: PathBuf,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// The commit that the results should come from, unless a folder names its own.
    commit: String,
    #[serde(rename = "folder")]
    references: Vec<Reference>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reference {
    name: String,
    /// The command as provenance records it, without `--out`.
    command: String,
    claim: String,
    /// The commit that computed the folder again after the others.
    commit: Option<String>,
    /// The approximate duration on two cores, with trainings.
    minutes: u32,
    /// The folders that the command reads. They come earlier in the manifest.
    #[serde(default)]
    needs: Vec<String>,
}

/// The origin of the results in a folder.
struct Found {
    commit: Option<String>,
    date: Option<String>,
    /// Why the results aren't current.
    reason: Option<&'static str>,
}

impl Found {
    fn cells(&self) -> [String; 3] {
        let commit = self.commit.as_deref().unwrap_or_default();
        let day = self.date.as_deref().and_then(|date| date.split('T').next()).unwrap_or_default();
        let state = self.reason.unwrap_or("yes");
        [commit.get(..SHORT_COMMIT).unwrap_or_default().to_owned(), day.to_owned(), state.to_owned()]
    }
}

impl Manifest {
    fn read(folder: &Path) -> Result<Manifest, String> {
        let text = read_inside(folder, MANIFEST).map_err(|error| error.to_string())?;
        let invalid = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.join(MANIFEST).display());
        let manifest: Manifest = toml::from_str(&text).map_err(|error| invalid(&error))?;
        for (i, reference) in manifest.references.iter().enumerate() {
            let earlier = &manifest.references[..i];
            let is_earlier = |name: &String| earlier.iter().any(|other| other.name == *name);
            if is_earlier(&reference.name) {
                return Err(invalid(&format!("the folder {} is listed twice", reference.name)));
            }
            if let Some(name) = reference.needs.iter().find(|name| !is_earlier(name)) {
                return Err(invalid(&format!("{} needs {name}, which must come before it", reference.name)));
            }
            reference.arguments().map_err(|error| invalid(&error))?;
        }
        Ok(manifest)
    }

    /// Returns the folders with the given names, or all folders if there are none.
    fn select(&self, names: &[String]) -> Result<Vec<&Reference>, String> {
        if let Some(name) = names.iter().find(|name| !self.references.iter().any(|known| known.name == **name)) {
            let known: Vec<&str> = self.references.iter().map(|known| &*known.name).collect();
            return Err(format!("the manifest has no folder '{name}'; choose among {}", known.join(", ")));
        }
        let is_selected = |reference: &&Reference| names.is_empty() || names.contains(&reference.name);
        Ok(self.references.iter().filter(is_selected).collect())
    }

    fn index(&self, results: &Path) -> io::Result<String> {
        let text = read_inside(results, INDEX)?;
        let [start, end] = TABLE;
        let parts = text.split_once(start).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
        let Some((before, after)) = parts else {
            let missing = io::Error::other(format!("the lines {start} and {end} are missing"));
            return Err(cannot_read(&results.join(INDEX), missing));
        };
        let mut table =
            "| folder | supports | command | commit | minutes | current |\n|:--|:--|:--|:--|--:|:--|\n".to_owned();
        for reference in &self.references {
            let Reference { name, command, claim, minutes, .. } = reference;
            let [commit, day, state] = self.find(results, reference).cells();
            let row =
                format!("[{name}]({name}/report.md) | {claim} | `{command}` | {commit}, {day} | {minutes} | {state}");
            table += &format!("| {row} |\n");
        }
        Ok(format!("{before}{start}\n\n{table}\n{end}{after}"))
    }

    fn find(&self, results: &Path, reference: &Reference) -> Found {
        reference.find(results, reference.commit.as_deref().unwrap_or(&self.commit))
    }

    /// Writes the program's commit into the manifest, and leaves the rest of its text as it is. The commit is that of the
    /// folders with the given names, or of all folders if there are none. A folder's commit is on the line after its name.
    fn set_commit(&mut self, folder: &Path, names: &[String], commit: &str) -> Result<(), String> {
        let text = read_inside(folder, MANIFEST).map_err(|error| error.to_string())?;
        let line = format!("commit = \"{commit}\"");
        let (mut lines, mut name) = (vec![], None);
        for old in text.lines() {
            let is_name = old.starts_with("name = ");
            if is_name {
                name = self.references.iter().find(|it| old == format!("name = \"{}\"", it.name));
            }
            let is_selected = names.is_empty() || name.is_some_and(|it| names.contains(&it.name));
            match old.starts_with("commit = ") && is_selected {
                true if name.is_none() => lines.push(line.as_str()),
                true => {}
                false => lines.push(old),
            }
            if is_name && is_selected && !names.is_empty() && commit != self.commit {
                lines.push(&line);
            }
        }
        let path = folder.join(MANIFEST);
        if commit != self.commit && !lines.contains(&line.as_str()) {
            return Err(format!("{}: the commit and each name must be on a line of their own", path.display()));
        }
        write_atomic(&path, lines.join("\n") + "\n").map_err(|error| error.to_string())?;
        *self = Manifest::read(folder)?;
        Ok(())
    }
}

impl Reference {
    fn arguments(&self) -> Result<Vec<&str>, String> {
        let mut words = self.command.split(' ');
        let is_plain = words.next() == Some("houseway") && !self.command.contains(['\'', '"', '\\']);
        is_plain
            .then(|| words.collect())
            .ok_or_else(|| format!("the command of {} must be 'houseway' with arguments without quotes", self.name))
    }

    fn find(&self, results: &Path, edition: &str) -> Found {
        let folder = results.join(&self.name);
        let provenance = read_inside(&folder, PROVENANCE).ok();
        let provenance = provenance.and_then(|text| serde_json::from_str::<Provenance>(&text).ok());
        let Some(provenance) = provenance else {
            return Found { commit: None, date: None, reason: Some("no results") };
        };
        let date = Machine::read(&folder).map(|machine| machine.date);
        let reason = self.reason(&provenance, &folder, edition);
        Found { commit: provenance.commit, date, reason }
    }

    fn reason(&self, provenance: &Provenance, folder: &Path, edition: &str) -> Option<&'static str> {
        let commit = provenance.commit.as_deref().unwrap_or_default();
        if commit.ends_with(MODIFIED) {
            return Some("modified program");
        }
        if provenance.command != self.command {
            return Some("another command");
        }
        if commit != edition {
            return Some("another commit");
        }
        match verify_run(folder) {
            Ok(Some(verified)) if verified.is_whole() => None,
            Ok(Some(_)) => Some("changed files"),
            Ok(None) => Some("no manifest.json"),
            Err(_) => Some("unreadable manifest.json"),
        }
    }

    fn compute(&self, results: &Path) -> CommandResult {
        notice(&format!("{}: {}, about {} minutes", self.name, self.command, self.minutes));
        // Commands name files relative to the repository.
        let results = fs::canonicalize(results)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(self.arguments().map_err(Failure::usage)?).arg("--force");
        command.arg("--out").arg(results.join(&self.name)).current_dir(results.parent().unwrap_or(&results));
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status()?;
        match status.success() {
            true => Ok(()),
            false => {
                Err(Failure::work(format!("{} was not computed ({status}); run the same command to go on", self.name)))
            }
        }
    }
}

impl ReferencesArgs {
    pub fn run(self) -> CommandResult {
        let results = &*self.results;
        let mut manifest = Manifest::read(results).map_err(Failure::usage)?;
        if !self.check {
            self.compute(&mut manifest)?;
        }
        let references = manifest.select(&self.folders).map_err(Failure::usage)?;
        let mut table = TextTable::new(["folder", "commit", "date", "minutes", "current"]).right_from(3);
        let mut folders = vec![];
        let mut outdated = 0;
        for reference in references {
            let found = manifest.find(results, reference);
            let Reference { name, command, claim, minutes, needs, .. } = reference;
            folders.push(json!({
                "name": name, "command": command, "claim": claim, "minutes": minutes, "needs": needs,
                "commit": found.commit, "date": found.date, "current": found.reason.is_none(), "reason": found.reason,
            }));
            outdated += usize::from(found.reason.is_some());
            let [commit, date, state] = found.cells();
            table = table.row([name.clone(), commit, date, minutes.to_string(), state]);
        }
        let is_index_current = read_inside(results, INDEX).map_err(Failure::usage)? == manifest.index(results)?;
        let json = json!({ "commit": manifest.commit, "folders": folders, "index_current": is_index_current });
        self.output.show(&Answer::new(json, [Section::default().table(table)]))?;
        if !is_index_current {
            return Err(Failure::work(format!("the table in {INDEX} isn't up to date; houseway references writes it")));
        }
        match outdated {
            0 => Ok(()),
            _ => Err(Failure::work(format!("{outdated} of {} folders aren't current", folders.len()))),
        }
    }

    /// Computes the folders that aren't current.
    fn compute(&self, manifest: &mut Manifest) -> CommandResult {
        let Some(commit) = commit().filter(|commit| !commit.ends_with(MODIFIED)) else {
            return Err(Failure::usage(
                "the reference results must come from a commit; commit your changes and build the program again",
            ));
        };
        manifest.select(&self.folders).map_err(Failure::usage)?;
        let stop = stop_flag_with("stopping with the folder that is being computed")?;
        manifest.set_commit(&self.results, &self.folders, commit).map_err(Failure::work)?;
        for reference in manifest.select(&self.folders).map_err(Failure::usage)? {
            if manifest.find(&self.results, reference).reason.is_some() {
                reference.compute(&self.results)?;
                write_atomic(&self.results.join(INDEX), manifest.index(&self.results)?)?;
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Failure::work("stopped; run the same command to go on"));
            }
        }
        Ok(write_atomic(&self.results.join(INDEX), manifest.index(&self.results)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn committed() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results")
    }

    /// `HOUSEWAY_WRITE_REFERENCE=1` writes the table again after a change of the manifest.
    #[test]
    fn the_table_of_the_index_is_up_to_date() {
        let results = committed();
        let index = Manifest::read(&results).unwrap().index(&results).unwrap();
        if std::env::var_os("HOUSEWAY_WRITE_REFERENCE").is_some() {
            fs::write(results.join(INDEX), &index).unwrap();
        }
        assert!(read_inside(&results, INDEX).unwrap() == index, "write it again with HOUSEWAY_WRITE_REFERENCE=1");
    }

    #[test]
    fn every_committed_run_is_in_the_manifest() {
        fn add(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let is_of_sweep = entry.file_name() == "points";
                if entry.path().join(PROVENANCE).exists() {
                    found.push(entry.path());
                } else if entry.path().is_dir() && !is_of_sweep {
                    add(&entry.path(), found);
                }
            }
        }
        let results = committed();
        let mut found = vec![];
        add(&results, &mut found);
        let manifest = Manifest::read(&results).unwrap();
        let mut listed: Vec<PathBuf> = manifest.references.iter().map(|folder| results.join(&folder.name)).collect();
        found.sort();
        listed.sort();
        assert_eq!(found, listed);
        let is_modified = |it: &Reference| manifest.find(&results, it).reason == Some("modified program");
        assert!(!manifest.references.iter().any(is_modified));
    }

    #[test]
    fn results_are_current_only_with_the_same_commit_command_and_files() {
        let place = tempfile::tempdir().unwrap();
        let results = place.path();
        let folder = results.join("run");
        fs::create_dir(&folder).unwrap();
        let entry = "[[folder]]\nname = \"run\"\ncommand = \"houseway claim\"\nclaim = \"c\"\nminutes = 1\n";
        fs::write(results.join(MANIFEST), format!("commit = \"abc\"\n{entry}")).unwrap();
        let mut manifest = Manifest::read(results).unwrap();
        let reason = |manifest: &Manifest| manifest.find(results, &manifest.references[0]).reason;
        assert_eq!(reason(&manifest), Some("no results"));
        let write = |commit: &str, command: &str| {
            let provenance = json!({ "kind": "claim", "format": 1, "version": "0", "commit": commit, "command": command,
                "seeds": [1], "rules_hash": "", "config_hash": "" });
            fs::write(folder.join(PROVENANCE), provenance.to_string()).unwrap();
            let text = crate::run::manifest_text(&folder, ("results.json", "{}")).unwrap();
            fs::write(folder.join("manifest.json"), text).unwrap();
            fs::write(folder.join("results.json"), "{}").unwrap();
        };
        for (commit, command, expected) in [
            ("abc-modified", "houseway claim", Some("modified program")),
            ("abc", "houseway claim --x", Some("another command")),
            ("abd", "houseway claim", Some("another commit")),
            ("abc", "houseway claim", None),
        ] {
            write(commit, command);
            assert_eq!(reason(&manifest), expected);
        }
        fs::write(folder.join("results.json"), "{ }").unwrap();
        assert_eq!(reason(&manifest), Some("changed files"));
        fs::remove_file(folder.join("manifest.json")).unwrap();
        assert_eq!(reason(&manifest), Some("no manifest.json"));

        // Another program makes all folders outdated, or only those that it computes.
        write("abc", "houseway claim");
        let text = || fs::read_to_string(results.join(MANIFEST)).unwrap();
        let before = text();
        manifest.set_commit(results, &["run".to_owned()], "abd").unwrap();
        assert_eq!((reason(&manifest), manifest.commit.as_str()), (Some("another commit"), "abc"));
        write("abd", "houseway claim");
        assert_eq!(reason(&manifest), None);
        manifest.set_commit(results, &[], "abe").unwrap();
        assert_eq!((reason(&manifest), text()), (Some("another commit"), before.replace("abc", "abe")));
        write("abe", "houseway claim");
        assert_eq!(reason(&manifest), None);

        // A line in another form isn't found, and nothing is written.
        let other = text().replace("commit = ", "commit=");
        fs::write(results.join(MANIFEST), &other).unwrap();
        let error = manifest.set_commit(results, &[], "abf").unwrap_err();
        assert!(error.contains("on a line of their own") && text() == other, "{error}");
    }

    #[test]
    fn mistakes_in_the_manifest_are_named() {
        let place = tempfile::tempdir().unwrap();
        let entry = |name: &str, command: &str, rest: &str| {
            format!("[[folder]]\nname = \"{name}\"\ncommand = \"{command}\"\nclaim = \"c\"\nminutes = 1\n{rest}\n")
        };
        let good = entry("a", "houseway claim", "");
        for (folders, expected) in [
            (format!("{good}{good}"), "listed twice"),
            (format!("{}{good}", entry("b", "houseway compare", "needs = [\"a\"]")), "b needs a"),
            (entry("b", "rm", ""), "must be 'houseway'"),
            (entry("b", "houseway 'x'", ""), "without quotes"),
            (entry("b", "houseway", "minute = 2"), "unknown field `minute`"),
        ] {
            fs::write(place.path().join(MANIFEST), format!("commit = \"abc\"\n{folders}")).unwrap();
            let error = Manifest::read(place.path()).err().unwrap();
            assert!(error.contains(expected), "{error}");
        }
    }
}
