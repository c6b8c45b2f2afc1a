//! `houseway claim`: the return to player that the source states, put to the test.

use crate::analysis::pai_gow::claim::{Claim as Question, examine};
use crate::console::{Failure, GameOptions, OrUsage, Outcome, OutputOptions, ThreadOptions, print, print_json};
use crate::run::stop_flag;
use clap::Args;
use houseway_env::money::Rate;
use houseway_env::pai_gow::house_way::Way;
use std::path::PathBuf;

/// Test the return to player that the source states, under every reading, with exact counts
///
/// Counts all deals once for each reading, for the house way and for the best play against it, and writes what it takes
/// to reach the stated return as JSON and as a report.
#[derive(Args)]
pub struct Claim {
    /// The return to player that is claimed
    #[arg(long, value_name = "SHARE", default_value = "0.9835")]
    stated: Rate,
    /// The house way of both sides, by name or file
    #[arg(long, default_value = Way::DEFAULT)]
    way: String,
    /// The folder of the result
    #[arg(long, value_name = "DIR", default_value = "results/claim")]
    out: PathBuf,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Claim {
    pub(super) fn run(self) -> Outcome {
        self.threads.start()?;
        let game = self.game.pai_gow()?;
        let [way] = self.game.ways([&self.way])?;
        let claim = Question { stated: self.stated, way, rules: game.rules() };
        claim.check().or_usage()?;
        let stop = stop_flag()?;
        let findings = examine(&claim, &self.out, &stop)?.ok_or_else(|| Failure::work("stopped before its end"))?;
        if self.output.json { print_json(&findings.json()) } else { print(&findings.text(&self.out)) }
    }
}
