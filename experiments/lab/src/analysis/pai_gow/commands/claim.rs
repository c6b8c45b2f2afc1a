//! The command `houseway claim` tests the return to player stated by the original game.

use crate::analysis::pai_gow::claim::{Claim, examine};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, print, print_json};
use crate::run::{Destination, RunFolder, stop_flag};
use clap::Args;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Way;
use std::path::PathBuf;

/// Test the original game's stated return to player, exactly and under every reading
///
/// Evaluates all deals once per reading, for the house way and for optimal play against it. Writes the conditions under
/// which the stated return holds as JSON and as a report.
#[derive(Args)]
pub struct ClaimArgs {
    /// The return to player to test
    #[arg(long, value_name = "SHARE", default_value = "0.9835")]
    stated: Rate,
    /// The house way of both sides, by name or file
    #[arg(long, default_value = Way::DEFAULT)]
    way: String,
    /// The folder to write the results to
    #[arg(long, value_name = "DIR", default_value = "results/claim")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl ClaimArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = self.common.game.pai_gow()?;
        let [way] = self.common.game.ways([&self.way])?;
        let claim = Claim { stated: self.stated, way, rules: game.rules() };
        claim.check().map_err(Failure::usage)?;
        let inputs = self.common.game.files([&*self.way]);
        let to = Destination::new(&self.out, &inputs, self.force.force);
        let run = RunFolder::start(&claim.spec()?, &to)?;
        let stop = stop_flag()?;
        let findings = examine(&claim, run, &stop)?.ok_or_else(|| Failure::work("stopped"))?;
        if self.common.output.json { print_json(&findings.json()) } else { print(&findings.text(&self.out)) }
    }
}
