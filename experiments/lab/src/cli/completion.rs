//! The names that shells complete.

use crate::play::CoachMode;
use clap::Command;
use clap::builder::PossibleValuesParser;
use houseway_env::registry::games;
use houseway_exact::pai_gow::{RANDOM, TOPICS};

/// Returns the names of files in the program, such as house ways. `folder` is where they are, or empty for all of them.
fn files(folder: &str) -> Vec<&'static str> {
    let data = games().into_iter().flat_map(|game| game.data);
    let mut names: Vec<&str> = data
        .filter(|(kind, _)| folder.is_empty() || *kind == folder)
        .flat_map(|(_, files)| files.iter().map(|(name, _)| *name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the rules of all games, with the options of those that have some. They are kept until the program ends, as the
/// parser requires.
fn rules() -> Vec<&'static str> {
    let mut rules = Vec::new();
    for game in games() {
        rules.extend(game.rules.parameters.iter().map(|rule| format!("{}=", rule.name)));
        for rule in game.choices() {
            rules.extend(rule.options.iter().map(|option| format!("{}={option}", rule.name)));
        }
    }
    rules.sort_unstable();
    rules.dedup();
    rules.into_iter().map(|rule| &*rule.leak()).collect()
}

/// Lists the known names as the values of options. This is only for completion scripts: a parser also accepts files, and
/// names of agents.
pub fn with_known_names(command: Command) -> Command {
    let known = |id: &str, value: &str| match (id, value) {
        ("game", _) => games().into_iter().map(|game| game.name).collect(),
        ("set", _) => rules(),
        ("coach", _) => CoachMode::NAMES.to_vec(),
        ("topic", _) => TOPICS.to_vec(),
        ("name", "NAME") => files(""),
        ("paytable", _) => files("paytables"),
        (_, "WAY") => files("house ways"),
        (_, "A" | "B" | "S") => [files("house ways"), vec!["optimal", RANDOM]].concat(),
        _ => vec![],
    };
    let command = command.mut_args(|arg| {
        let value = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
        let names = known(arg.get_id().as_str(), value);
        if names.is_empty() { arg } else { arg.value_parser(PossibleValuesParser::new(names)) }
    });
    let commands: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    commands.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_known_names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::LabCommand;
    use clap::Subcommand;

    #[test]
    fn names_of_games_and_strategies_are_completed() {
        let command = with_known_names(LabCommand::augment_subcommands(Command::new("houseway")));
        let values = |name: &str, id: &str| {
            let command = command.find_subcommand(name).unwrap();
            let arg = command.get_arguments().find(|arg| arg.get_id() == id).unwrap();
            arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(values("play", "game").len(), games().len());
        for (name, id) in [("ev", "way"), ("check", "way"), ("solve", "player"), ("diff", "from"), ("play", "banker")] {
            assert!(values(name, id).contains(&"trump-plaza".to_owned()), "{name} {id}");
        }
        assert!(values("solve", "banker").contains(&"optimal".to_owned()));
        for (name, id, value) in [
            ("play", "coach", "after"),
            ("ev", "set", "copies=pushed"),
            ("ev", "set", "commission="),
            ("drill", "topic", "two pairs"),
            ("side-bet", "paytable", "fortune-2"),
        ] {
            assert!(values(name, id).contains(&value.to_owned()), "{name} {id}");
        }
        assert!(values("play", "session").is_empty());
    }
}
