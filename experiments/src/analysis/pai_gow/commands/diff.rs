//! `houseway diff`: the differences between two house ways.

use crate::analysis::pai_gow::WaySide;
use crate::analysis::pai_gow::diff::Comparison;
use crate::console::{CommandResult, Failure, GameOptions, OrUsage, OutputOptions, ThreadOptions, print, print_json};
use crate::run::stop_flag_with;
use clap::Args;

/// Compare two house ways: the exact change in EV, and the hands that are set differently
///
/// Change a line in the file of a way and run this to see the effect; it takes seconds over all deals.
#[derive(Args)]
pub struct DiffArgs {
    /// Original house way, by name or file
    #[arg(value_name = "A")]
    from: String,
    /// Changed house way, by name or file
    #[arg(value_name = "B")]
    to: String,
    /// House way of the opponent, by name or file [default: A]
    #[arg(long, value_name = "WAY", visible_alias = "against")]
    banker: Option<String>,
    /// Side that A and B set for
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = WaySide::Player)]
    seat: WaySide,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl DiffArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        let rules = self.game.pai_gow()?.rules();
        let ways = self.game.ways([&self.from, &self.to, self.banker.as_ref().unwrap_or(&self.from)])?;
        let comparison = Comparison::new(rules, self.seat, ways).or_usage()?;
        let stop = stop_flag_with("stopping (press again to stop immediately)")?;
        let changes = comparison.count(&stop).map_err(Failure::work)?;
        if self.output.json { print_json(&changes.json()) } else { print(&changes.text()) }
    }
}
