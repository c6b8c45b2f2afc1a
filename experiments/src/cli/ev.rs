//! `houseway ev`: the exact EV of every decision with one hand.

use super::solver_options::{EvCommand, SolverOptions};
use crate::console::{CommandResult, GameOptions, OrUsage, OutputOptions, ThreadOptions, print, print_json};
use crate::report::answer_text;
use crate::run::{STOPPING, stop_flag_with, with_control};
use clap::Args;
use houseway_exact::registry::find;

/// Compute the exact EV of every decision with a hand
#[derive(Args)]
pub(super) struct EvArgs {
    /// The player's cards, like "As Kd Jk 7c 7d 2h 3s", or "Kh 8c" in hold'em
    hand: String,
    #[command(flatten)]
    options: SolverOptions<EvCommand>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl EvArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        self.options.for_game(&self.game.game)?;
        let config = self.game.solver_config(self.options.single_values())?;
        let solver = find(&self.game.game).or_usage()?.solver(&config)?;
        let stop = stop_flag_with(STOPPING)?;
        let answer = with_control(&stop, |control| solver.value(&self.hand, control))?;
        if self.output.json { print_json(&answer.json) } else { print(&answer_text(&answer)) }
    }
}
