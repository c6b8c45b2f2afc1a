//! Runs analyses and shows their answers.
//!
//! An analysis is a question, which is data, and a function that returns an [`Answer`]. [`run`] does what is the same for
//! all analyses that write a folder.

use super::progress::unless_stopped;
use crate::columns::csv_text;
use crate::console::{CommandResult, Failure, GameOptions, OutputOptions, finish};
pub(super) use crate::run::spec;
use crate::run::{
    Destination, RESULTS, RunFolder, RunKind, RunSpec, STOPPING, make_folder, read_text, stop_flag_with, with_control,
    write_atomic,
};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Strategy};
use houseway_exact::pai_gow::Tabulated;
use houseway_exact::solver::{SolverConfig, SolverEntry, SolverError, WayAnswer, WayQuestion, WaysFn};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The identity of a strategy in configurations and results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct WayConfig {
    pub(super) name: String,
    pub(super) hash: String,
    pub(super) readings: BTreeMap<String, String>,
}

impl From<&Tabulated> for WayConfig {
    fn from(way: &Tabulated) -> WayConfig {
        WayConfig { name: way.name().to_owned(), hash: way.hash().to_owned(), readings: way.readings() }
    }
}

impl From<&HouseWay> for WayConfig {
    fn from(way: &HouseWay) -> WayConfig {
        WayConfig { name: way.name().to_owned(), hash: way.hash(), readings: way.way().chosen_options() }
    }
}

/// Serializes a strategy as the keys `KEY`, `KEY_hash` and `KEY_readings`.
pub(super) fn keys_of<S: Serializer>(key: &str, way: WayConfig, serializer: S) -> Result<S::Ok, S::Error> {
    let WayConfig { name, hash, readings } = way;
    json!({ (key): name, (format!("{key}_hash")): hash, (format!("{key}_readings")): readings }).serialize(serializer)
}

/// Serializes a game as its rules.
pub(super) fn rules_of<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
    game.rules().serialize(serializer)
}

/// The question about a game of which only its solver knows the strategies, as stored in `config.toml`.
#[derive(Serialize)]
pub(super) struct SolverQuestion<'a, Q> {
    pub(super) game: &'a str,
    #[serde(flatten)]
    pub(super) question: Q,
    /// The names or files of strategies by side.
    pub(super) strategies: &'a BTreeMap<String, String>,
    pub(super) rules: Value,
}

impl<Q: Serialize> SolverQuestion<'_, Q> {
    /// Returns the spec of a run. The contents of strategies' files are part of it, including those of `more`.
    pub(super) fn spec(&self, kind: RunKind, rules_hash: String, more: &[&str]) -> io::Result<RunSpec> {
        let names = self.strategies.values().map(String::as_str).chain(more.iter().copied());
        let texts =
            names.map(Path::new).filter(|path| path.is_file()).map(read_text).collect::<io::Result<String>>()?;
        let task_hash = (!texts.is_empty()).then_some(texts);
        Ok(RunSpec { task_hash, ..spec(kind, self, rules_hash)? })
    }
}

/// Questions about the house ways of a game whose solver answers them.
pub(super) struct AskedWays<'a> {
    entry: &'static SolverEntry,
    ways: WaysFn,
    game: &'a GameOptions,
    config: SolverConfig,
    stop: Arc<AtomicBool>,
}

impl<'a> AskedWays<'a> {
    /// Returns `None` if the solver of the game doesn't answer such questions. The options are those of the solver.
    pub(super) fn of(game: &'a GameOptions, options: BTreeMap<String, String>) -> CommandResult<Option<AskedWays<'a>>> {
        let entry = houseway_exact::registry::find(&game.game)?;
        let Some(ways) = entry.ways else { return Ok(None) };
        let (config, stop) = (game.solver_config(options)?, stop_flag_with(STOPPING)?);
        Ok(Some(AskedWays { entry, ways, game, config, stop }))
    }

    pub(super) fn ask(&self, question: &WayQuestion<'_>) -> Result<WayAnswer, SolverError> {
        with_control(&self.stop, |control| (self.ways)(&self.config, question, control))
    }

    pub(super) fn run(
        &self,
        question: &WayQuestion<'_>,
        folder: &Path,
        force: bool,
        output: &OutputOptions,
    ) -> CommandResult {
        let kind = match question {
            WayQuestion::Compare { .. } => RunKind::Compare,
            WayQuestion::Search { .. } => RunKind::Search,
            _ => RunKind::Audit,
        };
        let (rules, rules_hash) = self.entry.solver(&self.config)?.rules();
        let (names, strategies) = (question.ways(), &self.config.options);
        // An invalid house way is reported before anything is written.
        names.iter().try_for_each(|way| self.ask(&WayQuestion::Check { way }).map(drop))?;
        let stored = SolverQuestion { game: self.entry.game, question, strategies, rules };
        let inputs = self.game.files(names.iter().copied().chain(strategies.values().map(String::as_str)));
        let to = Destination::new(folder, &inputs, force);
        run(&stored.spec(kind, rules_hash, &names)?, &to, output, |_| Ok(self.ask(question)?))
    }
}

/// Runs an analysis in a folder. `examine` can write data there, so that a stopped analysis can be resumed. The results,
/// further files, tables and the report with its figures are made from the answer, which is also printed.
pub(super) fn run<A: Into<WayAnswer>>(
    spec: &RunSpec,
    to: &Destination<'_>,
    output: &OutputOptions,
    examine: impl FnOnce(&RunFolder) -> anyhow::Result<A>,
) -> CommandResult {
    let run = RunFolder::start(spec, to)?;
    let found = unless_stopped(examine(&run))?.ok_or_else(|| Failure::work("stopped"))?;
    let WayAnswer { answer, files, tables } = found.into();
    if !files.iter().any(|(path, _)| path.as_str() == RESULTS) {
        run.write_json(RESULTS, &answer.json)?;
    }
    for (path, text) in files {
        run.file(&path).parent().map_or(Ok(()), make_folder)?;
        write_atomic(&run.file(&path), text)?;
    }
    tables.iter().try_for_each(|(name, rows)| save_rows(&run, name, rows))?;
    finish(run, answer, output, |_| format!("The report: {}", to.path.join("report.md").display()))
}

/// Writes a table to a run's folder for tables. The first row is the header.
pub fn save_rows(run: &RunFolder, name: &str, rows: &[Vec<String>]) -> io::Result<()> {
    make_folder(&run.file("tables"))?;
    write_atomic(&run.file("tables").join(name), csv_text(rows)?)
}
