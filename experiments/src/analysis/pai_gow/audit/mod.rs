//! Audits of house ways: where a way costs money, exactly, as JSON, on the terminal and as a report that needs no
//! programmer.
//!
//! - [`Subject`]: which way is audited, on which side of the table, against whom, by which rules.
//! - [`examine`]: counts all that an audit asks in one pass (with readings of the game one more for each) and writes it into
//!   a run's folder.
//! - [`Findings`]: what came of it, with its JSON, its text and its report.

mod figures;
mod findings;
mod json;
mod prices;
mod report;
mod tables;
mod text;

pub use findings::{Findings, GameReading, ReadingPrice, RuleFinding, RulePrice};

use super::seat::Seat;
use crate::run::{Provenance, RESULTS, RunFolder, config_text, with_progress};
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::audit::{Prices, audit};
use houseway_exact::pai_gow::whole::{Cancelled, Run, Whole};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What is audited.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The house way.
    pub way: Way,
    /// The way of the other side.
    pub opponent: Way,
    /// The side that the house way sets for.
    pub seat: Seat,
    /// The rules.
    pub rules: Rules,
    /// Whether the readings of the game's own rules are priced too.
    pub game_readings: bool,
}

/// The same as `config.toml` says it.
#[derive(Serialize)]
struct Config {
    seat: Seat,
    way: String,
    way_hash: String,
    opponent: String,
    opponent_hash: String,
    game_readings: bool,
    way_readings: BTreeMap<String, String>,
    opponent_readings: BTreeMap<String, String>,
    rules: Rules,
}

/// A subject made ready to count.
pub struct Prepared {
    subject: Subject,
    game: Game,
    way: HouseWay,
    opponent: HouseWay,
}

impl Subject {
    /// Compiles the ways, which shows that they set every hand, before long work begins.
    ///
    /// # Errors
    /// If they do not.
    pub fn prepare(self) -> Result<Prepared, WayError> {
        let game = Game::new(self.rules);
        let [way, opponent] = [&self.way, &self.opponent].map(|way| HouseWay::compile(way.clone(), &game));
        Ok(Prepared { way: way?, opponent: opponent?, game, subject: self })
    }
}

impl Prepared {
    fn config(&self) -> Config {
        let Subject { way, opponent, seat, rules, game_readings } = &self.subject;
        Config {
            seat: *seat,
            way: way.name().to_owned(),
            way_hash: self.way.hash(),
            opponent: opponent.name().to_owned(),
            opponent_hash: self.opponent.hash(),
            game_readings: *game_readings,
            way_readings: way.chosen_options(),
            opponent_readings: opponent.chosen_options(),
            rules: *rules,
        }
    }

    /// Counts all that the audit asks.
    ///
    /// # Errors
    /// If the run was cancelled.
    pub fn count(&self, run: &Run<'_>) -> Result<Findings, Cancelled> {
        let Subject { seat, rules, .. } = self.subject;
        let whole = Whole::new(&self.game, seat.side(), &BankerTable::new(&self.opponent)).with_halves();
        let prices = Prices::of(&self.way, &self.game);
        let counts = audit(&whole, &prices.alternatives, seat.payoff(&rules), run)?;
        Ok(Findings::new(self, &prices, counts))
    }
}

/// Counts all that an audit asks and writes it into a run's folder. Gives nothing if it was stopped.
///
/// # Errors
/// If the folder cannot be used.
pub fn examine(prepared: &Prepared, folder: &Path, stop: &AtomicBool) -> anyhow::Result<Option<Findings>> {
    let config = config_text(&prepared.config())?;
    let provenance = Provenance::new(&config, Vec::new(), prepared.subject.rules.hash());
    let (run, _) = RunFolder::start(folder, provenance, &config)?;
    let counted = with_progress("counting", stop, |run| prepared.count(run));
    let Ok(mut findings) = counted else { return Ok(None) };
    if prepared.subject.game_readings {
        let Some(readings) = prices::game_readings(&prepared.subject, findings.ev(), stop) else { return Ok(None) };
        findings.game_readings = readings;
    }
    run.write_json(RESULTS, &findings.json())?;
    findings.save_tables(&run)?;
    findings.save_figures(&run)?;
    findings.report().save(&run)?;
    run.finish()?;
    Ok(Some(findings))
}
