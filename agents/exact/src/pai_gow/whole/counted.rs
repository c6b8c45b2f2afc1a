//! Options of an evaluation.

use crate::pai_gow::Side;
use houseway_env::pai_gow::Game;

/// Options of the evaluation.
#[derive(Clone, Copy)]
pub(super) struct PassOptions<'a> {
    pub(super) game: &'a Game,
    pub(super) side: Side,
    pub(super) copies: bool,
    pub(super) halves: bool,
}
