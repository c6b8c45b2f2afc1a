//! Options that commands share; a command takes what it needs with `#[command(flatten)]`.

use super::{Failure, OrUsage, Outcome};
use crate::run::load_config;
use clap::Args;
use houseway_env::pai_gow::Rules;
use houseway_env::rules::RuleSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How the answer is written.
#[derive(Args, Clone, Debug)]
pub struct OutputOptions {
    /// Answer with one JSON document
    #[arg(long)]
    pub json: bool,
}

/// How many threads work.
#[derive(Args, Clone, Debug)]
pub struct ThreadOptions {
    /// Use at most N threads
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

impl ThreadOptions {
    /// Bounds the threads of this process; to be called before any parallel work.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn start(&self) -> Outcome {
        let Some(threads) = self.threads else { return Ok(()) };
        rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global().map_err(Failure::work)
    }
}

/// Which game, by which rules.
#[derive(Args, Clone, Debug)]
pub struct GameOptions {
    /// The game
    #[arg(short, long, value_name = "NAME", default_value = "pai-gow-poker")]
    pub game: String,
    /// A file of rules; what it leaves out keeps its default
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// A rule or reading, like commission=0.04; way.NAME=OPTION for a reading of the house way
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// What a setting of a house way's reading begins with.
pub(super) const WAY: &str = "way.";

impl GameOptions {
    /// The rules of the one-player game: the defaults, the file over them, the settings over both.
    ///
    /// # Errors
    /// If the file cannot be read, or there is no such rule or option.
    pub fn pai_gow_rules(&self) -> Outcome<Rules> {
        let settings = self.set.iter().filter(|setting| !setting.trim_start().starts_with(WAY));
        self.rules_with(settings)
    }

    /// The rules of a game without house ways: the defaults, the file over them, the settings over both.
    ///
    /// # Errors
    /// If the file cannot be read, or there is no such rule or option.
    pub fn rules<R: RuleSet>(&self) -> Outcome<R> {
        self.rules_with(&self.set)
    }

    fn rules_with<'a, R: RuleSet>(&self, settings: impl IntoIterator<Item = &'a String>) -> Outcome<R> {
        let rules = match &self.rules {
            Some(path) => load_config(path).or_usage()?,
            None => R::default(),
        };
        settings.into_iter().try_fold(rules, |rules, setting| rules.with(setting).or_usage())
    }

    /// The readings inside house ways, as name and option.
    ///
    /// # Errors
    /// If one has no option.
    pub fn way_readings(&self) -> Outcome<Vec<(String, String)>> {
        let readings = self.set.iter().filter_map(|setting| setting.trim_start().strip_prefix(WAY));
        let pair = |reading: &str| match reading.split_once('=') {
            Some((name, option)) if !name.trim().is_empty() && !option.trim().is_empty() => {
                Ok((name.trim().to_owned(), option.trim().to_owned()))
            }
            _ => Err(Failure::usage(format!("'{WAY}{reading}' is no reading of a house way; write {WAY}NAME=OPTION"))),
        };
        readings.map(pair).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

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

    fn message<T>(outcome: Outcome<T>) -> String {
        format!("{:?}", outcome.err().expect("this should fail"))
    }

    #[test]
    fn settings_stand_over_the_file_and_the_file_over_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rules.toml");
        std::fs::write(&path, "commission = 0.04\nequal-setting = \"foul\"\n").unwrap();
        let file = path.to_str().unwrap();
        let line = parse(&["--rules", file, "--set", "commission=0.03", "--set", "way.straights=keep"]).unwrap();
        let expected = Rules::default().with("commission=0.03").unwrap().with("equal-setting=foul").unwrap();
        assert_eq!(line.game.pai_gow_rules().unwrap(), expected);
        assert_eq!(line.game.way_readings().unwrap(), [("straights".to_owned(), "keep".to_owned())]);
        assert_eq!(line.game.game, "pai-gow-poker");
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
        for setting in ["way.straights", "way.=keep", "way.straights="] {
            let text = message(parse(&["--set", setting]).unwrap().game.way_readings());
            assert!(text.contains("way.NAME=OPTION"), "{text}");
        }
        assert!(parse(&["--threads", "0"]).is_err());
        assert_eq!(parse(&["--threads", "3"]).unwrap().threads.threads.map(NonZeroUsize::get), Some(3));
    }
}
