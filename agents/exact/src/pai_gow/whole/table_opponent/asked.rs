//! Collects the queries that a multiset's settings make for each part, and lays out the results.

use super::super::counted::PassOptions;
use super::super::multiset::Form;
use super::width::Width;
use crate::pai_gow::Ties;
use houseway_env::pai_gow::{SetHand, Setting};

/// A query, which several settings can share.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    /// This side beats every back below this strength.
    pub back: u16,
    /// This side beats every front below this strength.
    pub front: u8,
}

/// A multiset's queries and the offsets of their results.
pub(super) struct Asked {
    /// The index of the multiset in [`Levels::hands`](super::levels::Levels::hands).
    pub hand: u32,
    /// The queries for each form.
    pub limits: [Vec<Limits>; 2],
    /// The offset of the pairs of values of each width, for each form.
    pub starts: [[usize; Width::COUNT]; 2],
}

/// Returns the distinct limits in a form, and the index into them for each setting.
pub(super) fn different_limits(counted: &PassOptions<'_>, form: &Form) -> (Vec<Limits>, [usize; Setting::COUNT]) {
    let (mut limits, mut places) = (vec![], [0; Setting::COUNT]);
    for (setting, set) in form.legal_sets() {
        let own = Limits::new(counted, set);
        places[setting] = limits.iter().position(|&other| other == own).unwrap_or_else(|| {
            limits.push(own);
            limits.len() - 1
        });
    }
    (limits, places)
}

impl Limits {
    fn new(counted: &PassOptions<'_>, set: SetHand) -> Limits {
        let ties = Limits::ties(counted);
        Limits { back: set.back.index() as u16 + u16::from(ties), front: set.front.index() as u8 + ties }
    }

    /// Returns 1 if this side beats its own strengths, and otherwise 0. Ties that push aren't supported.
    pub(super) fn ties(counted: &PassOptions<'_>) -> u8 {
        u8::from(counted.side.ties(counted.game.rules().copies) == Ties::Won)
    }

    /// Returns the limits on strengths below this side's own, given the result of [`ties`](Self::ties).
    pub(super) fn own(self, ties: u8) -> Limits {
        Limits { back: self.back - u16::from(ties), front: self.front - ties }
    }

    /// Compares a single opposing hand. The results are `true` if this side wins both comparisons, if it loses both, if
    /// the backs are equal, and if the fronts are equal.
    pub(super) fn results(self, ties: u8, opposing: SetHand) -> [bool; 4] {
        let (back, front) = (opposing.back.index() as u16, opposing.front.index() as u8);
        let (wins_back, wins_front) = (back < self.back, front < self.front);
        let own = self.own(ties);
        [wins_back && wins_front, !wins_back && !wins_front, back == own.back, front == own.front]
    }
}
