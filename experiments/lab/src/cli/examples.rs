//! The examples at the end of each command's help.

use clap::Command;

/// The commands with their examples. Those that train belong to the `houseway` crate.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("ev", &["houseway ev As Kd Jk 7c 7d 2h 3s", "houseway ev -g ultimate-holdem Kh 8c --board \"2c 8d Qs\""]),
    ("solve", &["houseway solve --player optimal --banker foxwoods", "houseway solve -g joker-seven"]),
    ("games", &["houseway games", "houseway games -g pai-gow-tiles"]),
    (
        "play",
        &[
            "houseway play --coach on",
            "houseway play -g pai-gow-table --player 2=wong,bet=100",
            "houseway play --plain",
        ],
    ),
    ("drill", &["houseway drill --hands 10", "houseway drill -g ultimate-holdem --export answers.csv"]),
    ("dataset", &["houseway dataset --out logged --episodes 50000 --exploration 0.5"]),
    ("report", &["houseway report runs/my-run"]),
    ("serve", &["houseway serve", "houseway serve --port 0 --results my-results"]),
    ("stats", &["houseway stats runs/first runs/second"]),
    ("verify", &["houseway verify runs/my-run"]),
    ("references", &["houseway references --check", "houseway references search/player"]),
    ("side-bet", &["houseway side-bet fortune-2"]),
    ("set", &["houseway set As Kd Jk 7c 7d 2h 3s --way foxwoods", "houseway set -g pai-gow-tiles 6-6 6-3 5-2 2-2"]),
    ("check", &["houseway check my-way.toml", "houseway check -g pai-gow-tiles canberra"]),
    ("audit", &["houseway audit my-way.toml --out my-audit", "houseway audit foxwoods --as banker"]),
    ("diff", &["houseway diff trump-plaza foxwoods", "houseway diff trump-plaza my-way.toml"]),
    ("search", &["houseway search --length 4..8 --out my-search", "houseway search --fix foxwoods --change 1"]),
    ("equilibrium", &["houseway equilibrium --out my-equilibrium", "houseway equilibrium --set copies=pushed"]),
    ("compare", &["houseway compare trump-plaza foxwoods wong"]),
    ("claim", &["houseway claim"]),
    ("known-cards", &["houseway known-cards --cards 1 7 --hands 2000"]),
    (
        "bank",
        &["houseway bank foxwoods:100 wong:60 --own 20", "houseway bank foxwoods:100 --hand \"As Kd Jk 7c 7d 2h 3s\""],
    ),
    ("table", &["houseway table my-table.toml"]),
    ("par", &["houseway par --banker foxwoods", "houseway par --out my-par"]),
    ("identify", &["houseway identify log.txt"]),
    ("monitor", &["houseway monitor log.txt --banker foxwoods"]),
    ("train", &["houseway train my-experiment.toml"]),
    ("bench", &["houseway bench", "houseway bench my-experiment.toml --out runs/my-run"]),
    ("sweep", &["houseway sweep my-sweep.toml"]),
    ("show", &["houseway show trump-plaza > my-way.toml", "houseway show keys"]),
    ("completions", &["houseway completions bash > /etc/bash_completion.d/houseway"]),
];

pub(super) fn with_examples(mut command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        let Some((_, examples)) = EXAMPLES.iter().find(|(known, _)| *known == name) else { continue };
        command = command.mut_subcommand(&name, |command| {
            let before = command.get_after_help().map_or(String::new(), |text| format!("{text}\n\n"));
            let text = format!("{before}Examples:\n  {}", examples.join("\n  "));
            command.after_help(text)
        });
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::LabCommand;
    use clap::Subcommand;

    #[test]
    fn every_command_has_examples_that_parse() {
        let lab = || LabCommand::augment_subcommands(Command::new("houseway"));
        for command in with_examples(lab()).get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            let examples = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{}", command.get_name())).1;
            for line in examples.lines().filter(|line| !line.is_empty()) {
                let words = line.split(['<', '>']).next().unwrap().split('"').enumerate();
                let words = words.flat_map(|(i, part)| match i % 2 {
                    0 => part.split_whitespace().collect(),
                    _ => vec![part],
                });
                let matches = lab().try_get_matches_from(words);
                assert!(matches.is_ok(), "{line}: {}", matches.unwrap_err());
            }
        }
    }
}
