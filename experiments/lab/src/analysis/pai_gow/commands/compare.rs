//! The command `houseway compare` runs a round robin of strategies.

use super::ways::prepare;
use crate::analysis::pai_gow::compare::{Contest, examine};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, print, print_json};
use crate::run::{Destination, RunFolder, stop_flag_with};
use clap::Args;
use houseway_env::pai_gow::house_way::CASINOS;
use std::path::PathBuf;

/// Compare strategies: the exact house edge for each pair of player's and banker's ways
///
/// Also shows optimal play against each banker, the best banker against each player, and the best and worst ways for
/// the house. If two of the strategies are close to an equilibrium, such as those of houseway equilibrium, it shows
/// what all others lose compared with them. Takes two passes over all deals per way; finished passes are kept in the
/// folder and reused. Cells with mixed strategies have a `weight` in the JSON, and their counts are in units of one deal
/// divided by it.
#[derive(Args)]
pub struct CompareArgs {
    /// The names or files of house ways, strategy tables, mixed strategies and trained agents [default: the casinos'
    /// house ways]
    #[arg(value_name = "WAY")]
    ways: Vec<String>,
    /// The folder to write the report to
    #[arg(long, value_name = "DIR", default_value = "results/compare")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl CompareArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = self.common.game.pai_gow()?;
        let casinos = || CASINOS.iter().map(|(name, _)| *name);
        let named = self.ways.iter().map(String::as_str);
        let names: Vec<&str> = if self.ways.is_empty() { casinos().collect() } else { named.collect() };
        let strategies = self.common.game.strategies(&names, &game)?;
        let stop = stop_flag_with("stopping: finished passes are kept (press again to stop immediately)")?;
        let contest = Contest::new(prepare(&strategies, &game, &stop)?, game);
        let inputs = self.common.game.files(names);
        let to = Destination::new(&self.out, &inputs, self.force.force);
        let (run, _) = RunFolder::start(&contest.spec()?, &to)?;
        let standings = examine(&contest, run, &stop)?.ok_or_else(|| Failure::work("stopped"))?;
        if self.common.output.json { print_json(&standings.json()) } else { print(&standings.text(&self.out)) }
    }
}
