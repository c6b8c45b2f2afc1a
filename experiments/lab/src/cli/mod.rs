//! The commands, with one file each.
//!
//! A command is a struct of options with `fn run(self) -> CommandResult`. To add one, create a file here and add a
//! variant to [`LabCommand`], a line to [`LabCommand::run`], and tests in `tests/`. Commands that train belong in the
//! `houseway` crate. Only the answer goes to standard output, and everything else goes to standard error (see
//! [`console`](crate::console)). Commands for a single game belong in [`analysis`].
//!
//! `ev` and `solve` are available for every game with a solver in [`houseway_exact::registry`]. Their options are
//! generated from the registry entries.

mod dataset;
mod drill;
mod ev;
mod games;
mod play;
mod report;
mod serve;
mod solve;
mod solver_options;
mod stats;
mod verify;

use crate::analysis::{self, AnalysisCommand};
use crate::console::{CommandResult, Failure, check_environment};
use crate::run::signal_status;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// A command that trains nothing.
#[derive(Subcommand)]
#[allow(missing_docs)] // the structs are documented
pub enum LabCommand {
    Ev(Box<ev::EvArgs>),
    Solve(Box<solve::SolveArgs>),
    Games(games::GamesArgs),
    Play(Box<play::PlayArgs>),
    Drill(Box<drill::DrillArgs>),
    Dataset(Box<dataset::DatasetArgs>),
    Report(report::ReportArgs),
    Serve(serve::ServeArgs),
    Stats(stats::StatsArgs),
    Verify(verify::VerifyArgs),
    #[command(flatten)]
    Analysis(AnalysisCommand),
}

impl LabCommand {
    pub fn run(self) -> CommandResult {
        match self {
            LabCommand::Ev(command) => command.run(),
            LabCommand::Solve(command) => command.run(),
            LabCommand::Games(command) => command.run(),
            LabCommand::Play(command) => command.run(),
            LabCommand::Drill(command) => command.run(),
            LabCommand::Dataset(command) => command.run(),
            LabCommand::Report(command) => command.run(),
            LabCommand::Serve(command) => command.run(),
            LabCommand::Stats(command) => command.run(),
            LabCommand::Verify(command) => command.run(),
            LabCommand::Analysis(command) => command.run(),
        }
    }
}

/// Parses and runs a command line. Errors are printed to standard error, and the exit status indicates the kind of
/// error.
pub fn run_line<Line: Parser>(
    arguments: impl IntoIterator<Item = OsString>,
    run: impl FnOnce(Line) -> CommandResult,
) -> ExitCode {
    analysis::register();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // This also applies to errors in the options themselves.
    let json = arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    match Line::try_parse_from(&arguments) {
        Ok(line) => {
            let done = check_environment().and_then(|()| run(line));
            let status = done.map_or_else(|failure| failure.report(json), |()| ExitCode::SUCCESS);
            signal_status().map_or(status, ExitCode::from)
        }
        Err(error) => options_error(&error, json),
    }
}

/// Reports an error in the options. Help and version texts are answers, and anything else is a usage error.
fn options_error(error: &clap::Error, json: bool) -> ExitCode {
    if !error.use_stderr() {
        // If printing fails, there is nowhere left to report it.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    if !json {
        return Failure::usage(text).report(false);
    }
    // Keep the entire message but drop the usage text that follows it.
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    Failure::usage(lines.join(" ")).report(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        _command: LabCommand,
    }

    #[test]
    fn the_options_are_consistent() {
        Line::command().debug_assert();
    }
}
