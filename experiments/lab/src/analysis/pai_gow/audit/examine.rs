//! Runs audits and writes their results.

use super::findings::AuditFindings;
use super::prices::game_readings;
use super::subject::{PreparedAudit, Subject};
use crate::analysis::pai_gow::progress::with_progress;
use crate::run::{RESULTS, RunFolder, RunKind, RunSpec, config_text};
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::audit::{Prices, audit, audit_table};
use houseway_exact::pai_gow::whole::{Cancelled, Pass, Play, Run};
use std::io;
use std::sync::atomic::AtomicBool;

impl PreparedAudit {
    /// Returns the spec for the audit's run.
    pub fn spec(&self) -> io::Result<RunSpec> {
        let (config, rules_hash) = (config_text(&self.config())?, self.subject.rules.hash());
        Ok(RunSpec { kind: RunKind::Audit, config, seeds: vec![], rules_hash, environment_hash: None, task_hash: None })
    }

    /// Evaluates the audit over all deals.
    pub fn count(&self, run: &Run<'_>) -> Result<AuditFindings, Cancelled> {
        let Subject { seat, rules, .. } = self.subject;
        let whole = Pass::new(&self.game, seat.side(), &BankerTable::shared(&self.opponent)).with_halves();
        let payoff = seat.payoff(&rules);
        match (self.way.way(), self.way.play()) {
            (Some(way), _) => {
                let prices = Prices::new(way, &self.game);
                let counts = audit(&whole, &prices.alternatives, payoff, run)?;
                Ok(AuditFindings::of_way(self, way, &prices, counts))
            }
            (None, Play::Classes(table)) => {
                Ok(AuditFindings::without_rules(self, audit_table(&whole, table, payoff, run)?))
            }
            _ => unreachable!("other strategies are rejected before the audit"),
        }
    }
}

/// Runs an audit and writes the results to the run's folder. Returns `None` if it is stopped.
pub fn examine(prepared: &PreparedAudit, run: RunFolder, stop: &AtomicBool) -> anyhow::Result<Option<AuditFindings>> {
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
