//! The command line: one file per command, and what they share.
//!
//! A command is a struct of options with `fn run(self) -> Outcome`. To add one: a file here, a variant of `Command`, a line in
//! `dispatch`, tests in `tests/`. Standard output carries the answer alone, standard error the rest; see [`Failure`] for
//! errors and [`print`](self::print()) for answers.
//!
//! A command that answers for several games is a folder: its options in `mod.rs`, a file for each game. To add a game to
//! it: that file, and a line in its `OFFERS`.

mod audit;
mod bank;
mod check;
mod claim;
mod compare;
mod completions;
mod diff;
mod ev;
mod experiment;
mod failure;
mod games;
mod offers;
mod options;
mod report;
mod set;
mod solve;
mod strategies;
mod table;
mod ways;

pub use failure::{Failure, OrUsage, Outcome};
pub use options::{GameOptions, OutputOptions, ThreadOptions};

use offers::Offer;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Casino card games in which a hand is set: train agents, measure them exactly, plot and report.
///
/// Without a command: the main job, a quick experiment into results/quick (about three minutes).
#[derive(Parser)]
#[command(name = "houseway", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Ev(Box<ev::Ev>),
    Set(set::Set),
    Check(check::Check),
    Audit(audit::Audit),
    Diff(diff::Diff),
    Compare(compare::Compare),
    Solve(Box<solve::Solve>),
    Claim(claim::Claim),
    Bank(Box<bank::Bank>),
    Table(table::Table),
    Train(experiment::Train),
    Bench(experiment::Bench),
    Games(games::Games),
    Completions(completions::Completions),
    Report(report::Report),
}

/// Runs a command line; errors go to standard error, the exit status says of which kind they are.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Also for an error in the options themselves.
    let json = arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    match Cli::try_parse_from(&arguments) {
        Ok(cli) => dispatch(cli).map_or_else(|failure| failure.report(json), |()| ExitCode::SUCCESS),
        Err(error) => options_error(&error, json),
    }
}

fn dispatch(cli: Cli) -> Outcome {
    match cli.command {
        None => experiment::main_job(),
        Some(Command::Ev(command)) => command.run(),
        Some(Command::Set(command)) => command.run(),
        Some(Command::Check(command)) => command.run(),
        Some(Command::Audit(command)) => command.run(),
        Some(Command::Diff(command)) => command.run(),
        Some(Command::Compare(command)) => command.run(),
        Some(Command::Solve(command)) => command.run(),
        Some(Command::Claim(command)) => command.run(),
        Some(Command::Bank(command)) => command.run(),
        Some(Command::Table(command)) => command.run(),
        Some(Command::Train(command)) => command.run(),
        Some(Command::Bench(command)) => command.run(),
        Some(Command::Games(command)) => command.run(),
        Some(Command::Completions(command)) => command.run(),
        Some(Command::Report(command)) => command.run(),
    }
}

/// Help and version are answers; anything else is bad usage.
fn options_error(error: &clap::Error, json: bool) -> ExitCode {
    if !error.use_stderr() {
        // Nobody is left to be told.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if json {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        return Failure::usage(text.lines().next().unwrap_or_default()).report(true);
    }
    let _ = error.print();
    ExitCode::from(failure::USAGE)
}

/// Writes an answer to standard output. A reader that has seen enough (`| head`) is no error.
///
/// # Errors
/// If it cannot be written otherwise.
pub fn print(text: &str) -> Outcome {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes an answer as one JSON document.
///
/// # Errors
/// If it cannot be written.
pub fn print_json(value: &serde_json::Value) -> Outcome {
    print(&format!("{value:#}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_are_consistent() {
        Cli::command().debug_assert();
    }
}
