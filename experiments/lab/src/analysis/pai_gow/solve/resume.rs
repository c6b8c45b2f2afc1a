//! Enumerations that can be interrupted and resumed.
//!
//! The work is divided into shards. After each shard, its integers are written to a file atomically. An enumeration
//! that finds such a file takes these shards from it and only counts the rest. Integer sums don't depend on the order,
//! so the result is the same as without an interruption. A file is rejected if it belongs to a different question or
//! was written by a different version of the program.

use super::merge::difference;
use crate::run::{cannot_write_by, read_own_text, write_atomic_with};
use houseway_env::seal::Seal;
use houseway_exact::pai_gow::HANDS;
use houseway_exact::pai_gow::matchup::{Pair, Question};
use houseway_exact::pai_gow::whole::{DealCounts, Run, Shard};
use houseway_exact::solver::SolverError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

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

/// Counts a pair, resuming from `path` if the file has earlier progress. Every finished piece is saved there. Calls
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
