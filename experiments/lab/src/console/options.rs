//! Options shared by several commands. Each command includes the ones it needs with `#[command(flatten)]`.

use super::failure::{CommandResult, Failure, OrUsage};
use crate::run::load_config;
use clap::{Args, ValueEnum};
use houseway_env::registry;
use houseway_env::rules::RuleSet;
use houseway_exact::solver::{Scope, SolverConfig};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The output format.
#[derive(Args, Clone, Debug)]
pub struct OutputOptions {
    /// Print the answer as a single JSON document
    #[arg(long)]
    pub json: bool,
}

/// Permission to overwrite existing output.
#[derive(Args, Clone, Copy, Debug)]
pub struct ForceOptions {
    /// Replace existing output, whether results from a different configuration or an existing file
    #[arg(long)]
    pub force: bool,
}

/// The number of threads.
#[derive(Args, Clone, Debug)]
pub struct ThreadOptions {
    /// Use at most N threads
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<NonZeroUsize>,
}

/// The maximum number of threads. Machines with more processors are rare, and having many more threads than processors
/// only wastes memory.
const MAX_THREADS: usize = 1_024;

/// The maximum stack size of a thread in bytes.
const MAX_STACK: usize = 1 << 30;

/// Parses the value of an option for a number of threads.
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
    /// Limits the number of threads in this process. Must be called before any parallel work.
    pub fn start(&self) -> CommandResult {
        let Some(threads) = self.threads else { return Ok(()) };
        rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global().map_err(Failure::work)
    }
}

/// The hands that agents and strategies are evaluated on.
#[derive(Clone, Copy, ValueEnum)]
pub enum Exact {
    /// All hands, with exact results
    Whole,
    /// A sample of hands with exact values, dealt once
    Sample,
}

impl From<Exact> for Scope {
    fn from(exact: Exact) -> Scope {
        match exact {
            Exact::Whole => Scope::Whole,
            Exact::Sample => Scope::Sample,
        }
    }
}

/// The game and its rules.
#[derive(Args, Clone, Debug)]
pub struct GameOptions {
    /// The game
    #[arg(short, long, value_name = "NAME", default_value_t = default_game())]
    pub game: String,
    /// A file with rules; any rules it doesn't mention keep their defaults
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// A rule or reading, such as commission=0.04, or way.NAME=OPTION for a reading of the house way
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// The options that most exact computations have in common.
#[derive(Args, Clone, Debug)]
pub struct CommonOptions {
    /// The game and its rules.
    #[command(flatten)]
    pub game: GameOptions,
    /// The number of threads.
    #[command(flatten)]
    pub threads: ThreadOptions,
    /// The output format.
    #[command(flatten)]
    pub output: OutputOptions,
}

/// Returns the default game. This is the first game in the registry.
pub fn default_game() -> String {
    registry::games()[0].name.to_owned()
}

impl GameOptions {
    /// Returns the rules of a game. The rules file overrides the defaults, and the assignments override both.
    pub fn rules<R: RuleSet>(&self) -> CommandResult<R> {
        self.rules_with(&self.set)
    }

    /// Returns the rules and options for a solver.
    pub fn solver_config(&self, options: BTreeMap<String, String>) -> CommandResult<SolverConfig> {
        let rules = self.rules.as_ref().map(|path| load_config(path).or_usage()).transpose()?.unwrap_or_default();
        Ok(SolverConfig { rules, assignments: self.set.clone(), options })
    }

    /// Like [`GameOptions::rules`], but uses only these assignments from `--set`.
    pub fn rules_with<'a, R: RuleSet>(&self, settings: impl IntoIterator<Item = &'a String>) -> CommandResult<R> {
        let rules = match &self.rules {
            Some(path) => load_config(path).or_usage()?,
            None => R::default(),
        };
        settings.into_iter().try_fold(rules, |rules, setting| rules.with(setting).or_usage())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use houseway_env::asian_stud::Rules as Plain;

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
            let text = message(parse(&arguments).unwrap().game.rules::<Plain>());
            assert!(text.contains(part) && text.contains("status: 2"), "{text}");
        }
        for threads in ["0", "1025", "100000", "-1", "99999999999999999999"] {
            let error = parse(&["--threads", threads]).err().expect("too many or too few").to_string();
            assert!(error.contains("from 1 to 1024") || threads == "-1", "{error}");
        }
        assert_eq!(parse(&["--threads", "3"]).unwrap().threads.threads.map(NonZeroUsize::get), Some(3));
    }
}
