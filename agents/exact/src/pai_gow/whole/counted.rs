//! Options of a pass.

use crate::pai_gow::Side;
use houseway_env::pai_gow::Game;

/// The game, the evaluated side and the results counted in a pass.
#[derive(Clone, Copy)]
pub(super) struct PassOptions<'a> {
    pub(super) game: &'a Game,
    pub(super) side: Side,
    pub(super) copies: bool,
    pub(super) halves: bool,
}
