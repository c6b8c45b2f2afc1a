//! Stores finished rounds, so that a run can be resumed.

use super::question::{Question, gap};
use crate::run::{make_folder, read_own_text, write_atomic};
use houseway_env::files;
use houseway_env::seal::Seal;
use houseway_exact::equilibrium::{AverageValues, Method, SolverState};
use houseway_exact::pai_gow::equilibrium::Actions;
use houseway_exact::pai_gow::matchup::BankedBy;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// The folder for the files. A run that replaces another one takes it over.
pub(crate) const FOLDER: &str = "counts";
/// The file that stores the solver's state after the last round (about 80 MB).
const STATE: &str = "equilibrium.bin";
/// The file with processor times. They don't appear in any other file, so that the others are reproducible.
const TIMING: &str = "timing.csv";
const TIMING_HEADER: &str = "round,processor_seconds";
const SEAL: Seal = Seal::new("houseway-equilibrium", 2).of_one_version();
/// The maximum size of the state file in bytes.
const MAX_FILE: u64 = 1 << 30;

/// The header of the state file.
#[derive(Serialize, Deserialize)]
struct About {
    rules_hash: String,
    bank: BankedBy,
    method: Method,
    values: Vec<AverageValues>,
}

/// The EVs and times for the finished rounds.
#[derive(Clone, Default)]
pub(crate) struct History {
    /// The EVs after each round, for best responses that only see profiles.
    pub(crate) values: Vec<AverageValues>,
    /// Round numbers with the processor time since the start of the first round, in seconds over all threads. Rounds from
    /// a replaced run may be missing.
    pub(super) seconds: Vec<(u32, f64)>,
}

impl History {
    /// Reads the rounds in a folder. Returns `None` if they are missing or damaged, or if they belong to another
    /// question.
    pub(super) fn read(folder: &Path, question: &Question, actions: &Actions) -> Option<(History, SolverState)> {
        let file = files::read(&folder.join(STATE), MAX_FILE).ok()?;
        let (about, bytes) = open(&file, question)?;
        let state = SolverState::from_bytes(bytes, [actions.starts(); 2]).ok()?;
        let rounds = usize::try_from(state.round()).ok()?;
        if rounds != about.values.len() {
            return None;
        }
        let text = read_own_text(&folder.join(TIMING)).ok().filter(|text| text.starts_with(TIMING_HEADER));
        let text = text.unwrap_or_default();
        let row = |line: &str| {
            let (round, seconds) = line.split_once(',')?;
            Some((round.parse().ok()?, seconds.parse().ok()?))
        };
        let seconds = text.lines().skip(1).filter_map(row).filter(|&(round, _)| round <= state.round()).collect();
        Some((History { values: about.values, seconds }, state))
    }

    /// Adds a round and saves all rounds.
    pub(super) fn add(
        &mut self,
        values: AverageValues,
        seconds: f64,
        state: &SolverState,
        question: &Question,
        folder: &Path,
    ) -> io::Result<()> {
        self.values.push(values);
        self.seconds.push((state.round(), seconds));
        make_folder(folder)?;
        let (rules_hash, bank, method) = (question.game.rules().hash(), question.bank, question.method);
        let about = About { rules_hash, bank, method, values: self.values.clone() };
        write_atomic(&folder.join(STATE), SEAL.seal_bytes(&about, &state.to_bytes()))?;
        let rows = self.seconds.iter().map(|(round, seconds)| format!("{round},{seconds:.3}\n"));
        write_atomic(&folder.join(TIMING), format!("{TIMING_HEADER}\n{}", rows.collect::<String>()))
    }
}

impl History {
    /// Returns the number of passes and the gap to an equilibrium after each round.
    pub(super) fn by_passes(&self, bank: BankedBy) -> Vec<(f64, f64)> {
        let gaps = self.values.iter().map(|&values| gap(values, bank));
        gaps.enumerate().map(|(i, gap)| (2.0 * (i + 1) as f64, gap)).collect()
    }

    /// Returns the processor seconds and the gap to an equilibrium after each round.
    pub(super) fn by_seconds(&self, bank: BankedBy) -> Vec<(f64, f64)> {
        let point = |&(round, seconds): &(u32, f64)| Some((seconds, gap(*self.values.get(round as usize - 1)?, bank)));
        self.seconds.iter().filter(|(round, _)| *round > 0).filter_map(point).collect()
    }
}

/// Returns the number of rounds in a folder, or `None` if they don't belong to this question.
pub(crate) fn rounds(folder: &Path, question: &Question) -> Option<usize> {
    let file = files::read(&folder.join(STATE), MAX_FILE).ok()?;
    open(&file, question).map(|(about, _)| about.values.len())
}

fn open<'a>(file: &'a [u8], question: &Question) -> Option<(About, &'a [u8])> {
    let (about, bytes): (About, &[u8]) = SEAL.open_bytes(file).ok()?;
    let is_same = about.rules_hash == question.game.rules().hash()
        && about.bank == question.bank
        && about.method == question.method;
    (is_same && about.values.len() <= question.rounds as usize).then_some((about, bytes))
}
