//! Implementation of `houseway show` for files bundled with the program, and of `houseway completions`.

use crate::study::{Experiment, default_config};
use clap::{Args, Command};
use clap_complete::Shell;
use houseway_env::gym::GameEntry;
use houseway_env::registry::find;
use houseway_lab::console::{CommandResult, Failure, default_game, print};

/// The name that selects a game's bundled configuration.
const CONFIG: &str = "config";
/// The name that selects the same configuration with every key and its default.
const KEYS: &str = "keys";

/// Print a bundled house way, paytable, configuration or page
///
/// Redirect the output to a file to create your own: houseway show trump-plaza > my-way.toml
#[derive(Args)]
pub(super) struct ShowArgs {
    /// The name of the file; "config" is the configuration of the game's experiment, and "keys" also lists every key
    /// with its default [default: list the names]
    name: Option<String>,
    /// The game
    #[arg(short, long, value_name = "NAME", default_value_t = default_game())]
    game: String,
}

impl ShowArgs {
    pub(super) fn run(self) -> CommandResult {
        let game = find(&self.game).map_err(Failure::usage)?;
        let Some(name) = self.name else { return print(&list(game)) };
        print(&text(game, &name)?)
    }
}

/// Returns the text of a bundled file.
fn text(game: &GameEntry, name: &str) -> CommandResult<String> {
    let mut files = game.data.iter().flat_map(|(_, files)| files.iter());
    match (name, files.find(|(known, _)| *known == name)) {
        (_, Some((_, text))) => Ok((*text).to_owned()),
        (CONFIG, None) if default_config(game.name).is_some() => {
            Ok(default_config(game.name).unwrap_or_default().to_owned())
        }
        (CONFIG | KEYS, None) => Ok(Experiment::for_game(game.name)
            .and_then(|experiment| experiment.to_toml())
            .map_err(|error| Failure::usage(format!("the game {} has no such file: {error:#}", game.name)))?),
        _ => Err(Failure::usage(format!(
            "the game {} has no file '{name}'; choose one of these:\n{}",
            game.name,
            list(game)
        ))),
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

/// Print the completion script for a shell
#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the completion script for this command line.
    pub(super) fn run(self, mut command: Command) -> CommandResult {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "houseway", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
