//! `houseway claim`: a test of the return to player stated by the original game.

use crate::analysis::pai_gow::claim::{Claim, examine};
use crate::console::{
    CommandResult, Failure, ForceOptions, GameOptions, OrUsage, OutputOptions, ThreadOptions, print, print_json,
};
use crate::run::{Destination, RunFolder, stop_flag};
use clap::Args;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Way;
use std::path::PathBuf;

/// Test the original game's stated return to player, exactly and under every reading
///
/// Evaluates all deals once per reading, for the house way and for optimal play against it, and writes the conditions
/// for the stated return as JSON and as a report.
#[derive(Args)]
pub struct ClaimArgs {
    /// Claimed return to player
    #[arg(long, value_name = "SHARE", default_value = "0.9835")]
    stated: Rate,
    /// House way of both sides, by name or file
    #[arg(long, default_value = Way::DEFAULT)]
    way: String,
    /// Folder of the results
    #[arg(long, value_name = "DIR", default_value = "results/claim")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl ClaimArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        let game = self.game.pai_gow()?;
        let [way] = self.game.ways([&self.way])?;
        let claim = Claim { stated: self.stated, way, rules: game.rules() };
        claim.check().or_usage()?;
        let inputs = self.game.files([&*self.way]);
        let to = Destination::new(&self.out, &inputs, self.force.force);
        let run = RunFolder::start(&claim.spec()?, &to)?;
        let stop = stop_flag()?;
        let findings = examine(&claim, run, &stop)?.ok_or_else(|| Failure::work("stopped"))?;
        if self.output.json { print_json(&findings.json()) } else { print(&findings.text(&self.out)) }
    }
}
