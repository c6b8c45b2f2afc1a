//! The command line, with one file per command.
//!
//! A command is a struct of options with `fn run(self) -> CommandResult`. To add one, create a file here and add a
//! variant to `Command`, a line to `dispatch`, and tests in `tests/`. Only the answer goes to standard output, and
//! everything else goes to standard error (see [`console`](crate::console)). Commands for a single game belong in
//! [`analysis`].
//!
//! `ev` and `solve` are available for every game with a solver in [`houseway_exact::registry`]. Their options are
//! generated from the registry entries.

mod completions;
mod dataset;
mod drill;
mod ev;
mod experiment;
mod games;
mod play;
mod report;
mod serve;
mod show;
mod solve;
mod solver_options;
mod stats;
mod sweep;

use crate::analysis::{self, AnalysisCommand};
use crate::console::{CommandResult, Failure};

use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Train agents for casino card games in which hands are set, and measure, plot and report their play exactly
///
/// Without a command, runs the main job, a quick experiment in results/quick that takes about three minutes.
#[derive(Parser)]
#[command(name = "houseway", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Ev(Box<ev::EvArgs>),
    Solve(Box<solve::SolveArgs>),
    Train(experiment::TrainArgs),
    Bench(experiment::BenchArgs),
    Games(games::GamesArgs),
    Play(Box<play::PlayArgs>),
    Drill(Box<drill::DrillArgs>),
    Completions(completions::CompletionsArgs),
    Dataset(Box<dataset::DatasetArgs>),
    Report(report::ReportArgs),
    Serve(serve::ServeArgs),
    Show(show::ShowArgs),
    Stats(stats::StatsArgs),
    Sweep(sweep::SweepArgs),
    #[command(flatten)]
    Analysis(AnalysisCommand),
}

/// Runs a command line. Errors are printed to standard error, and the exit status indicates the kind of error.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    analysis::register();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // This also applies to errors in the options themselves.
    let json = arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    match Cli::try_parse_from(&arguments) {
        Ok(cli) => dispatch(cli).map_or_else(|failure| failure.report(json), |()| ExitCode::SUCCESS),
        Err(error) => options_error(&error, json),
    }
}

fn dispatch(cli: Cli) -> CommandResult {
    match cli.command {
        None => experiment::main_job(),
        Some(Command::Ev(command)) => command.run(),
        Some(Command::Solve(command)) => command.run(),
        Some(Command::Train(command)) => command.run(),
        Some(Command::Bench(command)) => command.run(),
        Some(Command::Games(command)) => command.run(),
        Some(Command::Play(command)) => command.run(),
        Some(Command::Drill(command)) => command.run(),
        Some(Command::Completions(command)) => command.run(Cli::command()),
        Some(Command::Dataset(command)) => command.run(),
        Some(Command::Report(command)) => command.run(),
        Some(Command::Serve(command)) => command.run(),
        Some(Command::Show(command)) => command.run(),
        Some(Command::Stats(command)) => command.run(),
        Some(Command::Sweep(command)) => command.run(),
        Some(Command::Analysis(command)) => command.run(),
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

    #[test]
    fn the_options_are_consistent() {
        Cli::command().debug_assert();
    }
}
