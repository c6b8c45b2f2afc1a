//! Functionality shared by all commands, such as printing answers, reporting errors and common options.

use crate::report::{Report, answer_text, wrapped_lines};
use crate::run::{RUNS, RunFolder, StartError, cannot_write_by, in_locale, load_config, notice, plain_words};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use houseway_env::names::escaped;
use houseway_env::registry;
use houseway_exact::answer::Answer;
use houseway_exact::solver::{Scope, SolverConfig, SolverError};
use houseway_exact::store::PassStore;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, ErrorKind, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: u8 = 2;
const WORK: u8 = 1;

pub type CommandResult<T = ()> = Result<T, Failure>;

/// The maximum number of characters in a message. Longer messages are cut off, because an error may quote an entire
/// file.
const MAX_MESSAGE: usize = 2_000;

/// An error that ends a command without an answer.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    status: u8,
    message: String,
}

impl Failure {
    /// Creates a failure caused by invalid usage or input, with exit status 2.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure { status: USAGE, message: message.to_string() }
    }

    /// Creates a failure of the work itself, with exit status 1.
    pub fn work(message: impl fmt::Display) -> Failure {
        Failure { status: WORK, message: message.to_string() }
    }

    /// Writes the message to standard error, as a line of JSON if requested, and returns the exit status.
    pub fn report(self, json: bool) -> ExitCode {
        let mut message = plain_words(&self.message);
        if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
            message.truncate(end);
            message += " ...";
        }
        match json {
            _ if self.status == 0 => {}
            true => notice(&json!({ "error": message }).to_string()),
            // Terminals would break lines within words.
            false if io::stderr().is_terminal() => {
                notice(wrapped_lines(&format!("error: {message}")).trim_end());
            }
            false => notice(&format!("error: {message}")),
        }
        ExitCode::from(self.status)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::work(error)
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Failure {
        match error {
            StartError::Refused(text) => Failure::usage(text),
            StartError::Io(error) => Failure::work(error),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        error.downcast().unwrap_or_else(|error| Failure::work(format!("{error:#}")))
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Failure {
        match error {
            SolverError::Invalid(text) => Failure::usage(text),
            SolverError::Failed(text) => Failure::work(text),
            SolverError::Cancelled => Failure::work("stopped"),
        }
    }
}

/// Writes an answer to standard output. Control characters are escaped, so text from files cannot control the terminal.
pub fn print(text: &str) -> CommandResult {
    write_out(&in_locale(&escaped(text)))
}

fn write_out(text: &str) -> CommandResult {
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Returns the outcome of writing an answer to standard output.
pub fn written(outcome: io::Result<()>) -> CommandResult {
    match outcome {
        // The reader has gone away, which is no failure.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure { status: 0, message: String::new() }),
        outcome => outcome.map_err(|error| Failure::work(format!("cannot write to standard output: {error}"))),
    }
}

/// The maximum length of a line in bytes. Longer input isn't text for a command, and would fill the memory.
const MAX_LINE: u64 = 10_000;

/// The maximum number of bytes that are skipped until the end of a line that is too long.
const MAX_SKIPPED: u64 = 100 * MAX_LINE;

/// A line of text, or the reason why it isn't one.
pub type InputLine = Result<String, String>;

/// Returns the lines of standard input, without their ends and without the escape sequences of keys. An error, or a line
/// without an end, ends the input.
pub fn input_lines() -> impl Iterator<Item = io::Result<InputLine>> {
    lines_of(io::stdin().lock())
}

fn lines_of(mut input: impl BufRead) -> impl Iterator<Item = io::Result<InputLine>> {
    let (mut number, mut has_ended) = (0, false);
    std::iter::from_fn(move || {
        if has_ended {
            return None;
        }
        number += 1;
        let line = next_line(&mut input, number, &mut has_ended).transpose();
        has_ended |= !matches!(line, Some(Ok(_)));
        line
    })
}

fn next_line(input: &mut impl BufRead, number: usize, is_endless: &mut bool) -> io::Result<Option<InputLine>> {
    let mut line = vec![];
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
        *is_endless = input.by_ref().take(MAX_SKIPPED).skip_until(b'\n')? as u64 == MAX_SKIPPED;
        return Ok(Some(Err(format!("line {number} has more than {MAX_LINE} bytes"))));
    }
    let text = String::from_utf8(line).map(|text| without_keys(text.trim_end_matches(['\r', '\n'])));
    Ok(Some(text.map_err(|_| format!("line {number} isn't UTF-8"))))
}

/// Removes the escape sequences that a terminal sends for keys such as the arrows.
fn without_keys(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| {
        let sequence = part.strip_prefix(['[', 'O']);
        let end = |rest: &'_ str| rest.find(|it: char| matches!(it, '@'..='~')).map_or(rest.len(), |at| at + 1);
        kept + sequence.map_or(part, |rest| &rest[end(rest)..])
    })
}

#[derive(Args, Clone, Debug)]
pub struct OutputOptions {
    /// Print the answer as a single JSON document
    #[arg(long)]
    pub json: bool,
}

impl OutputOptions {
    pub fn print(&self, json: &Value, text: &str) -> CommandResult {
        if self.json { write_out(&escaped(&format!("{json:#}\n"))) } else { print(text) }
    }

    pub fn show(&self, answer: &Answer) -> CommandResult {
        self.print(&answer.json, &answer_text(answer))
    }
}

/// Writes the report of a run, finishes the run, and prints its answer with a text about its files.
pub fn finish(
    run: RunFolder,
    answer: Answer,
    output: &OutputOptions,
    files: impl FnOnce(&RunFolder) -> String,
) -> CommandResult {
    let (json, text) = (answer.json.clone(), answer_text(&answer));
    Report::from(answer).save(&run)?;
    let run = run.finish()?;
    output.print(&json, &format!("{text}\n{}\n", files(&run)))
}

#[derive(Args, Clone, Copy, Debug)]
pub struct ForceOptions {
    /// Replace existing output, whether results from a different configuration or an existing file
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Clone, Debug)]
pub struct ThreadOptions {
    /// Use at most N threads
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
}

/// The maximum number of threads. Machines with more processors are rare, and having many more threads than processors
/// only wastes memory.
const MAX_THREADS: usize = 1_024;

const MAX_STACK: usize = 1 << 30;

pub fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MAX_THREADS);
    threads.ok_or_else(|| format!("expected a number of threads from 1 to {MAX_THREADS}"))
}

/// Checks the environment variables that the standard library and rayon read without limits.
pub fn check_environment() -> CommandResult {
    for (variable, max) in [("RAYON_NUM_THREADS", MAX_THREADS), ("RUST_MIN_STACK", MAX_STACK)] {
        let value = std::env::var(variable).unwrap_or_default();
        if value.parse::<u128>().is_ok_and(|value| value > max as u128) {
            return Err(Failure::usage(format!("{variable}={value}: must be at most {max}; unset it")));
        }
    }
    Ok(())
}

impl ThreadOptions {
    /// Starts the threads of this process. Must be called before any parallel work, which would panic if the system
    /// allows too few threads.
    pub fn start(&self) -> CommandResult {
        // Zero stands for the number of processors, or of the environment variable.
        let threads = self.threads.map_or(0, NonZeroUsize::get);
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build_global() {
            // They have been started before, by another command in the same process.
            Err(error) if error.source().is_none() && self.threads.is_none() => Ok(()),
            started => started.map_err(|error| {
                Failure::work(format!("cannot start the threads: {error}; use fewer with --threads N"))
            }),
        }
    }
}

/// Parses the hands that agents and strategies are evaluated on.
pub fn scopes() -> impl TypedValueParser<Value = Scope> {
    let whole = PossibleValue::new("whole").help("All hands, with exact results");
    let sample = PossibleValue::new("sample").help("A sample of hands with exact values, dealt once");
    PossibleValuesParser::new([whole, sample]).map(|name| if name == "whole" { Scope::Whole } else { Scope::Sample })
}

#[derive(Args, Clone, Debug)]
pub struct GameOptions {
    /// The game, as 'houseway games' lists it
    #[arg(short, long, value_name = "NAME", default_value_t = default_game())]
    pub game: String,
    /// A TOML file with rules, such as a line commission = 0.04; rules it doesn't mention keep their defaults
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// A rule or reading, such as commission=0.04, or way.NAME=OPTION for a reading of the house way; 'houseway games'
    /// lists the keys
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// The options that most exact computations have in common.
#[derive(Args, Clone, Debug)]
pub struct CommonOptions {
    #[command(flatten)]
    pub game: GameOptions,
    #[command(flatten)]
    pub threads: ThreadOptions,
    #[command(flatten)]
    pub output: OutputOptions,
}

/// The variable with the folder of finished passes, which Python reads as well.
const COUNTS: &str = "HOUSEWAY_COUNTS";

/// The options of commands that evaluate pairs of strategies over all deals.
#[derive(Args, Clone, Debug)]
pub struct StoreOptions {
    /// The folder where finished passes over all deals are kept [default: HOUSEWAY_COUNTS, or the user's cache folder]
    #[arg(long, value_name = "DIR")]
    counts: Option<PathBuf>,
    /// Compute all passes again and keep none
    #[arg(long, conflicts_with = "counts")]
    no_cache: bool,
}

impl StoreOptions {
    /// Opens the store. A folder that can't be used is an error if it was given by an option.
    pub fn open(&self) -> CommandResult<PassStore> {
        match &self.counts {
            _ if self.no_cache => Ok(PassStore::default()),
            Some(folder) => {
                let opened = PassStore::open(folder, notice);
                Ok(opened.map_err(|error| cannot_write_by("--counts", folder, error))?)
            }
            None => Ok(user_store()),
        }
    }
}

/// Opens the user's store of finished passes. Nothing is kept if its variable is empty or its folder can't be used.
pub fn user_store() -> PassStore {
    let folder = match std::env::var_os(COUNTS) {
        Some(folder) => Some(PathBuf::from(folder)).filter(|folder| !folder.as_os_str().is_empty()),
        None => dirs::cache_dir().map(|folder| folder.join("houseway")),
    };
    let Some(folder) = folder else { return PassStore::default() };
    PassStore::open(&folder, notice).unwrap_or_else(|error| {
        notice(&format!(
            "finished passes are not kept in {}: {error}; choose a folder with {COUNTS}",
            folder.display()
        ));
        PassStore::default()
    })
}

pub fn default_game() -> String {
    registry::games()[0].name.to_owned()
}

impl GameOptions {
    /// Returns the default folder for the reports of a command. Games other than the default one have folders of their own.
    pub fn folder(&self, command: &str) -> PathBuf {
        let game = registry::find(&self.game).map_or(&*self.game, |entry| entry.name);
        let folder = if game == default_game() { command.to_owned() } else { format!("{command}-{game}") };
        Path::new(RUNS).join(folder)
    }

    pub fn solver_config(&self, options: BTreeMap<String, String>) -> CommandResult<SolverConfig> {
        let mut rules = Map::new();
        if let Some(path) = &self.rules {
            rules = load_config(path).map_err(Failure::usage)?;
            // Later messages don't know the file.
            if let Ok(game) = registry::find(&self.game) {
                let check = |rules: Value| (game.rules.hash)(&rules).map_err(|error| error.to_string());
                if let Err(error) = check(Value::Object(rules.clone())) {
                    let is_wrong = |(name, value): &(&String, &Value)| check(json!({ *name: value })).is_err();
                    // Errors about a value don't name its key.
                    let key = rules.iter().find(is_wrong).map(|(name, _)| name).filter(|name| !error.contains(*name));
                    let place = key.map_or_else(String::new, |name| format!(", {name}"));
                    return Err(Failure::usage(format!("{}{place}: {error}", path.display())));
                }
            }
        }
        Ok(SolverConfig { rules, assignments: self.set.clone(), options })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn lines(input: &[u8]) -> Vec<InputLine> {
        lines_of(input).map(Result::unwrap).collect()
    }

    #[test]
    fn lines_are_read_without_their_ends() {
        assert_eq!(lines(b"a\n\nb c\r\nd"), ["a", "", "b c", "d"].map(|line| Ok(line.to_owned())));
        assert!(lines(b"").is_empty());
        // Keys that move the cursor leave nothing.
        let keys = lines(b"\x1b[A\nde\x1b[1;5Dal\x1bOP\n\x1b[\n");
        assert_eq!(keys, ["", "deal", ""].map(|line| Ok(line.to_owned())));
    }

    #[test]
    fn long_and_damaged_lines_are_refused_and_endless_ones_end_the_input() {
        let endless = std::io::repeat(b'A').take(1 << 40);
        let found: Vec<_> = lines_of(io::BufReader::new(endless)).map(Result::unwrap).collect();
        let too_long = Err("line 1 has more than 10000 bytes".to_owned());
        assert_eq!(found, std::slice::from_ref(&too_long));
        let more = Ok("more".to_owned());
        let long = [&b"A".repeat(20_000)[..], b"\nmore\n"].concat();
        assert_eq!(lines(&long), [too_long, more.clone()]);
        let found = lines(b"good\nb\xe9d\nmore\n");
        assert_eq!(found, [Ok("good".to_owned()), Err("line 2 isn't UTF-8".to_owned()), more]);
    }

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        game: GameOptions,
        #[command(flatten)]
        threads: ThreadOptions,
    }

    fn parse(arguments: &[&str]) -> Result<Line, clap::Error> {
        Line::try_parse_from(["houseway"].iter().chain(arguments))
    }

    fn message<T>(outcome: CommandResult<T>) -> String {
        format!("{:?}", outcome.err().expect("this should fail"))
    }

    #[test]
    fn bad_rules_are_bad_usage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rules.toml");
        std::fs::write(&path, "comission = 0.04\n").unwrap();
        for (arguments, part) in [
            (vec!["--set", "comission=0.04"], "comission"),
            (vec!["--set", "commission"], "key=value"),
            (vec!["--rules", path.to_str().unwrap()], "comission"),
            (vec!["--rules", "absent.toml"], "absent.toml"),
        ] {
            let text = message(parse(&arguments).unwrap().game.pai_gow_rules());
            assert!(text.contains(part) && text.contains("status: 2"), "{text}");
        }
        for threads in ["0", "1025", "100000", "-1", "99999999999999999999"] {
            let error = parse(&["--threads", threads]).err().expect("too many or too few").to_string();
            assert!(error.contains("from 1 to 1024") || threads == "-1", "{error}");
        }
        assert_eq!(parse(&["--threads", "3"]).unwrap().threads.threads.map(NonZeroUsize::get), Some(3));
    }
}
