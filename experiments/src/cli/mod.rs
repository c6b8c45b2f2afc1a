//! The command line. Commands that train nothing are in [`houseway_lab::cli`].

mod experiment;
mod show;

use clap::{CommandFactory, Parser, Subcommand};
use houseway_lab::cli::{LabCommand, run_line};
use houseway_lab::console::CommandResult;
use houseway_lab::run::set_commit;
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
    Train(experiment::TrainArgs),
    Bench(experiment::BenchArgs),
    Sweep(experiment::SweepArgs),
    Show(show::ShowArgs),
    Completions(show::CompletionsArgs),
    #[command(flatten)]
    Lab(LabCommand),
}

/// Runs a command line. Errors are printed to standard error, and the exit status indicates the kind of error.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    set_commit(option_env!("HOUSEWAY_COMMIT"));
    // A weights file also looks like a table of strategies, so agents come first.
    crate::agents::register();
    run_line(arguments, dispatch)
}

/// Returns the description of the command line.
pub fn command() -> clap::Command {
    Cli::command()
}

fn dispatch(cli: Cli) -> CommandResult {
    match cli.command {
        None => experiment::main_job(),
        Some(Command::Train(command)) => command.run(),
        Some(Command::Bench(command)) => command.run(),
        Some(Command::Sweep(command)) => command.run(),
        Some(Command::Show(command)) => command.run(),
        Some(Command::Completions(command)) => command.run(Cli::command()),
        Some(Command::Lab(command)) => command.run(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        Cli::command().debug_assert();
    }
}
