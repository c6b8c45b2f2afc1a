//! `houseway search`: short house ways.
//!
//! `--json` prints one document, which is also the run's `results.json`. EVs and losses are per unit staked; exact ones are
//! `{"numerator", "denominator", "value"}`.
//!
//! | key | contents |
//! |---|---|
//! | `as`, `banker` | the side, and the house ways of the other side with their hashes and readings |
//! | `objective` | `mean` or `worst`, with several house ways; otherwise `null` |
//! | `rules_hash` | hash of the rules of the game |
//! | `best_ev`, `best_ev_exact` | EV of the best response, the mean over several house ways |
//! | `vocabulary_regret` | loss of the best play of the vocabulary for each hand: no list loses less |
//! | `ways` | the lists, by number of rules |
//! | `reference` | published strategies: `name`, `rules`, `bounds`, `ev`, `regret` |
//! | `robust` | with `--robust`: `situations` with the regrets of all lists, `lists` with `mean` and `worst` regret, and `best_everywhere`, the list with the least greatest one; otherwise `null` |
//!
//! Each list of `ways` has:
//!
//! | key | contents |
//! |---|---|
//! | `name`, `file`, `hash` | its name, its file, and the hash of its settings |
//! | `rules`, `bounds`, `words` | numbers of rules, of bounds and of words in all of them |
//! | `ev`, `ev_exact` | EV, the mean over several house ways |
//! | `regret`, `regret_exact` | EV of the best response less that of the list, the mean or the greatest as `objective` says |
//! | `regret_by_opponent` | exact regrets in the order of `banker`, with several house ways; otherwise `null` |
//! | `proven_gap` | regret less a lower bound for all lists with that many rules |
//! | `sheet` | the rules as sentences |
//! | `per_rule` | by rule: `name`, `hands`, `words`, `bounds`; `ev_without`, the EV if it is left out; `limits`, each with the change of the EV one rank `lower` and `higher` (`null` if there is none). The EVs are means over several house ways |
//! | `next` | the best further rule: `text` and `ev_change`, a mean over several house ways; `null` if none gains |
//!
//! With `--fix`:
//!
//! | key | contents |
//! |---|---|
//! | `way`, `rules_hash` | the sheet, and the hash of the rules of the game |
//! | `ev_before`, `ev_before_exact` | EV of the sheet, the mean over several house ways |
//! | `changes`, `ev`, `file` | the changes of the sheet with all of them, its EV and its file (`null` without `--out`) |
//! | `by_number` | for each `number` of changes the best sheet: `changes`, `ev`, `ev_exact`, `ev_change`, `ev_change_exact`, `hash`, `toml` |
//!
//! A change has a `kind` (`replace`, `add`, `drop` or `move`), the `rule` that is replaced, left out or moved, the `text` of the
//! added rule or the new place of a moved one, and `ev_change`, which is what undoing it alone would lose.

use super::ways::compile;
use crate::analysis::pai_gow::WaySide;
use crate::analysis::pai_gow::search::{Question, examine, fix::fix};
use crate::console::{
    CommandResult, Failure, ForceOptions, GameOptions, OrUsage, OutputOptions, ThreadOptions, print, print_json,
};
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
/// Writes each list as a file that every command takes as a house way, and a report with the rules as sentences, what each is
/// worth, and the price of moving its limits. With --fix, finds the best changes of single rules of a sheet instead.
#[derive(Args)]
pub struct SearchArgs {
    /// Number of rules, or a range like 4..12
    #[arg(long, value_name = "N", default_value = "3..24", value_parser = parse_range)]
    rules: RangeInclusive<usize>,
    /// Maximum number of bounds in all rules together: ends of ranges that exclude something, and minimum fronts
    #[arg(long, value_name = "B")]
    bounds: Option<usize>,
    /// Side that the lists set for
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = WaySide::Player)]
    seat: WaySide,
    /// House ways of the other side, by name or file, separated by commas
    #[arg(long, value_name = "WAY", visible_alias = "against", value_delimiter = ',', default_value = Way::DEFAULT)]
    banker: Vec<String>,
    /// Objective against several house ways: the mean of the losses, or the worst
    #[arg(long, value_name = "OBJECTIVE", default_value_t = Objective::Mean, value_parser = parse_objective, conflicts_with = "fix")]
    objective: Objective,
    /// Maximum mean number of words of a rule
    #[arg(long, value_name = "N", default_value_t = 35, value_parser = clap::value_parser!(u8).range(10..))]
    max_words: u8,
    /// Words that rules may use besides shapes and ranks, separated by commas [default: all]
    #[arg(long, value_name = "WORD", value_delimiter = ',', value_parser = parse_word)]
    words: Vec<Word>,
    /// Number of lists kept for each length: more find better lists and take longer
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parse_width)]
    width: usize,
    /// Evaluate the lists against other opponents, on the other side and under other rules as well, in a pass each
    #[arg(long)]
    robust: bool,
    /// Change single rules of this sheet instead: a house way by name or file
    #[arg(long, value_name = "SHEET", conflicts_with_all = ["rules", "robust"])]
    fix: Option<String>,
    /// Maximum number of changes: a rule replaced, added, left out or moved to another place
    #[arg(long, value_name = "K", requires = "fix", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    change: u8,
    /// Folder of the report [default: results/search/player or banker]; with --fix, a file for the changed sheet
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Maximum number of rules of a list.
const MAX_RULES: usize = 40;
/// Maximum number of lists kept for each length.
const MAX_WIDTH: usize = 64;

fn parse_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|n| (1..=MAX_RULES).contains(n));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err(format!("write a number of rules from 1 to {MAX_RULES}, or a range like 4..12")),
    }
}

fn parse_word(text: &str) -> Result<Word, String> {
    text.parse().map_err(|_| format!("choose from {}", Word::NAMES.join(", ")))
}

fn parse_objective(text: &str) -> Result<Objective, String> {
    text.parse().map_err(|_| format!("choose from {}", Objective::NAMES.join(", ")))
}

fn parse_width(text: &str) -> Result<usize, String> {
    let width = text.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
    width.ok_or_else(|| format!("write a number from 1 to {MAX_WIDTH}"))
}

impl SearchArgs {
    pub(super) fn run(self) -> CommandResult {
        self.threads.start()?;
        let game = self.game.pai_gow()?;
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
        let inputs = self.game.files(names);
        if let (Some(sheet), Some(name)) = (sheet, &self.fix) {
            let outputs: Vec<Output> = self.out.iter().map(|path| Output::new("--out", path)).collect();
            check_outputs(&outputs, &inputs, self.force.force).or_usage()?;
            let text = Way::text(name).or_usage()?;
            let changes = fix(&question, &sheet, &text, self.change.into(), &stop)?;
            let changes = changes.ok_or_else(|| Failure::work("stopped"))?;
            if let (Some(path), Some(way)) = (&self.out, changes.ways().last()) {
                write_atomic(path, &way.toml)?;
            }
            return if self.output.json {
                print_json(&changes.json(self.out.as_deref()))
            } else {
                print(&changes.text())
            };
        }
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from("results/search").join(self.seat.name()));
        let to = Destination::new(&folder, &inputs, self.force.force);
        let (run, _) = RunFolder::start(&question.spec()?, &to)?;
        let findings = examine(&question, run, &stop)?.ok_or_else(|| Failure::work("stopped"))?;
        if self.output.json { print_json(&findings.json(&folder)) } else { print(&findings.text(&folder)) }
    }

    fn ways(&self, names: &[&str], game: &Game) -> CommandResult<Vec<HouseWay>> {
        let ways = houseway_exact::pai_gow::load_ways(names, &self.game.set)?;
        ways.into_iter().map(|way| compile(way, game)).collect()
    }
}
