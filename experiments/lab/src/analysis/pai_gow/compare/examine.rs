//! Runs comparisons and writes their results.

use super::contest::Contest;
use super::passes::{FOLDER, Passes};
use super::standings::Standings;
use crate::run::{RESULTS, RunFolder, RunKind, RunSpec, config_text, make_folder};
use std::io;
use std::sync::atomic::AtomicBool;

impl Contest {
    /// Returns the spec for the comparison's run.
    pub fn spec(&self) -> io::Result<RunSpec> {
        let (config, rules_hash) = (config_text(&self.config())?, self.game.rules().hash());
        Ok(RunSpec {
            kind: RunKind::Compare,
            config,
            seeds: vec![],
            rules_hash,
            environment_hash: None,
            task_hash: None,
        })
    }
}

/// Computes the missing passes and writes the comparison to the run's folder. Returns `None` if it is stopped. Finished
/// passes are reused the next time.
pub fn examine(contest: &Contest, run: RunFolder, stop: &AtomicBool) -> anyhow::Result<Option<Standings>> {
    run.carry_over(FOLDER)?;
    make_folder(&run.file(FOLDER))?;
    let Some(standings) = Passes::new(contest, &run, stop).standings()? else { return Ok(None) };
    run.write_json(RESULTS, &standings.json())?;
    standings.save_table(&run)?;
    standings.report().save(&run)?;
    run.finish()?;
    Ok(Some(standings))
}
