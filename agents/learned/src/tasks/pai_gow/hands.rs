//! Hands as decisions between candidate settings.

use crate::decisions::{CandidateBatch, DecisionTensors, Decisions};
use burn::prelude::*;
use houseway_env::pai_gow::observe::candidates::{CONTENDER, CONTEXT, LEGAL, ROW, write_rows};
use houseway_env::pai_gow::{Candidates, Game, Setting, settings_in};
use serde::{Deserialize, Serialize};

/// The set of settings that an agent chooses from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Among {
    /// The contenders. These are the legal settings that no other legal setting beats in one half while at least
    /// matching them in the other.
    #[default]
    Contenders,
    /// All legal settings.
    Legal,
}

impl Among {
    /// The key for this option in weight file metadata.
    pub(super) const KEY: &str = "among";

    /// Returns the option's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Among::Contenders => "contenders",
            Among::Legal => "legal",
        }
    }

    /// Returns the option with the given name.
    pub(super) fn from_name(name: &str) -> Option<Among> {
        [Among::Contenders, Among::Legal].into_iter().find(|among| among.name() == name)
    }

    /// Returns the candidate settings of a hand as bits 0 to 20. There is always at least one.
    pub fn select(self, candidates: &Candidates) -> u32 {
        match self {
            Among::Contenders => candidates.contenders(),
            Among::Legal => candidates.legal(),
        }
    }

    /// Returns the index of the row feature that is 1 for candidates.
    const fn flag(self) -> usize {
        match self {
            Among::Contenders => CONTENDER,
            Among::Legal => LEGAL,
        }
    }
}

/// Appends a hand to a batch. Bits 0 to 20 of `among` select its candidate settings.
///
/// # Panics
/// Panics if there are no candidates.
pub fn encode(batch: &mut CandidateBatch, game: &Game, hand: &Candidates, among: u32) {
    let count = among.count_ones() as usize;
    assert!(count > 0, "a hand has a candidate");
    let (rows, contexts) = (batch.rows.len(), batch.context.len());
    batch.rows.resize(rows + count * ROW, 0.0);
    batch.context.resize(contexts + CONTEXT, 0.0);
    write_rows(game, hand, among, &mut batch.rows[rows..], &mut batch.context[contexts..])
        .expect("there is room for the rows");
    batch.actions.extend(settings_in(among).map(Setting::index));
    batch.counts.push(count);
}

/// Hands decoded from observations in the `candidates` encoding.
pub(super) struct HandDecisions {
    pub(super) batch: CandidateBatch,
    /// The first row of each decision.
    first_rows: Vec<usize>,
    among: Among,
}

impl HandDecisions {
    pub(super) fn new(among: Among) -> HandDecisions {
        HandDecisions { batch: CandidateBatch::default(), first_rows: vec![], among }
    }

    /// Appends a hand with the candidates allowed by the mask. If the mask excludes all candidates, every setting it
    /// allows becomes a candidate.
    pub(super) fn add(&mut self, observation: &[f32], mask: &[bool]) {
        let (rows, context) = observation.split_at(Setting::COUNT * ROW);
        let legal = rows.chunks_exact(ROW).enumerate().filter(|(setting, _)| mask[*setting]);
        let candidate = |row: &[f32]| row[self.among.flag()] == 1.0;
        let all = !legal.clone().any(|(_, row)| candidate(row));
        let first = self.batch.actions.len();
        for (setting, row) in legal.filter(|(_, row)| all || candidate(row)) {
            self.batch.actions.push(setting);
            self.batch.rows.extend_from_slice(row);
        }
        self.batch.context.extend_from_slice(context);
        self.batch.counts.push(self.batch.actions.len() - first);
        self.first_rows.push(first);
    }

    /// Removes the last hand, which has only one candidate, and returns that candidate.
    fn remove_last(&mut self) -> usize {
        self.batch.rows.truncate(self.batch.rows.len() - ROW);
        self.batch.context.truncate(self.batch.context.len() - CONTEXT);
        self.batch.counts.pop();
        self.first_rows.pop();
        self.batch.actions.pop().expect("the hand has a candidate")
    }
}

impl Decisions for HandDecisions {
    fn clear(&mut self) {
        self.batch.clear();
        self.first_rows.clear();
    }

    fn len(&self) -> usize {
        self.batch.counts.len()
    }

    fn push(&mut self, observation: &[f32], mask: &[bool]) -> Option<usize> {
        self.add(observation, mask);
        (self.batch.counts.last() == Some(&1)).then(|| self.remove_last())
    }

    fn tensors(&self, first: usize, device: &Device) -> DecisionTensors {
        self.batch.tensors(first, device)
    }

    fn action(&self, decision: usize, place: usize) -> usize {
        self.batch.actions[self.first_rows[decision] + place]
    }
}
