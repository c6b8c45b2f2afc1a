//! Implementation of `houseway verify`.

use crate::console::{CommandResult, Failure, OrUsage, OutputOptions, print, print_json};
use crate::run::{PROVENANCE, VerifiedRun, cannot_read, verify_run};
use clap::Args;
use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Compare the files of runs with the checksums in their manifests
///
/// Every finished run lists the SHA-256 of its files in manifest.json. This shows accidents, such as damaged disks,
/// incomplete copies and careless edits. It can't prove who wrote the files, because anyone can write a new manifest. Runs
/// of earlier versions have no manifest.
///
/// JSON: {"verified": true if all files of all runs are as recorded, "runs": [{"run", "manifest": false if there is none,
/// "verified", "changed", "missing", "omitted", "others"}]}. "omitted" lists missing weights, checkpoints and strategies, which
/// published runs may lack, and "others" lists files that aren't part of the run.
#[derive(Args)]
pub struct VerifyArgs {
    /// A run's folder, such as results/quick, or a folder that contains runs
    folder: PathBuf,
    #[command(flatten)]
    output: OutputOptions,
}

impl VerifyArgs {
    pub(super) fn run(self) -> CommandResult {
        let mut runs = vec![];
        find_runs(&self.folder, &mut runs).or_usage()?;
        if runs.is_empty() {
            let folder = self.folder.display();
            return Err(Failure::usage(format!("{folder} contains no runs: there is no {PROVENANCE}")));
        }
        let (mut documents, mut text, mut verified, mut failed) = (vec![], String::new(), 0, 0);
        for run in &runs {
            let result = verify_run(run);
            let has_manifest = !matches!(&result, Ok(None));
            let is_whole = matches!(&result, Ok(Some(found)) if found.is_whole());
            verified += usize::from(is_whole);
            failed += usize::from(has_manifest && !is_whole);
            text += &format!("{}: {}", run.display(), described(&result));
            let error = result.as_ref().err().map(io::Error::to_string);
            let mut document = json!(result.unwrap_or_default().unwrap_or_default());
            document["run"] = json!(run);
            document["manifest"] = has_manifest.into();
            if let Some(error) = error {
                document["error"] = error.into();
            }
            documents.push(document);
        }
        let is_verified = failed == 0 && verified > 0;
        match self.output.json {
            true => print_json(&json!({ "verified": is_verified, "runs": documents }))?,
            false => print(&text)?,
        }
        match (failed, verified) {
            (0, 0) => Err(Failure::work(
                "nothing could be verified, because the runs have no manifest; run them again to get one",
            )),
            (0, _) => Ok(()),
            _ => Err(Failure::work(format!("{failed} of {} runs differ from their manifests", runs.len()))),
        }
    }
}

/// Describes what was found in a run, in one line and a line for each file that differs.
fn described(result: &io::Result<Option<VerifiedRun>>) -> String {
    let found = match result {
        Err(error) => return format!("{error}\n"),
        Ok(None) => return "no manifest; it was written by an earlier version or isn't finished\n".to_owned(),
        Ok(Some(found)) => found,
    };
    let mut text = format!("{} files are as recorded", found.verified);
    for (files, what) in [
        (&found.changed, "changed"),
        (&found.missing, "missing"),
        (&found.omitted, "of weights, checkpoints and strategies not here"),
        (&found.others, "not part of the run"),
    ] {
        if !files.is_empty() {
            text += &format!(", {} {what}", files.len());
        }
    }
    text.push('\n');
    for (files, what) in [(&found.changed, "changed"), (&found.missing, "missing")] {
        files.iter().for_each(|file| text += &format!("  {what}: {file}\n"));
    }
    text
}

/// Adds the sorted folders of runs in a folder, which may be one itself. Links and the hidden folders of unfinished runs
/// are left out.
fn find_runs(folder: &Path, runs: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.join(PROVENANCE).exists() {
        runs.push(folder.to_owned());
    }
    let failed = |error| cannot_read(folder, error);
    let mut folders = vec![];
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if entry.file_type().map_err(failed)?.is_dir() && !is_hidden {
            folders.push(entry.path());
        }
    }
    folders.sort();
    folders.iter().try_for_each(|folder| find_runs(folder, runs))
}
