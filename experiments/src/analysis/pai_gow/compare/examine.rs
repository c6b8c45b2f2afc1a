//! Execution of a comparison.

use super::contest::Contest;
use super::passes::{FOLDER, Passes};
use super::standings::Standings;
use crate::run::{Provenance, RESULTS, RunFolder, config_text, make_folder};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Computes the missing passes and writes the comparison to a run's folder. Returns `None` if it was stopped; finished
/// passes are reused the next time.
///
/// # Errors
/// If the folder cannot be used.
pub fn examine(contest: &Contest, folder: &Path, stop: &AtomicBool) -> anyhow::Result<Option<Standings>> {
    let config = config_text(&contest.config())?;
    let provenance = Provenance::new(&config, Vec::new(), contest.game.rules().hash());
    let (run, _) = RunFolder::start(folder, provenance, &config)?;
    make_folder(&run.file(FOLDER))?;
    let Some(standings) = Passes::new(contest, &run, stop).standings()? else { return Ok(None) };
    run.write_json(RESULTS, &standings.json())?;
    standings.save_table(&run)?;
    standings.report().save(&run)?;
    run.finish()?;
    Ok(Some(standings))
}
