//! Stores finished rounds, so that a run can be resumed.

use super::Question;
use super::gap::gap;
use crate::run::{make_folder, read_inside, read_state, write_atomic};
use houseway_env::files;
use houseway_env::seal::Seal;
use houseway_exact::equilibrium::{AverageValues, Method, SolverState};
use houseway_exact::pai_gow::matchup::BankedBy;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// The folder for the files. A run that replaces another one takes it over.
pub const FOLDER: &str = "counts";
const TIMING_HEADER: &str = "round,processor_seconds";
const SEAL: Seal = Seal::new("houseway-equilibrium", 2).of_one_version();
/// The maximum size of the state file in bytes.
const MAX_FILE: u64 = 1 << 30;

/// The rounds with one kind of information sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Both sides only see profiles.
    Profiles,
    /// Both sides see the suits of hands for which they matter, after all rounds by profile.
    Classes,
}

impl Stage {
    /// Returns the file that stores the solver's state after the last round (about 80 MB).
    fn state(self) -> &'static str {
        match self {
            Stage::Profiles => "equilibrium.bin",
            Stage::Classes => "classes.bin",
        }
    }

    /// Returns the file with processor times. They don't appear in any other file, so that the others are reproducible.
    fn timing(self) -> &'static str {
        match self {
            Stage::Profiles => "timing.csv",
            Stage::Classes => "timing-classes.csv",
        }
    }

    pub(super) fn rounds(self, question: &Question) -> u32 {
        match self {
            Stage::Profiles => question.rounds,
            Stage::Classes => question.class_rounds,
        }
    }

    /// Returns the number of rounds before this stage.
    pub(super) fn rounds_before(self, question: &Question) -> u32 {
        match self {
            Stage::Profiles => 0,
            Stage::Classes => question.rounds,
        }
    }
}

/// The header of the state file.
#[derive(Serialize, Deserialize)]
struct About {
    rules_hash: String,
    bank: BankedBy,
    method: Method,
    values: Vec<AverageValues>,
    /// The number of rounds before this stage.
    #[serde(default)]
    rounds_before: u32,
}

/// The EVs and times for the finished rounds of a stage.
#[derive(Clone, Default)]
pub struct History {
    /// The EVs after each round, for best responses with the stage's information sets.
    pub values: Vec<AverageValues>,
    /// Round numbers with the processor time since the start of the first round, in seconds over all threads. Rounds from
    /// a replaced run may be missing.
    pub(super) seconds: Vec<(u32, f64)>,
    /// The number of rounds before this stage.
    pub(super) rounds_before: u32,
}

impl History {
    /// Reads the rounds in a folder. Returns `None` if they are missing or belong to another question. If they are damaged
    /// or of another version of the program, their file is kept under another name.
    pub(super) fn read(
        folder: &Path,
        stage: Stage,
        question: &Question,
        starts: [&[u32]; 2],
    ) -> io::Result<Option<(History, SolverState)>> {
        let read = read_state(folder, stage.state(), |file| {
            let (about, bytes): (About, &[u8]) = SEAL.open_bytes(file).map_err(|error| error.to_string())?;
            if !about.is_of(stage, question) {
                return Ok(None);
            }
            let state = SolverState::from_bytes(bytes, starts).map_err(|error| error.to_string())?;
            match state.round() as usize == about.values.len() + about.rounds_before as usize {
                true => Ok(Some((about, state))),
                false => Err("its numbers of rounds differ".to_owned()),
            }
        });
        let Some((about, state)) = read?.flatten() else { return Ok(None) };
        let text = read_inside(folder, stage.timing()).ok().filter(|text| text.starts_with(TIMING_HEADER));
        let text = text.unwrap_or_default();
        let row = |line: &str| {
            let (round, seconds) = line.split_once(',')?;
            Some((round.parse().ok()?, seconds.parse().ok()?))
        };
        let seconds = text.lines().skip(1).filter_map(row).filter(|&(round, _)| round <= state.round()).collect();
        Ok(Some((History { values: about.values, seconds, rounds_before: about.rounds_before }, state)))
    }

    /// Adds a round and saves all rounds.
    pub(super) fn add(
        &mut self,
        values: AverageValues,
        seconds: f64,
        state: &SolverState,
        (stage, question): (Stage, &Question),
        folder: &Path,
    ) -> io::Result<()> {
        self.values.push(values);
        self.seconds.push((state.round(), seconds));
        make_folder(folder)?;
        let (rules_hash, bank, method) = (question.game.rules().hash(), question.bank, question.method);
        let about = About {
            rules_hash,
            bank,
            method,
            values: self.values.clone(),
            rounds_before: stage.rounds_before(question),
        };
        write_atomic(&folder.join(stage.state()), SEAL.seal_bytes(&about, &state.to_bytes()))?;
        let rows = self.seconds.iter().map(|(round, seconds)| format!("{round},{seconds:.3}\n"));
        write_atomic(&folder.join(stage.timing()), format!("{TIMING_HEADER}\n{}", rows.collect::<String>()))
    }

    /// Returns the number of passes over all deals up to the end of the round with the given index, including those of
    /// earlier stages. Two passes evaluate the averages before the first round of a later stage.
    pub(super) fn passes_after(&self, index: usize) -> usize {
        let refining = if self.rounds_before > 0 { 2 } else { 0 };
        2 * (self.rounds_before as usize + index + 1) + refining
    }

    /// Returns the number of passes over all deals up to the last round.
    pub(super) fn passes(&self) -> usize {
        self.values.len().checked_sub(1).map_or(0, |last| self.passes_after(last))
    }

    /// Returns the number of passes and the gap to an equilibrium after each round.
    pub(super) fn by_passes(&self, bank: BankedBy) -> Vec<(f64, f64)> {
        let gaps = self.values.iter().map(|&values| gap(values, bank));
        gaps.enumerate().map(|(i, gap)| (self.passes_after(i) as f64, gap)).collect()
    }

    /// Returns the processor seconds and the gap to an equilibrium after each round.
    pub(super) fn by_seconds(&self, bank: BankedBy) -> Vec<(f64, f64)> {
        let point = |&(round, seconds): &(u32, f64)| {
            Some((seconds, gap(*self.values.get((round - self.rounds_before) as usize - 1)?, bank)))
        };
        self.seconds.iter().filter(|(round, _)| *round > self.rounds_before).filter_map(point).collect()
    }
}

/// Returns the number of rounds by profile in a folder, or `None` if they don't belong to this question.
pub fn rounds(folder: &Path, question: &Question) -> Option<usize> {
    let file = files::read(&folder.join(Stage::Profiles.state()), MAX_FILE).ok()?;
    let (about, _): (About, &[u8]) = SEAL.open_bytes(&file).ok()?;
    about.is_of(Stage::Profiles, question).then_some(about.values.len())
}

impl About {
    /// Returns `true` if the rounds are among those of a question.
    fn is_of(&self, stage: Stage, question: &Question) -> bool {
        self.rules_hash == question.game.rules().hash()
            && self.bank == question.bank
            && self.method == question.method
            && self.rounds_before == stage.rounds_before(question)
            && self.values.len() <= stage.rounds(question) as usize
    }
}
