//! `houseway search`, which finds short house ways.
//!
//! `--json` prints a single document, which is also the run's `results.json`. EVs and losses are per unit staked. Exact
//! values have the form `{"numerator", "denominator", "value"}`.
//!
//! | key | contents |
//! |---|---|
//! | `as`, `banker` | the side, and the other side's house ways with their hashes and readings |
//! | `objective` | `mean` or `worst` if there are several house ways, otherwise `null` |
//! | `rules_hash` | the hash of the game rules |
//! | `best_ev`, `best_ev_exact` | the best response's EV, averaged over the house ways |
//! | `vocabulary_regret` | the loss if every hand is set in the best way that the vocabulary allows, which bounds the loss of all lists |
//! | `ways` | the lists, by number of rules |
//! | `reference` | published strategies, with `name`, `rules`, `bounds`, `ev` and `regret` |
//! | `robust` | with `--robust`, the `situations` with the regrets of all lists, the `lists` with their `mean` and `worst` regret, and `best_everywhere`, the list with the smallest worst regret; otherwise `null` |
//!
//! Each list in `ways` has:
//!
//! | key | contents |
//! |---|---|
//! | `name`, `file`, `hash` | its name, its file, and the hash of its settings |
//! | `rules`, `bounds`, `words` | its numbers of rules, bounds and words |
//! | `ev`, `ev_exact` | its EV, averaged over the house ways |
//! | `regret`, `regret_exact` | the best response's EV minus the list's, as the mean or maximum over the house ways depending on `objective` |
//! | `regret_by_opponent` | the exact regret against each house way in `banker` if there are several, otherwise `null` |
//! | `proven_gap` | the regret minus a lower bound for all lists with that many rules |
//! | `sheet` | the rules as sentences |
//! | `per_rule` | for each rule, its `name`, `hands`, `words` and `bounds`, `ev_without`, which is the EV without it, and its `limits`, each with the change in EV if it is one rank `lower` and `higher` (or `null`). EVs are averaged over the house ways |
//! | `next` | the best rule to add, with its `text` and `ev_change`, averaged over the house ways, or `null` if no rule is a gain |
//!
//! With `--fix`:
//!
//! | key | contents |
//! |---|---|
//! | `way`, `rules_hash` | the sheet, and the hash of the game rules |
//! | `ev_before`, `ev_before_exact` | the sheet's EV, averaged over the house ways |
//! | `changes`, `ev`, `file` | the changes in the sheet with all of them, its EV, and its file (`null` without `--out`) |
//! | `by_number` | the best sheet for each `number` of changes, with `changes`, `ev`, `ev_exact`, `ev_change`, `ev_change_exact`, `hash` and `toml` |
//!
//! A change has a `kind` (`replace`, `add`, `drop` or `move`), the `rule` that is replaced, dropped or moved, the
//! `text` of the added rule or the new position of the moved rule, and `ev_change`, which is what undoing only this
//! change would lose.

use super::ways::compile;
use crate::analysis::pai_gow::WaySide;
use crate::analysis::pai_gow::search::{Question, examine, fix::fix};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, print, print_json};
use crate::run::{Destination, Output, RunFolder, check_outputs, stop_flag_with, write_atomic};
use clap::Args;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_exact::pai_gow::search::{Objective, Problem, Word};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

/// Search for short house ways: the best list of rules of each length, with its exact EV
///
/// Writes each list as a file that every command accepts as a house way, and a report with the rules as sentences, the
/// value of each rule, and the cost of moving its limits. With --fix, finds the best changes to single rules of a sheet
/// instead.
#[derive(Args)]
pub struct SearchArgs {
    /// The number of rules, or a range such as 4..12
    #[arg(long, value_name = "N", default_value = "3..24", value_parser = parse_range)]
    rules: RangeInclusive<usize>,
    /// The maximum number of bounds in all rules together, i.e. ends of ranges that exclude something and minimum
    /// fronts
    #[arg(long, value_name = "B")]
    bounds: Option<usize>,
    /// The side that the lists set for
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = WaySide::Player)]
    seat: WaySide,
    /// The other side's house ways, by name or file, separated by commas
    #[arg(long, value_name = "WAY", visible_alias = "against", value_delimiter = ',', default_value = Way::DEFAULT)]
    banker: Vec<String>,
    /// The loss to minimize against several house ways, "mean" or "worst"
    #[arg(long, value_name = "OBJECTIVE", default_value_t = Objective::Mean, value_parser = parse_objective, conflicts_with = "fix")]
    objective: Objective,
    /// The maximum average number of words per rule
    #[arg(long, value_name = "N", default_value_t = 35, value_parser = clap::value_parser!(u8).range(10..))]
    max_words: u8,
    /// The words that rules may use in addition to shapes and ranks, separated by commas [default: all]
    #[arg(long, value_name = "WORD", value_delimiter = ',', value_parser = parse_word)]
    words: Vec<Word>,
    /// The number of lists to keep for each length; larger values find better lists but take longer
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parse_width)]
    width: usize,
    /// Also evaluate the lists against other opponents, for the other side and under other rules, in one pass each
    #[arg(long)]
    robust: bool,
    /// Change single rules of this sheet instead, given as the name or file of a house way
    #[arg(long, value_name = "SHEET", conflicts_with_all = ["rules", "robust"])]
    fix: Option<String>,
    /// The maximum number of changes, each of which replaces, adds, removes or moves a rule
    #[arg(long, value_name = "K", requires = "fix", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    change: u8,
    /// The folder to write the report to [default: results/search/player or banker]; with --fix, the file to write the
    /// changed sheet to
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

/// The maximum number of rules in a list.
const MAX_RULES: usize = 40;
/// The maximum number of lists to keep for each length.
const MAX_WIDTH: usize = 64;

fn parse_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|n| (1..=MAX_RULES).contains(n));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err(format!("expected a number of rules from 1 to {MAX_RULES}, or a range like 4..12")),
    }
}

fn parse_word(text: &str) -> Result<Word, String> {
    text.parse().map_err(|_| format!("expected one of {}", Word::NAMES.join(", ")))
}

fn parse_objective(text: &str) -> Result<Objective, String> {
    text.parse().map_err(|_| format!("expected one of {}", Objective::NAMES.join(", ")))
}

fn parse_width(text: &str) -> Result<usize, String> {
    let width = text.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
    width.ok_or_else(|| format!("expected a number from 1 to {MAX_WIDTH}"))
}

impl SearchArgs {
    pub(super) fn run(self) -> CommandResult {
        self.common.threads.start()?;
        let game = self.common.game.pai_gow()?;
        let stop = stop_flag_with("stopping: finished steps are kept (press again to stop immediately)")?;
        let mut names: Vec<&str> = self.banker.iter().map(String::as_str).collect();
        names.extend(self.fix.as_deref());
        let mut ways = self.ways(&names, &game)?;
        let sheet = self.fix.as_ref().and_then(|_| ways.pop());
        let question = Question {
            problem: Problem {
                side: self.seat.side(),
                opponents: ways.into_iter().map(Arc::new).collect(),
                objective: self.objective,
                bounds: self.bounds,
                words_per_rule: self.max_words.into(),
                words: if self.words.is_empty() { Word::ALL.to_vec() } else { self.words.clone() },
                width: self.width,
                game,
            },
            seat: self.seat,
            rules: self.rules.clone(),
            robust: self.robust,
        };
        let inputs = self.common.game.files(names);
        if let (Some(sheet), Some(name)) = (sheet, &self.fix) {
            let outputs: Vec<Output> = self.out.iter().map(|path| Output::new("--out", path)).collect();
            let _outputs = check_outputs(&outputs, &inputs, self.force.force).map_err(Failure::usage)?;
            let text = Way::text(name).map_err(Failure::usage)?;
            let changes = fix(&question, &sheet, &text, self.change.into(), &stop)?;
            let changes = changes.ok_or_else(|| Failure::work("stopped"))?;
            if let (Some(path), Some(way)) = (&self.out, changes.ways().last()) {
                write_atomic(path, &way.toml)?;
            }
            return if self.common.output.json {
                print_json(&changes.json(self.out.as_deref()))
            } else {
                print(&changes.text())
            };
        }
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from("results/search").join(self.seat.name()));
        let to = Destination::new(&folder, &inputs, self.force.force);
        let (run, _) = RunFolder::start(&question.spec()?, &to)?;
        let findings = examine(&question, run, &stop)?.ok_or_else(|| Failure::work("stopped"))?;
        if self.common.output.json { print_json(&findings.json(&folder)) } else { print(&findings.text(&folder)) }
    }

    fn ways(&self, names: &[&str], game: &Game) -> CommandResult<Vec<HouseWay>> {
        let ways = houseway_exact::pai_gow::load_ways(names, &self.common.game.set)?;
        ways.into_iter().map(|way| compile(way, game)).collect()
    }
}
