//! Verifies a history against its configuration.

use super::{TableRunConfig, open};
use houseway_env::gym::StreamSeed;
use houseway_env::pai_gow::table::{HistoryError, HistoryReader, Verified};
use std::io::BufRead;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// An error from verifying a history.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The history is invalid.
    #[error("{0}")]
    NoHistory(HistoryError),
    /// The table can't be opened.
    #[error("{0:#}")]
    NoTable(anyhow::Error),
    /// The replay differs from the history.
    #[error("{0}")]
    Differs(HistoryError),
    /// Verification was stopped.
    #[error("stopped")]
    Stopped,
}

/// Opens the table described by a history and replays every card, chip, and move. Agents' moves are taken from the
/// history. Outcome counts that players need are taken from the cache folder, or computed and saved there. Returns the
/// result and the hash of the table's setup.
pub fn verify(history: impl BufRead, counts: &Path, stop: &AtomicBool) -> Result<(Verified, String), VerifyError> {
    let history = HistoryReader::read(history).map_err(VerifyError::NoHistory)?;
    let header = history.header().clone();
    let config: TableRunConfig = serde_json::from_value(header.config)
        .map_err(|error| VerifyError::NoTable(anyhow::anyhow!("invalid configuration in the first line: {error}")))?;
    let (seed, rounds) = (config.seed, config.rounds);
    same("seed", &header.seed, &StreamSeed::from(seed))?;
    let open = open(config, counts, stop).map_err(VerifyError::NoTable)?;
    let mut open = open.ok_or(VerifyError::Stopped)?;
    // Histories written by other programs may not have any ways.
    if !header.ways.is_empty() {
        same("ways", &header.ways, &open.ways)?;
    }
    let verified = history.verify(&mut open.table, &mut open.players).map_err(VerifyError::Differs)?;
    if verified.rounds > rounds {
        same("rounds", &verified.rounds, &rounds)?;
    }
    Ok((verified, open.table.setup().hash().to_owned()))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &'static str, found: &T, expected: &T) -> Result<(), VerifyError> {
    if found == expected {
        return Ok(());
    }
    let [found, expected] = [found, expected].map(|value| format!("{value:?}"));
    Err(VerifyError::Differs(HistoryError::Other { what, found, expected }))
}
