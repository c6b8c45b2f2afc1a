//! The saved session, which is written after every relevant change and used to resume play.

use super::amount::Amount;
use super::ledger::Ledger;
use crate::run::{read_own_text, write_atomic};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Version of the format.
const FORMAT: u32 = 1;

/// Stakes, keyed by the names of their reset options.
pub type Stakes = BTreeMap<String, Amount>;

/// A session in its saved form. Every round is dealt from the seed and its own number, so neither cards nor random
/// state are saved, and an open round is resumed by replaying its actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    format: u32,
    /// Id of the environment.
    pub env: String,
    /// Hash of the rules of the environment.
    pub rules_hash: String,
    /// Reset options that are not bets.
    pub options: BTreeMap<String, serde_json::Value>,
    /// Seed from which the cards are dealt.
    pub seed: u64,
    /// Number of finished rounds.
    pub rounds: u64,
    /// Bankroll after the last finished round.
    pub bankroll: Amount,
    /// Bets on the table.
    pub bets: Stakes,
    /// Bets of the last round.
    pub last_bets: Stakes,
    /// The round in progress.
    pub open: Option<OpenRound>,
    /// Results of the session.
    pub ledger: Ledger,
}

/// A round in progress, with [`Record::bets`] as its bets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRound {
    /// Actions so far.
    pub actions: Vec<usize>,
}

impl Record {
    /// Creates a new session.
    pub(super) fn new(env: &str, rules_hash: String, seed: u64, bankroll: Amount) -> Record {
        Record {
            format: FORMAT,
            env: env.to_owned(),
            rules_hash,
            options: BTreeMap::new(),
            seed,
            rounds: 0,
            bankroll,
            bets: Stakes::new(),
            last_bets: Stakes::new(),
            open: None,
            ledger: Ledger::default(),
        }
    }

    /// Reads a saved session, or returns `None` if the file does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a session of this format version. The message names the
    /// file and a remedy.
    pub fn load(path: &Path) -> io::Result<Option<Record>> {
        if !path.try_exists()? {
            return Ok(None);
        }
        let text = read_own_text(path)?;
        let invalid = |reason: String| {
            let path = path.display();
            let remedy = "start a new one in its place with --new, or name another file with --session";
            io::Error::new(io::ErrorKind::InvalidData, format!("{path} is not a saved session: {reason}; {remedy}"))
        };
        let record: Record = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        match record.format {
            FORMAT => Ok(Some(record)),
            other => Err(invalid(format!("its format is {other}, not {FORMAT}"))),
        }
    }

    /// Saves the session atomically.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        write_atomic(path, text + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_round_trip_and_bad_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.json");
        assert_eq!(Record::load(&path).unwrap(), None);
        let mut record = Record::new("Walk-v0", "walk".to_owned(), u64::MAX, Amount::from(12.35));
        record.bets.insert("stake".to_owned(), Amount::whole(5));
        record.open = Some(OpenRound { actions: vec![2, 0] });
        record.save(&path).unwrap();
        assert_eq!(Record::load(&path).unwrap(), Some(record.clone()));
        Record { format: 9, ..record }.save(&path).unwrap();
        let error = Record::load(&path).unwrap_err().to_string();
        assert!(error.contains("its format is 9") && error.contains("--new"), "{error}");
        std::fs::write(&path, "{}").unwrap();
        assert!(Record::load(&path).unwrap_err().to_string().contains("session.json is not a saved session"));
    }
}
