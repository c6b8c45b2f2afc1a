//! Internal options for a pass.

use crate::pai_gow::Side;
use houseway_env::pai_gow::Game;

/// The game, the side to evaluate, and the results to count in a pass.
#[derive(Clone, Copy)]
pub(super) struct PassOptions<'a> {
    pub(super) game: &'a Game,
    pub(super) side: Side,
    pub(super) copies: bool,
    pub(super) halves: bool,
    /// `true` if dominated settings are left out.
    pub(super) undominated: bool,
}

impl<'a> PassOptions<'a> {
    /// Creates options that only count wins and losses, for all legal settings.
    pub(super) fn new(game: &'a Game, side: Side) -> PassOptions<'a> {
        PassOptions { game, side, copies: false, halves: false, undominated: false }
    }
}
