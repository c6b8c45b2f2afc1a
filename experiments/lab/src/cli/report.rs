//! Implementation of `houseway report`.

use crate::console::{CommandResult, OrUsage, OutputOptions, print, print_json};
use crate::report::rebuild;
use crate::run::RunFolder;
use clap::Args;
use std::path::PathBuf;

/// Rebuild a run's plots and report from the data in its folder
#[derive(Args)]
pub struct ReportArgs {
    /// The run's folder, such as results/quick
    run: PathBuf,
    #[command(flatten)]
    output: OutputOptions,
}

impl ReportArgs {
    pub(super) fn run(self) -> CommandResult {
        let run = RunFolder::open(&self.run).or_usage()?;
        let plots = rebuild(&run)?;
        run.renew_drawings()?;
        let report = run.file("report.md");
        if self.output.json {
            return print_json(&serde_json::json!({ "run": self.run, "report": report, "plots": plots }));
        }
        print(&format!("{}\nplots drawn: {}\n", report.display(), plots.len()))
    }
}
