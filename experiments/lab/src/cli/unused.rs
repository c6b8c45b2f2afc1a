//! Rules that can't change what a command computes.

use crate::console::CommandResult;
use clap::ArgMatches;
use houseway_env::registry;
use houseway_exact::solver::refuse_rules;

/// The rules of bets, which don't matter to how hands are set.
const BETS: &[&str] = &["bank-pushes", "collection", "commission", "commission-bet", "copies", "side-bet-best"];

/// The rules without effect by command and game. [`side_bet_answer`](houseway_exact::side_bet::side_bet_answer) knows those
/// of side bets, which depend on the paytable.
const UNUSED: &[(&str, &str, &[&str])] = &[
    ("check", "pai-gow-poker", BETS),
    ("identify", "pai-gow-poker", BETS),
    ("set", "pai-gow-poker", BETS),
    ("ev", "pai-gow-poker", &["side-bet-best"]),
    ("solve", "pai-gow-poker", &["side-bet-best"]),
    ("solve", "joker-seven", &["common-hand", "maximum", "minimum"]),
    ("audit", "pai-gow-tiles", &["way"]),
    ("check", "pai-gow-tiles", &["bank", "commission", "copies", "way"]),
    ("compare", "pai-gow-tiles", &["way"]),
    ("equilibrium", "pai-gow-tiles", &["fox-last", "only-way", "way"]),
];

/// Refuses a change by `--set` of a rule that doesn't matter to the command.
pub fn refuse_unused_rules(line: &ArgMatches) -> CommandResult {
    let Some((command, options)) = line.subcommand() else { return Ok(()) };
    let Ok(Some(game)) = options.try_get_one::<String>("game") else { return Ok(()) };
    let Ok(Some(set)) = options.try_get_many::<String>("set") else { return Ok(()) };
    // An unknown game is reported by the command.
    let Ok(entry) = registry::find(game) else { return Ok(()) };
    let set: Vec<String> = set.cloned().collect();
    let mut unused = UNUSED.iter().filter(|(of, game, _)| (*of, *game) == (command, entry.name));
    Ok(unused.try_for_each(|(.., rules)| refuse_rules(&set, rules))?)
}
