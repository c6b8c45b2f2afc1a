//! The command `houseway diff` shows the differences between two strategies.

use super::ways::prepare;
use crate::analysis::pai_gow::WaySide;
use crate::analysis::pai_gow::diff::Comparison;
use crate::analysis::pai_gow::progress::with_progress;
use crate::console::{CommandResult, CommonOptions, Failure, print, print_json};
use crate::run::stop_flag_with;
use clap::Args;
use houseway_exact::pai_gow::NamedStrategy;

/// Compare two house ways, strategy tables or trained agents: the exact change in EV, and the hands that are set
/// differently
///
/// To see the effect of a change, edit a line in a way's file and run this command, which takes seconds over all deals.
#[derive(Args)]
pub struct DiffArgs {
    /// The original strategy: the name or file of a house way, a strategy table, or a trained agent
    #[arg(value_name = "A")]
    from: String,
    /// The changed strategy, in the same form
    #[arg(value_name = "B")]
    to: String,
    /// The opponent's strategy [default: A]
    #[arg(long, value_name = "WAY", visible_alias = "against")]
    banker: Option<String>,
    /// The side that A and B set for
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = WaySide::Player)]
    seat: WaySide,
    #[command(flatten)]
    common: CommonOptions,
}

impl DiffArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = self.common.game.pai_gow()?;
        let names = [&*self.from, &*self.to, self.banker.as_ref().unwrap_or(&self.from)];
        let strategies = self.common.game.strategies(&names, &game)?;
        strategies.iter().try_for_each(NamedStrategy::check_pure).map_err(Failure::usage)?;
        let stop = stop_flag_with("stopping (press again to stop immediately)")?;
        let strategies = prepare(&strategies, &game, &stop)?;
        let strategies = strategies.try_into().unwrap_or_else(|_| unreachable!("there is one for each name"));
        let comparison = Comparison::new(game, self.seat, strategies);
        let changes = with_progress("counting", &stop, |run| comparison.count(run))?;
        let changes = changes.ok_or_else(|| Failure::work("stopped"))?;
        if self.common.output.json { print_json(&changes.json()) } else { print(&changes.text()) }
    }
}
