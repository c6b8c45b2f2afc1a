//! `houseway solve` options for enumerating all Pai Gow Poker deals, with shards, table files and resumption.
//!
//! Mixed strategies and 'random' are enumerated in a single pass. In this case, the JSON document also has a `weight`,
//! and the counts are in units of one deal divided by it. The weight is 4096 if one strategy is mixed, 4096² if both are,
//! and 232,792,560 if a side sets at random.

use super::classes::{CARD, ClassesWriter};
use super::merge::merge;
use super::resume::count_resumable;
use super::strategy_table::{StrategySink, StrategyTable};
use crate::analysis::extension::{ExtendedAnswer, ExtensionOption, ExtensionRequest, Remark, SolveExtension};
use crate::analysis::pai_gow::progress::with_progress;
use crate::console::StoreOptions;
use crate::run::{ProgressBar, STOPPING, notice, peak_memory, read_own_text, stop_flag_with};
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Rules};
use houseway_exact::answer::Answer;
use houseway_exact::pai_gow::WAY_PREFIX;
use houseway_exact::pai_gow::matchup::{BankedBy, ClassSink, Pair, PairTotals, SideStrategy, pair_totals};
use houseway_exact::pai_gow::whole::{Instructions, OutcomeWeights, Run, Shard};
use houseway_exact::solver::{DeadCards, OptionKind, OptionSpec, SolverConfig, SolverError};
use serde_json::{Map, Value, json};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The key of the remark about a run.
const MACHINE: &str = "machine";

pub const EXTENSION: SolveExtension = SolveExtension { game: "pai-gow-poker", options: OPTIONS, solve };

const fn option(name: &'static str, kind: OptionKind, help: &'static str) -> ExtensionOption {
    ExtensionOption::new(OptionSpec::of_solve(name, kind, help))
}

const OPTIONS: &[ExtensionOption] = &[
    option(
        "player",
        OptionKind::Text("S"),
        "the player's strategy: the name or file of a house way, a strategy table, a mixed strategy, a trained agent (its \
         weights.safetensors), 'optimal' or 'random' [default: trump-plaza]",
    ),
    option(
        "banker",
        OptionKind::Text("S"),
        "the banker's strategy: the name or file of a house way, a strategy table, a mixed strategy, a trained agent (its \
         weights.safetensors), 'optimal' or 'random' [default: trump-plaza]",
    ),
    option(
        "bank",
        OptionKind::Choice(&["house", "player"]),
        "who banks; a player who banks pays the commission on every winning bet [default: house]",
    ),
    ExtensionOption {
        conflicts: &["shard", "resume", "table", "strategy"],
        ..option(
            "dead",
            OptionKind::Text("CARDS"),
            "cards that are left out of the deck, such as \"As Jk\"; takes a few minutes, and house ways or 'optimal' for \
             both sides",
        )
    },
    option(
        "shard",
        OptionKind::Text("i/n"),
        "only enumerate shard i of n, numbered from 1; use --merge to add up the shards",
    ),
    ExtensionOption {
        many: true,
        conflicts: &[
            "player", "banker", "bank", "dead", "shard", "game", "rules", "set", "resume", "table", "strategy",
        ],
        ..option("merge", OptionKind::Text("FILE"), "add up the results of all shards instead of enumerating")
    },
    ExtensionOption {
        conflicts: &["table", "strategy"],
        is_continued: true,
        ..option(
            "resume",
            OptionKind::Text("FILE"),
            "save finished parts to a file, from which an interrupted run resumes; the file is removed once there is a \
             result",
        )
    },
    ExtensionOption {
        is_output: true,
        beside: Some(CARD),
        ..option(
            "table",
            OptionKind::Text("FILE"),
            "write all 6,972,147 classes of hands, with the wins and losses of all settings, as a Parquet file, for the \
             player's hands, or for the banker's if the banker plays optimally. A card with the extension md describes it",
        )
    },
    ExtensionOption {
        conflicts: &["shard"],
        is_output: true,
        ..option(
            "strategy",
            OptionKind::Text("FILE"),
            "write that side's settings as a strategy table (safetensors, 7 MB), which --player and --banker accept",
        )
    },
];

/// Enumeration options.
struct Job<'a> {
    config: &'a SolverConfig,
    store: &'a StoreOptions,
    shard: Option<Shard>,
    resume: Option<&'a Path>,
    table: Option<&'a Path>,
    strategy: Option<&'a Path>,
}

/// Enumerates all deals for the pair of strategies, or adds up shards.
fn solve(request: &ExtensionRequest<'_>) -> Result<ExtendedAnswer, SolverError> {
    if let Some(files) = request.values.get("merge") {
        return Ok(ExtendedAnswer { answer: answer(&merged(files)?), remark: None, spent: None });
    }
    let begun = Instant::now();
    let config = request.config;
    let path = |name: &str| config.get(name).map(Path::new);
    let shard = config.get("shard").map(str::parse).transpose().map_err(SolverError::invalid)?;
    let store = request.store;
    let job = Job { config, store, shard, resume: path("resume"), table: path("table"), strategy: path("strategy") };
    if let Some(table) = job.table.filter(|_| job.shard.is_none()) {
        notice(&format!("{} will take about 900 MB", table.display()));
    }
    let answer = job.answer()?;
    let spent = job.resume.map(|path| ("--resume", path.to_owned()));
    Ok(ExtendedAnswer { answer, remark: Some(remark(begun)), spent })
}

fn answer(totals: &PairTotals) -> Answer {
    Answer::new(totals.sealed(), [totals.section()])
}

fn merged(files: &[String]) -> Result<PairTotals, SolverError> {
    let read = |name: &String| {
        let path = PathBuf::from(name);
        let text = read_own_text(&path).map_err(SolverError::invalid)?;
        let wrong = |error: &dyn Display| SolverError::Invalid(format!("cannot read {name}: {error}"));
        let not_json = |error| wrong(&format!("{error}; it should be a result of 'houseway solve'"));
        let mut document: Map<String, Value> = serde_json::from_str(&text).map_err(not_json)?;
        // The remark is added to the document after it has been sealed.
        document.remove(MACHINE);
        Ok((name.clone(), PairTotals::open(document).map_err(|error| wrong(&error))?))
    };
    let parts: Vec<(String, PairTotals)> = files.iter().map(read).collect::<Result<_, SolverError>>()?;
    merge(&parts).map_err(SolverError::Invalid)
}

impl Job<'_> {
    fn answer(&self) -> Result<Answer, SolverError> {
        let stop = stop_flag_with(match self.resume {
            Some(_) => "stopping: run the same command to resume (press again to stop immediately)",
            None => STOPPING,
        });
        let stop = stop.map_err(SolverError::failed)?;
        let assignments = &self.config.assignments;
        let of_rules = assignments.iter().map(String::as_str).filter(|text| !text.trim_start().starts_with(WAY_PREFIX));
        let game = Game::new(self.config.rules_with::<Rules>(of_rules)?);
        let sides = ["player", "banker"].map(|side| self.config.get(side).unwrap_or(Way::DEFAULT));
        let load = |run: &Run<'_>| SideStrategy::load(sides, assignments, &game, run);
        let sides = with_progress("setting all hands", &stop, load)?;
        let bank = self.config.get("bank").map_or(Ok(BankedBy::House), BankedBy::parse);
        let bank = bank.map_err(SolverError::Invalid)?;
        if let Some(mixed) = sides.iter().find(|side| side.is_mixed()) {
            self.check_weighted(mixed.name())?;
        }
        let has_files = [self.resume, self.table, self.strategy].iter().any(Option::is_some);
        let dead = DeadCards::from_config(self.config)?;
        if !has_files && self.shard.is_none() && dead.cards().is_empty() {
            let store = self.store.open().map_err(SolverError::failed)?;
            let count = |run: &Run<'_>| pair_totals(&store, &game, &[sides], bank, run);
            return Ok(answer(&with_progress("enumerating", &stop, count)?[0]));
        }
        let pair = Pair::new(sides, &game, bank)?.without(dead)?;
        let counts = self.enumerate(&pair, &stop)?;
        Ok(answer(&PairTotals::new(pair.question.clone(), self.shard, counts)))
    }

    /// Checks that no option needs a single setting for every hand, which the named strategy doesn't have.
    fn check_weighted(&self, name: &str) -> Result<(), SolverError> {
        let files = [("resume", self.resume), ("table", self.table), ("strategy", self.strategy)];
        let file = files.into_iter().find(|(_, path)| path.is_some()).map(|(name, _)| name);
        file.or(self.shard.map(|_| "shard")).map_or(Ok(()), |option| {
            Err(SolverError::Invalid(format!(
                "--{option} cannot be used with '{name}', which has no single setting for a hand and is enumerated in \
                 one pass"
            )))
        })
    }

    fn enumerate(&self, pair: &Pair<'_>, stop: &AtomicBool) -> Result<OutcomeWeights, SolverError> {
        let bar = ProgressBar::new("enumerating", "hands");
        let update = |done, all| bar.update(done, all);
        if let Some(path) = self.resume {
            let counts = count_resumable(pair, self.shard, path, &update, stop)?;
            let stopped =
                || SolverError::Failed(format!("stopped; run the same command to resume from {}", path.display()));
            return Ok(counts.ok_or_else(stopped)?.into());
        }
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let run = Run { shard, progress: Some(&update), cancel: Some(stop) };
        let strategy = self.strategy.map(|_| StrategySink::default());
        let classes = self.table.map(|path| ClassesWriter::new(pair, path, stop)).transpose();
        let classes = classes.map_err(SolverError::failed)?;
        let sinks = strategy.iter().map(|sink| sink as &dyn ClassSink);
        let sinks: Vec<&dyn ClassSink> = sinks.chain(classes.iter().map(|sink| sink as &dyn ClassSink)).collect();
        let counts =
            pair.count(&run, &sinks).map_err(|cancelled| match classes.as_ref().and_then(ClassesWriter::failure) {
                Some(failure) => SolverError::failed(failure),
                None => cancelled.into(),
            })?;
        drop(bar);
        if let (Some(path), Some(sink)) = (self.strategy, strategy) {
            let table = sink.table(pair);
            StrategyTable::save(&table, path, pair.side(), &pair.question).map_err(SolverError::failed)?;
        }
        if let Some(classes) = classes {
            let bar = ProgressBar::new("writing", "hands");
            let update = |done, all| bar.update(done, all);
            classes.write(pair, self.shard, &update).map_err(SolverError::failed)?;
        }
        Ok(counts)
    }
}

/// Returns a remark about the time, threads, instructions, and memory that a run used.
fn remark(begun: Instant) -> Remark {
    let (seconds, threads) = (begun.elapsed().as_secs_f64(), rayon::current_num_threads());
    let (instructions, peak_memory) = (Instructions::detect().name(), peak_memory());
    let memory = peak_memory.map_or(String::new(), |bytes| format!(", peak memory: {} MB", bytes.div_ceil(1_000_000)));
    Remark {
        key: MACHINE,
        json: json!({
            "instructions": instructions, "threads": threads, "seconds": seconds, "peak_memory": peak_memory
        }),
        text: format!("time: {seconds:.1} s, threads: {threads}, instructions: {instructions}{memory}"),
    }
}
