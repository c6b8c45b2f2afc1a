//! Rules that can't change what a command computes.

use crate::console::CommandResult;
use clap::ArgMatches;
use houseway_env::registry;
use houseway_exact::solver::refuse_rules;

/// The rules of bets, which don't matter to how hands are set.
const BETS: &[&str] = &["bank-pushes", "collection", "commission", "commission-bet", "copies", "side-bet-best"];

/// Commands about Pai Gow Poker without a side bet.
const MAIN_BET: &[&str] =
    &["audit", "bank", "claim", "compare", "diff", "equilibrium", "ev", "known-cards", "monitor", "search", "solve"];

/// The rules without effect by commands and game. [`side_bet_answer`](houseway_exact::side_bet::side_bet_answer) knows those
/// of side bets, which depend on the paytable.
const UNUSED: &[(&[&str], &str, &[&str])] = &[
    (&["check", "identify", "set"], "pai-gow-poker", BETS),
    (MAIN_BET, "pai-gow-poker", &["side-bet-best"]),
    (&["par", "solve"], "joker-seven", &["common-hand", "maximum", "minimum"]),
    (&["audit", "check", "compare", "equilibrium"], "pai-gow-tiles", &["way"]),
    (&["check"], "pai-gow-tiles", &["bank", "commission", "copies"]),
    (&["equilibrium"], "pai-gow-tiles", &["fox-last", "only-way"]),
];

/// Returns the rules that don't matter to a command in a game.
pub fn unused_rules(command: &str, game: &str) -> Vec<&'static str> {
    let of_command = UNUSED.iter().filter(|(commands, other, _)| commands.contains(&command) && *other == game);
    of_command.flat_map(|(.., rules)| *rules).copied().collect()
}

/// Refuses a change by `--set` of a rule that doesn't matter to the command.
pub fn refuse_unused_rules(line: &ArgMatches) -> CommandResult {
    let Some((command, options)) = line.subcommand() else { return Ok(()) };
    let Ok(Some(game)) = options.try_get_one::<String>("game") else { return Ok(()) };
    let Ok(Some(set)) = options.try_get_many::<String>("set") else { return Ok(()) };
    // An unknown game is reported by the command.
    let Ok(entry) = registry::find(game) else { return Ok(()) };
    let set: Vec<String> = set.cloned().collect();
    Ok(refuse_rules(&set, &unused_rules(command, entry.name))?)
}
