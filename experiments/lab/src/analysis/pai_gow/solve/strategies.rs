//! The strategies of both sides, by name: 'optimal', 'random' or a given strategy.

use crate::analysis::pai_gow::progress::with_progress;
use houseway_env::pai_gow::Game;
use houseway_exact::pai_gow::matchup::{Given, OPTIMAL};
use houseway_exact::pai_gow::{ExactStrategy, NamedStrategy, RANDOM, load_strategies};
use houseway_exact::solver::SolverError;
use std::sync::atomic::AtomicBool;

/// One side's strategy.
pub(super) enum SideStrategy {
    /// The best response to the other side.
    Optimal,
    /// A uniformly random legal setting.
    Random,
    /// A strategy given by name or file.
    Given(ExactStrategy),
}

impl SideStrategy {
    /// Returns the strategy, or `None` for a best response and for random settings.
    pub(super) fn given(&self) -> Option<Given<'_>> {
        match self {
            SideStrategy::Optimal | SideStrategy::Random => None,
            SideStrategy::Given(strategy) => Some(strategy.given()),
        }
    }
}

/// Loads strategies by name or file. House ways use the readings selected by the assignments.
pub(super) fn load<const N: usize>(
    names: [&str; N],
    assignments: &[String],
    game: &Game,
    stop: &AtomicBool,
) -> Result<[SideStrategy; N], SolverError> {
    let given: Vec<&str> = names.into_iter().filter(|&name| name != OPTIMAL && name != RANDOM).collect();
    let loaded = load_strategies(&given, assignments, game)?;
    let prepared = with_progress("setting all hands", stop, |run| NamedStrategy::prepare_all(&loaded, game, run))?;
    let mut prepared = prepared.into_iter();
    Ok(names.map(|name| match name {
        OPTIMAL => SideStrategy::Optimal,
        RANDOM => SideStrategy::Random,
        _ => SideStrategy::Given(prepared.next().expect("there is a strategy for each name")),
    }))
}
