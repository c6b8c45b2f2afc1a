//! `houseway solve` options for enumerating all Pai Gow Poker deals, with shards and table files.
//!
//! Mixed strategies and 'random' are enumerated in a single pass. In this case, the JSON document also has a `weight`,
//! and the counts are in units of one deal divided by it. The weight is 4096 if one strategy is mixed, 4096² if both are,
//! and 232,792,560 if a side sets at random.

use super::classes::{CARD, ClassesWriter};
use super::strategy_table;
use crate::analysis::pai_gow::runner::with_progress;
use crate::console::StoreOptions;
use crate::run::{Output, ProgressBar, STOPPING, notice, peak_memory, read_own_text, stop_flag_with};
use clap::Args;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::Way;
use houseway_exact::answer::Answer;
use houseway_exact::pai_gow::matchup::{BankedBy, ClassSink, Pair, PairTotals, Question, SideStrategy, pair_totals};
use houseway_exact::pai_gow::whole::{Instructions, OutcomeWeights, Run, Shard};
use houseway_exact::pai_gow::{DEALS, NO_PUSH, with_assignments};
use houseway_exact::solver::{DeadCards, SolverConfig, SolverError};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The key of the remark about a run in the printed document.
pub const MACHINE: &str = "machine";

/// The options of `houseway solve` for Pai Gow Poker, in addition to those of its solver.
#[derive(Args)]
pub struct EnumerationOptions {
    /// [pai-gow-poker] cards that are left out of the deck, such as "As Jk"; takes a few minutes, and house ways or
    /// 'optimal' for both sides
    #[arg(long, value_name = "CARDS", conflicts_with_all = [NO_PUSH, "shard", "table", "strategy"])]
    dead: Option<String>,
    /// [pai-gow-poker] only enumerate shard i of n, numbered from 1; use --merge to add up the shards
    #[arg(long, value_name = "I/N", conflicts_with = NO_PUSH)]
    shard: Option<Shard>,
    /// [pai-gow-poker] add up the results of all shards instead of enumerating
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = [
        "player", "banker", "bank", "dead", NO_PUSH, "shard", "game", "rules", "set", "table", "strategy",
    ])]
    pub merge: Vec<PathBuf>,
    /// [pai-gow-poker] write all 6,972,147 classes of hands, with the wins and losses of all settings, as a Parquet
    /// file, for the player's hands, or for the banker's if the banker plays optimally. A card with the extension md
    /// describes it
    #[arg(long, value_name = "FILE", conflicts_with = NO_PUSH)]
    table: Option<PathBuf>,
    /// [pai-gow-poker] write that side's settings as a strategy table (safetensors, 7 MB), which --player and --banker
    /// accept
    #[arg(long, value_name = "FILE", conflicts_with_all = [NO_PUSH, "shard"])]
    strategy: Option<PathBuf>,
}

impl EnumerationOptions {
    /// Returns the name of the first option that was given, or `None`. Options with files come first.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("table", self.table.is_some()),
            ("strategy", self.strategy.is_some()),
            ("shard", self.shard.is_some()),
            ("dead", self.dead.is_some()),
            ("merge", !self.merge.is_empty()),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }

    /// Returns the files that are written.
    pub fn outputs(&self) -> Vec<Output> {
        let tables = self.table.iter().flat_map(|table| [table.clone(), table.with_extension(CARD)]);
        let tables = tables.map(|file| Output::new("--table", file));
        let strategy = self.strategy.iter().map(|file| Output::new("--strategy", file));
        tables.chain(strategy).collect()
    }

    /// Enumerates all deals for the pair of strategies in the configuration, or adds up shards.
    pub fn solve(&self, config: &SolverConfig, store: &StoreOptions) -> Result<Answer, SolverError> {
        if !self.merge.is_empty() {
            return Ok(answer(&merged(&self.merge)?));
        }
        if let Some(table) = self.table.as_ref().filter(|_| self.shard.is_none()) {
            notice(&format!("{} will take about 900 MB", table.display()));
        }
        let stop = stop_flag_with(STOPPING).map_err(SolverError::failed)?;
        let assignments = &config.assignments;
        let game = Game::new(with_assignments(config.given_rules()?, assignments)?);
        let sides = ["player", "banker"].map(|side| config.get(side).unwrap_or(Way::DEFAULT));
        let load = |run: &Run<'_>| SideStrategy::load(sides, assignments, &game, run);
        let sides = with_progress("setting all hands", &stop, load)?;
        let bank = config.get("bank").map_or(Ok(BankedBy::House), BankedBy::parse).map_err(SolverError::Invalid)?;
        // These options need a single setting for every hand. The others are checked by the pair.
        let pure = self.given().filter(|&option| option != "dead");
        if let (Some(mixed), Some(option)) = (sides.iter().find(|side| side.is_mixed()), pure) {
            return Err(SolverError::Invalid(format!(
                "--{option} cannot be used with '{}', which has no single setting for a hand and is enumerated in one pass",
                mixed.name()
            )));
        }
        let no_push = config.flag(NO_PUSH);
        if self.given().is_none() && !no_push {
            let store = store.open().map_err(SolverError::failed)?;
            let count = |run: &Run<'_>| pair_totals(&store, &game, &[sides], bank, run);
            return Ok(answer(&with_progress("enumerating", &stop, count)?[0]));
        }
        let config = self.dead.iter().fold(config.clone(), |config, dead| config.option("dead", dead));
        let pair = Pair::new(sides, &game, bank)?.without(DeadCards::from_config(&config)?)?;
        let pair = if no_push { pair.without_pushes()? } else { pair };
        let counts = self.enumerate(&pair, &stop)?;
        Ok(answer(&PairTotals::new(pair.question.clone(), self.shard, counts)))
    }

    fn enumerate(&self, pair: &Pair<'_>, stop: &AtomicBool) -> Result<OutcomeWeights, SolverError> {
        let bar = ProgressBar::new("enumerating", "hands");
        let update = |done, all| bar.update(done, all);
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let run = Run { shard, progress: Some(&update), cancel: Some(stop) };
        let classes = self.table.as_ref().map(|path| ClassesWriter::new(pair, path, stop)).transpose();
        let classes = classes.map_err(SolverError::failed)?;
        let to_classes = classes.as_ref().map(|writer| |all: &[_], settings: &[_]| writer.spill.put(all, settings));
        let sinks: Vec<ClassSink<'_>> = to_classes.iter().map(|sink| sink as ClassSink<'_>).collect();
        let counted = match &self.strategy {
            Some(_) => pair.tabulate(&run, &sinks).map(|(counts, table)| (counts, Some(table))),
            None => pair.count(&run, &sinks).map(|counts| (counts, None)),
        };
        let (counts, table) = counted.map_err(|cancelled| match classes.as_ref().and_then(ClassesWriter::failure) {
            Some(failure) => SolverError::failed(failure),
            None => cancelled.into(),
        })?;
        drop(bar);
        if let (Some(path), Some(table)) = (&self.strategy, table) {
            strategy_table::save(&table.into(), path, pair.side(), &pair.question).map_err(SolverError::failed)?;
        }
        if let Some(classes) = classes {
            let bar = ProgressBar::new("writing", "hands");
            let update = |done, all| bar.update(done, all);
            classes.write(pair, self.shard, &update).map_err(SolverError::failed)?;
        }
        Ok(counts)
    }
}

fn answer(totals: &PairTotals) -> Answer {
    Answer::new(totals.sealed(), [totals.section()])
}

fn merged(files: &[PathBuf]) -> Result<PairTotals, SolverError> {
    let read = |path: &PathBuf| {
        let text = read_own_text(path).map_err(SolverError::invalid)?;
        let name = path.display().to_string();
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

/// Describes the time, threads, instructions, and memory that a run used, as JSON and as text. This is printed but not
/// written to files, because it depends on more than the input.
pub fn machine(begun: Instant) -> (Value, String) {
    let (seconds, threads) = (begun.elapsed().as_secs_f64(), rayon::current_num_threads());
    let (instructions, peak_memory) = (Instructions::detect().name(), peak_memory());
    let memory = peak_memory.map_or(String::new(), |bytes| format!(", peak memory: {} MB", bytes.div_ceil(1_000_000)));
    let json = json!({
        "instructions": instructions, "threads": threads, "seconds": seconds, "peak_memory": peak_memory
    });
    (json, format!("time: {seconds:.1} s, threads: {threads}, instructions: {instructions}{memory}"))
}

const MAX_LISTED: usize = 8;

/// Adds up a game's shards, given in any order with their file names.
pub fn merge(parts: &[(String, PairTotals)]) -> Result<PairTotals, String> {
    let (first, head) = parts.first().ok_or("no shards to merge")?;
    let cut = part_of(first, head)?;
    let mut files: BTreeMap<usize, &str> = BTreeMap::new();
    for (other, answer) in parts {
        let part = part_of(other, answer)?;
        if let Some((key, is, was)) = difference(&head.question, &answer.question) {
            return Err(format!(
                "{first} and {other} do not belong together: {key} is {is} in one and {was} in the other"
            ));
        }
        if part.count() != cut.count() {
            return Err(format!("{first} is shard {cut} and {other} is shard {part}: their numbers of shards differ"));
        }
        if let Some(first) = files.insert(part.index() + 1, other) {
            return Err(format!("duplicate shard {part}: {first} and {other}"));
        }
    }
    check_complete(cut, &files)?;
    let deals: u128 = parts.iter().map(|(_, answer)| u128::from(answer.deals())).sum();
    if deals != u128::from(DEALS) {
        return Err(format!("the shards have {deals} deals, but the game has {DEALS}; one of the files was modified"));
    }
    let counts = parts.iter().fold(OutcomeWeights::default(), |sum, (_, answer)| sum.plus(answer.counts));
    Ok(PairTotals { part: None, counts, ..head.clone() })
}

fn part_of(file: &str, answer: &PairTotals) -> Result<Shard, String> {
    answer.part.ok_or_else(|| format!("{file} has the full game, not a shard"))
}

/// Returns the first key in which two questions differ, and both values.
fn difference(one: &Question, other: &Question) -> Option<(String, String, String)> {
    let keys = |question| match serde_json::to_value(question) {
        Ok(Value::Object(keys)) => keys,
        _ => unreachable!("a question is an object"),
    };
    let (one, other) = (keys(one), keys(other));
    let (key, is) = one.iter().find(|(key, value)| other.get(*key) != Some(value))?;
    Some((key.clone(), is.to_string(), other[key].to_string()))
}

fn check_complete(cut: Shard, files: &BTreeMap<usize, &str>) -> Result<(), String> {
    let count = cut.count() - files.len();
    if count == 0 {
        return Ok(());
    }
    let missing = (1..=cut.count()).filter(|index| !files.contains_key(index)).take(MAX_LISTED);
    let mut parts: Vec<String> = missing.map(|index| format!("{index}/{}", cut.count())).collect();
    if count > MAX_LISTED {
        parts.push("...".to_owned());
    }
    Err(format!("{count} of the shards are missing: {}", parts.join(", ")))
}
