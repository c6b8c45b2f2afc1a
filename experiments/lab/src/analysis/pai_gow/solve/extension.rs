//! `houseway solve` options for enumerating all Pai Gow Poker deals, with shards, table files and resumption.
//!
//! Mixed strategies and 'random' are enumerated in a single pass. In this case, the JSON document also has a `weight`,
//! and the counts are in units of one deal divided by it. The weight is 4096 if one strategy is mixed, 4096² if both are,
//! and 232,792,560 if a side sets at random.

use super::classes::{CARD, ClassesWriter};
use super::strategy_table::{StrategySink, StrategyTable};
use crate::analysis::pai_gow::progress::with_progress;
use crate::analysis::{ExtendedAnswer, ExtensionOption, MACHINE, OptionValues, SolveExtension};
use crate::console::StoreOptions;
use crate::run::{
    ProgressBar, STOPPING, cannot_write_by, notice, peak_memory, read_own_text, stop_flag_with, write_atomic_with,
};
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::seal::Seal;
use houseway_exact::answer::Answer;
use houseway_exact::pai_gow::matchup::{BankedBy, ClassSink, Pair, PairTotals, Question, SideStrategy, pair_totals};
use houseway_exact::pai_gow::whole::{DealCounts, Instructions, OutcomeWeights, Run, Shard};
use houseway_exact::pai_gow::{DEALS, HANDS, WAY_PREFIX};
use houseway_exact::solver::{DeadCards, OptionKind, OptionSpec, SolverConfig, SolverError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

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
    ExtensionOption {
        conflicts: &["dead", "shard", "resume", "table", "strategy"],
        ..option(
            "no-push",
            OptionKind::Flag,
            "settle each push by one more card for both sides, as in No Push Pai Gow; equal ranks go to the banker. It \
             takes 14 times as long as --dead, and needs house ways for both sides",
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
            "player", "banker", "bank", "dead", "no-push", "shard", "game", "rules", "set", "resume", "table",
            "strategy",
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

/// Enumerates all deals for the pair of strategies, or adds up shards.
fn solve(config: &SolverConfig, values: &OptionValues, store: &StoreOptions) -> Result<ExtendedAnswer, SolverError> {
    if let Some(files) = values.get("merge") {
        return Ok(ExtendedAnswer { answer: answer(&merged(files)?), machine: None, spent: None });
    }
    let begun = Instant::now();
    let path = |name: &str| config.get(name).map(Path::new);
    let shard = config.get("shard").map(str::parse).transpose().map_err(SolverError::invalid)?;
    let job = Job { config, shard, resume: path("resume"), table: path("table"), strategy: path("strategy") };
    if let Some(table) = job.table.filter(|_| job.shard.is_none()) {
        notice(&format!("{} will take about 900 MB", table.display()));
    }
    let answer = job.answer(store)?;
    let spent = job.resume.map(|path| ("--resume", path.to_owned()));
    Ok(ExtendedAnswer { answer, machine: Some(machine(begun)), spent })
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

struct Job<'a> {
    config: &'a SolverConfig,
    shard: Option<Shard>,
    resume: Option<&'a Path>,
    table: Option<&'a Path>,
    strategy: Option<&'a Path>,
}

impl Job<'_> {
    fn answer(&self, store: &StoreOptions) -> Result<Answer, SolverError> {
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
        let no_push = self.config.get("no-push").is_some();
        if !has_files && self.shard.is_none() && dead.cards().is_empty() && !no_push {
            let store = store.open().map_err(SolverError::failed)?;
            let count = |run: &Run<'_>| pair_totals(&store, &game, &[sides], bank, run);
            return Ok(answer(&with_progress("enumerating", &stop, count)?[0]));
        }
        let pair = Pair::new(sides, &game, bank)?.without(dead)?;
        let pair = if no_push { pair.without_pushes()? } else { pair };
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
        let sinks: Vec<&dyn ClassSink> =
            sinks.chain(classes.iter().map(|writer| &writer.spill as &dyn ClassSink)).collect();
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

/// Describes the time, threads, instructions, and memory that a run used.
fn machine(begun: Instant) -> (Value, String) {
    let (seconds, threads) = (begun.elapsed().as_secs_f64(), rayon::current_num_threads());
    let (instructions, peak_memory) = (Instructions::detect().name(), peak_memory());
    let memory = peak_memory.map_or(String::new(), |bytes| format!(", peak memory: {} MB", bytes.div_ceil(1_000_000)));
    let json = json!({
        "instructions": instructions, "threads": threads, "seconds": seconds, "peak_memory": peak_memory
    });
    (json, format!("time: {seconds:.1} s, threads: {threads}, instructions: {instructions}{memory}"))
}

/// The maximum number of missing shards listed in a message.
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

/// The number of pieces against a house way. Each of them takes a fraction of a second.
const PIECES: usize = 64;
/// The number of pieces against a table. There are fewer of them, because each one takes an additional eight seconds.
const PIECES_AGAINST_TABLE: usize = 8;
/// The file's seal, tied to the program version because other versions may count differently.
const SEAL: Seal = Seal::new("houseway-solve-progress", 3).of_one_version();

/// The file's contents.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progress {
    question: Question,
    shard: Option<Shard>,
    pieces: usize,
    /// The player's outcomes in each finished piece.
    counted: BTreeMap<usize, DealCounts>,
}

impl Progress {
    fn new(question: &Question, shard: Option<Shard>, pieces: usize) -> Progress {
        Progress { question: question.clone(), shard, pieces, counted: BTreeMap::new() }
    }

    /// Loads the progress of the same enumeration if the file exists.
    fn take_up(&mut self, path: &Path) -> Result<(), SolverError> {
        let text = match read_own_text(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            text => text.map_err(SolverError::failed)?,
        };
        let path = path.display();
        let remedy = "remove it to start again, or use another file";
        let broken =
            |reason: String| SolverError::Invalid(format!("{path} is not an interrupted count: {reason}; {remedy}"));
        let found: Progress = SEAL.open(&text).map_err(|error| broken(error.to_string()))?;
        let shard = |shard: Option<Shard>| shard.map_or("the whole game".to_owned(), |part| part.to_string());
        let plain = [
            ("shard", &shard(found.shard), &shard(self.shard)),
            ("number of pieces", &found.pieces.to_string(), &self.pieces.to_string()),
        ];
        let plain = plain.iter().find(|(_, theirs, ours)| theirs != ours);
        let plain = plain.map(|(what, theirs, ours)| ((*what).to_owned(), (*theirs).clone(), (*ours).clone()));
        if let Some((what, theirs, ours)) = plain.or_else(|| difference(&found.question, &self.question)) {
            return Err(SolverError::Invalid(format!(
                "{path} belongs to another count: its {what} is {theirs}, here it is {ours}; {remedy}"
            )));
        }
        for (&piece, counts) in &found.counted {
            if piece >= self.pieces {
                return Err(broken(format!("it has a piece beyond the expected {}", self.pieces)));
            }
            let deals = self.shard_of(piece).deals();
            let sum: u128 = [counts.wins, counts.pushes, counts.losses].map(u128::from).iter().sum();
            if sum != u128::from(deals) || counts.copies_front > deals || counts.copies_back > deals {
                return Err(broken(format!(
                    "its piece {piece} has {sum} deals instead of {deals}, or too many copies"
                )));
            }
        }
        self.counted = found.counted;
        Ok(())
    }

    fn save(&self, path: &Path) -> Result<(), SolverError> {
        let text = SEAL.seal(self).to_string();
        let write = |file: &mut std::fs::File| file.write_all(text.as_bytes());
        write_atomic_with(path, write)
            .map_err(|error: io::Error| SolverError::failed(cannot_write_by("--resume", path, error)))
    }

    /// Returns the full game's shard that a piece of this enumeration corresponds to.
    fn shard_of(&self, piece: usize) -> Shard {
        let whole = self.shard.unwrap_or(Shard::WHOLE);
        let (index, count) = (whole.index() + whole.count() * piece, whole.count() * self.pieces);
        Shard::new(index, count).expect("a piece is one of its pieces")
    }
}

/// Counts a pair, resuming from `path` if the file has earlier progress. Sums of integers don't depend on their order, so
/// the result is the same. Every finished piece is saved there. Calls
/// `tell` with the number of hands done and the total. Returns `None` if it is stopped. It can then be resumed.
pub fn count_resumable(
    pair: &Pair<'_>,
    shard: Option<Shard>,
    path: &Path,
    tell: &(dyn Fn(u64, u64) + Sync),
    stop: &AtomicBool,
) -> Result<Option<DealCounts>, SolverError> {
    let pieces = if pair.other.profiles().is_some() { PIECES } else { PIECES_AGAINST_TABLE };
    let mut progress = Progress::new(&pair.question, shard, pieces);
    progress.take_up(path)?;
    // Fail now rather than after the long computation if the file can't be written.
    progress.save(path)?;
    for piece in 0..pieces {
        if progress.counted.contains_key(&piece) {
            continue;
        }
        let done = progress.counted.len() as u64;
        let tell = |hands: u64, of: u64| {
            let share = HANDS / (shard.map_or(1, Shard::count) * pieces) as u64;
            tell(done * share + hands * share / of.max(1), pieces as u64 * share);
        };
        let run = Run { shard: progress.shard_of(piece), progress: Some(&tell), cancel: Some(stop) };
        let Ok(counts) = pair.count(&run, &[]) else { return Ok(None) };
        let counts = counts.deals().expect("pairs without mixed strategies are resumable");
        progress.counted.insert(piece, counts);
        progress.save(path)?;
    }
    Ok(Some(progress.counted.into_values().fold(DealCounts::default(), DealCounts::plus)))
}
