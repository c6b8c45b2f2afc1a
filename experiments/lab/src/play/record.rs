//! The files of a session. Its saved form is written after every relevant change and makes it possible to resume the
//! session. Its history has all finished rounds.

use super::{Amount, Ledger, OtherPlayers, Session};
use crate::run::{cannot_read, cannot_write_by, load_saved, write_atomic};
use houseway_env::files;
use houseway_env::gym::read_episodes;
use houseway_env::seal::Seal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;

const FORMAT: u32 = 1;
const SEAL: Seal = Seal::new("houseway-session", FORMAT);

/// The stakes, keyed by the names of the reset options for the bets.
pub type Stakes = BTreeMap<String, Amount>;

/// A saved session. Since all rounds are dealt from the seed, neither the cards nor the random state needs to be saved.
/// An open round is resumed by replaying its actions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    format: u32,
    pub env: String,
    #[serde(rename = "environment_hash", alias = "rules_hash")]
    pub rules_hash: String,
    /// The reset options, except for the bets.
    pub options: BTreeMap<String, serde_json::Value>,
    /// The players on other seats. All other seats have their default players.
    #[serde(default, skip_serializing_if = "OtherPlayers::is_empty")]
    pub players: OtherPlayers,
    pub seed: u64,
    pub rounds: u64,
    /// The bankroll after the last finished round.
    pub bankroll: Amount,
    pub bets: Stakes,
    pub last_bets: Stakes,
    pub open: Option<OpenRound>,
    /// The finished rounds. Only saved if later rounds depend on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub past: Vec<PastRound>,
    pub ledger: Ledger,
}

/// A round in progress. Its bets are [`Record::bets`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRound {
    pub actions: Vec<usize>,
}

/// A finished round that is replayed when the session is resumed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PastRound {
    pub bets: Stakes,
    pub actions: Vec<usize>,
}

impl Record {
    pub fn new(env: &str, rules_hash: String, seed: u64, bankroll: Amount) -> Record {
        Record { format: FORMAT, env: env.to_owned(), rules_hash, seed, bankroll, ..Record::default() }
    }

    pub fn load(path: &Path) -> io::Result<Option<Record>> {
        load_saved(path, "session", SEAL, FORMAT)
    }

    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_atomic(path, format!("{:#}\n", SEAL.seal(self)))
    }
}

pub const MAX_HISTORY: u64 = 1 << 30;

/// Opens a session's history. Finished rounds are appended to the file, which must be a history of the same game and
/// rules or empty. If rounds depend on earlier ones, it has to contain this session from the start and nothing else, so
/// any missing rounds are added first.
pub fn open_history(path: &Path, session: &mut Session) -> io::Result<File> {
    let refused = |reason: &str| {
        let text = format!("{} {reason}; choose another file with --history", path.display());
        io::Error::new(io::ErrorKind::InvalidData, text)
    };
    let known = read_history(path)?;
    let body = session.rounds.without_end(&known);
    let mut lines = session.rounds.take_history();
    if session.rounds.is_continuous() {
        if !lines.starts_with(body) {
            return Err(refused("belongs to another session"));
        }
    } else {
        let record = &session.record;
        let episodes = read_episodes(body).map_err(|_| refused("is not a history"))?;
        if episodes.iter().any(|episode| episode.env != record.env || episode.rules_hash != record.rules_hash) {
            return Err(refused("belongs to another game or to other rules"));
        }
        let is_closed = body.len() < known.len();
        let is_torn = !body.is_empty() && !body.ends_with(b"\n");
        if is_torn || is_closed && known[body.len()..] != session.rounds.close_history(body) {
            return Err(refused("was damaged or changed, as houseway play --verify shows"));
        }
        lines = [body, &lines].concat();
    }
    if lines != known || !path.exists() {
        write_atomic(path, &lines)?;
    }
    let file = File::options().append(true).open(path);
    file.map_err(|error| cannot_write_by("--history", path, error))
}

/// Reads a history, which is empty if the file doesn't exist.
pub fn read_history(path: &Path) -> io::Result<Vec<u8>> {
    match files::read(path, MAX_HISTORY) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(vec![]),
        read => read.map_err(|error| cannot_read(path, error)),
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
        // Every edit of a number shows, and sessions of earlier versions are read without a seal.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen("12.35", "-1e308", 1)).unwrap();
        assert!(Record::load(&path).unwrap_err().to_string().contains("its checksum does not match"));
        std::fs::write(&path, serde_json::to_string(&record).unwrap()).unwrap();
        assert_eq!(Record::load(&path).unwrap(), Some(record.clone()));
        Record { format: 9, ..record }.save(&path).unwrap();
        let error = Record::load(&path).unwrap_err().to_string();
        assert!(error.contains("its format is 9") && error.contains("--new"), "{error}");
        std::fs::write(&path, "{}").unwrap();
        assert!(Record::load(&path).unwrap_err().to_string().contains("session.json is not a saved session"));
    }
}
