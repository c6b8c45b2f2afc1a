//! Runs analyses and shows their answers, with the options and the progress bars that commands share.
//!
//! An analysis is a question, which is data, and a function that returns an [`Answer`]. [`run`] does what is the same for
//! all analyses that write a folder. Strategies are given by name or file, with readings selected by
//! `--set way.NAME=OPTION`.
//!
//! [`Answer`]: houseway_exact::answer::Answer

use crate::columns::csv_text;
use crate::console::{CommandResult, CommonOptions, Failure, GameOptions, OutputOptions, finish};
pub(super) use crate::run::spec;
use crate::run::{
    Destination, ProgressBar, RESULTS, RunFolder, RunKind, RunSpec, STOPPING, load_config, make_folder, read_text,
    signal_status, stop_flag_with, with_control, write_atomic,
};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, Rules, Strategy};
use houseway_env::rules::RuleSet;
use houseway_exact::pai_gow::whole::{Cancelled, Run, Side};
use houseway_exact::pai_gow::{NamedStrategy, Tabulated, WAY_PREFIX, load_strategies, load_ways, with_assignments};
use houseway_exact::solver::{SolverConfig, SolverEntry, SolverError, WayAnswer, WayQuestion, WaysFn};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub fn with_progress<T>(label: &str, stop: &AtomicBool, count: impl FnOnce(&Run<'_>) -> T) -> T {
    let bar = ProgressBar::new(label, "hands");
    let update = |done, total| bar.update(done, total);
    count(&Run { progress: Some(&update), cancel: Some(stop), ..Run::default() })
}

/// Converts the error of work that was stopped to `None`. All other errors are returned.
pub fn unless_stopped<T>(result: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is::<Cancelled>() => Ok(None),
        Err(error) if matches!(error.downcast_ref(), Some(SolverError::Cancelled)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The name for the best response, which isn't a house way.
pub(super) const OPTIMAL: &str = "optimal";

impl CommonOptions {
    /// Limits the threads, and returns the game and a flag that is set by a signal to stop. `stopping` is printed then.
    pub(super) fn start(&self, stopping: &'static str) -> CommandResult<(Game, Arc<AtomicBool>)> {
        self.threads.start()?;
        Ok((self.game.pai_gow()?, stop_flag_with(stopping)?))
    }
}

impl GameOptions {
    /// Returns the rules for the single-player game. Assignments override the file, which overrides the defaults.
    pub fn pai_gow_rules(&self) -> CommandResult<Rules> {
        let rules = match &self.rules {
            Some(path) => load_config(path).map_err(Failure::usage)?,
            None => Rules::default(),
        };
        with_assignments(rules, &self.set).map_err(Failure::usage)
    }

    pub fn pai_gow(&self) -> CommandResult<Game> {
        if self.game != "pai-gow-poker" {
            let solver = houseway_exact::registry::find(&self.game).map_err(Failure::usage)?;
            return Err(Failure::usage(format!(
                "this command does not support the game '{0}'; use -g pai-gow-poker, or houseway solve -g {0} for what its \
                 strategies win and lose",
                solver.game
            )));
        }
        Ok(Game::new(self.pai_gow_rules()?))
    }

    /// Loads house ways by name or file with the selected readings. Each reading must belong to at least one of them.
    pub fn ways<const N: usize>(&self, names: [&str; N]) -> CommandResult<[Way; N]> {
        let ways = load_ways(&names, &self.set)?;
        Ok(ways.try_into().expect("one way for each name"))
    }

    /// Loads strategies by name or file, using the selected readings for house ways. Each reading must belong to at
    /// least one of them.
    pub fn strategies(&self, names: &[&str], game: &Game) -> CommandResult<Vec<NamedStrategy>> {
        if names.contains(&OPTIMAL) {
            return Err(Failure::usage(
                "'optimal' is not a house way; houseway solve --player optimal evaluates best play, and with --strategy FILE \
                 writes it as a strategy table, which this command accepts",
            ));
        }
        load_strategies(names, &self.set, game).map_err(Failure::from)
    }

    /// Returns the files that a command with these house ways may read: the ways' files and the rules file.
    pub fn files<'a>(&self, ways: impl IntoIterator<Item = &'a str>) -> Vec<PathBuf> {
        ways.into_iter().map(PathBuf::from).chain(self.rules.clone()).collect()
    }
}

pub(super) fn sides() -> impl TypedValueParser<Value = Side> {
    let side = |name: String| if name == Side::Player.name() { Side::Player } else { Side::Banker };
    PossibleValuesParser::new([Side::Player.name(), Side::Banker.name()]).map(side)
}

/// Prepares strategies for exact evaluation, with a progress bar. There must be `N` of them.
pub(super) fn prepare<const N: usize>(
    strategies: &[NamedStrategy],
    game: &Game,
    stop: &AtomicBool,
) -> CommandResult<[Tabulated; N]> {
    let prepared = with_progress("setting all hands", stop, |run| NamedStrategy::prepare_all(strategies, game, run));
    Ok(prepared.map_err(Failure::work)?.try_into().unwrap_or_else(|_| unreachable!("there are as many strategies")))
}

/// Returns the arguments with which a command uses these rules and the selected options of these house ways.
pub(super) fn settings(rules: &Rules, ways: &[&Way]) -> String {
    let mut settings = rules.changes();
    for reading in ways.iter().flat_map(|way| way.readings()).filter(|reading| reading.chosen > 0) {
        settings.push(format!("{WAY_PREFIX}{}={}", reading.name, reading.options[reading.chosen]));
    }
    settings.sort();
    settings.dedup();
    settings.iter().map(|setting| format!(" --set {setting}")).collect()
}

/// Returns the unselected options of the game's readings, except for those that only affect the side bet, along with the
/// rules that they result in.
pub(super) fn other_readings(rules: &Rules) -> Vec<(&'static str, &'static str, Rules)> {
    let mut others = rules.with_each(Rules::READINGS);
    others.retain(|(name, _, other)| *name != "side-bet-best" && other != rules);
    others
}

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
    // Computations that take a few seconds don't look whether they should stop.
    let found = unless_stopped(examine(&run))?.filter(|_| signal_status().is_none());
    let found = found.ok_or_else(|| Failure::work("stopped"))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        game: GameOptions,
    }

    fn parse(arguments: &[&str]) -> GameOptions {
        Line::try_parse_from(["houseway"].iter().chain(arguments)).unwrap().game
    }

    #[test]
    fn settings_override_the_file_and_the_file_overrides_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rules.toml");
        std::fs::write(&path, "commission = 0.04\nequal-setting = \"foul\"\n").unwrap();
        let file = path.to_str().unwrap();
        let game = parse(&["--rules", file, "--set", "commission=0.03", "--set", "way.straights=keep"]);
        let expected = Rules::default().with("commission=0.03").unwrap().with("equal-setting=foul").unwrap();
        assert_eq!(game.pai_gow_rules().unwrap(), expected);
        assert_eq!(game.game, "pai-gow-poker");
    }

    #[test]
    fn readings_have_a_name_and_an_option() {
        for assignment in ["way.straights", "way.=keep", "way.straights="] {
            let text = format!("{:?}", parse(&["--set", assignment]).ways(["trump-plaza"]).unwrap_err());
            assert!(text.contains("way.NAME=OPTION"), "{text}");
        }
    }
}
