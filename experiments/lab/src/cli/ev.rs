//! Implementation of `houseway ev`.

use super::solver_options::{EvCommand, SolverOptions};
use crate::console::{CommandResult, CommonOptions, OrUsage, print, print_json};
use crate::report::answer_text;
use crate::run::{STOPPING, stop_flag_with, with_control};
use clap::Args;
use houseway_exact::registry::find;

/// Compute the exact EV of every decision with a hand
#[derive(Args)]
pub struct EvArgs {
    /// The player's cards, such as "As Kd Jk 7c 7d 2h 3s", or "Kh 8c" in hold'em
    hand: String,
    #[command(flatten)]
    options: SolverOptions<EvCommand>,
    #[command(flatten)]
    common: CommonOptions,
}

impl EvArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        self.options.for_game(&self.common.game.game)?;
        let config = self.common.game.solver_config(self.options.single_values())?;
        let solver = find(&self.common.game.game).or_usage()?.solver(&config)?;
        let stop = stop_flag_with(STOPPING)?;
        let answer = with_control(&stop, |control| solver.value(&self.hand, control))?;
        if self.common.output.json { print_json(&answer.json) } else { print(&answer_text(&answer)) }
    }
}
