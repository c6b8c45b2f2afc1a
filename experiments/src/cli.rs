//! The command line. Commands that train nothing are in [`houseway_lab::cli`].

use crate::STUDY_KINDS;
use crate::study::{Goal, Job, Study, default_config};
use crate::sweep::SweepJob;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use houseway_env::gym::GameEntry;
use houseway_env::names;
use houseway_env::registry::find;
use houseway_exact::solver::Scope;
use houseway_lab::cli::{LabCommand, run_line, set_book, with_known_names};
use houseway_lab::console::{CommandResult, Failure, default_game, print, scopes};
use houseway_lab::run::{notice, set_commit};
use std::ffi::OsString;
use std::process::ExitCode;

/// Train agents for casino card games in which hands are set, and measure, plot and report their play exactly
///
/// Without a command, runs the main job, a quick experiment in runs/quick that takes about five minutes.
#[derive(Parser)]
#[command(name = "houseway", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Train the agents of an experiment, or resume an interrupted run
    Train(Job),
    /// Train any missing agents, evaluate all agents, and write the plots and the report
    ///
    /// If the configuration contains `exploitability = true`, this also computes the exact best responses to each agent,
    /// as the player and as the banker. They are available for Pai Gow Poker and take about a minute per agent on one
    /// core.
    Bench {
        #[command(flatten)]
        job: Job,
        /// Evaluate on all hands or on the configured sample [default: whole, if the game has a solver]
        #[arg(long, value_parser = scopes())]
        exact: Option<Scope>,
    },
    Sweep(SweepJob),
    /// Print a bundled house way, paytable, configuration or page
    ///
    /// Redirect the output to a file to create your own: houseway show trump-plaza > my-way.toml
    Show {
        /// The name of the file; "config" is the configuration of the game's experiment, and "keys" the same with its
        /// defaults; the book lists all keys under Help in "houseway serve" [default: list the names]
        name: Option<String>,
        /// The game, as 'houseway games' lists it
        #[arg(short, long, value_name = "NAME", default_value_t = default_game())]
        game: String,
    },
    /// Print the completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    #[command(flatten)]
    Lab(LabCommand),
}

/// Runs a command line. Errors are printed to standard error, and the exit status indicates the kind of error.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    set_commit(option_env!("HOUSEWAY_COMMIT"));
    set_book(include!(concat!(env!("OUT_DIR"), "/book.rs")));
    // A weights file also looks like a table of strategies, so agents come first.
    crate::agents::register();
    run_line(arguments, dispatch)
}

pub fn command() -> clap::Command {
    Cli::command()
}

fn dispatch(cli: Cli) -> CommandResult {
    match cli.command {
        // The main job is the bundled study of the first game in the registry.
        None => {
            notice(
                "running the main job, \"houseway bench\": about five minutes, results in runs/quick (see houseway --help)",
            );
            dispatch(Cli::parse_from(["houseway", "bench"]))
        }
        Some(Command::Train(job)) => job.run(STUDY_KINDS, Goal::Train),
        Some(Command::Bench { job, exact }) => job.run(STUDY_KINDS, Goal::Bench(exact)),
        Some(Command::Sweep(job)) => job.run(),
        Some(Command::Show { name, game }) => show(name.as_deref(), &game),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut with_known_names(command()), "houseway", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Some(Command::Lab(command)) => command.run(),
    }
}

/// The name that selects a game's bundled configuration.
const CONFIG: &str = "config";
/// The name that selects the same configuration with every key and its default.
const KEYS: &str = "keys";

fn show(name: Option<&str>, game: &str) -> CommandResult {
    let game = find(game).map_err(Failure::usage)?;
    match name {
        Some(name) => print(&text(game, name)?),
        None => print(&list(game)),
    }
}

fn text(game: &GameEntry, name: &str) -> CommandResult<String> {
    let mut files = game.data.iter().flat_map(|(_, files)| files.iter());
    match (name, files.find(|(known, _)| *known == name)) {
        (_, Some((_, text))) => Ok((*text).to_owned()),
        (CONFIG, None) if default_config(game.name).is_some() => {
            Ok(default_config(game.name).unwrap_or_default().to_owned())
        }
        (CONFIG | KEYS, None) => {
            let kind = STUDY_KINDS.iter().find(|kind| kind.game == Some(game.name));
            let open = kind.map_or(Study::open_job as fn(_, _) -> _, |kind| kind.open);
            let keys = open(None, Some(game.name)).and_then(|study| study.spec());
            let no_file = |error| Failure::usage(format!("the game {} has no such file: {error:#}", game.name));
            Ok(keys.map_err(no_file)?.config)
        }
        _ => {
            let files = game.data.iter().flat_map(|(_, files)| files.iter()).map(|(name, _)| *name);
            let expected = names::expected(name, [CONFIG, KEYS].into_iter().chain(files));
            Err(Failure::usage(format!("the game {} has no file '{name}': {expected}", game.name)))
        }
    }
}

fn list(game: &GameEntry) -> String {
    let mut list = format!("configuration: {CONFIG}, {KEYS}\n");
    for (kind, files) in game.data {
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        list += &format!("{kind}: {}\n", names.join(", "));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        Cli::command().debug_assert();
    }
}
