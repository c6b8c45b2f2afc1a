//! Provenance of results.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::process::Command;

/// Everything that determines a run's results. Runs with the same provenance give identical bytes on one type of
/// machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of this program.
    pub version: String,
    /// Commit of the build, with `-modified` if its sources differ from it; `None` outside the repository.
    pub commit: Option<String>,
    /// Command line without options that do not affect results (`--out`, `--threads`, `--json` and similar).
    pub command: String,
    /// Seeds of the run.
    pub seeds: Vec<u64>,
    /// Hash of the rules.
    pub rules_hash: String,
    /// Hash of `config.toml`.
    pub config_hash: String,
}

impl Provenance {
    /// Creates the provenance of the current command with this configuration text.
    pub fn new(config: &str, seeds: Vec<u64>, rules_hash: String) -> Provenance {
        let digest = Sha256::digest(config);
        let config_hash = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let command = command(std::env::args().skip(1));
        Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit(),
            command,
            seeds,
            rules_hash,
            config_hash,
        }
    }
}

impl Provenance {
    /// Returns `true` if the other is the same run by the same program, possibly started by another command, such as
    /// one that only trains and one that trains and evaluates.
    pub fn same_run(&self, other: &Provenance) -> bool {
        Provenance { command: other.command.clone(), ..self.clone() } == *other
    }
}

/// Options with a value that affect only where results go or how they are computed.
const OF_NO_RESULT: [&str; 5] = ["--out", "--table", "--strategy", "--resume", "--threads"];

/// Formats a command line so that it can be run again.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["houseway".to_owned()];
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let name = argument.split('=').next().unwrap_or_default();
        match name {
            _ if OF_NO_RESULT.contains(&name) && argument == name => drop(arguments.next()),
            _ if name == "--json" || OF_NO_RESULT.contains(&name) => {}
            _ if argument.is_empty() || argument.contains(|c: char| c.is_whitespace() || "'\"$*\\".contains(c)) => {
                words.push(format!("'{}'", argument.replace('\'', "'\\''")));
            }
            _ => words.push(argument),
        }
    }
    words.join(" ")
}

fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-C", concat!(env!("CARGO_MANIFEST_DIR"), "/..")]).args(arguments).output().ok()
    };
    let head = git(&["rev-parse", "HEAD"]).filter(|head| head.status.success())?;
    let head = String::from_utf8(head.stdout).ok()?.trim().to_owned();
    let same = git(&["diff", "--quiet", "HEAD", "--", "env", "agents", "experiments", "Cargo.lock"])?.status.success();
    Some(if same { head } else { head + "-modified" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_repeatable_without_output_options() {
        let typed = ["train", "configs/quick.toml", "--out", "/tmp/x", "--threads=2", "--set", "way.a=b c", "--json"];
        let text = command(typed.into_iter().map(String::from));
        assert_eq!(text, "houseway train configs/quick.toml --set 'way.a=b c'");
    }

    #[test]
    fn the_hash_depends_on_the_configuration() {
        let of = |config: &str| Provenance::new(config, vec![1], "rules".to_owned()).config_hash;
        assert_eq!((of("seed = 1\n").len(), of("seed = 1\n") == of("seed = 2\n")), (16, false));
    }
}
