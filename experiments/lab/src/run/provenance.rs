//! Records where results came from.

use super::config_text;
use houseway_env::registry;
use houseway_env::rules::short_hash;
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::OnceLock;

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The format version. It is incremented whenever runs started by an earlier version can no longer be resumed.
const FORMAT: u32 = 1;

/// The kind of a run. A folder's kind never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    Study,
    Audit,
    Compare,
    Claim,
    Search,
    #[serde(rename = "known-cards")]
    KnownCards,
    Equilibrium,
    Par,
    Sweep,
}

impl RunKind {
    pub fn title(self) -> &'static str {
        match self {
            RunKind::Study => "a study",
            RunKind::Audit => "an audit",
            RunKind::Compare => "a comparison",
            RunKind::Claim => "a test of a claim",
            RunKind::Search => "a search",
            RunKind::Equilibrium => "an equilibrium",
            RunKind::KnownCards => "a study of known cards",
            RunKind::Par => "a par sheet",
            RunKind::Sweep => "a sweep",
        }
    }
}

/// A description of a run before it starts. Contains everything that determines its results, except for the program.
#[derive(Clone, Debug)]
pub struct RunSpec {
    pub kind: RunKind,
    pub config: String,
    pub seeds: Vec<u64>,
    pub rules_hash: String,
    /// The hash of the environment, which covers the rules, the opponents and the paytables. `None` for runs without an
    /// environment.
    pub environment_hash: Option<String>,
    /// The hash of any input that the configuration only refers to by name, such as house ways and paytables. `None` if
    /// the configuration contains the hashes.
    pub task_hash: Option<String>,
}

/// Returns the spec of a run without seeds.
pub fn spec(kind: RunKind, config: &impl Serialize, rules_hash: String) -> io::Result<RunSpec> {
    let config = config_text(config)?;
    Ok(RunSpec { kind, config, seeds: vec![], rules_hash, environment_hash: None, task_hash: None })
}

/// Everything that determines a run's results. Runs with the same provenance produce identical bytes (see
/// [`run`](super) for the exceptions).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    pub kind: RunKind,
    format: u32,
    pub version: String,
    /// The commit that the program was built from, with [`MODIFIED`] appended if the sources differed from it. `None`
    /// outside the repository. Only informational, because a different build can resume a run.
    pub commit: Option<String>,
    /// The command line without options that don't affect results, such as `--out`, `--threads` and `--json`.
    pub command: String,
    pub seeds: Vec<u64>,
    /// The hash of the rules. In runs of earlier versions, this is the hash of the environment if there is one.
    pub rules_hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment_hash: Option<String>,
    /// The hash of house ways, paytables, and other input that the configuration only refers to by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    task_hash: Option<String>,
    pub config_hash: String,
}

impl Provenance {
    pub fn new(spec: &RunSpec) -> Provenance {
        Provenance {
            kind: spec.kind,
            format: FORMAT,
            version: VERSION.to_owned(),
            commit: commit().map(str::to_owned),
            command: command_line(),
            seeds: spec.seeds.clone(),
            rules_hash: spec.rules_hash.clone(),
            environment_hash: spec.environment_hash.clone(),
            task_hash: spec.task_hash.as_ref().map(|task| short_hash([task.as_bytes()])),
            config_hash: config_hash(&spec.config),
        }
    }

    /// Returns the hash of the environment, or of the rules if there is no environment.
    pub fn task_rules(&self) -> &str {
        self.environment_hash.as_deref().unwrap_or(&self.rules_hash)
    }

    /// Returns the part that differs between two runs, or `None` if they are the same run. The commands that started
    /// them and the program builds are ignored.
    pub fn difference(&self, other: &Provenance) -> Option<&'static str> {
        [
            ("kind", self.kind == other.kind),
            ("format", self.format == other.format),
            ("configuration", (&self.config_hash, &self.seeds) == (&other.config_hash, &other.seeds)),
            ("rules", self.task_rules() == other.task_rules()),
            ("house ways or paytables", self.task_hash == other.task_hash),
        ]
        .into_iter()
        .find_map(|(part, same)| (!same).then_some(part))
    }
}

/// Returns the hash of a configuration. Variants of rules with their default value are left out, so adding a variant doesn't
/// change any hashes.
pub fn config_hash(config: &str) -> String {
    let is_default = |line: &&str| {
        let Some((name, value)) = line.split_once(" = ") else { return false };
        let variants = registry::games().into_iter().flat_map(|game| game.rules.variants);
        variants.into_iter().any(|variant| variant.name == name && value.trim_matches('"') == variant.options[0])
    };
    short_hash(config.split_inclusive('\n').filter(|line| !is_default(&line.trim_end())).map(str::as_bytes))
}

/// The end of a commit's name if the sources of a program differed from it.
pub const MODIFIED: &str = "-modified";

static COMMIT: OnceLock<Option<&str>> = OnceLock::new();

/// Sets the commit that this program was built from. The program's crate records it, because then a commit doesn't
/// change the crates below.
pub fn set_commit(commit: Option<&'static str>) {
    COMMIT.get_or_init(|| commit);
}

/// Returns the commit that this program was built from, with [`MODIFIED`] appended if the sources differed from it.
/// Returns `None` if it was built outside the repository or without git.
pub fn commit() -> Option<&'static str> {
    COMMIT.get().copied().flatten()
}

/// Returns the command line of this process without options that don't affect results.
pub fn command_line() -> String {
    command(std::env::args().skip(1))
}

/// Options with a value that only affect where results are written or how they are computed.
const OPTIONS_WITHOUT_EFFECT: [&str; 6] = ["--out", "--table", "--strategy", "--counts", "--threads", "--jobs"];
/// Options without a value that only affect where results are written or how they are computed.
const FLAGS_WITHOUT_EFFECT: [&str; 3] = ["--json", "--force", "--no-cache"];

/// The command whose shards are runs of their own, and the option that selects a shard.
const SHARD_OF_RUNS: (&str, &str) = ("sweep", "--shard");

fn command(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["houseway".to_owned()];
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let name = argument.split('=').next().unwrap_or_default();
        let is_shard = words.get(1).is_some_and(|command| (command.as_str(), name) == SHARD_OF_RUNS);
        let has_no_effect = is_shard || OPTIONS_WITHOUT_EFFECT.contains(&name);
        match name {
            _ if has_no_effect && argument == name => drop(arguments.next()),
            _ if has_no_effect || FLAGS_WITHOUT_EFFECT.contains(&name) => {}
            _ if argument.is_empty() || argument.contains(|c: char| c.is_whitespace() || "'\"$*\\".contains(c)) => {
                words.push(format!("'{}'", argument.replace('\'', "'\\''")));
            }
            _ => words.push(argument),
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provenance(config: &str, task: Option<&str>) -> Provenance {
        let (rules_hash, task_hash) = ("9adcfb12d8db2a82".to_owned(), task.map(str::to_owned));
        let (kind, config) = (RunKind::Study, config.to_owned());
        Provenance::new(&RunSpec { kind, config, seeds: vec![1], rules_hash, environment_hash: None, task_hash })
    }

    #[test]
    fn commands_are_repeatable_without_output_options() {
        let typed = "train configs/quick.toml --out /tmp/x --threads=2 --force --json --set".split(' ');
        let text = command(typed.chain(["way.a=b c"]).map(String::from));
        assert_eq!(text, "houseway train configs/quick.toml --set 'way.a=b c'");
        let shard = |command: &str| {
            super::command(format!("{command} a.toml --shard 1/2 --jobs 4").split(' ').map(String::from))
        };
        assert_eq!(shard("sweep"), "houseway sweep a.toml");
        assert_eq!(shard("solve"), "houseway solve a.toml --shard 1/2");
    }

    #[test]
    fn configuration_rules_ways_and_format_make_a_run_and_the_build_does_not() {
        let run = provenance("seed = 1\n", Some("trump-plaza"));
        assert_eq!(run.config_hash.len(), 16);
        let other_build = Provenance {
            commit: Some("0123-modified".to_owned()),
            version: "0.0.9".to_owned(),
            command: "houseway bench".to_owned(),
            ..run.clone()
        };
        assert_eq!(run.difference(&other_build), None);
        assert_eq!(run.difference(&provenance("seed = 2\n", Some("trump-plaza"))), Some("configuration"));
        assert_eq!(run.difference(&provenance("seed = 1\n", Some("foxwoods"))), Some("house ways or paytables"));
        assert_eq!(run.difference(&Provenance { rules_hash: String::new(), ..run.clone() }), Some("rules"));
        assert_eq!(run.difference(&Provenance { format: 0, ..run.clone() }), Some("format"));
        assert_eq!(run.difference(&Provenance { kind: RunKind::Audit, ..run.clone() }), Some("kind"));
    }

    #[test]
    fn default_variants_do_not_change_the_hash_of_a_configuration() {
        let rules =
            |text: &str| config_hash(&format!("[rules]\ncommission = 0.05\n{text}wheel-straight-flush = \"second\"\n"));
        assert_eq!(rules("copies = \"banker\"\n"), rules(""));
        assert_ne!(rules("copies = \"player\"\n"), rules(""));
    }

    #[test]
    fn provenance_of_committed_results_is_read() {
        let kept = include_str!("../../../../results/audit/trump-plaza/provenance.json");
        let old: Provenance = serde_json::from_str(kept).unwrap();
        assert_eq!((old.kind, old.format), (RunKind::Audit, FORMAT));
    }
}
