//! Audits of house ways: where a way costs money, exactly, as JSON, on the terminal and as a report that needs no
//! programmer.
//!
//! - [`Subject`]: which way is audited, on which side of the table, against whom, by which rules.
//! - [`examine`]: counts all that an audit asks in one pass (with readings of the game one more for each) and writes it into
//!   a run's folder.
//! - [`Findings`]: what came of it, with its JSON, its text and its report.
//! - [`diff`]: two ways side by side, the answer of the editing loop.

pub mod diff;
mod figures;
mod findings;
mod json;
mod prices;
mod report;
mod tables;
mod text;
mod words;

pub use findings::{Findings, GameReading, ReadingPrice, RuleFinding, RulePrice};

use crate::run::{Provenance, RunFolder, config_text};
use crate::solve::Bar;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::audit::{Prices, audit};
use houseway_exact::pai_gow::whole::{Cancelled, Payoff, Run, Side, Whole};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The file of the findings.
const RESULTS: &str = "results.json";

/// The side of the table that a way sets for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The player's.
    #[default]
    Player,
    /// The banker's; the house banks.
    Banker,
}

impl Seat {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Seat::Player => "player",
            Seat::Banker => "banker",
        }
    }

    /// The seat across the table.
    pub fn other(self) -> Seat {
        match self {
            Seat::Player => Seat::Banker,
            Seat::Banker => Seat::Player,
        }
    }

    /// The same as the engine calls it.
    pub fn side(self) -> Side {
        match self {
            Seat::Player => Side::Player,
            Seat::Banker => Side::Banker,
        }
    }

    /// What a win brings and a loss costs in this seat; the house banks.
    pub fn payoff(self, rules: &Rules) -> Payoff {
        match self {
            Seat::Player => Payoff::player(rules.commission),
            Seat::Banker => Payoff::house_bank(rules.commission),
        }
    }
}

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

/// Options chosen in a house way, by reading.
pub(crate) fn readings(way: &Way) -> BTreeMap<String, String> {
    way.readings().iter().map(|it| (it.name.clone(), it.options[it.chosen].clone())).collect()
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
            way_readings: readings(way),
            opponent_readings: readings(opponent),
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
    let counted = with_bar("counting", stop, |run| prepared.count(run));
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

/// Counts with a bar on the terminal.
pub(crate) fn with_bar<T>(label: &str, stop: &AtomicBool, count: impl FnOnce(&Run<'_>) -> T) -> T {
    let bar = Bar::new(label);
    let tell = |done, all| bar.tell(done, all);
    count(&Run { progress: Some(&tell), cancel: Some(stop), ..Run::default() })
}
