//! Execution of an audit.

use super::findings::Findings;
use super::prices::game_readings;
use super::subject::{Prepared, Subject};
use crate::analysis::pai_gow::progress::with_progress;
use crate::run::{RESULTS, RunFolder, RunKind, RunSpec, config_text};
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::audit::{Prices, audit};
use houseway_exact::pai_gow::whole::{Cancelled, Run, Whole};
use std::io;
use std::sync::atomic::AtomicBool;

impl Prepared {
    /// Returns the description of its run.
    ///
    /// # Errors
    /// If TOML cannot represent the configuration.
    pub fn spec(&self) -> io::Result<RunSpec> {
        let (config, rules_hash) = (config_text(&self.config())?, self.subject.rules.hash());
        Ok(RunSpec { kind: RunKind::Audit, config, seeds: vec![], rules_hash, task_hash: None })
    }

    /// Evaluates everything in the audit.
    ///
    /// # Errors
    /// If the run was canceled.
    pub fn count(&self, run: &Run<'_>) -> Result<Findings, Cancelled> {
        let Subject { seat, rules, .. } = self.subject;
        let whole = Whole::new(&self.game, seat.side(), &BankerTable::new(&self.opponent)).with_halves();
        let prices = Prices::of(&self.way, &self.game);
        let counts = audit(&whole, &prices.alternatives, seat.payoff(&rules), run)?;
        Ok(Findings::new(self, &prices, counts))
    }
}

/// Runs an audit and writes it to a run's folder. Returns `None` if it was stopped.
///
/// # Errors
/// If a file cannot be written.
pub fn examine(prepared: &Prepared, run: RunFolder, stop: &AtomicBool) -> anyhow::Result<Option<Findings>> {
    let counted = with_progress("counting", stop, |run| prepared.count(run));
    let Ok(mut findings) = counted else { return Ok(None) };
    if prepared.subject.game_readings {
        let Some(readings) = game_readings(&prepared.subject, findings.ev(), stop) else { return Ok(None) };
        findings.game_readings = readings;
    }
    run.write_json(RESULTS, &findings.json())?;
    findings.save_tables(&run)?;
    findings.report().save(&run)?;
    run.finish()?;
    Ok(Some(findings))
}
